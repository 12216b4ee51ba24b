//! Statistics in words: what each is called, what it says, why it may be missing.

use crate::pages::words;
use domain::scheme::Validity;
use service::agreement::StatRow;

/// What a statistic is called.
pub fn title(name: &str) -> String {
    if let Some(category) = name.strip_prefix("specific_agreement.") {
        let word = match Validity::parse(category) {
            Some(validity) => words::validity(validity),
            None => category,
        };
        return format!("Specific agreement on “{word}”");
    }
    named(name).to_owned()
}

/// What a statistic is called, and when it is the right one.
pub fn statistic(name: &str) -> (&'static str, &'static str) {
    (named(name), when(name))
}

fn named(name: &str) -> &'static str {
    match name {
        "percent_agreement" => "Exact agreement",
        "within1_agreement" => "Agreement within one point",
        "kappa" => "Cohen’s kappa, unweighted",
        "kappa_linear" => "Cohen’s kappa, linear weights",
        "kappa_quadratic" => "Cohen’s kappa, quadratic weights",
        "kappa_max" => "Largest kappa that the margins allow",
        "scott_pi" => "Scott’s pi",
        "fleiss_kappa" => "Fleiss’ kappa",
        "conger_kappa" => "Conger’s kappa",
        "light_kappa" => "Light’s kappa",
        "light_kappa_quadratic" => "Light’s kappa, quadratic weights",
        "alpha_nominal" => "Krippendorff’s alpha, nominal",
        "alpha_ordinal" => "Krippendorff’s alpha, ordinal",
        "alpha_interval" => "Krippendorff’s alpha, interval",
        "alpha_ratio" => "Krippendorff’s alpha, ratio",
        "gwet_ac1" => "Gwet’s AC1",
        "gwet_ac2_linear" => "Gwet’s AC2, linear weights",
        "gwet_ac2_quadratic" => "Gwet’s AC2, quadratic weights",
        "brennan_prediger" => "Brennan and Prediger’s coefficient",
        "brennan_prediger_linear" => "Brennan and Prediger, linear weights",
        "brennan_prediger_quadratic" => "Brennan and Prediger, quadratic weights",
        "pabak" => "PABAK",
        "icc1_1" => "ICC(1,1)",
        "icc2_1" => "ICC(2,1)",
        "icc3_1" => "ICC(3,1)",
        "icc1_k" => "ICC(1,k)",
        "icc2_k" => "ICC(2,k)",
        "icc3_k" => "ICC(3,k)",
        "kendall_tau_b" => "Kendall’s tau-b",
        "spearman" => "Spearman’s rho",
        "mae" => "Mean absolute difference",
        "bias" => "Bias",
        "bland_altman" => "Bland and Altman’s limits of agreement",
        "bowker" => "Bowker’s test of symmetry",
        "stuart_maxwell" => "Stuart and Maxwell’s test of margins",
        "mcnemar" => "McNemar’s test",
        _ => "Other statistic",
    }
}

/// When a statistic is the right one, and what it does not see.
pub fn when(name: &str) -> &'static str {
    match name {
        "kappa_max" => {
            "Beside kappa, where raters use the values unequally often: even perfect care could not exceed it."
        }
        "bland_altman" => {
            "Numbers with a unit: the mean difference, and between which limits 95 % of the differences lie."
        }
        name if name.starts_with("specific_agreement.") => {
            "How often one says this when the other does; for a value that is rare or that matters most."
        }
        _ => service::agreement::advice(name),
    }
}

/// Whether a statistic is a share of the tags and not a coefficient.
pub fn is_share(name: &str) -> bool {
    matches!(name, "percent_agreement" | "within1_agreement")
        || name.starts_with("specific_agreement.")
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

/// A difference with its sign.
pub fn signed(value: f64) -> String {
    let text = coefficient(value);
    if value > 0.0 && text != "0.00" {
        format!("+{text}")
    } else {
        text
    }
}

/// A probability as people read it.
pub fn probability(p: f64) -> String {
    if p < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p:.3}")
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
        "bootstrap_percentile" => "bootstrap over units",
        "wald" => "large-sample formula",
        "limits_of_agreement" => "limits of agreement",
        _ => "formula",
    }
}

/// Why a statistic or its interval is not there.
pub fn undefined(reason: &str) -> &'static str {
    match reason {
        "no_pairs" => "nothing was judged by two raters",
        "no_items" => "there is nothing to compare",
        "no_variation" => "every rating is the same, so agreement beyond chance has no meaning",
        "zero_variance" => "the values that would be compared do not vary",
        "more_than_two_raters" => "defined for two raters; choose “by pair of raters”",
        "not_two_raters" => "defined for two raters",
        "too_few_items" => "more items are needed",
        "interval_not_estimable" => "an interval cannot be estimated from these",
        "bootstrap_running" => "its interval is being resampled",
        "no_interval" => "it has no interval",
        "no_complete_items" => "nothing was judged by every rater",
        "class_absent" => "neither rater used the value",
        "no_discordant_item" => "the raters never differ",
        "singular" => "the raters differ on too few values",
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
        "few_shot" => "an example in the judge’s prompt, so no test of the judge",
        "not_all_in" => "in an item that not every rater has submitted",
        _ => "left out for another reason",
    }
}

#[cfg(test)]
mod tests {
    use super::{coefficient, probability, signed, value};

    #[test]
    fn coefficients_keep_their_sign_and_shares_are_percent() {
        assert_eq!(coefficient(-0.128), "−0.13");
        assert_eq!(coefficient(-0.001), "0.00");
        assert_eq!(coefficient(0.6341), "0.63");
        assert_eq!(value("percent_agreement", 0.8125), "81 %");
        assert_eq!(value("kappa", 1.0), "1.00");
        assert_eq!(
            [signed(0.3), signed(-0.3), signed(0.001)],
            ["+0.30", "−0.30", "0.00"]
        );
        assert_eq!(
            [probability(0.0002), probability(0.0456)],
            ["< 0.001", "0.046"]
        );
    }
}
