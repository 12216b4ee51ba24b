//! Drawings of the results as SVG that stands alone: for the page, for print and to take along.
//!
//! Colours are those of Okabe and Ito, told apart by people with any colour vision; a second mark, hatching or a place of
//! its own, always says the same. Attributes instead of styles, so that a strict content policy shows them.

use super::{CorpusReport, Rate};
use std::fmt::Write;

/// Bars of the answers, of the reasoning, and of the reasoning at the second threshold.
const ANSWER: &str = "#e69f00";
const REASONING: &str = "#0072b2";
/// Categories, in their order.
const CATEGORIES: [&str; 8] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999",
];

const NAMES: f64 = 210.0;
const PLOT: f64 = 480.0;
const REMARK: f64 = 150.0;
const BAR: f64 = 11.0;

/// What a mode is called.
pub fn mode_name(mode: &str) -> String {
    match mode {
        "" => "as it was asked".to_owned(),
        "COT" => "as a therapist".to_owned(),
        "NTCOT" => "not as a therapist".to_owned(),
        other => other.to_owned(),
    }
}

/// What an empty value is called.
pub fn named(value: &str) -> &str {
    if value.is_empty() {
        "(not given)"
    } else {
        value
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A drawing under way; writing into a string cannot fail.
struct Drawing(String);

impl Drawing {
    fn new(title: &str, height: f64) -> Self {
        let width = NAMES + PLOT + REMARK;
        let title = escaped(title);
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" aria-label=\"{title}\" viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\
             <title>{title}</title><defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
             <rect width=\"5\" height=\"5\" fill=\"#ffffff\"/><rect width=\"2.5\" height=\"5\" fill=\"{REASONING}\"/></pattern></defs>"
        ))
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let text = escaped(text);
        let _ = write!(
            self.0,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#222222\">{text}</text>"
        );
    }

    fn bar(&mut self, (x, y): (f64, f64), width: f64, fill: &str, title: &str) {
        let title = escaped(title);
        let _ = write!(
            self.0,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" fill=\"{fill}\" stroke=\"#ffffff\" stroke-width=\"0.5\"><title>{title}</title></rect>",
            width.max(0.0)
        );
    }

    fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], stroke: &str) {
        let _ = write!(
            self.0,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{stroke}\"/>"
        );
    }

    fn key(&mut self, entries: &[(&str, String)]) {
        let mut x = NAMES;
        for (fill, label) in entries {
            self.bar((x, 6.0), 14.0, fill, label);
            self.text(x + 19.0, 16.0, "start", label);
            x += 32.0 + 6.6 * label.chars().count() as f64;
        }
    }

    fn end(mut self) -> String {
        self.0.push_str("</svg>");
        self.0
    }
}

fn percent(value: f64) -> String {
    format!("{:.0} %", value * 100.0)
}

/// A line of bars in the drawing of rates.
struct Line {
    label: String,
    bars: Vec<(String, &'static str, f64, Option<(f64, f64)>)>,
}

fn bar_of(
    rate: Option<&Rate>,
    fill: &'static str,
    what: &str,
) -> Option<(String, &'static str, f64, Option<(f64, f64)>)> {
    let one = rate?.by("judged")?;
    let value = one.estimate?;
    Some((
        format!("{what}: {}", percent(value)),
        fill,
        value,
        one.low.zip(one.high),
    ))
}

/// Rates by model and mode: the answer alone, the reasoning, and the reasoning at the second threshold.
pub fn rates(report: &CorpusReport) -> String {
    let [first, second] = report.thresholds;
    let whole = |values: &[String]| values.len() < 2;
    let mut lines = Vec::new();
    for model in &report.models {
        for mode in &report.modes {
            let model_key = if whole(&report.models) { "" } else { model };
            let mode_key = if whole(&report.modes) { "" } else { mode };
            let answer = report
                .answers
                .iter()
                .find(|a| a.model == *model && a.mode == *mode);
            let answer = answer.and_then(|a| {
                let value = a.rate?;
                Some((
                    format!("Answer: {}", percent(value)),
                    ANSWER,
                    value,
                    a.low.zip(a.high),
                ))
            });
            let bars: Vec<_> = [
                answer,
                bar_of(
                    report.rate(model_key, "", mode_key, first),
                    REASONING,
                    &format!("Reasoning, severity {first} or more"),
                ),
                bar_of(
                    report.rate(model_key, "", mode_key, second),
                    "url(#hatch)",
                    &format!("Reasoning, severity {second} or more"),
                ),
            ]
            .into_iter()
            .flatten()
            .collect();
            if !bars.is_empty() {
                lines.push(Line {
                    label: format!("{}, {}", named(model), mode_name(mode)),
                    bars,
                });
            }
        }
    }
    let height = 40.0
        + lines
            .iter()
            .map(|line| 10.0 + BAR * line.bars.len() as f64)
            .sum::<f64>()
        + 30.0;
    let mut drawing = Drawing::new("Share of items with stigma, by model and mode", height);
    drawing.key(&[
        (ANSWER, "answer alone".to_owned()),
        (REASONING, format!("reasoning, severity ≥ {first}")),
        ("url(#hatch)", format!("reasoning, severity ≥ {second}")),
    ]);
    for step in 0..=5 {
        let share = f64::from(step) / 5.0;
        let x = NAMES + PLOT * share;
        drawing.line([x, 28.0, x, height - 24.0], "#dddddd");
        drawing.text(x, height - 8.0, "middle", &percent(share));
    }
    let mut y = 36.0;
    for line in lines {
        let middle = y + BAR * line.bars.len() as f64 / 2.0 + 4.0;
        drawing.text(NAMES - 10.0, middle, "end", &shortened(&line.label));
        for (title, fill, value, interval) in line.bars {
            drawing.bar((NAMES, y), PLOT * value, fill, &title);
            if let Some((low, high)) = interval {
                let at = y + BAR / 2.0;
                drawing.line([NAMES + PLOT * low, at, NAMES + PLOT * high, at], "#222222");
            }
            drawing.text(
                NAMES + PLOT + 8.0,
                y + BAR - 1.5,
                "start",
                &title
                    .rsplit(": ")
                    .next()
                    .map(str::to_owned)
                    .unwrap_or_default(),
            );
            y += BAR;
        }
        y += 10.0;
    }
    drawing.end()
}

/// Tags by condition, divided by category; of one model, or of all when it is empty.
pub fn tags(report: &CorpusReport, model: &str) -> String {
    let of = |condition: &str, category: &str| -> u64 {
        report
            .tags
            .iter()
            .filter(|tag| {
                (model.is_empty() || tag.model == model)
                    && tag.condition == condition
                    && tag.category == category
            })
            .map(|tag| tag.tags)
            .sum()
    };
    let used: Vec<(usize, &(String, String))> = report
        .categories
        .iter()
        .enumerate()
        .filter(|(_, (code, _))| report.tags.iter().any(|tag| tag.category == *code))
        .collect();
    let total = |condition: &String| {
        used.iter()
            .map(|(_, (code, _))| of(condition, code))
            .sum::<u64>()
    };
    let most = report
        .conditions
        .iter()
        .map(total)
        .max()
        .unwrap_or_default()
        .max(1);
    let rows = used.len().div_ceil(2) as f64;
    let top = 24.0 + 18.0 * rows;
    let height = top + 22.0 * report.conditions.len() as f64 + 10.0;
    let title = if model.is_empty() {
        "Tags by condition and category".to_owned()
    } else {
        format!("Tags of {model} by condition and category")
    };
    let mut drawing = Drawing::new(&title, height);
    let fill = |at: usize| CATEGORIES[at % CATEGORIES.len()];
    for (place, (at, (code, name))) in used.iter().enumerate() {
        let (x, y) = (
            NAMES + 310.0 * (place % 2) as f64,
            6.0 + 18.0 * (place / 2) as f64,
        );
        drawing.bar((x, y), 14.0, fill(*at), name);
        drawing.text(x + 19.0, y + 10.0, "start", &format!("{code} {name}"));
    }
    for (row, condition) in report.conditions.iter().enumerate() {
        let y = top + 22.0 * row as f64;
        drawing.text(NAMES - 10.0, y + 10.0, "end", &shortened(named(condition)));
        let mut x = NAMES;
        for (at, (code, name)) in &used {
            let count = of(condition, code);
            let width = PLOT * count as f64 / most as f64;
            drawing.bar((x, y), width, fill(*at), &format!("{name}: {count}"));
            if width > 16.0 {
                let place = (x + width / 2.0, y + BAR - 2.0);
                let _ = write!(
                    drawing.0,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"9\" fill=\"#000000\" stroke=\"#ffffff\" stroke-width=\"2\" paint-order=\"stroke\">{code}</text>",
                    place.0, place.1
                );
            }
            x += width;
        }
        drawing.text(x + 8.0, y + 10.0, "start", &total(condition).to_string());
    }
    drawing.end()
}

fn shortened(label: &str) -> String {
    const LIMIT: usize = 34;
    if label.chars().count() <= LIMIT {
        return label.to_owned();
    }
    label.chars().take(LIMIT - 1).chain(['…']).collect()
}
