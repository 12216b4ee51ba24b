//! The rule in front, and every rule beside it.

use leptos::prelude::*;
use service::validation::{CategoryRule, Cell, Figure, SeverityRule, ValidationReport};

use super::{address, says};
use crate::components::TableWrap;

/// Three big numbers.
pub fn front(report: &ValidationReport) -> impl IntoView + use<> {
    let cards = report.front().iter().map(|figure| card(figure).into_any());
    let cards = cards.collect_view();
    view! { <div class="columns figures-big">{cards}</div> }
}

fn card(figure: &Figure) -> impl IntoView + use<> {
    let (title, what) = says::figure(&figure.name);
    let below = match (&figure.ci, &figure.undefined) {
        (_, Some(reason)) => says::undefined(reason).to_owned(),
        (Some(ci), None) => format!(
            "95 % interval {}, {}",
            says::bounds(&figure.name, ci),
            says::method(ci.method)
        ),
        (None, None) => "an interval cannot be estimated from these".to_owned(),
    };
    let other = figure.other.as_ref().map(|other| {
        format!(
            "{}: {}, if tags were independent",
            says::method(other.method),
            says::bounds(&figure.name, other)
        )
    });
    view! {
        <section class="card">
            <h2 class="label">{title}</h2>
            <p class="big num">{says::estimate(figure)}</p>
            <p class="soft small">
                {says::counts(figure)} <br /> {below} {other.map(|other| view! { <br /> {other} })} <br /> {what}
            </p>
        </section>
    }
}

/// Every rule: categories down, severities across.
pub fn grid(report: &ValidationReport) -> impl IntoView + use<> {
    let row = |category: CategoryRule| {
        let cells = SeverityRule::ALL.map(|severity| {
            let cell = report
                .grid
                .iter()
                .find(|cell| cell.rule.category == category && cell.rule.severity == severity);
            cell.map(|cell| grid_cell(report, cell).into_any())
        });
        view! {
            <tr>
                <th scope="row">{says::category(category)}</th>
                {cells}
            </tr>
        }
    };
    let rows = CategoryRule::ALL.map(row);
    let heads = SeverityRule::ALL.map(|rule| view! { <th scope="col">{says::severity(rule)}</th> });
    view! {
        <h2 id="grid">"Under every rule"</h2>
        <TableWrap label="Precision, recall and F1 under every rule">
            <table class="rules">
                <caption>
                    "Precision, recall and F1, each with its 95 % interval. What counts as right decides the number, so a single one says little. Choose a rule to see everything below under it."
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"Category"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn grid_cell(report: &ValidationReport, cell: &Cell) -> impl IntoView + use<> {
    let current = (cell.rule == report.rule).then_some("true");
    let mut query = report.query.clone();
    query.rule = cell.rule.word();
    let line = |figure: &Figure| {
        let (title, _) = says::figure(&figure.name);
        let interval = figure.ci.as_ref().map(|ci| says::bounds(&figure.name, ci));
        view! {
            <span class="below">
                {title} " " <b class="num">{says::estimate(figure)}</b> " " <span class="soft small">{interval}</span>
            </span>
        }
    };
    let lines = cell.figures.iter().map(line).collect_view();
    let label = if cell.rule == report.scheme_rule {
        "The manual’s rule"
    } else {
        "Choose"
    };
    view! {
        <td aria-current=current>
            {lines} <a class="small" href=format!("{}#grid", address(&query))>
                {label}
                <span class="unseen">": " {says::rule(cell.rule)}</span>
            </a>
        </td>
    }
}
