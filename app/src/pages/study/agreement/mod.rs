//! `/studies/{study}/agreement`: how far raters agree, before reconciliation and after it, and why.

pub mod definitions;
mod explain;
mod facets;
mod figures;
mod links;
mod matrix;
mod more;
mod overview;
mod pairs;
mod plots;
mod retained;
pub mod says;
mod table;

use crate::pages::words;
use domain::{refusal::Refusal, role::Action};
use http::{HeaderName, HeaderValue};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use links::Links;
use service::{
    Result, agreement,
    agreement::{AgreementQuery, AgreementReport, Facet, Question, Resampling, Stage},
    retention,
    retention::Retention,
    snapshot,
};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    components::{Empty, Kind, Notice, Width},
    pages::visit::{Visit, visit},
};

/// The reports that the page compares.
pub(super) struct Reports {
    /// All units, independent values.
    raw: AgreementReport,
    /// All units, after reconciliation.
    reconciled: AgreementReport,
    /// By the chosen facet: independent values, or the judges beside the final ones.
    facets: Option<AgreementReport>,
    /// Where their numbers lead.
    links: Links,
    /// All questions of the scheme.
    questions: overview::Questions,
}

/// How often the page asks again while intervals are being resampled, in seconds.
const AGAIN: HeaderValue = HeaderValue::from_static("2");
/// With more tags the retained set is worked out only when it is asked for.
const MANY: u64 = 5_000;

/// Agreement between raters.
#[component]
pub fn AgreementPage() -> impl IntoView {
    visit(page)
}

async fn page(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Agreement).await?;
    if agreement::questions(&open.study.scheme).is_empty() {
        return Ok(view! {
            <StudyPage open tab=Tab::Agreement width=Width::Wide>
                <h1>"Agreement"</h1>
                <Empty title="The coding manual asks nothing that can be compared">
                    <p>"Agreement is computed for answers of a scale or a list, not for text."</p>
                </Empty>
            </StudyPage>
        }
        .into_any());
    }
    let study = &open.study.id;
    let asked = Question::from(visit.query("question"));
    let facet = facet_of(&visit.query("facet"));
    let ask = |stage, facet| AgreementQuery {
        stage,
        question: asked.clone(),
        facet,
    };
    let mut wanted = vec![
        ask(Stage::Raw, Facet::None),
        ask(Stage::Reconciled, Facet::None),
    ];
    if facet != Facet::None {
        let stage = if facet == Facet::Judge {
            Stage::Reconciled
        } else {
            Stage::Raw
        };
        wanted.push(ask(stage, facet));
    }
    let mut found = agreement::reports(&visit.app, &visit.actor, study, &wanted)
        .await?
        .into_iter();
    let (Some(raw), Some(reconciled)) = (found.next(), found.next()) else {
        return Err(Refusal::Internal.into());
    };
    let question = raw.query.question.clone();
    let questions = overview::Questions::read(&visit, study, &open.study.scheme).await?;
    let reports = Reports {
        raw,
        reconciled,
        facets: found.next(),
        links: Links::new(study, &question),
        questions,
    };
    if reports.resampling().is_running()
        && let Some(response) = use_context::<ResponseOptions>()
    {
        response.insert_header(HeaderName::from_static("refresh"), AGAIN);
    }
    let set = if !question.is_of_tags() {
        None
    } else if reports.raw.n_units <= MANY || visit.query("retained") == "yes" {
        Some(retention::report(&visit.app, &visit.actor, study, question.clone()).await?)
    } else {
        None
    };
    let snapshots = snapshot::list(&visit.app, &visit.actor, &open.study.id).await?;
    let named = retained::named(&snapshots, &Tab::SignOff.href(&open.study)).into_any();
    let content = content(&open, &reports, (set.as_ref(), named), facet);
    Ok(view! {
        <StudyPage open tab=Tab::Agreement width=Width::Wide>
            {content}
        </StudyPage>
    }
    .into_any())
}

impl Reports {
    /// How far the intervals of all reports are.
    fn resampling(&self) -> Resampling {
        let all = [
            Some(&self.raw),
            Some(&self.reconciled),
            self.facets.as_ref(),
        ];
        let mut sum = Resampling::default();
        for report in all.into_iter().flatten() {
            sum.done += report.resampling.done;
            sum.total += report.resampling.total;
        }
        sum
    }
}

/// Says that intervals are still to come.
fn running(resampling: Resampling) -> Option<impl IntoView> {
    resampling.is_running().then(|| {
        let text = format!(
            "Estimates are final. Intervals are being resampled: {} of {} resamples drawn. \
             The page asks again by itself until they are there.",
            resampling.done, resampling.total
        );
        view! {
            <Notice kind=Kind::Info>
                <p>
                    {text}
                    " "
                    <progress max=resampling.total value=resampling.done aria-label="Resamples drawn"></progress>
                </p>
            </Notice>
        }
    })
}

fn facet_of(word: &str) -> Facet {
    Facet::ALL
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
    (set, named): (Option<&Retention>, AnyView),
    facet: Facet,
) -> AnyView {
    let question = &reports.raw.query.question;
    let head = head(open, reports).into_any();
    if used(&reports.raw) == 0 {
        let missing = missing(open, reports).into_any();
        return view! {
            {head}
            {missing}
        }
        .into_any();
    }
    let queue = open
        .may(Action::DisagreementRead)
        .then(|| Tab::Disagreements.href(&open.study));
    let retained = match set {
        Some(set) => Some(retained::retained(reports, set).into_any()),
        None if question.is_of_tags() => Some(retained::ask(question).into_any()),
        None => None,
    };
    let overview = reports.questions.overview();
    view! {
        {head}
        {named}
        {overview}
        {figures::figures(&reports.raw, queue).into_any()}
        {running(reports.resampling()).map(IntoAny::into_any)}
        {table::table(reports).into_any()}
        {more::more(reports).into_any()}
        {retained}
        {facets::facets(reports, question, facet).into_any()}
        {matrix::matrices(&reports.raw).into_any()}
        {pairs::pairs(reports).into_any()}
        {explain::explain(reports).into_any()}
    }
    .into_any()
}

fn head(open: &Open, reports: &Reports) -> impl IntoView + use<> {
    let links = reports.questions.links(&reports.raw.query.question);
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
        "{used} of {} compared, {left} left out, from {}; coding manual version {}",
        words::count(
            reports.raw.n_units,
            reports.raw.question.unit,
            reports.raw.question.units
        ),
        words::count(reports.raw.n_items, "item", "items"),
        open.study.scheme_version
    );
    view! {
        <div class="page-head">
            <h1>"Agreement"</h1>
            {links}
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
    let units = report.question.units;
    let (title, why, label) = if report.n_units == 0 {
        (
            format!("Agreement needs {units} that raters were given"),
            "Nothing of this kind has been handed out in a main round yet. Calibration rounds never count.".to_owned(),
            "Plan a batch",
        )
    } else {
        (
            format!(
                "No {} has been judged by two raters yet",
                report.question.unit
            ),
            format!(
                "{submitted} Agreement needs at least two people who judged the same item, each without seeing the other’s answers, \
                 and an item counts when all of its raters have submitted. Until then every coefficient is undefined: there is nothing \
                 to compare, which is not the same as no agreement."
            ),
            "See the progress",
        )
    };
    let tab = Tab::Batches;
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
