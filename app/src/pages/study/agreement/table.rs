//! Every coefficient with all that travels with it.

use leptos::prelude::*;
use service::agreement::{Group, StatRow};

use super::{Reports, says};
use crate::components::TableWrap;

/// All statistics, independent values beside reconciled ones.
pub fn table(reports: &Reports) -> impl IntoView + use<> {
    let empty = Vec::new();
    let rows_of = |groups: &[Group]| groups.first().map(|group| group.stats.clone());
    let raw = rows_of(&reports.raw.groups).unwrap_or_default();
    let reconciled = rows_of(&reports.reconciled.groups).unwrap_or(empty);
    let row = |row: &StatRow| {
        let after = reconciled.iter().find(|other| other.name == row.name);
        stat_row(row, after).into_any()
    };
    let main = raw.iter().filter(|row| row.main);
    let rows = main.map(row).collect_view();
    view! {
        <h2>"All coefficients"</h2>
        <p class="soft small">
            "Raw: what raters said independently. Reconciled: the same tags with the final value of every ruling in both places; "
                    "it shows how much was settled, and says nothing about independent agreement. Intervals hold 95 %."
        </p>
        <TableWrap label="All coefficients">
            <table class="coefficients">
                <caption class="unseen">"All coefficients"</caption>
                <thead>
                    <tr>
                        <th scope="col" rowspan="2">"Statistic"</th>
                        <th scope="colgroup" colspan="2">"Raw"</th>
                        <th scope="colgroup" colspan="2">"Reconciled"</th>
                        <th scope="col" rowspan="2" class="number">"Tags used"</th>
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

fn stat_row(row: &StatRow, after: Option<&StatRow>) -> impl IntoView + use<> {
    let (title, says) = says::statistic(&row.name);
    view! {
        <tr>
            <th scope="row">
                {title} <span class="soft small below">{says}</span>
            </th>
            {cells(Some(row))}
            {cells(after)}
            <td class="number">{row.n_units}</td>
            <td class="number">{row.n_dropped}</td>
            <td>{says::method(&row.method)}</td>
        </tr>
    }
}

fn cells(row: Option<&StatRow>) -> impl IntoView + use<> {
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
                    <b>{says::value(&row.name, estimate)}</b>
                </td>
                <td class="interval">{interval}</td>
            }
            .into_any()
        }
    }
}
