//! Intervals of measures: Wilson's for shares, resampling with a fixed seed for everything else.

use crate::agreement::{BOOTSTRAP_SEED, RESAMPLES};

/// Wilson's 95 % interval.
pub(super) fn wilson(of_it: usize, n: usize) -> Option<(f64, f64)> {
    let interval = stats::wilson::interval(of_it as u64, n as u64, 0.95).ok()?;
    Some((interval.low, interval.high))
}

/// The 2.5th and 97.5th percentile of resamples; nothing for fewer than two values.
pub(super) fn bootstrap(
    values: &[f64],
    statistic: &impl Fn(&[f64]) -> Option<f64>,
) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let mut random = Random(BOOTSTRAP_SEED);
    let mut sample = vec![0.0; values.len()];
    let mut found: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            for slot in &mut sample {
                *slot = values[random.below(values.len())];
            }
            statistic(&sample)
        })
        .collect();
    found.sort_by(f64::total_cmp);
    let at = |share: f64| {
        found
            .get(((found.len() - 1) as f64 * share).round() as usize)
            .copied()
    };
    Some((at(0.025)?, at(0.975)?))
}

/// `SplitMix64`: a fixed seed gives the same resamples everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{Random, bootstrap};

    fn mean(values: &[f64]) -> Option<f64> {
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    #[test]
    fn the_generator_gives_the_published_first_numbers_of_seed_zero() {
        // Steele, Lea and Flood's SplitMix64 as in the reference C code, seed 0.
        let mut random = Random(0);
        assert_eq!(
            [random.next(), random.next()],
            [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]
        );
    }

    #[test]
    fn an_interval_holds_its_estimate_and_is_the_same_twice() {
        let values = [0.0, 1.0, 1.0, 5.0, 10.0, 0.0];
        let (low, high) = bootstrap(&values, &mean).expect("six values");
        let estimate = mean(&values).expect("six values");
        assert!(low < estimate && estimate < high);
        assert_eq!(bootstrap(&values, &mean), Some((low, high)));
        assert_eq!(bootstrap(&[3.0], &mean), None);
        assert_eq!(
            bootstrap(&[2.0; 5], &mean),
            Some((2.0, 2.0)),
            "values that do not vary"
        );
    }
}
