//! The discussion of a unit: what staff see under the two sides, and what a rater of the item gets as a page.

mod message;
mod write;

use domain::id::UnitId;
use leptos::prelude::*;
use service::{Result, discussion, discussion::Thread};

use super::{
    study::case::case,
    study::reconcile::{keys, marks, sides, title},
    visit::{Visit, visit},
};
use crate::{
    actions::discussion::{AssignDiscussion, CloseDiscussion, OpenDiscussion},
    components::{Crumb, Hidden, Page, PostForm, SelectField, TextField, Width},
};

/// A unit that its raters discuss, for one of them.
#[component]
pub fn DiscussionPage() -> impl IntoView {
    visit(page)
}

async fn page(visit: Visit) -> Result<impl IntoView> {
    let unit = UnitId::new(visit.param("unit"));
    let thread = discussion::get(&visit.app, &visit.actor, &unit).await?;
    let last = thread.messages.last().map_or(0, |message| message.seq);
    discussion::seen(&visit.app, &visit.actor, &unit, last).await?;
    let crumbs = vec![
        Crumb::link("My work", "/"),
        Crumb::here(format!("Discussion · {}", thread.study_name)),
    ];
    let heading = title(&thread.unit);
    let left = case(
        &thread.unit.item,
        &thread.unit.scheme.display.headings,
        marks(&thread.unit),
        false,
    )
    .into_any();
    let judge = sides::judge(&thread.unit);
    let both = sides::sides(&thread.unit, false).into_any();
    let said = visit.said().into_any();
    let talk = talk(&visit, &thread).into_any();
    let keys = keys(Vec::new(), false).into_any();
    let name = heading.clone();
    Ok(view! {
        <Page title=format!("{heading} · Discussion") crumbs width=Width::Bare>
            <div class="reconcile">
                <section class="pane" aria-label="Case">
                    {left} {judge}
                </section>
                <section class="pane decision" aria-label="Discussion">
                    {said}
                    <h1>{name}</h1>
                    <p class="soft">
                        "Both judgements stay as they were given. What you agree on here is recorded beside them."
                    </p>
                    {both}
                    {talk}
                    {keys}
                </section>
            </div>
        </Page>
    })
}

/// The thread with everything that whoever looks may do in it.
pub fn talk(visit: &Visit, thread: &Thread) -> impl IntoView + use<> {
    let messages = thread
        .messages
        .iter()
        .map(|message| message::message(visit, thread, message).into_any())
        .collect_view();
    let empty = (thread.begun && thread.messages.is_empty())
        .then(|| view! { <p class="soft">"Nobody has written yet."</p> });
    let closed = (thread.begun && !thread.open).then(|| {
        view! { <p class="soft">"This discussion is closed. What was said stays readable."</p> }
    });
    let write = thread.open.then(|| write::write(visit, thread).into_any());
    let manage = thread.staff.then(|| manage(visit, thread).into_any());
    let to = (!thread.assigned_name.is_empty())
        .then(|| view! { <span class="chip now">{format!("{} is asked to settle it", thread.assigned_name)}</span> });
    view! {
        <section class="discussion" id="discussion">
            <h2 class="overline">"Discussion " {to}</h2>
            {empty}
            <ol class="thread">{messages}</ol>
            {closed}
            {write}
            {manage}
        </section>
    }
}

/// What only staff do: open, ask somebody, close.
fn manage(visit: &Visit, thread: &Thread) -> impl IntoView + use<> {
    let unit = thread.unit.row.unit.to_string();
    let open = (!thread.open).then(|| {
        let unit = unit.clone();
        let form = visit.form::<OpenDiscussion>();
        let label = if thread.begun { "Open it again" } else { "Open a discussion" };
        view! {
            <PostForm form=form.clone() class="stack">
                <Hidden name="unit" value=unit />
                <TextField form=form name="remark" label="What should they look at? (may stay empty)" optional=true />
                <div class="row end">
                    <button class="button">{label}</button>
                </div>
            </PostForm>
        }
        .into_any()
    });
    let close = thread.open.then(|| {
        let form = visit.form::<CloseDiscussion>();
        let unit = unit.clone();
        view! {
            <PostForm form class="row end">
                <Hidden name="unit" value=unit />
                <button class="button quiet">"Close the discussion"</button>
            </PostForm>
        }
        .into_any()
    });
    let people = [(String::new(), "Nobody in particular".to_owned())].into_iter();
    let people: Vec<(String, String)> = people.chain(thread.may_settle.iter().cloned()).collect();
    let assign = (people.len() > 1).then(|| {
        let form = visit.form::<AssignDiscussion>();
        let (unit, start) = (unit.clone(), thread.assigned_to.clone());
        view! {
            <PostForm form=form.clone() class="row">
                <Hidden name="unit" value=unit />
                <SelectField form=form name="to" label="Asked to settle it" options=people start />
                <button class="button">"Ask"</button>
            </PostForm>
        }
        .into_any()
    });
    view! {
        <details open=!thread.begun>
            <summary>"Open, ask somebody, close"</summary>
            {open}
            {assign}
            {close}
        </details>
    }
}
