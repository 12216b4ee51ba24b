//! The levels of the two judgements about a tag: validity and severity.

use serde::{Deserialize, Serialize};

/// One possible judgement of a tag.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidityLevel {
    /// `valid`, `valid_other_subcategory` or `invalid`.
    pub value: Validity,
    /// The letter that chooses it.
    pub key: String,
    /// What the button says.
    pub name: String,
    /// What it means.
    #[serde(default)]
    pub definition: String,
}

/// Whether a tag is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Validity {
    /// The tag is right.
    Valid,
    /// Rightly seen, but another subcategory of the same category fits better.
    ValidOtherSubcategory,
    /// The tag is wrong.
    Invalid,
}

impl Validity {
    /// Every value, in order.
    pub const ALL: [Self; 3] = [Self::Valid, Self::ValidOtherSubcategory, Self::Invalid];

    /// The word in tables and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::ValidOtherSubcategory => "valid_other_subcategory",
            Self::Invalid => "invalid",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|v| v.as_str() == word)
    }
}

/// An ordered scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeverityScale {
    /// The question in words.
    pub question: String,
    /// Who may give half points.
    #[serde(default)]
    pub halves: Halves,
    /// The levels, lowest first.
    pub levels: Vec<Level>,
}

/// Who may give half points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Halves {
    /// The judge.
    pub judge: bool,
    /// A rater.
    pub rater: bool,
    /// A ruling, for example an average.
    pub ruling: bool,
}

/// One level of a scale.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Its value; unordered levels need none.
    #[serde(default)]
    pub value: f64,
    /// Its word in files, where the name is too long for one.
    #[serde(default)]
    pub code: String,
    /// Its full name.
    pub name: String,
    /// Further names of it in files.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// A name of one or two words, for buttons.
    #[serde(default)]
    pub short: String,
    /// What it means.
    #[serde(default)]
    pub definition: String,
}

impl Level {
    /// Its word in files where no scale orders it: the code, or the name.
    pub fn word(&self) -> &str {
        if self.code.is_empty() {
            &self.name
        } else {
            &self.code
        }
    }
}

impl SeverityScale {
    /// Whether `value` lies on the scale; halves between two levels only where allowed.
    pub fn allows(&self, value: f64, halves: bool) -> bool {
        let (Some(low), Some(high)) = (self.lowest(), self.highest()) else {
            return false;
        };
        let on_level = self.levels.iter().any(|level| level.value == value);
        on_level || (halves && value >= low && value <= high && (value * 2.0).fract() == 0.0)
    }

    /// The level of exactly this value.
    pub fn level(&self, value: f64) -> Option<&Level> {
        self.levels.iter().find(|level| level.value == value)
    }

    /// The lowest value.
    pub fn lowest(&self) -> Option<f64> {
        self.levels.first().map(|level| level.value)
    }

    /// The highest value.
    pub fn highest(&self) -> Option<f64> {
        self.levels.last().map(|level| level.value)
    }

    /// The levels, with the halves between them where they are allowed.
    pub fn steps(&self, halves: bool) -> Vec<f64> {
        let (Some(low), Some(high)) = (self.lowest(), self.highest()) else {
            return Vec::new();
        };
        let steps = ((high - low) * 2.0).round() as i32;
        let all = (0..=steps).map(|step| low + f64::from(step) / 2.0);
        all.filter(|value| self.allows(*value, halves)).collect()
    }

    /// The declared values, lowest first.
    pub fn values(&self) -> Vec<f64> {
        self.levels.iter().map(|level| level.value).collect()
    }
}
