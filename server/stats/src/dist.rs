//! The few distribution functions the families need, on top of `statrs`.

use crate::beta::{Unit, beta_cdf, beta_quantile};
use statrs::function::erf::erfc_inv;
use statrs::function::gamma::gamma_ur;
use std::f64::consts::{PI, SQRT_2};

/// Standard normal distribution function.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    let tail = 0.5 * normal_two_sided(x);
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// Two-sided normal p value, by the incomplete gamma function: the error function of `statrs` has only eleven digits here.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    let half_square = z * z / 2.0;
    if half_square > 0.0 {
        gamma_ur(0.5, half_square)
    } else {
        1.0
    }
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
    beta_cdf(df / 2.0, 0.5, Unit::parts(df, t * t))
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

/// At most `k` successes in `n` fair trials.
pub(crate) fn fair_binomial_cdf(k: u64, n: u64) -> f64 {
    if k >= n {
        1.0
    } else {
        beta_cdf((n - k) as f64, k as f64 + 1.0, Unit::parts(1.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tabled quantiles: any statistical table, to the digits printed there.
    #[test]
    fn tabled_quantiles() {
        assert!((z_of(0.95) - 1.959_963_984_540_054).abs() < 1e-14);
        // erfc(10/sqrt 2) and erfc(1e-5/sqrt 2)/2 in double precision
        assert!((normal_two_sided(10.0) / 1.523_970_604_832_118e-23 - 1.0).abs() < 1e-12);
        assert!((normal_cdf(-1e-5) - 0.499_996_010_577_196).abs() < 1e-14);
        assert!((t_of(0.95, 10.0) - 2.228_138_851_986_273_5).abs() < 1e-13);
        // one degree of freedom is Cauchy's distribution: tan(0.475 pi)
        assert!((t_of(0.95, 1.0) / (0.475 * PI).tan() - 1.0).abs() < 1e-13);
        assert!((f_quantile(0.975, 5.0, 18.0) - 3.382_0).abs() < 5e-5);
        assert!((f_quantile(0.975, 18.0, 5.0) - 6.361_9).abs() < 5e-5);
        assert!((chi2_sf(3.841_458_820_694_124, 1.0) - 0.05).abs() < 1e-12);
    }
}
