//! Answers to the scheme's questions about an item become units, one a question.

use super::derive::{Basis, Draft, Measure};
use domain::id::{ItemId, UnitId};
use domain::scheme::{ItemQuestion, QuestionKind};
use domain::unit::{UnitKind, compare_answers, number};
use sha2::{Digest, Sha256};
use store::annotation::StoredAnnotation;
use store::unit::{Answer, ItemFacts, Said, Unit};

/// The units of the questions that can be compared, in the order of the scheme; of a question that nobody answered there is none.
pub(super) fn of_item(facts: &ItemFacts, measure: Measure<'_>) -> Vec<Unit> {
    let asked = measure.scheme.item_questions.iter();
    asked
        .filter(|question| question.kind.compares())
        .filter(|question| {
            facts
                .annotations
                .iter()
                .any(|annotation| is_answered(annotation, question))
        })
        .map(|question| of_question(facts, question, measure))
        .collect()
}

/// The identity of the unit of a question: the same every time it is derived.
pub(crate) fn identity(item: &ItemId, question: &str) -> UnitId {
    let mut digest = Sha256::new();
    digest.update("question");
    digest.update([0]);
    digest.update(item.as_str());
    digest.update([0]);
    digest.update(question);
    UnitId::new(&hex::encode(digest.finalize())[..32])
}

fn is_answered(annotation: &StoredAnnotation, question: &ItemQuestion) -> bool {
    let answer = annotation.body.answers.get(&question.id);
    answer.is_some_and(|answer| !answer.values.is_empty())
}

fn of_question(facts: &ItemFacts, question: &ItemQuestion, measure: Measure<'_>) -> Unit {
    let ratable: Vec<_> = facts
        .annotations
        .iter()
        .filter(|annotation| annotation.ratable)
        .map(|annotation| annotation.body.answers.get(&question.id))
        .collect();
    let mut difference = compare_answers(&ratable, question);
    // An item that one of its raters could not rate is a matter for staff.
    difference.asked |= facts
        .annotations
        .iter()
        .any(|annotation| !annotation.ratable);
    let mut basis = Basis::new(facts, measure, "");
    basis.json(question);
    for annotation in &facts.annotations {
        basis.rater(annotation);
        basis.json(&annotation.body.answers.get(&question.id));
    }
    let said = facts
        .annotations
        .iter()
        .map(|annotation| said(annotation, question))
        .collect();
    let draft = Draft {
        id: identity(&facts.item, &question.id),
        kind: UnitKind::Item,
        category: &question.id,
        subcategory: "",
        difference,
        said,
    };
    let mut unit = draft.finish(facts, basis);
    // To tick nothing is an answer, and relations left alone follow whoever corrects them.
    if unit.ratings > 0 && matches!(question.kind, QuestionKind::Multi | QuestionKind::Relations) {
        unit.ratings = i64::try_from(ratable.len()).unwrap_or(i64::MAX);
    }
    unit
}

fn said(annotation: &StoredAnnotation, question: &ItemQuestion) -> Said {
    let answer = annotation
        .body
        .answers
        .get(&question.id)
        .filter(|_| annotation.ratable);
    Said {
        rater: annotation.rater.clone(),
        answer: if annotation.ratable {
            Answer::Plain
        } else {
            Answer::NotRatable
        },
        validity: None,
        severity: if question.kind == QuestionKind::Ordinal {
            number(answer)
        } else {
            None
        },
        better: Vec::new(),
        values: answer
            .map(|answer| answer.values.clone())
            .unwrap_or_default(),
    }
}
