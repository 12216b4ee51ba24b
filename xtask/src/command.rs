//! Running programs.

use std::process::{Command, Stdio};

use crate::Result;

/// Runs to the end with our input and output.
///
/// # Errors
/// When the program cannot be started or does not succeed.
pub fn run(command: &mut Command) -> Result {
    let status = command
        .status()
        .map_err(|error| format!("{}: {error}", name(command)))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{}: {status}", name(command)).into())
    }
}

/// What the program writes to its output; its messages go where ours go.
///
/// # Errors
/// As [`run`].
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{}: {error}", name(command)))?;
    if !output.status.success() {
        return Err(format!("{}: {}", name(command), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Whether the program is there and succeeds, silently.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The program with its first arguments, to name it in a message.
fn name(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args().take(3));
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
