//! From raw values to category codes.

use super::RatingsError;
use crate::categories::{Categories, Value, by_number, label};
use std::collections::{HashMap, HashSet};

/// What makes two raw values the same before it is known whether all are numbers.
#[derive(Eq, Hash, PartialEq)]
pub(super) enum Key {
    Number(u64),
    Word(String),
}

impl Key {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Number(x) => Self::Number((x + 0.0).to_bits()),
            Value::Word(word) => Self::Word(word.clone()),
        }
    }
}

/// How raw values become categories: the scale, and the code of every value seen.
///
/// ```
/// use stats::{Coding, Value};
/// let declared = [Value::from("1"), "2".into(), "3".into()];
/// let coding = Coding::new(Some(&declared), &["3.0".into(), "2.5".into()])?;
/// assert_eq!(coding.categories.labels(), ["1", "2", "2.5", "3"]);
/// assert_eq!((coding.codes, coding.off_scale), (vec![3, 2], vec![false, true]));
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Coding {
    /// The declared scale with off-scale values in their places, or the values seen.
    pub categories: Categories,
    /// Category number of each value seen.
    pub codes: Vec<u32>,
    /// Whether each value seen is off the declared scale.
    pub off_scale: Vec<bool>,
}

impl Coding {
    /// Decides about numbers and words from everything declared and seen.
    ///
    /// # Errors
    /// When a category is declared twice.
    ///
    /// ```
    /// let coding = stats::Coding::new(None, &["10".into(), "9".into()])?;
    /// assert_eq!(coding.categories.labels(), ["9", "10"]);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn new(declared: Option<&[Value]>, seen: &[Value]) -> Result<Self, RatingsError> {
        let all = declared.unwrap_or_default().iter().chain(seen);
        let numeric =
            all.clone().next().is_some() && all.clone().all(|value| value.number().is_some());
        let mut scale: Vec<Value> = declared.unwrap_or_default().to_vec();
        let ascending = scale
            .windows(2)
            .all(|pair| pair[0].number() < pair[1].number());
        let on_scale: HashSet<String> = scale.iter().map(|value| label(value, numeric)).collect();
        let mut names = on_scale.clone();
        scale.extend(
            seen.iter()
                .filter(|value| names.insert(label(value, numeric)))
                .cloned(),
        );
        if numeric && ascending {
            scale.sort_by(|a, b| by_number(a.number().unwrap_or(0.0), b.number().unwrap_or(0.0)));
        } else if declared.is_none() {
            scale.sort_by_key(ToString::to_string);
        }
        let categories = Categories::new(&scale, numeric)?;
        let position: HashMap<&str, u32> = categories
            .labels()
            .iter()
            .enumerate()
            .map(|(i, name)| (name.as_str(), i as u32))
            .collect();
        let names: Vec<String> = seen.iter().map(|value| label(value, numeric)).collect();
        let codes = names.iter().map(|name| position[name.as_str()]).collect();
        let off_scale = names
            .iter()
            .map(|name| declared.is_some() && !on_scale.contains(name))
            .collect();
        Ok(Self {
            categories,
            codes,
            off_scale,
        })
    }
}
