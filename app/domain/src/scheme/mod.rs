//! The scheme: the coding manual made data.
//!
//! A scheme is written as TOML, named by the hash of its text and never changed once in use.

#[cfg(feature = "toml")]
mod check;
pub mod diff;
#[cfg(feature = "toml")]
mod parse;
mod question;

use crate::study::Blinding;
use serde::{Deserialize, Serialize};

#[cfg(feature = "toml")]
pub use parse::{BUILTIN, SchemeError, builtin, parse, write};
pub use question::{ItemQuestion, Measure, MeasureKind, QuestionKind};

/// What gets a value: the smallest thing that enters a statistic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitOfAnnotation {
    /// The whole item.
    #[default]
    Item,
    /// One tag proposed by the judge.
    Candidate,
    /// One reply of a conversation.
    Reply,
    /// One step of a reasoning trajectory.
    ReasoningUnit,
}

/// Whether something must, may or must not be answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// An annotation without it is incomplete.
    #[default]
    Required,
    /// It may be left out.
    Optional,
    /// It is not shown.
    Hidden,
}

/// One version of a coding manual.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scheme {
    /// Short name, for example `stigma`.
    pub id: String,
    /// Counted from 1.
    pub version: u32,
    /// What people call it.
    pub title: String,
    /// Where it comes from.
    #[serde(default)]
    pub citation: String,
    /// What gets a value.
    pub unit: UnitOfAnnotation,
    /// What a rater reads first.
    #[serde(default)]
    pub introduction: String,
    /// What the texts may touch on, said before they are opened.
    #[serde(default)]
    pub content_note: String,
    /// Questions about each candidate.
    #[serde(default)]
    pub candidates: CandidateQuestions,
    /// The ordered scale, where the scheme has one.
    #[serde(default)]
    pub severity: Option<SeverityScale>,
    /// Whether and how missed tags are asked for.
    #[serde(default)]
    pub missed: MissedQuestions,
    /// Questions about the item as a whole.
    #[serde(default, rename = "items")]
    pub item_questions: Vec<ItemQuestion>,
    /// The figures that the study reports.
    #[serde(default)]
    pub measures: Vec<Measure>,
    /// The categories of the manual.
    #[serde(default)]
    pub categories: Vec<Category>,
    /// When two annotations of a unit differ.
    #[serde(default)]
    pub disagreement: DisagreementRule,
    /// What stays in the retained set.
    #[serde(default)]
    pub retention: RetentionRule,
    /// What counts as a correct tag of the judge.
    #[serde(default)]
    pub judge_rule: JudgeRule,
    /// What the desk shows and hides.
    #[serde(default)]
    pub display: Display,
    /// How codes of other taxonomies map to this one.
    #[serde(default)]
    pub codes: Vec<CodeMap>,
}

/// Questions asked of each candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CandidateQuestions {
    /// Whether candidates are judged at all.
    pub asked: bool,
    /// Whether a rater who does not find a tag valid may name better categories.
    pub better_categories: bool,
    /// Whether severity is asked of an invalid tag.
    pub severity_when_invalid: Asked,
    /// The question in words.
    pub question: String,
    /// The possible answers.
    pub validity: Vec<ValidityLevel>,
}

impl Default for CandidateQuestions {
    fn default() -> Self {
        Self {
            asked: false,
            better_categories: false,
            severity_when_invalid: Asked::Optional,
            question: String::new(),
            validity: Vec::new(),
        }
    }
}

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

/// Whether and how missed tags are asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MissedQuestions {
    /// Whether the step exists.
    pub asked: bool,
    /// Whether a missed tag needs a span.
    pub span: Asked,
    /// Whether the number of missed categories is asked as well.
    pub count: bool,
    /// The question in words.
    pub question: String,
}

impl Default for MissedQuestions {
    fn default() -> Self {
        Self {
            asked: false,
            span: Asked::Optional,
            count: false,
            question: String::new(),
        }
    }
}

/// A category of the manual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// Its code, for example `1`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it means.
    #[serde(default)]
    pub definition: String,
    /// Whether the source study ever observed it.
    #[serde(default = "yes")]
    pub observed: bool,
    /// A remark shown with it.
    #[serde(default)]
    pub note: String,
    /// Its subcategories.
    #[serde(default)]
    pub subcategories: Vec<Subcategory>,
}

fn yes() -> bool {
    true
}

/// A subcategory of the manual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subcategory {
    /// Its code, for example `1.2`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it means.
    #[serde(default)]
    pub definition: String,
    /// What belongs to it.
    #[serde(default)]
    pub include: Vec<String>,
    /// What does not.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Worked examples.
    #[serde(default)]
    pub examples: Vec<Example>,
}

/// A worked example of a subcategory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The words.
    pub text: String,
    /// How severe they are.
    #[serde(default)]
    pub severity: Option<f64>,
    /// Why.
    #[serde(default)]
    pub why: String,
}

/// When two annotations of a unit differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DisagreementRule {
    /// Severities further apart than this differ.
    pub distance_above: f64,
    /// Different validity differs.
    pub validity: bool,
    /// Different better categories differ.
    pub category: bool,
    /// A rater who asks for discussion makes a disagreement.
    pub asked: bool,
}

impl Default for DisagreementRule {
    fn default() -> Self {
        Self {
            distance_above: 1.0,
            validity: true,
            category: false,
            asked: true,
        }
    }
}

/// What stays in the retained set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetentionRule {
    /// Units with a final severity below this leave the retained set.
    pub min_mean_severity: Option<f64>,
    /// Reasons for which staff may exclude a unit.
    pub excluded_reasons: Vec<ReasonCode>,
}

/// A closed reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasonCode {
    /// The word in files.
    pub code: String,
    /// What people read.
    pub name: String,
}

/// What counts as a correct tag of the judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JudgeRule {
    /// `exact`, `top_level` or `any`.
    pub category: String,
    /// `exact`, `within_half`, `within_one` or `ignored`.
    pub severity: String,
}

impl Default for JudgeRule {
    fn default() -> Self {
        Self {
            category: "top_level".into(),
            severity: "exact".into(),
        }
    }
}

/// What the desk shows and hides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Display {
    /// The labels above the item, in order.
    pub facts: Vec<String>,
    /// What the parts of an item are called on the page.
    pub headings: Headings,
    /// What is hidden by default.
    pub blinded: Blinding,
}

impl Default for Display {
    fn default() -> Self {
        Self {
            facts: ["condition", "demographics", "mode", "model"]
                .map(Into::into)
                .to_vec(),
            headings: Headings::default(),
            blinded: Blinding {
                model: true,
                condition: false,
                judge_severity: false,
            },
        }
    }
}

/// What the parts of an item are called on the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Headings {
    /// The text that sets the scene.
    pub vignette: String,
    /// What was asked of the model.
    pub question: String,
    /// The text that is judged.
    pub trace: String,
}

impl Default for Headings {
    fn default() -> Self {
        Self {
            vignette: "Vignette".into(),
            question: "Question to the model".into(),
            trace: "Reasoning trace".into(),
        }
    }
}

/// How a code of another taxonomy maps to this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeMap {
    /// Which taxonomy the code belongs to.
    pub taxonomy: String,
    /// The code there.
    pub from: String,
    /// The category or subcategory here.
    pub to: String,
    /// A remark where the fit is loose.
    #[serde(default)]
    pub note: String,
}

/// A category and, where there is one, a subcategory of a scheme, by their codes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CategoryRef {
    /// The category's code.
    pub category: String,
    /// The subcategory's code.
    pub subcategory: Option<String>,
}

impl Scheme {
    /// Finds a category or subcategory by its own code.
    pub fn find(&self, code: &str) -> Option<CategoryRef> {
        for category in &self.categories {
            if category.id == code {
                return Some(CategoryRef {
                    category: category.id.clone(),
                    subcategory: None,
                });
            }
            if let Some(sub) = category.subcategories.iter().find(|sub| sub.id == code) {
                return Some(CategoryRef {
                    category: category.id.clone(),
                    subcategory: Some(sub.id.clone()),
                });
            }
        }
        None
    }

    /// Resolves a code as a file wrote it: our own, or one of another taxonomy through the remap table.
    ///
    /// Codes are compared without regard to case and to spaces around slashes.
    pub fn resolve(&self, code: &str) -> Option<CategoryRef> {
        let code = code.trim();
        self.find(code).or_else(|| {
            let wanted = folded(code);
            self.codes
                .iter()
                .find(|map| folded(&map.from) == wanted)
                .and_then(|map| self.find(&map.to))
        })
    }

    /// The category of this code.
    pub fn category(&self, id: &str) -> Option<&Category> {
        self.categories.iter().find(|category| category.id == id)
    }

    /// The subcategory of this code.
    pub fn subcategory(&self, id: &str) -> Option<&Subcategory> {
        self.categories
            .iter()
            .flat_map(|category| &category.subcategories)
            .find(|sub| sub.id == id)
    }

    /// The name people read for a code: the subcategory's, the category's, or that of an item question.
    pub fn name_of(&self, code: &str) -> Option<&str> {
        self.subcategory(code)
            .map(|sub| sub.name.as_str())
            .or_else(|| self.category(code).map(|category| category.name.as_str()))
            .or_else(|| self.question(code).map(ItemQuestion::title))
    }

    /// The item question of this column name.
    pub fn question(&self, id: &str) -> Option<&ItemQuestion> {
        self.item_questions
            .iter()
            .find(|question| question.id == id)
    }

    /// The item question that a file means by `name`: its own name, or an alias.
    pub fn question_called(&self, name: &str) -> Option<&ItemQuestion> {
        self.question(name.trim()).or_else(|| {
            self.item_questions
                .iter()
                .find(|question| question.is_called(name))
        })
    }
}

/// A code as it is compared: case and the spaces around slashes do not count.
pub fn folded(code: &str) -> String {
    code.to_lowercase()
        .split('/')
        .map(str::trim)
        .collect::<Vec<_>>()
        .join("/")
}

#[cfg(test)]
mod tests;
