//! Intraclass correlations of complete items, from centred mean squares.

use crate::dist::f_quantile;
use crate::ratings::{MISSING, Ratings, Sample};
use crate::result::{DropReason, Estimate, Interval, Method, Reason, Statistic, Undefined};
use crate::table::listed;

/// The six forms of Shrout & Fleiss.
///
/// ```
/// assert_eq!(stats::icc::Form::TwoSingle.code(), "icc2_1");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    /// ICC(1,1): raters differ between items.
    OneSingle,
    /// ICC(2,1): raters are a sample, absolute agreement.
    TwoSingle,
    /// ICC(3,1): these raters, consistency.
    ThreeSingle,
    /// ICC(1,k): mean of the raters of (1,1).
    OneMean,
    /// ICC(2,k): mean of the raters of (2,1).
    TwoMean,
    /// ICC(3,k): mean of the raters of (3,1).
    ThreeMean,
}

impl Form {
    /// All six.
    ///
    /// ```
    /// assert_eq!(stats::icc::Form::ALL.len(), 6);
    /// ```
    pub const ALL: [Self; 6] = [
        Self::OneSingle,
        Self::TwoSingle,
        Self::ThreeSingle,
        Self::OneMean,
        Self::TwoMean,
        Self::ThreeMean,
    ];

    /// The word used in files.
    ///
    /// ```
    /// assert_eq!(stats::icc::Form::ThreeMean.code(), "icc3_k");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Self::OneSingle => "icc1_1",
            Self::TwoSingle => "icc2_1",
            Self::ThreeSingle => "icc3_1",
            Self::OneMean => "icc1_k",
            Self::TwoMean => "icc2_k",
            Self::ThreeMean => "icc3_k",
        }
    }
}

/// Intraclass correlation with its F-based 95 % interval; ICC(2,1) with Satterthwaite's degrees of freedom, ICC(2,k) by the
/// Spearman-Brown formula from its bounds.
///
/// (1,1) (MSB-MSW)/(MSB+(k-1)MSW); (2,1) (MSB-MSE)/(MSB+(k-1)MSE+k(MSJ-MSE)/n); (3,1) (MSB-MSE)/(MSB+(k-1)MSE); means
/// (MSB-MSW)/MSB, (MSB-MSE)/(MSB+(MSJ-MSE)/n), (MSB-MSE)/MSB. Only items that all raters rated enter. Negative values are legal.
/// Shrout & Fleiss (1979), Psychol. Bull. 86:420-428; `McGraw` & Wong (1996), Psychol. Methods 1:30-46.
///
/// # Errors
/// [`Reason::NotNumeric`] for words; [`Reason::TooFewRaters`]; [`Reason::NoCompleteItems`]; [`Reason::TooFewItems`] below two;
/// [`Reason::NoVariation`] when all ratings are equal; [`Reason::ZeroVariance`] when the denominator is zero.
///
/// ```
/// use stats::{Ratings, icc::{Form, icc}};
/// let rows = [[9.0, 2.0, 5.0, 8.0], [6.0, 1.0, 3.0, 2.0], [8.0, 4.0, 6.0, 8.0], [7.0, 1.0, 2.0, 6.0], [10.0, 5.0, 6.0, 9.0], [6.0, 2.0, 4.0, 7.0]];
/// let rows: Vec<_> = rows.iter().map(|row| row.iter().map(|&x| Some(x)).collect()).collect();
/// let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], &rows)?;
/// assert!((icc(&ratings, Form::TwoSingle).expect("varies").value - 0.29).abs() < 0.005);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn icc(ratings: &Ratings, form: Form) -> Statistic {
    let sample = ratings.sample();
    let complete = complete_items(sample);
    let dropped = listed(&[(DropReason::Incomplete, ratings.n_items() as u64 - complete)]);
    let fit =
        Anova::new(sample).and_then(|anova| anova.coefficient(form).map(|value| (anova, value)));
    let (anova, value) = fit.map_err(|reason| Undefined::new(reason, complete, dropped.clone()))?;
    Ok(Estimate {
        ci: anova.interval(form),
        ..Estimate::plain(value, complete, dropped)
    })
}

/// Items that all raters rated.
pub(crate) fn complete_items(sample: Sample<'_>) -> u64 {
    complete(sample).map(|(_, count)| count).sum()
}

pub(crate) fn value(sample: Sample<'_>, form: Form) -> Result<f64, Reason> {
    Anova::new(sample)?.coefficient(form)
}

fn complete(sample: Sample<'_>) -> impl Iterator<Item = (&[u32], u64)> {
    sample
        .patterns()
        .filter(|(codes, _)| !codes.is_empty() && !codes.contains(&MISSING))
}

/// Mean squares between items, within items, between raters, and residual.
struct Anova {
    n: f64,
    k: f64,
    between: f64,
    within: f64,
    raters: f64,
    residual: f64,
}

impl Anova {
    fn new(sample: Sample<'_>) -> Result<Self, Reason> {
        let categories = sample.ratings.categories();
        let raters = sample.ratings.n_raters();
        let count = complete_items(sample);
        if count == 0 {
            return Err(Reason::NoCompleteItems);
        }
        if !categories.is_numeric() {
            return Err(Reason::NotNumeric);
        }
        if raters < 2 {
            return Err(Reason::TooFewRaters);
        }
        if count < 2 {
            return Err(Reason::TooFewItems);
        }
        // values from the lowest category on, so that a large offset costs no digits
        let low = categories
            .order()
            .first()
            .map_or(0.0, |&code| categories.values()[code as usize]);
        let value = |code: u32| categories.values()[code as usize] - low;
        let (n, k) = (count as f64, raters as f64);
        let mut rater_mean = vec![0.0; raters];
        for (codes, count) in complete(sample) {
            rater_mean
                .iter_mut()
                .zip(codes)
                .for_each(|(mean, &code)| *mean += count as f64 * value(code) / n);
        }
        let grand = rater_mean.iter().sum::<f64>() / k;
        let (mut between, mut within, mut residual) = (0.0, 0.0, 0.0);
        for (codes, count) in complete(sample) {
            let mean = codes.iter().map(|&code| value(code)).sum::<f64>() / k;
            between += count as f64 * (mean - grand).powi(2);
            for (&code, rater) in codes.iter().zip(&rater_mean) {
                within += count as f64 * (value(code) - mean).powi(2);
                residual += count as f64 * (value(code) - mean - rater + grand).powi(2);
            }
        }
        let raters: f64 = rater_mean
            .iter()
            .map(|mean| (mean - grand).powi(2))
            .sum::<f64>()
            * n;
        let total = k * between + within;
        if total <= 0.0 {
            return Err(Reason::NoVariation);
        }
        let clean = |sum: f64| if sum < 1e-14 * total { 0.0 } else { sum };
        Ok(Self {
            n,
            k,
            between: clean(k * between) / (n - 1.0),
            within: clean(within) / (n * (k - 1.0)),
            raters: clean(raters) / (k - 1.0),
            residual: clean(residual) / ((n - 1.0) * (k - 1.0)),
        })
    }

    fn coefficient(&self, form: Form) -> Result<f64, Reason> {
        let Self {
            n,
            k,
            between,
            within,
            raters,
            residual,
        } = *self;
        let (above, below) = match form {
            Form::OneSingle => (between - within, between + (k - 1.0) * within),
            Form::TwoSingle => (
                between - residual,
                between + (k - 1.0) * residual + k * (raters - residual) / n,
            ),
            Form::ThreeSingle => (between - residual, between + (k - 1.0) * residual),
            Form::OneMean => (between - within, between),
            Form::TwoMean => (between - residual, between + (raters - residual) / n),
            Form::ThreeMean => (between - residual, between),
        };
        let scale = between + within + raters + residual;
        if below.abs() <= 1e-14 * scale {
            Err(Reason::ZeroVariance)
        } else {
            Ok(above / below)
        }
    }

    fn interval(&self, form: Form) -> Result<Interval, Reason> {
        let Self {
            n,
            k,
            within,
            residual,
            ..
        } = *self;
        let single = |error: f64, df2: f64| self.ratio_bounds(error, df2);
        match form {
            Form::OneSingle | Form::OneMean => {
                single(within, n * (k - 1.0)).and_then(|f| f.interval(form == Form::OneSingle, k))
            }
            Form::ThreeSingle | Form::ThreeMean => single(residual, (n - 1.0) * (k - 1.0))
                .and_then(|f| f.interval(form == Form::ThreeSingle, k)),
            Form::TwoSingle => self.absolute_bounds(),
            Form::TwoMean => {
                let bounds = self.absolute_bounds()?;
                let (low, high) = (of_mean(bounds.low, k)?, of_mean(bounds.high, k)?);
                Ok(Interval {
                    low,
                    high,
                    ..bounds
                })
            }
        }
    }

    /// The F ratio divided and multiplied by its quantiles.
    fn ratio_bounds(&self, error: f64, df2: f64) -> Result<Ratio, Reason> {
        if error <= 0.0 {
            return Err(Reason::PerfectAgreement);
        }
        let (f, df1) = (self.between / error, self.n - 1.0);
        Ok(Ratio {
            low: f / f_quantile(0.975, df1, df2),
            high: f * f_quantile(0.975, df2, df1),
        })
    }

    fn absolute_bounds(&self) -> Result<Interval, Reason> {
        let Self {
            n,
            k,
            between,
            raters,
            residual,
            ..
        } = *self;
        if residual <= 0.0 {
            return Err(if raters <= 0.0 {
                Reason::PerfectAgreement
            } else {
                Reason::ZeroStandardError
            });
        }
        if between <= 0.0 {
            // the approximation leaves the estimate outside of its own interval here
            return Err(Reason::ZeroVariance);
        }
        let rho = self.coefficient(Form::TwoSingle)?;
        let f = raters / residual;
        let rest = n * (1.0 + (k - 1.0) * rho) - k * rho;
        let numerator = (k - 1.0) * (n - 1.0) * (k * rho * f + rest).powi(2);
        let denominator = (n - 1.0) * (k * rho * f).powi(2) + rest * rest;
        let df = numerator / denominator;
        if !df.is_finite() || df <= 0.0 {
            return Err(Reason::ZeroStandardError);
        }
        let lower = f_quantile(0.975, n - 1.0, df);
        let upper = f_quantile(0.975, df, n - 1.0);
        let both = k * raters + (k * n - k - n) * residual;
        let low = n * (between - lower * residual) / (lower * both + n * between);
        let high = n * (upper * between - residual) / (both + n * upper * between);
        // Far below zero the approximation can leave the estimate outside of its own interval; it is then none.
        if low.is_finite() && high.is_finite() && low <= rho && rho <= high {
            Ok(Interval {
                low,
                high,
                method: Method::Satterthwaite,
            })
        } else {
            Err(Reason::OutOfRange)
        }
    }
}

/// The Spearman-Brown formula: reliability of the mean of k raters from that of one.
///
/// # Errors
/// [`Reason::ZeroVariance`] when 1 + (k - 1) x is not positive.
///
/// ```
/// assert_eq!(stats::icc::of_mean(0.5, 3.0), Ok(0.75));
/// ```
pub fn of_mean(single: f64, raters: f64) -> Result<f64, Reason> {
    let denominator = 1.0 + (raters - 1.0) * single;
    if denominator > 0.0 {
        Ok(raters * single / denominator)
    } else {
        Err(Reason::ZeroVariance)
    }
}

/// Bounds of an F ratio.
struct Ratio {
    low: f64,
    high: f64,
}

impl Ratio {
    fn interval(&self, single: bool, k: f64) -> Result<Interval, Reason> {
        // without variance between items a mean has no reliability to bound
        if !single && self.low <= 0.0 {
            return Err(Reason::ZeroVariance);
        }
        let turn = |f: f64| {
            if single {
                (f - 1.0) / (f + k - 1.0)
            } else {
                1.0 - 1.0 / f
            }
        };
        Ok(Interval {
            low: turn(self.low),
            high: turn(self.high),
            method: Method::F,
        })
    }
}
