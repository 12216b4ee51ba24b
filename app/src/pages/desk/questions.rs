//! The scheme's questions about the item as a whole, and the comment on it.

use domain::{
    annotation::{Answer, shortest},
    scheme::{Asked, ItemQuestion, Level, QuestionKind},
};
use leptos::prelude::*;

use crate::components::{Choice, Choices, Definition, LevelDefinitions, SeverityInput};
use service::desk::DeskView;

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
        )
    });
    view! {
        {cards.collect_view()}
        <div class="card" data-label="item">
            <div class="field">
                <label for="comment">"Comment on the item as a whole, if you like"</label>
                <textarea id="comment" name="comment" rows="1">
                    {view.annotation.comment.clone()}
                </textarea>
            </div>
        </div>
    }
}

fn card(question: &ItemQuestion, answer: &Answer) -> impl IntoView + use<> {
    let id = question.id.clone();
    let meaning = (!question.definition.is_empty()).then(|| {
        let text = question.definition.clone();
        view! { <Definition summary="What this asks"><p>{text}</p></Definition> }
    });
    let levels = question
        .levels
        .iter()
        .any(|level| !level.definition.is_empty());
    let levels = levels.then(|| view! { <LevelDefinitions summary="What the answers mean" levels=question.levels.clone() /> });
    let why = question.rationale_below.map(|below| {
        view! {
            <div class="field">
                <label for=format!("why-{id}")>{format!("Reason, needed below {}", shortest(below))}</label>
                <textarea id=format!("why-{id}") name=format!("why:{id}") rows="1">
                    {answer.rationale.clone()}
                </textarea>
            </div>
        }
    });
    view! {
        <div class="card question" data-label=format!("q-{id}")>
            <div id=format!("q-{id}")>{control(question, answer)}</div>
            {meaning}
            {levels}
            {why}
        </div>
    }
}

fn control(question: &ItemQuestion, answer: &Answer) -> AnyView {
    let name = format!("q:{}", question.id);
    let legend = question.question.clone();
    let first = answer.values.first().cloned();
    match question.kind {
        QuestionKind::Ordinal => {
            let chosen = first.and_then(|value| value.parse().ok());
            view! { <SeverityInput name legend levels=question.levels.clone() chosen /> }.into_any()
        }
        QuestionKind::Nominal => {
            let choices = question.levels.iter().map(choice).collect::<Vec<_>>();
            view! { <Choices name legend choices chosen=first /> }.into_any()
        }
        QuestionKind::Multi => {
            let tick = |level: &Level| {
                let checked = answer.values.contains(&level.name);
                view! {
                    <label class="check">
                        <input type="checkbox" name=name.clone() value=level.name.clone() checked=checked />
                        {level.name.clone()}
                    </label>
                }
            };
            view! {
                <fieldset>
                    <legend>{legend}</legend>
                    {question.levels.iter().map(tick).collect_view()}
                </fieldset>
            }
            .into_any()
        }
        QuestionKind::Text => view! {
            <div class="field">
                <label for=format!("text-{}", question.id)>{legend}</label>
                <textarea id=format!("text-{}", question.id) name=name rows="2">{first}</textarea>
            </div>
        }
        .into_any(),
    }
}

fn choice(level: &Level) -> Choice {
    Choice {
        value: level.name.clone(),
        label: level.name.clone(),
        title: level.definition.clone(),
        ..Choice::default()
    }
}
