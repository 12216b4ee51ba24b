//! The form by which somebody writes in a discussion.

use domain::{annotation::shortest, scheme::Validity};
use leptos::prelude::*;
use service::discussion::Thread;

use crate::{
    actions::discussion::PostMessage,
    components::{AreaField, Hidden, PostForm, SelectField, TextField},
    pages::{
        study::reconcile::{codes, question},
        visit::Visit,
        words,
    },
};

/// Words, a quotation, a proposal: each may stay empty, not all of them.
pub fn write(visit: &Visit, thread: &Thread) -> impl IntoView + use<> {
    let form = visit.form::<PostMessage>();
    let scheme = &thread.unit.scheme;
    let none = || (String::new(), "—".to_owned());
    let asked = question::of(&thread.unit).is_some();
    let values = question::scale(&thread.unit).map(|scale| {
        let all = scale.steps(scale.halves.ruling);
        let named = all.into_iter().map(|value| {
            let name = scale.level(value).map(|level| level.name.clone());
            let text = shortest(value);
            let label = name.map_or_else(|| text.clone(), |name| format!("{text} · {name}"));
            (text, label)
        });
        [none()].into_iter().chain(named).collect::<Vec<_>>()
    });
    let validity: Vec<(String, String)> = [none()]
        .into_iter()
        .chain(Validity::ALL.map(|v| (v.as_str().to_owned(), words::validity(v).to_owned())))
        .collect();
    let label = if asked { "Answer" } else { "Severity" };
    let severity = values.map(|options| {
        let form = form.clone();
        view! { <SelectField form name="severity" label=label options /> }.into_any()
    });
    let answer = question::choices(&thread.unit).map(|choices| {
        let (form, chosen) = (
            form.clone(),
            choices.into_iter().filter(|(value, _)| !value.is_empty()),
        );
        let options: Vec<_> = [none()].into_iter().chain(chosen).collect();
        view! { <SelectField form name="answer" label="Answer" options /> }.into_any()
    });
    let quoted = form.was_refused();
    let unit = thread.unit.row.unit.to_string();
    let id = form.value("id", &visit.app.id());
    let basis = thread.unit.basis.clone();
    let codes = codes(scheme);
    let [body, from, to] = [(); 3].map(|()| form.clone());
    let of_a_tag = (!asked).then(|| {
        let [valid, code] = [(); 2].map(|()| form.clone());
        view! {
            <SelectField form=valid name="validity" label="Validity" options=validity />
            <SelectField form=code name="code" label="Category" options=codes />
        }
        .into_any()
    });
    view! {
        <PostForm form class="card stack">
            <Hidden name="unit" value=unit />
            <Hidden name="id" value=id />
            <Hidden name="basis" value=basis />
            <AreaField form=body name="body" label="What you want to say" rows=3 />
            <details open=quoted>
                <summary>"Quote words of the trace"</summary>
                <p class="hint" id="quote-hint">
                    "Counted in characters of the trace, as the spans of the tags are."
                </p>
                <div class="columns">
                    <TextField form=from name="span_start" label="From character" kind="number" min="0" optional=true />
                    <TextField form=to name="span_end" label="To character" kind="number" min="1" optional=true />
                </div>
            </details>
            <fieldset>
                <legend>"I can live with (a proposal; may stay empty)"</legend>
                <div class="columns">
                    {severity}
                    {answer}
                    {of_a_tag}
                </div>
            </fieldset>
            <div class="row end">
                <button class="button primary">"Write"</button>
            </div>
        </PostForm>
    }
}
