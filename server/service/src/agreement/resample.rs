//! Intervals by resampling items: what there is to do, by the hash of all that it follows from, and what came of it.

use super::types::{IntervalRow, StatRow};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use stats::bootstrap::Resampled;
use stats::{Bootstrap, Coefficient, Method, Ratings};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// How often items are resampled.
pub const RESAMPLES: usize = 2_000;
/// The seed of the resampling, fixed so that a report says the same every time.
pub const BOOTSTRAP_SEED: u64 = 20_260_101;
/// Counts up when the same ratings would give other intervals.
const METHOD_VERSION: &str = "1";

/// Coefficients whose intervals are to be resampled, with the ratings.
#[derive(Debug)]
pub(crate) struct Work {
    pub hash: String,
    pub ratings: Ratings,
    clusters: Vec<u32>,
    coefficients: Vec<Coefficient>,
}

impl Work {
    pub fn new(ratings: Ratings, clusters: Vec<u32>, coefficients: Vec<Coefficient>) -> Self {
        Self {
            hash: hash(&ratings, &clusters, &coefficients),
            ratings,
            clusters,
            coefficients,
        }
    }

    /// Draws the resamples; threads (0 for all) do not change what comes out.
    pub fn run(&self, threads: usize, done: Option<&AtomicUsize>) -> Outcome {
        let bootstrap = Bootstrap {
            threads,
            bca: false,
            ..Bootstrap::new(RESAMPLES, BOOTSTRAP_SEED)
        };
        let drawn = bootstrap.clusters(&self.ratings, &self.clusters, &self.coefficients, done);
        let rows = self.coefficients.iter().zip(drawn.unwrap_or_default());
        Outcome(
            rows.filter_map(|(coefficient, drawn)| {
                Some((coefficient.name().to_owned(), Drawn::of(&drawn.ok()?)))
            })
            .collect(),
        )
    }
}

fn hash(ratings: &Ratings, clusters: &[u32], coefficients: &[Coefficient]) -> String {
    let mut hasher = Sha256::new();
    let names: Vec<&str> = coefficients.iter().map(|c| c.name()).collect();
    for part in [
        METHOD_VERSION,
        &RESAMPLES.to_string(),
        &BOOTSTRAP_SEED.to_string(),
        &names.join(","),
        &ratings.categories().labels().join(","),
        &ratings.n_raters().to_string(),
    ] {
        hasher.update(part);
        hasher.update([0]);
    }
    for (item, cluster) in clusters.iter().enumerate() {
        hasher.update(cluster.to_le_bytes());
        for rater in 0..ratings.n_raters() {
            let code = ratings.code(item, rater).unwrap_or(u32::MAX);
            hasher.update(code.to_le_bytes());
        }
    }
    hex::encode(hasher.finalize())
}

/// The interval of one coefficient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Drawn {
    /// The bounds as texts that read back to the same numbers; nothing when there are none.
    bounds: Option<(String, String)>,
    /// Resamples without a value.
    undefined: u64,
}

impl Drawn {
    fn of(drawn: &Resampled) -> Self {
        let text =
            |interval: stats::Interval| (interval.low.to_string(), interval.high.to_string());
        Self {
            bounds: drawn.percentile.ok().map(text),
            undefined: drawn.n_undefined as u64,
        }
    }
}

/// The intervals of one [`Work`], by name of the coefficient.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome(BTreeMap<String, Drawn>);

impl Outcome {
    /// As it is kept.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Gives the rows of a group their intervals.
    pub fn fill(&self, rows: &mut [StatRow]) {
        for row in rows {
            let Some(drawn) = self.0.get(&row.name) else {
                continue;
            };
            row.undefined_resamples = drawn.undefined;
            let bounds = drawn.bounds.as_ref();
            let bounds = bounds.and_then(|(low, high)| low.parse().ok().zip(high.parse().ok()));
            row.resampled(bounds.map(|(low, high)| IntervalRow {
                low,
                high,
                method: Method::ClusterPercentile.code().to_owned(),
            }));
        }
    }
}

impl StatRow {
    /// Takes the outcome of resampling in. Proportions keep Wilson's interval, which never leaves 0 to 1, in front.
    fn resampled(&mut self, drawn: Option<IntervalRow>) {
        let analytic = self
            .ci_low
            .zip(self.ci_high)
            .map(|(low, high)| IntervalRow {
                low,
                high,
                method: self.method.clone(),
            });
        let wilson = self.method == Method::Wilson.code();
        let (first, other) = if wilson || drawn.is_none() {
            (analytic, drawn)
        } else {
            (drawn, analytic)
        };
        self.ci_low = first.as_ref().map(|interval| interval.low);
        self.ci_high = first.as_ref().map(|interval| interval.high);
        self.undefined_reason = first.is_none().then(|| "interval_not_estimable".to_owned());
        self.method = first.map(|interval| interval.method).unwrap_or_default();
        self.other = other;
    }
}

/// What is known already, by hash.
#[derive(Default)]
pub(crate) struct Outcomes(HashMap<String, Outcome>);

impl Outcomes {
    /// Of these, what is not known yet, each once.
    pub fn missing<'a>(
        &self,
        works: impl IntoIterator<Item = &'a Arc<Work>>,
    ) -> impl Iterator<Item = &'a Arc<Work>> {
        let mut seen = HashSet::new();
        works
            .into_iter()
            .filter(move |work| !self.0.contains_key(&work.hash) && seen.insert(&work.hash))
    }

    /// Whether all of these are known.
    pub fn hold(&self, works: &[Arc<Work>]) -> bool {
        works.iter().all(|work| self.0.contains_key(&work.hash))
    }

    pub fn get(&self, work: &Work) -> Option<&Outcome> {
        self.0.get(&work.hash)
    }

    /// Takes in what was kept; what cannot be read is made again.
    pub fn read(&mut self, hash: String, text: &str) {
        if let Ok(outcome) = serde_json::from_str(text) {
            self.0.insert(hash, outcome);
        }
    }

    pub fn extend(&mut self, made: Vec<(String, Outcome)>) {
        self.0.extend(made);
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Work};
    use stats::{Coefficient, Ratings};

    fn work(last: f64, cluster: u32) -> Work {
        let rows: Vec<_> = (0..12)
            .map(|i| {
                vec![
                    Some(f64::from(i % 3 + 1)),
                    Some(f64::from((i + i / 5) % 3 + 1)),
                ]
            })
            .chain([vec![Some(1.0), Some(last)]])
            .collect();
        let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0], &rows).expect("square");
        let clusters = (0..12).map(|i| i / 2).chain([cluster]).collect();
        Work::new(ratings, clusters, vec![Coefficient::AlphaOrdinal])
    }

    #[test]
    fn the_hash_follows_every_rating_and_every_cluster() {
        assert_eq!(work(2.0, 6).hash, work(2.0, 6).hash);
        assert_ne!(work(2.0, 6).hash, work(3.0, 6).hash);
        assert_ne!(work(2.0, 6).hash, work(2.0, 5).hash);
    }

    #[test]
    fn intervals_read_back_to_the_same_numbers_whatever_the_threads() {
        let made = work(2.0, 6).run(1, None);
        let read: Outcome = serde_json::from_str(&made.text()).expect("as it was written");
        assert_eq!(read, made);
        assert_eq!(work(2.0, 6).run(2, None), made);
        assert!(made.0["alpha_ordinal"].bounds.is_some());
    }
}
