//! Definitions at the point of decision: closed until asked for, there without any script.

use domain::{
    annotation::shortest,
    scheme::{Level, Scheme, Subcategory},
};
use leptos::prelude::*;

/// A definition that opens where it is needed.
#[component]
pub fn Definition(
    /// The question it answers.
    #[prop(into)]
    summary: String,
    /// The definition.
    children: Children,
) -> impl IntoView {
    view! {
        <details class="definition">
            <summary>{summary}</summary>
            <div>{children()}</div>
        </details>
    }
}

/// What a category or subcategory means, what belongs to it, what does not, and examples.
#[component]
pub fn CategoryDefinition(
    /// The scheme it belongs to.
    scheme: std::sync::Arc<Scheme>,
    /// Its code.
    #[prop(into)]
    code: String,
) -> impl IntoView {
    let found = scheme.find(&code)?;
    let category = scheme.category(&found.category)?.clone();
    let sub = found
        .subcategory
        .as_deref()
        .and_then(|id| scheme.subcategory(id))
        .cloned();
    let name = scheme.name_of(&code)?.to_owned();
    let note = (!category.note.is_empty()).then(|| view! { <p class="soft">{category.note}</p> });
    Some(view! {
        <Definition summary=format!("What belongs to {name}")>
            <p>
                <b>{category.name}</b>
                ": "
                {category.definition}
            </p>
            {sub.map(|sub| subcategory(&sub))}
            {note}
        </Definition>
    })
}

fn subcategory(sub: &Subcategory) -> impl IntoView + use<> {
    let list = |head: &'static str, lines: &[String]| {
        let lines = lines.to_vec();
        (!lines.is_empty()).then(|| {
            view! {
                <h4>{head}</h4>
                <ul>{lines.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}</ul>
            }
        })
    };
    let example = |example: &domain::scheme::Example| {
        let severity = example
            .severity
            .map(|value| format!(" ({})", shortest(value)));
        view! {
            <li>
                <q>{example.text.clone()}</q>
                {severity} " " <span class="soft">{example.why.clone()}</span>
            </li>
        }
    };
    let examples = (!sub.examples.is_empty()).then(|| {
        view! {
            <h4>"Examples"</h4>
            <ul>{sub.examples.iter().map(example).collect_view()}</ul>
        }
    });
    view! {
        <p><b>{sub.name.clone()}</b>": " {sub.definition.clone()}</p>
        {list("Belongs here", &sub.include)}
        {list("Does not", &sub.exclude)}
        {examples}
    }
}

/// What each level of an ordered scale means.
#[component]
pub fn LevelDefinitions(
    /// The question it answers.
    #[prop(into)]
    summary: String,
    /// The levels.
    levels: Vec<Level>,
) -> impl IntoView {
    let level = |level: Level| {
        view! {
            <dt>{shortest(level.value)}</dt>
            <dd>
                <b>{level.name}</b>
                ": "
                {level.definition}
            </dd>
        }
    };
    view! {
        <Definition summary=summary>
            <dl class="pairs">{levels.into_iter().map(level).collect_view()}</dl>
        </Definition>
    }
}
