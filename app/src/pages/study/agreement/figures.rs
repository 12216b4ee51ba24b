//! The few numbers that are read first.

use leptos::prelude::*;
use service::agreement::{AgreementReport, StatRow};

use super::says;
use crate::pages::words::count;

/// The statistics read first, of ordered answers and of others.
const OF_ORDERED: [&str; 3] = ["kappa_quadratic", "alpha_ordinal", "within1_agreement"];
const OF_UNORDERED: [&str; 3] = ["percent_agreement", "kappa", "alpha_nominal"];

/// Big numbers, each with its interval; the last one leads to the queue.
pub fn figures(raw: &AgreementReport, queue: Option<String>) -> impl IntoView + use<> {
    let (ordered, units) = (raw.question.ordered, raw.question.units);
    let chosen = if ordered { OF_ORDERED } else { OF_UNORDERED };
    let group = raw.groups.first();
    let find =
        |name: &&str| group.and_then(|group| group.stats.iter().find(|row| row.name == **name));
    let cards: Vec<_> = chosen
        .iter()
        .filter_map(find)
        .map(|row| figure(row, [raw.question.unit, units]).into_any())
        .collect();
    let apart = ordered
        .then(|| far_apart(group.map_or(0, |group| group.far_apart), units, queue).into_any());
    view! { <div class="columns figures-big">{cards} {apart}</div> }
}

fn figure(row: &StatRow, [unit, units]: [&str; 2]) -> impl IntoView + use<> {
    let title = says::title(&row.name);
    let number = row.estimate.map_or_else(
        || "undefined".to_owned(),
        |estimate| says::value(&row.name, estimate),
    );
    let below = match (row.estimate, says::interval(row)) {
        (Some(_), Some(interval)) => format!("95 % interval {interval}"),
        _ => row
            .undefined_reason
            .as_deref()
            .map_or_else(String::new, |reason| says::undefined(reason).to_owned()),
    };
    let n = format!("{}, independent values", count(row.n_units, unit, units));
    view! {
        <section class="card">
            <h2 class="label">{title}</h2>
            <p class="big num">{number}</p>
            <p class="soft small">{below} <br /> {n}</p>
        </section>
    }
}

fn far_apart(n: u64, units: &str, queue: Option<String>) -> impl IntoView + use<> {
    let what = format!("{units}, before reconciliation");
    let link = queue.map(|href| view! { <a href=href>"Open the queue"</a> });
    view! {
        <section class="card">
            <h2 class="label">"More than one point apart"</h2>
            <p class="big num">{n}</p>
            <p class="soft small">{what} <br /> {link}</p>
        </section>
    }
}
