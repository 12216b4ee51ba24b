//! The command line, run as a program.

mod agreement_file;
mod agreement_study;
mod command;
mod pipes;
