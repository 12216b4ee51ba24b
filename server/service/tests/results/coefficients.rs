//! The whole set of coefficients, against values worked out by hand.

use crate::agreement::{ask, both, is, rated, stat};
use crate::fixture::{Study, judges, says};
use domain::scheme::Validity::Valid;
use service::agreement::{AgreementQuery, Facet, Question, Stage, report, rows};
use service::batch::Round;

/// The ten units of the table below: a uses each level twice, b uses 1 once and 2 three times.
async fn ten() -> Study {
    rated(&both(
        &[1, 2, 3, 4, 5, 1, 2, 3, 4, 5],
        &[1, 2, 3, 4, 4, 2, 2, 3, 5, 5],
    ))
    .await
}

/// Margins a 2,2,2,2,2 and b 1,3,2,2,2; observed agreement 7/10, chance 1/5, pooled chance 82/400.
#[tokio::test]
async fn two_raters_get_every_coefficient_that_fits_severity() {
    let study = ten().await;
    let report = ask(&study, Stage::Raw, Question::Severity).await;
    let all = &report.groups[0];
    is(all, "scott_pi", 33.0 / 53.0);
    is(all, "fleiss_kappa", 33.0 / 53.0);
    is(all, "conger_kappa", 5.0 / 8.0);
    is(all, "brennan_prediger", 5.0 / 8.0);
    is(all, "mae", 0.3);
    is(all, "bias", 0.1);
    // At most 1 + 2 + 2 + 2 + 2 of ten could agree with these margins: (9/10 - 1/5)/(4/5).
    is(all, "kappa_max", 7.0 / 8.0);
    // Both say 2 twice, a says it twice and b three times.
    is(all, "specific_agreement.2", 4.0 / 5.0);
    // Differences: seven 0, two +1, one -1; their variance is (3 - 10 * 0.01)/9.
    let limits = stat(all, "bland_altman");
    let half = 1.96 * (2.9_f64 / 9.0).sqrt();
    assert!((limits.ci_high.expect("a limit") - (0.1 + half)).abs() < 1e-12);
    for name in [
        "alpha_ratio",
        "gwet_ac1",
        "gwet_ac2_quadratic",
        "icc2_1",
        "icc3_k",
        "kendall_tau_b",
        "spearman",
    ] {
        assert!(stat(all, name).estimate.is_some(), "{name}");
    }
    let kappa = stat(all, "kappa_quadratic");
    assert!(kappa.se.is_some() && kappa.se0.is_some() && kappa.p.is_some());
    // Off the diagonal: 1-2 once, 4-5 once, 5-4 once. Bowker: 1/1 + 0/2 on two pairs.
    let bowker = &all.pairs[0].tests[0];
    assert_eq!(
        (bowker.name.as_str(), bowker.chi2, bowker.df),
        ("bowker", Some(1.0), 2)
    );
}

#[tokio::test]
async fn validity_has_no_order_and_so_no_coefficient_that_needs_one() {
    let study = ten().await;
    let report = ask(&study, Stage::Raw, Question::Validity).await;
    let names: Vec<&str> = report.groups[0]
        .stats
        .iter()
        .map(|row| row.name.as_str())
        .collect();
    assert!(names.contains(&"gwet_ac1") && names.contains(&"specific_agreement.valid"));
    for name in [
        "alpha_ordinal",
        "kappa_linear",
        "icc1_1",
        "bias",
        "bland_altman",
    ] {
        assert!(!names.contains(&name), "{name}");
    }
}

#[tokio::test]
async fn three_raters_are_laid_out_pair_by_pair() {
    let mut study = Study::new(3).await;
    let item = study.item("i", 3).await;
    study.assign(Round::Main, &[0, 1, 2]).await;
    for (rater, severities) in [[1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [2.0, 2.0, 3.0]]
        .into_iter()
        .enumerate()
    {
        let judged = judges(&item, severities.map(|s| says(Valid, s)));
        study.submit(rater, &item, judged).await;
    }
    let report = ask(&study, Stage::Raw, Question::Severity).await;
    let group = &report.groups[0];
    let pairs: Vec<_> = group
        .pairs
        .iter()
        .map(|pair| (pair.first.as_str(), pair.second.as_str(), pair.percent))
        .collect();
    assert_eq!(
        pairs,
        [
            ("A", "B", Some(2.0 / 3.0)),
            ("A", "C", Some(2.0 / 3.0)),
            ("B", "C", Some(1.0 / 3.0))
        ]
    );
    // Kappas 1 - (1/3)/(7/9), 1 - (1/3)/(6/9), 1 - (2/3)/(7/9): 4/7, 1/2, 1/7.
    is(group, "light_kappa", (4.0 / 7.0 + 0.5 + 1.0 / 7.0) / 3.0);
    let of_two = stat(group, "kappa");
    assert_eq!(
        of_two.undefined_reason.as_deref(),
        Some("more_than_two_raters")
    );
}

#[tokio::test]
async fn what_waits_for_a_rater_is_counted_under_its_facet() {
    let mut study = Study::new(2).await;
    let items = [study.item("i", 2).await, study.item("j", 3).await];
    study.assign(Round::Main, &[0, 1]).await;
    for rater in [0, 1] {
        let judged = judges(&items[0], [1.0, 2.0].map(|s| says(Valid, s)));
        study.submit(rater, &items[0], judged).await;
    }
    let judged = judges(&items[1], [1.0; 3].map(|s| says(Valid, s)));
    study.submit(0, &items[1], judged).await;
    for facet in [Facet::None, Facet::Category, Facet::Condition, Facet::Model] {
        let query = AgreementQuery {
            facet,
            ..AgreementQuery::default()
        };
        let report = report(&study.app, &study.coordinator, &study.id, &query)
            .await
            .expect("a report");
        assert_eq!(
            (report.n_items, report.n_units, report.groups.len()),
            (2, 5, 1)
        );
        let row = &report.groups[0].stats[0];
        assert_eq!(
            (row.n_units, &*row.dropped),
            (2, &[("not_rated".to_owned(), 3)][..])
        );
    }
}

#[tokio::test]
async fn the_rows_behind_a_part_are_those_of_that_part() {
    let study = ten().await;
    let lines = async |facet, value| {
        let query = AgreementQuery {
            facet,
            ..AgreementQuery::default()
        };
        let csv = rows(&study.app, &study.coordinator, &study.id, &query, value)
            .await
            .expect("rows");
        String::from_utf8(csv).expect("text").lines().count() - 1
    };
    assert_eq!(lines(Facet::None, None).await, 10);
    assert_eq!(lines(Facet::Category, Some("1")).await, 10);
    assert_eq!(lines(Facet::Category, Some("2")).await, 0);
    assert_eq!(lines(Facet::Model, Some("model-1")).await, 10);
    assert_eq!(lines(Facet::RaterPair, Some("A-B")).await, 10);
    assert_eq!(lines(Facet::RaterPair, Some("A-C")).await, 0);
}
