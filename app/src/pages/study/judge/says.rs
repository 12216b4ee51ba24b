//! Figures of a judge in words.

use crate::pages::words;
use service::validation::{Bounds, CategoryRule, Figure, Rule, SeverityRule};

pub use crate::pages::study::agreement::says::{coefficient, is_share, method};

/// What a figure is called, and what it says in a sentence.
pub fn figure(name: &str) -> (&'static str, &'static str) {
    match name {
        "precision" => ("Precision", "How many of the judge’s tags are right."),
        "recall" => (
            "Recall",
            "How many of the tags that are there the judge found.",
        ),
        "f1" => (
            "F1",
            "The harmonic mean of precision and recall, on the items where both are known.",
        ),
        "bias" => (
            "Bias",
            "The judge’s severity minus the reference’s, on average: above zero it is too severe.",
        ),
        "mae" => (
            "Mean absolute difference",
            "How far apart the two severities lie on average.",
        ),
        "limits_of_agreement" => (
            "Limits of agreement",
            "Bias, and the limits between which 95 % of single differences lie (Bland and Altman).",
        ),
        other => crate::pages::study::agreement::says::statistic(other),
    }
}

/// An estimate or a bound as people read it.
pub fn value(name: &str, value: f64) -> String {
    if is_share(name) || matches!(name, "precision" | "recall" | "f1") {
        format!("{:.1} %", value * 100.0)
    } else {
        coefficient(value)
    }
}

/// The estimate of a figure, or that it is undefined.
pub fn estimate(figure: &Figure) -> String {
    figure.estimate.map_or_else(
        || "undefined".to_owned(),
        |found| value(&figure.name, found),
    )
}

/// Two bounds.
pub fn bounds(name: &str, bounds: &Bounds) -> String {
    format!(
        "{} to {}",
        value(name, bounds.low),
        value(name, bounds.high)
    )
}

/// What an estimate rests on, in a few words.
pub fn counts(figure: &Figure) -> String {
    let tags = |n| words::count(n, "tag", "tags");
    match figure.name.as_str() {
        "precision" => format!("{} of {}", figure.tp.unwrap_or_default(), tags(figure.n)),
        "recall" => format!(
            "{} of {} found",
            figure.tp.unwrap_or_default(),
            tags(figure.n)
        ),
        "f1" => format!(
            "{} right, {} wrong, {} missed",
            figure.tp.unwrap_or_default(),
            figure.fp.unwrap_or_default(),
            figure.fn_.unwrap_or_default()
        ),
        _ => words::count(figure.n, "pair", "pairs"),
    }
}

/// Why a figure is not there.
pub fn undefined(reason: &str) -> &'static str {
    match reason {
        "missed_not_recorded" => {
            "refused: on no item is it on record whether the judge missed anything"
        }
        "severity_missing" => "refused: the judge gave no severity, which this rule needs",
        "nothing_predicted" => "the judge proposed no such tag",
        "no_gold_positive" => "the reference has no such tag",
        "class_absent" => "neither side has such a tag",
        "not_hidden" => "known on hidden items only",
        "resampling" => "its interval is being resampled",
        "arm_empty" => "an arm has none",
        "no_variation" => "no interval: nothing varies",
        "no_pairs" => "no tag has a severity on both sides",
        "too_few_raters" => "it takes two raters at least",
        "too_few_items" => "fewer than 30 tags that two raters and the judge all scored",
        other => crate::pages::study::agreement::says::undefined(other),
    }
}

/// Why tags were left out.
pub fn dropped(reason: &str) -> &'static str {
    match reason {
        "disputed" => "the raters differ and nobody has ruled",
        "single" => "judged by one rater only, so there is no final label",
        "unresolved" => "the raters’ disagreement was left standing",
        "stale" => "the ruling rests on what has changed since",
        "open" => "no rater gave it a value",
        "severity_missing" => "one side gave no severity, which the rule needs",
        "not_reviewed" => {
            "no rater saw these words marked, and nobody wrote down that nothing was missed"
        }
        other => crate::pages::study::agreement::says::dropped(other),
    }
}

/// A rule in words.
pub fn rule(rule: Rule) -> String {
    format!("{}, {}", category(rule.category), severity(rule.severity))
}

/// A rule of categories in words.
pub fn category(rule: CategoryRule) -> &'static str {
    match rule {
        CategoryRule::Exact => "same subcategory",
        CategoryRule::TopLevel => "same category",
        CategoryRule::Any => "any category",
    }
}

/// A rule of severities in words.
pub fn severity(rule: SeverityRule) -> &'static str {
    match rule {
        SeverityRule::Exact => "same severity",
        SeverityRule::WithinHalf => "severity within half a point",
        SeverityRule::WithinOne => "severity within one point",
        SeverityRule::Ignored => "severity ignored",
    }
}

/// A reference in words.
pub fn against(word: &str) -> String {
    match word {
        "final" => "the final labels".into(),
        letter => format!("rater {letter}"),
    }
}
