//! Small drawings with their numbers: a severity track and a forest plot. No colour stands alone.

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

fn shortened(label: &str) -> String {
    const LIMIT: usize = 32;
    if label.chars().count() <= LIMIT {
        return label.to_owned();
    }
    label.chars().take(LIMIT - 1).chain(['…']).collect()
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
