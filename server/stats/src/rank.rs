//! Rank correlation of two raters: Kendall's tau-b and Spearman's rho.

use crate::categories::Categories;
use crate::ratings::{Ratings, Sample};
use crate::result::{Estimate, Reason, Statistic, Undefined};
use crate::table::{Table, check_raters, dropped_pairs};

/// Kendall's tau-b, (C - D)/sqrt((n0 - n1)(n0 - n2)) over pairs of items.
///
/// It ignores bias: a judge one step too severe keeps tau = 1, so never show it alone. Kendall (1945), Biometrika 33:239-251.
///
/// # Errors
/// [`Reason::NoPairs`] when the raters share no item, [`Reason::NoVariation`] when all ratings are equal,
/// [`Reason::ZeroVariance`] when one rater is constant.
///
/// ```
/// use stats::{Ratings, rank};
/// let rows = [vec![Some(1.0), Some(2.0)], vec![Some(2.0), Some(3.0)]];
/// assert_eq!(rank::kendall_tau_b(&Ratings::from_numbers(&[1.0, 2.0, 3.0], &rows)?, [0, 1]).expect("varies").value, 1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn kendall_tau_b(ratings: &Ratings, raters: [usize; 2]) -> Statistic {
    statistic(ratings, raters, tau)
}

/// Spearman's rho: the correlation of mid-ranks. It ignores bias, as tau does. Spearman (1904), Am. J. Psychol. 15:72-101.
///
/// # Errors
/// As [`kendall_tau_b`].
///
/// ```
/// use stats::{Ratings, rank};
/// let rows = [vec![Some(1.0), Some(3.0)], vec![Some(2.0), Some(2.0)]];
/// assert_eq!(rank::spearman(&Ratings::from_numbers(&[1.0, 2.0, 3.0], &rows)?, [0, 1]).expect("varies").value, -1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn spearman(ratings: &Ratings, raters: [usize; 2]) -> Statistic {
    statistic(ratings, raters, rho)
}

type Formula = fn(&Table, &Categories) -> f64;

fn statistic(ratings: &Ratings, raters: [usize; 2], formula: Formula) -> Statistic {
    check_raters(ratings, raters)?;
    let table = Table::new(ratings.sample(), raters);
    let dropped = dropped_pairs(ratings.sample(), raters);
    match defined(&table) {
        Ok(()) => Ok(Estimate::plain(
            formula(&table, ratings.categories()),
            table.n,
            dropped,
        )),
        Err(reason) => Err(Undefined::new(reason, table.n, dropped)),
    }
}

pub(crate) fn tau_value(sample: Sample<'_>, raters: [usize; 2]) -> Result<f64, Reason> {
    value(sample, raters, tau)
}

pub(crate) fn rho_value(sample: Sample<'_>, raters: [usize; 2]) -> Result<f64, Reason> {
    value(sample, raters, rho)
}

fn value(sample: Sample<'_>, raters: [usize; 2], formula: Formula) -> Result<f64, Reason> {
    check_raters(sample.ratings, raters)?;
    let table = Table::new(sample, raters);
    defined(&table).map(|()| formula(&table, sample.ratings.categories()))
}

fn defined(table: &Table) -> Result<(), Reason> {
    match &table.cells[..] {
        [] => Err(Reason::NoPairs),
        [(k, l, _)] if k == l => Err(Reason::NoVariation),
        _ if table.constant_rater() => Err(Reason::ZeroVariance),
        _ => Ok(()),
    }
}

/// Pairs are counted in 128 bits; cells are taken in the order of the first rater against a tree of sums over the second.
fn tau(table: &Table, categories: &Categories) -> f64 {
    let mut position = vec![0; categories.len()];
    categories
        .order()
        .iter()
        .enumerate()
        .for_each(|(place, &code)| position[code as usize] = place);
    let mut cells: Vec<(usize, usize, i128)> = table
        .cells
        .iter()
        .map(|&(k, l, n)| (position[k], position[l], i128::from(n)))
        .collect();
    cells.sort_unstable();
    let mut sums = Sums::new(categories.len());
    let (mut balance, mut seen, mut start) = (0, 0, 0);
    while start < cells.len() {
        let end = start
            + cells[start..]
                .iter()
                .take_while(|cell| cell.0 == cells[start].0)
                .count();
        for &(_, l, n) in &cells[start..end] {
            let (lower, up_to) = (sums.below(l), sums.below(l + 1));
            balance += n * (lower - (seen - up_to));
        }
        for &(_, l, n) in &cells[start..end] {
            sums.add(l, n);
            seen += n;
        }
        start = end;
    }
    let pairs = |n: i128| n * (n - 1) / 2;
    let all = pairs(seen);
    let free =
        |margin: &[u64]| (all - margin.iter().map(|&n| pairs(i128::from(n))).sum::<i128>()) as f64;
    balance as f64 / (free(&table.rows) * free(&table.columns)).sqrt()
}

/// A Fenwick tree.
struct Sums(Vec<i128>);

impl Sums {
    fn new(n: usize) -> Self {
        Self(vec![0; n + 1])
    }

    fn add(&mut self, at: usize, n: i128) {
        let mut i = at + 1;
        while i < self.0.len() {
            self.0[i] += n;
            i += i & i.wrapping_neg();
        }
    }

    /// Sum of everything before a position.
    fn below(&self, mut i: usize) -> i128 {
        let mut sum = 0;
        while i > 0 {
            sum += self.0[i];
            i &= i - 1;
        }
        sum
    }
}

fn rho(table: &Table, categories: &Categories) -> f64 {
    let x = centred_ranks(&table.rows, table.n, categories);
    let y = centred_ranks(&table.columns, table.n, categories);
    let joint: f64 = table
        .cells
        .iter()
        .map(|&(k, l, n)| n as f64 * x[k] * y[l])
        .sum();
    let spread = |margin: &[u64], ranks: &[f64]| {
        margin
            .iter()
            .zip(ranks)
            .map(|(&n, r)| n as f64 * r * r)
            .sum::<f64>()
    };
    (joint / (spread(&table.rows, &x) * spread(&table.columns, &y)).sqrt()).clamp(-1.0, 1.0)
}

/// Mid-ranks around their mean (n + 1)/2.
fn centred_ranks(margin: &[u64], n: u64, categories: &Categories) -> Vec<f64> {
    let mut ranks = vec![0.0; margin.len()];
    let mut below = 0;
    for &code in categories.order() {
        let own = margin[code as usize];
        ranks[code as usize] = below as f64 + own as f64 / 2.0 - n as f64 / 2.0;
        below += own;
    }
    ranks
}
