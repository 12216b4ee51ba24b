//! Whether seeing the judge's tags pulls raters towards them.

use crate::pages::words;
use leptos::prelude::*;
use service::validation::{Anchoring, ArmRow, Figure};

use super::says;
use crate::components::TableWrap;

/// Both arms beside each other, with their differences.
pub fn anchoring(arms: &Anchoring) -> impl IntoView + use<> {
    let rows = arms.rows.iter().map(|one| row(one).into_any());
    let rows = rows.collect_view();
    let items = format!(
        "On {} the judge’s tags were shown from the start; on {}, drawn at random, raters gave their own tags first.",
        words::count(arms.shown, "item", "items"),
        arms.hidden
    );
    view! {
        <h2>"Does seeing the judge’s tags pull raters towards them?"</h2>
        <p>{items}</p>
        <TableWrap label="Judge shown and hidden">
            <table class="facets">
                <caption>
                    "A difference is hidden minus shown, in percentage points, with an interval by resampling items. Below zero, raters go along with the judge less often when they have looked for themselves first. What they found alone is known on hidden items only."
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"Share"</th>
                        <th scope="col" class="number">"Shown"</th>
                        <th scope="col" class="number">"Hidden at first"</th>
                        <th scope="col" class="number">"Difference"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn row(row: &ArmRow) -> impl IntoView + use<> {
    let points = |share: f64| format!("{:+.1}", share * 100.0);
    let difference = match (row.difference, row.ci) {
        (Some(difference), Some(ci)) => {
            let bounds = format!("{} to {}", points(ci.low), points(ci.high));
            view! {
                {points(difference)}
                <br />
                <span class="soft small">{bounds}</span>
            }
            .into_any()
        }
        (found, _) => {
            let why = says::undefined(row.undefined.unwrap_or_default());
            view! {
                {found.map(points)}
                " "
                <span class="soft small">{why}</span>
            }
            .into_any()
        }
    };
    view! {
        <tr>
            <th scope="row">{what(row.name)}</th>
            <td class="number">{cell(&row.shown).into_any()}</td>
            <td class="number">{cell(&row.hidden).into_any()}</td>
            <td class="number">{difference}</td>
        </tr>
    }
}

fn what(name: &str) -> &'static str {
    match name {
        "accepted" => "The judge’s tags that a rater accepts",
        "same_verdict" => "Pairs of raters with the same verdict",
        "raters_within_one" => "Pairs of raters with severities within one",
        "judge_within_half" => "Severities within half a point of the judge’s",
        _ => "The judge’s tags that a rater had marked before seeing them",
    }
}

fn cell(figure: &Figure) -> impl IntoView + use<> {
    let share = |value: f64| format!("{:.1} %", value * 100.0);
    let estimate = figure.estimate.map_or_else(|| "none".to_owned(), share);
    let bounds = figure
        .ci
        .map(|ci| format!("{} to {}, ", share(ci.low), share(ci.high)));
    let rest = format!("{}n = {}", bounds.unwrap_or_default(), figure.n);
    view! {
        {estimate}
        <br />
        <span class="soft small">{rest}</span>
    }
}
