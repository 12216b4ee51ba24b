//! Conger's kappa: Cohen's kappa for any number of raters.

use crate::percent::{agreement_value, pairable};
use crate::ratings::{MISSING, Ratings, Sample};
use crate::result::{Estimate, Reason, Statistic, Undefined};

/// Conger's kappa, with chance agreement the mean over pairs of raters of `sum_k p_gk p_hk`.
///
/// `p_gk` is the share of category k among all ratings of rater g. Two raters without missing ratings: Cohen's kappa. For an
/// interval use the bootstrap over items. Conger (1980), Psychol. Bull. 88:322-328.
///
/// # Errors
/// [`Reason::NoPairs`] when no item has two ratings, [`Reason::EmptyRater`] when a rater rated nothing,
/// [`Reason::NoVariation`] when one category was used.
///
/// ```
/// use stats::{Ratings, conger};
/// let rows = [vec![Some("a"), Some("b")], vec![Some("b"), Some("b")]];
/// assert_eq!(conger::kappa(&Ratings::from_words(&["a", "b"], &rows)?).expect("varies").value, 0.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn kappa(ratings: &Ratings) -> Statistic {
    let (n, dropped) = pairable(ratings.sample());
    match value(ratings.sample()) {
        Ok(value) => Ok(Estimate::plain(value, n, dropped)),
        Err(reason) => Err(Undefined::new(reason, n, dropped)),
    }
}

pub(crate) fn value(sample: Sample<'_>) -> Result<f64, Reason> {
    let observed = agreement_value(sample)?;
    let (raters, q) = (sample.ratings.n_raters(), sample.ratings.categories().len());
    let mut counts = vec![0_u64; raters * q];
    for (codes, count) in sample.patterns() {
        for (rater, &code) in codes.iter().enumerate() {
            if code != MISSING {
                counts[rater * q + code as usize] += count;
            }
        }
    }
    let mut share = vec![0.0; raters * q];
    for rater in 0..raters {
        let own = rater * q..(rater + 1) * q;
        let total: u64 = counts[own.clone()].iter().sum();
        if total == 0 {
            return Err(Reason::EmptyRater);
        }
        share[own.clone()]
            .iter_mut()
            .zip(&counts[own])
            .for_each(|(share, &count)| *share = count as f64 / total as f64);
    }
    let used = (0..q)
        .filter(|k| (0..raters).any(|rater| counts[rater * q + k] > 0))
        .count();
    if used < 2 {
        return Err(Reason::NoVariation);
    }
    // sum over pairs of p_g p_h, from the square of the sum
    let agreement: f64 = (0..q)
        .map(|k| {
            let column = (0..raters).map(|rater| share[rater * q + k]);
            let sum: f64 = column.clone().sum();
            sum * sum - column.map(|p| p * p).sum::<f64>()
        })
        .sum();
    let expected = agreement / (raters * (raters - 1)) as f64;
    Ok((observed - expected) / (1.0 - expected))
}
