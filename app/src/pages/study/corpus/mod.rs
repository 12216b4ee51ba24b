//! `/studies/{study}/corpus`: what the judge finds in all items, and how far that can be believed.

mod answers;
mod examples;
pub mod rates;

pub use examples::ExamplesPage;

use crate::pages::words;
use domain::role::Action;
use leptos::prelude::*;
use service::{
    Result, corpus,
    corpus::{AnswerRate, CorpusReport},
    judge,
    judge::JudgeView,
};

use super::frame::{Open, StudyPage, Tab};
use super::judge::choose::{name, select};
use crate::{
    components::{Empty, Kind, Notice, Width},
    pages::visit::{Visit, visit},
};

/// Results on all items.
#[component]
pub fn CorpusPage() -> impl IntoView {
    visit(page)
}

async fn page(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Corpus).await?;
    let study = &open.study.id;
    let judges = judge::list(&visit.app, &visit.actor, study).await?;
    let report = corpus::report(&visit.app, &visit.actor, study, &visit.query("judge")).await?;
    let asked = Asked {
        model: visit.query("model"),
        condition: visit.query("condition"),
        mode: visit.query("mode"),
        strict: visit.query("threshold") == "strict",
    };
    let content = match report {
        _ if !open.study.scheme.has_tags() => {
            let alone = corpus::answers_alone(&visit.app, &visit.actor, study).await?;
            view! {
                <h1>"Corpus"</h1>
                {super::untagged::notice(&open).into_any()}
                {answers::answers(&alone).into_any()}
            }
            .into_any()
        }
        Some(report) if report.judged + report.failed > 0 => {
            content(&open, &report, &judges, &asked).into_any()
        }
        _ => {
            let alone = corpus::answers_alone(&visit.app, &visit.actor, study).await?;
            nothing(&open, &alone).into_any()
        }
    };
    Ok(view! {
        <StudyPage open tab=Tab::Corpus width=Width::Wide>
            {content}
        </StudyPage>
    })
}

/// What of the results is asked for.
pub struct Asked {
    /// The model; empty for all.
    pub model: String,
    /// The condition; empty for all.
    pub condition: String,
    /// The mode; empty for all.
    pub mode: String,
    /// The second threshold.
    pub strict: bool,
}

/// No judge has said anything; what answers say by themselves needs none.
fn nothing(open: &Open, alone: &[AnswerRate]) -> impl IntoView + use<> {
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
        <h1>"Corpus"</h1>
        <Empty title="No judged traces yet">
            <p>
                "Import all traces of a study, judged by a language model. They need no rater: a random sample of them is validated, and corrects what the judge says of the rest."
            </p>
            {import}
        </Empty>
        {answers::answers(alone).into_any()}
    }
}

fn content(
    open: &Open,
    report: &CorpusReport,
    judges: &[JudgeView],
    asked: &Asked,
) -> impl IntoView + use<> {
    let facts = format!(
        "{} judged by {}; {} in no rate; {} validated by raters, drawn at random and settled.",
        words::count(report.judged, "item", "items"),
        report.judge_name,
        words::count(report.failed, "failure is", "failures are"),
        words::count(report.validated, "item", "items"),
    );
    let unused: Vec<String> = report
        .unused
        .iter()
        .map(|(reason, count)| format!("{count} {}", rates::reason(reason)))
        .collect();
    let unused = (!unused.is_empty()).then(|| {
        let sentence = format!(
            "Items that raters judged and that correct nothing: {}.",
            unused.join("; ")
        );
        view! { <p class="soft small">{sentence}</p> }
    });
    let items = open
        .may(Action::ItemRead)
        .then(|| Tab::Corpus.href(&open.study));
    view! {
        <h1>"Corpus"</h1>
        {choose(report, judges, asked)}
        <p class="soft">{facts}</p>
        {unused}
        <Notice kind=Kind::Info>
            <p>
                "A rate as judged carries the judge’s errors. The corrected rates hold where the validated items are a random sample and the judge errs alike in all parts; where that fails they are refused by name."
            </p>
        </Notice>
        {rates::front(report, asked).into_any()}
        {rates::drawing(open, report).into_any()}
        {rates::table(report, asked).into_any()}
        {answers::two_by_two(report, items).into_any()}
        {answers::answers(&report.answers).into_any()}
        {answers::tags(open, report, asked).into_any()}
    }
}

fn choose(report: &CorpusReport, judges: &[JudgeView], asked: &Asked) -> impl IntoView + use<> {
    let judges = judges
        .iter()
        .filter(|judge| !judge.compared)
        .map(|judge| (judge.id.to_string(), name(judge)))
        .collect();
    let all = |label: &str, values: &[String]| {
        let mut options = vec![(String::new(), label.to_owned())];
        options.extend(
            values
                .iter()
                .filter(|value| !value.is_empty())
                .map(|value| (value.clone(), value.clone())),
        );
        options
    };
    let thresholds = vec![
        (
            String::new(),
            format!("severity {} or more", report.thresholds[0]),
        ),
        (
            "strict".to_owned(),
            format!("severity {} or more", report.thresholds[1]),
        ),
    ];
    let chosen = if asked.strict { "strict" } else { "" };
    view! {
        <form method="get" class="filters">
            {select("judge", "Judge", judges, &report.judge)}
            {select("model", "Model", all("all models", &report.models), &asked.model)}
            {select("condition", "Condition", all("all conditions", &report.conditions), &asked.condition)}
            {select("mode", "Asked", all("in any way", &report.modes), &asked.mode)}
            {select("threshold", "Stigma from", thresholds, chosen)} <button>"Show"</button>
        </form>
    }
}
