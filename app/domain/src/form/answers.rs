//! The answers to questions about the item, in a form.

use super::Form;
use crate::annotation::{Answer, NO_POINTS};
use crate::relation;
use std::collections::BTreeMap;

impl Form<'_> {
    pub(super) fn answers(&self) -> BTreeMap<String, Answer> {
        let mut answers: BTreeMap<String, Answer> = BTreeMap::new();
        for (name, values) in &self.0 {
            let of = name.strip_prefix("q:");
            if of.is_some_and(|id| id.ends_with(":none")) {
                // Looked at when everything else about relations is known.
            } else if let Some((id, part)) = of.and_then(|id| id.split_once(":split:")) {
                // The field of a boundary holds words; several are told apart by a bar.
                let words = values.iter().flat_map(|value| value.split(" | "));
                let lines = words.map(str::trim).filter(|words| !words.is_empty());
                let lines = lines.map(|words| format!("split {part} {words}"));
                answers
                    .entry(id.to_owned())
                    .or_default()
                    .values
                    .extend(lines);
            } else if let Some(id) = of {
                let values = values.iter().filter(|value| !value.trim().is_empty());
                answers.entry(id.to_owned()).or_default().values =
                    values.map(|value| value.replace("\r\n", "\n")).collect();
            } else if let Some(id) = name.strip_prefix("why:") {
                answers.entry(id.to_owned()).or_default().rationale = self.text(name);
            }
        }
        for (id, answer) in &mut answers {
            self.tidy_relations(id, &mut answer.values);
            // A ticked point says more than the box for none of them.
            if answer
                .values
                .iter()
                .any(|value| value.parse::<u16>().is_ok())
            {
                answer.values.retain(|value| value != NO_POINTS);
            }
        }
        answers.retain(|_, answer| *answer != Answer::default());
        answers
    }

    /// What was said of a step that is no longer split off goes with it; where the form says that there was something to
    /// relate, to relate nothing is an answer.
    fn tidy_relations(&self, id: &str, lines: &mut Vec<String>) {
        let begins = format!("q:{id}:split:");
        if !self.0.keys().any(|name| name.starts_with(&begins)) {
            return;
        }
        relation::drop_pieces(lines);
        if lines.is_empty() && self.is_on(&format!("q:{id}:none")) {
            lines.push(relation::NONE.to_owned());
        }
    }
}
