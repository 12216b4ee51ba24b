//! The rule in front by part, and which categories are taken for which.

use leptos::prelude::*;
use service::validation::{Facet, Figure, ValidationReport};

use super::says;
use crate::components::{Estimate, Forest, TableWrap};

/// By category, condition, model and severity band.
pub fn parts(report: &ValidationReport) -> impl IntoView + use<> {
    let tables = [
        ("category", "By category"),
        ("condition", "By condition"),
        ("model", "By model"),
        ("severity_band", "By severity"),
    ]
    .map(|(facet, title)| {
        let parts: Vec<&Facet> = report
            .facets
            .iter()
            .filter(|part| part.facet == facet)
            .collect();
        (!parts.is_empty()).then(|| table(title, &parts).into_any())
    });
    view! {
        <h2>"Where it does well, and where not"</h2>
        <p class="soft small">
            "Precision goes by the judge’s own category and severity, recall by those of the reference. From a handful of tags neither says much."
        </p>
        {tables}
    }
}

fn table(title: &'static str, parts: &[&Facet]) -> impl IntoView + use<> {
    let line = |part: &&Facet| {
        let figure = part.figures.first();
        Estimate {
            label: part.title.clone(),
            value: figure.and_then(|figure| figure.estimate),
            interval: figure
                .and_then(|figure| figure.ci)
                .map(|ci| (ci.low, ci.high)),
            remark: figure
                .map(|figure| format!("{}, n = {}", says::estimate(figure), figure.n))
                .unwrap_or_default(),
            whole: false,
        }
    };
    let row = |part: &&Facet| {
        let cells = part
            .figures
            .iter()
            .map(|figure| cell(figure).into_any())
            .collect_view();
        view! {
            <tr>
                <th scope="row">{part.title.clone()}</th>
                {cells}
            </tr>
        }
    };
    let rows = parts.iter().map(row).collect_view();
    view! {
        <h3>{title}</h3>
        <div class="drawing" role="group" tabindex="0" aria-label="Drawing">
            <Forest label=format!("Precision {}", title.to_lowercase()) estimates=parts.iter().map(line).collect() />
        </div>
        <TableWrap label=title>
            <table class="facets">
                <caption class="unseen">{title}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Part"</th>
                        <th scope="col" class="number">"Precision"</th>
                        <th scope="col" class="number">"Recall"</th>
                        <th scope="col" class="number">"F1"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

/// A figure in a cell, or why there is none.
pub fn cell(figure: &Figure) -> impl IntoView + use<> {
    match (&figure.undefined, figure.estimate) {
        (None, Some(estimate)) => {
            let interval = figure.ci.as_ref().map(|ci| says::bounds(&figure.name, ci));
            view! {
                <td class="number">
                    <b>{says::value(&figure.name, estimate)}</b>
                    <span class="soft small below">{interval}</span>
                    <span class="soft small below">{says::counts(figure)}</span>
                </td>
            }
            .into_any()
        }
        (reason, _) => {
            let why = says::undefined(reason.as_deref().unwrap_or_default());
            view! { <td class="undefined small">"Undefined: " {why}</td> }.into_any()
        }
    }
}

/// Which categories are taken for which.
pub fn confusion(report: &ValidationReport) -> impl IntoView + use<> {
    let used: Vec<usize> = (0..report.categories.len())
        .filter(|at| {
            let row: u64 = report.confusion[*at].iter().sum();
            row + report.confusion.iter().map(|row| row[*at]).sum::<u64>() > 0
        })
        .collect();
    let last = report.categories.len() - 1;
    let heads = used.iter().map(|at| {
        let name = if *at == last {
            "missed".to_owned()
        } else {
            report.categories[*at].clone()
        };
        view! { <th scope="col">{name}</th> }
    });
    let heads = heads.collect_view();
    let row = |row: &usize| {
        let cells = used.iter().map(|column| {
            let class = if row == column {
                "number agree"
            } else {
                "number"
            };
            view! { <td class=class>{report.confusion[*row][*column]}</td> }
        });
        let cells = cells.collect_view();
        let name = report.categories[*row].clone();
        view! {
            <tr>
                <th scope="row">{name}</th>
                {cells}
            </tr>
        }
    };
    let rows = used.iter().map(row).collect_view();
    view! {
        <h2>"Categories taken for each other"</h2>
        <TableWrap label="Categories taken for each other">
            <table class="matrix">
                <caption>"Rows: what the reference says. Columns: what the judge said."</caption>
                <thead>
                    <tr>
                        <th scope="col">"Reference"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}
