//! `/studies/{study}/comments`: what raters wrote, and what staff do about it.

use domain::triage::TriageState;
use leptos::prelude::*;
use service::{
    Result,
    triage::{self, Inbox, InboxFilter, InboxRow},
    unit,
};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    actions::triage::{ActOnComments, ForwardComment, UndoTriage},
    components::{Empty, Hidden, Kind, Notice, PostForm, TextField, Time, Width},
    desk_words::NOT_RATABLE,
    pages::{
        pager::{Pager, SIZE, page_of},
        visit::{Visit, visit},
        words,
    },
};

/// The inbox of comments.
#[component]
pub fn CommentsPage() -> impl IntoView {
    visit(inbox)
}

async fn inbox(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Comments).await?;
    let filter = filter_of(&visit);
    let page = page_of(&visit);
    let wanted = unit::Page {
        number: page,
        size: SIZE,
    };
    let inbox = triage::inbox(&visit.app, &visit.actor, &open.study.id, &filter, wanted).await?;
    let shown = inbox
        .states
        .iter()
        .filter(|(state, _)| filter.state.is_empty() || state.as_str() == filter.state);
    let total: i64 = shown.map(|(_, count)| count).sum();
    let held = (inbox.held_back > 0).then(|| {
        let count = words::count(inbox.held_back, "comment waits", "comments wait");
        view! {
            <p class="soft">
                {count} " until every rater of the item has submitted, so that no comment tells a judgement early."
            </p>
        }
    });
    let undo = undo(&visit, &open);
    Ok(view! {
        <StudyPage open=open.clone() tab=Tab::Comments width=Width::Wide>
            {visit.said()}
            {undo}
            <h1>"Comments"</h1>
            <p>
                "What raters wrote on tags and items, and which items they could not rate. The comment itself stays as it was written."
            </p>
            {held}
            {states(&inbox, &filter)}
            {filters(&open, &inbox, &filter)}
            {list(&visit, &open, &inbox)}
            <Pager page=page total=total query=query_of(&filter) />
        </StudyPage>
    })
}

fn filter_of(visit: &Visit) -> InboxFilter {
    InboxFilter {
        state: visit.query("state"),
        rater: visit.query("rater"),
        category: visit.query("category"),
        item: visit.query("item"),
        kind: visit.query("kind"),
    }
}

fn query_of(filter: &InboxFilter) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in [
        ("state", &filter.state),
        ("rater", &filter.rater),
        ("category", &filter.category),
        ("item", &filter.item),
        ("kind", &filter.kind),
    ] {
        if !value.is_empty() {
            query.append_pair(name, value);
        }
    }
    query.finish()
}

/// The last step, to be taken back.
fn undo(visit: &Visit, open: &Open) -> impl IntoView + use<> {
    let steps = visit.query_all("undo");
    let form = visit.form::<UndoTriage>();
    let fields = steps
        .iter()
        .map(|step| view! { <Hidden name="step[]" value=step.clone() /> })
        .collect_view();
    let study = open.study.id.to_string();
    (!steps.is_empty()).then(|| {
        view! {
            <PostForm form class="row end">
                <Hidden name="study" value=study />
                {fields}
                <button class="button">"Undo the last step"</button>
            </PostForm>
        }
    })
}

/// A state of the inbox in words, and the class of its chip.
fn state_in_words(state: TriageState) -> (&'static str, &'static str) {
    match state {
        TriageState::Unread => ("Unread", "chip now"),
        TriageState::Read => ("Read", "chip"),
        TriageState::Answered => ("Answered", "chip good"),
        TriageState::Resolved => ("Resolved", "chip good"),
        TriageState::Forwarded => ("In discussion", "chip"),
        TriageState::Guideline => ("Manual needs work", "chip warn"),
    }
}

fn states(inbox: &Inbox, filter: &InboxFilter) -> impl IntoView + use<> {
    let count = |which: Option<TriageState>| -> i64 {
        let fits = inbox
            .states
            .iter()
            .filter(|(state, _)| which.is_none_or(|which| which == *state));
        fits.map(|(_, count)| count).sum()
    };
    let link = |which: Option<TriageState>| {
        let word = which.map_or("", TriageState::as_str);
        let label = which.map_or("All", |state| state_in_words(state).0);
        let current = (word == filter.state).then_some("true");
        let href = format!(
            "?{}",
            query_of(&InboxFilter {
                state: word.to_owned(),
                ..filter.clone()
            })
        );
        let n = count(which);
        (n > 0 || which.is_none() || current.is_some()).then(|| {
            view! {
                <a href=href aria-current=current>
                    {label}
                    " "
                    <b class="num">{words::number(n)}</b>
                </a>
            }
        })
    };
    let all = [None].into_iter().chain(TriageState::ALL.map(Some));
    view! {
        <nav class="tabs" aria-label="By state">
            {all.map(link).collect_view()}
        </nav>
    }
}

fn filters(open: &Open, inbox: &Inbox, filter: &InboxFilter) -> impl IntoView + use<> {
    let option = |value: String, label: String, chosen: &str| {
        let selected = value == chosen;
        view! {
            <option value=value selected=selected>
                {label}
            </option>
        }
    };
    let raters = inbox
        .raters
        .iter()
        .map(|letter| option(letter.clone(), format!("Rater {letter}"), &filter.rater))
        .collect_view();
    let categories = open
        .study
        .scheme
        .categories
        .iter()
        .map(|category| option(category.id.clone(), category.name.clone(), &filter.category))
        .collect_view();
    let kinds = [
        ("comment", "Comments"),
        ("asked", "Asks to discuss"),
        ("not_ratable", "Cannot be rated"),
    ];
    let kinds = kinds
        .map(|(value, label)| option(value.to_owned(), label.to_owned(), &filter.kind))
        .collect_view();
    view! {
        <form method="get" class="filters">
            <input type="hidden" name="state" value=filter.state.clone() />
            <div class="field">
                <label for="c-rater">"Rater"</label>
                <select id="c-rater" name="rater">
                    <option value="">"All"</option>
                    {raters}
                </select>
            </div>
            <div class="field">
                <label for="c-category">"Category"</label>
                <select id="c-category" name="category">
                    <option value="">"All"</option>
                    {categories}
                </select>
            </div>
            <div class="field">
                <label for="c-kind">"What"</label>
                <select id="c-kind" name="kind">
                    <option value="">"Anything"</option>
                    {kinds}
                </select>
            </div>
            <div class="field">
                <label for="c-item">"Item"</label>
                <input id="c-item" name="item" value=filter.item.clone() />
            </div>
            <button>"Show"</button>
        </form>
    }
}

fn list(visit: &Visit, open: &Open, inbox: &Inbox) -> impl IntoView + use<> {
    if inbox.rows.is_empty() {
        return view! {
            <Empty title="Nothing here">
                <p>"No comment fits this choice. Comments appear as soon as all raters of an item have submitted."</p>
            </Empty>
        }
        .into_any();
    }
    let form = visit.form::<ActOnComments>();
    let study = open.study.id.to_string();
    let rows = inbox
        .rows
        .iter()
        .map(|row| comment(open, row).into_any())
        .collect_view();
    let forwards = inbox
        .rows
        .iter()
        .filter(|row| row.unit.is_some() && row.state.waits())
        .map(|row| forward(visit, &study, row).into_any())
        .collect_view();
    let step = |state: TriageState, label: &'static str| {
        view! {
            <button class="button" name="state" value=state.as_str()>
                {label}
            </button>
        }
    };
    view! {
        <PostForm form=form.clone() class="stack">
            <Hidden name="study" value=study />
            <ul class="plain inbox">{rows}</ul>
            <fieldset class="card">
                <legend>"With the ticked ones"</legend>
                <div class="row">
                    {step(TriageState::Resolved, "Resolve")} {step(TriageState::Read, "Mark as read")}
                    {step(TriageState::Unread, "Mark as unread")}
                    {step(TriageState::Guideline, "Manual needs work")}
                </div>
                <TextField form=form name="answer" label="Answer to their raters" optional=true />
                <div class="row end">{step(TriageState::Answered, "Send the answer")}</div>
            </fieldset>
        </PostForm>
        {forwards}
    }
    .into_any()
}

fn comment(open: &Open, row: &InboxRow) -> impl IntoView + use<> {
    let base = Tab::Disagreements.href(&open.study);
    let pick = pick_of(row);
    let (state, class) = state_in_words(row.state);
    let tag = match &row.unit {
        Some(unit) => {
            let href = format!("{base}/{unit}");
            view! { <a href=href>{row.tag.clone()}</a> }.into_any()
        }
        None => {
            let href = format!("{}/{}", Tab::Items.href(&open.study), row.item);
            view! { <a href=href>"The item as a whole"</a> }.into_any()
        }
    };
    let reason = NOT_RATABLE
        .iter()
        .find(|(code, _)| *code == row.not_ratable)
        .map(|(_, text)| *text);
    let unable = (!row.not_ratable.is_empty()).then(|| {
        let reason = reason.unwrap_or("another reason");
        view! { <p class="warn-text">"Cannot be rated: " {reason}</p> }
    });
    let asked = row
        .asked
        .then(|| view! { <span class="chip now">"Asks to discuss"</span> });
    let text = (!row.text.is_empty()).then(|| view! { <p class="comment">{row.text.clone()}</p> });
    let answer = (!row.answer.is_empty()).then(|| {
        view! { <p class="small">"Answered: " {row.answer.clone()}</p> }
    });
    let label = format!(
        "Choose the comment of rater {} on item {}",
        row.letter, row.item_key
    );
    view! {
        <li class="card">
            <div class="row">
                <input type="checkbox" name="pick[]" value=pick aria-label=label />
                <b>{format!("Rater {}", row.letter)}</b>
                {tag}
                <span class="key soft">{row.item_key.clone()}</span>
                {asked}
                <span class="push">
                    <span class=class>{state}</span>
                    " "
                    <span class="soft small">
                        <Time at=row.at />
                    </span>
                </span>
            </div>
            {unable}
            {text}
            {answer}
        </li>
    }
}

fn pick_of(row: &InboxRow) -> String {
    format!("{}/{}/{}", row.annotation, row.subject, row.seq)
}

/// A form of its own, because a form cannot stand in another.
fn forward(visit: &Visit, study: &str, row: &InboxRow) -> impl IntoView + use<> {
    let pick = pick_of(row);
    let form = visit
        .form::<ForwardComment>()
        .repeated()
        .only_for("pick", &pick);
    let label = format!(
        "Discuss with the raters: {}, item {}, comment of rater {}",
        row.tag, row.item_key, row.letter
    );
    let refused = form.was_refused();
    let said = refused.then(|| {
        view! {
            <Notice kind=Kind::Bad>
                <p>"This was not done."</p>
            </Notice>
        }
    });
    let study = study.to_owned();
    let id = format!("remark-{}-{}", row.annotation, row.subject);
    let value = form.value("remark", "");
    view! {
        <details open=refused>
            <summary>{label}</summary>
            {said}
            <PostForm form class="stack">
                <Hidden name="study" value=study />
                <Hidden name="pick" value=pick />
                <div class="field">
                    <label for=id.clone()>"What should they look at? (may stay empty)"</label>
                    <input id=id name="remark" value=value autocomplete="off" />
                </div>
                <div class="row end">
                    <button class="button">"Open the discussion"</button>
                </div>
            </PostForm>
        </details>
    }
}
