//! `consilium stats`: one JSON case on standard input, one flat JSON object on standard output.

use std::io::{self, Read, Write as _};

use clap::Args;

use super::Outcome;

/// Computes the statistics of a JSON case read from standard input.
#[derive(Args, Debug)]
pub struct Stats;

impl Stats {
    /// Reads to the end of the input, then answers in one line.
    pub fn run(self) -> Outcome {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()]
                .iter()
                .filter(|&&b| b == b'\n')
                .count();
            format!("line {line}: the input is not UTF-8 text")
        })?;
        let answer = stats::case::answer(text)?;
        writeln!(io::stdout().lock(), "{answer}")?;
        Ok(())
    }
}
