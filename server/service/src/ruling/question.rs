//! Ruling on the answer to a question about an item.

use super::{NewRuling, proposal, values};
use crate::error::Result;
use domain::annotation::{NO_POINTS, shortest};
use domain::refusal::Refusal;
use domain::ruling::{Outcome, Settled, Value, settle};
use domain::scheme::{ItemQuestion, QuestionKind, Scheme};
use domain::shape::{Shape, misfit};
use domain::unit::UnitKind;
use store::item::StoredItem;
use store::unit::Listed;

/// The question that a unit answers; nothing for a tag.
pub(super) fn of<'a>(listed: &Listed, scheme: &'a Scheme) -> Result<Option<&'a ItemQuestion>> {
    if listed.unit.kind != UnitKind::Item {
        return Ok(None);
    }
    Ok(Some(
        scheme
            .question(&listed.unit.category)
            .ok_or(Refusal::Conflict)?,
    ))
}

/// What a proposal may say of a question, which is what a ruling may.
///
/// # Errors
/// [`Refusal::AnnotationInvalid`] for a value that the question does not offer, and for what belongs to a tag;
/// [`Refusal::RulingValueMissing`] when it says nothing, unless it is a question of which nothing may be chosen.
pub(crate) fn check_answer(new: &NewRuling, listed: &Listed, scheme: &Scheme) -> Result<()> {
    let Some(question) = of(listed, scheme)? else {
        return Ok(());
    };
    check(new, question)?;
    let says = new.severity.is_some() || !new.answer.is_empty();
    if !says && question.kind != QuestionKind::Multi {
        return Err(Refusal::RulingValueMissing.into());
    }
    Ok(())
}

/// What no outcome excuses: values that the question offers, and nothing that belongs to a tag.
pub(super) fn check(new: &NewRuling, question: &ItemQuestion) -> Result<()> {
    let of_a_tag = new.validity.is_some()
        || new.span.is_some()
        || new.merged_into.is_some()
        || new.code.as_deref().is_some_and(|code| !code.is_empty());
    // What raters agreed on may be a mean that a file brought.
    let on_scale = |value: f64| {
        question.levels.iter().any(|level| level.value == value) || question.takes_mean(value)
    };
    let ordinal = question.kind == QuestionKind::Ordinal;
    if of_a_tag
        || new
            .severity
            .is_some_and(|value| !ordinal || !on_scale(value))
    {
        return Err(Refusal::AnnotationInvalid.into());
    }
    let one = matches!(question.kind, QuestionKind::Ordinal | QuestionKind::Nominal);
    let offered = |value: &String| match question.kind {
        QuestionKind::Relations => domain::relation::is_known(value, question),
        QuestionKind::Points => {
            value == NO_POINTS || value.parse::<u16>().is_ok_and(|point| point > 0)
        }
        _ => {
            let is = |level| question.word(level) == *value;
            question.levels.iter().any(is)
                || value.parse().is_ok_and(|mean| question.takes_mean(mean))
        }
    };
    let none_and_more = new.answer.len() > 1 && new.answer.iter().any(|value| value == NO_POINTS);
    let none_and_more = none_and_more && question.kind == QuestionKind::Points;
    if !new.answer.iter().all(offered) || (one && new.answer.len() > 1) || none_and_more {
        return Err(Refusal::AnnotationInvalid.into());
    }
    Ok(())
}

/// Whether the item has what a final answer points to.
pub(super) fn is_there(
    answer: &[String],
    listed: &Listed,
    scheme: &Scheme,
    item: &StoredItem,
) -> Result<()> {
    let steps = item.segments.iter().map(|part| (part.start, part.end));
    let shape = Shape {
        trace: &item.trace,
        steps: &steps.collect::<Vec<_>>(),
        points: item.options.len(),
    };
    let question = of(listed, scheme)?;
    if question.is_some_and(|question| misfit(question, answer, shape).is_some()) {
        return Err(Refusal::AnnotationInvalid.into());
    }
    Ok(())
}

/// Settles the unit: an ordinal answer as a severity is settled, any other by naming its values.
pub(super) fn settled(
    new: &NewRuling,
    rated: bool,
    listed: &Listed,
    question: &ItemQuestion,
) -> Result<(Settled, Vec<String>)> {
    let mut proposed = proposal(new, rated);
    if question.kind == QuestionKind::Ordinal {
        let named = new.answer.first().and_then(|value| value.parse().ok());
        proposed.severity = new.severity.or(named);
        let settled = settle(&proposed, &values(listed))?;
        let answer = settled.severity.map(shortest).into_iter().collect();
        return Ok((settled, answer));
    }
    if new.outcome == Outcome::Averaged {
        return Err(Refusal::NothingToAverage.into());
    }
    let named = !new.answer.is_empty() || question.kind == QuestionKind::Multi;
    if !named && new.outcome != Outcome::Unresolved {
        return Err(Refusal::RulingValueMissing.into());
    }
    // The rules of who may settle what are those of a severity; the value itself is the answer.
    proposed.severity = Some(0.0);
    let raters: Vec<Value> = values(listed);
    let settled = Settled {
        severity: None,
        ..settle(&proposed, &raters)?
    };
    let answer = if settled.outcome == Outcome::Unresolved {
        Vec::new()
    } else {
        let mut answer = new.answer.clone();
        question.in_order(&mut answer);
        answer
    };
    Ok((settled, answer))
}
