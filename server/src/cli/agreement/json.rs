//! The report for programs.

use serde_json::{Map, Value, json};

use super::measure::{Measured, Report, Row};

/// One JSON object: criteria by name, and the warnings.
pub(super) fn write(report: &Report) -> String {
    let criteria: Map<String, Value> = report
        .criteria
        .iter()
        .map(|measured| (measured.name.clone(), criterion(measured)))
        .collect();
    json!({ "criteria": criteria, "warnings": report.warnings, "columns": report.columns })
        .to_string()
}

fn criterion(measured: &Measured) -> Value {
    let statistics: Map<String, Value> = measured
        .rows
        .iter()
        .map(|row| (row.coefficient.name().to_owned(), statistic(row)))
        .collect();
    let mut object = json!({
        "n_items": measured.n_items,
        "n_raters": measured.raters.len(),
        "n_missing": measured.n_missing,
        "raters": measured.raters,
        "categories": measured.categories,
        "scale": measured.scale.code(),
        "statistics": statistics,
    });
    if !measured.by.is_empty() {
        let groups: Map<String, Value> = measured
            .by
            .iter()
            .map(|group| (group.name.clone(), criterion(group)))
            .collect();
        object["by"] = Value::Object(groups);
    }
    object
}

fn statistic(row: &Row) -> Value {
    let interval = row.interval();
    let mut object = match &row.statistic {
        Ok(estimate) => json!({
            "estimate": estimate.value,
            "n_units": estimate.n_units,
            "n_dropped": estimate.n_dropped(),
            "reason": null,
            "se": estimate.se,
            "se0": estimate.se0,
            "z": estimate.z,
            "p": estimate.p,
        }),
        Err(undefined) => json!({
            "estimate": null,
            "n_units": undefined.n_units,
            "n_dropped": undefined.n_dropped(),
            "reason": undefined.reason.code(),
        }),
    };
    object["ci_low"] = json!(interval.ok().map(|bounds| bounds.low));
    object["ci_high"] = json!(interval.ok().map(|bounds| bounds.high));
    object["method"] = json!(interval.ok().map(|bounds| bounds.method.code()));
    object["ci_reason"] = json!(interval.err().map(stats::Reason::code));
    if let Some(Ok(resampled)) = &row.resampled {
        object["bootstrap"] = json!({
            "n_resamples": resampled.n_resamples,
            "n_undefined": resampled.n_undefined,
            "se": resampled.se,
            "percentile": resampled.percentile.ok().map(|bounds| [bounds.low, bounds.high]),
            "bca": resampled.bca.ok().map(|bca| [bca.interval.low, bca.interval.high]),
        });
    }
    object
}
