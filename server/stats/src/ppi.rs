//! Prediction-powered inference for means and proportions.

use crate::dist::z_of;
use crate::result::{Interval, Method, Reason};

/// An estimate with its standard error and Wald interval, not clipped to the scale.
///
/// ```
/// let ppi = stats::ppi::mean(&[1.0, 0.0], &[1.0, 0.0], &[1.0, 0.0, 0.0], 0.95).expect("two gold labels");
/// assert_eq!(ppi.classical.value, 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inferred {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub se: f64,
    /// Its interval.
    pub ci: Interval,
}

/// A mean by three routes, and from the judge alone.
///
/// ```
/// let ppi = stats::ppi::mean(&[1.0, 0.0], &[1.0, 0.0], &[1.0, 0.0, 0.0], 0.95).expect("two gold labels");
/// assert_eq!((ppi.n_gold, ppi.n_unlabelled), (2, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PpiMean {
    /// Items with a gold label.
    pub n_gold: u64,
    /// Items with a judge value only.
    pub n_unlabelled: u64,
    /// Mean of the judge on the unlabelled items: biased by whatever the judge does wrong.
    pub naive: f64,
    /// Mean of the gold labels alone.
    pub classical: Inferred,
    /// Prediction-powered, lambda = 1; it can be wider than the classical interval.
    pub ppi: Inferred,
    /// Power-tuned weight of the judge, between 0 and 1.
    pub lambda: f64,
    /// Prediction-powered with that weight (PPI++).
    pub ppi_pp: Inferred,
}

/// Prediction-powered inference for a mean (of 0 and 1: a proportion).
///
/// theta = lambda mean(f unlabelled) + mean(y - lambda f), se^2 = lambda^2 var(f unlabelled)/N + var(y - lambda f)/n, variances
/// with 1/n. PPI++ takes lambda = cov(y, f) / ((1 + n/N) var(f pooled)), clipped to [0, 1]; 0 for a constant judge. The gold items
/// must be a random part of all items. Angelopoulos et al. (2023), Science 382:669-674; Angelopoulos, Duchi & Zrnic (2023), PPI++.
///
/// # Errors
/// [`Reason::NoItems`] without gold or unlabelled items, [`Reason::OutOfRange`] when gold and judge differ in length, a value is not
/// finite or the confidence is outside (0, 1).
///
/// ```
/// let gold = [1.0, 0.0, 1.0, 1.0];
/// let judge = [1.0, 0.0, 1.0, 0.0];
/// let ppi = stats::ppi::mean(&gold, &judge, &[1.0, 0.0, 1.0, 0.0, 1.0, 0.0], 0.95).expect("enough");
/// assert_eq!(ppi.ppi.value, 0.75); // judge alone 0.5, corrected by the mean gold - judge of 0.25
/// ```
pub fn mean(
    gold: &[f64],
    judge: &[f64],
    unlabelled: &[f64],
    confidence: f64,
) -> Result<PpiMean, Reason> {
    let finite = [gold, judge, unlabelled]
        .into_iter()
        .flatten()
        .all(|x| x.is_finite());
    if gold.len() != judge.len() || !finite || !(confidence > 0.0 && confidence < 1.0) {
        return Err(Reason::OutOfRange);
    }
    if gold.is_empty() || unlabelled.is_empty() {
        return Err(Reason::NoItems);
    }
    let z = z_of(confidence);
    let lambda = tuned(gold, judge, unlabelled);
    let powered = |lambda: f64| {
        let (_, spread) = moments(unlabelled);
        let rest: Vec<f64> = gold
            .iter()
            .zip(judge)
            .map(|(y, f)| y - lambda * f)
            .collect();
        let (rectifier, rest_spread) = moments(&rest);
        let variance =
            lambda * lambda * spread / unlabelled.len() as f64 + rest_spread / gold.len() as f64;
        Inferred::new(
            lambda * moments(unlabelled).0 + rectifier,
            variance.sqrt(),
            z,
        )
    };
    let (own, spread) = moments(gold);
    Ok(PpiMean {
        n_gold: gold.len() as u64,
        n_unlabelled: unlabelled.len() as u64,
        naive: moments(unlabelled).0,
        classical: Inferred::new(own, (spread / gold.len() as f64).sqrt(), z),
        ppi: powered(1.0),
        lambda,
        ppi_pp: powered(lambda),
    })
}

/// The difference of two independent groups, second minus first, by the same route in both.
///
/// ```
/// let calm = stats::ppi::mean(&[0.0, 1.0], &[0.0, 1.0], &[0.0, 1.0], 0.95).expect("enough");
/// let acute = stats::ppi::mean(&[1.0, 1.0], &[1.0, 0.0], &[1.0, 0.0], 0.95).expect("enough");
/// let difference = stats::ppi::difference(&calm.classical, &acute.classical, 0.95);
/// assert_eq!(difference.value, 0.5);
/// ```
pub fn difference(first: &Inferred, second: &Inferred, confidence: f64) -> Inferred {
    Inferred::new(
        second.value - first.value,
        first.se.hypot(second.se),
        z_of(confidence),
    )
}

impl Inferred {
    fn new(value: f64, se: f64, z: f64) -> Self {
        Self {
            value,
            se,
            ci: Interval {
                low: value - z * se,
                high: value + z * se,
                method: Method::Wald,
            },
        }
    }
}

/// Mean and variance with 1/n.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (
        mean,
        values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n,
    )
}

fn tuned(gold: &[f64], judge: &[f64], unlabelled: &[f64]) -> f64 {
    let n = gold.len() as f64;
    let ((y, _), (f, _)) = (moments(gold), moments(judge));
    let covariance = gold
        .iter()
        .zip(judge)
        .map(|(a, b)| (a - y) * (b - f))
        .sum::<f64>()
        / n;
    let pooled: Vec<f64> = judge.iter().chain(unlabelled).copied().collect();
    let (_, spread) = moments(&pooled);
    let variance = spread * pooled.len() as f64 / (pooled.len() - 1) as f64;
    let denominator = (1.0 + n / unlabelled.len() as f64) * variance;
    if denominator > 0.0 {
        (covariance / denominator).clamp(0.0, 1.0)
    } else {
        0.0
    }
}
