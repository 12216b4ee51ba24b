//! Leave-one-unit-out deviations for the acceleration constant.

use super::draw::Plan;
use crate::coefficient::Coefficient;
use crate::ratings::{Ratings, Sample};
use crate::result::Reason;

/// Beyond so many pattern visits the jackknife, and with it `BCa`, is not computed.
const MAX_VISITS: usize = 1 << 29;

/// Mean minus leave-one-out value, with how many equal units it stands for.
pub(super) fn deviations(
    ratings: &Ratings,
    plan: &Plan<'_>,
    coefficient: Coefficient,
) -> Result<Vec<(f64, f64)>, Reason> {
    if plan.n_units().saturating_mul(ratings.n_patterns()) > MAX_VISITS {
        return Err(Reason::TooManyCategories);
    }
    let mut counts = ratings.counts().to_vec();
    let mut values = Vec::new();
    for (unit, times) in plan.units() {
        for &(pattern, count) in &unit {
            counts[pattern as usize] -= count;
        }
        if let Ok(value) = coefficient.value(Sample {
            ratings,
            counts: &counts,
        }) {
            values.push((value, times as f64));
        }
        for &(pattern, count) in &unit {
            counts[pattern as usize] += count;
        }
    }
    let total: f64 = values.iter().map(|(_, times)| times).sum();
    let mean = values
        .iter()
        .map(|(value, times)| value * times)
        .sum::<f64>()
        / total;
    Ok(values
        .into_iter()
        .map(|(value, times)| (mean - value, times))
        .collect())
}
