//! The coefficients beside the few that are read first, each with a sentence on when it is the right one.

use leptos::prelude::*;
use service::agreement::{Stage, StatRow};

use super::{Reports, links, says};
use crate::components::TableWrap;

/// Everything else that fits, folded away.
pub fn more(reports: &Reports) -> impl IntoView + use<> {
    let (raw, reconciled) = (reports.raw.stats(), reports.reconciled.stats());
    let rest = raw.iter().filter(|row| !row.main);
    let rows = rest
        .map(|row| {
            let after = reconciled.iter().find(|other| other.name == row.name);
            stat_row(reports, row, after).into_any()
        })
        .collect_view();
    let errors = raw
        .iter()
        .filter(|row| row.se.is_some() || row.se0.is_some())
        .map(|row| error_row(reports, row).into_any())
        .collect_view();
    view! {
        <details id="more" class="more">
            <summary>"More coefficients"</summary>
            <p class="soft small">
                "No single coefficient is right for every question: the sentence at each says for which it is. "
                "Choose before you look, and report the one that you chose."
            </p>
            <TableWrap label="More coefficients">
                <table class="coefficients">
                    <caption class="unseen">"More coefficients"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Statistic, and when it is the right one"</th>
                            <th scope="col">"Raw"</th>
                            <th scope="col">"Reconciled"</th>
                            <th scope="col" class="number">"Used"</th>
                            <th scope="col">"Interval made by"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
            <h3>"Standard errors by formula"</h3>
            <p class="soft small">
                "They take every unit for independent, which those of one item are not; the intervals above do not. "
                "z and p test whether there is any agreement beyond chance, which says nothing about how much."
            </p>
            <TableWrap label="Standard errors by formula">
                <table>
                    <caption class="unseen">"Standard errors by formula, raw values"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Statistic"</th>
                            <th scope="col" class="number">"Standard error"</th>
                            <th scope="col" class="number">"Without agreement"</th>
                            <th scope="col" class="number">"z"</th>
                            <th scope="col" class="number">"p"</th>
                        </tr>
                    </thead>
                    <tbody>{errors}</tbody>
                </table>
            </TableWrap>
        </details>
    }
}

fn stat_row(reports: &Reports, row: &StatRow, after: Option<&StatRow>) -> impl IntoView + use<> {
    let when = says::when(&row.name);
    view! {
        <tr>
            <th scope="row">
                <a href=reports.links.definition(&row.name)>{says::title(&row.name)}</a>
                <span class="soft small below">{when}</span>
            </th>
            {cell(reports, Some(row), Stage::Raw)}
            {cell(reports, after, Stage::Reconciled)}
            <td class="number">{row.n_units}</td>
            <td>{says::method(&row.method)}</td>
        </tr>
    }
}

fn cell(reports: &Reports, row: Option<&StatRow>, stage: Stage) -> impl IntoView + use<> {
    let Some(row) = row else {
        return view! { <td>"not computed"</td> }.into_any();
    };
    let why = row.undefined_reason.as_deref().map(says::undefined);
    let Some(estimate) = row.estimate else {
        return view! { <td class="undefined">"Undefined: " {why}</td> }.into_any();
    };
    let below = says::interval(row).unwrap_or_else(|| why.unwrap_or_default().to_owned());
    let text = says::value(&row.name, estimate);
    view! {
        <td class="interval">
            <b>{links::number(text, reports.links.rows(stage))}</b>
            <span class="soft small below">{below}</span>
        </td>
    }
    .into_any()
}

fn error_row(reports: &Reports, row: &StatRow) -> impl IntoView + use<> {
    let number = |value: Option<f64>| value.map_or_else(String::new, |x| format!("{x:.4}"));
    view! {
        <tr>
            <th scope="row">
                <a href=reports.links.definition(&row.name)>{says::title(&row.name)}</a>
            </th>
            <td class="number">{number(row.se)}</td>
            <td class="number">{number(row.se0)}</td>
            <td class="number">{row.z.map(says::coefficient)}</td>
            <td class="number">{row.p.map(says::probability)}</td>
        </tr>
    }
}
