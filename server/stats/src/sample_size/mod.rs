//! How many items a study of agreement needs.

mod simplex;
mod width;

pub use width::{Width, items_for_width, width};

use crate::dist::{normal_cdf, normal_quantile, z_of};
use crate::result::Reason;

/// Items needed: the exact solution and the next whole number.
///
/// ```
/// let power = stats::sample_size::Power::default();
/// let needed = stats::sample_size::cantor(0.5, 0.5, 0.85, 0.7, power).expect("a valid table");
/// assert_eq!(needed.items, 117);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needed {
    /// Before rounding up.
    pub raw: f64,
    /// Rounded up.
    pub items: u64,
}

/// Error rates of a test.
///
/// ```
/// let power = stats::sample_size::Power { two_sided: true, ..Default::default() };
/// assert_eq!((power.alpha, power.power), (0.05, 0.8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// Probability of a false rejection.
    pub alpha: f64,
    /// Probability of a right one.
    pub power: f64,
    /// Whether both directions count.
    pub two_sided: bool,
}

impl Default for Power {
    fn default() -> Self {
        Self {
            alpha: 0.05,
            power: 0.8,
            two_sided: false,
        }
    }
}

impl Power {
    fn check(self) -> Result<Self, Reason> {
        let inside = |p: f64| p > 0.0 && p < 1.0;
        if inside(self.alpha) && inside(self.power) {
            Ok(self)
        } else {
            Err(Reason::OutOfRange)
        }
    }

    fn quantiles(self) -> (f64, f64) {
        let sides = if self.two_sided { 2.0 } else { 1.0 };
        (
            normal_quantile(1.0 - self.alpha / sides),
            normal_quantile(self.power),
        )
    }
}

impl Needed {
    fn new(raw: f64) -> Result<Self, Reason> {
        if raw.is_finite() && raw > 0.0 {
            Ok(Self {
                raw,
                items: raw.ceil() as u64,
            })
        } else {
            Err(Reason::OutOfRange)
        }
    }

    /// `[(z_alpha sqrt(Q0) + z_power sqrt(Q1)) / (k1 - k0)]^2`.
    fn from_variances(q0: f64, q1: f64, gap: f64, power: Power) -> Result<Self, Reason> {
        let (z_alpha, z_power) = power.quantiles();
        Self::new(((z_alpha * q0.sqrt() + z_power * q1.sqrt()) / gap).powi(2))
    }
}

/// Items needed to tell kappa `k1` from `k0`: two raters, two categories, with the shares of positives `rate1` and `rate2`.
///
/// Q is n times the variance of kappa (Fleiss, Cohen & Everitt 1969) at each value. Cantor (1996), Psychol. Methods 1:150-153.
/// Mind the order of the two kappas: the alternative comes first.
///
/// # Errors
/// [`Reason::OutOfRange`] when a rate or error rate is outside (0, 1), the kappas are equal, or no table has these margins and
/// that kappa.
///
/// ```
/// let needed = stats::sample_size::cantor(0.5, 0.5, 0.85, 0.7, stats::sample_size::Power::default());
/// assert!((needed.expect("valid").raw - 116.353_895).abs() < 1e-6);
/// ```
pub fn cantor(rate1: f64, rate2: f64, k1: f64, k0: f64, power: Power) -> Result<Needed, Reason> {
    let power = power.check()?;
    let variance = |kappa: f64| {
        let expected = rate1 * rate2 + (1.0 - rate1) * (1.0 - rate2);
        let observed = kappa * (1.0 - expected) + expected;
        let both = (observed - 1.0 + rate1 + rate2) / 2.0;
        let table = [
            [both, rate1 - both],
            [rate2 - both, 1.0 - rate1 - rate2 + both],
        ];
        if table
            .iter()
            .flatten()
            .any(|&share| !(-1e-12..=1.0).contains(&share))
        {
            return Err(Reason::OutOfRange);
        }
        let margins = ([rate1, 1.0 - rate1], [rate2, 1.0 - rate2]);
        let deviation = |k: usize, l: usize| {
            f64::from(u8::from(k == l)) - (margins.1[k] + margins.0[l]) * (1.0 - kappa)
        };
        let mean: f64 = (0..4)
            .map(|i| table[i / 2][i % 2] * deviation(i / 2, i % 2))
            .sum();
        let spread: f64 = (0..4)
            .map(|i| table[i / 2][i % 2] * (deviation(i / 2, i % 2) - mean).powi(2))
            .sum();
        Ok(spread / (1.0 - expected).powi(2))
    };
    if !(rate1 > 0.0 && rate1 < 1.0 && rate2 > 0.0 && rate2 < 1.0) {
        return Err(Reason::OutOfRange);
    }
    Needed::from_variances(variance(k0)?, variance(k1)?, k1 - k0, power)
}

/// Items needed by the goodness-of-fit approach: binary ratings, kappa `k1` against `k0`, a common prevalence, two or more raters.
///
/// `n = lambda(1, alpha, power) / sum (P_i(k1) - P_i(k0))^2 / P_i(k0)`, `P_i` the probability of i positive ratings under the common
/// correlation model. Donner & Eliasziw (1992), Stat. Med. 11:1511-1519; more raters: Altaye, Donner & Klar (2001), Biometrics
/// 57:584-588.
///
/// # Errors
/// [`Reason::OutOfRange`] when the prevalence or an error rate is outside (0, 1), the kappas are equal or outside [0, 1), or there
/// are fewer than two raters.
///
/// ```
/// let power = stats::sample_size::Power { power: 0.9, ..Default::default() };
/// let needed = stats::sample_size::donner_eliasziw(0.6, 0.8, 0.5, 2, power).expect("valid");
/// assert_eq!(needed.items, 169);
/// ```
pub fn donner_eliasziw(
    k0: f64,
    k1: f64,
    prevalence: f64,
    raters: u32,
    power: Power,
) -> Result<Needed, Reason> {
    let power = power.check()?;
    let distance = fit_distance(k1, k0, prevalence, raters)?;
    Needed::new(noncentrality(power) / distance)
}

/// Items needed so that an interval around `kappa` by the goodness-of-fit approach excludes `low` and `high`.
///
/// n is the chi-squared quantile over the same distance, for the farther-reaching bound. Donner & Eliasziw (1992); Rotondi & Donner
/// (2012), J. Clin. Epidemiol. 65:778-784.
///
/// # Errors
/// As [`donner_eliasziw`], or when `kappa` is not between the bounds.
///
/// ```
/// let needed = stats::sample_size::interval_binary(0.4, 0.3, 0.5, 0.3, 2, 0.05).expect("valid");
/// assert!(needed.items > 100);
/// ```
pub fn interval_binary(
    kappa: f64,
    low: f64,
    high: f64,
    prevalence: f64,
    raters: u32,
    alpha: f64,
) -> Result<Needed, Reason> {
    if !(low < kappa && kappa < high && alpha > 0.0 && alpha < 1.0) {
        return Err(Reason::OutOfRange);
    }
    let quantile = z_of(1.0 - alpha).powi(2);
    let nearest = fit_distance(kappa, low, prevalence, raters)?
        .min(fit_distance(kappa, high, prevalence, raters)?);
    Needed::new(quantile / nearest)
}

/// `sum (P_i(kappa) - P_i(at))^2 / P_i(at)` over the numbers of positive ratings.
fn fit_distance(kappa: f64, at: f64, prevalence: f64, raters: u32) -> Result<f64, Reason> {
    let inside = |kappa: f64| (0.0..1.0).contains(&kappa);
    let sound = inside(kappa) && inside(at) && prevalence > 0.0 && prevalence < 1.0;
    if !sound || !(2..=64).contains(&raters) {
        return Err(Reason::OutOfRange);
    }
    let (a, b) = (
        positives(kappa, prevalence, raters),
        positives(at, prevalence, raters),
    );
    Ok(a.iter().zip(&b).map(|(x, y)| (x - y).powi(2) / y).sum())
}

/// With probability kappa all raters say the same, otherwise they are independent.
fn positives(kappa: f64, prevalence: f64, raters: u32) -> Vec<f64> {
    let mut ways = 1.0;
    (0..=raters)
        .map(|i| {
            let apart = ways
                * prevalence.powi(i.cast_signed())
                * (1.0 - prevalence).powi((raters - i).cast_signed());
            ways *= f64::from(raters - i) / f64::from(i + 1);
            let together = if i == 0 {
                1.0 - prevalence
            } else if i == raters {
                prevalence
            } else {
                0.0
            };
            (1.0 - kappa) * apart + kappa * together
        })
        .collect()
}

/// The noncentrality at which a chi-squared test with one degree of freedom has the power: bisection on both normal tails.
fn noncentrality(power: Power) -> f64 {
    let z = z_of(1.0 - power.alpha);
    let reached = |root: f64| normal_cdf(root - z) + normal_cdf(-root - z);
    let (mut low, mut high) = (0.0, 50.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if reached(middle) < power.power {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high).powi(2)
}

/// Items needed for kappa with any number of categories, both raters having the same margins: the largest standard error over all
/// tables with these margins and each kappa is used.
///
/// The variance is linear in the table, so the largest is a linear programme. Flack, Afifi, Lachenbruch & Schouten (1988),
/// Psychometrika 53:321-325.
///
/// # Errors
/// [`Reason::OutOfRange`] when the margins do not add up to 1, there are fewer than two or more than 12, the kappas are equal, or no
/// table has these margins and that kappa.
///
/// ```
/// let power = stats::sample_size::Power::default();
/// let needed = stats::sample_size::flack(&[0.2, 0.25, 0.55], 0.6, 0.4, power).expect("valid");
/// assert_eq!(needed.items, 101);
/// ```
pub fn flack(margins: &[f64], k1: f64, k0: f64, power: Power) -> Result<Needed, Reason> {
    let power = power.check()?;
    let total: f64 = margins.iter().sum();
    if !(2..=12).contains(&margins.len())
        || (total - 1.0).abs() > 1e-9
        || margins.iter().any(|&p| p <= 0.0)
    {
        return Err(Reason::OutOfRange);
    }
    Needed::from_variances(
        largest_variance(margins, k0)?,
        largest_variance(margins, k1)?,
        k1 - k0,
        power,
    )
}

/// Largest n var(kappa) over the tables with the margins in rows and columns and the given kappa.
fn largest_variance(margins: &[f64], kappa: f64) -> Result<f64, Reason> {
    let q = margins.len();
    let expected: f64 = margins.iter().map(|p| p * p).sum();
    let observed = kappa * (1.0 - expected) + expected;
    let deviation = |k: usize, l: usize| {
        f64::from(u8::from(k == l)) - (margins[k] + margins[l]) * (1.0 - kappa)
    };
    let gain: Vec<f64> = (0..q * q)
        .map(|i| deviation(i / q, i % q).powi(2))
        .collect();
    let mut constraints: Vec<(Vec<f64>, f64)> = Vec::new();
    let indicator = |f: &dyn Fn(usize, usize) -> bool| {
        (0..q * q)
            .map(|i| f64::from(u8::from(f(i / q, i % q))))
            .collect()
    };
    for (k, &margin) in margins.iter().enumerate() {
        constraints.push((indicator(&|row, _| row == k), margin));
        if k + 1 < q {
            constraints.push((indicator(&|_, column| column == k), margin));
        }
    }
    constraints.push((indicator(&|row, column| row == column), observed));
    let most = simplex::maximise(&gain, &constraints).ok_or(Reason::OutOfRange)?;
    let mean = kappa - expected * (1.0 - kappa);
    Ok((most - mean * mean).max(0.0) / (1.0 - expected).powi(2))
}
