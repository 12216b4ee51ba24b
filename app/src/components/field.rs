//! A labelled control with its hint and its error.

use leptos::prelude::*;

/// A label, the control given as child, a hint and an error.
///
/// The control carries `id=ID`; when there is an error it should also carry `aria-invalid="true"` and
/// `aria-describedby="ID-error"`, with a hint `"ID-hint"`.
#[component]
pub fn Field(
    /// The `id` of the control.
    #[prop(into)]
    id: String,
    /// What is asked.
    #[prop(into)]
    label: String,
    /// How to answer.
    #[prop(optional, into)]
    hint: Option<String>,
    /// What is wrong and what to do.
    #[prop(optional, into)]
    error: Option<String>,
    /// The control.
    children: Children,
) -> impl IntoView {
    let hint = hint.map(|text| view! { <p class="hint" id=format!("{id}-hint")>{text}</p> });
    let error = error.map(|text| view! { <p class="error" id=format!("{id}-error")>{text}</p> });
    view! {
        <div class="field">
            <label for=id>{label}</label>
            {hint}
            {children()}
            {error}
        </div>
    }
}

/// One checkbox with its label.
#[component]
pub fn Check(
    /// The field's name.
    #[prop(into)]
    name: String,
    /// What ticking it says.
    #[prop(into)]
    label: String,
    /// Whether it is ticked.
    #[prop(optional)]
    checked: bool,
    /// What it sends.
    #[prop(default = "on".into(), into)]
    value: String,
) -> impl IntoView {
    view! {
        <label class="check">
            <input type="checkbox" name=name value=value checked=checked />
            {label}
        </label>
    }
}
