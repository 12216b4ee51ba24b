//! Reads one JSON case on standard input, writes the flat answer on standard output.

use std::io::Read;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut bytes = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bytes) {
        eprintln!("standard input: {error}");
        return ExitCode::FAILURE;
    }
    match stats::case::answer(&String::from_utf8_lossy(&bytes)) {
        Ok(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
