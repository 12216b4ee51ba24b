//! Building blocks of pages, rendered on the server only.

pub mod layout;
