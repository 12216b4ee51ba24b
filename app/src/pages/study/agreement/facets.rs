//! Agreement by category, condition, model or pair of raters: a drawing and the table with its numbers.

use leptos::prelude::*;
use service::agreement::{Facet, Group, Question, StatRow};

use super::{Reports, links, says};
use crate::components::{Estimate, Forest, TableWrap};

/// The choice of facet and, when one is chosen, its results.
pub fn facets(reports: &Reports, question: &Question, facet: Facet) -> impl IntoView + use<> {
    let name = if reports.raw.question.ordered {
        "kappa_quadratic"
    } else {
        "kappa"
    };
    let results = reports
        .facets
        .as_ref()
        .map(|report| results(reports, &report.groups, name, facet).into_any());
    view! {
        <section id="by">
            <h2>"By part"</h2>
            {choice(question, facet)}
            {results}
        </section>
    }
}

fn choice(question: &Question, facet: Facet) -> impl IntoView + use<> {
    let link = |which: Facet| {
        let current = (which == facet).then_some("true");
        let href = format!(
            "?question={}&facet={}#by",
            question.as_str(),
            which.as_str()
        );
        view! {
            <a href=href aria-current=current>
                {by(which)}
            </a>
        }
    };
    let all = Facet::ALL
        .into_iter()
        .filter(|facet| facet.divides(question));
    let links = all.map(link).collect_view();
    view! {
        <nav class="tabs" aria-label="Divide by">
            {links}
        </nav>
    }
}

fn by(facet: Facet) -> &'static str {
    match facet {
        Facet::None => "All together",
        Facet::Category => "By category",
        Facet::Condition => "By condition",
        Facet::Model => "By model",
        Facet::RaterPair => "By pair of raters",
        Facet::Judge => "By judge",
    }
}

fn stat<'a>(group: &'a Group, name: &str) -> Option<&'a StatRow> {
    group.stats.iter().find(|row| row.name == name)
}

fn line(label: String, row: Option<&StatRow>, whole: bool) -> Estimate {
    let value = row.and_then(|row| row.estimate);
    let remark = match row {
        Some(row) => match row.estimate {
            Some(value) => format!("{}, n = {}", says::coefficient(value), row.n_units),
            None => format!("undefined, n = {}", row.n_units),
        },
        None => "not computed".into(),
    };
    let interval = row.and_then(|row| row.ci_low.zip(row.ci_high));
    Estimate {
        label,
        value,
        interval,
        remark,
        whole,
    }
}

fn title(group: &Group) -> String {
    if group.title.is_empty() {
        "(not given)".into()
    } else {
        group.title.clone()
    }
}

/// The statistics that a part is described by; the others are in the rows behind it and in the export.
fn shown(name: &str) -> &'static [&'static str] {
    match name {
        "kappa" => &["percent_agreement", "kappa", "alpha_nominal"],
        _ => &[
            "percent_agreement",
            "within1_agreement",
            "kappa_quadratic",
            "alpha_ordinal",
        ],
    }
}

fn results(reports: &Reports, groups: &[Group], name: &str, facet: Facet) -> impl IntoView + use<> {
    let whole = |groups: &[Group], label: &str| {
        line(
            label.to_owned(),
            groups.first().and_then(|group| stat(group, name)),
            true,
        )
    };
    let units = reports.raw.question.units;
    let mut lines = vec![
        whole(&reports.raw.groups, &format!("All {units}, raw")),
        whole(
            &reports.reconciled.groups,
            &format!("All {units}, reconciled"),
        ),
    ];
    lines.extend(
        groups
            .iter()
            .map(|group| line(title(group), stat(group, name), false)),
    );
    let label = format!("{} {}", says::title(name), by(facet).to_lowercase());
    let shown = shown(name);
    let columns: Vec<String> = groups
        .first()
        .map(|g| {
            g.stats
                .iter()
                .map(|row| row.name.clone())
                .filter(|name| shown.contains(&name.as_str()))
                .collect()
        })
        .unwrap_or_default();
    let heads = columns
        .iter()
        .map(|name| view! { <th scope="col" class="number">{says::title(name)}</th> });
    let heads = heads.collect_view();
    let rows = groups
        .iter()
        .map(|group| group_row(reports, facet, group, shown).into_any())
        .collect_view();
    let values = if facet == Facet::Judge {
        "beside the final answers"
    } else {
        "raw values"
    };
    let caption = format!(
        "{}, {values}. Below each estimate its 95 % interval. From a handful of {units} neither says much.",
        by(facet)
    );
    view! {
        <h3>{label.clone()}</h3>
        <div class="drawing" role="group" tabindex="0" aria-label="Drawing">
            <Forest label estimates=lines />
        </div>
        <TableWrap label="Agreement by part">
            <table class="facets">
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Part"</th>
                        <th scope="col" class="number">"Used"</th>
                        <th scope="col" class="number">"Left out"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn group_row(
    reports: &Reports,
    facet: Facet,
    group: &Group,
    shown: &[&str],
) -> impl IntoView + use<> {
    let (used, left) = group
        .stats
        .first()
        .map_or((0, 0), |row| (row.n_units, row.n_dropped));
    let href = reports.links.part(facet, &group.facet_value);
    let cell = |row: &StatRow| match row.estimate {
        Some(estimate) => view! {
            <td class="number">
                <b>{links::number(says::value(&row.name, estimate), href.clone())}</b>
                <span class="soft small below">{says::interval(row)}</span>
            </td>
        }
        .into_any(),
        None => {
            let why = row.undefined_reason.as_deref().map(says::undefined);
            view! { <td class="undefined small">"Undefined: " {why}</td> }.into_any()
        }
    };
    let cells = group
        .stats
        .iter()
        .filter(|row| shown.contains(&row.name.as_str()));
    let cells = cells.map(cell).collect_view();
    view! {
        <tr>
            <th scope="row">{title(group)}</th>
            <td class="number">{used}</td>
            <td class="number">{left}</td>
            {cells}
        </tr>
    }
}
