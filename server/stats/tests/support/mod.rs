//! Matrices written short.
#![expect(clippy::unwrap_used, reason = "a test that fails says so")]

use stats::Ratings;
use std::ops::RangeInclusive;

/// Whole numbers as a numeric scale.
pub fn scale(range: RangeInclusive<u32>) -> Vec<f64> {
    range.map(f64::from).collect()
}

/// Rows of digits, a dot for a missing rating.
pub fn digits(range: RangeInclusive<u32>, text: &str) -> Ratings {
    let row = |row: &str| row.chars().map(|c| c.to_digit(10).map(f64::from)).collect();
    let rows: Vec<Vec<Option<f64>>> = text.split_whitespace().map(row).collect();
    Ratings::from_numbers(&scale(range), &rows).unwrap()
}

/// A contingency table, first rater in rows.
pub fn table(labels: &[&str], counts: &[&[usize]]) -> Ratings {
    let cell = |k: usize, l: usize| vec![vec![Some(labels[k]), Some(labels[l])]; counts[k][l]];
    let all = (0..labels.len()).flat_map(|k| (0..labels.len()).map(move |l| (k, l)));
    let rows: Vec<_> = all.flat_map(|(k, l)| cell(k, l)).collect();
    Ratings::from_words(labels, &rows).unwrap()
}
