//! Disagreement weights between categories: identity, linear, quadratic, custom.

use crate::categories::Categories;
use crate::result::Reason;
use std::fmt;

/// How much a pair of categories counts as agreement (Cohen 1968).
///
/// With values v and range R: identity w = 1 if equal; linear `w = 1 - |v_k - v_l|/R`; quadratic
/// `w = 1 - (v_k - v_l)^2/R^2`; custom as given. Words are apart by their positions.
///
/// ```
/// use stats::{Categories, Weights};
/// let scale = Categories::declared(&[1.0.into(), 2.0.into(), 5.0.into()])?;
/// assert_eq!(Weights::Linear.matrix(&scale).expect("fits")[0][1], 0.75);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// Full credit for the same category only.
    Identity,
    /// Credit falls with the distance.
    Linear,
    /// Credit falls with the squared distance.
    Quadratic,
    /// Given agreement weights; build with [`Weights::custom`].
    Custom(CustomWeights),
}

/// A checked square matrix of agreement weights with ones on the diagonal.
///
/// ```
/// let weights = stats::Weights::custom(vec![vec![1.0, 0.5], vec![0.5, 1.0]]);
/// assert!(matches!(weights, Ok(stats::Weights::Custom(_))));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CustomWeights(Vec<Vec<f64>>);

/// What is wrong with a matrix of weights; positions count from 1.
///
/// ```
/// let error = stats::Weights::custom(vec![vec![0.0]]).expect_err("no credit for agreeing");
/// assert_eq!(error.to_string(), "weights: row 1, column 1 is 0, but agreement with itself must be 1");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum WeightsError {
    /// A row has another length than there are rows.
    NotSquare {
        /// The row, from 1.
        row: usize,
        /// Number of rows.
        expected: usize,
        /// Entries in this row.
        found: usize,
    },
    /// A category agrees with itself by something else than 1.
    Diagonal {
        /// Row and column, from 1.
        at: usize,
        /// What is there.
        found: f64,
    },
    /// An entry is not finite or above 1.
    Entry {
        /// The row, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
        /// What is there.
        found: f64,
    },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSquare {
                row,
                expected,
                found,
            } => write!(
                f,
                "weights: row {row} has {found} entries, but there are {expected} rows"
            ),
            Self::Diagonal { at, found } => write!(
                f,
                "weights: row {at}, column {at} is {found}, but agreement with itself must be 1"
            ),
            Self::Entry { row, column, found } => write!(
                f,
                "weights: row {row}, column {column} is {found}, but an agreement weight is a number up to 1"
            ),
        }
    }
}

impl std::error::Error for WeightsError {}

impl Weights {
    /// Agreement weights of one's own, rows and columns in the order of the categories.
    ///
    /// # Errors
    /// When the matrix is not square, an entry is not finite or above 1, or the diagonal is not 1.
    ///
    /// ```
    /// assert!(stats::Weights::custom(vec![vec![1.0, 0.0]]).is_err());
    /// ```
    pub fn custom(matrix: Vec<Vec<f64>>) -> Result<Self, WeightsError> {
        let expected = matrix.len();
        for (i, entries) in matrix.iter().enumerate() {
            if entries.len() != expected {
                return Err(WeightsError::NotSquare {
                    row: i + 1,
                    expected,
                    found: entries.len(),
                });
            }
            for (j, &found) in entries.iter().enumerate() {
                if i == j && (found - 1.0).abs() > 1e-12 {
                    return Err(WeightsError::Diagonal { at: i + 1, found });
                }
                if !found.is_finite() || found > 1.0 + 1e-12 {
                    return Err(WeightsError::Entry {
                        row: i + 1,
                        column: j + 1,
                        found,
                    });
                }
            }
        }
        Ok(Self::Custom(CustomWeights(matrix)))
    }

    /// The agreement weights as a matrix.
    ///
    /// # Errors
    /// When custom weights have another size than the scale.
    ///
    /// ```
    /// use stats::{Categories, Weights};
    /// let scale = Categories::declared(&["no".into(), "yes".into()])?;
    /// assert_eq!(Weights::Identity.matrix(&scale).expect("fits"), [[1.0, 0.0], [0.0, 1.0]]);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn matrix(&self, categories: &Categories) -> Result<Vec<Vec<f64>>, Reason> {
        let distance = Distance::new(self, categories)?;
        let q = categories.len();
        Ok((0..q)
            .map(|k| (0..q).map(|l| 1.0 - distance.between(k, l)).collect())
            .collect())
    }
}

/// Disagreement d = 1 - w between the categories of one scale.
pub(crate) struct Distance<'a> {
    kind: &'a Weights,
    /// Values from 0 to 1 over the range of the scale.
    unit: Vec<f64>,
    order: &'a [u32],
}

impl<'a> Distance<'a> {
    pub fn new(kind: &'a Weights, categories: &'a Categories) -> Result<Self, Reason> {
        if let Weights::Custom(CustomWeights(matrix)) = kind
            && matrix.len() != categories.len()
        {
            return Err(Reason::WeightsMismatch);
        }
        let order = categories.order();
        let range = categories.range();
        let low = order
            .first()
            .map_or(0.0, |&first| categories.values()[first as usize]);
        let scale = if range > 0.0 { range } else { 1.0 };
        let unit = categories
            .values()
            .iter()
            .map(|v| (v - low) / scale)
            .collect();
        Ok(Self { kind, unit, order })
    }

    pub fn between(&self, k: usize, l: usize) -> f64 {
        match self.kind {
            Weights::Identity => f64::from(u8::from(k != l)),
            Weights::Linear => (self.unit[k] - self.unit[l]).abs(),
            Weights::Quadratic => (self.unit[k] - self.unit[l]).powi(2),
            Weights::Custom(CustomWeights(matrix)) => 1.0 - matrix[k][l],
        }
    }

    /// Mean disagreement of each category with a distribution: sum over l of `d_kl p_l`.
    pub fn towards(&self, p: &[f64]) -> Vec<f64> {
        match self.kind {
            Weights::Identity => {
                let total: f64 = p.iter().sum();
                p.iter().map(|x| total - x).collect()
            }
            Weights::Linear => self.linear_towards(p),
            Weights::Quadratic => {
                let total: f64 = p.iter().sum();
                let mean = p.iter().zip(&self.unit).map(|(x, v)| x * v).sum::<f64>()
                    / if total > 0.0 { total } else { 1.0 };
                let spread: f64 = p
                    .iter()
                    .zip(&self.unit)
                    .map(|(x, v)| x * (v - mean).powi(2))
                    .sum();
                self.unit
                    .iter()
                    .map(|v| total * (v - mean).powi(2) + spread)
                    .collect()
            }
            Weights::Custom(_) => (0..p.len())
                .map(|k| {
                    p.iter()
                        .enumerate()
                        .map(|(l, x)| x * self.between(k, l))
                        .sum()
                })
                .collect(),
        }
    }

    /// As [`Distance::towards`] with the roles swapped: sum over k of `d_kl p_k`.
    pub fn from(&self, p: &[f64]) -> Vec<f64> {
        match self.kind {
            Weights::Custom(_) => (0..p.len())
                .map(|l| {
                    p.iter()
                        .enumerate()
                        .map(|(k, x)| x * self.between(k, l))
                        .sum()
                })
                .collect(),
            _ => self.towards(p),
        }
    }

    /// Running sums in the order of the values: linear in the number of categories.
    fn linear_towards(&self, p: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; p.len()];
        for up in [true, false] {
            let (mut mass, mut moment, mut last) = (0.0, 0.0, 0.0);
            let mut step = |code: u32| {
                let k = code as usize;
                // everything passed so far is further away by the step just made
                moment += mass * (self.unit[k] - last).abs();
                mass += p[k];
                last = self.unit[k];
                out[k] += moment;
            };
            if up {
                self.order.iter().copied().for_each(&mut step);
            } else {
                self.order.iter().rev().copied().for_each(&mut step);
            }
        }
        out
    }

    /// Sum of all agreement weights, `T_w`.
    pub fn total_weight(&self) -> f64 {
        let ones = vec![1.0; self.unit.len()];
        let q = self.unit.len() as f64;
        q * q - self.towards(&ones).iter().sum::<f64>()
    }
}
