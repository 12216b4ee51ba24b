//! The few distribution functions the families need, on top of `statrs`.

use statrs::function::beta::{beta_reg, ln_beta};
use statrs::function::erf::{erfc, erfc_inv};
use statrs::function::gamma::gamma_ur;
use std::f64::consts::{PI, SQRT_2};

/// Standard normal distribution function.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// Two-sided normal p value.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// Standard normal quantile, polished by one Newton step; infinite at 0 and 1.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p > 0.5 {
        // the lower tail has more digits
        return -normal_quantile(1.0 - p);
    }
    let x = -SQRT_2 * erfc_inv(2.0 * p);
    let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
    if density > 0.0 {
        x - (normal_cdf(x) - p) / density
    } else {
        x
    }
}

/// The two-sided normal quantile of a confidence level, 1.96 for 0.95.
pub(crate) fn z_of(confidence: f64) -> f64 {
    -normal_quantile((1.0 - confidence) / 2.0)
}

/// Two-sided Student t p value.
pub(crate) fn t_two_sided(t: f64, df: f64) -> f64 {
    beta_reg(df / 2.0, 0.5, df / (df + t * t))
}

/// Lower tail of Student's t.
pub(crate) fn t_cdf(t: f64, df: f64) -> f64 {
    let tail = 0.5 * t_two_sided(t, df);
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// Student t quantile for a two-sided confidence level.
pub(crate) fn t_of(confidence: f64, df: f64) -> f64 {
    let x = beta_quantile(df / 2.0, 0.5, 1.0 - confidence);
    (df * x.complement / x.value).sqrt()
}

/// Upper tail of the chi-squared distribution.
pub(crate) fn chi2_sf(x: f64, df: f64) -> f64 {
    if x <= 0.0 {
        1.0
    } else {
        gamma_ur(df / 2.0, x / 2.0)
    }
}

/// Quantile of the F distribution.
pub(crate) fn f_quantile(p: f64, d1: f64, d2: f64) -> f64 {
    let x = beta_quantile(d1 / 2.0, d2 / 2.0, p);
    d2 * x.value / (d1 * x.complement)
}

/// A number in (0, 1) together with one minus it, both to full precision.
struct Unit {
    value: f64,
    complement: f64,
}

/// Quantile of the beta distribution, solved on the side where it is below one half.
fn beta_quantile(a: f64, b: f64, p: f64) -> Unit {
    if beta_reg(a, b, 0.5) >= p {
        let value = lower_beta_quantile(a, b, p);
        Unit {
            value,
            complement: 1.0 - value,
        }
    } else {
        let complement = lower_beta_quantile(b, a, 1.0 - p);
        Unit {
            value: 1.0 - complement,
            complement,
        }
    }
}

/// Bisection in the logarithm until Newton's method is safe, then Newton inside the bracket.
fn lower_beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    let (mut low, mut high) = (-700.0_f64, 0.5_f64.ln());
    let mut u = if a > 0.5 {
        (0.5 * a / (a + b)).ln().clamp(low, high)
    } else {
        f64::midpoint(low, high)
    };
    for _ in 0..200 {
        let x = u.exp();
        let miss = beta_reg(a, b, x) - p;
        if miss > 0.0 {
            high = u;
        } else {
            low = u;
        }
        // derivative of the distribution function by ln x
        let slope = (a * u + (b - 1.0) * (-x).ln_1p() - ln_beta(a, b)).exp();
        let newton = u - miss / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        if (next - u).abs() <= 1e-15 * u.abs().max(1.0) {
            return next.exp();
        }
        u = next;
    }
    u.exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tabled quantiles: any statistical table, to the digits printed there.
    #[test]
    fn tabled_quantiles() {
        assert!((z_of(0.95) - 1.959_963_984_540_054).abs() < 1e-14);
        assert!((t_of(0.95, 10.0) - 2.228_138_851_964_939).abs() < 1e-11);
        assert!((t_of(0.95, 1.0) - 12.706_204_736_432_095).abs() < 1e-10);
        assert!((f_quantile(0.975, 5.0, 18.0) - 3.382_0).abs() < 5e-5);
        assert!((f_quantile(0.975, 18.0, 5.0) - 6.361_9).abs() < 5e-5);
        assert!((chi2_sf(3.841_458_820_694_124, 1.0) - 0.05).abs() < 1e-12);
    }

    #[test]
    fn quantiles_invert_the_distribution() {
        for (d1, d2) in [
            (1.0, 1.0),
            (1.0, 0.3),
            (3.0, 200.0),
            (500.0, 2.0),
            (39.0, 39.0),
        ] {
            for p in [0.025, 0.5, 0.975] {
                let f = f_quantile(p, d1, d2);
                // from the upper tail, which keeps its digits where F is huge
                let back = beta_reg(d2 / 2.0, d1 / 2.0, d2 / (d1 * f + d2));
                assert!(
                    (back - (1.0 - p)).abs() < 1e-10,
                    "{d1} {d2} {p} gave {back}"
                );
            }
        }
    }
}
