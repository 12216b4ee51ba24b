//! `/studies/{study}/report`: the study on paper.

use crate::pages::words;
use domain::role::Action;
use leptos::prelude::*;
use service::agreement::StatRow;
use service::{
    Result, report,
    report::{AgreementPart, JudgePart, RatePart, SampleRow, StudyReport, Terms},
};

use super::agreement::says;
use super::corpus::rates::{estimator, reason};
use super::frame::{Open, StudyPage, Tab};
use super::judge::{anchoring, parts};
use crate::{
    actions::report::SetTerms,
    components::{AreaField, Hidden, Kind, Notice, PostForm, TableWrap},
    pages::visit::{Visit, visit},
};

/// The report.
#[component]
pub fn ReportPage() -> impl IntoView {
    visit(page)
}

async fn page(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Report).await?;
    let report = report::get(&visit.app, &visit.actor, &open.study.id).await?;
    let terms = report::terms(&visit.app, &visit.actor, &open.study.id).await?;
    let said = visit.said();
    let terms = terms_of(&visit, &open, terms).into_any();
    let content = content(&open, &report).into_any();
    Ok(view! {
        <StudyPage open tab=Tab::Report>
            {said}
            {content}
            {terms}
        </StudyPage>
    })
}

fn content(open: &Open, report: &StudyReport) -> impl IntoView + use<> {
    let base = Tab::Report.href(&open.study);
    let file = move |name: &'static str, label: &'static str| {
        view! {
            <a href=format!("{base}/{name}") download=name>
                {label}
            </a>
            " "
        }
    };
    let facts = format!(
        "{}; coding manual {} version {}, hash {}; {}.",
        report.software,
        report.scheme,
        report.scheme_version,
        report.scheme_hash,
        report.snapshot.as_ref().map_or_else(
            || "the labels as they are now, no snapshot".to_owned(),
            |hash| format!("snapshot {hash}")
        )
    );
    let title = format!("Report on {}", report.study);
    let (methods, results) = (report::methods(report), report::results(report));
    let tables = [
        samples(report).into_any(),
        agreement(report).into_any(),
        judged(report).into_any(),
    ];
    let judges = report.judges.iter().map(|part| judge(part).into_any());
    let (judges, corpus) = (judges.collect_view(), corpus(report).into_any());
    view! {
        <h1>{title}</h1>
        <Notice kind=Kind::Warn>
            <p>{report::STATEMENT}</p>
        </Notice>
        <p class="small no-print">
            "To take along: " {file("report.txt", "text")} {file("report.md", "Markdown")} {file("report.tex", "LaTeX")}
            {file("report.json", "JSON")}
        </p>
        <h2>"Methods"</h2>
        <p class="read">{methods}</p>
        <h2>"Results"</h2>
        <p class="read">{results}</p>
        {tables}
        {judges}
        {corpus}
        <p class="soft small">{facts}</p>
    }
}

fn samples(report: &StudyReport) -> impl IntoView + use<> {
    let row = |sample: &SampleRow| {
        let stratify = if sample.stratify.is_empty() {
            "simple".to_owned()
        } else {
            format!("by {}", sample.stratify)
        };
        view! {
            <tr>
                <th scope="row">{sample.name.clone()}</th>
                <td>{sample.round.clone()}</td>
                <td class="number">{sample.items}</td>
                <td class="number">{sample.raters_per_item}</td>
                <td>{stratify}</td>
                <td class="number">{sample.seed}</td>
            </tr>
        }
    };
    let rows = report.samples.iter().map(row).collect_view();
    let raters = format!("Raters: {}.", report.raters.join(", "));
    view! {
        <h2>"Samples and raters"</h2>
        <p>{raters}</p>
        <TableWrap label="Samples">
            <table>
                <caption class="unseen">"Samples"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Sample"</th>
                        <th scope="col">"Round"</th>
                        <th scope="col" class="number">"Items"</th>
                        <th scope="col" class="number">"Raters an item"</th>
                        <th scope="col">"Drawn"</th>
                        <th scope="col" class="number">"Seed"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn agreement(report: &StudyReport) -> impl IntoView + use<> {
    statistics("Agreement", &report.agreement)
}

/// Where a scheme has no tags, this is what a judge is worth.
fn judged(report: &StudyReport) -> impl IntoView + use<> {
    let any = report.judged.iter().any(|part| !part.statistics.is_empty());
    any.then(|| statistics("Judges beside raters and final answers", &report.judged))
}

fn statistics(heading: &'static str, parts: &[AgreementPart]) -> impl IntoView + use<> {
    let between = parts.iter().any(|part| !part.between.is_empty());
    let row = |part: &AgreementPart, row: &StatRow| {
        let title = says::title(&row.name);
        let estimate = row.estimate.map_or_else(
            || {
                format!(
                    "undefined: {}",
                    says::undefined(row.undefined_reason.as_deref().unwrap_or_default())
                )
            },
            |estimate| says::value(&row.name, estimate),
        );
        let interval = row.ci_low.zip(row.ci_high).map(|(low, high)| {
            format!(
                "{} to {}",
                says::value(&row.name, low),
                says::value(&row.name, high)
            )
        });
        view! {
            <tr>
                <th scope="row">{title}</th>
                {between.then(|| view! { <td>{part.between.clone()}</td> })}
                <td>{part.title.clone()}</td>
                <td>{part.stage}</td>
                <td class="number">{estimate}</td>
                <td class="interval">{interval}</td>
                <td class="number">{row.n_units}</td>
                <td class="number">{row.n_dropped}</td>
            </tr>
        }
    };
    let rows = parts.iter().flat_map(|part| {
        let rows = part.statistics.iter();
        rows.map(|stat| row(part, stat).into_any())
    });
    let rows = rows.collect_view();
    view! {
        <h2>{heading}</h2>
        <TableWrap label=heading>
            <table>
                <caption class="unseen">{heading}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Statistic"</th>
                        {between.then(|| view! { <th scope="col">"Between"</th> })}
                        <th scope="col">"Of"</th>
                        <th scope="col">"Stage"</th>
                        <th scope="col" class="number">"Estimate"</th>
                        <th scope="col">"95 % interval"</th>
                        <th scope="col" class="number">"Used"</th>
                        <th scope="col" class="number">"Left out"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn judge(part: &JudgePart) -> impl IntoView + use<> {
    let cells = part
        .figures
        .iter()
        .map(|figure| parts::cell(figure).into_any())
        .collect_view();
    let left_out: Vec<String> = part
        .left_out
        .iter()
        .map(|(why, count)| format!("{count} {}", why.replace('_', " ")))
        .collect();
    let left_out = if left_out.is_empty() {
        "nothing".to_owned()
    } else {
        left_out.join(", ")
    };
    let facts = format!(
        "{}, of which {} with a record of what was missed; rule {}; left out: {left_out}.",
        words::count(part.items, "item", "items"),
        part.covered,
        part.rule
    );
    let title = format!("Judge {}", part.judge.name);
    view! {
        <h2>{title}</h2>
        <TableWrap label="The judge against the final labels">
            <table>
                <caption>{facts}</caption>
                <thead>
                    <tr>
                        <th scope="col" class="number">"Precision"</th>
                        <th scope="col" class="number">"Recall"</th>
                        <th scope="col" class="number">"F1"</th>
                    </tr>
                </thead>
                <tbody>
                    <tr>{cells}</tr>
                </tbody>
            </table>
        </TableWrap>
        {part.anchoring.as_ref().map(|arms| anchoring::anchoring(arms).into_any())}
    }
}

fn corpus(report: &StudyReport) -> impl IntoView + use<> {
    let part = report.corpus.clone()?;
    let row = |rate: &RatePart| {
        let cells = rate.estimates.iter().map(|one| {
            let text = match (one.estimate, one.low.zip(one.high)) {
                (Some(value), Some((low, high))) => {
                    format!(
                        "{:.1} % ({:.1} to {:.1})",
                        value * 100.0,
                        low * 100.0,
                        high * 100.0
                    )
                }
                _ => format!(
                    "refused: {}",
                    reason(one.undefined.as_deref().unwrap_or_default())
                ),
            };
            view! { <td class="number">{text}</td> }
        });
        let cells = cells.collect_view();
        let model = if rate.model.is_empty() {
            "all models".to_owned()
        } else {
            rate.model.clone()
        };
        view! {
            <tr>
                <th scope="row">{model}</th>
                <td class="number">{rate.threshold}</td>
                {cells}
            </tr>
        }
    };
    let rows = part.rates.iter().map(row).collect_view();
    let caption = format!(
        "{} judged by {}, {}",
        words::count(part.judged, "item", "items"),
        part.judge,
        words::count(part.failed, "failure", "failures")
    );
    let heads = ["judged", "ppi", "rogan_gladen", "validated"]
        .map(|word| view! { <th scope="col" class="number">{estimator(word).0}</th> });
    Some(view! {
        <h2>"All items"</h2>
        <TableWrap label="Rates of items with a tag">
            <table>
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Model"</th>
                        <th scope="col" class="number">"Severity from"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    })
}

/// Under which terms validated traces may leave, and the file when they may.
fn terms_of(visit: &Visit, open: &Open, terms: Option<Terms>) -> impl IntoView + use<> {
    let form = visit.form::<SetTerms>();
    let terms = terms.unwrap_or_default();
    let ready = !terms.licence.is_empty() && (terms.training || terms.few_shot);
    let href = format!("{}/mitigation.jsonl", Tab::Report.href(&open.study));
    let file = (ready && open.may(Action::ExportRun)).then(|| {
        view! {
            <p>
                <a class="button" href=href download="mitigation.jsonl">
                    "Validated traces as JSON lines"
                </a>
            </p>
        }
    });
    let study = open.study.id.to_string();
    let may = open.may(Action::JudgeManage);
    let check = |name: &'static str, checked: bool, label: &'static str| {
        view! {
            <label class="check">
                <input type="checkbox" name=name value="on" checked=checked />
                {label}
            </label>
        }
    };
    let edit = may.then(|| {
        view! {
            <PostForm form=form.clone() class="card fit">
                <Hidden name="study" value=study />
                <AreaField
                    form=form.clone()
                    name="licence"
                    label="Licence of the validated traces"
                    hint="Its text or its name; it travels with every trace."
                    start=terms.licence.clone()
                    rows=5
                />
                {check("training", terms.training, "May be used to train models")}
                {check("few_shot", terms.few_shot, "May stand in prompts as examples")}
                {check("comments", terms.comments, "Raters agreed that their comments go along, without names")}
                <button>"Keep these terms"</button>
            </PostForm>
        }
    });
    view! {
        <section class="no-print">
            <h2>"Validated traces for mitigation"</h2>
            <p>
                "Traces with their final tags, severities and passages, to train models on better reasoning or to show them what to avoid. They leave only under terms that are written down."
            </p>
            {file}
            {edit}
        </section>
    }
}
