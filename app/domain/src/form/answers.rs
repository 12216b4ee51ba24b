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
            if let Some((id, part)) = of.and_then(|id| id.split_once(":split:")) {
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
            // A ticked point or a relation says more than that there is none.
            let says_more = |value: &String| value.bytes().any(|byte| byte.is_ascii_digit());
            if answer.values.iter().any(says_more) {
                answer.values.retain(|value| value != NO_POINTS);
                // What was said of a step that is no longer split off goes with it. The browser keeps drafts, in which a
                // step may come and go, and its code is to stay small.
                if cfg!(not(target_arch = "wasm32")) && self.asks_for_steps(id) {
                    relation::drop_pieces(&mut answer.values);
                }
            }
        }
        answers.retain(|_, answer| *answer != Answer::default());
        answers
    }

    /// Whether the question is about steps, which have a field for where they are split.
    fn asks_for_steps(&self, id: &str) -> bool {
        self.0.contains_key(format!("q:{id}:split:1").as_str())
    }
}
