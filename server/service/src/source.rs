//! Time and randomness as arguments, so that a test can hold both still.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Where the time comes from.
pub trait Clock: Send + Sync {
    /// Epoch milliseconds, UTC.
    fn now(&self) -> i64;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place where the machine's clock is read"
    )]
    fn now(&self) -> i64 {
        let now = time::OffsetDateTime::now_utc();
        i64::try_from(now.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
    }
}

/// A clock that a test sets.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// A clock that stands at this time.
    pub fn at(millis: i64) -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(millis)))
    }

    /// Moves the clock on.
    pub fn advance(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Where secrets, ids and seeds come from.
pub trait Random: Send + Sync {
    /// Fills the buffer with unpredictable bytes.
    fn fill(&self, buffer: &mut [u8]);
}

/// The operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, buffer: &mut [u8]) {
        // Without the operating system's generator no secret can be made, and going on would make weak ones.
        getrandom::fill(buffer).expect("the operating system's random generator answers");
    }
}

fn sha2_of(a: &[u8], b: &[u8]) -> [u8; 32] {
    use sha2::{Digest, Sha256};
    let mut digest = Sha256::new();
    digest.update(a);
    digest.update(b);
    digest.finalize().into()
}

/// A generator for tests: distinct, repeatable, not secret.
#[derive(Debug, Default)]
pub struct CountingRandom(AtomicU64);

impl Random for CountingRandom {
    fn fill(&self, buffer: &mut [u8]) {
        let count = self.0.fetch_add(1, Ordering::SeqCst);
        for (at, chunk) in buffer.chunks_mut(16).enumerate() {
            let mixed = sha2_of(&count.to_be_bytes(), &(at as u64).to_be_bytes());
            chunk.copy_from_slice(&mixed[..chunk.len()]);
        }
    }
}

/// A new time-ordered identity (UUID version 7).
pub(crate) fn new_id(clock: &dyn Clock, random: &dyn Random) -> String {
    static ORDER: std::sync::LazyLock<std::sync::Mutex<(i64, u16)>> =
        std::sync::LazyLock::new(Default::default);
    let now = clock.now();
    // Ids made within one millisecond keep their order: rand_a of RFC 9562 counts them.
    let counter = {
        let mut last = ORDER
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *last = if last.0 == now {
            (now, last.1.wrapping_add(1))
        } else {
            (now, 0)
        };
        last.1
    };
    let mut bytes = [0u8; 10];
    random.fill(&mut bytes);
    bytes[0] = (counter >> 8) as u8 & 0x0f;
    bytes[1] = counter as u8;
    uuid::Builder::from_unix_timestamp_millis(now.unsigned_abs(), &bytes)
        .into_uuid()
        .to_string()
}

/// A point in time as files write it: RFC 3339 in UTC, with milliseconds.
pub fn rfc3339(millis: i64) -> String {
    let format = time::macros::format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z"
    );
    time::OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000)
        .ok()
        .and_then(|at| at.format(&format).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{CountingRandom, FixedClock, SystemRandom, new_id};

    #[test]
    fn ids_of_one_millisecond_keep_their_order() {
        let (clock, random) = (FixedClock::at(1_800_000_000_000), CountingRandom::default());
        let ids: Vec<_> = (0..200).map(|_| new_id(&*clock, &random)).collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
        clock.advance(1);
        assert!(new_id(&*clock, &SystemRandom) > ids[199]);
    }
}
