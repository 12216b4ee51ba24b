//! A judge's own summary of a run, beside the figures of the verdicts that count here.

use std::collections::BTreeMap;
use std::io;

use domain::count::count;
use serde_json::Value;

use super::SEVERITY;
use crate::{
    CodeBook, Notice, Tree, answer, mindeval::text_of, read::Reading, record::AnswerRecord,
};

/// How far a rounded mean may be from ours.
const ROUNDED: f64 = 0.000_6;

/// What the summary says, and what is counted while items are handed on.
pub(super) struct Summary {
    file: String,
    /// Nothing where there is no summary that could be read.
    said: Option<Value>,
    by_reply: bool,
    judged: u64,
    /// The severities of each session.
    sessions: BTreeMap<String, Vec<f64>>,
}

impl Summary {
    pub(super) fn read(
        tree: &mut dyn Tree,
        file: String,
        by_reply: bool,
        book: &dyn CodeBook,
    ) -> io::Result<Self> {
        let said = text_of(tree, &file)?.and_then(|text| serde_json::from_str(&text).ok());
        // Figures of other weights than the scheme's are other figures.
        let alike = |said: &Value| {
            let weights = said.pointer("/mqm/weights").and_then(Value::as_object);
            let question = answer::question(book, SEVERITY);
            weights.into_iter().flatten().all(|(word, weight)| {
                let level = question.and_then(|question| question.level(word));
                level.is_some_and(|level| Some(level.value) == weight.as_f64())
            })
        };
        Ok(Self {
            file,
            said: said.filter(alike),
            by_reply,
            judged: 0,
            sessions: BTreeMap::new(),
        })
    }

    /// Counts a verdict that is handed on.
    pub(super) fn count(&mut self, session: &str, answers: &[AnswerRecord]) {
        self.judged += 1;
        let severity = answers.iter().find(|answer| answer.question == SEVERITY);
        let value = severity.and_then(|answer| answer.values.first()?.parse().ok());
        if let Some(value) = value {
            let session = self.sessions.entry(session.to_owned()).or_default();
            session.push(value);
        }
    }

    /// The mean over sessions of each session's mean.
    fn mean(&self) -> Option<f64> {
        let of = |values: &Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let sessions = self.sessions.len();
        (sessions > 0).then(|| self.sessions.values().map(of).sum::<f64>() / sessions as f64)
    }

    /// Says where the summary has other figures: then a verdict counts here that did not count there, or the other way round.
    pub(super) fn compare(&self, reading: &mut Reading<'_>) {
        let Some(said) = &self.said else { return };
        let (field, one, several) = if self.by_reply {
            ("n_replies", "reply", "replies")
        } else {
            ("n_sessions", "session", "sessions")
        };
        let mut differ = Vec::new();
        if let Some(number) = said.get(field).and_then(Value::as_u64)
            && number != self.judged
        {
            differ.push(format!(
                "{} and not {}",
                count(
                    number,
                    &format!("judged {one}"),
                    &format!("judged {several}")
                ),
                self.judged
            ));
        }
        if let Some((theirs, ours)) = said
            .pointer("/mqm/mean")
            .and_then(Value::as_f64)
            .zip(self.mean())
            && (theirs - ours).abs() > ROUNDED
        {
            let ours = (ours * 1000.0).round() / 1000.0;
            differ.push(format!("a mean of {theirs} and not {ours}"));
        }
        if differ.is_empty() {
            return;
        }
        let pending = said
            .pointer("/replies/pending")
            .or(said.pointer("/sessions/pending"));
        let pending = pending
            .and_then(Value::as_u64)
            .filter(|pending| *pending > 0);
        let waiting = pending.map_or_else(String::new, |pending| {
            format!(
                "; it has {} waiting to be judged, so verdicts on earlier inputs may count here",
                count(pending, one, several)
            )
        });
        reading.leave_out(Notice {
            line: None,
            subject: self.file.clone(),
            reason: format!("the judge's own summary has {}{waiting}", differ.join(", ")),
        });
    }
}
