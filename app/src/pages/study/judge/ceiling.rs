//! What humans reach among themselves, whether the judge could stand in for one, and where it fails worst.

use crate::pages::words;
use domain::annotation::shortest;
use leptos::prelude::*;
use service::validation::{CeilingRow, ValidationReport, Worst};

use super::parts::cell;
use super::says;
use crate::components::TableWrap;

fn side(who: &str, raters: &[String]) -> String {
    if raters.iter().any(|letter| letter == who) {
        format!("Rater {who}")
    } else if who == "final" {
        "Final labels".to_owned()
    } else {
        who.to_owned()
    }
}

/// Humans against each other, and the judge against each.
pub fn ceiling(report: &ValidationReport) -> impl IntoView + use<> {
    let row = |row: &CeilingRow| {
        let tags = row
            .tags
            .iter()
            .map(|figure| cell(figure).into_any())
            .collect_view();
        let severity = row
            .severity
            .iter()
            .map(|figure| cell(figure).into_any())
            .collect_view();
        let sides = format!(
            "{} against {}",
            side(&row.who, &report.raters),
            side(&row.against, &report.raters).to_lowercase()
        );
        view! {
            <tr>
                <th scope="row">{sides}</th>
                {tags}
                {severity}
            </tr>
        }
    };
    let rows = report.ceiling.iter().map(row).collect_view();
    view! {
        <h2>"The human ceiling"</h2>
        <TableWrap label="The human ceiling">
            <table class="facets">
                <caption>
                    "How near two humans come to each other, judged by the same rule. A judge that comes as near to a human as another human does has reached what can be measured."
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"Who against whom"</th>
                        <th scope="col" class="number">"Precision"</th>
                        <th scope="col" class="number">"Recall"</th>
                        <th scope="col" class="number">"F1"</th>
                        <th scope="col" class="number">"Same severity"</th>
                        <th scope="col" class="number">"Within one"</th>
                        <th scope="col" class="number">"Weighted kappa"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

/// Whether the judge could stand in for a rater.
pub fn alt_test(report: &ValidationReport) -> impl IntoView + use<> {
    let test = &report.alt_test;
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let verdict = match (&test.undefined, test.passed) {
        (None, Some(passed)) => format!(
            "Winning rate {}, average advantage {}: the judge {} the test at ε = {}.",
            percent(test.winning_rate.unwrap_or_default()),
            percent(test.advantage.unwrap_or_default()),
            if passed { "passes" } else { "does not pass" },
            test.epsilon
        ),
        (reason, _) => format!(
            "No verdict: {}.",
            says::undefined(reason.as_deref().unwrap_or_default())
        ),
    };
    let exploratory = test.exploratory.then(|| {
        view! {
            <p>
                "With two raters each is scored against one other person only. Read this as an exploration; it decides nothing."
            </p>
        }
    });
    let row = |rater: &service::validation::AltRater| {
        let share = |value: Option<f64>| value.map_or_else(|| "not tested".to_owned(), percent);
        let p = rater.p.map_or_else(String::new, |p| format!("{p:.3}"));
        view! {
            <tr>
                <th scope="row">{format!("Rater {}", rater.letter)}</th>
                <td class="number">{rater.n}</td>
                <td class="number">{share(rater.judge_wins)}</td>
                <td class="number">{share(rater.human_wins)}</td>
                <td class="number">{p}</td>
                <td>{if rater.rejected { "the judge holds" } else { "not shown" }}</td>
            </tr>
        }
    };
    let rows = test.raters.iter().map(row).collect_view();
    view! {
        <h2>"Could it stand in for a rater?"</h2>
        <p>{verdict}</p>
        {exploratory}
        <TableWrap label="Alternative-annotator test">
            <table>
                <caption>
                    "Alternative-annotator test on severities, after Calderon, Reichart and Dror (2025). A tag that a rater found invalid takes the lowest level."
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"In place of"</th>
                        <th scope="col" class="number">"Tags"</th>
                        <th scope="col" class="number">"Judge as near"</th>
                        <th scope="col" class="number">"Rater as near"</th>
                        <th scope="col" class="number">"p"</th>
                        <th scope="col">"Result"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

/// Where they lie furthest apart; each with its page where whoever looks may see it.
pub fn worst(report: &ValidationReport, queue: Option<String>) -> impl IntoView + use<> {
    let row = |worst: &Worst| {
        let severity = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), shortest);
        let key = match &queue {
            Some(queue) => {
                view! { <a href=format!("{queue}/{}", worst.unit)>{worst.key.clone()}</a> }
                    .into_any()
            }
            None => worst.key.clone().into_any(),
        };
        let kind = match worst.kind {
            "rejected" => "no such tag, says the reference",
            "missed" => "missed by the judge",
            _ => "severities apart",
        };
        view! {
            <tr>
                <th scope="row">{key}</th>
                <td>{worst.category.clone()}</td>
                <td>{kind}</td>
                <td class="number">{severity(worst.judge)}</td>
                <td class="number">{severity(worst.reference)}</td>
                <td class="number">{shortest(worst.distance)}</td>
            </tr>
        }
    };
    let rows = report.worst.iter().map(row).collect_view();
    view! {
        <h2>"Worst disagreements"</h2>
        <TableWrap label="Worst disagreements">
            <table>
                <caption>"The twenty tags that lie furthest apart. A tag that one side does not have counts from the lowest level."</caption>
                <thead>
                    <tr>
                        <th scope="col">"Item"</th>
                        <th scope="col">"Category"</th>
                        <th scope="col">"What"</th>
                        <th scope="col" class="number">"Judge"</th>
                        <th scope="col" class="number">"Reference"</th>
                        <th scope="col" class="number">"Apart"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

/// How the words that raters marked lie against the judge's.
pub fn overlap(report: &ValidationReport) -> impl IntoView + use<> {
    let overlap = &report.overlap;
    let sentence = match overlap.jaccard {
        _ if overlap.spans == 0 => "Refused: raters have marked no words of their own that count, so there is nothing to lay over the judge’s.".to_owned(),
        None => format!("None of the {} that raters marked shares a word with the judge’s.", words::count(overlap.spans, "passage", "passages")),
        Some(jaccard) => format!(
            "{} of the {} that raters marked share words with one of the judge’s; of all words in either, {:.0} % are in both.",
            overlap.touched,
            words::count(overlap.spans, "passage", "passages"),
            jaccard * 100.0
        ),
    };
    view! {
        <h2>"Marked words"</h2>
        <p>{sentence}</p>
    }
}
