//! Krippendorff's alpha: nominal, ordinal, interval, ratio; any number of raters, missing ratings.

use crate::percent::pairable;
use crate::ratings::{Ratings, Sample, rated};
use crate::result::{Estimate, Reason, Statistic, Undefined};

/// The difference function of alpha.
///
/// ```
/// assert_eq!(stats::alpha::Metric::Ordinal.code(), "ordinal");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Metric {
    /// 1 for different values.
    Nominal,
    /// Squared number of pairable ratings between the two ranks: `(sum_{g=c..k} n_g - (n_c + n_k)/2)^2`.
    Ordinal,
    /// (c - k)^2.
    Interval,
    /// ((c - k)/(c + k))^2, 0 for two zeros; no negative values.
    Ratio,
}

impl Metric {
    /// The word used in files.
    ///
    /// ```
    /// assert_eq!(stats::alpha::Metric::Ratio.code(), "ratio");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Self::Nominal => "nominal",
            Self::Ordinal => "ordinal",
            Self::Interval => "interval",
            Self::Ratio => "ratio",
        }
    }
}

/// Beyond so many different values the ratio metric is not computed.
const MAX_RATIO_VALUES: usize = 1 << 13;

/// Krippendorff's alpha, `1 - (n - 1) sum o_ck d2_ck / sum n_c n_k d2_ck` over items with at least two ratings.
///
/// The ordinal distance is that between mid-ranks of the pairable ratings, so that unused categories change nothing. For an
/// interval use the bootstrap over items. Krippendorff K (2011), Computing Krippendorff's Alpha-Reliability; (2018) Content
/// Analysis, 4th ed., ch. 12.
///
/// # Errors
/// [`Reason::NoPairs`] when no item has two ratings, [`Reason::NoVariation`] when all pairable ratings are equal,
/// [`Reason::NotNumeric`] for interval and ratio on words, [`Reason::NegativeValue`] for ratio below zero.
///
/// ```
/// use stats::{Ratings, alpha::{Metric, alpha}};
/// let rows = [vec![Some(1.0), Some(1.0)], vec![Some(2.0), Some(2.0)], vec![Some(4.0), None], vec![None, Some(4.0)], vec![Some(5.0), Some(4.0)]];
/// let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0, 4.0, 5.0], &rows)?;
/// assert!((alpha(&ratings, Metric::Nominal).expect("varies").value - 8.0 / 13.0).abs() < 1e-14);
/// assert!((alpha(&ratings, Metric::Ordinal).expect("varies").value - 94.0 / 99.0).abs() < 1e-14);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn alpha(ratings: &Ratings, metric: Metric) -> Statistic {
    let (n, dropped) = pairable(ratings.sample());
    match value(ratings.sample(), metric) {
        Ok(value) => Ok(Estimate::plain(value, n, dropped)),
        Err(reason) => Err(Undefined::new(reason, n, dropped)),
    }
}

pub(crate) fn value(sample: Sample<'_>, metric: Metric) -> Result<f64, Reason> {
    let categories = sample.ratings.categories();
    let mut used = vec![0_u64; categories.len()];
    for (codes, count) in sample.patterns() {
        if rated(codes).nth(1).is_some() {
            rated(codes).for_each(|k| used[k] += count);
        }
    }
    let n: u64 = used.iter().sum();
    if n == 0 {
        return Err(Reason::NoPairs);
    }
    let numbers = matches!(metric, Metric::Interval | Metric::Ratio);
    if numbers && !categories.is_numeric() {
        return Err(Reason::NotNumeric);
    }
    let values = categories.values();
    if metric == Metric::Ratio
        && used
            .iter()
            .zip(values)
            .any(|(&count, &v)| count > 0 && v < 0.0)
    {
        return Err(Reason::NegativeValue);
    }
    if used.iter().filter(|&&count| count > 0).count() == 1 {
        return Err(Reason::NoVariation);
    }
    let (observed, expected) = match metric {
        Metric::Nominal => (observed_nominal(sample), expected_nominal(&used)),
        Metric::Ratio => (
            observed_ratio(sample, values),
            expected_ratio(&used, values)?,
        ),
        Metric::Interval => squared(sample, &used, &centred(&used, values)),
        Metric::Ordinal => squared(sample, &used, &mid_ranks(&used, categories.order())),
    };
    Ok(1.0 - (n - 1) as f64 * (observed / expected))
}

/// Sum over ordered pairs within units of [c != k]/(m - 1).
fn observed_nominal(sample: Sample<'_>) -> f64 {
    let mut sum = 0.0;
    for (codes, count) in sample.patterns() {
        let m = rated(codes).count();
        if m >= 2 {
            let differing: usize = rated(codes)
                .map(|k| rated(codes).filter(|&l| l != k).count())
                .sum();
            sum += count as f64 * (differing as f64 / (m - 1) as f64);
        }
    }
    sum
}

fn expected_nominal(used: &[u64]) -> f64 {
    let n: u64 = used.iter().sum();
    used.iter()
        .map(|&count| count as f64 * (n - count) as f64)
        .sum()
}

/// Observed and expected sums for squared differences of the positions given. Over ordered pairs the squared differences of
/// m values add up to 2 m times the squared deviations from their mean, which loses nothing to a large offset.
fn squared(sample: Sample<'_>, used: &[u64], positions: &[f64]) -> (f64, f64) {
    let mut observed = 0.0;
    for (codes, count) in sample.patterns() {
        let m = rated(codes).count() as f64;
        if m >= 2.0 {
            let mean = rated(codes).map(|k| positions[k]).sum::<f64>() / m;
            let spread: f64 = rated(codes).map(|k| (positions[k] - mean).powi(2)).sum();
            observed += count as f64 * (2.0 * m * spread / (m - 1.0));
        }
    }
    let n = used.iter().sum::<u64>() as f64;
    let mean = used
        .iter()
        .zip(positions)
        .map(|(&count, x)| count as f64 * x)
        .sum::<f64>()
        / n;
    let spread: f64 = used
        .iter()
        .zip(positions)
        .map(|(&count, x)| count as f64 * (x - mean).powi(2))
        .sum();
    (observed, 2.0 * n * spread)
}

/// Values relative to the smallest one in use.
fn centred(used: &[u64], values: &[f64]) -> Vec<f64> {
    let low = used
        .iter()
        .zip(values)
        .filter(|(count, _)| **count > 0)
        .map(|(_, &v)| v)
        .fold(f64::INFINITY, f64::min);
    values.iter().map(|v| v - low).collect()
}

/// Number of pairable ratings below each category, plus half of those in it.
fn mid_ranks(used: &[u64], order: &[u32]) -> Vec<f64> {
    let mut ranks = vec![0.0; used.len()];
    let mut below = 0;
    for &code in order {
        ranks[code as usize] = below as f64 + used[code as usize] as f64 / 2.0;
        below += used[code as usize];
    }
    ranks
}

fn ratio(c: f64, k: f64) -> f64 {
    let sum = c + k;
    if sum > 0.0 {
        ((c - k) / sum).powi(2)
    } else {
        0.0
    }
}

fn observed_ratio(sample: Sample<'_>, values: &[f64]) -> f64 {
    let mut observed = 0.0;
    for (codes, count) in sample.patterns() {
        let m = rated(codes).count();
        if m >= 2 {
            let unit: f64 = rated(codes)
                .map(|k| {
                    rated(codes)
                        .map(|l| ratio(values[k], values[l]))
                        .sum::<f64>()
                })
                .sum();
            observed += count as f64 * (unit / (m - 1) as f64);
        }
    }
    observed
}

fn expected_ratio(used: &[u64], values: &[f64]) -> Result<f64, Reason> {
    let there: Vec<(f64, f64)> = used
        .iter()
        .zip(values)
        .filter(|(count, _)| **count > 0)
        .map(|(&count, &v)| (count as f64, v))
        .collect();
    if there.len() > MAX_RATIO_VALUES {
        return Err(Reason::TooManyCategories);
    }
    Ok(there
        .iter()
        .map(|&(n, c)| n * there.iter().map(|&(m, k)| m * ratio(c, k)).sum::<f64>())
        .sum())
}

/// The difference function of a metric between two categories, given the margin of the coincidence matrix.
pub(crate) fn differences<'a>(
    ratings: &'a Ratings,
    metric: Metric,
    margin: &[f64],
) -> Box<dyn Fn(usize, usize) -> f64 + 'a> {
    let values = ratings.categories().values();
    match metric {
        Metric::Nominal => Box::new(|k, l| f64::from(u8::from(k != l))),
        Metric::Interval => Box::new(|k, l| (values[k] - values[l]).powi(2)),
        Metric::Ratio => Box::new(|k, l| ratio(values[k], values[l])),
        Metric::Ordinal => {
            // the pairable counts are whole numbers, though summed from shares
            let counts: Vec<u64> = margin.iter().map(|n| n.round() as u64).collect();
            let ranks = mid_ranks(&counts, ratings.categories().order());
            Box::new(move |k, l| (ranks[k] - ranks[l]).powi(2))
        }
    }
}
