//! Questions about the item as a whole, and the measures computed from their answers.

use super::{Asked, Level};
use serde::{Deserialize, Serialize};

/// A question about the item as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemQuestion {
    /// The column name.
    pub id: String,
    /// What kind of answer it takes.
    pub kind: QuestionKind,
    /// The question in words.
    pub question: String,
    /// A name of a few words, for tables.
    #[serde(default)]
    pub name: String,
    /// What it means.
    #[serde(default)]
    pub definition: String,
    /// Whether it must be answered.
    #[serde(default = "required")]
    pub asked: Asked,
    /// Whether a reason may be given with any answer.
    #[serde(default)]
    pub rationale: bool,
    /// A reason is needed below this value.
    #[serde(default)]
    pub rationale_below: Option<f64>,
    /// A reason is needed above this value.
    #[serde(default)]
    pub rationale_above: Option<f64>,
    /// Answers further apart than this differ; for kinds without a distance, any difference does.
    #[serde(default)]
    pub distance_above: f64,
    /// Whether a difference goes to the queue of disagreements.
    #[serde(default = "yes")]
    pub disputed: bool,
    /// Names of this question in files, beside its own.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Whether files may hold numbers between the levels, because somebody took means. The desk offers levels all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub means: bool,
    /// The possible answers, in order.
    #[serde(default)]
    pub levels: Vec<Level>,
}

fn required() -> Asked {
    Asked::Required
}

fn yes() -> bool {
    true
}

/// What kind of answer a question takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// One of ordered levels.
    Ordinal,
    /// One of unordered levels.
    Nominal,
    /// Any number of levels.
    Multi,
    /// How the parts of the trace relate to the input and to each other; the levels are the relations.
    Relations,
    /// Which of the item's own options, such as the points an expert expects, the text covers.
    Points,
    /// Free text.
    #[default]
    Text,
}

impl QuestionKind {
    /// Whether answers can be compared, so that the question makes units.
    pub fn compares(self) -> bool {
        self != Self::Text
    }
}

impl ItemQuestion {
    /// The name in tables: the short one, or the column name.
    pub fn title(&self) -> &str {
        if self.name.is_empty() {
            &self.id
        } else {
            &self.name
        }
    }

    /// The word of a level in files and forms: its value on an ordered scale, else its code or its name.
    pub fn word(&self, level: &Level) -> String {
        if self.kind == QuestionKind::Ordinal {
            crate::annotation::shortest(level.value)
        } else {
            level.word().to_owned()
        }
    }

    /// The level that a file or form means: by its word, its name, its short name or its code, without regard to case.
    pub fn level(&self, word: &str) -> Option<&Level> {
        let word = word.trim();
        let by = |name: &String| !name.is_empty() && name.eq_ignore_ascii_case(word);
        self.levels
            .iter()
            .find(|level| self.word(level) == word)
            .or_else(|| {
                self.levels.iter().find(|level| {
                    [&level.code, &level.name, &level.short]
                        .into_iter()
                        .chain(&level.aliases)
                        .any(by)
                })
            })
    }

    /// Whether files hold means of this question: they are said to, or an alias is the mean of several columns.
    pub fn holds_means(&self) -> bool {
        let mean = |alias: &String| alias.contains('+');
        self.kind == QuestionKind::Ordinal && (self.means || self.aliases.iter().any(mean))
    }

    /// The lowest and the highest level of an ordinal question.
    pub fn range(&self) -> Option<(f64, f64)> {
        let ends = self.levels.first().zip(self.levels.last());
        ends.filter(|_| self.kind == QuestionKind::Ordinal)
            .map(|(low, high)| (low.value, high.value))
    }

    /// Whether this number may stand in a file for a mean: it lies on the scale, at a level or between two.
    pub fn takes_mean(&self, value: f64) -> bool {
        let on_scale = |(low, high)| low <= value && value <= high;
        self.holds_means() && self.range().is_some_and(on_scale)
    }

    /// Whether a file means this question by `name`.
    pub fn is_called(&self, name: &str) -> bool {
        let name = name.trim();
        [&self.id, &self.name]
            .into_iter()
            .chain(&self.aliases)
            .any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Puts the values of an answer that may have several in the order of the scheme: a set is one however it was ticked.
    /// Relations stand in the order in which they were drawn.
    pub fn in_order(&self, values: &mut [String]) {
        if !matches!(self.kind, QuestionKind::Multi | QuestionKind::Points) {
            return;
        }
        let place = |value: &String| {
            let level = self.levels.iter().position(|level| level.word() == value);
            level.unwrap_or_else(|| value.parse().unwrap_or(usize::MAX))
        };
        values.sort_by_key(place);
    }

    /// Whether an answer of this value needs a reason.
    pub fn needs_reason(&self, value: f64) -> bool {
        self.rationale_below.is_some_and(|below| value < below)
            || self.rationale_above.is_some_and(|above| value > above)
    }

    /// Whether a reason can be given at all.
    pub fn takes_reason(&self) -> bool {
        self.rationale || self.rationale_below.is_some() || self.rationale_above.is_some()
    }
}

/// A figure that a study reports for each judge, each rater and the final labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// Its name in `results.csv`.
    pub name: String,
    /// How it is computed.
    pub kind: MeasureKind,
    /// The question whose answers it is computed from.
    #[serde(default)]
    pub question: String,
    /// Several questions, whose mean is taken item by item; an item without all of them is left out.
    #[serde(default)]
    pub questions: Vec<String>,
    /// The fact of the item that makes groups, such as the session; without one the study is one group.
    #[serde(default)]
    pub group: String,
    /// The value from which on an answer counts, or the share at which a quantile is read.
    #[serde(default)]
    pub at: Option<f64>,
    /// The word of the level that counts; empty for each level in turn.
    #[serde(default)]
    pub level: String,
    /// Items whose fact of this name is `false`, `no` or `0` count as zero.
    #[serde(default)]
    pub zero_unless: String,
    /// What it means.
    #[serde(default)]
    pub definition: String,
}

impl Measure {
    /// The questions it is computed from, in order.
    pub fn asks(&self) -> impl Iterator<Item = &str> {
        let one = (!self.question.is_empty()).then_some(self.question.as_str());
        one.into_iter()
            .chain(self.questions.iter().map(String::as_str))
    }
}

/// Whether a fact of an item, as files write it, is true; nothing where it does not say.
pub fn truth(word: &str) -> Option<bool> {
    match word.trim().to_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" | "1.0" | "right" | "correct" => Some(true),
        "false" | "f" | "no" | "n" | "0" | "0.0" | "wrong" | "incorrect" => Some(false),
        _ => None,
    }
}

/// How a measure is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MeasureKind {
    /// The mean over items.
    Mean,
    /// The mean over groups of each group's mean.
    GroupMean,
    /// The nearest-rank quantile of the groups' means.
    GroupQuantile,
    /// The share of groups with an answer of at least `at`.
    GroupAny,
    /// The share of items whose answer is, or contains, a level.
    LevelRate,
    /// The mean over items of the share of the item's options that are covered.
    Recall,
    /// The number of items on which the raters differ.
    Disagreements,
    /// The mean number of parts of the trace.
    Steps,
    /// The share of relations of one kind, as the mean over items.
    RelationRate,
    /// The share of items whose fact `group` is `true`, `yes` or `1`, such as whether the answer was right.
    FactRate,
}

#[cfg(test)]
mod tests {
    use super::{ItemQuestion, QuestionKind};
    use crate::scheme::Level;

    #[test]
    fn numbers_between_levels_are_means_only_where_files_hold_means() {
        let level = |value| Level {
            value,
            ..Level::default()
        };
        let mut question = ItemQuestion {
            kind: QuestionKind::Ordinal,
            levels: vec![level(1.0), level(6.0)],
            ..ItemQuestion::default()
        };
        let takes = |question: &ItemQuestion| {
            [0.5, 1.0, 3.5, 6.0, 6.5, f64::NAN].map(|value| question.takes_mean(value))
        };
        assert_eq!(takes(&question), [false; 6]);
        question.means = true;
        assert_eq!(takes(&question), [false, true, true, true, false, false]);
        question.means = false;
        question.aliases = vec!["a+b".to_owned()];
        assert_eq!(takes(&question), [false, true, true, true, false, false]);
        question.kind = QuestionKind::Nominal;
        assert_eq!(takes(&question), [false; 6], "names have no order");
    }
}
