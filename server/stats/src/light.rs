//! All pairwise kappas and their mean, Light's kappa.

use crate::kappa;
use crate::ratings::{Ratings, Sample};
use crate::result::{Estimate, Reason, Statistic, Undefined};
use crate::weights::Weights;

/// The kappa of one pair of raters.
///
/// ```
/// let ratings = stats::Ratings::from_numbers(&[1.0, 2.0], &[vec![Some(1.0), Some(1.0)], vec![Some(2.0), Some(2.0)]])?;
/// let pairs = stats::light::pairwise(&ratings, &stats::Weights::Identity);
/// assert_eq!(pairs[0].raters, [0, 1]);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PairKappa {
    /// The two raters, counted from 0.
    pub raters: [usize; 2],
    /// Their kappa.
    pub kappa: Statistic,
}

/// Cohen's kappa of every pair of raters, each over the items both rated.
///
/// ```
/// let rows = [vec![Some(1.0), Some(1.0), None], vec![Some(2.0), Some(2.0), None]];
/// let ratings = stats::Ratings::from_numbers(&[1.0, 2.0], &rows)?;
/// assert_eq!(stats::light::pairwise(&ratings, &stats::Weights::Identity).len(), 3);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn pairwise(ratings: &Ratings, weights: &Weights) -> Vec<PairKappa> {
    pairs(ratings.n_raters())
        .map(|raters| PairKappa {
            raters,
            kappa: kappa::kappa(ratings, raters, weights),
        })
        .collect()
}

/// Light's kappa: the mean over the pairs of raters that have a kappa. `n_units` counts those pairs.
///
/// Light (1971), Psychol. Bull. 76:365-377.
///
/// # Errors
/// [`Reason::TooFewRaters`] below two raters; [`Reason::NoPairs`] when no pair has a kappa.
///
/// ```
/// let rows = [vec![Some(1.0), Some(1.0), None], vec![Some(2.0), Some(2.0), None]];
/// let ratings = stats::Ratings::from_numbers(&[1.0, 2.0], &rows)?;
/// let light = stats::light::kappa(&ratings, &stats::Weights::Identity).expect("one pair");
/// assert_eq!((light.value, light.n_units), (1.0, 1));
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn kappa(ratings: &Ratings, weights: &Weights) -> Statistic {
    let sample = ratings.sample();
    let (value, defined) = mean(sample, weights);
    match value {
        Ok(value) => Ok(Estimate::plain(value, defined, Vec::new())),
        Err(reason) => Err(Undefined::new(reason, 0, Vec::new())),
    }
}

pub(crate) fn value(sample: Sample<'_>, weights: &Weights) -> Result<f64, Reason> {
    mean(sample, weights).0
}

fn mean(sample: Sample<'_>, weights: &Weights) -> (Result<f64, Reason>, u64) {
    if sample.ratings.n_raters() < 2 {
        return (Err(Reason::TooFewRaters), 0);
    }
    let mut first_reason = None;
    let mut defined = Vec::new();
    for raters in pairs(sample.ratings.n_raters()) {
        match kappa::value(sample, raters, weights) {
            Ok(value) => defined.push(value),
            Err(reason) => first_reason = first_reason.or(Some(reason)),
        }
    }
    let n = defined.len();
    if n == 0 {
        return (Err(first_reason.unwrap_or(Reason::NoPairs)), 0);
    }
    (Ok(defined.iter().sum::<f64>() / n as f64), n as u64)
}

pub(crate) fn pairs(raters: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..raters).flat_map(move |i| (i + 1..raters).map(move |j| [i, j]))
}
