//! Building blocks of pages, rendered on the server only; `style/README.md` lists them with their classes.

pub mod chart;
pub mod choices;
pub mod definition;
pub mod field;
pub mod fields;
pub mod form;
pub mod layout;
pub mod message;
pub mod table;
pub mod time;
pub mod trace;

pub use chart::{Cloud, Differences, Estimate, Forest, Heat, Point, Track};
pub use choices::LevelBadge;
pub use definition::{CategoryDefinition, Definition};
pub use field::{Check, Field};
pub use fields::{AreaField, Hidden, PostForm, SelectField, TextField};
pub use form::Form;
pub use layout::{Crumb, NavLink, Page, Viewer, Width};
pub use message::{Dialog, Empty, ErrorSummary, Facts, Kind, Notice, Progress};
pub use table::TableWrap;
pub use time::Time;
pub use trace::{Mark, MarkKind, TraceView};
