//! Whether an item is a disagreement of people, and whether it could be one.

use crate::round::question_of;
use domain::scheme::ItemQuestion;
use domain::unit::chosen;
use store::round::Reviewed;
use store::unit::ItemFacts;

/// Whether two raters answered a question differently, or a reviewer of a cross-check disagrees with an answer to it;
/// nothing where fewer than two answered and no review read an answer. A cross-check counts once every review of the item
/// is given, as its own counts have it.
pub(super) fn differ(
    question: &ItemQuestion,
    facts: &ItemFacts,
    reviews: &[Reviewed],
) -> Option<bool> {
    let waiting = !facts.assignments.is_empty() && !facts.all_in();
    if waiting || !question.kind.compares() {
        return None;
    }
    let ratable = facts
        .annotations
        .iter()
        .filter(|annotation| annotation.ratable);
    let sets: Vec<Vec<&String>> = ratable
        .filter_map(|annotation| chosen(annotation.body.answers.get(&question.id), question))
        .collect();
    let raters = (sets.len() > 1).then(|| sets.windows(2).any(|pair| pair[0] != pair[1]));
    let verdicts: Vec<bool> = reviews
        .iter()
        .flat_map(|review| &review.verdicts)
        .filter(|verdict| question_of(&verdict.label) == Some(question.id.as_str()))
        .map(|verdict| verdict.agrees)
        .collect();
    let read = !verdicts.is_empty() && reviews.iter().all(|review| review.done_at.is_some());
    let reviewers = read.then(|| verdicts.iter().any(|agrees| !agrees));
    match (raters, reviewers) {
        (None, None) => None,
        (one, other) => Some(one == Some(true) || other == Some(true)),
    }
}
