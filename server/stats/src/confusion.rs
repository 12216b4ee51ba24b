//! Confusion matrix; precision, recall, F1, per class, macro, micro; Matthews correlation.

use crate::percent::proportion;
use crate::ratings::Ratings;
use crate::result::{Dropped, Estimate, Reason, Statistic, Undefined};
use crate::table::{Table, check_raters, dropped_pairs};

/// Counts of reference (rows) against prediction (columns), in the order of the categories.
///
/// ```
/// use stats::{Ratings, confusion::Confusion};
/// let rows = [vec![Some("yes"), Some("yes")], vec![Some("yes"), Some("no")], vec![Some("no"), Some("no")]];
/// let confusion = Confusion::new(&Ratings::from_words(&["no", "yes"], &rows)?, [0, 1]).expect("two raters");
/// assert_eq!(confusion.counts, [[1, 0], [1, 1]]);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    /// `counts[reference][prediction]`.
    pub counts: Vec<Vec<u64>>,
    /// Pairs that entered.
    pub n: u64,
    /// Items without a complete pair.
    pub dropped: Vec<Dropped>,
}

/// A category against the rest: true and false positives and negatives.
///
/// ```
/// let binary = stats::confusion::Binary { tp: 8, fp: 2, fn_: 4, tn: 16 };
/// assert_eq!(binary.precision().expect("ten predicted").value, 0.8);
/// assert_eq!(binary.f1().expect("class occurs").value, 8.0 / 11.0);
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Binary {
    /// Reference and prediction positive.
    pub tp: u64,
    /// Only the prediction positive.
    pub fp: u64,
    /// Only the reference positive.
    pub fn_: u64,
    /// Neither.
    pub tn: u64,
}

impl Binary {
    /// Share of the predicted positives that are right, TP/(TP + FP), with its Wilson interval.
    ///
    /// # Errors
    /// [`Reason::NothingPredicted`] when nothing was predicted positive.
    ///
    /// ```
    /// let never = stats::confusion::Binary { tp: 0, fp: 0, fn_: 4, tn: 20 };
    /// assert_eq!(never.precision().expect_err("0/0").reason, stats::Reason::NothingPredicted);
    /// ```
    pub fn precision(&self) -> Statistic {
        proportion(
            self.tp,
            self.tp + self.fp,
            Vec::new(),
            Reason::NothingPredicted,
        )
    }

    /// Share of the reference positives that were found (sensitivity), TP/(TP + FN), with its Wilson interval.
    ///
    /// # Errors
    /// [`Reason::NoGoldPositive`] when the reference has no positive.
    ///
    /// ```
    /// let binary = stats::confusion::Binary { tp: 8, fp: 2, fn_: 4, tn: 16 };
    /// assert_eq!(binary.recall().expect("twelve").value, 8.0 / 12.0);
    /// ```
    pub fn recall(&self) -> Statistic {
        proportion(
            self.tp,
            self.tp + self.fn_,
            Vec::new(),
            Reason::NoGoldPositive,
        )
    }

    /// Share of the reference negatives that were left alone, TN/(TN + FP), with its Wilson interval.
    ///
    /// # Errors
    /// [`Reason::NoValidationNegative`] when the reference has no negative.
    ///
    /// ```
    /// let binary = stats::confusion::Binary { tp: 8, fp: 2, fn_: 4, tn: 16 };
    /// assert_eq!(binary.specificity().expect("eighteen").value, 16.0 / 18.0);
    /// ```
    pub fn specificity(&self) -> Statistic {
        proportion(
            self.tn,
            self.tn + self.fp,
            Vec::new(),
            Reason::NoValidationNegative,
        )
    }

    /// Share of the predicted negatives that are right, TN/(TN + FN), with its Wilson interval.
    ///
    /// # Errors
    /// [`Reason::NothingPredicted`] when nothing was predicted negative.
    ///
    /// ```
    /// let binary = stats::confusion::Binary { tp: 8, fp: 2, fn_: 4, tn: 16 };
    /// assert_eq!(binary.negative_predictive_value().expect("twenty").value, 0.8);
    /// ```
    pub fn negative_predictive_value(&self) -> Statistic {
        proportion(
            self.tn,
            self.tn + self.fn_,
            Vec::new(),
            Reason::NothingPredicted,
        )
    }

    /// F1 = 2TP/(2TP + FP + FN).
    ///
    /// # Errors
    /// [`Reason::ClassAbsent`] when the class occurs neither in the reference nor in the prediction.
    ///
    /// ```
    /// let never = stats::confusion::Binary { tp: 0, fp: 0, fn_: 4, tn: 20 };
    /// assert_eq!(never.f1().expect("four in the reference").value, 0.0);
    /// ```
    pub fn f1(&self) -> Statistic {
        let (twice, all) = (2 * self.tp, 2 * self.tp + self.fp + self.fn_);
        let n = self.tp + self.fp + self.fn_ + self.tn;
        if all == 0 {
            return Err(Undefined::new(Reason::ClassAbsent, n, Vec::new()));
        }
        Ok(Estimate::plain(twice as f64 / all as f64, n, Vec::new()))
    }
}

impl Confusion {
    /// Counts the pairs complete for reference and prediction.
    ///
    /// # Errors
    /// [`Reason::TooFewRaters`] when a column does not exist; [`Reason::TooManyCategories`] for more than 4096 categories.
    ///
    /// ```
    /// let one = stats::Ratings::from_numbers(&[1.0], &[vec![Some(1.0)]])?;
    /// assert!(stats::confusion::Confusion::new(&one, [0, 1]).is_err());
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn new(ratings: &Ratings, [reference, prediction]: [usize; 2]) -> Result<Self, Reason> {
        check_raters(ratings, [reference, prediction])?;
        if ratings.categories().len() > 4096 {
            return Err(Reason::TooManyCategories);
        }
        let table = Table::new(ratings.sample(), [reference, prediction]);
        Ok(Self {
            counts: table.dense(),
            n: table.n,
            dropped: dropped_pairs(ratings.sample(), [reference, prediction]),
        })
    }

    /// One category against the rest.
    ///
    /// ```
    /// let rows = [vec![Some("yes"), Some("yes")], vec![Some("no"), Some("yes")]];
    /// let confusion = stats::confusion::Confusion::new(&stats::Ratings::from_words(&["no", "yes"], &rows)?, [0, 1]).expect("two");
    /// assert_eq!(confusion.class(1), stats::confusion::Binary { tp: 1, fp: 1, fn_: 0, tn: 0 });
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn class(&self, category: usize) -> Binary {
        let cell = |k: usize, l: usize| {
            self.counts
                .get(k)
                .and_then(|row| row.get(l))
                .copied()
                .unwrap_or(0)
        };
        let tp = cell(category, category);
        let predicted: u64 = (0..self.counts.len()).map(|k| cell(k, category)).sum();
        let reference: u64 = (0..self.counts.len()).map(|l| cell(category, l)).sum();
        Binary {
            tp,
            fp: predicted - tp,
            fn_: reference - tp,
            tn: self.n + tp - predicted - reference,
        }
    }

    /// How often the category occurs in the reference.
    ///
    /// ```
    /// let rows = [vec![Some("yes"), Some("no")]];
    /// let confusion = stats::confusion::Confusion::new(&stats::Ratings::from_words(&["no", "yes"], &rows)?, [0, 1]).expect("two");
    /// assert_eq!(confusion.support(1), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn support(&self, category: usize) -> u64 {
        self.counts.get(category).map_or(0, |row| row.iter().sum())
    }

    /// Share of right predictions with its Wilson interval; also micro precision, recall and F1 of single-label data.
    ///
    /// # Errors
    /// [`Reason::NoPairs`] without pairs.
    ///
    /// ```
    /// let rows = [vec![Some("yes"), Some("yes")], vec![Some("no"), Some("yes")]];
    /// let confusion = stats::confusion::Confusion::new(&stats::Ratings::from_words(&["no", "yes"], &rows)?, [0, 1]).expect("two");
    /// assert_eq!(confusion.accuracy().expect("two pairs").value, 0.5);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn accuracy(&self) -> Statistic {
        let right = (0..self.counts.len()).map(|k| self.counts[k][k]).sum();
        proportion(right, self.n, self.dropped.clone(), Reason::NoPairs)
    }

    /// Means over classes.
    ///
    /// # Errors
    /// [`Reason::NoPairs`] without pairs.
    ///
    /// ```
    /// let rows = [vec![Some("yes"), Some("yes")], vec![Some("no"), Some("yes")]];
    /// let confusion = stats::confusion::Confusion::new(&stats::Ratings::from_words(&["no", "yes"], &rows)?, [0, 1]).expect("two");
    /// assert_eq!(confusion.averages().expect("two pairs").macro_recall, 0.5);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn averages(&self) -> Result<Averages, Reason> {
        if self.n == 0 {
            return Err(Reason::NoPairs);
        }
        let classes: Vec<(Binary, u64)> = (0..self.counts.len())
            .map(|k| (self.class(k), self.support(k)))
            .collect();
        let seen: Vec<_> = classes
            .iter()
            .filter(|(class, _)| class.tp + class.fp + class.fn_ > 0)
            .collect();
        let in_reference: Vec<_> = seen.iter().filter(|(_, support)| *support > 0).collect();
        let or_zero = |statistic: Statistic| statistic.map_or(0.0, |estimate| estimate.value);
        let mean = |f: fn(&Binary) -> Statistic| {
            seen.iter().map(|(class, _)| or_zero(f(class))).sum::<f64>() / seen.len() as f64
        };
        Ok(Averages {
            macro_precision: mean(Binary::precision),
            macro_recall: mean(Binary::recall),
            macro_f1: mean(Binary::f1),
            weighted_f1: seen
                .iter()
                .map(|(class, support)| *support as f64 * or_zero(class.f1()))
                .sum::<f64>()
                / self.n as f64,
            balanced_accuracy: in_reference
                .iter()
                .map(|(class, _)| or_zero(class.recall()))
                .sum::<f64>()
                / in_reference.len() as f64,
        })
    }

    /// Matthews correlation coefficient, for any number of classes.
    ///
    /// Matthews (1975), Biochim. Biophys. Acta 405:442-451; Gorodkin (2004), Comput. Biol. Chem. 28:367-374.
    ///
    /// # Errors
    /// [`Reason::NoPairs`] without pairs, [`Reason::ZeroVariance`] when reference or prediction is constant.
    ///
    /// ```
    /// let rows = [vec![Some("yes"), Some("yes")], vec![Some("no"), Some("no")]];
    /// let confusion = stats::confusion::Confusion::new(&stats::Ratings::from_words(&["no", "yes"], &rows)?, [0, 1]).expect("two");
    /// assert_eq!(confusion.mcc().expect("both vary").value, 1.0);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn mcc(&self) -> Statistic {
        let undefined = |reason| Err(Undefined::new(reason, self.n, self.dropped.clone()));
        if self.n == 0 {
            return undefined(Reason::NoPairs);
        }
        let n = self.n as f64;
        let reference: Vec<f64> = (0..self.counts.len())
            .map(|k| self.support(k) as f64 / n)
            .collect();
        let prediction: Vec<f64> = (0..self.counts.len())
            .map(|l| self.counts.iter().map(|row| row[l]).sum::<u64>() as f64 / n)
            .collect();
        let free = |shares: &[f64]| shares.iter().map(|p| p * (1.0 - p)).sum::<f64>();
        if free(&reference) <= 0.0 || free(&prediction) <= 0.0 {
            return undefined(Reason::ZeroVariance);
        }
        let right = (0..self.counts.len())
            .map(|k| self.counts[k][k])
            .sum::<u64>() as f64
            / n;
        let chance: f64 = reference.iter().zip(&prediction).map(|(a, b)| a * b).sum();
        let value = (right - chance) / (free(&reference) * free(&prediction)).sqrt();
        Ok(Estimate::plain(value, self.n, self.dropped.clone()))
    }
}

/// Means over the classes seen in reference or prediction; an undefined precision or recall counts as 0.
///
/// ```
/// let rows = [vec![Some("yes"), Some("yes")], vec![Some("no"), Some("no")]];
/// let confusion = stats::confusion::Confusion::new(&stats::Ratings::from_words(&["no", "yes"], &rows)?, [0, 1]).expect("two");
/// assert_eq!(confusion.averages().expect("two pairs").macro_f1, 1.0);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Averages {
    /// Unweighted mean of the precisions.
    pub macro_precision: f64,
    /// Unweighted mean of the recalls.
    pub macro_recall: f64,
    /// Unweighted mean of the F1 values.
    pub macro_f1: f64,
    /// Mean of the F1 values weighted by support.
    pub weighted_f1: f64,
    /// Mean recall over the classes of the reference.
    pub balanced_accuracy: f64,
}
