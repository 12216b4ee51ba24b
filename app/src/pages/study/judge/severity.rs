//! Whether the judge's severities mean what the reference's mean.

use domain::annotation::shortest;
use leptos::prelude::*;
use service::validation::{Bin, Figure, ValidationReport};

use super::says;
use crate::components::TableWrap;

/// Agreement, bias and the reliability curve.
pub fn severity(report: &ValidationReport) -> impl IntoView + use<> {
    let rows = report.severity.iter().map(|figure| row(figure).into_any());
    let rows = rows.collect_view();
    view! {
        <h2>"Severity"</h2>
        <p class="soft small">
            "Tags that have a severity on both sides. A tag that the reference finds invalid has none, so it is missing here and counted as wrong above."
        </p>
        <TableWrap label="The judge’s severities against the reference’s">
            <table class="coefficients">
                <caption class="unseen">"The judge’s severities against the reference’s"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Statistic"</th>
                        <th scope="col" class="number">"Estimate"</th>
                        <th scope="col">"Interval"</th>
                        <th scope="col" class="number">"Pairs"</th>
                        <th scope="col">"Made by"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
        {reliability(&report.reliability)}
    }
}

fn row(figure: &Figure) -> impl IntoView + use<> {
    let (title, what) = says::figure(&figure.name);
    let cells = if let Some(reason) = &figure.undefined {
        view! { <td colspan="2" class="undefined">"Undefined: " {says::undefined(reason)}</td> }
            .into_any()
    } else {
        view! {
            <td class="number">
                <b>{says::estimate(figure)}</b>
            </td>
            <td class="interval">{figure.ci.as_ref().map(|ci| says::bounds(&figure.name, ci))}</td>
        }
        .into_any()
    };
    view! {
        <tr>
            <th scope="row">
                {title} <span class="soft small below">{what}</span>
            </th>
            {cells}
            <td class="number">{figure.n}</td>
            <td>{figure.ci.as_ref().map(|ci| says::method(ci.method))}</td>
        </tr>
    }
}

const SIDE: f64 = 260.0;
const EDGE: f64 = 44.0;

/// What the reference says, on average, where the judge gave each severity; on the diagonal they mean the same.
fn reliability(bins: &[Bin]) -> impl IntoView + use<> {
    let rows = bins.iter().map(|bin| {
        let mean = bin
            .mean
            .map_or_else(|| "none".to_owned(), says::coefficient);
        let sd = bin.sd.map_or_else(String::new, says::coefficient);
        view! {
            <tr>
                <th scope="row" class="number">{shortest(bin.severity)}</th>
                <td class="number">{bin.tags}</td>
                <td class="number">{bin.rejected}</td>
                <td class="number">{bin.n}</td>
                <td class="number">{mean}</td>
                <td class="number">{sd}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    (!bins.is_empty()).then(|| {
        view! {
            <h3>"Reliability curve"</h3>
            <div class="with-aside">
                <div class="drawing" role="group" tabindex="0" aria-label="Drawing">{drawing(bins)}</div>
                <TableWrap label="Reliability">
                    <table>
                        <caption>"By the severity that the judge gave"</caption>
                        <thead>
                            <tr>
                                <th scope="col" class="number">"Judge"</th>
                                <th scope="col" class="number">"Tags"</th>
                                <th scope="col" class="number">"Rejected"</th>
                                <th scope="col" class="number">"Scored"</th>
                                <th scope="col" class="number">"Mean"</th>
                                <th scope="col" class="number">"SD"</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </TableWrap>
            </div>
        }
    })
}

fn drawing(bins: &[Bin]) -> impl IntoView + use<> {
    let ends = bins
        .iter()
        .flat_map(|bin| [Some(bin.severity), bin.mean])
        .flatten();
    let (low, high) = ends.fold((1.0_f64, 5.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let place = move |value: f64| SIDE * (value - low) / (high - low);
    let x = move |value: f64| EDGE + place(value);
    let y = move |value: f64| SIDE + 12.0 - place(value);
    let mut ticks = Vec::new();
    let mut at = low.ceil();
    while at <= high {
        ticks.push(view! {
            <text class="axis" x=x(at) y=SIDE + 32.0 text-anchor="middle">
                {shortest(at)}
            </text>
            <text class="axis" x=EDGE - 10.0 y=y(at) + 4.0 text-anchor="end">
                {shortest(at)}
            </text>
        });
        at += 1.0;
    }
    let known: Vec<(f64, f64, u64)> = bins
        .iter()
        .filter_map(|bin| Some((bin.severity, bin.mean?, bin.n)))
        .collect();
    let line: Vec<String> = known
        .iter()
        .map(|(judge, mean, _)| format!("{:.1},{:.1}", x(*judge), y(*mean)))
        .collect();
    let dots = known.iter().map(|(judge, mean, n)| {
        let radius = 3.0 + (*n as f64).sqrt().min(9.0);
        view! { <circle cx=x(*judge) cy=y(*mean) r=radius></circle> }
    });
    let dots = dots.collect_view();
    view! {
        <svg
            class="reliability forest"
            role="img"
            aria-label="Mean severity of the reference by the judge’s severity; the table beside it holds the same numbers"
            viewBox=format!("0 0 {} {}", SIDE + EDGE + 20.0, SIDE + 56.0)
        >
            <line class="grid" x1=x(low) y1=y(low) x2=x(high) y2=y(high)></line>
            {ticks}
            <polyline class="curve" points=line.join(" ")></polyline>
            <g class="part">{dots}</g>
            <text class="axis" x=EDGE + SIDE / 2.0 y=SIDE + 52.0 text-anchor="middle">
                "Judge’s severity"
            </text>
        </svg>
    }
}
