//! `/studies/{study}/results`: what the answers add up to, for each judge, each rater and the final labels.

use domain::scheme::{Measure, MeasureKind};
use leptos::prelude::*;
use service::{
    Result,
    agreement::letter,
    results::{self, Coverage, ResultRow},
};
use std::collections::BTreeMap;

use super::frame::{StudyPage, Tab};
use crate::{
    components::{Empty, Kind, Notice, TableWrap, Width},
    pages::visit::{Visit, visit},
};

/// The measures of the study's scheme.
#[component]
pub fn ResultsPage() -> impl IntoView {
    visit(measures)
}

async fn measures(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Results).await?;
    let found = results::report(&visit.app, &visit.actor, &open.study.id).await?;
    let export = format!("{}/results.csv", Tab::Export.href(&open.study));
    let mut facets: BTreeMap<String, Vec<ResultRow>> = BTreeMap::new();
    for mut row in found.rows {
        row.source = source(&found.raters, row.source);
        facets.entry(row.facet.clone()).or_default().push(row);
    }
    let empty = facets.is_empty().then(|| {
        view! {
            <Empty title="Nothing to add up yet">
                <p>
                    "Figures appear when the scheme declares measures and a judge or a rater has answered its questions about items."
                </p>
            </Empty>
        }
    });
    let warned: Vec<String> = found
        .coverage
        .iter()
        .filter_map(Coverage::warning)
        .collect();
    let warned = (!warned.is_empty()).then(|| {
        let lines = warned.into_iter().map(|line| view! { <li>{line}</li> });
        view! {
            <Notice kind=Kind::Warn>
                <p>"Figures over the final labels rest on settled items only:"</p>
                <ul>{lines.collect_view()}</ul>
            </Notice>
        }
    });
    let tables = facets
        .into_iter()
        .map(|(facet, rows)| match facet.as_str() {
            "" | "model" | "conditioned" | "model_conditioned" => {
                wide(&facet, &rows, &open.study.scheme.measures).into_any()
            }
            _ => table(&facet, &rows).into_any(),
        })
        .collect_view();
    Ok(view! {
        <StudyPage open tab=Tab::Results width=Width::Wide>
            <div class="page-head">
                <h1>"Results"</h1>
                <a class="button" href=export download>
                    "results.csv"
                </a>
            </div>
            <p class="soft">
                "Each figure with its 95 % interval and the number of items, or of groups of items, behind it. What raters said of an item counts once all of its raters have submitted. A and B are the raters in the order in which they joined."
            </p>
            {warned}
            {empty}
            {tables}
        </StudyPage>
    })
}

/// What a source is called on pages: a rater by their letter, as everywhere; files for staff have the names.
fn source(raters: &[String], name: String) -> String {
    match raters.iter().position(|rater| *rater == name) {
        Some(place) => format!("Rater {}", letter(place)),
        None if name == "final" => "Final labels".to_owned(),
        None => name,
    }
}

/// What a facet divides by, in words.
fn heading(facet: &str) -> String {
    match facet {
        "" => "All items".to_owned(),
        "model" => "By model".to_owned(),
        "conditioned" => "Without items that count as zero".to_owned(),
        "model_conditioned" => "By model, without items that count as zero".to_owned(),
        question => format!("Answers to {question}"),
    }
}

/// A row a figure and a column a source; by model a table a source and a column a model.
fn wide(facet: &str, rows: &[ResultRow], measures: &[Measure]) -> impl IntoView + use<> {
    let title = heading(facet);
    let by_model = facet.starts_with("model");
    let mut sources: Vec<&str> = Vec::new();
    for row in rows {
        if !sources.contains(&row.source.as_str()) {
            sources.push(&row.source);
        }
    }
    let tables = if by_model {
        let of = |source: &&str| {
            let own: Vec<&ResultRow> = rows.iter().filter(|row| row.source == **source).collect();
            let column: fn(&ResultRow) -> String = |row| row.facet_value.clone();
            let name = (*source).to_owned();
            let label = format!("{title}: {name}");
            view! {
                <h3>{name}</h3>
                {grid(label, &own, column, measures)}
            }
            .into_any()
        };
        sources.iter().map(of).collect_view().into_any()
    } else {
        let all: Vec<&ResultRow> = rows.iter().collect();
        grid(
            title.clone(),
            &all,
            |row: &ResultRow| row.source.clone(),
            measures,
        )
        .into_any()
    };
    view! {
        <h2>{title}</h2>
        {tables}
    }
}

/// A row a figure, in the order of the scheme.
fn grid(
    label: String,
    rows: &[&ResultRow],
    column: fn(&ResultRow) -> String,
    measures: &[Measure],
) -> impl IntoView + use<> {
    let (mut names, mut columns): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    for row in rows {
        if !names.contains(&row.statistic.as_str()) {
            names.push(&row.statistic);
        }
        let own = column(row);
        if !columns.contains(&own) {
            columns.push(own);
        }
    }
    let heads = columns
        .iter()
        .map(|name| view! { <th scope="col" class="number">{name.clone()}</th> })
        .collect_view();
    let line = |name: &&str| {
        let measure = measures.iter().find(|measure| measure.name == *name);
        let counted = measure.is_some_and(|measure| measure.kind == MeasureKind::Disagreements);
        let meaning = measure.filter(|measure| !measure.definition.is_empty());
        let meaning = meaning.map(|measure| {
            let text = measure.definition.clone();
            view! { <span class="soft small below">{text}</span> }
        });
        let cell = |of: &String| {
            let mut own = rows
                .iter()
                .filter(|row| row.statistic == **name && column(row) == *of);
            figure(own.next().copied(), counted).into_any()
        };
        let cells = columns.iter().map(cell).collect_view();
        view! {
            <tr>
                <th scope="row">{(*name).replace('_', " ")} {meaning}</th>
                {cells}
            </tr>
        }
    };
    let lines = names.iter().map(line).collect_view();
    view! {
        <TableWrap label=label>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Figure"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </TableWrap>
    }
}

/// An estimate with its interval and n; a count has no decimals.
fn figure(row: Option<&ResultRow>, counted: bool) -> impl IntoView + use<> {
    let Some(row) = row else {
        return view! { <td class="number soft">"–"</td> }.into_any();
    };
    let interval = row
        .ci_low
        .zip(row.ci_high)
        .map(|(low, high)| format!("{low:.3} to {high:.3}, "));
    let decimals = if counted { 0 } else { 3 };
    view! {
        <td class="number">
            {row.estimate.map(|value| format!("{value:.decimals$}"))}
            <span class="soft small below">{interval} {format!("n {}", row.n)}</span>
        </td>
    }
    .into_any()
}

fn table(facet: &str, rows: &[ResultRow]) -> impl IntoView + use<> {
    let title = heading(facet);
    let line = |row: &ResultRow| {
        let interval = row
            .ci_low
            .zip(row.ci_high)
            .map(|(low, high)| format!("{low:.3} to {high:.3}"));
        view! {
            <tr>
                <th scope="row">{row.source.clone()}</th>
                <td>{row.facet_value.clone()}</td>
                <td>{row.statistic.clone()}</td>
                <td class="number">{row.estimate.map(|value| format!("{value:.3}"))}</td>
                <td class="number">{interval}</td>
                <td class="number">{row.n}</td>
            </tr>
        }
    };
    let lines = rows.iter().map(line).collect_view();
    view! {
        <h2>{title.clone()}</h2>
        <TableWrap label=title>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Source"</th>
                        <th scope="col">"Of"</th>
                        <th scope="col">"Figure"</th>
                        <th scope="col">"Estimate"</th>
                        <th scope="col">"95 % interval"</th>
                        <th scope="col">"n"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </TableWrap>
    }
}

#[cfg(test)]
mod tests {
    use super::source;

    #[test]
    fn nobody_stands_on_the_page_under_the_name_they_sign_in_with() {
        let raters = ["ada".to_owned(), "ben".to_owned()];
        let shown = ["ben", "judge-a", "final", "ada"].map(|name| source(&raters, name.to_owned()));
        assert_eq!(shown, ["Rater B", "judge-a", "Final labels", "Rater A"]);
    }
}
