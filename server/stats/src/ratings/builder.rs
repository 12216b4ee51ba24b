//! Building the matrix row by row.

use super::{MISSING, Ratings, RatingsError};
use crate::categories::Categories;
use crate::pattern::PatternIndex;

/// Fills [`Ratings`] row by row from category codes, without keeping the rows.
///
/// ```
/// use stats::{Categories, RatingsBuilder};
/// let scale = Categories::declared(&["no".into(), "yes".into()])?;
/// let mut builder = RatingsBuilder::new(scale, 2);
/// builder.push(&[Some(0), Some(1)])?;
/// builder.push(&[Some(1), None])?;
/// assert_eq!(builder.finish().n_items(), 2);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Debug)]
pub struct RatingsBuilder {
    pub(super) ratings: Ratings,
    index: PatternIndex,
    row: Vec<u32>,
}

impl RatingsBuilder {
    /// Nothing yet, for so many raters.
    ///
    /// ```
    /// let scale = stats::Categories::declared(&["no".into(), "yes".into()])?;
    /// assert_eq!(stats::RatingsBuilder::new(scale, 3).finish().n_raters(), 3);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn new(categories: Categories, n_raters: usize) -> Self {
        let ratings = Ratings {
            categories,
            n_raters,
            cells: Vec::new(),
            counts: Vec::new(),
            item_pattern: Vec::new(),
            n_missing: 0,
            off_scale_count: 0,
        };
        Self {
            ratings,
            index: PatternIndex::default(),
            row: Vec::new(),
        }
    }

    /// Adds an item; `None` is a missing rating, a number the position of the category.
    ///
    /// # Errors
    /// When the row has another length than the raters, or a code no category.
    ///
    /// ```
    /// let scale = stats::Categories::declared(&["no".into(), "yes".into()])?;
    /// let mut builder = stats::RatingsBuilder::new(scale, 2);
    /// assert!(builder.push(&[Some(0), Some(7)]).is_err());
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn push(&mut self, row: &[Option<u32>]) -> Result<(), RatingsError> {
        if row.len() != self.ratings.n_raters {
            let (row_number, expected) = (self.ratings.item_pattern.len(), self.ratings.n_raters);
            return Err(RatingsError::Ragged {
                row: row_number,
                expected,
                found: row.len(),
            });
        }
        let n = self.ratings.categories.len() as u32;
        if let Some(code) = row.iter().flatten().find(|&&code| code >= n) {
            return Err(RatingsError::UnknownCode(*code));
        }
        let mut codes = std::mem::take(&mut self.row);
        codes.clear();
        codes.extend(row.iter().map(|cell| cell.unwrap_or(MISSING)));
        self.push_codes(&codes);
        self.row = codes;
        Ok(())
    }

    /// Says how many of the ratings were not on the declared scale.
    ///
    /// ```
    /// let scale = stats::Categories::declared(&["no".into(), "yes".into(), "maybe".into()])?;
    /// let mut builder = stats::RatingsBuilder::new(scale, 2);
    /// builder.push(&[Some(0), Some(2)])?;
    /// builder.count_off_scale(1);
    /// assert_eq!(builder.finish().off_scale_count(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn count_off_scale(&mut self, count: u64) {
        self.ratings.off_scale_count += count;
    }

    pub(super) fn push_codes(&mut self, codes: &[u32]) {
        let ratings = &mut self.ratings;
        ratings.n_missing += codes.iter().filter(|&&code| code == MISSING).count() as u64;
        let pattern = self
            .index
            .find_or_insert(codes, &mut ratings.cells, ratings.counts.len());
        if pattern == ratings.counts.len() {
            ratings.counts.push(0);
        }
        ratings.counts[pattern] += 1;
        ratings.item_pattern.push(pattern as u32);
    }

    /// The ratings.
    ///
    /// ```
    /// let scale = stats::Categories::declared(&["no".into(), "yes".into()])?;
    /// assert_eq!(stats::RatingsBuilder::new(scale, 2).finish().n_items(), 0);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn finish(self) -> Ratings {
        self.ratings
    }
}
