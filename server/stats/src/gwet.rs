//! Gwet's AC1 and AC2.

use crate::categories::Categories;
use crate::linearised::{self, Chance};
use crate::ratings::{Ratings, Sample};
use crate::result::{Reason, Statistic};
use crate::weights::{Distance, Weights};

/// Gwet's AC1 (identity weights) or AC2: (`P_a` - `P_e)/(1` - `P_e`) with `P_e` = T_w/(q(q-1)) sum `pi_k` (1 - `pi_k`).
///
/// q is the number of declared categories and `T_w` the sum of all weights. Linearised standard error, t interval with n - 1
/// degrees of freedom, upper bound clipped at 1. A high AC1 beside a low kappa is no proof of quality: show the prevalence.
/// Gwet (2008), Br. J. Math. Stat. Psychol. 61:29-48; Gwet (2014), Handbook of Inter-Rater Reliability.
///
/// # Errors
/// [`Reason::NoPairs`] when no item has two ratings, [`Reason::SingleCategory`] when the scale has one category.
///
/// ```
/// use stats::{Ratings, Weights, gwet};
/// let same = Ratings::from_numbers(&[1.0, 2.0], &[vec![Some(2.0), Some(2.0)]])?;
/// assert_eq!(gwet::ac(&same, &Weights::Identity).expect("declared scale has two").value, 1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn ac(ratings: &Ratings, weights: &Weights) -> Statistic {
    linearised::estimate(ratings.sample(), weights, chance)
}

pub(crate) fn value(sample: Sample<'_>, weights: &Weights) -> Result<f64, Reason> {
    linearised::value(sample, weights, chance)
}

fn chance(categories: &Categories, distance: &Distance<'_>, pi: &[f64]) -> Result<Chance, Reason> {
    let q = categories.len() as f64;
    if categories.len() < 2 {
        return Err(Reason::SingleCategory);
    }
    let scale = distance.total_weight() / (q * (q - 1.0));
    let expected = scale * pi.iter().map(|share| share * (1.0 - share)).sum::<f64>();
    Ok(Chance {
        disagreement: 1.0 - expected,
        per_category: Some(pi.iter().map(|share| scale * (1.0 - share)).collect()),
    })
}
