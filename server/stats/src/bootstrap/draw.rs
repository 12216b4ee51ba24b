//! Drawing one resample as counts of rating patterns.

use super::binomial;
use crate::ratings::Ratings;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::HashMap;

/// What is drawn with replacement.
pub(super) struct Plan<'a> {
    ratings: &'a Ratings,
    clusters: Option<Clusters>,
}

/// Clusters of items; equal ones are kept once.
struct Clusters {
    /// The distinct clusters, each as counts of patterns in the order of the patterns.
    kinds: Vec<Vec<(u32, u64)>>,
    /// How many clusters are of each kind.
    weights: Vec<u64>,
    /// The kind of each cluster, in the order of the clusters' first items.
    kind_of: Vec<u32>,
}

impl Clusters {
    fn new(ratings: &Ratings, numbers: &[u32]) -> Self {
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
        let mut known: HashMap<Vec<(u32, u64)>, u32> = HashMap::new();
        let mut weights = Vec::new();
        let kind_of = clusters.into_iter().map(|mut cluster| {
            cluster.sort_unstable();
            let new = known.len() as u32;
            let kind = *known.entry(cluster).or_insert(new);
            if kind == new {
                weights.push(0);
            }
            weights[kind as usize] += 1;
            kind
        });
        let kind_of = kind_of.collect();
        let mut kinds = vec![Vec::new(); known.len()];
        for (cluster, kind) in known {
            kinds[kind as usize] = cluster;
        }
        Self {
            kinds,
            weights,
            kind_of,
        }
    }
}

impl<'a> Plan<'a> {
    pub fn items(ratings: &'a Ratings) -> Self {
        Self {
            ratings,
            clusters: None,
        }
    }

    /// Clusters of items: `numbers[i]` is the cluster of item i.
    pub fn clusters(ratings: &'a Ratings, numbers: &[u32]) -> Self {
        Self {
            ratings,
            clusters: Some(Clusters::new(ratings, numbers)),
        }
    }

    pub fn is_clustered(&self) -> bool {
        self.clusters.is_some()
    }

    /// The units that can be left out: kinds of clusters, or patterns, standing for `count` equal ones.
    pub fn units(&self) -> Vec<(Vec<(u32, u64)>, u64)> {
        match &self.clusters {
            Some(clusters) => clusters
                .kinds
                .iter()
                .cloned()
                .zip(clusters.weights.iter().copied())
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
            .map_or(self.ratings.n_patterns(), |clusters| clusters.kinds.len())
    }

    /// Fills `counts` with resample number `stream` of the seed.
    pub fn draw(&self, seed: u64, stream: u64, counts: &mut [u64]) {
        match &self.clusters {
            Some(clusters) => {
                let mut times = vec![0; clusters.kinds.len()];
                resample_counts(
                    &clusters.kind_of,
                    &clusters.weights,
                    (seed, stream),
                    &mut times,
                );
                counts.fill(0);
                for (cluster, times) in clusters.kinds.iter().zip(times) {
                    for &(pattern, count) in cluster {
                        counts[pattern as usize] += times * count;
                    }
                }
            }
            None => resample_counts(
                self.ratings.item_pattern(),
                self.ratings.counts(),
                (seed, stream),
                counts,
            ),
        }
    }
}

/// How often each kind of unit comes up in one resample: as many units are drawn with replacement as there are.
///
/// `kind_of` has the kind of every unit and `weights` how many units each kind has; resample number `stream` of `seed` is
/// written to `times`, one number a kind. With few kinds it is one multinomial draw, a binomial a kind, whatever the number
/// of units; with many the units themselves are drawn.
///
/// ```
/// let mut times = [0; 2];
/// stats::resample_counts(&[0, 0, 1], &[2, 1], (7, 0), &mut times);
/// assert_eq!(times.iter().sum::<u64>(), 3);
/// ```
pub fn resample_counts(
    kind_of: &[u32],
    weights: &[u64],
    (seed, stream): (u64, u64),
    times: &mut [u64],
) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(stream);
    let units = kind_of.len();
    if units >= 8 * weights.len() {
        multinomial(&mut random, weights, times);
    } else {
        times.fill(0);
        for _ in 0..units {
            times[kind_of[below(&mut random, units)] as usize] += 1;
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
