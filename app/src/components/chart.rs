//! Small drawings with their numbers: a severity track and a forest plot. No colour stands alone.

use crate::pages::words;
use domain::{annotation::shortest, scheme::SeverityScale};
use leptos::prelude::*;

/// A point on a `Track`.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Who said it, in full, for those who listen.
    pub who: String,
    /// Who said it, as drawn.
    pub label: String,
    /// What they said.
    pub value: f64,
    /// The class that draws it: `a`, `b`, `judge`, `final`.
    pub class: &'static str,
}

/// Half of the drawn width between the ends of the scale.
const TRACK: f64 = 560.0;
const MARGIN: f64 = 50.0;

/// Where several people stand on one scale.
#[component]
pub fn Track(
    /// The scale.
    scale: SeverityScale,
    /// Who stands where; equal values are stacked.
    points: Vec<Point>,
) -> impl IntoView {
    let (low, high) = (
        scale.lowest().unwrap_or(1.0),
        scale.highest().unwrap_or(5.0),
    );
    let x = move |value: f64| MARGIN + TRACK * (value - low) / (high - low).max(f64::EPSILON);
    let rows = stack(&points, (high - low) / 12.0);
    let height = 28 * (rows.iter().max().copied().unwrap_or(0) + 1);
    let base = height + 8;
    let spoken: Vec<String> = points
        .iter()
        .map(|point| format!("{} {}", point.who, shortest(point.value)))
        .collect();
    let alt = format!(
        "Severity from {} to {}: {}",
        shortest(low),
        shortest(high),
        spoken.join(", ")
    );
    let tick = move |level: &domain::scheme::Level| {
        let name = if level.short.is_empty() {
            level.name.clone()
        } else {
            level.short.clone()
        };
        view! {
            <line class="tick" x1=x(level.value) x2=x(level.value) y1=base - 4 y2=base + 4></line>
            <text class="axis" x=x(level.value) y=base + 20 text-anchor="middle">
                {format!("{} {name}", shortest(level.value))}
            </text>
        }
    };
    let mark = move |(point, row): (Point, usize)| {
        let y = height as f64 - 14.0 - 28.0 * row as f64;
        let half = 9.0 + 4.0 * point.label.chars().count() as f64;
        view! {
            <g class=point.class>
                <rect x=x(point.value) - half y=y - 11.0 width=2.0 * half height=22 rx=11></rect>
                <text x=x(point.value) y=y + 4.5 text-anchor="middle">
                    {point.label}
                </text>
            </g>
        }
    };
    view! {
        <svg
            class="track"
            role="img"
            aria-label=alt
            viewBox=format!("0 0 {} {}", TRACK + 2.0 * MARGIN, base + 28)
        >
            <line class="line" x1=x(low) x2=x(high) y1=base y2=base></line>
            {scale.levels.iter().map(tick).collect_view()}
            {points.into_iter().zip(rows).map(mark).collect_view()}
        </svg>
    }
}

/// The row of each point, so that points closer than `near` do not cover each other.
fn stack(points: &[Point], near: f64) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::with_capacity(points.len());
    for (at, point) in points.iter().enumerate() {
        let taken: Vec<usize> = (0..at)
            .filter(|&other| (points[other].value - point.value).abs() <= near)
            .map(|other| rows[other])
            .collect();
        let free = (0..=at)
            .find(|row| !taken.contains(row))
            .unwrap_or_default();
        rows.push(free);
    }
    rows
}

/// One line of a `Forest`.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// What it is an estimate of.
    pub label: String,
    /// The estimate, unless it is undefined.
    pub value: Option<f64>,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// What stands at the right: the numbers.
    pub remark: String,
    /// Whether it is the whole rather than a part.
    pub whole: bool,
}

const NAMES: f64 = 230.0;
const PLOT: f64 = 340.0;
const REMARK: f64 = 190.0;

/// Estimates with their intervals on one axis. The table beside it holds the same numbers.
#[component]
pub fn Forest(
    /// What is drawn.
    #[prop(into)]
    label: String,
    /// The lines.
    estimates: Vec<Estimate>,
) -> impl IntoView {
    let ends = estimates.iter().flat_map(|line| {
        line.interval
            .map(|(low, _)| low)
            .into_iter()
            .chain(line.value)
    });
    // Negative values are shown as they are: the axis reaches down to them.
    let low = (ends.fold(0.0, f64::min) * 5.0).floor() / 5.0;
    let x = move |value: f64| NAMES + PLOT * (value - low) / (1.0 - low);
    let height = 26.0 * estimates.len() as f64;
    let steps = ((1.0 - low) * 5.0).round() as i32;
    let axis = (0..=steps).map(|step| {
        let value = low + f64::from(step) / 5.0;
        view! {
            <line class="grid" x1=x(value) x2=x(value) y1=4 y2=height + 8.0></line>
            <text class="axis" x=x(value) y=height + 24.0 text-anchor="middle">
                {format!("{value:.1}").replace('-', "−")}
            </text>
        }
    });
    let line = move |(at, line): (usize, Estimate)| {
        let y = 20.0 + 26.0 * at as f64;
        let bar = line.interval.map(|(from, to)| {
            view! { <line class="bar" x1=x(from.max(low)) x2=x(to.min(1.0)) y1=y y2=y></line> }
        });
        let dot = line
            .value
            .map(|value| view! { <circle cx=x(value) cy=y r=5></circle> });
        view! {
            <g class=if line.whole { "whole" } else { "part" }>
                <text x=0 y=y + 4.5>
                    {shortened(&line.label)}
                </text>
                {bar}
                {dot}
                <text class="remark" x=NAMES + PLOT + 14.0 y=y + 4.5>
                    {line.remark}
                </text>
            </g>
        }
    };
    view! {
        <svg
            class="forest"
            role="img"
            aria-label=format!("{label}; the table below holds the same numbers")
            viewBox=format!("0 0 {} {}", NAMES + PLOT + REMARK, height + 30.0)
        >
            {axis.collect_view()}
            {estimates.into_iter().enumerate().map(line).collect_view()}
        </svg>
    }
}

const CELL: f64 = 52.0;
const WORDS: f64 = 150.0;

/// How often two raters gave which pair of answers, as shades with their counts. The table beside it holds the same.
#[component]
pub fn Heat(
    /// What is drawn.
    #[prop(into)]
    label: String,
    /// The answers, in their order.
    names: Vec<String>,
    /// Counts, row by row.
    counts: Vec<Vec<u64>>,
) -> impl IntoView {
    let most = counts.iter().flatten().max().copied().unwrap_or(0).max(1);
    let side = CELL * names.len() as f64;
    let x = |at: usize| WORDS + CELL * at as f64;
    let y = |at: usize| 28.0 + CELL * at as f64;
    let cell = |row: usize, column: usize, count: u64| {
        let class = if row == column { "agree" } else { "apart" };
        // The number stays readable: the darkest shade is half of the accent.
        let shade = format!("{:.3}", 0.55 * count as f64 / most as f64);
        view! {
            <g class=class>
                <rect x=x(column) y=y(row) width=CELL height=CELL fill-opacity=shade></rect>
                <text x=x(column) + CELL / 2.0 y=y(row) + CELL / 2.0 + 4.5 text-anchor="middle">
                    {count}
                </text>
            </g>
        }
    };
    let cells = counts
        .iter()
        .enumerate()
        .flat_map(|(row, counts)| {
            let cells = counts.iter().enumerate();
            cells.map(move |(column, count)| cell(row, column, *count))
        })
        .collect_view();
    let heads = names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            view! {
                <text class="axis" x=WORDS - 8.0 y=y(at) + CELL / 2.0 + 4.5 text-anchor="end">
                    {cut(name, 22)}
                </text>
                <text class="axis" x=x(at) + CELL / 2.0 y=18 text-anchor="middle">
                    {cut(name, 8)}
                </text>
            }
        })
        .collect_view();
    view! {
        <svg
            class="heat"
            role="img"
            aria-label=format!("{label}; the table below holds the same numbers")
            viewBox=format!("0 0 {} {}", WORDS + side + 4.0, side + 34.0)
        >
            {heads}
            {cells}
        </svg>
    }
}

/// Pairs of values in one place of `Differences`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloud {
    /// The mean of the two values.
    pub mean: f64,
    /// Second minus first.
    pub difference: f64,
    /// How many pairs lie there.
    pub count: u64,
}

const WIDE: f64 = 460.0;
const TALL: f64 = 240.0;
const LEFT: f64 = 44.0;

/// Differences against means, after Bland and Altman, with the mean difference and its limits.
#[component]
pub fn Differences(
    /// What is drawn.
    #[prop(into)]
    label: String,
    /// Where pairs lie.
    points: Vec<Cloud>,
    /// The mean difference and its limits, where there are any.
    limits: Option<[f64; 3]>,
) -> impl IntoView {
    let means = points.iter().map(|point| point.mean);
    let (low, high) = means.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| {
        (low.min(mean), high.max(mean))
    });
    let ends = points.iter().map(|point| point.difference.abs());
    let reach = ends
        .chain(limits.into_iter().flatten().map(f64::abs))
        .fold(1.0, f64::max)
        .ceil();
    let x = move |mean: f64| LEFT + 24.0 + (WIDE - 48.0) * (mean - low) / (high - low).max(1e-9);
    let y = move |difference: f64| 10.0 + TALL * (reach - difference) / (2.0 * reach);
    let most = points.iter().map(|point| point.count).max().unwrap_or(1);
    let steps = (-(reach as i32)..=reach as i32).map(|step| {
        let at = y(f64::from(step));
        let class = if step == 0 { "zero" } else { "grid" };
        view! {
            <line class=class x1=LEFT x2=LEFT + WIDE y1=at y2=at></line>
            <text class="axis" x=LEFT - 8.0 y=at + 4.0 text-anchor="end">
                {format!("{step:+}").replace('-', "−").replace("+0", "0")}
            </text>
        }
    });
    let lines = limits.map(|limits| {
        let names = ["mean", "lower limit", "upper limit"];
        let lines = limits.into_iter().zip(names).map(|(value, name)| {
            let class = if name == "mean" { "bias" } else { "limit" };
            view! {
                <line class=class x1=LEFT x2=LEFT + WIDE y1=y(value) y2=y(value)></line>
                <text class="axis" x=LEFT + WIDE + 8.0 y=y(value) + 4.0>
                    {format!("{name} {value:.2}").replace('-', "−")}
                </text>
            }
        });
        lines.collect_view()
    });
    let dot = |point: Cloud| {
        // The area follows the count.
        let radius = 3.0 + 11.0 * (point.count as f64 / most as f64).sqrt();
        view! {
            <circle cx=x(point.mean) cy=y(point.difference) r=format!("{radius:.1}") fill-opacity="0.6">
                <title>{words::count(point.count, "tag", "tags")}</title>
            </circle>
        }
    };
    view! {
        <svg
            class="differences"
            role="img"
            aria-label=format!("{label}, against their mean; the table below holds the same numbers")
            viewBox=format!("0 0 {} {}", LEFT + WIDE + 130.0, TALL + 40.0)
        >
            {steps.collect_view()}
            {lines}
            {points.into_iter().map(dot).collect_view()}
            <text class="axis" x=x(low) y=TALL + 32.0 text-anchor="middle">
                {shortest(low)}
            </text>
            <text class="axis" x=LEFT + WIDE / 2.0 y=TALL + 32.0 text-anchor="middle">
                "mean of the two"
            </text>
            <text class="axis" x=x(high) y=TALL + 32.0 text-anchor="middle">
                {shortest(high)}
            </text>
        </svg>
    }
}

fn shortened(label: &str) -> String {
    cut(label, 32)
}

fn cut(label: &str, limit: usize) -> String {
    if label.chars().count() <= limit {
        return label.to_owned();
    }
    label.chars().take(limit - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::{Point, stack};

    fn point(value: f64) -> Point {
        Point {
            who: String::new(),
            label: String::new(),
            value,
            class: "a",
        }
    }

    #[test]
    fn points_on_one_place_are_stacked_and_others_are_not() {
        assert_eq!(
            stack(&[point(3.0), point(1.0), point(3.0), point(3.0)], 0.3),
            [0, 0, 1, 2]
        );
        assert_eq!(stack(&[point(1.0), point(1.2), point(1.5)], 0.3), [0, 1, 0]);
    }
}
