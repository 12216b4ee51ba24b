//! From resampled values to intervals.

use super::{Bca, Resampled};
use crate::categories::by_number;
use crate::dist::{normal_cdf, normal_quantile};
use crate::result::{Interval, Method, Reason};

/// Sorts the defined values and reads both intervals off them; NaN marks an undefined resample.
pub(super) fn summary(
    estimate: f64,
    values: Vec<f64>,
    confidence: f64,
    (percentile, bca): (Method, Method),
    jackknife: impl FnOnce() -> Result<Vec<(f64, f64)>, Reason>,
) -> Resampled {
    let n_resamples = values.len();
    let mut defined = values;
    defined.retain(|value| value.is_finite());
    defined.sort_unstable_by(|a, b| by_number(*a, *b));
    let tail = (1.0 - confidence) / 2.0;
    let bounds = |low: f64, high: f64, method| Interval {
        low: quantile(&defined, low),
        high: quantile(&defined, high),
        method,
    };
    let accelerated = if defined.is_empty() {
        Err(Reason::NoResample)
    } else {
        constants(estimate, &defined, jackknife).map(|(z0, a)| {
            let level = |p: f64| {
                let shifted = z0 + normal_quantile(p);
                normal_cdf(z0 + shifted / (1.0 - a * shifted))
            };
            Bca {
                z0,
                a,
                interval: bounds(level(tail), level(1.0 - tail), bca),
            }
        })
    };
    Resampled {
        estimate,
        n_resamples,
        n_undefined: n_resamples - defined.len(),
        se: deviation(&defined),
        percentile: if defined.is_empty() {
            Err(Reason::NoResample)
        } else {
            Ok(bounds(tail, 1.0 - tail, percentile))
        },
        bca: accelerated,
    }
}

/// Bias correction and acceleration.
fn constants(
    estimate: f64,
    sorted: &[f64],
    jackknife: impl FnOnce() -> Result<Vec<(f64, f64)>, Reason>,
) -> Result<(f64, f64), Reason> {
    // equal up to rounding: the resamples sum in another order than the data
    let slack = 1e-12 * estimate.abs().max(1.0);
    let below = sorted.partition_point(|value| *value < estimate - slack);
    let up_to = sorted.partition_point(|value| *value <= estimate + slack);
    let z0 = normal_quantile((below + up_to) as f64 / (2 * sorted.len()) as f64);
    if !z0.is_finite() {
        return Err(Reason::NoResample);
    }
    let deviations = jackknife()?;
    let moment = |power: i32| {
        deviations
            .iter()
            .map(|(u, times)| times * u.powi(power))
            .sum::<f64>()
    };
    let square = moment(2);
    let a = if square > 0.0 {
        moment(3) / (6.0 * square.powf(1.5))
    } else {
        0.0
    };
    Ok((z0, a))
}

/// Linear interpolation between order statistics (type 7 of Hyndman & Fan).
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let at = p.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let low = at.floor() as usize;
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + (at - low as f64) * (sorted[high] - sorted[low])
}

fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    Some(
        (values
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>()
            / (n - 1.0))
            .sqrt(),
    )
}
