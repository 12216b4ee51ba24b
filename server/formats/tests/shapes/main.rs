//! Files of ratings in the shapes of other tools, and the faults that were found in reading them.

mod argilla;
mod documents;
mod kit;
mod means;
mod runs;
mod tables;
