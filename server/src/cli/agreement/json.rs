//! The report for programs.

use serde_json::{Map, Value, json};

use super::section::{Line, Report, Section};

/// One JSON object: criteria by name, and the warnings.
pub(super) fn write(report: &Report) -> String {
    let criteria: Map<String, Value> = report
        .sections
        .iter()
        .map(|section| (section.name.clone(), criterion(section)))
        .collect();
    json!({ "criteria": criteria, "warnings": report.warnings, "source": report.source })
        .to_string()
}

fn criterion(section: &Section) -> Value {
    let statistics: Map<String, Value> = section
        .lines
        .iter()
        .map(|line| (line.name.clone(), statistic(line)))
        .collect();
    let mut object = json!({
        "n_items": section.n_items,
        "n_raters": section.raters.len(),
        "n_missing": section.n_missing,
        "raters": section.raters,
        "categories": section.categories,
        "scale": section.scale,
        "statistics": statistics,
    });
    if !section.by.is_empty() {
        let groups: Map<String, Value> = section
            .by
            .iter()
            .map(|group| (group.name.clone(), criterion(group)))
            .collect();
        object["by"] = Value::Object(groups);
    }
    object
}

fn statistic(line: &Line) -> Value {
    let bounds = line.interval.as_ref();
    let mut object = json!({
        "estimate": line.estimate,
        "ci_low": bounds.map(|bounds| bounds.low),
        "ci_high": bounds.map(|bounds| bounds.high),
        "method": bounds.map(|bounds| &bounds.method),
        "ci_reason": line.interval_reason,
        "n_units": line.n_units,
        "n_dropped": line.n_dropped,
        "reason": line.reason,
    });
    if line.estimate.is_some() {
        for (name, value) in [
            ("se", line.se),
            ("se0", line.se0),
            ("z", line.z),
            ("p", line.p),
        ] {
            object[name] = json!(value);
        }
    }
    if let Some(drawn) = &line.bootstrap {
        object["bootstrap"] = json!({
            "n_resamples": drawn.n_resamples,
            "n_undefined": drawn.n_undefined,
            "se": drawn.se,
            "percentile": drawn.percentile,
            "bca": drawn.bca,
        });
    }
    object
}
