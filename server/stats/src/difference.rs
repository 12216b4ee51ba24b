//! Differences between two raters in value units: mean absolute error, bias, Bland-Altman limits.

use crate::ratings::{Ratings, Sample};
use crate::result::{Dropped, Estimate, Interval, Method, Reason, Statistic, Undefined};
use crate::table::{Table, check_raters, dropped_pairs};

/// Mean absolute difference |b - a| of two raters.
///
/// # Errors
/// [`Reason::NotNumeric`] for words, [`Reason::NoPairs`] when the raters share no item.
///
/// ```
/// use stats::{Ratings, difference};
/// let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0], &[vec![Some(1.0), Some(3.0)], vec![Some(2.0), Some(2.0)]])?;
/// assert_eq!(difference::mean_absolute(&ratings, [0, 1]).expect("numbers").value, 1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn mean_absolute(ratings: &Ratings, raters: [usize; 2]) -> Statistic {
    let (table, dropped) = prepare(ratings, raters)?;
    let value = mean(ratings, &table, |a, b| (b - a).abs());
    Ok(Estimate::plain(value, table.n, dropped))
}

/// Mean signed difference, second rater minus first: positive when the second gives higher values.
///
/// # Errors
/// As [`mean_absolute`].
///
/// ```
/// use stats::{Ratings, difference};
/// let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0], &[vec![Some(1.0), Some(3.0)], vec![Some(2.0), Some(2.0)]])?;
/// assert_eq!(difference::bias(&ratings, [0, 1]).expect("numbers").value, 1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn bias(ratings: &Ratings, raters: [usize; 2]) -> Statistic {
    let (table, dropped) = prepare(ratings, raters)?;
    let value = mean(ratings, &table, |a, b| b - a);
    Ok(Estimate::plain(value, table.n, dropped))
}

/// The Bland-Altman summary: the bias as value, the standard deviation of the differences (n - 1) as `se`, and the limits of
/// agreement, bias +- 1.96 SD, as interval. The differences are second rater minus first.
///
/// Bland & Altman (1986), Lancet 1:307-310.
///
/// # Errors
/// As [`mean_absolute`]; [`Reason::TooFewItems`] below two pairs.
///
/// ```
/// use stats::{Ratings, difference};
/// let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0], &[vec![Some(1.0), Some(3.0)], vec![Some(2.0), Some(2.0)]])?;
/// let limits = difference::bland_altman(&ratings, [0, 1]).expect("two pairs");
/// assert_eq!(limits.se, Some(2.0_f64.sqrt()));
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn bland_altman(ratings: &Ratings, raters: [usize; 2]) -> Statistic {
    let (table, dropped) = prepare(ratings, raters)?;
    if table.n < 2 {
        return Err(Undefined::new(Reason::TooFewItems, table.n, dropped));
    }
    let bias = mean(ratings, &table, |a, b| b - a);
    let variance = mean(ratings, &table, |a, b| (b - a - bias).powi(2)) * table.n as f64
        / (table.n - 1) as f64;
    let sd = variance.sqrt();
    let mut estimate = Estimate::plain(bias, table.n, dropped);
    estimate.se = Some(sd);
    estimate.ci = Ok(Interval {
        low: bias - 1.96 * sd,
        high: bias + 1.96 * sd,
        method: Method::LimitsOfAgreement,
    });
    Ok(estimate)
}

fn prepare(ratings: &Ratings, raters: [usize; 2]) -> Result<(Table, Vec<Dropped>), Undefined> {
    check_raters(ratings, raters)?;
    let table = Table::new(ratings.sample(), raters);
    let dropped = dropped_pairs(ratings.sample(), raters);
    if table.n == 0 {
        return Err(Undefined::new(Reason::NoPairs, 0, dropped));
    }
    if !ratings.categories().is_numeric() {
        return Err(Undefined::new(Reason::NotNumeric, table.n, dropped));
    }
    Ok((table, dropped))
}

fn mean(ratings: &Ratings, table: &Table, f: impl Fn(f64, f64) -> f64) -> f64 {
    let values = ratings.categories().values();
    table
        .cells
        .iter()
        .map(|&(k, l, count)| count as f64 * f(values[k], values[l]))
        .sum::<f64>()
        / table.n as f64
}

pub(crate) fn value(
    sample: Sample<'_>,
    raters: [usize; 2],
    f: impl Fn(f64, f64) -> f64,
) -> Result<f64, Reason> {
    check_raters(sample.ratings, raters)?;
    let table = Table::new(sample, raters);
    if table.n == 0 {
        return Err(Reason::NoPairs);
    }
    if !sample.ratings.categories().is_numeric() {
        return Err(Reason::NotNumeric);
    }
    Ok(mean(sample.ratings, &table, f))
}
