//! What a page says about itself: notices, errors with links, emptiness, progress, facts, dialogs.

use leptos::prelude::*;

/// What a message means; also its class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// For information.
    #[default]
    Info,
    /// It worked.
    Good,
    /// It needs attention.
    Warn,
    /// It did not work.
    Bad,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Self::Info => "notice",
            Self::Good => "notice good",
            Self::Warn => "notice warn",
            Self::Bad => "notice bad",
        }
    }
}

/// A message in the flow of the page; announced at once when something did not work.
#[component]
pub fn Notice(
    /// What it means.
    #[prop(optional)]
    kind: Kind,
    /// The message.
    children: Children,
) -> impl IntoView {
    let role = if kind == Kind::Bad { "alert" } else { "status" };
    view! {
        <div class=kind.class() role=role>
            {children()}
        </div>
    }
}

/// All that is wrong, each line a link to where it is put right. Nothing when nothing is wrong.
#[component]
pub fn ErrorSummary(
    /// The heading.
    #[prop(into)]
    title: String,
    /// Each error and the `id` of its control.
    errors: Vec<(String, String)>,
) -> impl IntoView {
    let line =
        |(text, id): (String, String)| view! { <li><a href=format!("#{id}")>{text}</a></li> };
    (!errors.is_empty()).then(|| {
        view! {
            <div class="notice bad" id="errors" role="alert" tabindex="-1">
                <h2>{title}</h2>
                <ul>{errors.into_iter().map(line).collect_view()}</ul>
            </div>
        }
    })
}

/// Says why a place is empty and what to do next.
#[component]
pub fn Empty(
    /// What is missing, as a short sentence.
    #[prop(into)]
    title: String,
    /// Why, and the next step.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="empty">
            <h2>{title}</h2>
            {children()}
        </div>
    }
}

/// How much is done, as a bar and in words.
#[component]
pub fn Progress(
    /// Done.
    done: u64,
    /// In all.
    total: u64,
    /// What is counted, for example `items`.
    #[prop(into)]
    unit: String,
) -> impl IntoView {
    view! {
        <span class="progress">
            {format!("{done} of {total}")}
            <progress max=total.max(1) value=done aria-label=format!("{done} of {total} {unit} done")></progress>
        </span>
    }
}

/// Short labels over an item: what it is, not what it says.
#[component]
pub fn Facts(
    /// Each label's name (for screen readers) and its value.
    facts: Vec<(String, String)>,
) -> impl IntoView {
    let fact = |(name, value): (String, String)| {
        view! {
            <li title=name.clone()>
                <span class="unseen">{name.clone()} ": "</span>
                {value}
            </li>
        }
    };
    view! { <ul class="facts">{facts.into_iter().map(fact).collect_view()}</ul> }
}

/// A modal dialog; opened by an island. Its first `<form method="dialog">` button closes it.
#[component]
pub fn Dialog(
    /// Its `id`.
    #[prop(into)]
    id: String,
    /// Its heading.
    #[prop(into)]
    title: String,
    /// Room for two columns.
    #[prop(optional)]
    wide: bool,
    /// The content, buttons included.
    children: Children,
) -> impl IntoView {
    let label = format!("{id}-title");
    // A dialog may open under a hand that types: the next space must press none of its buttons.
    view! {
        <dialog id=id aria-labelledby=label.clone() class=wide.then_some("wide")>
            <h2 id=label.clone() tabindex="-1" autofocus>{title}</h2>
            {children()}
        </dialog>
    }
}
