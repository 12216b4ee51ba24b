//! `/studies/{study}/agreement`: how far raters agree, before reconciliation and after it, and why.

mod explain;
mod facets;
mod figures;
mod matrix;
mod retained;
pub mod says;
mod table;

use domain::role::Action;
use leptos::prelude::*;
use service::{
    Result, agreement,
    agreement::{AgreementQuery, AgreementReport, Facet, Question, Stage},
    retention,
    retention::Retention,
    snapshot,
};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    components::{Empty, Width},
    pages::visit::{Visit, visit},
};

/// The reports that the page compares.
pub(super) struct Reports {
    /// All units, independent values.
    raw: AgreementReport,
    /// All units, after reconciliation.
    reconciled: AgreementReport,
    /// By the chosen facet, independent values.
    facets: Option<AgreementReport>,
}

/// Agreement between raters.
#[component]
pub fn AgreementPage() -> impl IntoView {
    visit(page)
}

async fn page(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Agreement).await?;
    let question = if visit.query("question") == "validity" {
        Question::Validity
    } else {
        Question::Severity
    };
    let facet = facet_of(&visit.query("facet"));
    let report = async |stage, facet| {
        let query = AgreementQuery {
            stage,
            question,
            facet,
        };
        agreement::report(&visit.app, &visit.actor, &open.study.id, &query).await
    };
    let facets = if facet == Facet::None {
        None
    } else {
        Some(report(Stage::Raw, facet).await?)
    };
    let (raw, reconciled) = (
        report(Stage::Raw, Facet::None).await?,
        report(Stage::Reconciled, Facet::None).await?,
    );
    let reports = Reports {
        raw,
        reconciled,
        facets,
    };
    let set = retention::report(&visit.app, &visit.actor, &open.study.id, question).await?;
    let snapshots = snapshot::list(&visit.app, &visit.actor, &open.study.id).await?;
    let named = retained::named(&snapshots, &Tab::SignOff.href(&open.study)).into_any();
    let content = content(&open, &reports, (&set, named), question, facet);
    Ok(view! {
        <StudyPage open tab=Tab::Agreement width=Width::Wide>
            {content}
        </StudyPage>
    })
}

fn facet_of(word: &str) -> Facet {
    [
        Facet::Category,
        Facet::Condition,
        Facet::Model,
        Facet::RaterPair,
    ]
    .into_iter()
    .find(|facet| facet.as_str() == word)
    .unwrap_or_default()
}

/// The units that entered the statistics.
pub(super) fn used(report: &AgreementReport) -> u64 {
    report
        .groups
        .first()
        .and_then(|group| group.stats.first())
        .map_or(0, |row| row.n_units)
}

fn content(
    open: &Open,
    reports: &Reports,
    (set, named): (&Retention, AnyView),
    question: Question,
    facet: Facet,
) -> AnyView {
    let head = head(open, reports, question).into_any();
    if used(&reports.raw) == 0 {
        let missing = missing(open, reports).into_any();
        return view! {
            {head}
            {missing}
        }
        .into_any();
    }
    let rows = format!(
        "/studies/{}/agreement/rows.csv?question={}&stage=",
        open.study.id,
        question.as_str()
    );
    let queue = open
        .may(Action::DisagreementRead)
        .then(|| Tab::Disagreements.href(&open.study));
    view! {
        {head}
        {named}
        {figures::figures(&reports.raw, queue).into_any()}
        {table::table(reports).into_any()}
        {retained::retained(reports, set).into_any()}
        {facets::facets(reports, question, facet).into_any()}
        {matrix::matrices(&reports.raw).into_any()}
        {explain::explain(reports, question, &rows).into_any()}
    }
    .into_any()
}

fn head(open: &Open, reports: &Reports, question: Question) -> impl IntoView + use<> {
    let link = |which: Question, label: &'static str| {
        let current = (which == question).then_some("true");
        view! {
            <a href=format!("?question={}", which.as_str()) aria-current=current>
                {label}
            </a>
        }
    };
    let links = [
        link(Question::Severity, "Severity"),
        link(Question::Validity, "Validity"),
    ];
    let (used, left) = (
        used(&reports.raw),
        reports
            .raw
            .groups
            .first()
            .and_then(|g| g.stats.first())
            .map_or(0, |r| r.n_dropped),
    );
    let facts = format!(
        "{used} of {} tags compared, {left} left out, from {} items; coding manual version {}",
        reports.raw.n_units, reports.raw.n_items, open.study.scheme_version
    );
    view! {
        <div class="page-head">
            <h1>"Agreement"</h1>
            <nav class="tabs" aria-label="Question">
                {links}
            </nav>
        </div>
        <p class="soft">{facts}</p>
    }
}

/// What agreement would need, when nothing can be compared yet.
fn missing(open: &Open, reports: &Reports) -> impl IntoView + use<> {
    let report = &reports.raw;
    let submitted = match report.raters.len() {
        0 => "Nobody has submitted an item yet.".to_owned(),
        1 => "One rater has submitted so far.".to_owned(),
        n => format!("{n} raters have submitted, but no item in common."),
    };
    let (title, why, tab, label) = if report.n_units == 0 {
        (
            "Agreement needs tags that raters were given",
            "No item with a tag has been handed out in a main round yet. Calibration rounds never count.".to_owned(),
            Tab::Batches,
            "Plan a batch",
        )
    } else {
        (
            "No tag has been judged by two raters yet",
            format!(
                "{submitted} Agreement needs at least two people who judged the same item, each without seeing the other’s answers, \
                 and an item counts when all of its raters have submitted. Until then every coefficient is undefined: there is nothing \
                 to compare, which is not the same as no agreement."
            ),
            Tab::Batches,
            "See the progress",
        )
    };
    let action = open.may(tab.needs()).then(|| {
        view! {
            <p>
                <a class="button primary" href=tab.href(&open.study)>
                    {label}
                </a>
            </p>
        }
    });
    view! {
        <Empty title>
            <p>{why}</p>
            {action}
        </Empty>
    }
}
