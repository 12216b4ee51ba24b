//! Every version of the ruling, newest first. None is ever changed or deleted.

use domain::scheme::Scheme;
use leptos::prelude::*;
use service::unit::{RulingView, UnitView};

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
        view! { <span class="chip bad">"A judgement changed after this ruling"</span> }
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
            {note}
            <p class="soft small">
                {cause} " " {confidence} " " {adopted} " " {agreed} " " {format!("Version {}, by {}, ", ruling.version, ruling.ruled_by)}
                <Time at=ruling.ruled_at />
            </p>
        </article>
    }
}
