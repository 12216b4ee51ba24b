//! The report as a table for spreadsheets.

use std::fmt::Write as _;

use super::section::{Report, Section};

const HEADER: &str = "criterion,facet_value,statistic,estimate,ci_low,ci_high,method,n_units,n_dropped,undefined_reason\r\n";

/// One row a statistic; warnings are left to the other forms.
pub(super) fn write(report: &Report) -> String {
    let mut out = HEADER.to_owned();
    for section in &report.sections {
        rows(&mut out, &section.name, "", section);
        for group in &section.by {
            rows(&mut out, &section.name, &group.name, group);
        }
    }
    out
}

fn rows(out: &mut String, criterion: &str, group: &str, section: &Section) {
    for line in section.lines.iter().filter(|line| line.fits) {
        let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
        let bounds = line.interval.as_ref();
        let fields = [
            cell(criterion),
            cell(group),
            cell(&line.name),
            number(line.estimate),
            number(bounds.map(|bounds| bounds.low)),
            number(bounds.map(|bounds| bounds.high)),
            bounds
                .map(|bounds| bounds.method.clone())
                .unwrap_or_default(),
            line.n_units.to_string(),
            line.n_dropped.to_string(),
            line.reason.clone().unwrap_or_default(),
        ];
        let _ = write!(out, "{}\r\n", fields.join(","));
    }
}

/// Quoted where needed; a cell that a spreadsheet would run as a formula gets an apostrophe.
fn cell(text: &str) -> String {
    let guarded = if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\'']) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if guarded.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", guarded.replace('"', "\"\""))
    } else {
        guarded
    }
}
