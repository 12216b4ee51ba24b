//! Every coefficient with all that travels with it.

use leptos::prelude::*;
use service::agreement::{Stage, StatRow};

use super::{Reports, links, says};
use crate::components::TableWrap;

/// All statistics, independent values beside reconciled ones.
pub fn table(reports: &Reports) -> impl IntoView + use<> {
    let (raw, reconciled) = (reports.raw.stats(), reports.reconciled.stats());
    let row = |row: &StatRow| {
        let after = reconciled.iter().find(|other| other.name == row.name);
        stat_row(reports, row, after).into_any()
    };
    let main = raw.iter().filter(|row| row.main);
    let rows = main.map(row).collect_view();
    view! {
        <h2>"Coefficients"</h2>
        <p class="soft small">
            "Raw: what raters said independently. Reconciled: the same with the final value of every ruling in both places; "
                    "it shows how much was settled, and says nothing about independent agreement. Intervals hold 95 %."
        </p>
        <TableWrap label="Coefficients">
            <table class="coefficients">
                <caption class="unseen">"Coefficients"</caption>
                <thead>
                    <tr>
                        <th scope="col" rowspan="2">"Statistic"</th>
                        <th scope="colgroup" colspan="2">"Raw"</th>
                        <th scope="colgroup" colspan="2">"Reconciled"</th>
                        <th scope="col" rowspan="2" class="number">"Used"</th>
                        <th scope="col" rowspan="2" class="number">"Left out"</th>
                        <th scope="col" rowspan="2">"Interval made by"</th>
                    </tr>
                    <tr>
                        <th scope="col" class="number">"Estimate"</th>
                        <th scope="col">"Interval"</th>
                        <th scope="col" class="number">"Estimate"</th>
                        <th scope="col">"Interval"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn stat_row(reports: &Reports, row: &StatRow, after: Option<&StatRow>) -> impl IntoView + use<> {
    let (title, says) = (says::title(&row.name), says::when(&row.name));
    let definition = reports.links.definition(&row.name);
    view! {
        <tr>
            <th scope="row">
                <a href=definition>{title}</a> <span class="soft small below">{says}</span>
            </th>
            {cells(reports, Some(row), Stage::Raw)}
            {cells(reports, after, Stage::Reconciled)}
            <td class="number">{row.n_units}</td>
            <td class="number">{row.n_dropped}</td>
            <td>{says::method(&row.method)}</td>
        </tr>
    }
}

fn cells(reports: &Reports, row: Option<&StatRow>, stage: Stage) -> impl IntoView + use<> {
    let Some(row) = row else {
        return view! { <td colspan="2">"not computed"</td> }.into_any();
    };
    let why = row.undefined_reason.as_deref().map(says::undefined);
    match row.estimate {
        None => view! { <td colspan="2" class="undefined">"Undefined: " {why}</td> }.into_any(),
        Some(estimate) => {
            let interval =
                says::interval(row).unwrap_or_else(|| why.unwrap_or_default().to_owned());
            view! {
                <td class="number">
                    <b>{links::number(says::value(&row.name, estimate), reports.links.rows(stage))}</b>
                </td>
                <td class="interval">{interval}</td>
            }
            .into_any()
        }
    }
}
