//! The incomplete beta function and its inverse, to full precision for parameters up to millions.
//!
//! `statrs` stops its continued fraction after 140 terms and forms the factor before it from differences of ln gamma, which
//! leaves few digits when there are a million items; here the factor comes from Stirling's remainders.

use std::f64::consts::PI;

const TINY: f64 = 1e-300;

/// A number in (0, 1) together with one minus it, both to full precision.
#[derive(Clone, Copy)]
pub(crate) struct Unit {
    pub value: f64,
    pub complement: f64,
}

impl Unit {
    /// Two positive parts of a whole.
    pub fn parts(value: f64, complement: f64) -> Self {
        let whole = value + complement;
        Self {
            value: value / whole,
            complement: complement / whole,
        }
    }

    fn swapped(self) -> Self {
        Self {
            value: self.complement,
            complement: self.value,
        }
    }
}

/// The regularised incomplete beta function `I_x(a, b)`.
pub(crate) fn beta_cdf(a: f64, b: f64, x: Unit) -> f64 {
    if x.value <= 0.0 {
        0.0
    } else if x.complement <= 0.0 {
        1.0
    } else if x.value > (a + 1.0) / (a + b + 2.0) {
        1.0 - power_term(b, a, x.swapped()) * fraction(b, a, x.complement) / b
    } else {
        power_term(a, b, x) * fraction(a, b, x.value) / a
    }
}

/// x^a (1-x)^b / B(a, b).
fn power_term(a: f64, b: f64, x: Unit) -> f64 {
    let whole = a + b;
    // ln of x over its mean, exact where they are close
    let log_ratio = |part: f64, own: f64| {
        let away = (part * whole - own) / own;
        if away.abs() < 0.5 {
            away.ln_1p()
        } else {
            (part * whole / own).ln()
        }
    };
    let exponent = a * log_ratio(x.value, a) + b * log_ratio(x.complement, b) + remainder(whole)
        - remainder(a)
        - remainder(b);
    (a * b / (2.0 * PI * whole)).sqrt() * exponent.exp()
}

/// What Stirling's formula leaves of ln gamma: ln gamma(z) - (z - 1/2) ln z + z - ln(2 pi)/2.
fn remainder(z: f64) -> f64 {
    if z < 12.0 {
        // from gamma(z + 1) = z gamma(z)
        return remainder(z + 1.0) + (z + 0.5) * (1.0 / z).ln_1p() - 1.0;
    }
    let s = 1.0 / (z * z);
    (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s / 1188.0)))) / z
}

/// The continued fraction of the incomplete beta function by Lentz's method; about sqrt(max(a, b)) terms are needed.
#[expect(
    clippy::many_single_char_names,
    reason = "the names of the published formula"
)]
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    for i in 1..100_000 {
        let m = f64::from(i);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for numerator in [even, odd] {
            d = 1.0 / away(1.0 + numerator * d);
            c = away(1.0 + numerator / c);
            step = c * d;
            h *= step;
        }
        if (step - 1.0).abs() < 2e-16 {
            break;
        }
    }
    h
}

/// Quantile of the beta distribution, solved on the side where it is below one half.
pub(crate) fn beta_quantile(a: f64, b: f64, p: f64) -> Unit {
    if beta_cdf(a, b, Unit::parts(1.0, 1.0)) >= p {
        lower_quantile(a, b, p)
    } else {
        lower_quantile(b, a, 1.0 - p).swapped()
    }
}

/// Newton's method in the logarithm inside a shrinking bracket.
fn lower_quantile(a: f64, b: f64, p: f64) -> Unit {
    let (mut low, mut high) = (-700.0_f64, 0.5_f64.ln());
    let mut log = (a / (a + b)).ln().clamp(low, high);
    let at = |log: f64| Unit {
        value: log.exp(),
        complement: -log.exp_m1(),
    };
    for _ in 0..200 {
        let x = at(log);
        let miss = beta_cdf(a, b, x) - p;
        if miss > 0.0 {
            high = log;
        } else {
            low = log;
        }
        // derivative of the distribution function by ln x
        let newton = log - miss * x.complement / power_term(a, b, x);
        let next = if newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        if (next - log).abs() <= 4e-16 * log.abs().max(1.0) {
            return at(next);
        }
        log = next;
    }
    at(log)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `I_x(a, 1) = x^a` and `I_x(1, b) = 1 - (1-x)^b`.
    #[test]
    fn closed_forms() {
        for a in [0.5, 3.0, 40.0] {
            for x in [0.01, 0.3, 0.5, 0.9] {
                let x = Unit::parts(x, 1.0 - x);
                let got = beta_cdf(a, 1.0, x);
                assert!(
                    (got / x.value.powf(a) - 1.0).abs() < 1e-13,
                    "{a} {} gave {got}",
                    x.value
                );
                let tail = 1.0 - x.complement.powf(a);
                assert!((beta_cdf(1.0, a, x) - tail).abs() < 1e-14);
            }
        }
    }

    /// A symmetric distribution has its median at one half, whatever its size.
    #[test]
    fn median_of_large_parameters() {
        for a in [1e3, 1e5, 1e7] {
            assert!((beta_cdf(a, a, Unit::parts(1.0, 1.0)) - 0.5).abs() < 1e-11);
        }
    }

    #[test]
    fn quantiles_invert() {
        for (a, b) in [
            (0.5, 0.5),
            (0.5, 0.15),
            (1.5, 100.0),
            (250.0, 1.0),
            (5e5, 1.5e6),
        ] {
            for p in [0.025, 0.5, 0.975] {
                let back = beta_cdf(a, b, beta_quantile(a, b, p));
                assert!((back - p).abs() < 1e-9, "{a} {b} {p} gave {back}");
            }
        }
    }
}
