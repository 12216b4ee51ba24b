//! Drawing one resample as counts of rating patterns.

use super::binomial;
use crate::ratings::Ratings;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::HashMap;

/// What is drawn with replacement.
pub(super) struct Plan<'a> {
    ratings: &'a Ratings,
    clusters: Option<Vec<Vec<(u32, u64)>>>,
}

impl<'a> Plan<'a> {
    pub fn items(ratings: &'a Ratings) -> Self {
        Self {
            ratings,
            clusters: None,
        }
    }

    /// Clusters in the order of their first item, each as counts of patterns.
    pub fn clusters(ratings: &'a Ratings, numbers: &[u32]) -> Self {
        let mut position: HashMap<u32, usize> = HashMap::new();
        let mut clusters: Vec<Vec<(u32, u64)>> = Vec::new();
        for (&number, &pattern) in numbers.iter().zip(ratings.item_pattern()) {
            let at = *position.entry(number).or_insert(clusters.len());
            if at == clusters.len() {
                clusters.push(Vec::new());
            }
            match clusters[at].iter_mut().find(|(known, _)| *known == pattern) {
                Some((_, count)) => *count += 1,
                None => clusters[at].push((pattern, 1)),
            }
        }
        Self {
            ratings,
            clusters: Some(clusters),
        }
    }

    pub fn is_clustered(&self) -> bool {
        self.clusters.is_some()
    }

    /// The units that can be left out: clusters, or patterns standing for `count` equal items.
    pub fn units(&self) -> Vec<(Vec<(u32, u64)>, u64)> {
        match &self.clusters {
            Some(clusters) => clusters
                .iter()
                .map(|cluster| (cluster.clone(), 1))
                .collect(),
            None => self
                .ratings
                .counts()
                .iter()
                .enumerate()
                .map(|(i, &count)| (vec![(i as u32, 1)], count))
                .collect(),
        }
    }

    /// Number of different units.
    pub fn n_units(&self) -> usize {
        self.clusters
            .as_ref()
            .map_or(self.ratings.n_patterns(), Vec::len)
    }

    /// Fills `counts` with resample number `stream` of the seed.
    pub fn draw(&self, seed: u64, stream: u64, counts: &mut [u64]) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        let items = self.ratings.n_items();
        match &self.clusters {
            Some(clusters) => {
                counts.fill(0);
                for _ in 0..clusters.len() {
                    for &(pattern, count) in &clusters[below(&mut random, clusters.len())] {
                        counts[pattern as usize] += count;
                    }
                }
            }
            // few patterns: a multinomial draw costs one binomial each; many: draw the items themselves
            None if items >= 8 * counts.len() => {
                multinomial(&mut random, self.ratings.counts(), counts);
            }
            None => {
                counts.fill(0);
                for _ in 0..items {
                    counts[self.ratings.item_pattern()[below(&mut random, items)] as usize] += 1;
                }
            }
        }
    }
}

/// A number below `n`; the bias of the multiplication is below n / 2^64.
fn below(random: &mut impl Rng, n: usize) -> usize {
    ((u128::from(random.next_u64()) * n as u128) >> 64) as usize
}

/// As many items as there are, over the patterns, by conditional binomial draws.
fn multinomial(random: &mut impl Rng, weights: &[u64], counts: &mut [u64]) {
    let mut weight_left: u64 = weights.iter().sum();
    let mut items_left = weight_left;
    for (count, &weight) in counts.iter_mut().zip(weights) {
        *count = if weight == weight_left {
            items_left
        } else {
            binomial::draw(random, items_left, weight as f64 / weight_left as f64)
        };
        weight_left -= weight;
        items_left -= *count;
    }
}
