//! A unit that is the answer to a question about the item: its scale, its words, and the field that settles it.

use domain::{
    annotation::{NO_POINTS, shortest},
    relation,
    scheme::{Halves, ItemQuestion, QuestionKind, SeverityScale},
    unit::UnitKind,
};
use leptos::prelude::*;
use service::unit::{RaterSide, UnitView};
use std::collections::BTreeSet;

use crate::components::Form;

/// The question, where the unit answers one.
pub fn of(unit: &UnitView) -> Option<&ItemQuestion> {
    let asked = unit.row.unit_kind == UnitKind::Item;
    asked
        .then(|| unit.scheme.question(&unit.tag.category))
        .flatten()
}

/// The scale on which the raters' values lie: the question's own, or that of tags.
pub fn scale(unit: &UnitView) -> Option<SeverityScale> {
    let Some(question) = of(unit) else {
        return unit.scheme.severity.clone();
    };
    (question.kind == QuestionKind::Ordinal).then(|| SeverityScale {
        question: question.title().to_owned(),
        halves: Halves::default(),
        levels: question.levels.clone(),
    })
}

/// What somebody answered, part by part in words; nothing where a scale shows it.
pub fn said(unit: &UnitView, values: &[String]) -> Option<Vec<String>> {
    let question = of(unit)?;
    (question.kind != QuestionKind::Ordinal).then(|| parts(question, values, &unit.item.options))
}

fn parts(question: &ItemQuestion, values: &[String], options: &[String]) -> Vec<String> {
    let parts = question.in_words(values, options);
    if parts.is_empty() {
        vec!["No answer".to_owned()]
    } else {
        parts
    }
}

/// An answer in words, on one line.
pub fn words(question: &ItemQuestion, values: &[String], options: &[String]) -> String {
    parts(question, values, options).join("; ")
}

/// The field with the final answer, where no scale takes it: every level of a question that takes one; what each rater chose,
/// what all of them did and what any of them did for one that takes several.
pub fn answer(form: &Form, unit: &UnitView) -> Option<impl IntoView + use<>> {
    let question = of(unit)?;
    let choices = choices(unit)?;
    let choice = |(value, label): (String, String)| {
        let checked = form.ticked("answer", &value, false);
        view! {
            <label>
                <input type="radio" name="answer" value=value checked=checked />
                {label}
            </label>
        }
    };
    let choices = choices.into_iter().map(choice).collect_view();
    Some(view! {
        <fieldset id=form.id("answer") tabindex="-1">
            <legend>{format!("Final answer: {}", question.title())}</legend>
            <div class="choices">{choices}</div>
        </fieldset>
    })
}

/// The answers to choose from, each with its words, where no scale takes them.
pub fn choices(unit: &UnitView) -> Option<Vec<(String, String)>> {
    let question = of(unit).filter(|question| question.kind != QuestionKind::Ordinal)?;
    Some(if question.kind == QuestionKind::Nominal {
        let level = question.levels.iter();
        level
            .map(|level| (level.word().to_owned(), level.name.clone()))
            .collect()
    } else {
        combined(question, unit)
    })
}

fn combined(question: &ItemQuestion, unit: &UnitView) -> Vec<(String, String)> {
    let raters = &unit.raters;
    // That no point is covered is an answer of its own and goes with no other.
    let none = |value: &String| question.kind == QuestionKind::Points && value == NO_POINTS;
    let chosen = |side: &'_ RaterSide| -> BTreeSet<String> {
        let values = side.values.iter().filter(|value| !none(value));
        values.cloned().collect()
    };
    let mut choices: Vec<(String, String)> = Vec::new();
    let mut add = |mut values: Vec<String>, who: String| {
        if values.is_empty() && question.kind == QuestionKind::Points {
            values.push(NO_POINTS.to_owned());
        }
        let joined = values.join(";");
        if choices.iter().all(|(known, _)| *known != joined) {
            let words = words(question, &values, &unit.item.options);
            choices.push((joined, format!("{who}: {words}")));
        }
    };
    // Whoever leaves relations alone has drawn none to take over.
    let silent =
        |side: &&RaterSide| question.kind == QuestionKind::Relations && side.values.is_empty();
    for side in raters.iter().filter(|side| !silent(side)) {
        add(side.values.clone(), format!("As rater {}", side.letter));
    }
    if question.kind == QuestionKind::Relations {
        // Two lists put together would relate the same steps twice.
        let drawn = raters.iter().map(|side| side.values.as_slice());
        let drawn: Vec<&[String]> = drawn.filter(|lines| !lines.is_empty()).collect();
        let judge = unit.judges.first().map_or(&[][..], |said| &said.values);
        add(
            relation::together(&drawn, judge),
            "What most drew, the judge’s where raters are split".to_owned(),
        );
        return choices;
    }
    let sets: Vec<BTreeSet<String>> = raters.iter().map(chosen).collect();
    let any: BTreeSet<String> = sets.iter().flatten().cloned().collect();
    let all = any
        .iter()
        .filter(|value| sets.iter().all(|set| set.contains(*value)));
    add(all.cloned().collect(), "What all chose".to_owned());
    add(any.into_iter().collect(), "What any chose".to_owned());
    choices
}

/// What the page calls the unit: the question and its words.
pub fn title(unit: &UnitView) -> Option<impl IntoView + use<>> {
    let question = of(unit)?;
    let range = question.levels.first().zip(question.levels.last());
    let range = range
        .filter(|_| question.kind == QuestionKind::Ordinal)
        .map(|(low, high)| format!(" {} to {}.", shortest(low.value), shortest(high.value)));
    Some(view! {
        <p class="read">{question.question.clone()} {range}</p>
    })
}
