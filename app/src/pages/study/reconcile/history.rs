//! Every version of the ruling, newest first. None is ever changed or deleted.

use domain::{annotation::shortest, scheme::Scheme};
use leptos::prelude::*;
use service::{
    ruling::Change,
    unit::{RaterValue, RulingView, UnitView},
};

use crate::{
    components::{LevelBadge, Time},
    pages::words,
};

/// The rulings so far.
pub fn history(unit: &UnitView) -> impl IntoView + use<> {
    let versions = unit
        .history
        .iter()
        .map(|ruling| version(&unit.scheme, ruling).into_any())
        .collect_view();
    let none = unit
        .history
        .is_empty()
        .then_some("Nothing has been recorded yet.");
    view! {
        <section class="history">
            <h2 class="overline">"Rulings so far"</h2>
            <p class="soft small">{none}</p>
            {versions}
        </section>
    }
}

fn version(scheme: &Scheme, ruling: &RulingView) -> impl IntoView + use<> {
    let severity = ruling.severity.zip(scheme.severity.clone());
    let severity = severity.map(|(value, scale)| view! { <LevelBadge value scale /> });
    let validity = ruling.validity.map(words::validity);
    let code = if ruling.subcategory.is_empty() {
        &ruling.category
    } else {
        &ruling.subcategory
    };
    let category = scheme.name_of(code).map(str::to_owned);
    let cause = ruling
        .cause
        .map(|cause| format!("Why they differed: {}.", words::cause(cause).to_lowercase()));
    let confidence =
        (!ruling.confidence.is_empty()).then(|| format!("Confidence: {}.", ruling.confidence));
    let adopted = (!ruling.adopted_from.is_empty())
        .then(|| format!("Value of rater {}.", ruling.adopted_from));
    let agreed = ruling.agreed_by_raters.then_some("Both raters agreed.");
    let guideline = ruling
        .guideline_needs_work
        .then(|| view! { <span class="chip warn">"Manual needs work"</span> });
    let stale = (!ruling.current).then(|| {
        view! { <span class="chip bad">"Rests on something that changed"</span> }
    });
    let changes = ruling
        .changes
        .iter()
        .map(|change| view! { <li>{change_in_words(change)}</li> })
        .collect_view();
    let changes = (!ruling.changes.is_empty()).then(|| view! { <ul class="small">{changes}</ul> });
    let merged = (!ruling.merged_into.is_empty())
        .then_some("Counted as the same tag as another of this item.");
    let moved = ruling.span.as_ref().map(|(start, end, words)| {
        let place = format!("Final span, characters {start} to {end}: ");
        view! { <p class="small">{place} <q>{words.clone()}</q></p> }
    });
    let note = (!ruling.note.is_empty())
        .then(|| ruling.note.clone())
        .map(|note| view! { <p class="comment">{note}</p> });
    view! {
        <article class="card">
            <p>
                <b>{words::outcome(ruling.outcome)}</b>
                " "
                {severity}
                " "
                {validity}
                " "
                {category}
                " "
                {stale}
                " "
                {guideline}
            </p>
            {changes}
            {moved}
            {note}
            <p class="soft small">
                {merged} " "
                {cause} " " {confidence} " " {adopted} " " {agreed} " " {format!("Version {}, by {}, ", ruling.version, ruling.ruled_by)}
                <Time at=ruling.ruled_at />
            </p>
        </article>
    }
}

/// What is not as the ruling saw it.
fn change_in_words(change: &Change) -> String {
    match change {
        Change::Judgement {
            letter,
            before,
            after,
        } => format!(
            "Rater {letter}: {} → {}",
            before
                .as_ref()
                .map_or_else(|| "nothing".to_owned(), value_in_words),
            after
                .as_ref()
                .map_or_else(|| "nothing".to_owned(), value_in_words),
        ),
        Change::Trace => "The trace was imported again and is not the same.".to_owned(),
        Change::Manual { from, to } => format!(
            "The coding manual means something else here since version {to} (the ruling saw version {from})."
        ),
        Change::Wording => {
            "A comment or the words of a span changed, the values did not.".to_owned()
        }
    }
}

fn value_in_words(value: &RaterValue) -> String {
    if value.not_ratable {
        return "cannot be rated".to_owned();
    }
    if value.not_marked {
        return "not marked".to_owned();
    }
    let validity = value.validity.map(|v| words::validity(v).to_lowercase());
    let severity = value.severity.map(shortest);
    let parts: Vec<String> = [validity, severity].into_iter().flatten().collect();
    parts.join(", ")
}
