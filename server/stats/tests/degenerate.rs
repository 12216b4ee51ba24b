//! Degenerate input: every undefined figure has its named reason, and nothing is NaN.
#![expect(clippy::float_cmp, reason = "these figures are exact")]

mod support;

use stats::alpha::{Metric, alpha};
use stats::icc::{Form, icc};
use stats::{
    Coefficient, Estimate, Ratings, Reason, Scale, Statistic, Value, Weights, agreement,
    brennan_prediger, conger, fleiss, gwet, kappa, light, percent, rank,
};
use support::{digits, table};

#[track_caller]
fn undefined(statistic: &Statistic, reason: Reason) {
    assert_eq!(statistic.as_ref().map_err(|u| u.reason), Err(reason));
}

fn plain(ratings: &Ratings) -> Statistic {
    kappa::kappa(ratings, [0, 1], &Weights::Identity)
}

#[test]
fn all_ratings_equal() {
    let ratings = digits(1..=5, "33 33 33 33");
    for name in [
        "kappa",
        "kappa_linear",
        "kappa_quadratic",
        "scott_pi",
        "fleiss_kappa",
        "conger_kappa",
        "alpha_nominal",
        "alpha_ordinal",
        "alpha_interval",
        "alpha_ratio",
        "kendall_tau_b",
        "spearman",
        "icc1_1",
        "icc2_k",
    ] {
        undefined(
            &name.parse::<Coefficient>().unwrap().compute(&ratings),
            Reason::NoVariation,
        );
    }
    let agreement = percent::agreement(&ratings).unwrap();
    assert_eq!(agreement.value, 1.0);
    assert_eq!(agreement.ci.unwrap().high, 1.0);
    // chance agreement of these does not come from the data
    assert_eq!(gwet::ac(&ratings, &Weights::Identity).unwrap().value, 1.0);
    assert_eq!(
        brennan_prediger::coefficient(&ratings, &Weights::Quadratic)
            .unwrap()
            .value,
        1.0
    );
}

#[test]
fn one_rater_constant() {
    let ratings = digits(1..=5, "11 11 12 13 15");
    let estimate = plain(&ratings).unwrap();
    assert_eq!(estimate.value, 0.0);
    assert_eq!(
        (estimate.se, estimate.se0, estimate.z, estimate.p),
        (None, None, None, None)
    );
    assert_eq!(estimate.ci, Err(Reason::ConstantRater));
    undefined(&rank::kendall_tau_b(&ratings, [0, 1]), Reason::ZeroVariance);
    undefined(&rank::spearman(&ratings, [0, 1]), Reason::ZeroVariance);
}

#[test]
fn perfect_agreement_has_no_interval() {
    let ratings = digits(1..=3, "11 22 33 11");
    for weights in [Weights::Identity, Weights::Linear, Weights::Quadratic] {
        let estimate = kappa::kappa(&ratings, [0, 1], &weights).unwrap();
        assert_eq!((estimate.value, estimate.se), (1.0, Some(0.0)));
        assert_eq!(estimate.ci, Err(Reason::PerfectAgreement));
        assert!(estimate.z.unwrap() > 1.0);
    }
    assert_eq!(
        gwet::ac(&ratings, &Weights::Identity).unwrap().ci,
        Err(Reason::PerfectAgreement)
    );
    assert_eq!(
        icc(&ratings, Form::OneSingle).unwrap().ci,
        Err(Reason::PerfectAgreement)
    );
}

#[test]
fn complete_disagreement_has_no_interval() {
    let estimate = plain(&digits(1..=2, "12 21 12 21")).unwrap();
    assert_eq!((estimate.value, estimate.se), (-1.0, Some(0.0)));
    assert_eq!(estimate.ci, Err(Reason::ZeroStandardError));
}

#[test]
fn one_item() {
    let agreed = digits(1..=5, "44");
    undefined(&plain(&agreed), Reason::NoVariation);
    undefined(&icc(&agreed, Form::OneSingle), Reason::TooFewItems);
    let split = digits(1..=5, "45");
    assert_eq!(plain(&split).unwrap().value, 0.0);
    assert_eq!(plain(&split).unwrap().se, None);
    assert_eq!(alpha(&split, Metric::Nominal).unwrap().value, 0.0);
    assert_eq!(
        gwet::ac(&split, &Weights::Identity).unwrap().ci,
        Err(Reason::TooFewItems)
    );
}

#[test]
fn nothing_in_common() {
    let ratings = digits(1..=5, "1. 2. .3 .4");
    for coefficient in agreement::fitting(&ratings, Scale::Ratio) {
        let reason = if matches!(coefficient, Coefficient::Icc(_)) {
            Reason::NoCompleteItems
        } else {
            Reason::NoPairs
        };
        undefined(&coefficient.compute(&ratings), reason);
    }
}

#[test]
fn third_rater_bridges() {
    let ratings = digits(1..=5, "1.1 2.3 3.3 4.4 .55 .21 .33 .12");
    undefined(&plain(&ratings), Reason::NoPairs);
    assert!(alpha(&ratings, Metric::Nominal).is_ok());
    assert_eq!(
        light::kappa(&ratings, &Weights::Identity).unwrap().n_units,
        2
    );
}

#[test]
fn rater_without_ratings() {
    let ratings = digits(1..=5, "11. 22. 31. 33.");
    undefined(&conger::kappa(&ratings), Reason::EmptyRater);
    undefined(
        &kappa::kappa(&ratings, [0, 2], &Weights::Identity),
        Reason::NoPairs,
    );
    let without = digits(1..=5, "11 22 31 33");
    let value = |ratings| fleiss::kappa(ratings).map(|e: Estimate| e.value);
    assert_eq!(value(&ratings), value(&without));
}

#[test]
fn no_items() {
    let ratings = Ratings::from_numbers(&[1.0, 2.0], &[]).unwrap();
    for named in agreement::report(&ratings, Scale::Ratio) {
        assert!(named.statistic.is_err(), "{}", named.coefficient.name());
    }
}

#[test]
fn rows_without_ratings_change_nothing_but_the_count() {
    let full = digits(1..=3, "112 223 331 11. 2.2");
    let padded = digits(1..=3, "112 ... 223 331 ... 11. 2.2");
    for coefficient in agreement::fitting(&full, Scale::Ratio) {
        let (a, b) = (coefficient.compute(&full), coefficient.compute(&padded));
        match (a, b) {
            (Ok(a), Ok(b)) => assert_eq!(
                (a.value, a.se, a.ci),
                (b.value, b.se, b.ci),
                "{}",
                coefficient.name()
            ),
            (a, b) => assert_eq!(a.is_err(), b.is_err()),
        }
    }
    assert_eq!(padded.n_items(), 7);
}

#[test]
fn words_where_numbers_are_needed() {
    let ratings = table(
        &["low", "mid", "high"],
        &[&[3, 1, 0], &[1, 3, 1], &[0, 1, 3]],
    );
    undefined(&alpha(&ratings, Metric::Interval), Reason::NotNumeric);
    undefined(&alpha(&ratings, Metric::Ratio), Reason::NotNumeric);
    undefined(&icc(&ratings, Form::TwoSingle), Reason::NotNumeric);
    undefined(&Coefficient::Mae.compute(&ratings), Reason::NotNumeric);
    assert!(alpha(&ratings, Metric::Ordinal).is_ok());
}

#[test]
fn negative_values_on_a_ratio_scale() {
    let ratings = Ratings::from_numbers(
        &[-1.0, 0.0, 1.0],
        &[vec![Some(-1.0), Some(1.0)], vec![Some(0.0), Some(0.0)]],
    )
    .unwrap();
    undefined(&alpha(&ratings, Metric::Ratio), Reason::NegativeValue);
}

#[test]
fn one_declared_category() {
    let ratings = Ratings::from_words(&["yes"], &[vec![Some("yes"), Some("yes")]]).unwrap();
    undefined(
        &gwet::ac(&ratings, &Weights::Identity),
        Reason::SingleCategory,
    );
    undefined(
        &brennan_prediger::coefficient(&ratings, &Weights::Identity),
        Reason::SingleCategory,
    );
    undefined(&brennan_prediger::pabak(&ratings), Reason::NotBinary);
}

#[test]
fn weights_that_do_not_fit() {
    let ratings = digits(1..=3, "11 23");
    let two = Weights::custom(vec![vec![1.0, 0.0], vec![0.0, 1.0]]).unwrap();
    undefined(
        &kappa::kappa(&ratings, [0, 1], &two),
        Reason::WeightsMismatch,
    );
}

/// Tags that look like missing values are tags.
#[test]
fn na_and_none_are_categories() {
    let ratings = Ratings::from_words(
        &["none", "NA", "mood"],
        &[
            vec![Some("NA"), Some("NA")],
            vec![Some("none"), Some("mood")],
        ],
    )
    .unwrap();
    assert_eq!(ratings.n_missing(), 0);
    assert_eq!(percent::agreement(&ratings).unwrap().value, 0.5);
}

/// Text sorting would put 10 between 1 and 2 and call 3 and 3.0 different.
#[test]
fn numbers_written_as_text() {
    let cell = |text: &str| Some(Value::from(text));
    let rows = [
        vec![cell("10"), cell("9")],
        vec![cell("3"), cell("3.0")],
        vec![Some(3.0.into()), cell(" 3 ")],
    ];
    let ratings = Ratings::from_values(None, &rows).unwrap();
    assert_eq!(ratings.categories().labels(), ["3", "9", "10"]);
    assert_eq!(percent::within_one(&ratings, [0, 1]).unwrap().value, 1.0);
}
