//! The report for people.

use std::fmt::Write as _;

use super::measure::{Measured, Report, Row};
use super::number::rounded;

/// A table a criterion, with a remark on every coefficient, then the warnings.
pub(super) fn write(report: &Report) -> String {
    let mut out = format!("Read as {}.\n", report.columns);
    for measured in &report.criteria {
        table(&mut out, &measured.name, measured);
        for group in &measured.by {
            let name = if measured.name.is_empty() {
                group.name.clone()
            } else {
                format!("{}, {}", measured.name, group.name)
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

fn table(out: &mut String, name: &str, measured: &Measured) {
    let title = if name.is_empty() { "All ratings" } else { name };
    let _ = writeln!(
        out,
        "\n{title}: {} items, {} raters, {} missing ratings, {} scale, categories {}",
        measured.n_items,
        measured.raters.len(),
        measured.n_missing,
        measured.scale.code(),
        shortened(&measured.categories.join(" ")),
    );
    let _ = writeln!(
        out,
        "  {:<28}{:>10}  {:<20}{:>9}{:>9}  interval by",
        "statistic", "estimate", "95 % interval", "n", "dropped"
    );
    for row in measured.rows.iter().filter(|row| row.fits) {
        line(out, row);
    }
}

fn line(out: &mut String, row: &Row) {
    let name = row.coefficient.name();
    let _ = match &row.statistic {
        Ok(estimate) => {
            let (bounds, how) = match row.interval() {
                Ok(interval) => (
                    format!("[{}, {}]", rounded(interval.low), rounded(interval.high)),
                    interval.method.code(),
                ),
                Err(reason) => (String::new(), reason.sentence()),
            };
            let (value, n, dropped) = (
                rounded(estimate.value),
                estimate.n_units,
                estimate.n_dropped(),
            );
            writeln!(
                out,
                "  {name:<28}{value:>10}  {bounds:<20}{n:>9}{dropped:>9}  {how}"
            )
        }
        Err(undefined) => {
            let (n, dropped, why) = (
                undefined.n_units,
                undefined.n_dropped(),
                undefined.reason.sentence(),
            );
            writeln!(
                out,
                "  {name:<28}{:>10}  {:<20}{n:>9}{dropped:>9}  not defined: {why}",
                "-", ""
            )
        }
    };
}

/// When each coefficient shown is the right one.
fn remarks(out: &mut String, report: &Report) {
    let mut seen = Vec::new();
    for row in report
        .criteria
        .iter()
        .flat_map(|measured| &measured.rows)
        .filter(|row| row.fits)
    {
        if !seen.contains(&row.coefficient) {
            seen.push(row.coefficient);
        }
    }
    if seen.is_empty() {
        return;
    }
    out.push_str("\nRemarks\n");
    for coefficient in seen {
        let _ = writeln!(out, "  {:<28}{}", coefficient.name(), coefficient.advice());
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 80 {
        text.to_owned()
    } else {
        text.chars().take(79).chain(['…']).collect()
    }
}
