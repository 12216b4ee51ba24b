//! Raters pair by pair: their tables, their kappas, and whether they use the values equally often.

use super::compute::Declared;
use super::matrix::Prepared;
use super::types::{Matrix, PairRow, TestRow};
use stats::confusion::Confusion;
use stats::marginal::{ChiSquared, bowker, mcnemar, stuart_maxwell};
use stats::{Ratings, Reason, Weights, difference, kappa};

/// With more raters their pairs are left to the facet by pair.
const MOST_RATERS: usize = 40;

/// Every two columns.
fn all(n: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..n).flat_map(move |first| (first + 1..n).map(move |second| [first, second]))
}

/// The table of counts of every pair of raters.
pub(super) fn confusions(
    prepared: &Prepared,
    columns: &[usize],
    scale: Declared<'_>,
) -> Vec<Matrix> {
    all(columns.len())
        .filter_map(|pair| {
            let confusion = Confusion::new(&prepared.ratings, pair).ok()?;
            Some(Matrix {
                row_rater: scale.letters[columns[pair[0]]].clone(),
                column_rater: scale.letters[columns[pair[1]]].clone(),
                labels: labels(prepared, scale.labels),
                counts: confusion.counts,
            })
        })
        .collect()
}

/// The declared labels, or with half points every value that the matrix has a row for.
pub(super) fn labels(prepared: &Prepared, declared: &[String]) -> Vec<String> {
    let all = prepared.ratings.categories().labels();
    if all.len() == declared.len() {
        declared.to_vec()
    } else {
        all.to_vec()
    }
}

/// How often each rater used each category.
pub(super) fn marginals(
    prepared: &Prepared,
    columns: &[usize],
    scale: Declared<'_>,
) -> Vec<(String, Vec<u64>)> {
    (0..columns.len())
        .map(|at| {
            let mut used = prepared.ratings.used_by(at);
            used.resize(used.len().max(scale.labels.len()), 0);
            (scale.letters[columns[at]].clone(), used)
        })
        .collect()
}

/// Every pair of raters over the units that both judged.
pub(super) fn pair_rows(
    prepared: &Prepared,
    columns: &[usize],
    scale: Declared<'_>,
) -> Vec<PairRow> {
    if columns.len() > MOST_RATERS {
        return Vec::new();
    }
    let ratings = &prepared.ratings;
    let value = |pair, weights: &Weights| {
        let found = kappa::kappa(ratings, pair, weights);
        found.ok().map(|estimate| estimate.value)
    };
    all(columns.len())
        .map(|pair| {
            let counts = Confusion::new(ratings, pair).map(|confusion| confusion.counts);
            let counts = counts.unwrap_or_default();
            let n_units: u64 = counts.iter().flatten().sum();
            let equal: u64 = (0..counts.len()).map(|at| counts[at][at]).sum();
            PairRow {
                first: scale.letters[columns[pair[0]]].clone(),
                second: scale.letters[columns[pair[1]]].clone(),
                n_units,
                percent: (n_units > 0).then(|| equal as f64 / n_units as f64),
                kappa: value(pair, &Weights::Identity),
                kappa_quadratic: scale
                    .ordered
                    .then(|| value(pair, &Weights::Quadratic))
                    .flatten(),
                limits: scale.ordered.then(|| limits(ratings, pair)).flatten(),
                tests: tests(ratings, &counts),
            }
        })
        .collect()
}

fn limits(ratings: &Ratings, pair: [usize; 2]) -> Option<[f64; 3]> {
    let found = difference::bland_altman(ratings, pair).ok()?;
    let limits = found.ci.ok()?;
    Some([found.value, limits.low, limits.high])
}

/// `McNemar`'s test where there are two categories, else Bowker's and the one of Stuart and Maxwell.
fn tests(ratings: &Ratings, counts: &[Vec<u64>]) -> Vec<TestRow> {
    if ratings.categories().len() == 2 && counts.len() == 2 {
        let test = mcnemar(counts[0][1], counts[1][0]);
        return vec![TestRow {
            p: test.plain.is_ok().then_some(test.exact_p),
            ..row("mcnemar", test.plain)
        }];
    }
    vec![
        row("bowker", bowker(counts)),
        row("stuart_maxwell", stuart_maxwell(counts)),
    ]
}

fn row(name: &str, test: Result<ChiSquared, Reason>) -> TestRow {
    let found = test.ok();
    TestRow {
        name: name.to_owned(),
        chi2: found.map(|test| test.chi2),
        df: found.map_or(0, |test| test.df),
        p: found.map(|test| test.p),
        undefined_reason: test.err().map(|reason| reason.code().to_owned()),
    }
}
