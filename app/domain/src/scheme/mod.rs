//! The scheme: the coding manual made data.
//!
//! A scheme is written as TOML, named by the hash of its text and never changed once in use.

mod category;
#[cfg(feature = "toml")]
mod check;
pub mod diff;
mod level;
#[cfg(feature = "toml")]
mod parse;
mod question;
mod rule;
mod words;

use crate::study::Blinding;
use serde::{Deserialize, Serialize};

pub use category::{Category, CategoryRef, CodeMap, Example, Subcategory};
pub use level::{Halves, Level, SeverityScale, Validity, ValidityLevel};
#[cfg(feature = "toml")]
pub use parse::{BUILTIN, SchemeError, builtin, parse, write};
pub use question::{ItemQuestion, Measure, MeasureKind, QuestionKind, truth};
pub use rule::{DisagreementRule, JudgeRule, ReasonCode, RetentionRule};

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
    /// Whether what the only rater of an item says is its final label.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub single_rater_labels: bool,
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

    /// Whether raters judge or add tags.
    pub fn has_tags(&self) -> bool {
        self.candidates.asked || self.missed.asked
    }

    /// What one of the values is called that raters give, and what several are.
    pub fn unit_words(&self) -> (&'static str, &'static str) {
        match (self.has_tags(), self.item_questions.is_empty()) {
            (true, true) => ("tag", "tags"),
            (true, false) => ("tag or answer", "tags and answers"),
            (false, _) => ("answer", "answers"),
        }
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
