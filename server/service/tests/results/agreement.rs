//! Agreement through the whole chain: judgements in, coefficients out, each against a value worked out by hand.

use crate::fixture::{Study, judges, ruling_of, says};
use domain::annotation::Judgement;
use domain::refusal::Refusal;
use domain::role::Role;
use domain::ruling::Outcome;
use domain::scheme::Validity::{Invalid, Valid};
use service::agreement::{
    AgreementQuery, AgreementReport, Facet, Group, Question, Stage, StatRow, report, rows,
};
use service::batch::Round;
use service::desk;
use service::ruling::NewRuling;

/// One item a pair of severities; nothing for a tag that the rater judged without a severity.
pub async fn rated(pairs: &[(Option<f64>, Option<f64>)]) -> Study {
    let mut study = Study::new(2).await;
    for number in 0..pairs.len() {
        study.item(&format!("i{number}"), 1).await;
    }
    study.assign(Round::Main, &[0, 1]).await;
    for (number, (a, b)) in pairs.iter().enumerate() {
        let item = domain::id::ItemId::new(format!("i{number}"));
        for (rater, severity) in [(0, a), (1, b)] {
            let judgement = match severity {
                Some(severity) => says(Valid, *severity),
                None => Judgement {
                    validity: Some(Invalid),
                    ..Judgement::default()
                },
            };
            study.submit(rater, &item, judges(&item, [judgement])).await;
        }
    }
    study
}

pub fn both(a: &[u8], b: &[u8]) -> Vec<(Option<f64>, Option<f64>)> {
    let value = |digit: &u8| (*digit > 0).then(|| f64::from(*digit));
    a.iter().zip(b).map(|(a, b)| (value(a), value(b))).collect()
}

pub async fn ask(study: &Study, stage: Stage, question: Question) -> AgreementReport {
    let query = AgreementQuery {
        stage,
        question,
        facet: Facet::None,
    };
    report(&study.app, &study.coordinator, &study.id, &query)
        .await
        .expect("a report")
}

pub fn stat<'a>(group: &'a Group, name: &str) -> &'a StatRow {
    group
        .stats
        .iter()
        .find(|row| row.name == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

pub fn is(group: &Group, name: &str, expected: f64) {
    let found = stat(group, name)
        .estimate
        .unwrap_or_else(|| panic!("{name} is undefined"));
    assert!(
        (found - expected).abs() < 1e-12,
        "{name}: {found}, expected {expected}"
    );
}

/// Ten units: 7 of 10 equal, all within one. With a = 2,2,2,2,2 and b = 1,3,2,2,2 the table has chance agreement
/// (2 + 6 + 4 + 4 + 4)/100 = 1/5, so kappa = (7/10 - 1/5)/(4/5) = 5/8. The weighted ones follow by the same table.
#[tokio::test]
async fn ten_units_give_the_coefficients_worked_out_by_hand() {
    let study = rated(&both(
        &[1, 2, 3, 4, 5, 1, 2, 3, 4, 5],
        &[1, 2, 3, 4, 4, 2, 2, 3, 5, 5],
    ))
    .await;
    let report = ask(&study, Stage::Raw, Question::Severity).await;
    let all = &report.groups[0];
    is(all, "percent_agreement", 0.7);
    is(all, "within1_agreement", 1.0);
    is(all, "kappa", 5.0 / 8.0);
    is(all, "kappa_linear", 62.0 / 77.0);
    is(all, "kappa_quadratic", 34.0 / 37.0);
    is(all, "alpha_nominal", 34.0 / 53.0);
    is(all, "alpha_ordinal", 1481.0 / 1595.0);
    is(all, "alpha_interval", 682.0 / 739.0);
    for row in all.stats.iter().filter(|row| row.main) {
        let (low, high) = (row.ci_low.expect("a bound"), row.ci_high.expect("a bound"));
        let estimate = row.estimate.expect("an estimate");
        assert!(
            low <= estimate && estimate <= high && !row.method.is_empty(),
            "{}",
            row.name
        );
        assert_eq!((row.n_units, row.n_dropped), (10, 0), "{}", row.name);
    }
    assert_eq!(
        all.confusion[0].counts[0],
        [1, 1, 0, 0, 0],
        "rows are the first rater's"
    );
    assert_eq!(
        (all.confusion[0].row_rater.as_str(), all.far_apart),
        ("A", 0)
    );
    assert_eq!(report.labels, ["1", "2", "3", "4", "5"]);
}

/// Only 1, 2 and 5 occur. On the declared scale 5 is three steps from 2, so quadratic kappa is
/// 1 - (10/6)/(41/9) = 26/41; a table of the observed categories alone would give 2/3.
#[tokio::test]
async fn the_declared_scale_decides_the_distances() {
    let study = rated(&both(&[1, 1, 2, 2, 5, 5], &[1, 2, 2, 2, 5, 2])).await;
    is(
        &ask(&study, Stage::Raw, Question::Severity).await.groups[0],
        "kappa_quadratic",
        26.0 / 41.0,
    );
}

/// Five units of which three have two severities: one filtered set for observed and expected agreement.
#[tokio::test]
async fn dkpro_6_and_disagree_6_units_without_two_values_are_left_out_of_both_terms() {
    let study = rated(&both(&[1, 2, 0, 4, 5], &[1, 2, 3, 0, 4])).await;
    let report = ask(&study, Stage::Raw, Question::Severity).await;
    let all = &report.groups[0];
    is(all, "kappa", 4.0 / 7.0);
    is(all, "kappa_quadratic", 38.0 / 41.0);
    is(all, "alpha_nominal", 8.0 / 13.0);
    is(all, "alpha_ordinal", 94.0 / 99.0);
    let row = stat(all, "kappa");
    assert_eq!((row.n_units, row.n_dropped), (3, 2));
    assert_eq!(row.dropped, [("judged_invalid".to_owned(), 2)]);
}

#[tokio::test]
async fn irr_cac_4_every_statistic_names_the_same_units() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 10).await;
    study.assign(Round::Main, &[0, 1]).await;
    // Eight are rated by both; the first rater finds two of the ten invalid and gives them no severity.
    let a = (0..10_u8).map(|n| {
        if n < 8 {
            says(Valid, f64::from(n % 5 + 1))
        } else {
            Judgement {
                validity: Some(Invalid),
                ..Judgement::default()
            }
        }
    });
    let b = (0..10_u8).map(|n| says(Valid, f64::from(n % 4 + 1)));
    study.submit(0, &item, judges(&item, a)).await;
    study.submit(1, &item, judges(&item, b)).await;
    let report = ask(&study, Stage::Raw, Question::Severity).await;
    assert!(
        report.groups[0]
            .stats
            .iter()
            .filter(|row| row.main)
            .all(|row| (row.n_units, row.n_dropped) == (8, 2))
    );
    assert_eq!((report.n_units, report.n_items), (10, 1));
}

/// A finished only the first item, B only the second.
#[tokio::test]
async fn inception_2219_without_a_shared_item_nothing_is_computed() {
    let mut study = Study::new(2).await;
    let items = [study.item("i", 1).await, study.item("j", 1).await];
    study.assign(Round::Main, &[0, 1]).await;
    for (rater, item) in items.iter().enumerate() {
        study
            .submit(rater, item, judges(item, [says(Valid, 3.0)]))
            .await;
    }
    for question in [Question::Severity, Question::Validity] {
        let report = ask(&study, Stage::Raw, question).await;
        for row in &report.groups[0].stats {
            assert_eq!(
                (row.estimate, row.ci_low, row.n_units, row.n_dropped),
                (None, None, 0, 2),
                "{}",
                row.name
            );
            assert_eq!(
                row.undefined_reason.as_deref(),
                Some("no_pairs"),
                "{}",
                row.name
            );
        }
    }
}

#[tokio::test]
async fn dkpro_19_without_variation_coefficients_are_undefined_and_agreement_is_whole() {
    let study = rated(&both(&[3, 3, 3, 3], &[3, 3, 3, 3])).await;
    for question in [Question::Severity, Question::Validity] {
        let report = ask(&study, Stage::Raw, question).await;
        let all = &report.groups[0];
        is(all, "percent_agreement", 1.0);
        for row in all
            .stats
            .iter()
            .filter(|row| row.main && !row.name.ends_with("_agreement"))
        {
            assert_eq!(
                (row.estimate, row.undefined_reason.as_deref()),
                (None, Some("no_variation")),
                "{}",
                row.name
            );
        }
    }
}

#[tokio::test]
async fn potato_2_8_total_disagreement_is_no_agreement() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 4).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [(); 4].map(|()| says(Valid, 3.0))))
        .await;
    study
        .submit(
            1,
            &item,
            judges(&item, [(); 4].map(|()| says(Invalid, 3.0))),
        )
        .await;
    let report = ask(&study, Stage::Raw, Question::Validity).await;
    is(&report.groups[0], "percent_agreement", 0.0);
    assert_eq!(study.queue(service::unit::QueueState::Work).await.len(), 4);
}

#[tokio::test]
async fn a_ruling_changes_reconciled_agreement_and_never_the_raw_one() {
    let study = rated(&both(&[1, 2, 3, 4, 5], &[1, 2, 3, 4, 1])).await;
    let raw = ask(&study, Stage::Raw, Question::Severity).await;
    let before = ask(&study, Stage::Reconciled, Question::Severity).await;
    assert_eq!(
        stat(&before.groups[0], "kappa").estimate,
        stat(&raw.groups[0], "kappa").estimate
    );
    let settled = NewRuling {
        validity: Some(Valid),
        severity: Some(3.0),
        agreed_by_raters: true,
        ..ruling_of(Outcome::Consensus)
    };
    study
        .rule(&study.coordinator, "i4.1", settled)
        .await
        .expect("ruled");
    assert_eq!(ask(&study, Stage::Raw, Question::Severity).await, raw);
    let after = ask(&study, Stage::Reconciled, Question::Severity).await;
    is(&after.groups[0], "percent_agreement", 1.0);
    // What the ruling rested on changes, so it counts no longer.
    let item = domain::id::ItemId::new("i4");
    study
        .submit_again(0, &item, judges(&item, [says(Valid, 4.0)]))
        .await;
    is(
        &ask(&study, Stage::Reconciled, Question::Severity)
            .await
            .groups[0],
        "percent_agreement",
        0.8,
    );
}

#[tokio::test]
async fn calibration_and_unfinished_items_change_no_value() {
    let mut study = Study::new(2).await;
    let practice = study.item("p", 1).await;
    study.assign(Round::Calibration, &[0, 1]).await;
    study
        .submit(0, &practice, judges(&practice, [says(Valid, 1.0)]))
        .await;
    study
        .submit(1, &practice, judges(&practice, [says(Valid, 5.0)]))
        .await;
    let report = ask(&study, Stage::Raw, Question::Severity).await;
    assert_eq!((report.n_units, report.groups[0].stats[0].n_units), (0, 0));
}

#[tokio::test]
async fn three_raters_are_compared_by_alpha_and_pair_by_pair() {
    let mut study = Study::new(3).await;
    let item = study.item("i", 3).await;
    study.assign(Round::Main, &[0, 1, 2]).await;
    for (rater, severities) in [[1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [2.0, 2.0, 3.0]]
        .into_iter()
        .enumerate()
    {
        study
            .submit(
                rater,
                &item,
                judges(&item, severities.map(|s| says(Valid, s))),
            )
            .await;
    }
    let report = ask(&study, Stage::Raw, Question::Severity).await;
    // Pairs that agree: 1 of 3, 3 of 3, 1 of 3; their mean is 5/9. Values: 1,1,2,2,2,2,3,3,4 of nine.
    is(&report.groups[0], "percent_agreement", 5.0 / 9.0);
    // Observed disagreement 4/9; expected 1 - (2 + 12 + 2)/72 = 7/9, hence alpha = 1 - (4/9)/(7/9) = 3/7.
    is(&report.groups[0], "alpha_nominal", 3.0 / 7.0);
    assert_eq!(stat(&report.groups[0], "kappa").estimate, None);
    let query = AgreementQuery {
        facet: Facet::RaterPair,
        ..AgreementQuery::default()
    };
    let pairs = service::agreement::report(&study.app, &study.coordinator, &study.id, &query)
        .await
        .expect("a report");
    let found: Vec<_> = pairs
        .groups
        .iter()
        .map(|group| {
            (
                group.facet_value.as_str(),
                stat(group, "percent_agreement").estimate,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("A-B", Some(2.0 / 3.0)),
            ("A-C", Some(2.0 / 3.0)),
            ("B-C", Some(1.0 / 3.0))
        ]
    );
}

#[tokio::test]
async fn inception_3809_an_item_that_cannot_be_rated_is_left_out_under_that_reason() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [says(Valid, 3.0)]))
        .await;
    let assignment = study.assignment(1, &item).await;
    let version = desk::open(&study.app, &study.raters[1], &assignment)
        .await
        .expect("open")
        .version;
    desk::cannot_rate(
        &study.app,
        &study.raters[1],
        &assignment,
        version,
        "truncated".into(),
        String::new(),
    )
    .await
    .expect("reported");
    let report = ask(&study, Stage::Raw, Question::Severity).await;
    assert_eq!(
        report.groups[0].stats[0].dropped,
        [("not_ratable".to_owned(), 1)]
    );
}

/// A second annotation that counts for one assignment would enter twice; the database refuses it.
#[tokio::test]
async fn nltk_2302_a_rater_enters_once() {
    let study = rated(&both(&[1, 2], &[1, 3])).await;
    let mut tx = study.app.db.begin().await.expect("a transaction");
    let doubled = sqlx::query(
        "INSERT INTO annotations (id, study_id, assignment_id, item_id, rater_id, version, latest, scheme_version, ratable, \
         not_ratable_reason, nothing_missed, missed_count, comment, submitted_at, content_hash) \
         SELECT id || 'x', study_id, assignment_id, item_id, rater_id, 99, 1, scheme_version, ratable, not_ratable_reason, \
         nothing_missed, missed_count, comment, submitted_at, content_hash FROM annotations WHERE latest = 1",
    )
    .execute(&mut *tx)
    .await;
    let error = store::Error::from(doubled.expect_err("refused"));
    assert!(error.is_unique_violation());
}

#[tokio::test]
async fn the_rows_behind_a_number_say_what_was_used_and_raters_see_none_of_it() {
    let study = rated(&both(&[1, 0], &[2, 3])).await;
    let query = AgreementQuery::default();
    let csv = rows(&study.app, &study.coordinator, &study.id, &query, None)
        .await
        .expect("rows");
    let text = String::from_utf8(csv).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[1].ends_with(",1,2,") && lines[2].ends_with(",,3,judged_invalid"),
        "{lines:?}"
    );
    for result in [
        rows(&study.app, &study.raters[0], &study.id, &query, None)
            .await
            .err(),
        report(&study.app, &study.raters[0], &study.id, &query)
            .await
            .err(),
    ] {
        assert_eq!(
            result.map(|error| error.refusal()),
            Some(Refusal::Forbidden)
        );
    }
    let reader = study.member("reader", Role::Reader).await;
    let seen = report(&study.app, &reader, &study.id, &query)
        .await
        .expect("a report");
    assert!(seen.raters.iter().all(|rater| rater.name.is_none()));
}
