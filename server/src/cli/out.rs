//! Standard output. Whoever reads it may stop reading (`consilium … | head -1`): then the command ends without a word and with
//! the exit code that a shell gives to a program that a closed pipe ended.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

/// 128 and the number of the signal of a closed pipe.
pub const CLOSED_PIPE: u8 = 141;

/// Prints a line to standard output.
macro_rules! say {
    ($($what:tt)*) => {
        $crate::cli::out::line(format_args!($($what)*))
    };
}
pub(super) use say;

/// Writes a line: what `say!` does.
pub fn line(text: Arguments<'_>) {
    let mut out = io::stdout().lock();
    let written = out.write_fmt(text).and_then(|()| out.write_all(b"\n"));
    if let Err(error) = written {
        drop(out);
        ended(&error);
    }
}

/// Ends the program, as nobody reads what it says.
fn ended(error: &io::Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(i32::from(CLOSED_PIPE));
    }
    let _ = writeln!(io::stderr(), "consilium: cannot write: {error}");
    std::process::exit(1);
}

/// Whether a cause, or what is behind it, is a closed pipe.
pub fn closed_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(cause);
    while let Some(one) = cause {
        let io = one.downcast_ref::<io::Error>();
        if io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
            return true;
        }
        cause = one.source();
    }
    false
}
