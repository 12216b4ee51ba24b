//! Single numbers and what belongs to them, as they stand in a sentence.

use super::percent;
use crate::agreement::StatRow;
use crate::corpus::Estimate;
use crate::report::CorpusPart;
use crate::results::ResultRow;
use crate::validation::{Anchoring, ArmRow, Figure};
use domain::annotation::shortest;
use domain::count::count;

/// Whether seeing the judge's tags made a difference.
pub(super) fn anchoring(arms: &Anchoring) -> String {
    let row = |row: &ArmRow| {
        let words = match row.name {
            "accepted" => "tags accepted by a rater",
            "same_verdict" => "same verdict of two raters",
            "raters_within_one" => "severities of two raters within one point",
            _ => "a rater's severity within half a point of the judge's",
        };
        let arm = |figure: &Figure| {
            let value = figure
                .estimate
                .map_or_else(|| "undefined".to_owned(), percent);
            format!("{value}, n = {}", figure.n)
        };
        let points = |share: f64| format!("{:+.1}", share * 100.0);
        let difference = match (row.difference, row.ci) {
            (Some(difference), Some(ci)) => format!(
                "{} points [{}, {}]",
                points(difference),
                points(ci.low),
                points(ci.high)
            ),
            (Some(difference), None) => format!("{} points (no interval)", points(difference)),
            (None, _) => "not reported (an arm has none)".to_owned(),
        };
        format!(
            "{words} {} shown and {} hidden, difference {difference}",
            arm(&row.shown),
            arm(&row.hidden)
        )
    };
    let compared = arms.rows.iter().filter(|row| row.name != "found_alone");
    let compared: Vec<String> = compared.map(row).collect();
    let alone = arms.rows.iter().find(|row| row.name == "found_alone");
    let alone = alone.map(|row| {
        figure(&row.hidden).replace("found_alone", "the share that raters had found alone was")
    });
    format!(
        "With the judge's tags shown from the start ({}) against hidden at first ({}): {}; of the hidden tags {}.",
        count(arms.shown, "item", "items"),
        count(arms.hidden, "item", "items"),
        compared.join("; "),
        alone.unwrap_or_default()
    )
}

/// Three places; what rounds to zero from below is not negative.
fn decimal(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.as_str() {
        "-0.000" => "0.000".to_owned(),
        _ => text,
    }
}

/// A coefficient with its interval, over so many of these.
pub(super) fn statistic(row: &StatRow, words: &str, units: (&str, &str)) -> String {
    let share = row.name.ends_with("agreement");
    let value = |value: f64| {
        if share {
            percent(value)
        } else {
            decimal(value)
        }
    };
    let n = count(row.n_units, units.0, units.1);
    match (row.estimate, row.ci_low.zip(row.ci_high)) {
        (Some(estimate), Some((low, high))) => {
            format!(
                "{words} {} [{}, {}], n = {n}",
                value(estimate),
                value(low),
                value(high),
            )
        }
        (Some(estimate), None) => {
            format!("{words} {} (no interval), n = {n}", value(estimate))
        }
        (None, _) => {
            let why = row.undefined_reason.as_deref().unwrap_or("undefined");
            format!("{words} undefined ({})", why.replace('_', " "))
        }
    }
}

/// A figure of a judge.
pub(super) fn figure(figure: &Figure) -> String {
    let name = if figure.name == "f1" {
        "F1"
    } else {
        &figure.name
    };
    match (figure.estimate, figure.ci) {
        (Some(estimate), Some(ci)) => {
            format!(
                "{name} {} [{}, {}], n = {}",
                percent(estimate),
                percent(ci.low),
                percent(ci.high),
                figure.n
            )
        }
        (Some(estimate), None) => format!(
            "{name} {} (no interval), n = {}",
            percent(estimate),
            figure.n
        ),
        (None, _) => {
            let why = figure.undefined.as_deref().unwrap_or("undefined");
            format!("{name} not reported ({})", why.replace('_', " "))
        }
    }
}

/// What the judge finds in all items.
pub(super) fn corpus(part: &CorpusPart) -> Vec<String> {
    let overall = part.rates.iter().filter(|rate| rate.model.is_empty());
    let rates: Vec<String> = overall
        .map(|rate| {
            let found: Vec<String> = rate.estimates.iter().map(estimate).collect();
            let threshold = rate.threshold;
            format!("a tag of severity {threshold} or more {}", found.join(", "))
        })
        .collect();
    if rates.is_empty() {
        return Vec::new();
    }
    let mut sentences = vec![format!(
        "Of {} with a verdict of the judge ({} excluded): {}.",
        count(part.judged, "item", "items"),
        count(part.failed, "failure", "failures"),
        rates.join("; ")
    )];
    let [clean, hidden] = part.clean_answers;
    if clean > 0 {
        let thresholds = part.rates.iter().map(|rate| rate.threshold);
        let lowest = thresholds.fold(f64::INFINITY, f64::min);
        sentences.push(format!(
            "Of {} whose multiple-choice answer was free of stigma, {hidden} ({}) had a tag in the reasoning as judged, of severity {} or more.",
            count(clean, "item", "items"),
            percent(hidden as f64 / clean as f64),
            shortest(lowest)
        ));
    }
    sentences
}

fn estimate(one: &Estimate) -> String {
    let name = match one.estimator {
        "judged" => "as judged",
        "ppi" => "corrected by PPI++",
        "rogan_gladen" => "corrected by Rogan-Gladen",
        _ => "in the validated sample alone",
    };
    match (one.estimate, one.low.zip(one.high)) {
        (Some(value), Some((low, high))) => format!(
            "{name} {} [{}, {}]",
            percent(value),
            percent(low),
            percent(high)
        ),
        _ => {
            let why = one.undefined.as_deref().unwrap_or("undefined");
            format!("{name} not reported ({})", why.replace('_', " "))
        }
    }
}

/// A measure that the scheme declares, over the final labels.
pub(super) fn measure(row: &ResultRow) -> String {
    let what = row.statistic.replace('_', " ");
    let n = row.n;
    match (row.estimate, row.ci_low.zip(row.ci_high)) {
        (Some(value), Some((low, high))) => {
            let [value, low, high] = [value, low, high].map(decimal);
            format!("{what} {value} [{low}, {high}], n = {n}")
        }
        (Some(value), None) => format!("{what} {} (no interval), n = {n}", decimal(value)),
        (None, _) => format!("{what} not reported (nothing to measure)"),
    }
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        assert_eq!(
            [-0.0004, -0.0006, 0.25].map(decimal),
            ["0.000", "-0.001", "0.250"]
        );
    }
}
