//! The bootstrap over items or clusters: percentile and `BCa`, seeded, parallel, the same whatever the number of threads.

pub(crate) mod binomial;
mod draw;
mod interval;
mod jackknife;

use crate::coefficient::Coefficient;
use crate::ratings::{Ratings, Sample};
use crate::result::{Interval, Method, Reason};
use draw::Plan;
pub use draw::resample_counts;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How to resample.
///
/// Whole items (all their ratings) are drawn with replacement; with [`Bootstrap::clusters`] whole clusters, such as the
/// candidates of one trace. Resample number b always uses stream b of the seed, so that threads do not matter.
///
/// ```
/// use stats::{Bootstrap, Coefficient, Ratings};
/// let rows: Vec<_> = (0..40).map(|i| vec![Some(f64::from(i % 4)), Some(f64::from((i + i / 10) % 4))]).collect();
/// let ratings = Ratings::from_numbers(&[0.0, 1.0, 2.0, 3.0], &rows)?;
/// let one = Bootstrap { threads: 1, ..Bootstrap::new(500, 7) }.items(&ratings, &[Coefficient::AlphaOrdinal], None);
/// let two = Bootstrap { threads: 2, ..Bootstrap::new(500, 7) }.items(&ratings, &[Coefficient::AlphaOrdinal], None);
/// assert_eq!(one, two);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// Number of resamples; at least 2000 for anything that is published.
    pub resamples: usize,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Threads; 0 for as many as the machine has.
    pub threads: usize,
    /// Level of the intervals.
    pub confidence: f64,
    /// Whether the `BCa` interval is made too; it costs one more evaluation an item or cluster.
    pub bca: bool,
}

/// What the resamples say about one coefficient.
///
/// ```
/// use stats::{Bootstrap, Coefficient, Ratings};
/// let rows: Vec<_> = (0..20).map(|i| vec![Some(f64::from(i % 2)), Some(f64::from(i / 10))]).collect();
/// let ratings = Ratings::from_numbers(&[0.0, 1.0], &rows)?;
/// let result = &Bootstrap::new(200, 1).items(&ratings, &[Coefficient::Kappa], None)[0];
/// let result = result.as_ref().expect("the raters vary");
/// assert_eq!((result.estimate, result.n_resamples), (0.0, 200));
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Resampled {
    /// The coefficient of the data themselves.
    pub estimate: f64,
    /// Resamples drawn.
    pub n_resamples: usize,
    /// Resamples without a value (no variation, no pairs); left out of the intervals.
    pub n_undefined: usize,
    /// Standard deviation of the resampled values (B - 1).
    pub se: Option<f64>,
    /// Percentile interval, linear interpolation between order statistics.
    pub percentile: Result<Interval, Reason>,
    /// `BCa` interval with its two constants; `NoResample` when it was not wanted.
    pub bca: Result<Bca, Reason>,
}

impl Resampled {
    /// Whether more than 5 % of the resamples had no value, so that the interval is not to be trusted.
    ///
    /// ```
    /// use stats::{Bootstrap, Coefficient, Ratings};
    /// let rare: Vec<_> = (0..20).map(|i| vec![Some(f64::from(i / 19)), Some(f64::from(i / 19))]).collect();
    /// let ratings = Ratings::from_numbers(&[0.0, 1.0], &rare)?;
    /// let result = &Bootstrap::new(200, 1).items(&ratings, &[Coefficient::Kappa], None)[0];
    /// assert!(result.as_ref().expect("both classes occur").is_doubtful());
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn is_doubtful(&self) -> bool {
        self.n_undefined * 20 > self.n_resamples
    }
}

/// The bias-corrected and accelerated interval of Efron (1987), J. Am. Stat. Assoc. 82:171-185.
///
/// z0 counts half of the ties, a = sum u^3 / (6 (sum u^2)^1.5) with u the jackknife deviations.
///
/// ```
/// use stats::{Bootstrap, Coefficient, Ratings};
/// let rows: Vec<_> = (0..30).map(|i| vec![Some(f64::from(i % 3)), Some(f64::from((i + i / 9) % 3))]).collect();
/// let ratings = Ratings::from_numbers(&[0.0, 1.0, 2.0], &rows)?;
/// let result = &Bootstrap::new(400, 1).items(&ratings, &[Coefficient::Kappa], None)[0];
/// let bca = result.as_ref().expect("varies").bca.expect("values on both sides");
/// assert!(bca.interval.low < bca.interval.high);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bca {
    /// Bias correction.
    pub z0: f64,
    /// Acceleration.
    pub a: f64,
    /// The bounds.
    pub interval: Interval,
}

impl Bootstrap {
    /// A 95 % bootstrap on all cores.
    ///
    /// ```
    /// assert_eq!(stats::Bootstrap::new(2000, 1).confidence, 0.95);
    /// ```
    pub fn new(resamples: usize, seed: u64) -> Self {
        Self {
            resamples,
            seed,
            threads: 0,
            confidence: 0.95,
            bca: true,
        }
    }

    /// Resamples items. `done` counts the finished resamples, for a progress display.
    ///
    /// All coefficients share the resamples. The outcome of one is an error when the data themselves have no value.
    ///
    /// ```
    /// use stats::{Bootstrap, Coefficient, Ratings, Reason};
    /// let ratings = Ratings::from_numbers(&[1.0, 2.0], &[vec![Some(1.0), Some(1.0)]])?;
    /// let kappa = &Bootstrap::new(10, 1).items(&ratings, &[Coefficient::Kappa], None)[0];
    /// assert_eq!(kappa, &Err(Reason::NoVariation));
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn items(
        &self,
        ratings: &Ratings,
        coefficients: &[Coefficient],
        done: Option<&AtomicUsize>,
    ) -> Vec<Result<Resampled, Reason>> {
        self.run(ratings, &Plan::items(ratings), coefficients, done)
    }

    /// Resamples clusters of items: `clusters[i]` is the cluster of item i.
    ///
    /// # Errors
    /// [`Reason::OutOfRange`] when there is not one cluster number for every item.
    ///
    /// ```
    /// use stats::{Bootstrap, Coefficient, Ratings};
    /// let rows: Vec<_> = (0..30).map(|i| vec![Some(f64::from(i % 3)), Some(f64::from((i + i / 9) % 3))]).collect();
    /// let ratings = Ratings::from_numbers(&[0.0, 1.0, 2.0], &rows)?;
    /// let traces: Vec<u32> = (0..30).map(|i| i / 3).collect();
    /// assert!(Bootstrap::new(100, 1).clusters(&ratings, &traces, &[Coefficient::Kappa], None).is_ok());
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn clusters(
        &self,
        ratings: &Ratings,
        clusters: &[u32],
        coefficients: &[Coefficient],
        done: Option<&AtomicUsize>,
    ) -> Result<Vec<Result<Resampled, Reason>>, Reason> {
        if clusters.len() != ratings.n_items() {
            return Err(Reason::OutOfRange);
        }
        Ok(self.run(
            ratings,
            &Plan::clusters(ratings, clusters),
            coefficients,
            done,
        ))
    }

    fn run(
        &self,
        ratings: &Ratings,
        plan: &Plan<'_>,
        coefficients: &[Coefficient],
        done: Option<&AtomicUsize>,
    ) -> Vec<Result<Resampled, Reason>> {
        let width = coefficients.len();
        let mut values = vec![f64::NAN; self.resamples * width];
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            n => n,
        };
        let share = self.resamples.div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            for (part, chunk) in values.chunks_mut((share * width).max(1)).enumerate() {
                scope.spawn(move || {
                    let mut counts = vec![0; ratings.n_patterns()];
                    for (i, row) in chunk.chunks_mut(width).enumerate() {
                        plan.draw(self.seed, (part * share + i) as u64, &mut counts);
                        let sample = Sample {
                            ratings,
                            counts: &counts,
                        };
                        for (value, coefficient) in row.iter_mut().zip(coefficients) {
                            *value = coefficient.value(sample).unwrap_or(f64::NAN);
                        }
                        if let Some(done) = done {
                            done.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let of = |i: usize| {
            values
                .iter()
                .skip(i)
                .step_by(width.max(1))
                .copied()
                .collect()
        };
        coefficients
            .iter()
            .enumerate()
            .map(|(i, &coefficient)| self.summarise(ratings, plan, coefficient, of(i)))
            .collect()
    }

    fn summarise(
        &self,
        ratings: &Ratings,
        plan: &Plan<'_>,
        coefficient: Coefficient,
        values: Vec<f64>,
    ) -> Result<Resampled, Reason> {
        let estimate = coefficient.value(ratings.sample())?;
        let methods = if plan.is_clustered() {
            (Method::ClusterPercentile, Method::ClusterBca)
        } else {
            (Method::Percentile, Method::Bca)
        };
        Ok(interval::summary(
            estimate,
            values,
            self.confidence,
            methods,
            || {
                if self.bca {
                    jackknife::deviations(ratings, plan, coefficient)
                } else {
                    Err(Reason::NoResample)
                }
            },
        ))
    }
}

/// The intervals over given resamples, each a list of item numbers from 0: nothing is random.
///
/// # Errors
/// [`Reason::OutOfRange`] for an item number that does not exist; otherwise the reason of the coefficient.
///
/// ```
/// use stats::{Coefficient, Ratings, bootstrap};
/// let rows = [vec![Some(1.0), Some(1.0)], vec![Some(2.0), Some(2.0)], vec![Some(2.0), Some(1.0)]];
/// let ratings = Ratings::from_numbers(&[1.0, 2.0], &rows)?;
/// let given = bootstrap::given(&ratings, Coefficient::PercentAgreement, &[vec![0, 0, 0], vec![2, 2, 2]], 0.95).expect("three items");
/// assert_eq!(given.n_undefined, 0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub fn given(
    ratings: &Ratings,
    coefficient: Coefficient,
    resamples: &[Vec<usize>],
    confidence: f64,
) -> Result<Resampled, Reason> {
    let estimate = coefficient.value(ratings.sample())?;
    let mut counts = vec![0; ratings.n_patterns()];
    let mut values = Vec::with_capacity(resamples.len());
    for items in resamples {
        counts.fill(0);
        for &item in items {
            let pattern = *ratings.item_pattern().get(item).ok_or(Reason::OutOfRange)?;
            counts[pattern as usize] += 1;
        }
        values.push(
            coefficient
                .value(Sample {
                    ratings,
                    counts: &counts,
                })
                .unwrap_or(f64::NAN),
        );
    }
    let plan = Plan::items(ratings);
    Ok(interval::summary(
        estimate,
        values,
        confidence,
        (Method::Percentile, Method::Bca),
        || jackknife::deviations(ratings, &plan, coefficient),
    ))
}
