//! Statistics in words: what each is called, what it says, why it may be missing.

use service::agreement::StatRow;

/// What a statistic is called, and what it says in a sentence.
pub fn statistic(name: &str) -> (&'static str, &'static str) {
    match name {
        "percent_agreement" => (
            "Exact agreement",
            "How often both gave exactly the same answer. Chance is not taken out.",
        ),
        "within1_agreement" => (
            "Agreement within one point",
            "How often the two severities are at most one point apart.",
        ),
        "kappa" => (
            "Cohen’s kappa, unweighted",
            "Agreement beyond chance; every difference counts the same.",
        ),
        "kappa_linear" => (
            "Cohen’s kappa, linear weights",
            "Agreement beyond chance; two points apart count twice one point.",
        ),
        "kappa_quadratic" => (
            "Cohen’s kappa, quadratic weights",
            "Agreement beyond chance; two points apart count four times one point.",
        ),
        "alpha_nominal" => (
            "Krippendorff’s alpha, nominal",
            "Agreement beyond chance, for any number of raters; every difference counts the same.",
        ),
        "alpha_ordinal" => (
            "Krippendorff’s alpha, ordinal",
            "Agreement beyond chance, for any number of raters; the order of the levels counts.",
        ),
        "alpha_interval" => (
            "Krippendorff’s alpha, interval",
            "Agreement beyond chance, for any number of raters; the distance between numbers counts.",
        ),
        _ => ("Other statistic", ""),
    }
}

/// Whether a statistic is a share of the tags and not a coefficient.
pub fn is_share(name: &str) -> bool {
    matches!(name, "percent_agreement" | "within1_agreement")
}

/// An estimate or bound as people read it.
pub fn value(name: &str, value: f64) -> String {
    if is_share(name) {
        format!("{:.0} %", value * 100.0)
    } else {
        coefficient(value)
    }
}

/// A coefficient to two places; values below zero as they are.
pub fn coefficient(value: f64) -> String {
    let text = format!("{value:.2}");
    // A value that rounds to zero from below is not shown as negative.
    if text == "-0.00" {
        "0.00".into()
    } else {
        text.replace('-', "−")
    }
}

/// The interval of a row; nothing when it has none.
pub fn interval(row: &StatRow) -> Option<String> {
    let (low, high) = row.ci_low.zip(row.ci_high)?;
    Some(format!(
        "{} to {}",
        value(&row.name, low),
        value(&row.name, high)
    ))
}

/// How an interval was made.
pub fn method(code: &str) -> &'static str {
    match code {
        "" => "no interval",
        "wilson" => "Wilson",
        "cluster_bootstrap_percentile" => "bootstrap over items",
        "cluster_bootstrap_bca" => "bootstrap over items, bias-corrected",
        "bootstrap_percentile" => "bootstrap over tags",
        "wald" => "large-sample formula",
        _ => "formula",
    }
}

/// Why a statistic or its interval is not there.
pub fn undefined(reason: &str) -> &'static str {
    match reason {
        "no_pairs" => "no tag was judged by two raters",
        "no_items" => "there are no tags",
        "no_variation" => "every rating is the same, so agreement beyond chance has no meaning",
        "zero_variance" => "the values that would be compared do not vary",
        "more_than_two_raters" => "defined for two raters; choose “by pair of raters”",
        "not_two_raters" => "defined for two raters",
        "too_few_items" => "more items are needed",
        "interval_not_estimable" => "an interval cannot be estimated from these",
        "single_category" => "the scale has one category",
        "constant_rater" => "one rater used a single category",
        _ => "cannot be computed from these",
    }
}

/// Why tags were left out.
pub fn dropped(reason: &str) -> &'static str {
    match reason {
        "rated_once" => "judged by one rater only so far",
        "not_rated" => "not judged by anybody yet",
        "judged_invalid" => "found invalid by a rater, so there is no severity to compare",
        "not_ratable" => "in an item that a rater could not rate",
        "not_all_in" => "in an item that not every rater has submitted",
        _ => "left out for another reason",
    }
}

#[cfg(test)]
mod tests {
    use super::{coefficient, value};

    #[test]
    fn coefficients_keep_their_sign_and_shares_are_percent() {
        assert_eq!(coefficient(-0.128), "−0.13");
        assert_eq!(coefficient(-0.001), "0.00");
        assert_eq!(coefficient(0.6341), "0.63");
        assert_eq!(value("percent_agreement", 0.8125), "81 %");
        assert_eq!(value("kappa", 1.0), "1.00");
    }
}
