//! `/studies/{study}/results`: what the answers add up to, for each judge, each rater and the final labels.

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
            "" | "model" | "conditioned" | "model_conditioned" => wide(&facet, &rows).into_any(),
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

/// A row a source and model, a column a figure: what papers print side by side.
fn wide(facet: &str, rows: &[ResultRow]) -> impl IntoView + use<> {
    let title = heading(facet);
    let by_model = facet.starts_with("model");
    let (mut names, mut lines): (Vec<&str>, Vec<(&str, &str)>) = (Vec::new(), Vec::new());
    for row in rows {
        if !names.contains(&row.statistic.as_str()) {
            names.push(&row.statistic);
        }
        let line = (row.facet_value.as_str(), row.source.as_str());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.sort_by_key(|(model, _)| *model);
    let heads = names
        .iter()
        .map(|name| view! { <th scope="col" class="number">{(*name).to_owned()}</th> })
        .collect_view();
    let line = |(model, source): &(&str, &str)| {
        let cell = |name: &&str| {
            let mut own = rows.iter().filter(|row| {
                row.statistic == *name && row.facet_value == *model && row.source == *source
            });
            figure(own.next()).into_any()
        };
        let cells = names.iter().map(cell).collect_view();
        let model = by_model.then(|| view! { <th scope="row">{(*model).to_owned()}</th> });
        view! {
            <tr>
                {model}
                <th scope="row">{(*source).to_owned()}</th>
                {cells}
            </tr>
        }
    };
    let lines = lines.iter().map(line).collect_view();
    let model = by_model.then(|| view! { <th scope="col">"Model"</th> });
    view! {
        <h2>{title.clone()}</h2>
        <TableWrap label=title>
            <table>
                <thead>
                    <tr>
                        {model}
                        <th scope="col">"Source"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </TableWrap>
    }
}

fn figure(row: Option<&ResultRow>) -> impl IntoView + use<> {
    let Some(row) = row else {
        return view! { <td class="soft">"–"</td> }.into_any();
    };
    let interval = row
        .ci_low
        .zip(row.ci_high)
        .map(|(low, high)| format!("{low:.3} to {high:.3}, "));
    view! {
        <td class="number">
            {row.estimate.map(|value| format!("{value:.3}"))}
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
