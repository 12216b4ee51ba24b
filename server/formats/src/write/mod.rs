//! Tables that open everywhere and come back unchanged, with a data dictionary made from the same description.

mod cell;
mod columns;
mod package;
mod record;
mod table;

pub use cell::{Cell, neutralise, number, restore};
pub use columns::{Column, Columns, Kind};
pub use package::{Package, Resource};
pub use record::json_line;
pub use table::{Table, WriteError, Written};
