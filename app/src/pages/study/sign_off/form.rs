//! What is not settled, and the form that signs.

use domain::role::Action;
use leptos::prelude::*;
use service::snapshot::{Readiness, SnapshotRow, UnsettledRow};

use super::super::frame::{Open, Tab};
use crate::{
    actions::snapshot::SignStudyOff,
    components::{AreaField, Form, Hidden, Kind, Notice, PostForm, TextField},
    pages::{visit::Visit, words},
};

/// How many units of a state are listed; the rest can only be left out together.
const LISTED: usize = 200;

/// The states in which something is not settled: word, heading, what it means.
const STATES: [(&str, &str, &str); 4] = [
    (
        "disputed",
        "Raters differ",
        "Nobody has recorded how these were settled.",
    ),
    (
        "in_discussion",
        "Being discussed",
        "Raters and staff still talk about these.",
    ),
    (
        "stale",
        "Changed since they were settled",
        "A judgement, the trace or the coding manual changed after the ruling.",
    ),
    (
        "open",
        "Waiting for raters",
        "Not every rater of the item has submitted, or nobody gave these a value.",
    ),
];

/// What stands in the way, and the form.
pub fn to_sign(
    visit: &Visit,
    open: &Open,
    ready: &Readiness,
    before: Option<&SnapshotRow>,
) -> impl IntoView + use<> {
    let waiting = ready.unsettled.len();
    let (one, many) = open.study.scheme.unit_words();
    let head = if waiting == 0 {
        view! {
            <Notice kind=Kind::Good>
                <p>"Everything that was given to raters has a final value, or is recorded as a principled disagreement."</p>
            </Notice>
        }
        .into_any()
    } else {
        let queue = open
            .may(Action::DisagreementRead)
            .then(|| view! { <a href=Tab::Disagreements.href(&open.study)>"Open the queue"</a> });
        let sentence = format!(
            "{} without a final value. Settle them, or leave them out below with a reason, which becomes part of the snapshot.",
            words::count(waiting as i64, &format!("{one} is"), &format!("{many} are")),
        );
        view! {
            <Notice kind=Kind::Warn>
                <p>{sentence} " " {queue}</p>
            </Notice>
        }
        .into_any()
    };
    let form = open
        .may(Action::SignOff)
        .then(|| sign(visit, open, ready, before).into_any());
    view! {
        {head}
        {form}
    }
}

fn sign(
    visit: &Visit,
    open: &Open,
    ready: &Readiness,
    before: Option<&SnapshotRow>,
) -> impl IntoView + use<> {
    let form = visit.form::<SignStudyOff>();
    let groups = STATES
        .into_iter()
        .filter_map(|state| {
            group(
                &form,
                state,
                &ready.unsettled,
                open.study.scheme.unit_words(),
            )
        })
        .collect_view();
    let (study, basis) = (open.study.id.to_string(), ready.basis.clone());
    let next = before.map_or(1, |row| row.named.number + 1);
    let name = visit.actor.display_name.clone();
    view! {
        <h2>{format!("Sign off as snapshot {next}")}</h2>
        <PostForm form=form.clone() class="card">
            <Hidden name="study" value=study />
            <Hidden name="basis" value=basis />
            {groups}
            <TextField
                form=form.clone()
                name="name"
                label="Your name"
                hint="You answer for these labels under this name; it stands in every table of the snapshot."
                start=name
                autocomplete="name"
            />
            <AreaField
                form
                name="statement"
                label="Statement"
                hint="What you state about these labels, for example how disagreements were settled. It may stay empty."
            />
            <button class="button primary">"Freeze the labels and sign off"</button>
        </PostForm>
    }
}

fn group(
    form: &Form,
    (state, title, what): (&'static str, &'static str, &'static str),
    unsettled: &[UnsettledRow],
    (one, many): (&str, &str),
) -> Option<AnyView> {
    let rows: Vec<&UnsettledRow> = unsettled.iter().filter(|row| row.state == state).collect();
    if rows.is_empty() {
        return None;
    }
    let all = form.ticked("all[]", state, false);
    let single = |row: &&UnsettledRow| {
        let value = format!("{state}:{}", row.unit);
        let ticked = form.ticked("leave[]", &value, false);
        let what = match row.kind.as_str() {
            "item" if row.category_name.is_empty() => "nothing yet, a rater is expected".to_owned(),
            "missed" => format!("{}, added by a rater", row.category_name),
            _ => row.category_name.clone(),
        };
        view! {
            <label class="check">
                <input type="checkbox" name="leave[]" value=value checked=ticked />
                {row.item_key.clone()}
                ": "
                {what}
            </label>
        }
    };
    let listed = rows.iter().take(LISTED).map(single).collect_view();
    let more = (rows.len() > LISTED).then(|| {
        let text = format!(
            "{} more are not listed here.",
            words::number((rows.len() - LISTED) as i64)
        );
        view! { <p class="soft small">{text}</p> }
    });
    let count = words::count(rows.len() as i64, one, many);
    let field = reason_field(state);
    Some(
        view! {
            <fieldset>
                <legend>{format!("{title}: {count}")}</legend>
                <p class="soft small">{what}</p>
                <label class="check">
                    <input type="checkbox" name="all[]" value=state checked=all />
                    "Leave all of these out"
                </label>
                <details>
                    <summary>"Choose one by one"</summary>
                    {listed}
                    {more}
                </details>
                <TextField form=form.clone() name=field label="Why they are left out" optional=true />
            </fieldset>
        }
        .into_any(),
    )
}

fn reason_field(state: &str) -> &'static str {
    match state {
        "open" => "reason_open",
        "disputed" => "reason_disputed",
        "in_discussion" => "reason_in_discussion",
        _ => "reason_stale",
    }
}
