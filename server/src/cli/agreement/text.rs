//! The report for people.

use domain::count::count;
use std::fmt::Write as _;

use super::number::rounded;
use super::section::{Line, Report, Section};

/// A table a criterion, with a remark on every coefficient, then the warnings.
pub(super) fn write(report: &Report) -> String {
    let mut out = format!("{}\n", report.source);
    for section in &report.sections {
        table(&mut out, &section.name, section);
        for group in &section.by {
            let name = if section.name.is_empty() {
                group.name.clone()
            } else {
                format!("{}, {}", section.name, group.name)
            };
            table(&mut out, &name, group);
        }
    }
    remarks(&mut out, report);
    if !report.warnings.is_empty() {
        out.push_str("\nWarnings\n");
        for warning in &report.warnings {
            let _ = writeln!(out, "  ! {warning}");
        }
    }
    out
}

fn table(out: &mut String, name: &str, section: &Section) {
    let title = if name.is_empty() { "All ratings" } else { name };
    let missing = section.n_missing.map_or_else(String::new, |n| {
        format!(", {}", count(n, "missing rating", "missing ratings"))
    });
    let _ = writeln!(
        out,
        "\n{title}: {}, {}{missing}, {} scale, categories {}",
        count(section.n_items, "item", "items"),
        count(section.raters.len(), "rater", "raters"),
        section.scale,
        shortened(&section.categories.join(" ")),
    );
    let _ = writeln!(
        out,
        "  {:<28}{:>10}  {:<20}{:>9}{:>9}  interval by",
        "statistic", "estimate", "95 % interval", "n", "dropped"
    );
    for row in section.lines.iter().filter(|line| line.fits) {
        line(out, row);
    }
}

fn line(out: &mut String, line: &Line) {
    let (value, how) = match (line.estimate, &line.interval) {
        (Some(value), Some(bounds)) => (rounded(value), bounds.method.clone()),
        (Some(value), None) => (rounded(value), line.why().to_owned()),
        (None, _) => ("-".to_owned(), format!("not defined: {}", line.why())),
    };
    let bounds = line
        .interval
        .as_ref()
        .filter(|_| line.estimate.is_some())
        .map(|bounds| format!("[{}, {}]", rounded(bounds.low), rounded(bounds.high)))
        .unwrap_or_default();
    let (name, n, dropped) = (&line.name, line.n_units, line.n_dropped);
    let _ = writeln!(
        out,
        "  {name:<28}{value:>10}  {bounds:<20}{n:>9}{dropped:>9}  {how}"
    );
}

/// When each coefficient shown is the right one.
fn remarks(out: &mut String, report: &Report) {
    let mut seen: Vec<&str> = Vec::new();
    let mut remarks = String::new();
    let shown = report.sections.iter().flat_map(|section| &section.lines);
    for line in shown.filter(|line| line.fits && !line.advice().is_empty()) {
        if !seen.contains(&line.name.as_str()) {
            seen.push(&line.name);
            let _ = writeln!(remarks, "  {:<28}{}", line.name, line.advice());
        }
    }
    if !remarks.is_empty() {
        let _ = write!(out, "\nRemarks\n{remarks}");
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 80 {
        text.to_owned()
    } else {
        text.chars().take(79).chain(['…']).collect()
    }
}
