//! Rates: as judged, corrected, and of the validated items alone.

use leptos::prelude::*;
use service::corpus::{CorpusReport, Estimate, Rate, chart};

use super::Asked;
use crate::components::TableWrap;
use crate::pages::study::frame::{Open, Tab};

fn percent(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}

/// What an estimator is called, and what it says.
pub fn estimator(word: &str) -> (&'static str, &'static str) {
    match word {
        "judged" => (
            "As judged",
            "The share that the judge calls stigmatising. Its interval knows nothing of the judge’s errors.",
        ),
        "ppi" => (
            "Corrected, PPI++",
            "The judge’s share, set right by its mean error on the random validated sample.",
        ),
        "rogan_gladen" => (
            "Corrected, Rogan-Gladen",
            "The judge’s share, turned back through its sensitivity and specificity on all validated items.",
        ),
        _ => (
            "Validated alone",
            "The share among the validated items; the judge plays no part.",
        ),
    }
}

/// Why a rate is refused, or an item left out.
pub fn reason(code: &str) -> &'static str {
    match code {
        "not_validated" => "no item of this part was drawn and validated",
        "too_few_validated" => "fewer than 20 validated items",
        "validation_not_random" => {
            "came rated from a file, so nothing is known of how they were chosen"
        }
        "validation_incomplete" => {
            "more than one in twenty of the drawn items has no final verdict"
        }
        "stratum_not_validated" => {
            "a part by which the sample was divided has fewer than two validated items"
        }
        "no_error_observed" => {
            "the judge made no error on the sample, so the size of its errors cannot be estimated"
        }
        "all_validated" => "every item is validated; there is nothing to correct",
        "judge_not_informative" => "the judge is no better than chance here",
        "no_validation_positive" => "no validated item is stigmatising",
        "no_validation_negative" => "no validated item is free of stigma",
        "no_items" => "there are no judged items",
        "few_shot" => "stood in the judge’s prompt",
        "judge_failed" => "the judge failed on",
        "not_judged" => "this judge never saw",
        "disputed" => "still in dispute",
        "single" => "judged by one rater only",
        "missed_not_recorded" => "of which it is not on record whether anything was missed",
        "missed_not_listed" => "with missed tags of unknown severity",
        _ => "without a final verdict",
    }
}

fn threshold(report: &CorpusReport, asked: &Asked) -> f64 {
    report.thresholds[usize::from(asked.strict)]
}

/// The rate asked for, four ways.
pub fn front(report: &CorpusReport, asked: &Asked) -> impl IntoView + use<> {
    let single = |values: &[String], wanted: &str| {
        if values.len() < 2 {
            String::new()
        } else {
            wanted.to_owned()
        }
    };
    let rate = report.rate(
        &single(&report.models, &asked.model),
        &single(&report.conditions, &asked.condition),
        &single(&report.modes, &asked.mode),
        threshold(report, asked),
    );
    let cards = rate.map(|rate| {
        rate.estimates
            .iter()
            .map(|one| card(one).into_any())
            .collect_view()
    });
    let nothing = cards
        .is_none()
        .then(|| view! { <p>"There are no such items."</p> });
    view! {
        <div class="columns figures-big">{cards}</div>
        {nothing}
    }
}

fn card(one: &Estimate) -> impl IntoView + use<> {
    let (title, what) = estimator(one.estimator);
    let value = one.estimate.map_or_else(|| "refused".to_owned(), percent);
    let below = match (&one.undefined, one.low.zip(one.high)) {
        (Some(code), _) => reason(code).to_owned(),
        (None, Some((low, high))) => format!("95 % interval {} to {}", percent(low), percent(high)),
        (None, None) => String::new(),
    };
    let n = format!("{} judged, {} validated", one.n_judged, one.n_validated);
    view! {
        <section class="card">
            <h2 class="label">{title}</h2>
            <p class="big num">{value}</p>
            <p class="soft small">{below} <br /> {n} <br /> {what}</p>
        </section>
    }
}

/// The drawing and the files behind it.
pub fn drawing(open: &Open, report: &CorpusReport) -> impl IntoView + use<> {
    let base = Tab::Corpus.href(&open.study);
    let judge = report.judge.clone();
    let link = move |name: &'static str, label: &'static str| {
        view! {
            <a href=format!("{base}/{name}?judge={judge}") download=name>
                {label}
            </a>
            " "
        }
    };
    view! {
        <h2>"By model"</h2>
        <div class="drawing" role="group" tabindex="0" aria-label="Drawing" inner_html=chart::rates(report)></div>
        <p class="small no-print">
            "To take along: " {link("rates.svg", "drawing as SVG")} {link("rates.csv", "all rates as CSV")}
            {link("answers.csv", "answers as CSV")}
        </p>
    }
}

/// The rates by model, or by condition when a model is chosen.
pub fn table(report: &CorpusReport, asked: &Asked) -> impl IntoView + use<> {
    let at = threshold(report, asked);
    let by_condition = !asked.model.is_empty() || report.models.len() < 2;
    let divided = |rate: &&Rate| {
        let (this, other) = if by_condition {
            (&rate.condition, &rate.model)
        } else {
            (&rate.model, &rate.condition)
        };
        let wanted = if by_condition {
            &asked.model
        } else {
            &asked.condition
        };
        let wanted = if report.models.len() < 2 && by_condition {
            ""
        } else {
            wanted.as_str()
        };
        rate.threshold == at && !this.is_empty() && other == wanted && rate.mode == asked.mode
    };
    let rates: Vec<&Rate> = report.rates.iter().filter(divided).collect();
    let (title, head) = if by_condition {
        ("By condition", "Condition")
    } else {
        ("Rates by model", "Model")
    };
    let rows = rates.iter().map(|rate| {
        let name = if by_condition {
            &rate.condition
        } else {
            &rate.model
        };
        row(name, rate).into_any()
    });
    let rows = rows.collect_view();
    let heads = ["judged", "ppi", "rogan_gladen", "validated"]
        .map(|word| view! { <th scope="col" class="number">{estimator(word).0}</th> });
    (!rates.is_empty()).then(|| {
        view! {
            <h2>{title}</h2>
            <TableWrap label=title>
                <table class="facets">
                    <caption>{format!("Share of items with a tag of severity {at} or more. Below each rate its 95 % interval.")}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{head}</th>
                            <th scope="col" class="number">"Judged"</th>
                            <th scope="col" class="number">"Failed"</th>
                            {heads}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
        }
    })
}

fn row(name: &str, rate: &Rate) -> impl IntoView + use<> {
    let judged = rate.estimates.first().map_or(0, |one| one.n_judged);
    let cells = rate
        .estimates
        .iter()
        .map(|one| match (one.estimate, &one.undefined) {
            (Some(estimate), None) => {
                let interval = one
                    .low
                    .zip(one.high)
                    .map(|(low, high)| format!("{} to {}", percent(low), percent(high)));
                view! {
                    <td class="number">
                        <b>{percent(estimate)}</b>
                        <span class="soft small below">{interval}</span>
                    </td>
                }
                .into_any()
            }
            (_, code) => {
                let why = reason(code.as_deref().unwrap_or_default());
                view! { <td class="undefined small">"Refused: " {why}</td> }.into_any()
            }
        });
    let cells = cells.collect_view();
    view! {
        <tr>
            <th scope="row">{chart::named(name).to_owned()}</th>
            <td class="number">{judged}</td>
            <td class="number">{rate.failed}</td>
            {cells}
        </tr>
    }
}
