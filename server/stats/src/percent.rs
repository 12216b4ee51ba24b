//! Percent agreement, agreement within one step, positive and negative specific agreement.

use crate::ratings::{Ratings, Sample, rated};
use crate::result::{DropReason, Dropped, Estimate, Reason, Statistic, Undefined};
use crate::table::{Table, check_raters, dropped_pairs, listed};
use crate::wilson;

/// Observed agreement: the mean over items with at least two ratings of the share of agreeing pairs of raters.
///
/// `sum_k` `r_ik` (`r_ik` - 1) / (`r_i` (`r_i` - 1)); for two raters the share of equal pairs, with its Wilson interval. For more raters
/// this is not "all raters agree". Fleiss (1971), Psychol. Bull. 76:378-382.
///
/// # Errors
/// [`Reason::NoPairs`] when no item has two ratings.
///
/// ```
/// use stats::{Ratings, percent};
/// let rows = [vec![Some(1.0), Some(1.0)], vec![Some(1.0), Some(2.0)]];
/// let agreement = percent::agreement(&Ratings::from_numbers(&[1.0, 2.0], &rows)?).expect("two pairs");
/// assert_eq!(agreement.value, 0.5);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn agreement(ratings: &Ratings) -> Statistic {
    let sample = ratings.sample();
    let (n, dropped) = pairable(sample);
    let value =
        agreement_value(sample).map_err(|reason| Undefined::new(reason, n, dropped.clone()))?;
    let mut estimate = Estimate::plain(value, n, dropped);
    if ratings.n_raters() == 2 {
        let agreeing = sample
            .patterns()
            .filter(|(codes, _)| rated(codes).count() == 2 && codes[0] == codes[1])
            .map(|(_, count)| count)
            .sum();
        estimate.ci = wilson::interval(agreeing, n, 0.95);
    }
    Ok(estimate)
}

pub(crate) fn agreement_value(sample: Sample<'_>) -> Result<f64, Reason> {
    let (mut n, mut sum) = (0, 0.0);
    for (codes, count) in sample.patterns() {
        let r = rated(codes).count();
        if r >= 2 {
            let equal: usize = rated(codes)
                .map(|k| rated(codes).filter(|&l| l == k).count() - 1)
                .sum();
            sum += count as f64 * (equal as f64 / (r * (r - 1)) as f64);
            n += count;
        }
    }
    if n == 0 {
        Err(Reason::NoPairs)
    } else {
        Ok(sum / n as f64)
    }
}

/// Items with at least two ratings, and why the others are not among them.
pub(crate) fn pairable(sample: Sample<'_>) -> (u64, Vec<Dropped>) {
    let (mut none, mut single, mut n) = (0, 0, 0);
    for (codes, count) in sample.patterns() {
        match rated(codes).count() {
            0 => none += count,
            1 => single += count,
            _ => n += count,
        }
    }
    (
        n,
        listed(&[
            (DropReason::NoRating, none),
            (DropReason::SingleRating, single),
        ]),
    )
}

/// Share of pairs at most one unit apart: |a - b| <= 1 in values (words: positions), with its Wilson interval.
///
/// Half a point counts as within one.
///
/// # Errors
/// [`Reason::NoPairs`] when the raters share no item, [`Reason::TooFewRaters`] when one does not exist.
///
/// ```
/// use stats::{Ratings, percent};
/// let rows = [vec![Some(1.0), Some(2.0)], vec![Some(1.0), Some(3.0)]];
/// let scale = Ratings::from_numbers(&[1.0, 2.0, 3.0], &rows)?;
/// assert_eq!(percent::within_one(&scale, [0, 1]).expect("two pairs").value, 0.5);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn within_one(ratings: &Ratings, raters: [usize; 2]) -> Statistic {
    check_raters(ratings, raters)?;
    let table = Table::new(ratings.sample(), raters);
    let dropped = dropped_pairs(ratings.sample(), raters);
    let close = within_one_count(&table, ratings.categories().values());
    proportion(close, table.n, dropped, Reason::NoPairs)
}

fn within_one_count(table: &Table, values: &[f64]) -> u64 {
    // a hair above 1, so that 0.3 and 1.3 are one apart in spite of binary fractions
    table
        .cells
        .iter()
        .filter(|&&(k, l, _)| (values[k] - values[l]).abs() <= 1.0 + 1e-9)
        .map(|&(_, _, count)| count)
        .sum()
}

pub(crate) fn within_one_value(ratings: &Ratings, table: &Table) -> Result<f64, Reason> {
    if table.n == 0 {
        return Err(Reason::NoPairs);
    }
    Ok(within_one_count(table, ratings.categories().values()) as f64 / table.n as f64)
}

/// Positive specific agreement with a category: 2 a / (2 a + b + c), the chance that one rater says it when the other did.
///
/// For a binary scale the value of the other category is the negative specific agreement. Cicchetti & Feinstein (1990),
/// J. Clin. Epidemiol. 43:551-558.
///
/// # Errors
/// [`Reason::NoPairs`] when the raters share no item, [`Reason::ClassAbsent`] when neither used the category,
/// [`Reason::OutOfRange`] when there is no such category.
///
/// ```
/// use stats::{Ratings, percent};
/// let rows = [vec![Some("yes"), Some("yes")], vec![Some("yes"), Some("no")]];
/// let ratings = Ratings::from_words(&["no", "yes"], &rows)?;
/// let positive = percent::specific(&ratings, [0, 1], 1).expect("yes occurs");
/// assert!((positive.value - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn specific(ratings: &Ratings, raters: [usize; 2], category: usize) -> Statistic {
    check_raters(ratings, raters)?;
    if category >= ratings.categories().len() {
        return Err(Reason::OutOfRange.into());
    }
    let table = Table::new(ratings.sample(), raters);
    let dropped = dropped_pairs(ratings.sample(), raters);
    if table.n == 0 {
        return Err(Undefined::new(Reason::NoPairs, 0, dropped));
    }
    let both: u64 = table
        .cells
        .iter()
        .filter(|&&(k, l, _)| k == category && l == category)
        .map(|c| c.2)
        .sum();
    let either = table.rows[category] + table.columns[category];
    if either == 0 {
        return Err(Undefined::new(Reason::ClassAbsent, table.n, dropped));
    }
    Ok(Estimate::plain(
        2.0 * both as f64 / either as f64,
        table.n,
        dropped,
    ))
}

/// A share with its Wilson interval.
pub(crate) fn proportion(
    successes: u64,
    trials: u64,
    dropped: Vec<Dropped>,
    empty: Reason,
) -> Statistic {
    match wilson::interval(successes, trials, 0.95) {
        Ok(interval) => Ok(Estimate {
            ci: Ok(interval),
            ..Estimate::plain(successes as f64 / trials as f64, trials, dropped)
        }),
        Err(_) => Err(Undefined::new(empty, trials, dropped)),
    }
}
