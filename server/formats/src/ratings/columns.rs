//! Columns that are known by their names without being item, rater or rating, and tables whose columns are questions of a scheme.

use super::header::{Header, is_rater_column};

/// What stands beside the ratings of an item: texts, facts and figures made of ratings, none of which is somebody who rated.
const ASIDE: [&str; 30] = [
    "gold",
    "golden",
    "truth",
    "reference",
    "target",
    "expected",
    "label",
    "labels",
    "consensus",
    "majority",
    "mean",
    "avg",
    "average",
    "median",
    "std",
    "stdev",
    "sd",
    "sum",
    "total",
    "count",
    "turn",
    "index",
    "idx",
    "order",
    "split",
    "fold",
    "group",
    "cluster",
    "condition",
    "model",
];
/// Columns with the text that was judged, the best first.
const TEXT: [&str; 9] = [
    "trace",
    "text",
    "model_response",
    "response",
    "output",
    "completion",
    "content",
    "reply",
    "target_text",
];
/// Columns with what the text answers.
const QUESTION: [&str; 4] = ["question", "prompt", "instruction", "input"];

/// A name as names are compared.
pub(crate) fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-', '.'], "_")
}

/// Whether a column holds no ratings of a person, by its name.
pub(crate) fn is_aside(name: &str) -> bool {
    let name = plain(name);
    is_text(&name) || name.split('_').any(|word| ASIDE.contains(&word))
}

/// Whether a column holds texts, by its name.
pub(crate) fn is_text(name: &str) -> bool {
    let name = plain(name);
    TEXT.contains(&name.as_str()) || QUESTION.contains(&name.as_str())
}

/// The columns of an item's texts and facts.
#[derive(Default)]
pub(super) struct About {
    pub(super) text: Option<usize>,
    pub(super) question: Option<usize>,
    pub(super) model: Option<usize>,
    pub(super) condition: Option<usize>,
}

impl About {
    /// The columns that are free.
    pub(super) fn of(header: &Header, taken: &[usize]) -> Self {
        let free = |names: &[&str]| {
            names.iter().find_map(|wanted| {
                let at = header.names.iter().position(|name| plain(name) == *wanted);
                at.filter(|at| !taken.contains(at))
            })
        };
        Self {
            text: free(&TEXT),
            question: free(&QUESTION),
            model: free(&["model"]),
            condition: free(&["condition"]),
        }
    }

    /// Items that are called by their texts have no other.
    pub(super) fn or_item(self, header: &Header, taken: &[usize]) -> Self {
        let item = taken.first().copied();
        let called = item.filter(|at| TEXT.contains(&plain(&header.names[*at]).as_str()));
        Self {
            text: self.text.or(called),
            ..self
        }
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = usize> {
        [self.text, self.question, self.model, self.condition]
            .into_iter()
            .flatten()
    }
}

/// A table whose columns are questions: each with the rater, where the column's name has one.
pub(super) struct Asked {
    pub(super) item: usize,
    /// The column with the rater; without one the columns name them, or nobody does.
    pub(super) rater: Option<usize>,
    /// Column, rater and question.
    pub(super) values: Vec<(usize, Option<String>, String)>,
}

impl Asked {
    /// The columns by the scheme's questions; nothing where the table is of another kind.
    pub(super) fn of(header: &Header, question: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let item = header.item(&[])?;
        let rater = header.rater(&[item]);
        let free = |at: &usize| *at != item && Some(*at) != rater;
        let columns = || (0..header.names.len()).filter(free);
        let whole: Vec<_> = columns()
            .filter_map(|at| Some((at, None, question(&header.names[at])?)))
            .collect();
        if rater.is_some() {
            // A column called as ratings are, which is no question, is that of the only one.
            let rated = header.value(&[item]);
            let asked =
                whole.len() > 1 || rated.is_none_or(|at| whole.iter().any(|(of, ..)| *of == at));
            return (asked && !whole.is_empty()).then_some(Self {
                item,
                rater,
                values: whole,
            });
        }
        let split: Vec<_> = columns()
            .filter_map(|at| {
                let (who, asked) = split(&header.names[at], question)?;
                Some((at, Some(who), asked))
            })
            .collect();
        let values = if split.len() > 1 { split } else { whole };
        let people = columns().any(|at| is_rater_column(&header.names[at]));
        let sound = values.len() > 1 && (values[0].1.is_some() || !people);
        sound.then_some(Self {
            item,
            rater: None,
            values,
        })
    }
}

/// A rater and a question from a name such as `safety_ann` or `ann_safety`.
fn split(name: &str, question: &dyn Fn(&str) -> Option<String>) -> Option<(String, String)> {
    let name = name.trim();
    if question(name).is_some() {
        return None;
    }
    name.match_indices(['_', '.', ' ']).find_map(|(at, _)| {
        let (first, last) = (&name[..at], &name[at + 1..]);
        let before = question(first).map(|asked| (last.to_owned(), asked));
        before
            .or_else(|| question(last).map(|asked| (first.to_owned(), asked)))
            .filter(|(who, _)| {
                !who.is_empty()
                    && !is_aside(who)
                    && !["comment", "reason", "note"].contains(&who.as_str())
            })
    })
}
