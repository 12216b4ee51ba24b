//! The scheme's questions about the item as a whole, and the comment on it.

use domain::{
    annotation::{Answer, NO_POINTS, shortest},
    scheme::{Asked, ItemQuestion, Level, QuestionKind},
};
use leptos::prelude::*;

use super::relations::relations;
use crate::components::choices::{Choice, choices, scale};
use crate::components::{Definition, definition};
use crate::html::{Html, area};
use service::desk::{DeskView, JudgeAnswer};

/// One card a question, then the comment.
pub fn questions(view: &DeskView) -> impl IntoView + use<> {
    let asked = view
        .scheme
        .item_questions
        .iter()
        .filter(|question| question.asked != Asked::Hidden);
    let blank = Answer::default();
    let cards = asked.map(|question| {
        card(
            question,
            view.annotation.answers.get(&question.id).unwrap_or(&blank),
            view,
        )
    });
    view! {
        {cards.collect_view()}
        <div class="card" data-label="item">
            <div class="field">
                <label for="comment">"Comment on the item as a whole, if you like"</label>
                <textarea id="comment" name="comment" rows="1" inner_html=area(&view.annotation.comment)></textarea>
            </div>
        </div>
    }
}

fn card(question: &ItemQuestion, answer: &Answer, view: &DeskView) -> impl IntoView + use<> {
    let id = question.id.clone();
    let meaning = (!question.definition.is_empty()).then(|| {
        let text = question.definition.clone();
        view! { <Definition summary="What this asks"><p>{text}</p></Definition> }
    });
    let levels = question
        .levels
        .iter()
        .any(|level| !level.definition.is_empty());
    let levels = levels.then(|| {
        let mut html = Html::default();
        definition::levels("What the answers mean", &question.levels, &mut html);
        ready(html)
    });
    let why = question.takes_reason().then(|| {
        view! {
            <div class="field">
                <label for=format!("why-{id}")>{reason_label(question)}</label>
                <textarea id=format!("why-{id}") name=format!("why:{id}") rows="1" inner_html=area(&answer.rationale)></textarea>
            </div>
        }
    });
    let named = (!question.name.is_empty()).then(|| {
        view! { <p class="overline">{question.name.clone()}</p> }
    });
    let judges = view.judge_answers.iter().filter(|said| said.question == id);
    let judges = judges
        .map(|said| judge_line(question, said, &view.item.options))
        .collect_view();
    view! {
        <div class="card question" data-label=format!("q-{id}")>
            {named}
            <div id=format!("q-{id}")>{control(question, answer, view)}</div>
            {judges}
            {meaning}
            {levels}
            {why}
        </div>
    }
}

fn reason_label(question: &ItemQuestion) -> String {
    match (question.rationale_below, question.rationale_above) {
        (Some(below), _) => format!("Reason, needed below {}", shortest(below)),
        (None, Some(above)) => format!("Reason, needed above {}", shortest(above)),
        (None, None) => "Reason, if you like".to_owned(),
    }
}

/// What a judge answered, in the words of the levels.
fn judge_line(
    question: &ItemQuestion,
    said: &JudgeAnswer,
    options: &[String],
) -> impl IntoView + use<> {
    let words = question.in_words(&said.values, options);
    let words = if words.is_empty() {
        "nothing".to_owned()
    } else {
        words.join(", ")
    };
    let why = (!said.rationale.is_empty()).then(|| format!(" “{}”", said.rationale));
    view! {
        <p class="soft small judge-said">
            {format!("{} said: ", said.judge)} <b>{words}</b> {why}
        </p>
    }
}

fn control(question: &ItemQuestion, answer: &Answer, view: &DeskView) -> AnyView {
    let name = format!("q:{}", question.id);
    let legend = question.question.clone();
    let first = answer.values.first().cloned();
    let mut html = Html::default();
    match question.kind {
        QuestionKind::Ordinal => {
            let chosen = first.and_then(|value| value.parse().ok());
            scale(&name, &legend, &question.levels, chosen, &mut html);
            ready(html)
        }
        QuestionKind::Nominal => {
            let answers = question.levels.iter().map(choice);
            choices(&name, &legend, answers, first.as_deref(), &mut html);
            ready(html)
        }
        QuestionKind::Multi => {
            let tick = |level: &Level| {
                let (word, name) = (level.word().to_owned(), level.name.clone());
                Tick {
                    checked: answer.values.contains(&word),
                    value: word,
                    label: name,
                    title: level.definition.clone(),
                }
            };
            ticks(&name, legend, question.levels.iter().map(tick).collect()).into_any()
        }
        QuestionKind::Points => {
            let tick = |(at, point): (usize, &String)| {
                let value = (at + 1).to_string();
                Tick {
                    checked: answer.values.contains(&value),
                    value,
                    label: point.clone(),
                    title: String::new(),
                }
            };
            let none = Tick {
                value: NO_POINTS.to_owned(),
                label: "None of them".to_owned(),
                checked: answer.values.iter().any(|value| value == NO_POINTS),
                title: String::new(),
            };
            let points = view.item.options.iter().enumerate().map(tick);
            ticks(&name, legend, points.chain([none]).collect()).into_any()
        }
        QuestionKind::Relations => relations(question, answer, view).into_any(),
        QuestionKind::Text => view! {
            <div class="field">
                <label for=format!("text-{}", question.id)>{legend}</label>
                <textarea id=format!("text-{}", question.id) name=name rows="2" inner_html=area(first.as_deref().unwrap_or_default())></textarea>
            </div>
        }
        .into_any(),
    }
}

/// One box to tick.
struct Tick {
    value: String,
    label: String,
    title: String,
    checked: bool,
}

fn ticks(name: &str, legend: String, all: Vec<Tick>) -> impl IntoView + use<> {
    let name = name.to_owned();
    let one = move |tick: Tick| {
        let title = (!tick.title.is_empty()).then_some(tick.title);
        view! {
            <label class="check" title=title>
                <input type="checkbox" name=name.clone() value=tick.value checked=tick.checked />
                {tick.label}
            </label>
        }
    };
    view! {
        <fieldset>
            <legend>{legend}</legend>
            {all.into_iter().map(one).collect_view()}
        </fieldset>
    }
}

/// What was written as text, as a view.
fn ready(html: Html) -> AnyView {
    view! { <div inner_html=html.done()></div> }.into_any()
}

fn choice(level: &Level) -> Choice<'_> {
    Choice {
        value: level.word(),
        label: &level.name,
        title: &level.definition,
        ..Choice::default()
    }
}
