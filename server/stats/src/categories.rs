//! The scale: categories in declared order, with the values that distances are measured in.

use crate::RatingsError;
use std::cmp::Ordering;
use std::fmt;

/// One rating as it came: a number or a word. Words that spell a number count as one where all do.
///
/// ```
/// use stats::Value;
/// assert_eq!(Value::from("3.0").number(), Some(3.0));
/// assert_eq!(Value::from("Probable").number(), None);
/// assert_eq!(Value::from(3.0).to_string(), "3");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A finite number.
    Number(f64),
    /// Text.
    Word(String),
}

impl Value {
    /// The number it is or spells; never infinite or NaN.
    ///
    /// ```
    /// assert_eq!(stats::Value::from(" 10 ").number(), Some(10.0));
    /// assert_eq!(stats::Value::from("nan").number(), None);
    /// ```
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(x) => x.is_finite().then_some(*x + 0.0),
            Self::Word(word) => number(word),
        }
    }
}

/// The finite number a text spells, surrounding blanks ignored.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let first = *text.as_bytes().first()?;
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.')) {
        return None;
    }
    // adding zero folds -0 into 0, so that both are one category
    text.parse::<f64>()
        .ok()
        .filter(|x| x.is_finite())
        .map(|x| x + 0.0)
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Self::Number(x)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Word(word.to_owned())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{}", x + 0.0),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// What the differences between categories mean; it selects coefficients, never their formulas.
///
/// ```
/// assert_eq!("ordinal".parse(), Ok(stats::Scale::Ordinal));
/// ```
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Scale {
    /// Categories without order.
    Nominal,
    /// Ordered categories.
    Ordinal,
    /// Numbers whose differences mean something.
    Interval,
    /// Non-negative numbers with a true zero.
    Ratio,
}

impl Scale {
    /// The word used in files.
    ///
    /// ```
    /// assert_eq!(stats::Scale::Ratio.code(), "ratio");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Self::Nominal => "nominal",
            Self::Ordinal => "ordinal",
            Self::Interval => "interval",
            Self::Ratio => "ratio",
        }
    }
}

impl std::str::FromStr for Scale {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        [Self::Nominal, Self::Ordinal, Self::Interval, Self::Ratio]
            .into_iter()
            .find(|scale| scale.code() == word)
            .ok_or_else(|| {
                format!("`{word}` is not a scale; nominal, ordinal, interval and ratio are")
            })
    }
}

/// The categories of a scale. Numeric ones are apart by their values, words by their positions.
///
/// ```
/// let severity = stats::Categories::declared(&["1".into(), "2".into(), "5".into()])?;
/// assert!(severity.is_numeric());
/// assert_eq!(severity.values(), [1.0, 2.0, 5.0]);
/// let words = stats::Categories::declared(&["Certain".into(), "Doubtful".into()])?;
/// assert_eq!(words.values(), [0.0, 1.0]);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Categories {
    labels: Vec<String>,
    values: Vec<f64>,
    numeric: bool,
    order: Vec<u32>,
}

impl Categories {
    /// The declared scale, in declared order.
    ///
    /// # Errors
    /// When a category is declared twice (`1` and `1.0` are one category on a numeric scale).
    ///
    /// ```
    /// assert!(stats::Categories::declared(&[1.0.into(), "1.0".into()]).is_err());
    /// ```
    pub fn declared(categories: &[Value]) -> Result<Self, RatingsError> {
        let numeric = !categories.is_empty() && categories.iter().all(|c| c.number().is_some());
        Self::new(categories, numeric)
    }

    /// As [`Categories::declared`], with the decision about numbers made by the caller, who has seen the ratings.
    pub(crate) fn new(categories: &[Value], numeric: bool) -> Result<Self, RatingsError> {
        let values = if numeric {
            categories.iter().filter_map(Value::number).collect()
        } else {
            (0..categories.len()).map(|i| i as f64).collect()
        };
        let labels = categories.iter().map(|c| label(c, numeric)).collect();
        let made = Self::assemble(labels, values, numeric);
        let mut sorted = made.labels.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(RatingsError::DuplicateCategory(pair[0].clone())),
            None => Ok(made),
        }
    }

    fn assemble(labels: Vec<String>, values: Vec<f64>, numeric: bool) -> Self {
        let mut order: Vec<u32> = (0..labels.len() as u32).collect();
        order.sort_by(|&a, &b| by_number(values[a as usize], values[b as usize]));
        Self {
            labels,
            values,
            numeric,
            order,
        }
    }

    /// The labels in order; numbers are written shortest (`3`, not `3.0`).
    ///
    /// ```
    /// assert_eq!(stats::Categories::declared(&[3.0.into(), 3.5.into()])?.labels(), ["3", "3.5"]);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// What distances are measured in: the numbers, or the positions of words.
    ///
    /// ```
    /// assert_eq!(stats::Categories::declared(&["no".into(), "yes".into()])?.values(), [0.0, 1.0]);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Whether every category is a number.
    ///
    /// ```
    /// assert!(!stats::Categories::declared(&["1".into(), "NA".into()])?.is_numeric());
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn is_numeric(&self) -> bool {
        self.numeric
    }

    /// How many categories there are.
    ///
    /// ```
    /// assert_eq!(stats::Categories::declared(&["no".into(), "yes".into()])?.len(), 2);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no category at all.
    ///
    /// ```
    /// assert!(stats::Categories::declared(&[])?.is_empty());
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Codes sorted by value.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Largest minus smallest value.
    pub(crate) fn range(&self) -> f64 {
        match (self.order.first(), self.order.last()) {
            (Some(&low), Some(&high)) => self.values[high as usize] - self.values[low as usize],
            _ => 0.0,
        }
    }
}

/// The label of a value: numbers shortest on a numeric scale, words as they are.
pub(crate) fn label(value: &Value, numeric: bool) -> String {
    match value.number() {
        Some(x) if numeric => x.to_string(),
        _ => value.to_string(),
    }
}

/// Numeric order of finite numbers.
pub(crate) fn by_number(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}
