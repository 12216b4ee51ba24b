//! The table of two raters: observed cells and margins, over complete pairs.

use crate::ratings::{MISSING, Ratings, Sample};
use crate::result::{DropReason, Dropped, Reason};

/// Counts of two raters' joint ratings; only cells that occur are stored.
pub(crate) struct Table {
    /// (row, column, count) for every cell that occurs.
    pub cells: Vec<(usize, usize, u64)>,
    pub rows: Vec<u64>,
    pub columns: Vec<u64>,
    pub n: u64,
}

impl Table {
    pub fn new(sample: Sample<'_>, [first, second]: [usize; 2]) -> Self {
        let q = sample.ratings.categories().len();
        let mut table = Self {
            cells: Vec::new(),
            rows: vec![0; q],
            columns: vec![0; q],
            n: 0,
        };
        for (codes, count) in sample.patterns() {
            let (a, b) = (codes[first], codes[second]);
            if a != MISSING && b != MISSING {
                table.cells.push((a as usize, b as usize, count));
                table.rows[a as usize] += count;
                table.columns[b as usize] += count;
                table.n += count;
            }
        }
        if sample.ratings.n_raters() > 2 {
            table.merge_equal_cells();
        }
        table
    }

    /// With more raters several patterns share a cell of the pair.
    fn merge_equal_cells(&mut self) {
        self.cells.sort_unstable();
        self.cells.dedup_by(|later, kept| {
            let same = (later.0, later.1) == (kept.0, kept.1);
            if same {
                kept.2 += later.2;
            }
            same
        });
    }

    /// Whether the first or the second rater used one category only.
    pub fn constant_rater(&self) -> bool {
        [&self.rows, &self.columns]
            .into_iter()
            .any(|margin| margin.iter().filter(|&&n| n > 0).count() == 1)
    }

    pub fn row_shares(&self) -> Vec<f64> {
        shares(&self.rows, self.n)
    }

    pub fn column_shares(&self) -> Vec<f64> {
        shares(&self.columns, self.n)
    }

    /// The whole table, categories that do not occur included.
    pub fn dense(&self) -> Vec<Vec<u64>> {
        let q = self.rows.len();
        let mut dense = vec![vec![0; q]; q];
        for &(k, l, count) in &self.cells {
            dense[k][l] += count;
        }
        dense
    }
}

fn shares(counts: &[u64], n: u64) -> Vec<f64> {
    counts
        .iter()
        .map(|&count| count as f64 / n as f64)
        .collect()
}

/// Items without a complete pair of these raters.
pub(crate) fn dropped_pairs(sample: Sample<'_>, [first, second]: [usize; 2]) -> Vec<Dropped> {
    let (mut none, mut single) = (0, 0);
    for (codes, count) in sample.patterns() {
        match (codes[first] == MISSING, codes[second] == MISSING) {
            (true, true) => none += count,
            (false, false) => {}
            _ => single += count,
        }
    }
    listed(&[
        (DropReason::NoRating, none),
        (DropReason::SingleRating, single),
    ])
}

/// The reasons that occurred.
pub(crate) fn listed(counts: &[(DropReason, u64)]) -> Vec<Dropped> {
    counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|&(reason, count)| Dropped { reason, count })
        .collect()
}

/// Refuses rater numbers that do not exist.
pub(crate) fn check_raters(ratings: &Ratings, raters: [usize; 2]) -> Result<(), Reason> {
    if raters.iter().any(|&rater| rater >= ratings.n_raters()) {
        Err(Reason::TooFewRaters)
    } else {
        Ok(())
    }
}

/// The pair of a two-rater matrix.
pub(crate) fn only_pair(ratings: &Ratings) -> Result<[usize; 2], Reason> {
    if ratings.n_raters() == 2 {
        Ok([0, 1])
    } else {
        Err(Reason::NotTwoRaters)
    }
}
