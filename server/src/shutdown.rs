//! Stopping in good order.

use std::{future::Future, io};

use tokio::signal::unix::{SignalKind, signal};

/// Completes at the first SIGTERM or SIGINT.
///
/// # Errors
/// When the handlers cannot be installed.
pub fn requested() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
