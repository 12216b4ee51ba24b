//! Two drawings of a pair of raters: who said what when the other said what, and how far apart they are where.

use leptos::prelude::*;
use service::agreement::{AgreementReport, Matrix};
use std::collections::BTreeMap;

use super::{matrix, says};
use crate::components::{Cloud, Differences, Heat, TableWrap};

/// With more pairs the drawings are left to the page of each pair.
const MOST: usize = 3;

/// The drawings of a pair; nothing where there are too many pairs.
pub fn of(raw: &AgreementReport, pair: &Matrix) -> Option<AnyView> {
    let group = raw.groups.first()?;
    (group.confusion.len() <= MOST).then(|| {
        let names: Vec<String> = pair
            .labels
            .iter()
            .map(|word| matrix::label(raw, word))
            .collect();
        let label = format!(
            "Rater {} (rows) against rater {} (columns)",
            pair.row_rater, pair.column_rater
        );
        let heat = view! { <Heat label names counts=pair.counts.clone() /> }.into_any();
        let (ordered, units) = (raw.question.ordered, raw.question.units);
        let limits = group
            .pairs
            .iter()
            .find(|other| other.first == pair.row_rater && other.second == pair.column_rater)
            .and_then(|other| other.limits);
        let apart = ordered.then(|| differences(pair, limits, units)).flatten();
        view! {
            <div class="drawing" role="group" tabindex="0" aria-label="Drawing">
                {heat}
            </div>
            {apart}
        }
        .into_any()
    })
}

/// Values, and how many units have them.
fn points(pair: &Matrix) -> Option<Vec<(f64, f64, u64)>> {
    let values: Option<Vec<f64>> = pair.labels.iter().map(|label| label.parse().ok()).collect();
    let values = values?;
    let mut points = Vec::new();
    for (a, counts) in values.iter().zip(&pair.counts) {
        for (b, count) in values.iter().zip(counts) {
            if *count > 0 {
                points.push((*a, *b, *count));
            }
        }
    }
    Some(points)
}

fn differences(pair: &Matrix, limits: Option<[f64; 3]>, units: &str) -> Option<AnyView> {
    let points = points(pair)?;
    let mut table: BTreeMap<i64, u64> = BTreeMap::new();
    for (a, b, count) in &points {
        // Hundredths, so that equal differences meet in spite of binary fractions.
        *table.entry(((b - a) * 100.0).round() as i64).or_default() += count;
    }
    let rows = table
        .iter()
        .map(|(hundredths, count)| {
            view! {
                <tr>
                    <th scope="row" class="number">{says::signed(*hundredths as f64 / 100.0)}</th>
                    <td class="number">{*count}</td>
                </tr>
            }
        })
        .collect_view();
    let said = limits.map(|[bias, low, high]| {
        format!(
            " On average {}; 95 % of differences are expected between {} and {}.",
            says::signed(bias),
            says::signed(low),
            says::signed(high)
        )
    });
    let caption = format!("How many {units} lie how far apart.");
    let title = format!(
        "Differences, rater {} minus rater {}",
        pair.column_rater, pair.row_rater
    );
    let cloud = points
        .into_iter()
        .map(|(a, b, count)| Cloud {
            mean: f64::midpoint(a, b),
            difference: b - a,
            count,
        })
        .collect();
    Some(
        view! {
            <h3>{title.clone()}</h3>
            <div class="drawing" role="group" tabindex="0" aria-label="Drawing">
                <Differences label=title.clone() points=cloud limits />
            </div>
            <TableWrap label=title>
                <table>
                    <caption>{caption} {said}</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="number">"Difference"</th>
                            <th scope="col" class="number">"Number"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
        }
        .into_any(),
    )
}
