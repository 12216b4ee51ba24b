//! What a supervisor or load balancer asks.

/// The process runs and answers.
pub async fn alive() -> &'static str {
    "alive\n"
}

/// The process can do useful work.
pub async fn ready() -> &'static str {
    "ready\n"
}
