//! How many of the items that raters were asked about have a final answer: figures over the final labels rest on no more.

use super::load::{Item, Source};
use domain::count::count;
use domain::scheme::{Asked, ItemQuestion, QuestionKind, Scheme};
use serde::Serialize;

/// How far one question is settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The question's name in tables.
    pub question: String,
    /// Its name in a sentence.
    pub title: String,
    /// Items that raters were asked about; of a question that may be left blank, those on which somebody answered it.
    pub asked: u64,
    /// Those with a final answer.
    pub settled: u64,
    /// Those on which not every rater has submitted.
    pub waiting: u64,
    /// Others that a rater found impossible to rate.
    pub unratable: u64,
}

impl Coverage {
    /// Those that are in dispute, were left open by a ruling, or that one rater alone has answered.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.asked - self.settled - self.waiting - self.unratable
    }

    /// What a reader of final figures must know; nothing where every item is settled.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        if self.settled == self.asked {
            return None;
        }
        let missing = [
            (self.waiting, "still with raters"),
            (self.open(), "not settled"),
            (self.unratable, "that a rater could not rate"),
        ];
        let missing: Vec<String> = missing
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, words)| format!("{n} {words}"))
            .collect();
        Some(format!(
            "{} of {} a final answer to {}: {}.",
            self.settled,
            count(self.asked, "item has", "items have"),
            self.title,
            missing.join(", ")
        ))
    }
}

/// Every question that a measure of the scheme rests on and that somebody was asked.
pub(super) fn of(scheme: &Scheme, items: &[Item]) -> Vec<Coverage> {
    let measured = |question: &&ItemQuestion| {
        question.kind != QuestionKind::Text
            && scheme.measures.iter().any(|measure| {
                let mut asks = measure.asks();
                asks.any(|id| id == question.id)
            })
    };
    scheme
        .item_questions
        .iter()
        .filter(measured)
        .map(|question| one(question, items))
        .filter(|found| found.asked > 0)
        .collect()
}

fn one(question: &ItemQuestion, items: &[Item]) -> Coverage {
    let mut found = Coverage {
        question: question.id.clone(),
        title: question.title().to_owned(),
        asked: 0,
        settled: 0,
        waiting: 0,
        unratable: 0,
    };
    for item in items {
        let says = |of: fn(&Source) -> bool| {
            let mut of = item.said.iter().filter(|(source, _)| of(source));
            of.any(|(_, answers)| answers.contains_key(&question.id))
        };
        let settled = says(|source| *source == Source::Final);
        let answered = || says(|source| matches!(source, Source::Rater(..)));
        let counts = match question.asked {
            Asked::Required => item.asked,
            // What nobody has answered where no answer is asked for is not missing.
            Asked::Optional | Asked::Hidden => answered(),
        };
        if !(counts || settled) {
            continue;
        }
        found.asked += 1;
        if settled {
            found.settled += 1;
        } else if item.waiting {
            found.waiting += 1;
        } else if !item.unratable.is_empty() {
            found.unratable += 1;
        }
    }
    found
}
