//! `/studies/{study}/disagreements/{unit}`: both sides of one unit, and what settles it.

mod exclude;
mod history;
mod keys;
mod outcome;
pub mod question;
pub mod sides;

use domain::{id::UnitId, refusal::Refusal, role::Action, span::Span};
use leptos::prelude::*;
use service::{Result, discussion, unit, unit::UnitView};

pub use keys::keys;
pub use outcome::codes;

use super::{
    case::case,
    frame::{Open, StudyPage, Tab},
};
use crate::{
    actions::ruling::RecordRuling,
    components::{Empty, Mark, MarkKind, Width},
    pages::{
        thread,
        visit::{Visit, visit},
        words,
    },
};

/// One unit with both sides.
#[component]
pub fn ReconcilePage() -> impl IntoView {
    visit(reconcile)
}

async fn reconcile(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Disagreements).await?;
    let unit = unit::get(&visit.app, &visit.actor, &UnitId::new(visit.param("unit"))).await?;
    if unit.study != open.study.id {
        return Err(Refusal::NotFound.into());
    }
    let base = Tab::Disagreements.href(&open.study);
    let title = title(&unit);
    let rules = open.may(Action::Rule);
    let left = case(
        &unit.item,
        &unit.scheme.display.headings,
        marks(&unit),
        false,
    )
    .into_any();
    let judge = sides::judge(&unit);
    let decision = decision(&visit, &unit, &open.study.id.to_string(), rules);
    let talk = if unit.all_in && rules {
        let thread = discussion::get(&visit.app, &visit.actor, &unit.row.unit).await?;
        let last = thread.messages.last().map_or(0, |message| message.seq);
        if thread.begun {
            discussion::seen(&visit.app, &visit.actor, &unit.row.unit, last).await?;
        }
        Some(thread::talk(&visit, &thread).into_any())
    } else {
        None
    };
    let out = open
        .may(Action::Triage)
        .then(|| exclude::exclude(&visit, &unit).into_any());
    let said = visit.said().into_any();
    let head = head(&unit, &base).into_any();
    let levels = question::scale(&unit)
        .as_ref()
        .map(domain::scheme::SeverityScale::values)
        .unwrap_or_default();
    let keys = (rules && unit.all_in).then(|| keys(levels, true).into_any());
    // More of an answer is not worse, as more of a severity is.
    let class = if question::of(&unit).is_some() {
        "reconcile neutral"
    } else {
        "reconcile"
    };
    let example = example(&unit, &open).map(IntoAny::into_any);
    Ok(view! {
        <StudyPage open tab=Tab::Disagreements below=title width=Width::Bare>
            <div class=class>
                <section class="pane" aria-label="Case">
                    {left} {judge}
                </section>
                <section class="pane decision" aria-label="Decision">
                    {said} {head} {decision} {example} {talk} {out} {keys}
                </section>
            </div>
        </StudyPage>
    })
}

/// A settled tag can become an example of the manual in one step: the form there is filled from it.
fn example(unit: &UnitView, open: &Open) -> Option<impl IntoView + use<>> {
    let ruling = unit.ruling.as_ref().filter(|ruling| ruling.current)?;
    if ruling.subcategory.is_empty()
        || question::of(unit).is_some()
        || !open.may(Action::StudyManage)
    {
        return None;
    }
    let severity = ruling.severity.map(domain::annotation::shortest);
    let href = format!(
        "{}/edit?example={}&severity={}&unit={}",
        Tab::Scheme.href(&open.study),
        ruling.subcategory,
        severity.unwrap_or_default(),
        unit.row.unit,
    );
    Some(view! {
        <p>
            <a class="button" href=href>
                "Make an example for the manual"
            </a>
        </p>
    })
}

/// What the tag is called.
pub fn title(unit: &UnitView) -> String {
    let row = &unit.row;
    if row.subcategory_name.is_empty() {
        row.category_name.clone()
    } else {
        row.subcategory_name.clone()
    }
}

fn head(unit: &UnitView, base: &str) -> impl IntoView + use<> {
    let link = |to: &Option<UnitId>, rel: &'static str, label: &'static str| {
        to.as_ref().map(|to| {
            let href = format!("{base}/{to}");
            view! {
                <a rel=rel href=href>
                    {label}
                </a>
            }
        })
    };
    let (state, class) = words::unit_state(unit.row.state);
    let kinds: Vec<&str> = unit
        .row
        .kinds
        .iter()
        .map(|kind| words::difference(kind))
        .collect();
    let differs =
        (!kinds.is_empty()).then(|| format!("Differs in: {}", kinds.join(", ").to_lowercase()));
    let category = (!unit.row.subcategory_name.is_empty()).then(|| unit.row.category_name.clone());
    let asked = question::title(unit).map(IntoAny::into_any);
    let missed = (unit.tag.number == 0 && asked.is_none()).then(|| {
        format!(
            "Missed by the judge, added by rater {}",
            unit.tag.missed_by.join(" and ")
        )
    });
    view! {
        <nav class="row steps" aria-label="Queue">
            {link(&unit.previous, "prev", "← Before")} <a href=base.to_owned()>"All disagreements"</a>
            {link(&unit.next, "next", "Next →")}
        </nav>
        <div class="page-head">
            <div>
                <h1>{title(unit)}</h1>
                <p class="soft">{category} {missed}</p>
                {asked}
            </div>
            <p>
                <span class=class>{state}</span>
                <span class="soft small below">{differs}</span>
            </p>
        </div>
    }
}

fn decision(visit: &Visit, unit: &UnitView, study: &str, rules: bool) -> AnyView {
    if !unit.all_in {
        return view! {
            <Empty title="Not every rater has submitted">
                <p>
                    "What raters said stays hidden until all raters of this item have submitted, so that nobody’s answer can influence another’s."
                </p>
            </Empty>
        }
        .into_any();
    }
    let sides = sides::sides(unit, true).into_any();
    let history = history::history(unit).into_any();
    let form = if rules {
        let start = outcome::Start::of(unit, &visit.query("adopt"));
        outcome::outcome(&visit.form::<RecordRuling>(), unit, study, &start).into_any()
    } else {
        view! { <p class="soft">"Your role lets you read this, not settle it."</p> }.into_any()
    };
    view! {
        {sides}
        {form}
        {history}
    }
    .into_any()
}

/// The span of the tag, lit.
pub fn marks(unit: &UnitView) -> Vec<Mark> {
    let (label, kind) = match unit.tag.number {
        0 => ("+".to_owned(), MarkKind::Missed),
        number => (number.to_string(), MarkKind::Candidate),
    };
    let mark = |(start, end, _): &(u32, u32, String)| {
        let span = Span::new(*start, *end).ok()?;
        Some(Mark {
            label: label.clone(),
            span,
            kind,
            now: true,
        })
    };
    unit.tag.spans.iter().filter_map(mark).collect()
}
