//! Brennan-Prediger's coefficient and PABAK.

use crate::categories::Categories;
use crate::linearised::{self, Chance};
use crate::ratings::{Ratings, Sample};
use crate::result::{Reason, Statistic, Undefined};
use crate::weights::{Distance, Weights};

/// Brennan-Prediger: chance agreement `P_e` = `T_w/q^2`, 1/q without weights; q is the number of declared categories.
///
/// Standard error, interval and p as for Gwet's coefficients. Brennan & Prediger (1981), Educ. Psychol. Meas. 41:687-699.
///
/// # Errors
/// [`Reason::NoPairs`] when no item has two ratings, [`Reason::SingleCategory`] when the scale has one category.
///
/// ```
/// use stats::{Ratings, Weights, brennan_prediger};
/// let rows = [vec![Some(1.0), Some(1.0)], vec![Some(1.0), Some(2.0)]];
/// let ratings = Ratings::from_numbers(&[1.0, 2.0], &rows)?;
/// assert_eq!(brennan_prediger::coefficient(&ratings, &Weights::Identity).expect("two classes").value, 0.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn coefficient(ratings: &Ratings, weights: &Weights) -> Statistic {
    linearised::estimate(ratings.sample(), weights, chance)
}

/// Prevalence- and bias-adjusted kappa, 2 `p_o` - 1, for two categories; equal to Brennan-Prediger there.
///
/// Byrt, Bishop & Carlin (1993), J. Clin. Epidemiol. 46:423-429.
///
/// # Errors
/// [`Reason::NotBinary`] unless the scale has two categories; otherwise as [`coefficient`].
///
/// ```
/// use stats::{Ratings, brennan_prediger};
/// let ratings = Ratings::from_words(&["no", "yes"], &[vec![Some("no"), Some("no")]])?;
/// assert_eq!(brennan_prediger::pabak(&ratings).expect("binary").value, 1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn pabak(ratings: &Ratings) -> Statistic {
    if ratings.categories().len() == 2 {
        return coefficient(ratings, &Weights::Identity);
    }
    let (n, dropped) = crate::percent::pairable(ratings.sample());
    Err(Undefined::new(Reason::NotBinary, n, dropped))
}

pub(crate) fn value(sample: Sample<'_>, weights: &Weights) -> Result<f64, Reason> {
    linearised::value(sample, weights, chance)
}

fn chance(categories: &Categories, distance: &Distance<'_>, _: &[f64]) -> Result<Chance, Reason> {
    let q = categories.len() as f64;
    if categories.len() < 2 {
        return Err(Reason::SingleCategory);
    }
    Ok(Chance {
        disagreement: 1.0 - distance.total_weight() / (q * q),
        per_category: None,
    })
}
