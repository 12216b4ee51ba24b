//! `/studies/{study}/agreement/definitions`: formula, source and use of every statistic, from the documentation itself.

use leptos::prelude::*;
use service::Result;

use super::super::frame::{StudyPage, Tab};
use crate::{
    components::{TableWrap, Width},
    pages::visit::{Visit, visit},
};

/// The documentation of the statistics; the page shows what it says and nothing else.
const TEXT: &str = include_str!("../../../../../docs/statistics.md");

/// The sections that are about raters, by their headings.
const SHOWN: [&str; 5] = [
    "Rules for all of them",
    "Agreement of raters",
    "Tests of equal use",
    "Bootstrap",
    "No value, and why",
];

/// What every statistic is.
#[component]
pub fn DefinitionsPage() -> impl IntoView {
    visit(page)
}

async fn page(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Agreement).await?;
    let notation = TEXT
        .split("\n\n")
        .find(|part| part.starts_with("Notation:"))
        .unwrap_or_default();
    let notation = text(notation);
    let back = Tab::Agreement.href(&open.study);
    let sections = SHOWN
        .iter()
        .filter_map(|heading| section(heading))
        .collect_view();
    Ok(view! {
        <StudyPage open tab=Tab::Agreement width=Width::Wide>
            <p>
                <a href=back>"Back to agreement"</a>
            </p>
            <h1>"What the statistics are"</h1>
            <p>{notation}</p>
            {sections}
        </StudyPage>
    })
}

fn section(heading: &'static str) -> Option<AnyView> {
    let body = body(heading)?;
    let parts = body
        .split("\n\n")
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| {
            if part.starts_with('|') {
                table(heading, part).into_any()
            } else {
                view! { <p>{text(part)}</p> }.into_any()
            }
        })
        .collect_view();
    Some(
        view! {
            <section>
                <h2>{heading}</h2>
                {parts}
            </section>
        }
        .into_any(),
    )
}

/// What stands under a heading.
fn body(heading: &str) -> Option<&'static str> {
    let (_, rest) = TEXT.split_once(&format!("\n## {heading}\n"))?;
    Some(rest.split("\n## ").next().unwrap_or(rest))
}

/// The cells of a row.
fn cells(line: &str) -> Vec<&str> {
    let line = line.trim().trim_matches('|');
    line.split('|').map(str::trim).collect()
}

fn table(heading: &'static str, part: &'static str) -> impl IntoView {
    let mut lines = part.lines();
    let heads = cells(lines.next().unwrap_or_default())
        .into_iter()
        .map(|head| view! { <th scope="col">{capital(head)}</th> })
        .collect_view();
    let rows = lines
        .skip(1)
        .map(|line| {
            let mut cells = cells(line).into_iter();
            let first = cells.next().unwrap_or_default();
            let anchors = names(first)
                .map(|name| view! { <span id=name></span> })
                .collect_view();
            let rest = cells
                .map(|cell| view! { <td>{text(cell)}</td> })
                .collect_view();
            view! {
                <tr>
                    <th scope="row">{anchors} {text(first)}</th>
                    {rest}
                </tr>
            }
        })
        .collect_view();
    view! {
        <TableWrap label=heading>
            <table>
                <caption class="unseen">{heading}</caption>
                <thead>
                    <tr>{heads}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// The names in backticks.
fn names(cell: &'static str) -> impl Iterator<Item = &'static str> {
    cell.split('`').skip(1).step_by(2)
}

/// Prose with its names in backticks as code.
fn text(part: &'static str) -> impl IntoView {
    part.split('`')
        .enumerate()
        .map(|(at, piece)| {
            if at % 2 == 1 {
                view! { <code>{piece}</code> }.into_any()
            } else {
                piece.into_any()
            }
        })
        .collect_view()
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, body, cells, names};
    use std::collections::BTreeSet;

    #[test]
    fn every_statistic_that_the_page_can_show_is_defined_once() {
        let tables = SHOWN.map(|heading| body(heading).expect("the section is there"));
        let defined: Vec<&str> = tables[1..3]
            .iter()
            .flat_map(|table| table.lines().filter(|line| line.starts_with('|')).skip(2))
            .flat_map(|line| names(cells(line)[0]))
            .collect();
        let unique: BTreeSet<&str> = defined.iter().copied().collect();
        assert_eq!(unique.len(), defined.len(), "an anchor is there once");
        let missing: Vec<&str> = service::agreement::names()
            .into_iter()
            .filter(|name| !unique.contains(name))
            .collect();
        assert!(missing.is_empty(), "not in docs/statistics.md: {missing:?}");
    }
}
