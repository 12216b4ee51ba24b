//! A warning for every trap in the data.

use domain::count::count;
use std::collections::HashMap;

use formats::ratings::{Criterion, MISSING};
use stats::{Ratings, Value};

use super::measure::{Request, Row};

/// So many names are written out, the rest is counted.
const MOST_NAMES: usize = 8;

/// A warning with the criterion it is about.
pub(super) fn about(criterion: &str, text: &str) -> String {
    if criterion.is_empty() {
        text.to_owned()
    } else {
        format!("{criterion}: {text}")
    }
}

/// Looks at the ratings of a criterion.
pub(super) fn look(
    criterion: &Criterion,
    ratings: &Ratings,
    request: &Request,
    warnings: &mut Vec<String>,
) {
    let mut counts = vec![0_u64; criterion.values.len()];
    criterion
        .cells
        .iter()
        .filter(|&&cell| cell != MISSING)
        .for_each(|&cell| counts[cell as usize] += 1);
    let mut warn = |text: String| warnings.push(about(&criterion.name, &text));
    mixed(criterion, ratings, &counts, &mut warn);
    same_number(criterion, ratings, &mut warn);
    if ratings.off_scale_count() > 0 {
        off_scale(criterion, request, ratings, &counts, &mut warn);
    }
    let used_by: Vec<Vec<u64>> = (0..ratings.n_raters())
        .map(|rater| ratings.used_by(rater))
        .collect();
    let labels = ratings.categories().labels();
    let mut constant = Vec::new();
    for (rater, used) in criterion.raters.iter().zip(&used_by) {
        let there: Vec<usize> = (0..used.len()).filter(|&k| used[k] > 0).collect();
        if let [only] = there[..]
            && used[only] > 1
        {
            constant.push(format!("{rater} only {}", labels[only]));
        }
    }
    if !constant.is_empty() {
        let constant: Vec<&str> = constant.iter().map(String::as_str).collect();
        warn(format!("a rater used one category: {}", names(&constant)));
    }
    let unused: Vec<&str> = (0..labels.len())
        .filter(|&k| used_by.iter().all(|used| used[k] == 0))
        .map(|k| labels[k].as_str())
        .collect();
    if !unused.is_empty() {
        warn(format!(
            "nobody used {}; AC1, AC2 and Brennan-Prediger depend on the declared categories, kappa and alpha do not",
            names(&unused)
        ));
    }
    let pairable = ratings.n_pairable_items();
    if pairable < 30 {
        warn(format!(
            "{} rated by two raters; intervals from fewer than 30 are rough",
            count(pairable, "item was", "items were")
        ));
    }
}

/// Words among numbers turn the whole scale into words.
fn mixed(criterion: &Criterion, ratings: &Ratings, counts: &[u64], warn: &mut impl FnMut(String)) {
    if ratings.categories().is_numeric() {
        return;
    }
    let is_number = |value: &String| Value::from(value.as_str()).number().is_some();
    let words: Vec<String> = criterion
        .values
        .iter()
        .zip(counts)
        .filter(|(value, _)| !is_number(value))
        .map(|(value, count)| format!("{value} ({count})"))
        .collect();
    if words.len() < criterion.values.len() && !words.is_empty() {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        warn(format!(
            "text among numbers, so all are taken for words: {}; use --missing if they mean a missing rating",
            names(&words)
        ));
    }
}

/// `3` and `3.0` are one category.
fn same_number(criterion: &Criterion, ratings: &Ratings, warn: &mut impl FnMut(String)) {
    if !ratings.categories().is_numeric() {
        return;
    }
    let mut by_number: HashMap<u64, Vec<&str>> = HashMap::new();
    for value in &criterion.values {
        if let Some(number) = Value::from(value.as_str()).number() {
            by_number.entry(number.to_bits()).or_default().push(value);
        }
    }
    let mut merged: Vec<String> = by_number
        .into_values()
        .filter(|spellings| spellings.len() > 1)
        .map(|spellings| spellings.join(" = "))
        .collect();
    merged.sort();
    if !merged.is_empty() {
        let merged: Vec<&str> = merged.iter().map(String::as_str).collect();
        warn(format!(
            "spelt differently but one number: {}",
            names(&merged)
        ));
    }
}

fn off_scale(
    criterion: &Criterion,
    request: &Request,
    ratings: &Ratings,
    counts: &[u64],
    warn: &mut impl FnMut(String),
) {
    let declared = |value: &String| {
        let number = Value::from(value.as_str()).number();
        request.categories.iter().any(|category| {
            category.number() == number && number.is_some() || category.to_string() == *value
        })
    };
    let off: Vec<String> = criterion
        .values
        .iter()
        .zip(counts)
        .filter(|(value, count)| **count > 0 && !declared(value))
        .map(|(value, count)| format!("{value} ({count})"))
        .collect();
    let off: Vec<&str> = off.iter().map(String::as_str).collect();
    let total = ratings.off_scale_count();
    warn(format!(
        "{} not on the declared scale and kept as before: {}",
        count(total, "rating is", "ratings are"),
        names(&off)
    ));
}

/// Bootstraps that lost too many resamples.
pub(super) fn resamples(criterion: &str, rows: &[Row], warnings: &mut Vec<String>) {
    let doubtful: Vec<&str> = rows
        .iter()
        .filter(|row| matches!(&row.resampled, Some(Ok(resampled)) if resampled.is_doubtful()))
        .map(|row| row.coefficient.name())
        .collect();
    if !doubtful.is_empty() {
        warnings.push(about(criterion, &format!("more than 5 % of the resamples have no value, the interval is not to be trusted: {}", names(&doubtful))));
    }
}

fn names(all: &[&str]) -> String {
    let shown = all
        .iter()
        .take(MOST_NAMES)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    if all.len() > MOST_NAMES {
        format!("{shown} and {} more", all.len() - MOST_NAMES)
    } else {
        shown
    }
}
