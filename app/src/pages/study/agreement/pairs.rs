//! Raters against each other: every pair's coefficient in one square, and whether they use the values equally often.

use leptos::prelude::*;
use service::agreement::{Facet, PairRow};

use super::{Reports, links, matrix, says};
use crate::components::TableWrap;

/// The square of raters and the tests of every pair.
pub fn pairs(reports: &Reports) -> impl IntoView + use<> {
    let group = reports.raw.groups.first();
    let pairs = group.map(|group| group.pairs.clone()).unwrap_or_default();
    (!pairs.is_empty()).then(|| {
        let square = square(reports, &pairs).into_any();
        let tests = tests(reports, &pairs).into_any();
        view! {
            <section id="pairs">
                <h2>"Rater by rater"</h2>
                <div class="columns tables">{square} {tests}</div>
            </section>
        }
    })
}

fn square(reports: &Reports, pairs: &[PairRow]) -> impl IntoView + use<> {
    let ordered = reports.raw.question.ordered;
    let name = if ordered { "kappa_quadratic" } else { "kappa" };
    let letters: Vec<&str> = reports
        .raw
        .raters
        .iter()
        .map(|rater| rater.letter.as_str())
        .collect();
    let find = |a: &str, b: &str| {
        let same = |pair: &&PairRow| {
            (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a)
        };
        pairs.iter().find(same)
    };
    let cell = |row: &str, column: &str| match find(row, column) {
        None => view! { <td class="soft">"–"</td> }.into_any(),
        Some(pair) => {
            let value = if ordered {
                pair.kappa_quadratic
            } else {
                pair.kappa
            };
            let text = value.map_or_else(|| "undefined".to_owned(), says::coefficient);
            let part = format!("{}-{}", pair.first, pair.second);
            let href = reports.links.part(Facet::RaterPair, &part);
            let equal = pair
                .percent
                .map(|share| format!("{} equal, ", says::value("percent_agreement", share)));
            view! {
                <td>
                    {links::number(text, href)}
                    <span class="soft small below">{equal} {format!("n {}", pair.n_units)}</span>
                </td>
            }
            .into_any()
        }
    };
    let rows = letters
        .iter()
        .map(|row| {
            let cells = letters
                .iter()
                .map(|column| cell(row, column))
                .collect_view();
            view! {
                <tr>
                    <th scope="row">{format!("Rater {row}")}</th>
                    {cells}
                </tr>
            }
        })
        .collect_view();
    let heads = letters
        .iter()
        .map(|letter| view! { <th scope="col">{(*letter).to_owned()}</th> })
        .collect_view();
    let caption = format!("{} of every two raters, raw values", says::title(name));
    let label = "Rater by rater".to_owned();
    matrix::square(label, caption, heads.into_any(), rows.into_any())
}

fn tests(reports: &Reports, pairs: &[PairRow]) -> impl IntoView + use<> {
    let rows = pairs
        .iter()
        .flat_map(|pair| pair.tests.iter().map(move |test| (pair, test)))
        .map(|(pair, test)| {
            let found = match (test.chi2, test.p) {
                (Some(chi2), Some(p)) => {
                    format!("χ² {chi2:.2}, {} df, p {}", test.df, says::probability(p))
                }
                _ => format!(
                    "Undefined: {}",
                    says::undefined(test.undefined_reason.as_deref().unwrap_or_default())
                ),
            };
            view! {
                <tr>
                    <th scope="row">{format!("{} and {}", pair.first, pair.second)}</th>
                    <td>
                        <a href=reports.links.definition(&test.name)>{says::title(&test.name)}</a>
                    </td>
                    <td>{found}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <TableWrap label="Do raters use the values equally often?">
            <table>
                <caption>
                    "Do raters use the values equally often? A small p says that one of them leans to other values; it is no measure of agreement."
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"Raters"</th>
                        <th scope="col">"Test"</th>
                        <th scope="col">"Result"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}
