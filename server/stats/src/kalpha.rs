//! The pair bootstrap of Hayes' KALPHA macro, for comparison with published intervals only.

use crate::alpha::{self, Metric};
use crate::bootstrap::binomial;
use crate::categories::by_number;
use crate::ratings::{Ratings, rated};
use crate::result::{Interval, Method, Reason};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// What the macro prints.
///
/// ```
/// let rows: Vec<_> = (0..30).map(|i| vec![Some(f64::from(i % 3)), Some(f64::from((i + i / 9) % 3))]).collect();
/// let ratings = stats::Ratings::from_numbers(&[0.0, 1.0, 2.0], &rows)?;
/// let kalpha = stats::kalpha::bootstrap(&ratings, stats::alpha::Metric::Nominal, 1000, 1).expect("varies");
/// assert_eq!(kalpha.pairs, 30);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Kalpha {
    /// Krippendorff's alpha of the data.
    pub alpha: f64,
    /// Pairs of ratings within items.
    pub pairs: u64,
    /// Pairs drawn in each resample.
    pub draws: u64,
    /// The 95 % interval of the macro: about half as wide as that of the bootstrap over items, because ratings of one item are
    /// treated as independent.
    pub ci: Interval,
    sorted: Vec<f64>,
}

impl Kalpha {
    /// Share of the resamples below a minimum alpha.
    ///
    /// ```
    /// let rows: Vec<_> = (0..30).map(|i| vec![Some(f64::from(i % 3)), Some(f64::from((i + i / 9) % 3))]).collect();
    /// let ratings = stats::Ratings::from_numbers(&[0.0, 1.0, 2.0], &rows)?;
    /// let kalpha = stats::kalpha::bootstrap(&ratings, stats::alpha::Metric::Nominal, 1000, 1).expect("varies");
    /// assert!(kalpha.below(0.9) >= kalpha.below(0.5));
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn below(&self, minimum: f64) -> f64 {
        self.sorted.partition_point(|value| *value < minimum) as f64 / self.sorted.len() as f64
    }
}

/// A cell of the coincidence matrix.
struct Cell {
    share: f64,
    difference: f64,
    diagonal: bool,
}

/// The KALPHA 3.0 bootstrap: M pairs drawn independently from the coincidence matrix, expected disagreement held fixed.
///
/// M = min(25 Q, (m - 1) n../2), Q the cells above zero, m the raters; values below -1 become -1; ones stand for lack of variation
/// by the rule of the macro; the bounds are the sorted values number trunc(.025 B) and trunc(.975 B) + 1. Hayes & Krippendorff
/// (2007), Commun. Methods Meas. 1:77-89. Use [`crate::Bootstrap::items`] for inference.
///
/// # Errors
/// As [`alpha::alpha`]; [`Reason::OutOfRange`] below 40 resamples; [`Reason::TooManyCategories`] above 1024 used categories.
///
/// ```
/// let same = stats::Ratings::from_numbers(&[1.0], &[vec![Some(1.0), Some(1.0)]])?;
/// let undefined = stats::kalpha::bootstrap(&same, stats::alpha::Metric::Nominal, 1000, 1);
/// assert_eq!(undefined.expect_err("no variation"), stats::Reason::NoVariation);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn bootstrap(
    ratings: &Ratings,
    metric: Metric,
    resamples: usize,
    seed: u64,
) -> Result<Kalpha, Reason> {
    if resamples < 40 {
        return Err(Reason::OutOfRange);
    }
    let estimate = alpha::value(ratings.sample(), metric)?;
    let Coincidences {
        cells,
        n,
        pairs,
        expected,
    } = Coincidences::new(ratings, metric)?;
    let half = (ratings.n_raters() as f64 - 1.0) * n / 2.0;
    let draws = (25.0 * cells.len() as f64).min(half).floor() as u64;
    let mut values: Vec<f64> = (0..resamples)
        .map(|b| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(b as u64);
            let observed = drawn_difference(&mut random, &cells, draws) / draws as f64;
            (1.0 - observed / expected).max(-1.0)
        })
        .collect();
    values.sort_unstable_by(|a, b| by_number(*a, *b));
    zero_some_ones(&mut values, &cells, draws);
    let place = |share: f64| (share * resamples as f64).trunc() as usize;
    let ci = Interval {
        low: values[place(0.025) - 1],
        high: values[place(0.975).min(resamples - 1)],
        method: Method::Kalpha,
    };
    Ok(Kalpha {
        alpha: estimate,
        pairs,
        draws,
        ci,
        sorted: values,
    })
}

struct Coincidences {
    cells: Vec<Cell>,
    n: f64,
    pairs: u64,
    expected: f64,
}

impl Coincidences {
    fn new(ratings: &Ratings, metric: Metric) -> Result<Self, Reason> {
        let q = ratings.categories().len();
        if q > 1024 {
            return Err(Reason::TooManyCategories);
        }
        let mut matrix = vec![0.0; q * q];
        let (mut pairs, mut pairable) = (0, 0);
        for (codes, count) in ratings.sample().patterns() {
            let m = rated(codes).count();
            if m < 2 {
                continue;
            }
            pairable += count * m as u64;
            pairs += count * (m as u64 * (m as u64 - 1) / 2);
            for (i, k) in rated(codes).enumerate() {
                for (_, l) in rated(codes).enumerate().filter(|&(j, _)| j != i) {
                    matrix[k * q + l] += count as f64 / (m - 1) as f64;
                }
            }
        }
        let margin: Vec<f64> = (0..q)
            .map(|k| matrix[k * q..(k + 1) * q].iter().sum())
            .collect();
        let n = pairable as f64;
        let difference = alpha::differences(ratings, metric, &margin);
        let mut expected = 0.0;
        let mut cells = Vec::new();
        for k in 0..q {
            for l in 0..q {
                let d = difference(k, l);
                expected += margin[k] * margin[l] * d / (n * (n - 1.0));
                if matrix[k * q + l] > 0.0 {
                    cells.push(Cell {
                        share: matrix[k * q + l] / n,
                        difference: d,
                        diagonal: k == l,
                    });
                }
            }
        }
        Ok(Self {
            cells,
            n,
            pairs,
            expected,
        })
    }
}

/// Sum of the differences of `draws` pairs, by conditional binomial draws over the cells.
fn drawn_difference(random: &mut ChaCha8Rng, cells: &[Cell], draws: u64) -> f64 {
    let (mut left, mut share_left, mut sum) = (draws, 1.0, 0.0);
    for (i, cell) in cells.iter().enumerate() {
        let last = i + 1 == cells.len();
        let count = if last {
            left
        } else {
            binomial::draw(random, left, (cell.share / share_left).min(1.0))
        };
        sum += count as f64 * cell.difference;
        left -= count;
        share_left -= cell.share;
    }
    sum
}

/// A resample without disagreement has alpha 1 or no variation; the macro sets the expected share of the latter to 0.
fn zero_some_ones(sorted: &mut [f64], cells: &[Cell], draws: u64) {
    let diagonal: Vec<f64> = cells
        .iter()
        .filter(|cell| cell.diagonal)
        .map(|cell| cell.share)
        .collect();
    let ones = sorted
        .iter()
        .rev()
        .take_while(|value| **value >= 1.0)
        .count();
    let zeroed = if diagonal.len() == 1 {
        ones
    } else {
        let constant: f64 = diagonal.iter().map(|share| share.powf(draws as f64)).sum();
        ((sorted.len() as f64 * constant).round() as usize).min(ones)
    };
    if zeroed > 0 {
        let start = sorted.len() - zeroed;
        sorted[start..].fill(0.0);
        sorted.sort_unstable_by(|a, b| by_number(*a, *b));
    }
}
