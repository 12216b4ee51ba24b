//! What one rater said of a label beside what others said of it: a tag of the judge, or a question about the item.

use domain::annotation::{Answer, Judgement};
use domain::scheme::{Asked, DisagreementRule, ItemQuestion, QuestionKind};
use domain::unit::{chosen, compare, compare_answers, number};
use store::annotation::StoredAnnotation;

/// How one's own label stands to the others'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Compared {
    /// It differs from one of theirs by the study's rule.
    pub differs: bool,
    /// It is exactly what all of them said.
    pub exact: bool,
}

/// A tag; nothing where nobody else judged it. That somebody asks to discuss a tag is no difference.
pub(super) fn tag(
    own: &Judgement,
    theirs: &[&Judgement],
    rule: &DisagreementRule,
) -> Option<Compared> {
    let differs = |other: &&Judgement| {
        let found = compare(&[own.clone(), (*other).clone()], rule);
        found.severity || found.validity || found.category
    };
    let same =
        |other: &&Judgement| other.validity == own.validity && other.severity == own.severity;
    (!theirs.is_empty()).then(|| Compared {
        differs: theirs.iter().any(differs),
        exact: theirs.iter().all(same),
    })
}

/// An answer; nothing where somebody is missing to compare it with, or where a difference is no disagreement.
pub(super) fn answer(
    own: Option<&Answer>,
    theirs: &[&Answer],
    question: &ItemQuestion,
) -> Option<Compared> {
    let own = own?;
    if theirs.is_empty() || !question.disputed || !question.kind.compares() {
        return None;
    }
    let differs = |other: &&Answer| compare_answers(&[Some(own), Some(*other)], question).any();
    let same = |other: &&Answer| match question.kind {
        QuestionKind::Ordinal => number(Some(own)) == number(Some(*other)),
        _ => chosen(Some(own), question) == chosen(Some(*other), question),
    };
    Some(Compared {
        differs: theirs.iter().any(differs),
        exact: theirs.iter().all(same),
    })
}

/// That no box is ticked.
static NOTHING: Answer = Answer {
    values: Vec::new(),
    rationale: String::new(),
};

/// What a rater answered. To tick nothing is an answer; whoever left another question open, or could not rate the item,
/// said nothing.
pub(super) fn said<'a>(
    annotation: &'a StoredAnnotation,
    question: &ItemQuestion,
) -> Option<&'a Answer> {
    if !annotation.ratable {
        return None;
    }
    let given = annotation.body.answers.get(&question.id);
    if question.kind == QuestionKind::Multi && question.asked != Asked::Hidden {
        return given.or(Some(&NOTHING));
    }
    given.filter(|answer| !answer.values.is_empty())
}
