//! Wilson's score interval of a proportion.

use crate::dist::z_of;
use crate::result::{Interval, Method, Reason};

/// The Wilson (1927) interval of `successes` in `trials`.
///
/// (p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n); the lower bound is exactly 0 at no success, the upper exactly
/// 1 at no failure. Wilson EB (1927), J. Am. Stat. Assoc. 22:209-212.
///
/// # Errors
/// [`Reason::NoItems`] without trials, [`Reason::OutOfRange`] for more successes than trials or a confidence outside (0, 1).
///
/// ```
/// let interval = stats::wilson::interval(10, 10, 0.95).expect("ten trials");
/// assert!((interval.low - 0.722_467).abs() < 1e-6);
/// assert_eq!(interval.high, 1.0);
/// ```
pub fn interval(successes: u64, trials: u64, confidence: f64) -> Result<Interval, Reason> {
    if trials == 0 {
        return Err(Reason::NoItems);
    }
    if successes > trials || !(confidence > 0.0 && confidence < 1.0) {
        return Err(Reason::OutOfRange);
    }
    let (n, z) = (trials as f64, z_of(confidence));
    let p = successes as f64 / n;
    let centre = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    let low = if successes == 0 {
        0.0
    } else {
        (centre - half) / scale
    };
    let high = if successes == trials {
        1.0
    } else {
        (centre + half) / scale
    };
    Ok(Interval {
        low,
        high,
        method: Method::Wilson,
    })
}
