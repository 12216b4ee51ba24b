//! Sample size for an interval of a given width, by simulation.

use crate::categories::Categories;
use crate::kappa;
use crate::ratings::{Ratings, RatingsBuilder};
use crate::result::Reason;
use crate::weights::Weights;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What is simulated: two raters who share the item's category with probability kappa and are independent otherwise.
///
/// ```
/// let plan = stats::sample_size::Width { shares: vec![0.3, 0.7], kappa: 0.6, weights: stats::Weights::Identity, runs: 50, seed: 1 };
/// assert!(stats::sample_size::width(&plan, 200).expect("valid") < stats::sample_size::width(&plan, 50).expect("valid"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Width {
    /// Shares of the categories, in order; they add up to 1.
    pub shares: Vec<f64>,
    /// The unweighted kappa that is expected.
    pub kappa: f64,
    /// Weights of the kappa whose interval is wanted.
    pub weights: Weights,
    /// Simulated studies per size.
    pub runs: u32,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Mean width of the 95 % interval over the simulated studies that have one.
///
/// # Errors
/// [`Reason::OutOfRange`] for shares that do not add up to 1, a kappa outside [0, 1), no runs or more than 10 million items;
/// [`Reason::NoResample`] when no simulated study has an interval.
///
/// ```
/// let plan = stats::sample_size::Width { shares: vec![0.5], kappa: 0.6, weights: stats::Weights::Identity, runs: 5, seed: 1 };
/// assert_eq!(stats::sample_size::width(&plan, 10), Err(stats::Reason::OutOfRange));
/// ```
pub fn width(plan: &Width, items: u64) -> Result<f64, Reason> {
    let total: f64 = plan.shares.iter().sum();
    let proper = plan.shares.iter().all(|&share| share >= 0.0) && (total - 1.0).abs() < 1e-9;
    if !proper || !(0.0..1.0).contains(&plan.kappa) || plan.runs == 0 || items > 10_000_000 {
        return Err(Reason::OutOfRange);
    }
    let (mut sum, mut defined) = (0.0, 0_u32);
    for run in 0..plan.runs {
        let ratings = simulate(plan, items, u64::from(run))?;
        if let Ok(interval) = kappa::kappa(&ratings, [0, 1], &plan.weights)
            .map_err(|undefined| undefined.reason)
            .and_then(|k| k.ci)
        {
            sum += interval.high - interval.low;
            defined += 1;
        }
    }
    if defined == 0 {
        Err(Reason::NoResample)
    } else {
        Ok(sum / f64::from(defined))
    }
}

/// The smallest number of items whose mean interval is at most so wide: doubling, then bisection.
///
/// # Errors
/// As [`width`]; [`Reason::OutOfRange`] when a million items are not enough or the width is not positive.
///
/// ```
/// let plan = stats::sample_size::Width { shares: vec![0.5, 0.5], kappa: 0.6, weights: stats::Weights::Identity, runs: 40, seed: 1 };
/// let items = stats::sample_size::items_for_width(&plan, 0.3).expect("reachable");
/// assert!((80..160).contains(&items)); // 4 z^2 (1 - 0.6^2) / 0.3^2 is 109
/// ```
pub fn items_for_width(plan: &Width, wanted: f64) -> Result<u64, Reason> {
    if wanted <= 0.0 || !wanted.is_finite() {
        return Err(Reason::OutOfRange);
    }
    // a size without any interval is too small
    let enough = |items: u64| match width(plan, items) {
        Ok(width) => Ok(width <= wanted),
        Err(Reason::NoResample) => Ok(false),
        Err(reason) => Err(reason),
    };
    let mut high = 8;
    while !enough(high)? {
        high *= 2;
        if high > 1_000_000 {
            return Err(Reason::OutOfRange);
        }
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = u64::midpoint(low, high);
        if enough(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

fn simulate(plan: &Width, items: u64, run: u64) -> Result<Ratings, Reason> {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(run);
    let mut uniform = || (random.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64);
    let labels: Vec<_> = (0..plan.shares.len()).map(|k| (k as f64).into()).collect();
    let categories = Categories::declared(&labels).map_err(|_| Reason::OutOfRange)?;
    let mut builder = RatingsBuilder::new(categories, 2);
    for _ in 0..items {
        let first = pick(&plan.shares, uniform());
        let second = if uniform() < plan.kappa {
            first
        } else {
            pick(&plan.shares, uniform())
        };
        builder
            .push(&[Some(first), Some(second)])
            .map_err(|_| Reason::OutOfRange)?;
    }
    Ok(builder.finish())
}

fn pick(shares: &[f64], mut u: f64) -> u32 {
    let last = shares.len() - 1;
    shares[..last]
        .iter()
        .position(|share| {
            u -= share;
            u < 0.0
        })
        .unwrap_or(last) as u32
}
