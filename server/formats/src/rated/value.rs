//! Values that say nothing, and values that a question does not take.

use domain::count::count;
use domain::scheme::{ItemQuestion, QuestionKind};

use super::{Rated, Said, field, resolve};
use crate::{Column, Notice, Problem, answer, problem::excerpt, read::Reading};

/// Takes away values that are words for none, such as NA, unless the scheme has them among its answers; whether there was
/// one for a question of the scheme.
pub(super) fn without_missing(items: &mut [Rated], reading: &mut Reading<'_>) -> bool {
    let (mut asked, mut found) = (false, 0_u64);
    for item in items.iter_mut() {
        item.said.retain(|said| {
            if !answer::is_missing(&said.value) {
                return true;
            }
            let question = resolve(&said.criterion, reading);
            asked |= question.is_some();
            let text = |question: &ItemQuestion| question.kind == QuestionKind::Text;
            let is_answer = question.is_some_and(|question| {
                !text(question) && answer::word(question, &said.value, reading.zeros()).is_some()
            });
            found += u64::from(!is_answer);
            is_answer
        });
    }
    if found > 0 {
        reading.leave_out(Notice {
            line: None,
            subject: count(found, "value", "values"),
            reason: "a word for no value, such as NA: read as missing".to_owned(),
        });
    }
    asked
}

/// What was expected in place of a value; of one between two levels, what would take it.
pub(super) fn expected(question: &ItemQuestion, value: &str) -> String {
    let words = answer::expected(question);
    let number = value.trim().parse::<f64>().ok();
    let ends = question.levels.first().zip(question.levels.last());
    let between = question.kind == QuestionKind::Ordinal
        && number
            .zip(ends)
            .is_some_and(|(number, (low, high))| number > low.value && number < high.value);
    if between {
        format!(
            "{words}; a scheme with this value among the levels of {0} takes it, one that does not ask {0} leaves it out",
            question.id
        )
    } else {
        words
    }
}

/// The problem with one value, at its place.
pub(super) fn problem_with(said: &Said, expected: impl Into<String>) -> Problem {
    let problem = Problem::new(said.line, excerpt(&said.value), expected);
    let problem = problem.field(excerpt(&field(said)));
    match said.column {
        Some(column) => problem.column(Column::letter(column)),
        None => problem,
    }
}
