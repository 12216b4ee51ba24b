//! A rater's whole judgement of one item: as a draft any part may be missing, as a submission none.

use crate::id::{CandidateId, MissedTagId};
use crate::relation;
use crate::scheme::{Asked, CategoryRef, QuestionKind, Scheme, Validity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The longest comment, in code points.
pub const COMMENT_LIMIT: usize = 10_000;
/// The answer to a question about points that says: none of them.
pub const NO_POINTS: &str = "none";
/// The most missed tags of one annotation.
pub const MISSED_LIMIT: usize = 100;
/// The most bytes of a missed tag's identity, which the client makes.
const MISSED_ID_LIMIT: usize = 100;

/// A rater's judgement of one item, complete or not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Annotation {
    /// One entry a candidate.
    pub judgements: BTreeMap<CandidateId, Judgement>,
    /// Tags that no candidate covers, in the order they were added.
    pub missed: Vec<MissedTag>,
    /// The rater looked for missed tags and found none.
    pub nothing_missed: bool,
    /// How many categories the judge missed, where the scheme asks.
    pub missed_count: Option<u32>,
    /// Answers to the scheme's item questions.
    pub answers: BTreeMap<String, Answer>,
    /// A comment on the item.
    pub comment: String,
}

/// What a rater says of one candidate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Judgement {
    /// Whether the tag is right.
    pub validity: Option<Validity>,
    /// How severe it is.
    pub severity: Option<f64>,
    /// Codes of categories or subcategories that fit better.
    pub better: Vec<String>,
    /// A comment.
    pub comment: String,
    /// The rater asks to discuss this candidate.
    pub discuss: bool,
}

/// A tag that the judge missed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissedTag {
    /// Made by the author, so that a retried save cannot double it.
    pub id: MissedTagId,
    /// The code of a category or subcategory; empty while not chosen.
    #[serde(default)]
    pub code: String,
    /// How severe it is.
    #[serde(default)]
    pub severity: Option<f64>,
    /// Where it stands: half-open, in code points of the trace.
    #[serde(default)]
    pub span: Option<(u32, u32)>,
    /// The words of the span.
    #[serde(default)]
    pub quote: String,
    /// A comment.
    #[serde(default)]
    pub comment: String,
}

/// The answer to an item question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// The chosen values (one unless the question takes several), or the text.
    pub values: Vec<String>,
    /// Why.
    pub rationale: String,
}

/// Whether this can be the code of a reason why an item cannot be rated.
pub fn is_reason(code: &str) -> bool {
    (1..=40).contains(&code.len()) && code.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

/// What an annotation is measured against.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The scheme it is made under.
    pub scheme: &'a Scheme,
    /// The candidates shown, in order.
    pub candidates: &'a [CandidateId],
    /// The trace that spans point into.
    pub trace: &'a str,
}

/// Something that stands in the way of a submission, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "gap", rename_all = "snake_case")]
pub enum Gap {
    /// The candidate has no validity.
    Validity {
        /// Which candidate.
        candidate: CandidateId,
    },
    /// The candidate has no severity.
    Severity {
        /// Which candidate.
        candidate: CandidateId,
    },
    /// Neither a missed tag nor *nothing missed*.
    Missed,
    /// The missed tag has no category.
    MissedCategory {
        /// Which tag.
        tag: MissedTagId,
    },
    /// The missed tag has no severity.
    MissedSeverity {
        /// Which tag.
        tag: MissedTagId,
    },
    /// The missed tag has no span.
    MissedSpan {
        /// Which tag.
        tag: MissedTagId,
    },
    /// The item question is not answered.
    Answer {
        /// Which question.
        question: String,
    },
    /// The answer needs a rationale.
    Rationale {
        /// Which question.
        question: String,
    },
    /// Relations name a step, or words in one, that the trace does not have.
    Relations {
        /// Which question.
        question: String,
    },
}

/// Why an annotation is refused even as a draft. Never quotes what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnnotationError {
    /// A judgement of something that is no candidate of this item.
    UnknownCandidate,
    /// A code that is no category of the scheme.
    UnknownCategory,
    /// A severity off the scale.
    OffScale,
    /// A span that is empty, reversed or ends past the trace.
    BadSpan,
    /// A quote that is not what the span holds.
    QuoteDiffers,
    /// The same tag on the same span twice.
    SameTagTwice,
    /// *Nothing missed* together with missed tags.
    NothingMissedContradicted,
    /// A question that the scheme does not ask, or a value that it does not offer.
    UnknownAnswer,
    /// A text over the limit, or too many missed tags.
    TooLong,
}

impl Gap {
    /// The candidate it is about.
    pub fn candidate(&self) -> Option<&CandidateId> {
        match self {
            Self::Validity { candidate } | Self::Severity { candidate } => Some(candidate),
            _ => None,
        }
    }

    /// The missed tag it is about.
    pub fn missed_tag(&self) -> Option<&MissedTagId> {
        match self {
            Self::MissedCategory { tag }
            | Self::MissedSeverity { tag }
            | Self::MissedSpan { tag } => Some(tag),
            _ => None,
        }
    }
}

impl Annotation {
    /// Whether a rater wrote anything at all.
    pub fn is_blank(&self) -> bool {
        *self == Self::default()
    }

    /// Checks what even a draft must keep.
    ///
    /// # Errors
    /// The first rule broken; see [`AnnotationError`].
    pub fn check(&self, frame: Frame<'_>) -> Result<(), AnnotationError> {
        self.check_judgements(frame)?;
        self.check_missed(frame)?;
        self.check_answers(frame)?;
        let texts = self.judgements.values().map(|j| &j.comment);
        let texts = texts
            .chain(self.missed.iter().map(|m| &m.comment))
            .chain([&self.comment]);
        let texts = texts.chain(self.answers.values().map(|a| &a.rationale));
        if texts
            .into_iter()
            .any(|text| text.chars().count() > COMMENT_LIMIT)
        {
            return Err(AnnotationError::TooLong);
        }
        Ok(())
    }

    fn check_judgements(&self, frame: Frame<'_>) -> Result<(), AnnotationError> {
        for (candidate, judgement) in &self.judgements {
            if !frame.candidates.contains(candidate) {
                return Err(AnnotationError::UnknownCandidate);
            }
            if judgement
                .better
                .iter()
                .any(|code| frame.scheme.find(code).is_none())
            {
                return Err(AnnotationError::UnknownCategory);
            }
            check_severity(judgement.severity, frame.scheme)?;
        }
        Ok(())
    }

    fn check_missed(&self, frame: Frame<'_>) -> Result<(), AnnotationError> {
        if self.missed.len() > MISSED_LIMIT {
            return Err(AnnotationError::TooLong);
        }
        if self.nothing_missed && !self.missed.is_empty() {
            return Err(AnnotationError::NothingMissedContradicted);
        }
        for (at, tag) in self.missed.iter().enumerate() {
            if tag.id.as_str().len() > MISSED_ID_LIMIT {
                return Err(AnnotationError::TooLong);
            }
            if self.missed[..at].iter().any(|other| other.id == tag.id) {
                return Err(AnnotationError::SameTagTwice);
            }
            if !tag.code.is_empty() && frame.scheme.find(&tag.code).is_none() {
                return Err(AnnotationError::UnknownCategory);
            }
            check_severity(tag.severity, frame.scheme)?;
            if let Some(span) = tag.span {
                match slice(frame.trace, span) {
                    None => return Err(AnnotationError::BadSpan),
                    Some(text) if text != tag.quote => return Err(AnnotationError::QuoteDiffers),
                    Some(_) => {}
                }
                let twin = |other: &MissedTag| {
                    other.span == tag.span && other.code == tag.code && !tag.code.is_empty()
                };
                if self.missed[..at].iter().any(twin) {
                    return Err(AnnotationError::SameTagTwice);
                }
            }
        }
        Ok(())
    }

    /// Puts answers of several values in the order of the scheme, in which they leave in files and come back.
    pub fn in_order(&mut self, scheme: &Scheme) {
        for (id, answer) in &mut self.answers {
            if let Some(question) = scheme.question(id) {
                question.in_order(&mut answer.values);
            }
        }
    }

    fn check_answers(&self, frame: Frame<'_>) -> Result<(), AnnotationError> {
        for (id, answer) in &self.answers {
            let question = frame.scheme.item_questions.iter().find(|q| &q.id == id);
            let question = question.ok_or(AnnotationError::UnknownAnswer)?;
            if question.kind == QuestionKind::Text {
                continue;
            }
            let known = |value: &String| match question.kind {
                QuestionKind::Relations => relation::is_known(value, question),
                QuestionKind::Points => {
                    value == NO_POINTS || value.parse::<u16>().is_ok_and(|point| point > 0)
                }
                _ => question
                    .levels
                    .iter()
                    .any(|level| question.word(level) == *value || level.name == *value),
            };
            let several = matches!(
                question.kind,
                QuestionKind::Multi | QuestionKind::Points | QuestionKind::Relations
            );
            // That no point is covered goes with no point.
            let none_and_more = question.kind == QuestionKind::Points
                && answer.values.len() > 1
                && answer.values.iter().any(|value| value == NO_POINTS);
            if !answer.values.iter().all(known)
                || (!several && answer.values.len() > 1)
                || none_and_more
            {
                return Err(AnnotationError::UnknownAnswer);
            }
        }
        Ok(())
    }

    /// What is still to do before a submission, in the order of the desk. Empty means complete.
    pub fn gaps(&self, frame: Frame<'_>) -> Vec<Gap> {
        let mut gaps = Vec::new();
        if frame.scheme.candidates.asked {
            for candidate in frame.candidates {
                self.candidate_gaps(candidate, frame.scheme, &mut gaps);
            }
        }
        if frame.scheme.missed.asked {
            if self.missed.is_empty() && !self.nothing_missed {
                gaps.push(Gap::Missed);
            }
            for tag in &self.missed {
                let scheme = frame.scheme;
                if tag.span.is_none() && scheme.missed.span == Asked::Required {
                    gaps.push(Gap::MissedSpan {
                        tag: tag.id.clone(),
                    });
                }
                if tag.code.is_empty() {
                    gaps.push(Gap::MissedCategory {
                        tag: tag.id.clone(),
                    });
                }
                if tag.severity.is_none() && scheme.severity.is_some() {
                    gaps.push(Gap::MissedSeverity {
                        tag: tag.id.clone(),
                    });
                }
            }
        }
        self.answer_gaps(frame.scheme, &mut gaps);
        gaps
    }

    fn candidate_gaps(&self, candidate: &CandidateId, scheme: &Scheme, gaps: &mut Vec<Gap>) {
        let judgement = self.judgements.get(candidate);
        let validity = judgement.and_then(|j| j.validity);
        if validity.is_none() {
            gaps.push(Gap::Validity {
                candidate: candidate.clone(),
            });
        }
        let excused = validity == Some(Validity::Invalid)
            && scheme.candidates.severity_when_invalid != Asked::Required;
        if scheme.severity.is_some() && !excused && judgement.and_then(|j| j.severity).is_none() {
            gaps.push(Gap::Severity {
                candidate: candidate.clone(),
            });
        }
    }

    fn answer_gaps(&self, scheme: &Scheme, gaps: &mut Vec<Gap>) {
        for question in &scheme.item_questions {
            let answer = self.answers.get(&question.id);
            let empty = answer.is_none_or(|a| a.values.iter().all(|v| v.trim().is_empty()));
            if empty && question.asked == Asked::Required {
                gaps.push(Gap::Answer {
                    question: question.id.clone(),
                });
            }
            let Some(answer) = answer else {
                continue;
            };
            let needed = answer
                .values
                .iter()
                .filter_map(|v| v.parse::<f64>().ok())
                .any(|v| question.needs_reason(v));
            if needed && answer.rationale.trim().is_empty() {
                gaps.push(Gap::Rationale {
                    question: question.id.clone(),
                });
            }
        }
    }
}

/// The text of a half-open code-point range, or nothing when it is empty or ends past the text.
pub fn slice(text: &str, (start, end): (u32, u32)) -> Option<&str> {
    if start >= end {
        return None;
    }
    let mut bounds = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let from = bounds.nth(start as usize)?;
    let to = bounds.nth((end - start - 1) as usize)?;
    text.get(from..to)
}

/// The shortest text of a number: `3`, `3.5`.
pub fn shortest(value: f64) -> String {
    format!("{value}")
}

/// The categories a rater finds right for a candidate: the judge's own, or the better ones.
pub fn chosen(judgement: &Judgement, proposed: &CategoryRef, scheme: &Scheme) -> Vec<CategoryRef> {
    match judgement.validity {
        Some(Validity::Valid) | None => vec![proposed.clone()],
        Some(_) => judgement
            .better
            .iter()
            .filter_map(|code| scheme.find(code))
            .collect(),
    }
}

fn check_severity(severity: Option<f64>, scheme: &Scheme) -> Result<(), AnnotationError> {
    match (severity, &scheme.severity) {
        (None, _) => Ok(()),
        (Some(value), Some(scale)) if scale.allows(value, scale.halves.rater) => Ok(()),
        _ => Err(AnnotationError::OffScale),
    }
}
