//! Binomial random numbers: inversion for small means, transformed rejection otherwise.

use rand_chacha::rand_core::Rng;

/// Successes in `n` trials with probability `p`.
pub(crate) fn draw(random: &mut impl Rng, n: u64, p: f64) -> u64 {
    if n == 0 || p <= 0.0 {
        return 0;
    }
    if p > 0.5 {
        return n - draw(random, n, 1.0 - p);
    }
    if n as f64 * p < 10.0 {
        invert(random, n, p)
    } else {
        reject(random, n as f64, p)
    }
}

/// A number in [0, 1) with 53 bits.
fn uniform(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

/// Walks up the distribution function.
fn invert(random: &mut impl Rng, n: u64, p: f64) -> u64 {
    let ratio = p / (1.0 - p);
    let mut mass = (n as f64 * (-p).ln_1p()).exp();
    let mut u = uniform(random);
    let mut k = 0;
    while u > mass && k < n {
        u -= mass;
        mass *= ratio * (n - k) as f64 / (k + 1) as f64;
        k += 1;
    }
    k
}

/// Algorithm BTRS of Hörmann (1993), J. Stat. Comput. Simul. 46:101-110; needs n p >= 10 and p <= 1/2.
#[expect(
    clippy::many_single_char_names,
    reason = "the names of the published formula"
)]
fn reject(random: &mut impl Rng, n: f64, p: f64) -> u64 {
    let spread = (n * p * (1.0 - p)).sqrt();
    let b = 1.15 + 2.53 * spread;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let centre = n * p + 0.5;
    let squeeze = 0.92 - 4.2 / b;
    let alpha = (2.83 + 5.1 / b) * spread;
    let odds = p / (1.0 - p);
    let mode = ((n + 1.0) * p).floor();
    loop {
        let u = uniform(random) - 0.5;
        let v = uniform(random);
        let edge = 0.5 - u.abs();
        let k = ((2.0 * a / edge + b) * u + centre).floor();
        if edge >= 0.07 && v <= squeeze {
            return k as u64;
        }
        if k < 0.0 || k > n {
            continue;
        }
        let height = (v * alpha / (a / (edge * edge) + b)).ln();
        let bound = (mode + 0.5) * ((mode + 1.0) / (odds * (n - mode + 1.0))).ln()
            + (n + 1.0) * ((n - mode + 1.0) / (n - k + 1.0)).ln()
            + (k + 0.5) * (odds * (n - k + 1.0) / (k + 1.0)).ln()
            + tail(mode)
            + tail(n - mode)
            - tail(k)
            - tail(n - k);
        if height <= bound {
            return k as u64;
        }
    }
}

/// What Stirling's formula for ln k! leaves over.
fn tail(k: f64) -> f64 {
    const SMALL: [f64; 10] = [
        0.081_061_466_795_327_8,
        0.041_340_695_955_409_5,
        0.027_677_925_684_998_3,
        0.020_790_672_103_765_4,
        0.016_644_691_189_821_1,
        0.013_876_128_823_070_7,
        0.011_896_709_945_891_7,
        0.010_411_265_261_972_0,
        0.009_255_462_182_712_7,
        0.008_330_563_433_362_8,
    ];
    if k < 10.0 {
        return SMALL[k as usize];
    }
    let next = k + 1.0;
    let square = next * next;
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / next
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// Mean np and variance np(1-p) of 20 000 draws, within five standard errors of each.
    #[test]
    fn mean_and_variance() {
        for (n, p) in [
            (5, 0.3),
            (40, 0.02),
            (40, 0.5),
            (1000, 0.4),
            (100_000, 0.001),
            (10_000_000, 0.7),
        ] {
            let mut random = ChaCha8Rng::seed_from_u64(11);
            let draws: Vec<f64> = (0..20_000)
                .map(|_| draw(&mut random, n, p) as f64)
                .collect();
            let mean = draws.iter().sum::<f64>() / 20_000.0;
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 19_999.0;
            let expected = n as f64 * p * (1.0 - p);
            assert!(
                (mean - n as f64 * p).abs() < 5.0 * (expected / 20_000.0).sqrt(),
                "mean {mean} of {n} {p}"
            );
            assert!(
                (variance / expected - 1.0).abs() < 0.08,
                "variance {variance} of {n} {p}"
            );
        }
    }
}
