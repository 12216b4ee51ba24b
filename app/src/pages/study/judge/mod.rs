//! `/studies/{study}/judge`: is the judge good enough, how sure are we, and where does it fail?

pub mod anchoring;
mod ceiling;
pub mod choose;
mod compare;
mod grid;
mod manage;
pub mod parts;
pub mod says;
mod severity;

use crate::pages::words;
use domain::role::Action;
use http::{HeaderName, HeaderValue};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use service::{
    Result, judge,
    judge::{JudgeView, SplitView},
    validation::{self, Part, ValidationQuery, ValidationReport},
};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    components::{Empty, Kind, Notice, Width},
    pages::visit::{Visit, visit},
};

/// After how many seconds the page asks for intervals again.
const AGAIN: HeaderValue = HeaderValue::from_static("2");

/// How well a judge does.
#[component]
pub fn JudgePage() -> impl IntoView {
    visit(page)
}

async fn page(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Judge).await?;
    let study = &open.study.id;
    let judges = judge::list(&visit.app, &visit.actor, study).await?;
    let split = judge::split(&visit.app, &visit.actor, study).await?;
    let query = query(&visit);
    let report = validation::report(&visit.app, &visit.actor, study, &query).await?;
    if report.as_ref().is_some_and(|report| report.resampling)
        && let Some(response) = use_context::<ResponseOptions>()
    {
        response.insert_header(HeaderName::from_static("refresh"), AGAIN);
    }
    let other = visit.query("with");
    let compared = match &report {
        Some(report) if !other.is_empty() && other != report.query.judge => {
            let pair = [report.query.judge.as_str(), other.as_str()];
            Some(validation::compare(&visit.app, &visit.actor, study, pair, &report.query).await?)
        }
        _ => None,
    };
    let mut keys = [Vec::new(), Vec::new()];
    if let (true, Some(report)) = (open.may(Action::JudgeManage), &report) {
        let id = domain::id::JudgeId::new(&report.query.judge);
        keys = [
            judge::few_shot(&visit.app, &visit.actor, &id).await?,
            judge::few_shot_of_files(&visit.app, &visit.actor, study).await?,
        ];
    }
    let said = visit.said();
    let content = match &report {
        None => nothing(&open).into_any(),
        Some(report) => {
            let compared = compare::compare(report, &judges, compared.as_ref()).into_any();
            let manage = open
                .may(Action::JudgeManage)
                .then(|| manage::manage(&visit, &open, report, &judges, split, &keys).into_any());
            let (content, compared) = if open.study.scheme.has_tags() {
                let content = content(&open, report, &judges, split).into_any();
                (content, Some(compared))
            } else {
                (untagged(&open, report, &judges).into_any(), None)
            };
            view! {
                {content}
                {compared}
                {manage}
            }
            .into_any()
        }
    };
    Ok(view! {
        <StudyPage open tab=Tab::Judge width=Width::Wide>
            {said}
            {content}
        </StudyPage>
    })
}

fn query(visit: &Visit) -> ValidationQuery {
    ValidationQuery {
        judge: visit.query("judge"),
        against: visit.query("against"),
        rule: visit.query("rule"),
        few_shot: visit.query("few_shot") == "yes",
        part: match visit.query("part").as_str() {
            "dev" => Part::Dev,
            "test" => Part::Test,
            _ => Part::All,
        },
    }
}

/// The query of an address.
pub(super) fn address(query: &ValidationQuery) -> String {
    let mut parts = vec![
        format!("judge={}", query.judge),
        format!("against={}", query.against),
        format!("rule={}", query.rule),
    ];
    if query.few_shot {
        parts.push("few_shot=yes".into());
    }
    if query.part != Part::All {
        parts.push(format!("part={}", query.part.as_str()));
    }
    format!("?{}", parts.join("&"))
}

fn nothing(open: &Open) -> impl IntoView + use<> {
    let import = open.may(Action::ImportRun).then(|| {
        view! {
            <p>
                <a class="button primary" href=Tab::Import.href(&open.study)>
                    "Import judged traces"
                </a>
            </p>
        }
    });
    view! {
        <h1>"Judge"</h1>
        <Empty title="No judge has judged anything here yet">
            <p>"Judges come with imported traces: a language model, the version of its prompt, and what it said of each."</p>
            {import}
        </Empty>
    }
}

/// The judge of the forms below is chosen here; nothing else on this page can be said of answers.
fn untagged(open: &Open, report: &ValidationReport, judges: &[JudgeView]) -> impl IntoView + use<> {
    let named = judges.iter();
    let named = named.map(|judge| (judge.id.to_string(), choose::name(judge)));
    view! {
        <h1>"Judge"</h1>
        {super::untagged::notice(open).into_any()}
        <form method="get" class="filters">
            {choose::select("judge", "Judge", named.collect(), &report.query.judge)} <button>"Show"</button>
        </form>
    }
}

fn content(
    open: &Open,
    report: &ValidationReport,
    judges: &[JudgeView],
    split: Option<SplitView>,
) -> impl IntoView + use<> {
    let facts = format!(
        "{} compared with {}; coding manual version {}. A tag is right with {}.",
        words::count(report.items, "item", "items"),
        says::against(&report.query.against),
        report.scheme_version,
        says::rule(report.rule),
    );
    let unit = open
        .may(Action::DisagreementRead)
        .then(|| Tab::Disagreements.href(&open.study));
    view! {
        <h1>"Judge"</h1>
        {choose::choose(report, judges, split).into_any()}
        <p class="soft">{facts}</p>
        {warnings(report).into_any()}
        {grid::front(report).into_any()}
        {left_out(report).into_any()}
        {grid::grid(report).into_any()}
        {parts::parts(report).into_any()}
        {severity::severity(report).into_any()}
        {parts::confusion(report).into_any()}
        {ceiling::ceiling(report).into_any()}
        {ceiling::alt_test(report).into_any()}
        {ceiling::worst(report, unit).into_any()}
        {ceiling::overlap(report).into_any()}
        {report.anchoring.as_ref().map(|arms| anchoring::anchoring(arms).into_any())}
    }
}

/// What a reader must know before the numbers.
fn warnings(report: &ValidationReport) -> impl IntoView + use<> {
    let few_shot = (report.few_shot_included > 0).then(|| {
        let sentence = format!(
            "{} of these items stood in the judge’s prompt. It has seen their labels, so every figure here is too good.",
            report.few_shot_included
        );
        view! {
            <Notice kind=Kind::Bad>
                <p>{sentence}</p>
            </Notice>
        }
    });
    let recall = (report.items > 0 && report.covered == 0).then(|| {
        view! {
            <Notice kind=Kind::Warn>
                <p>
                    "Recall and F1 are refused: on no item did every rater write down whether the judge missed anything. Precision needs no such record."
                </p>
            </Notice>
        }
    });
    let resampling = report.resampling.then(|| {
        view! {
            <Notice kind=Kind::Info>
                <p>
                    "Estimates are final. Intervals are being resampled; until then Wilson’s stand in their place. The page asks again by itself until they are there."
                </p>
            </Notice>
        }
    });
    view! {
        {resampling}
        {few_shot}
        {recall}
    }
}

/// What does not enter, with numbers and reasons.
fn left_out(report: &ValidationReport) -> impl IntoView + use<> {
    let mut lines = Vec::new();
    let mut say = |count: u64, one: &str, many: &str| {
        if count > 0 {
            lines.push(words::count(count, one, many));
        }
    };
    say(
        report.few_shot_excluded,
        "item that stood in the judge’s prompt is left out",
        "items that stood in the judge’s prompt are left out",
    );
    say(
        report.failed,
        "item on which the judge failed is no negative and is left out",
        "items on which the judge failed are no negatives and are left out",
    );
    say(
        report.not_judged,
        "item was never given to this judge",
        "items were never given to this judge",
    );
    say(
        report.other_part,
        "item belongs to the other part of the split",
        "items belong to the other part of the split",
    );
    for (reason, count) in &report.dropped {
        let why = says::dropped(reason);
        say(*count, &format!("tag: {why}"), &format!("tags: {why}"));
    }
    let covered = format!(
        "On {} of {} it is on record whether the judge missed anything; recall and F1 rest on these.",
        report.covered,
        words::count(report.items, "item", "items")
    );
    let lines = lines.into_iter().map(|line| view! { <li>{line}</li> });
    view! {
        <ul class="soft small">
            <li>{covered}</li>
            {lines.collect_view()}
        </ul>
    }
}
