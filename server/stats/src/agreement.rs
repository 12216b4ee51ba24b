//! Everything there is to say about a matrix of ratings, by name.

use crate::categories::Scale;
use crate::coefficient::Coefficient;
use crate::ratings::Ratings;
use crate::result::Statistic;

/// A statistic with its name in files.
///
/// ```
/// let ratings = stats::Ratings::from_numbers(&[1.0, 2.0], &[vec![Some(1.0), Some(2.0)]])?;
/// let report = stats::agreement::report(&ratings, stats::Scale::Nominal);
/// assert_eq!(report[0].coefficient.name(), "percent_agreement");
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Which coefficient.
    pub coefficient: Coefficient,
    /// Its value, or why there is none.
    pub statistic: Statistic,
}

/// The coefficients that fit the scale and the number of raters, computed.
///
/// ```
/// use stats::{Coefficient, Ratings, Scale, agreement};
/// let rows = [vec![Some("a"), Some("a")], vec![Some("b"), Some("a")]];
/// let report = agreement::report(&Ratings::from_words(&["a", "b"], &rows)?, Scale::Nominal);
/// assert!(report.iter().any(|named| named.coefficient == Coefficient::Kappa));
/// assert!(report.iter().all(|named| named.coefficient != Coefficient::KappaLinear));
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn report(ratings: &Ratings, scale: Scale) -> Vec<Named> {
    fitting(ratings, scale)
        .into_iter()
        .map(|coefficient| Named {
            coefficient,
            statistic: coefficient.compute(ratings),
        })
        .collect()
}

/// The coefficients that make sense for the scale, the kind of categories and the number of raters.
///
/// Words on an ordinal scale are ordered but have no distances in units, so coefficients that need numbers are left out; PABAK
/// needs two categories; Light's kappa more than two raters.
///
/// ```
/// use stats::{Coefficient, Ratings, Scale, agreement};
/// let words = Ratings::from_words(&["low", "high"], &[vec![Some("low"), Some("high")]])?;
/// let names = agreement::fitting(&words, Scale::Ordinal);
/// assert!(names.contains(&Coefficient::AlphaOrdinal) && !names.contains(&Coefficient::AlphaInterval));
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn fitting(ratings: &Ratings, scale: Scale) -> Vec<Coefficient> {
    Coefficient::ALL
        .into_iter()
        .filter(|&coefficient| fits(coefficient, ratings, scale))
        .collect()
}

fn fits(coefficient: Coefficient, ratings: &Ratings, scale: Scale) -> bool {
    use Coefficient as C;
    let two = ratings.n_raters() == 2;
    let ordered = scale >= Scale::Ordinal;
    let numbers = ordered && ratings.categories().is_numeric();
    match coefficient {
        C::PercentAgreement
        | C::FleissKappa
        | C::CongerKappa
        | C::AlphaNominal
        | C::GwetAc1
        | C::BrennanPrediger => true,
        C::Kappa | C::ScottPi => two,
        C::LightKappa => ratings.n_raters() > 2,
        C::LightKappaQuadratic => ratings.n_raters() > 2 && ordered,
        C::Within1Agreement | C::KappaLinear | C::KappaQuadratic | C::KendallTauB | C::Spearman => {
            two && ordered
        }
        C::AlphaOrdinal
        | C::GwetAc2Linear
        | C::GwetAc2Quadratic
        | C::BrennanPredigerLinear
        | C::BrennanPredigerQuadratic => ordered,
        C::Mae | C::Bias => two && numbers,
        C::AlphaInterval | C::AlphaRatio | C::Icc(_) => numbers,
        C::Pabak => ratings.categories().len() == 2,
    }
}
