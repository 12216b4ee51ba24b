//! Cohen's kappa, unweighted and weighted, with both standard errors of Fleiss, Cohen and Everitt.

use crate::dist::{normal_two_sided, z_of};
use crate::ratings::{Ratings, Sample};
use crate::result::{Estimate, Interval, Method, Reason, Statistic, Undefined};
use crate::table::{Table, check_raters, dropped_pairs};
use crate::weights::{Distance, Weights};

/// A variance below this share of one is rounding noise of a variance that is exactly zero.
const ZERO_VARIANCE: f64 = 1e-15;
/// Beyond so many products of categories the null variance is not computed.
const MAX_PRODUCTS: usize = 1 << 26;

/// Weighted kappa of two raters: `(P_o - P_e) / (1 - P_e)`, `P_o = sum w_kl p_kl`, `P_e = sum w_kl p_k. p_.l`.
///
/// Items both rated enter. The interval is kappa +- z se, not clipped; z and p come from the standard error under chance
/// agreement. Cohen (1960), Educ. Psychol. Meas. 20:37-46; Cohen (1968), Psychol. Bull. 70:213-220; Fleiss, Cohen & Everitt
/// (1969), Psychol. Bull. 72:323-327.
///
/// # Errors
/// [`Reason::NoPairs`] without a shared item; [`Reason::NoVariation`] when both use one and the same category;
/// [`Reason::WeightsMismatch`] for weights of another size; [`Reason::TooFewRaters`] when a rater does not exist.
///
/// ```
/// use stats::{Ratings, Weights, kappa};
/// let a = [1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 2.0, 3.0, 4.0, 5.0];
/// let b = [1.0, 2.0, 3.0, 4.0, 4.0, 2.0, 2.0, 3.0, 5.0, 5.0];
/// let rows: Vec<_> = a.into_iter().zip(b).map(|(x, y)| vec![Some(x), Some(y)]).collect();
/// let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0, 4.0, 5.0], &rows)?;
/// let kappa = kappa::kappa(&ratings, [0, 1], &Weights::Quadratic).expect("the raters vary");
/// assert!((kappa.value - 34.0 / 37.0).abs() < 1e-14);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn kappa(ratings: &Ratings, raters: [usize; 2], weights: &Weights) -> Statistic {
    check_raters(ratings, raters)?;
    let table = Table::new(ratings.sample(), raters);
    let dropped = dropped_pairs(ratings.sample(), raters);
    let n = table.n;
    let parts = Distance::new(weights, ratings.categories())
        .and_then(|distance| Parts::new(&table, distance))
        .map_err(|reason| Undefined::new(reason, n, dropped.clone()))?;
    let mut estimate = Estimate::plain(parts.kappa, n, dropped);
    let constant = table.constant_rater();
    estimate.se = (!constant).then(|| parts.non_null_error(&table));
    estimate.se0 = if constant {
        None
    } else {
        parts.null_error(&table)
    };
    estimate.ci = match estimate.se {
        None => Err(Reason::ConstantRater),
        Some(_) if parts.observed <= 0.0 => Err(Reason::PerfectAgreement),
        Some(se) if se <= 0.0 => Err(Reason::ZeroStandardError),
        Some(se) => {
            let half = z_of(0.95) * se;
            Ok(Interval {
                low: parts.kappa - half,
                high: parts.kappa + half,
                method: Method::Wald,
            })
        }
    };
    estimate.z = estimate
        .se0
        .filter(|&se0| se0 > 0.0)
        .map(|se0| parts.kappa / se0);
    estimate.p = estimate.z.map(normal_two_sided);
    Ok(estimate)
}

/// Agreement expected by chance, `P_e`.
///
/// # Errors
/// As [`kappa`], except that a lack of variation does not matter.
///
/// ```
/// use stats::{Ratings, Weights, kappa};
/// let rows = [vec![Some(1.0), Some(1.0)], vec![Some(2.0), Some(1.0)]];
/// let ratings = Ratings::from_numbers(&[1.0, 2.0], &rows)?;
/// assert_eq!(kappa::expected_agreement(&ratings, [0, 1], &Weights::Identity), Ok(0.5));
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn expected_agreement(
    ratings: &Ratings,
    raters: [usize; 2],
    weights: &Weights,
) -> Result<f64, Reason> {
    check_raters(ratings, raters)?;
    let table = Table::new(ratings.sample(), raters);
    let distance = Distance::new(weights, ratings.categories())?;
    if table.n == 0 {
        return Err(Reason::NoPairs);
    }
    Ok(1.0
        - dot(
            &table.row_shares(),
            &distance.towards(&table.column_shares()),
        ))
}

/// The largest unweighted kappa that the margins allow: `(sum min(p_k., p_.k) - P_e) / (1 - P_e)`. Cohen (1960).
///
/// # Errors
/// As [`kappa`].
///
/// ```
/// use stats::{Ratings, kappa};
/// let rows = [vec![Some(1.0), Some(1.0)], vec![Some(2.0), Some(2.0)]];
/// assert_eq!(kappa::maximum(&Ratings::from_numbers(&[1.0, 2.0], &rows)?, [0, 1]), Ok(1.0));
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn maximum(ratings: &Ratings, raters: [usize; 2]) -> Result<f64, Reason> {
    check_raters(ratings, raters)?;
    let table = Table::new(ratings.sample(), raters);
    let parts = Parts::new(
        &table,
        Distance::new(&Weights::Identity, ratings.categories())?,
    )?;
    let most: u64 = table
        .rows
        .iter()
        .zip(&table.columns)
        .map(|(a, b)| a.min(b))
        .sum();
    let unavoidable = 1.0 - most as f64 / table.n as f64;
    Ok(1.0 - unavoidable / parts.expected)
}

pub(crate) fn value(
    sample: Sample<'_>,
    raters: [usize; 2],
    weights: &Weights,
) -> Result<f64, Reason> {
    check_raters(sample.ratings, raters)?;
    Parts::new(
        &Table::new(sample, raters),
        Distance::new(weights, sample.ratings.categories())?,
    )
    .map(|parts| parts.kappa)
}

/// Observed and expected disagreement, and what the variances need.
struct Parts<'a> {
    distance: Distance<'a>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    /// Sum over l of `d_kl p_.l`, and over k of `d_kl p_k.`
    towards_columns: Vec<f64>,
    towards_rows: Vec<f64>,
    observed: f64,
    expected: f64,
    kappa: f64,
}

impl<'a> Parts<'a> {
    fn new(table: &Table, distance: Distance<'a>) -> Result<Self, Reason> {
        if table.n == 0 {
            return Err(Reason::NoPairs);
        }
        let (rows, columns) = (table.row_shares(), table.column_shares());
        let towards_columns = distance.towards(&columns);
        let towards_rows = distance.from(&rows);
        let expected = dot(&rows, &towards_columns);
        let observed = table
            .cells
            .iter()
            .map(|&(k, l, count)| count as f64 * distance.between(k, l))
            .sum::<f64>()
            / table.n as f64;
        let one_category = table
            .cells
            .iter()
            .all(|&(k, l, _)| (k, l) == (table.cells[0].0, table.cells[0].0));
        if one_category || expected <= 0.0 {
            return Err(Reason::NoVariation);
        }
        Ok(Self {
            kappa: 1.0 - observed / expected,
            distance,
            rows,
            columns,
            towards_columns,
            towards_rows,
            observed,
            expected,
        })
    }

    /// In disagreements, `w_kl - (W_k. + W_.l)(1 - kappa)` is `-d_kl + (D_k. + D_.l)(1 - kappa)` but for a constant, and the
    /// variance does not see the constant; it is summed around its mean.
    fn non_null_error(&self, table: &Table) -> f64 {
        let rest = 1.0 - self.kappa;
        let deviation = |k: usize, l: usize| {
            (self.towards_columns[k] + self.towards_rows[l]) * rest - self.distance.between(k, l)
        };
        let n = table.n as f64;
        let mean = table
            .cells
            .iter()
            .map(|&(k, l, count)| count as f64 * deviation(k, l))
            .sum::<f64>()
            / n;
        let variance = table
            .cells
            .iter()
            .map(|&(k, l, count)| count as f64 * (deviation(k, l) - mean).powi(2))
            .sum::<f64>()
            / n;
        self.error(variance, n)
    }

    fn null_error(&self, table: &Table) -> Option<f64> {
        let used = |shares: &[f64]| {
            (0..shares.len())
                .filter(|&k| shares[k] > 0.0)
                .collect::<Vec<_>>()
        };
        let (rows, columns) = (used(&self.rows), used(&self.columns));
        if rows.len() * columns.len() > MAX_PRODUCTS {
            return None;
        }
        let mut variance = 0.0;
        for &k in &rows {
            for &l in &columns {
                // the mean of this quantity under independence is P_e, here in disagreements
                let deviation = self.towards_columns[k] + self.towards_rows[l]
                    - self.distance.between(k, l)
                    - self.expected;
                variance += self.rows[k] * self.columns[l] * deviation * deviation;
            }
        }
        Some(self.error(variance, table.n as f64))
    }

    fn error(&self, variance: f64, n: f64) -> f64 {
        if variance < ZERO_VARIANCE {
            0.0
        } else {
            (variance / n).sqrt() / self.expected
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
