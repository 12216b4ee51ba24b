//! `consilium stats`: one JSON case on standard input, one flat JSON object on standard output.

use std::io::{self, Read, Write as _};

use clap::Args;

use super::Outcome;

/// Computes the statistics of a JSON case read from standard input.
#[derive(Args, Debug)]
pub struct Stats;

impl Stats {
    /// Reads to the end of the input, then answers in one line.
    #[expect(clippy::unused_self, reason = "every command is run by its arguments")]
    pub fn run(self) -> Outcome {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            format!(
                "line {}: the input is not UTF-8 text",
                valid.matches('\n').count() + 1
            )
        })?;
        let answer = stats::case::answer(text)?;
        writeln!(io::stdout().lock(), "{answer}")?;
        Ok(())
    }
}
