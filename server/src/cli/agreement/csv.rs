//! The report as a table for spreadsheets.

use std::fmt::Write as _;

use super::measure::{Measured, Report};

const HEADER: &str = "criterion,facet_value,statistic,estimate,ci_low,ci_high,method,n_units,n_dropped,undefined_reason\r\n";

/// One row a coefficient; warnings are left to the other forms.
pub(super) fn write(report: &Report) -> String {
    let mut out = HEADER.to_owned();
    for measured in &report.criteria {
        rows(&mut out, &measured.name, "", measured);
        for group in &measured.by {
            rows(&mut out, &measured.name, &group.name, group);
        }
    }
    out
}

fn rows(out: &mut String, criterion: &str, group: &str, measured: &Measured) {
    for row in measured.rows.iter().filter(|row| row.fits) {
        let interval = row.interval();
        let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
        let (units, dropped, reason) = match &row.statistic {
            Ok(estimate) => (estimate.n_units, estimate.n_dropped(), ""),
            Err(undefined) => (
                undefined.n_units,
                undefined.n_dropped(),
                undefined.reason.code(),
            ),
        };
        let fields = [
            cell(criterion),
            cell(group),
            row.coefficient.name().to_owned(),
            number(row.statistic.as_ref().ok().map(|estimate| estimate.value)),
            number(interval.ok().map(|bounds| bounds.low)),
            number(interval.ok().map(|bounds| bounds.high)),
            interval
                .map_or("", |bounds| bounds.method.code())
                .to_owned(),
            units.to_string(),
            dropped.to_string(),
            reason.to_owned(),
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
