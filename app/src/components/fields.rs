//! Plain forms and their fields: posted without script, each with its label, hint and error.

use leptos::prelude::*;

use super::form::Form;
use crate::html::area;

/// A form that is posted without script.
#[component]
pub fn PostForm(
    /// The form.
    form: Form,
    /// Its class.
    #[prop(optional, into)]
    class: String,
    /// Its fields and buttons.
    children: Children,
) -> impl IntoView {
    view! {
        <form method="post" action=form.action().to_owned() id=form.own_id() class=class>
            {children()}
        </form>
    }
}

/// A field that the person does not see.
#[component]
pub fn Hidden(
    /// Its name.
    #[prop(into)]
    name: String,
    /// What it sends.
    #[prop(into)]
    value: String,
) -> impl IntoView {
    view! { <input type="hidden" name=name value=value /> }
}

/// One line of text.
#[component]
pub fn TextField(
    /// The form.
    form: Form,
    /// The field's name.
    name: &'static str,
    /// What is asked.
    #[prop(into)]
    label: String,
    /// How to answer.
    #[prop(optional, into)]
    hint: Option<String>,
    /// `text`, `password`, `number`.
    #[prop(default = "text")]
    kind: &'static str,
    /// What browsers fill in.
    #[prop(default = "off")]
    autocomplete: &'static str,
    /// What it starts with.
    #[prop(optional, into)]
    start: String,
    /// Whether it may stay empty.
    #[prop(optional)]
    optional: bool,
    /// The least number.
    #[prop(optional, into)]
    min: Option<String>,
    /// The greatest number.
    #[prop(optional, into)]
    max: Option<String>,
) -> impl IntoView {
    let id = form.id(name);
    let described_id = id.clone();
    let error = form.error(name);
    let described = described_by(&id, hint.is_some(), error.is_some());
    let invalid = error.is_some().then_some("true");
    let value = if kind == "password" {
        String::new()
    } else {
        form.value(name, &start)
    };
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            {hint.map(|text| hint_of(&id, text))}
            <input
                id=id
                name=name
                type=kind
                value=value
                autocomplete=autocomplete
                required=!optional
                min=min
                max=max
                aria-invalid=invalid
                aria-describedby=described
            />
            {error.map(|text| error_of(&described_id, text))}
        </div>
    }
}

/// Several lines of text.
#[component]
pub fn AreaField(
    /// The form.
    form: Form,
    /// The field's name.
    name: &'static str,
    /// What is asked.
    #[prop(into)]
    label: String,
    /// How to answer.
    #[prop(optional, into)]
    hint: Option<String>,
    /// What it starts with.
    #[prop(optional, into)]
    start: String,
    /// How many lines it shows.
    #[prop(default = 3)]
    rows: u32,
) -> impl IntoView {
    let id = form.id(name);
    let described_id = id.clone();
    let error = form.error(name);
    let described = described_by(&id, hint.is_some(), error.is_some());
    let invalid = error.is_some().then_some("true");
    let value = form.value(name, &start);
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            {hint.map(|text| hint_of(&id, text))}
            <textarea id=id name=name rows=rows aria-invalid=invalid aria-describedby=described inner_html=area(&value)></textarea>
            {error.map(|text| error_of(&described_id, text))}
        </div>
    }
}

/// One of a few values.
#[component]
pub fn SelectField(
    /// The form.
    form: Form,
    /// The field's name.
    name: &'static str,
    /// What is asked.
    #[prop(into)]
    label: String,
    /// How to answer.
    #[prop(optional, into)]
    hint: Option<String>,
    /// Each value and what it says.
    options: Vec<(String, String)>,
    /// The value it starts with.
    #[prop(optional, into)]
    start: String,
) -> impl IntoView {
    let id = form.id(name);
    let described_id = id.clone();
    let error = form.error(name);
    let described = described_by(&id, hint.is_some(), error.is_some());
    let invalid = error.is_some().then_some("true");
    let chosen = form.value(name, &start);
    let option = move |(value, text): (String, String)| {
        let selected = value == chosen;
        view! {
            <option value=value selected=selected>
                {text}
            </option>
        }
    };
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            {hint.map(|text| hint_of(&id, text))}
            <select id=id name=name aria-invalid=invalid aria-describedby=described>
                {options.into_iter().map(option).collect_view()}
            </select>
            {error.map(|text| error_of(&described_id, text))}
        </div>
    }
}

fn hint_of(id: &str, text: String) -> impl IntoView + use<> {
    view! {
        <p class="hint" id=format!("{id}-hint")>
            {text}
        </p>
    }
}

fn error_of(id: &str, text: String) -> impl IntoView + use<> {
    view! {
        <p class="error" id=format!("{id}-error")>
            {text}
        </p>
    }
}

fn described_by(id: &str, hint: bool, error: bool) -> Option<String> {
    match (hint, error) {
        (true, true) => Some(format!("{id}-hint {id}-error")),
        (true, false) => Some(format!("{id}-hint")),
        (false, true) => Some(format!("{id}-error")),
        (false, false) => None,
    }
}
