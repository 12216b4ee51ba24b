//! Named steps with the time that each took.

use std::time::Instant;

use crate::Result;

/// Runs steps one after the other; the first that fails ends the run.
pub struct Steps {
    begun: Instant,
    done: Vec<(&'static str, u64)>,
}

impl Steps {
    /// Nothing done yet.
    pub fn new() -> Self {
        Self {
            begun: Instant::now(),
            done: Vec::new(),
        }
    }

    /// Runs `step` under a heading.
    ///
    /// # Errors
    /// Those of `step`, with the step's name.
    pub fn run<T>(&mut self, name: &'static str, step: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n==> {name}");
        let begun = Instant::now();
        let value = step().map_err(|cause| format!("step `{name}` failed: {cause}"))?;
        self.done.push((name, begun.elapsed().as_secs()));
        Ok(value)
    }

    /// Prints what was done and how long it took.
    pub fn finish(self) {
        println!();
        for (name, seconds) in self.done {
            println!("{seconds:>5} s  {name}");
        }
        println!(
            "{:>5} s  in all; every step passed",
            self.begun.elapsed().as_secs()
        );
    }
}
