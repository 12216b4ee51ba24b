//! The alternative-annotator test: may a judge stand in for the human raters?

use crate::dist::t_cdf;
use crate::ratings::Ratings;
use crate::result::Reason;

/// How an annotator is scored against the others.
///
/// ```
/// assert_eq!("accuracy".parse(), Ok(stats::alt_test::Score::Accuracy));
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Score {
    /// Share of the other humans who gave the same value.
    Accuracy,
    /// Minus the root mean squared difference from the other humans.
    NegRmse,
}

impl std::str::FromStr for Score {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "accuracy" => Ok(Self::Accuracy),
            "neg_rmse" => Ok(Self::NegRmse),
            _ => Err(format!(
                "`{word}` is not a score; accuracy and neg_rmse are"
            )),
        }
    }
}

/// The settings of the test.
///
/// ```
/// let test = stats::alt_test::AltTest::new(0.2, stats::alt_test::Score::Accuracy);
/// assert_eq!((test.q, test.min_items), (0.05, 30));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AltTest {
    /// What a human costs more than the judge: 0.2 for experts, 0.15 for skilled raters, 0.1 for a crowd.
    pub epsilon: f64,
    /// The score.
    pub score: Score,
    /// False discovery rate (Benjamini-Yekutieli).
    pub q: f64,
    /// Humans with fewer items are not tested.
    pub min_items: u64,
}

/// One human against the judge.
///
/// ```
/// let rows: Vec<_> = (0..30).map(|i| vec![Some(f64::from(i % 2)); 3]).collect();
/// let ratings = stats::Ratings::from_numbers(&[0.0, 1.0], &rows)?;
/// let outcome = stats::alt_test::AltTest::new(0.2, stats::alt_test::Score::Accuracy).run(&ratings, 2);
/// assert_eq!(outcome.humans[0].n_items, 30);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Human {
    /// Column of the human.
    pub rater: usize,
    /// Items that the human, another human and the judge rated.
    pub n_items: u64,
    /// The test, or why this human was not tested.
    pub test: Result<HumanTest, Reason>,
}

/// The comparison of the judge with one human.
///
/// ```
/// let rows: Vec<_> = (0..30).map(|i| vec![Some(f64::from(i % 2)); 3]).collect();
/// let ratings = stats::Ratings::from_numbers(&[0.0, 1.0], &rows)?;
/// let outcome = stats::alt_test::AltTest::new(0.2, stats::alt_test::Score::Accuracy).run(&ratings, 2);
/// assert_eq!(outcome.humans[0].test.expect("tested").judge_wins, 1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HumanTest {
    /// Share of items where the judge scored at least as high as the human.
    pub judge_wins: f64,
    /// Share of items where the human scored at least as high as the judge.
    pub human_wins: f64,
    /// One-sided p value of `human_wins - judge_wins >= epsilon`.
    pub p: f64,
    /// Whether that hypothesis is rejected under the false discovery rate: the judge may replace this human.
    pub rejected: bool,
}

/// The outcome over all humans.
///
/// ```
/// let rows: Vec<_> = (0..30).map(|i| vec![Some(f64::from(i % 2)); 3]).collect();
/// let ratings = stats::Ratings::from_numbers(&[0.0, 1.0], &rows)?;
/// let outcome = stats::alt_test::AltTest::new(0.2, stats::alt_test::Score::Accuracy).run(&ratings, 2);
/// assert_eq!(outcome.n_tested, 2);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Every human, tested or not.
    pub humans: Vec<Human>,
    /// Humans tested; with two this is a weak test.
    pub n_tested: usize,
    /// What follows from the tests, or why nothing does.
    pub verdict: Result<Verdict, Reason>,
}

/// What the tests of all humans say together.
///
/// ```
/// let rows: Vec<_> = (0..30).map(|i| vec![Some(f64::from(i % 2)); 3]).collect();
/// let ratings = stats::Ratings::from_numbers(&[0.0, 1.0], &rows)?;
/// let outcome = stats::alt_test::AltTest::new(0.2, stats::alt_test::Score::Accuracy).run(&ratings, 2);
/// let verdict = outcome.verdict.expect("two humans with thirty items");
/// assert!(verdict.passed && verdict.winning_rate == 1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// Winning rate omega: share of the tested humans whose hypothesis is rejected.
    pub winning_rate: f64,
    /// Average advantage probability rho of the judge.
    pub advantage: f64,
    /// Whether the winning rate is at least one half.
    pub passed: bool,
}

impl AltTest {
    /// The published settings: q = 0.05, at least 30 items a human.
    ///
    /// ```
    /// assert_eq!(stats::alt_test::AltTest::new(0.1, stats::alt_test::Score::NegRmse).epsilon, 0.1);
    /// ```
    pub fn new(epsilon: f64, score: Score) -> Self {
        Self {
            epsilon,
            score,
            q: 0.05,
            min_items: 30,
        }
    }

    /// Tests the judge in column `judge` against every other column.
    ///
    /// For human j and every item that j, another human and the judge rated, judge and human are scored against the other
    /// humans; ties win for both. Calderon, Reichart & Dror (2025), The Alternative Annotator Test, algorithm 1.
    ///
    /// The verdict is an error with [`Reason::TooFewRaters`] below two humans or without the judge's column, with
    /// [`Reason::TooFewItems`] when no human can be tested.
    ///
    /// ```
    /// use stats::{Ratings, Reason, alt_test::{AltTest, Score}};
    /// let few = Ratings::from_numbers(&[0.0, 1.0], &[vec![Some(0.0), Some(0.0), Some(1.0)]])?;
    /// assert_eq!(AltTest::new(0.2, Score::Accuracy).run(&few, 2).verdict, Err(Reason::TooFewItems));
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn run(&self, ratings: &Ratings, judge: usize) -> Outcome {
        let columns: Vec<usize> = (0..ratings.n_raters())
            .filter(|&rater| rater != judge)
            .collect();
        let mut humans: Vec<Human> = columns
            .iter()
            .map(|&rater| self.compare(ratings, judge, rater, &columns))
            .collect();
        let n_tested = humans.iter().filter(|human| human.test.is_ok()).count();
        if judge >= ratings.n_raters() || columns.len() < 2 {
            return Outcome {
                humans,
                n_tested: 0,
                verdict: Err(Reason::TooFewRaters),
            };
        }
        if n_tested == 0 {
            return Outcome {
                humans,
                n_tested,
                verdict: Err(Reason::TooFewItems),
            };
        }
        self.decide(&mut humans, n_tested);
        let tests: Vec<HumanTest> = humans.iter().filter_map(|human| human.test.ok()).collect();
        let winning_rate =
            tests.iter().filter(|test| test.rejected).count() as f64 / n_tested as f64;
        let advantage = tests.iter().map(|test| test.judge_wins).sum::<f64>() / n_tested as f64;
        Outcome {
            humans,
            n_tested,
            verdict: Ok(Verdict {
                winning_rate,
                advantage,
                passed: winning_rate >= 0.5,
            }),
        }
    }

    fn compare(&self, ratings: &Ratings, judge: usize, rater: usize, columns: &[usize]) -> Human {
        let (mut n, mut judge_wins, mut human_wins, mut ties) = (0_u64, 0_u64, 0_u64, 0_u64);
        let mut others = Vec::new();
        for item in 0..ratings.n_items() {
            let (Some(own), Some(machine)) = (ratings.code(item, rater), ratings.code(item, judge))
            else {
                continue;
            };
            others.clear();
            others.extend(
                columns
                    .iter()
                    .filter(|&&other| other != rater)
                    .filter_map(|&other| ratings.code(item, other)),
            );
            if others.is_empty() {
                continue;
            }
            let (human, machine) = (
                self.loss(ratings, own, &others),
                self.loss(ratings, machine, &others),
            );
            n += 1;
            judge_wins += u64::from(machine <= human);
            human_wins += u64::from(human <= machine);
            ties += u64::from(human <= machine && machine <= human);
        }
        let test = if n < self.min_items.max(2) {
            Err(Reason::TooFewItems)
        } else {
            let p = self.p_value(n, human_wins as f64 - judge_wins as f64, (n - ties) as f64);
            let share = |wins: u64| wins as f64 / n as f64;
            Ok(HumanTest {
                judge_wins: share(judge_wins),
                human_wins: share(human_wins),
                p,
                rejected: false,
            })
        };
        Human {
            rater,
            n_items: n,
            test,
        }
    }

    /// What the score ranks by, smaller is better: differing humans, or the sum of squares. Dividing by the number of humans
    /// and taking the root would not change the order, only add rounding.
    fn loss(&self, ratings: &Ratings, code: u32, others: &[u32]) -> f64 {
        let values = ratings.categories().values();
        match self.score {
            Score::Accuracy => others.iter().filter(|&&other| other != code).count() as f64,
            Score::NegRmse => others
                .iter()
                .map(|&other| (values[other as usize] - values[code as usize]).powi(2))
                .sum(),
        }
    }

    /// One-sample t test of the differences (each -1, 0 or 1) against epsilon, alternative `less`.
    fn p_value(&self, n: u64, sum: f64, sum_of_squares: f64) -> f64 {
        let n = n as f64;
        let mean = sum / n;
        let scatter = n * sum_of_squares - sum * sum;
        if scatter <= 0.0 {
            return if mean < self.epsilon { 0.0 } else { 1.0 };
        }
        let error = (scatter / (n * (n - 1.0)) / n).sqrt();
        t_cdf((mean - self.epsilon) / error, n - 1.0)
    }

    /// Benjamini & Yekutieli (2001): reject up to the largest k with p_(k) <= k q / (m (1 + 1/2 + .. + 1/m)).
    fn decide(&self, humans: &mut [Human], m: usize) {
        let mut sorted: Vec<f64> = humans
            .iter()
            .filter_map(|human| human.test.ok())
            .map(|test| test.p)
            .collect();
        sorted.sort_by(|a, b| crate::categories::by_number(*a, *b));
        let harmonic: f64 = (1..=m).map(|k| 1.0 / k as f64).sum();
        let limit = |k: usize| k as f64 * self.q / (m as f64 * harmonic);
        let Some(last) = (1..=m).rev().find(|&k| sorted[k - 1] <= limit(k)) else {
            return;
        };
        for test in humans
            .iter_mut()
            .filter_map(|human| human.test.as_mut().ok())
        {
            test.rejected = test.p <= sorted[last - 1];
        }
    }
}
