//! The retained set: how many units stand where, and four columns of coefficients that are easily taken for each other.

use domain::annotation::shortest;
use leptos::prelude::*;
use service::agreement::{AgreementReport, Question, StatRow};
use service::retention::Retention;
use service::snapshot::SnapshotRow;

use super::{Reports, says};
use crate::components::TableWrap;
use crate::pages::{study::sign_off::manifest, words};

/// Says which snapshot the figures are part of.
pub fn named(rows: &[SnapshotRow], href: &str) -> impl IntoView + use<> {
    let link = |number: i64| format!("{href}/{number}");
    match rows.iter().find(|row| row.in_force) {
        Some(row) => {
            let hash = row.named.content_hash.get(..12).unwrap_or_default();
            let text = format!(", signed off by {}, fingerprint {hash}", row.attested_as);
            let (number, href) = (row.named.number, link(row.named.number));
            view! { <p class="soft">"Figures of " <a href=href>{format!("snapshot {number}")}</a> {text}</p> }
                .into_any()
        }
        None => view! { <p class="soft">"The study is open: these figures are part of no snapshot."</p> }
            .into_any(),
    }
}

/// Counts and coefficients of the retained set, beside those of all units.
pub fn retained(reports: &Reports, set: &Retention) -> impl IntoView + use<> {
    let rule = rule(set);
    let counts = counts(set).into_any();
    let columns = columns(reports, set).into_any();
    view! {
        <h2 id="retained">"All tags and the retained set"</h2>
        <p>{rule}</p>
        {counts}
        {columns}
    }
}

/// Offers the retained set where working it out takes a while.
pub fn ask(question: &Question) -> impl IntoView + use<> {
    let href = format!("?question={}&retained=yes#retained", question.as_str());
    view! {
        <h2 id="retained">"All tags and the retained set"</h2>
        <p>
            "Which tags are retained takes a while to work out in a study of this size. "
            <a href=href>"Work it out"</a>
        </p>
    }
}

fn rule(set: &Retention) -> String {
    let threshold = set.rule.min_mean_severity.map_or_else(
        || "The coding manual has no threshold of severity.".to_owned(),
        |least| {
            format!(
                "By the coding manual a tag is retained when its final severity is at least {}.",
                shortest(least)
            )
        },
    );
    format!(
        "{threshold} Tags found wrong, and tags taken out with a reason of the manual, are not retained either. \
         Agreement over what is left is another question than agreement over everything that was judged."
    )
}

fn counts(set: &Retention) -> impl IntoView + use<> {
    let row = |name: String, count: i64| {
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td class="number">{words::number(count)}</td>
            </tr>
        }
        .into_any()
    };
    let standings = set
        .standings
        .iter()
        .map(|(standing, count)| row(manifest::standing(standing.as_str()).to_owned(), *count));
    let reasons = set
        .reasons
        .iter()
        .map(|(_, name, count)| row(format!("— {name}"), *count));
    let rows: Vec<AnyView> = standings.chain(reasons).collect();
    let units = words::count(set.units, "tag", "tags");
    let caption = format!("{units} given to raters, those that raters added included");
    view! {
        <TableWrap label="Where the tags stand">
            <table>
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Where they stand"</th>
                        <th scope="col" class="number">"Tags"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn columns(reports: &Reports, set: &Retention) -> impl IntoView + use<> {
    let four = [&reports.raw, &reports.reconciled, &set.raw, &set.reconciled];
    let four = four.map(AgreementReport::stats);
    let main = four[0].iter().filter(|row| row.main);
    let names: Vec<String> = main.map(|row| row.name.clone()).collect();
    let row = |name: String| {
        let cells = four
            .iter()
            .map(|rows| cell(rows.iter().find(|row| row.name == name)))
            .collect_view();
        let title = says::title(&name);
        view! {
            <tr>
                <th scope="row">{title}</th>
                {cells}
            </tr>
        }
    };
    let rows = names.into_iter().map(row).collect_view();
    view! {
        <TableWrap label="All tags and the retained set">
            <table class="coefficients">
                <caption>
                    "Four answers to what agreement is. Only the first is what independent raters achieved; report it whichever else you report."
                </caption>
                <thead>
                    <tr>
                        <th scope="col" rowspan="2">"Statistic"</th>
                        <th scope="colgroup" colspan="2">"All tags"</th>
                        <th scope="colgroup" colspan="2">"Retained set"</th>
                    </tr>
                    <tr>
                        <th scope="col">"Raw"</th>
                        <th scope="col">"Reconciled"</th>
                        <th scope="col">"Raw"</th>
                        <th scope="col">"Reconciled"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn cell(row: Option<&StatRow>) -> impl IntoView + use<> {
    let Some(row) = row else {
        return view! { <td>"not computed"</td> }.into_any();
    };
    let Some(estimate) = row.estimate else {
        let why = row.undefined_reason.as_deref().map(says::undefined);
        return view! { <td class="undefined">"Undefined: " {why}</td> }.into_any();
    };
    let interval = says::interval(row).unwrap_or_else(|| "no interval".to_owned());
    let below = format!("{interval}, {}", words::count(row.n_units, "tag", "tags"));
    view! {
        <td class="interval">
            <b>{says::value(&row.name, estimate)}</b> <span class="soft small below">{below}</span>
        </td>
    }
    .into_any()
}
