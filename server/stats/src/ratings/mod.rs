//! The matrix of ratings, kept as rating patterns with 64-bit counts.

mod builder;
mod coding;

use crate::categories::{Categories, Value};
use coding::Key;
use std::collections::HashMap;
use std::fmt;

pub use builder::RatingsBuilder;
pub use coding::Coding;

/// The code of a missing rating.
pub(crate) const MISSING: u32 = u32::MAX;

/// Why a matrix of ratings cannot be built.
///
/// ```
/// let ragged = stats::Ratings::from_numbers(&[1.0], &[vec![Some(1.0)], vec![]]);
/// assert_eq!(ragged, Err(stats::RatingsError::Ragged { row: 1, expected: 1, found: 0 }));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RatingsError {
    /// A row (counted from 0) has another number of ratings than the first.
    Ragged {
        /// The row, counted from 0.
        row: usize,
        /// Ratings in the first row.
        expected: usize,
        /// Ratings in this row.
        found: usize,
    },
    /// A category is declared twice.
    DuplicateCategory(String),
    /// A code does not belong to a category.
    UnknownCode(u32),
}

impl fmt::Display for RatingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ragged {
                row,
                expected,
                found,
            } => write!(
                f,
                "row {} has {found} ratings where the first has {expected}",
                row + 1
            ),
            Self::DuplicateCategory(name) => write!(f, "the category `{name}` is declared twice"),
            Self::UnknownCode(code) => write!(f, "there is no category number {code}"),
        }
    }
}

impl std::error::Error for RatingsError {}

/// Items x raters with missing ratings, over declared categories.
///
/// Equal rows are counted once; every statistic works on the counts.
///
/// ```
/// use stats::Ratings;
/// let rows = [vec![Some(1.0), Some(2.0)], vec![Some(1.0), Some(2.0)], vec![Some(3.5), None]];
/// let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0, 4.0, 5.0], &rows)?;
/// assert_eq!((ratings.n_items(), ratings.n_raters(), ratings.n_missing()), (3, 2, 1));
/// // 3.5 is kept with its value and counted, never rounded
/// assert_eq!(ratings.off_scale_count(), 1);
/// assert_eq!(ratings.categories().labels(), ["1", "2", "3", "3.5", "4", "5"]);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    categories: Categories,
    n_raters: usize,
    cells: Vec<u32>,
    counts: Vec<u64>,
    item_pattern: Vec<u32>,
    n_missing: u64,
    off_scale_count: u64,
}

impl Ratings {
    /// Ratings that are numbers, on a declared numeric scale. Not-a-number counts as missing.
    ///
    /// # Errors
    /// On a ragged row or a category declared twice.
    ///
    /// ```
    /// let ratings = stats::Ratings::from_numbers(&[1.0, 2.0], &[vec![Some(1.0), Some(2.0)]])?;
    /// assert_eq!(ratings.n_items(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn from_numbers(
        categories: &[f64],
        rows: &[Vec<Option<f64>>],
    ) -> Result<Self, RatingsError> {
        let categories: Vec<Value> = categories.iter().map(|&x| Value::Number(x)).collect();
        let rows: Vec<Vec<Option<Value>>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.map(Value::Number)).collect())
            .collect();
        Self::from_values(Some(&categories), &rows)
    }

    /// Ratings that are words, over declared words in their order.
    ///
    /// # Errors
    /// On a ragged row or a category declared twice.
    ///
    /// ```
    /// let ratings = stats::Ratings::from_words(&["valid", "invalid"], &[vec![Some("valid"), None]])?;
    /// assert_eq!(ratings.n_missing(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn from_words(
        categories: &[&str],
        rows: &[Vec<Option<&str>>],
    ) -> Result<Self, RatingsError> {
        let categories: Vec<Value> = categories.iter().map(|&word| Value::from(word)).collect();
        let rows: Vec<Vec<Option<Value>>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.map(Value::from)).collect())
            .collect();
        Self::from_values(Some(&categories), &rows)
    }

    /// Ratings of any kind. With `None` for the categories the values seen are the scale, sorted by number when all are
    /// numbers. Where every value and category spells a number, `3`, `"3"` and `"3.0"` are one category.
    ///
    /// # Errors
    /// On a ragged row or a category declared twice.
    ///
    /// ```
    /// use stats::{Ratings, Value};
    /// let rows = [vec![Some(Value::from("10")), Some(Value::from("9.0"))]];
    /// assert_eq!(Ratings::from_values(None, &rows)?.categories().labels(), ["9", "10"]);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn from_values(
        categories: Option<&[Value]>,
        rows: &[Vec<Option<Value>>],
    ) -> Result<Self, RatingsError> {
        let n_raters = rows.first().map_or(0, Vec::len);
        let mut seen: Vec<Value> = Vec::new();
        let mut known: HashMap<Key, u32> = HashMap::new();
        let mut ids = Vec::with_capacity(rows.len() * n_raters);
        for (row, cells) in rows.iter().enumerate() {
            if cells.len() != n_raters {
                return Err(RatingsError::Ragged {
                    row,
                    expected: n_raters,
                    found: cells.len(),
                });
            }
            for cell in cells {
                ids.push(match cell {
                    None => MISSING,
                    Some(Value::Number(x)) if !x.is_finite() => MISSING,
                    Some(value) => *known.entry(Key::of(value)).or_insert_with(|| {
                        seen.push(value.clone());
                        seen.len() as u32 - 1
                    }),
                });
            }
        }
        let Coding {
            categories,
            codes: code_of,
            off_scale,
        } = Coding::new(categories, &seen)?;
        let mut builder = RatingsBuilder::new(categories, n_raters);
        let mut row = vec![MISSING; n_raters];
        for start in 0..rows.len() {
            for (cell, &id) in row.iter_mut().zip(&ids[start * n_raters..]) {
                *cell = if id == MISSING {
                    MISSING
                } else {
                    code_of[id as usize]
                };
                builder.ratings.off_scale_count +=
                    u64::from(id != MISSING && off_scale[id as usize]);
            }
            builder.push_codes(&row);
        }
        Ok(builder.finish())
    }

    /// The scale, off-scale values included.
    ///
    /// ```
    /// let ratings = stats::Ratings::from_numbers(&[1.0, 2.0], &[])?;
    /// assert_eq!(ratings.categories().len(), 2);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// Number of items, those without any rating included.
    ///
    /// ```
    /// assert_eq!(stats::Ratings::from_numbers(&[1.0], &[vec![None, None]])?.n_items(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn n_items(&self) -> usize {
        self.item_pattern.len()
    }

    /// Number of raters (columns).
    ///
    /// ```
    /// assert_eq!(stats::Ratings::from_numbers(&[1.0], &[vec![None, None]])?.n_raters(), 2);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn n_raters(&self) -> usize {
        self.n_raters
    }

    /// Number of missing cells.
    ///
    /// ```
    /// assert_eq!(stats::Ratings::from_numbers(&[1.0], &[vec![Some(1.0), None]])?.n_missing(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn n_missing(&self) -> u64 {
        self.n_missing
    }

    /// Number of ratings that are not on the declared scale.
    ///
    /// ```
    /// assert_eq!(stats::Ratings::from_numbers(&[1.0], &[vec![Some(1.0), Some(2.0)]])?.off_scale_count(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn off_scale_count(&self) -> u64 {
        self.off_scale_count
    }

    /// Number of different rows.
    ///
    /// ```
    /// let rows = [vec![Some(1.0), Some(1.0)], vec![Some(1.0), Some(1.0)]];
    /// assert_eq!(stats::Ratings::from_numbers(&[1.0], &rows)?.n_patterns(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn n_patterns(&self) -> usize {
        self.counts.len()
    }

    /// Items with at least two ratings.
    ///
    /// ```
    /// let rows = [vec![Some(1.0), Some(1.0)], vec![Some(1.0), None]];
    /// assert_eq!(stats::Ratings::from_numbers(&[1.0], &rows)?.n_pairable_items(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn n_pairable_items(&self) -> u64 {
        self.sample()
            .patterns()
            .filter(|(codes, _)| rated(codes).count() >= 2)
            .map(|(_, count)| count)
            .sum()
    }

    /// How often a rater used each category, in the order of the categories.
    ///
    /// ```
    /// let ratings = stats::Ratings::from_numbers(&[1.0, 2.0], &[vec![Some(2.0), None]])?;
    /// assert_eq!(ratings.used_by(0), [0, 1]);
    /// assert_eq!(ratings.used_by(1), [0, 0]);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn used_by(&self, rater: usize) -> Vec<u64> {
        let mut used = vec![0; self.categories.len()];
        for (codes, count) in self.sample().patterns() {
            if let Some(total) = codes
                .get(rater)
                .and_then(|&code| used.get_mut(code as usize))
            {
                *total += count;
            }
        }
        used
    }

    /// The code (category number) a rater gave to an item.
    ///
    /// ```
    /// let ratings = stats::Ratings::from_numbers(&[1.0, 2.0], &[vec![Some(2.0), None]])?;
    /// assert_eq!((ratings.code(0, 0), ratings.code(0, 1)), (Some(1), None));
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn code(&self, item: usize, rater: usize) -> Option<u32> {
        let pattern = *self.item_pattern.get(item)? as usize;
        let code = *self.pattern_codes(pattern).get(rater)?;
        (code != MISSING).then_some(code)
    }

    pub(crate) fn pattern_codes(&self, pattern: usize) -> &[u32] {
        &self.cells[pattern * self.n_raters..(pattern + 1) * self.n_raters]
    }

    pub(crate) fn item_pattern(&self) -> &[u32] {
        &self.item_pattern
    }

    pub(crate) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The ratings as they are, each item once.
    pub(crate) fn sample(&self) -> Sample<'_> {
        Sample {
            ratings: self,
            counts: &self.counts,
        }
    }
}

/// Ratings with a count for every pattern: the data, or a resample of them.
#[derive(Clone, Copy)]
pub(crate) struct Sample<'a> {
    pub ratings: &'a Ratings,
    pub counts: &'a [u64],
}

impl<'a> Sample<'a> {
    /// Every pattern that occurs, with its count.
    pub fn patterns(self) -> impl Iterator<Item = (&'a [u32], u64)> {
        let ratings = self.ratings;
        self.counts
            .iter()
            .enumerate()
            .filter(|&(_, &count)| count > 0)
            .map(move |(i, &count)| (ratings.pattern_codes(i), count))
    }
}

/// The codes that are there.
pub(crate) fn rated(codes: &[u32]) -> impl Iterator<Item = usize> + '_ {
    codes
        .iter()
        .filter(|&&code| code != MISSING)
        .map(|&code| code as usize)
}
