//! Fleiss' kappa with missing ratings, and Scott's pi.

use crate::categories::Categories;
use crate::dist::normal_two_sided;
use crate::linearised::{self, Chance, prevalence};
use crate::ratings::{Ratings, Sample, rated};
use crate::result::{Estimate, Reason, Statistic, Undefined};
use crate::table::{Table, check_raters, dropped_pairs};
use crate::weights::{Distance, Weights};

/// Fleiss' kappa: `P_a` is the mean agreement of pairs within items, `P_e = sum pi_k^2`, `pi_k` the mean over rated items of `r_ik/r_i`.
///
/// With complete data the classical value. The standard error and interval (t, n - 1 degrees of freedom) are Gwet's; with
/// complete data the null standard error and z are those of Fleiss, Nee & Landis (1979). With two raters this is Scott's pi, not
/// Cohen's kappa. Fleiss (1971), Psychol. Bull. 76:378-382; Fleiss, Nee & Landis (1979), Psychol. Bull. 86:974-977.
///
/// # Errors
/// [`Reason::NoPairs`] when no item has two ratings, [`Reason::NoVariation`] when one category was used.
///
/// ```
/// use stats::{Ratings, fleiss};
/// let rows = [vec![Some("a"); 3], vec![Some("b"); 3]];
/// assert_eq!(fleiss::kappa(&Ratings::from_words(&["a", "b"], &rows)?).expect("varies").value, 1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn kappa(ratings: &Ratings) -> Statistic {
    let sample = ratings.sample();
    let mut estimate = linearised::estimate(sample, &Weights::Identity, chance)?;
    if let Some(se0) = null_error(sample) {
        estimate.se0 = Some(se0);
        estimate.z = Some(estimate.value / se0);
    }
    Ok(estimate)
}

pub(crate) fn value(sample: Sample<'_>) -> Result<f64, Reason> {
    linearised::value(sample, &Weights::Identity, chance)
}

fn chance(_: &Categories, _: &Distance<'_>, pi: &[f64]) -> Result<Chance, Reason> {
    if pi.iter().filter(|&&share| share > 0.0).count() < 2 {
        return Err(Reason::NoVariation);
    }
    let disagreement = pi.iter().map(|share| share * (1.0 - share)).sum();
    Ok(Chance {
        disagreement,
        per_category: Some(pi.to_vec()),
    })
}

/// sqrt(2 [S^2 - sum pi(1-pi)(1-2pi)] / [S^2 n r (r-1)]), S = sum pi(1-pi), when every rated item has all ratings.
fn null_error(sample: Sample<'_>) -> Option<f64> {
    let r = sample.ratings.n_raters();
    if sample
        .patterns()
        .any(|(codes, _)| !matches!(rated(codes).count(), c if c == 0 || c == r))
    {
        return None;
    }
    let (pi, n) = prevalence(sample);
    let s: f64 = pi.iter().map(|p| p * (1.0 - p)).sum();
    let skew: f64 = pi.iter().map(|p| p * (1.0 - p) * (1.0 - 2.0 * p)).sum();
    let variance = 2.0 * (s * s - skew) / (s * s * n as f64 * (r * (r - 1)) as f64);
    (variance > 0.0).then(|| variance.sqrt())
}

/// Scott's pi of two raters: chance agreement from the mean of their margins, `P_e = sum ((p_k. + p_.k)/2)^2`.
///
/// Items both rated enter. The null standard error is that of Fleiss, Nee & Landis for two ratings an item. Scott (1955), Public
/// Opin. Q. 19:321-325.
///
/// # Errors
/// [`Reason::NoPairs`] when the raters share no item, [`Reason::NoVariation`] when they used one category.
///
/// ```
/// use stats::{Ratings, fleiss};
/// let rows = [vec![Some("a"), Some("b")], vec![Some("b"), Some("b")]];
/// let pi = fleiss::scott_pi(&Ratings::from_words(&["a", "b"], &rows)?, [0, 1]).expect("varies");
/// assert!((pi.value + 1.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn scott_pi(ratings: &Ratings, raters: [usize; 2]) -> Statistic {
    check_raters(ratings, raters)?;
    let table = Table::new(ratings.sample(), raters);
    let dropped = dropped_pairs(ratings.sample(), raters);
    let pi = margins(&table);
    match scott_value(&table) {
        Err(reason) => Err(Undefined::new(reason, table.n, dropped)),
        Ok(value) => {
            let s: f64 = pi.iter().map(|p| p * (1.0 - p)).sum();
            let skew: f64 = pi.iter().map(|p| p * (1.0 - p) * (1.0 - 2.0 * p)).sum();
            let variance = (s * s - skew) / (s * s * table.n as f64);
            let mut estimate = Estimate::plain(value, table.n, dropped);
            estimate.se0 = (variance > 0.0).then(|| variance.sqrt());
            estimate.z = estimate.se0.map(|se0| value / se0);
            estimate.p = estimate.z.map(normal_two_sided);
            Ok(estimate)
        }
    }
}

fn margins(table: &Table) -> Vec<f64> {
    let n = 2.0 * table.n.max(1) as f64;
    table
        .rows
        .iter()
        .zip(&table.columns)
        .map(|(&a, &b)| (a + b) as f64 / n)
        .collect()
}

pub(crate) fn scott_value(table: &Table) -> Result<f64, Reason> {
    if table.n == 0 {
        return Err(Reason::NoPairs);
    }
    let pi = margins(table);
    if pi.iter().filter(|&&share| share > 0.0).count() < 2 {
        return Err(Reason::NoVariation);
    }
    let expected: f64 = pi.iter().map(|share| share * (1.0 - share)).sum();
    let differing: u64 = table
        .cells
        .iter()
        .filter(|&&(k, l, _)| k != l)
        .map(|c| c.2)
        .sum();
    Ok(1.0 - differing as f64 / table.n as f64 / expected)
}
