//! The retained set, and the four columns of agreement that come of it.

use crate::fixture::{Study, judges, ruling_of, says};
use domain::id::ItemId;
use domain::retention::Standing;
use domain::role::Role;
use domain::ruling::Outcome;
use domain::scheme::Validity::Valid;
use service::agreement::{AgreementQuery, AgreementReport, Facet, Question, Stage, report};
use service::batch::Round;
use service::export::{self, ExportFile, ExportOptions};
use service::retention::{self, Retention};
use service::ruling::NewRuling;
use service::testing::sign_off;

/// Four items of one tag: 1 and 1, 5 and 5, 3 and 3, and 2 and 4, which is settled at 3.
async fn judged() -> Study {
    let mut study = Study::new(2).await;
    let pairs = [(1.0, 1.0), (5.0, 5.0), (3.0, 3.0), (2.0, 4.0)];
    for number in 0..pairs.len() {
        study.item(&format!("i{number}"), 1).await;
    }
    study.assign(Round::Main, &[0, 1]).await;
    for (number, (a, b)) in pairs.into_iter().enumerate() {
        let item = ItemId::new(format!("i{number}"));
        for (rater, severity) in [(0, a), (1, b)] {
            study
                .submit(rater, &item, judges(&item, [says(Valid, severity)]))
                .await;
        }
    }
    let settled = NewRuling {
        severity: Some(3.0),
        agreed_by_raters: true,
        ..ruling_of(Outcome::Consensus)
    };
    study
        .rule(&study.coordinator, "i3.1", settled)
        .await
        .expect("ruled");
    study
}

async fn exclude(study: &Study, unit: &str) {
    let mut tx = study.app.db.begin().await.expect("a transaction");
    sqlx::query(
        "INSERT INTO exclusions (unit_id, version, latest, study_id, active, reason, note, by_user, at) \
         VALUES ($1, 1, 1, $2, 1, 'persona_artefact', '', 'x', 1)",
    )
    .bind(unit)
    .bind(study.id.as_str())
    .execute(&mut *tx)
    .await
    .expect("excluded");
    tx.commit().await.expect("committed");
}

async fn retained(study: &Study) -> Retention {
    retention::report(
        &study.app,
        &study.coordinator,
        &study.id,
        Question::Severity,
    )
    .await
    .expect("a retained set")
}

async fn all(study: &Study, stage: Stage) -> AgreementReport {
    let query = AgreementQuery {
        stage,
        question: Question::Severity,
        facet: Facet::None,
    };
    report(&study.app, &study.coordinator, &study.id, &query)
        .await
        .expect("a report")
}

/// The share of exactly equal severities, and over how many tags.
fn exact(report: &AgreementReport) -> (Option<f64>, u64) {
    let rows = &report.groups[0].stats;
    let row = rows.iter().find(|row| row.name == "percent_agreement");
    row.map(|row| (row.estimate, row.n_units)).expect("a row")
}

#[tokio::test]
async fn four_columns_say_which_agreement_is_meant() {
    let study = judged().await;
    // Of all four tags three are equal before the ruling; 1 and 1 lies below the scheme's threshold of 2.
    assert_eq!(exact(&all(&study, Stage::Raw).await), (Some(0.75), 4));
    assert_eq!(exact(&all(&study, Stage::Reconciled).await), (Some(1.0), 4));
    let set = retained(&study).await;
    assert_eq!(exact(&set.raw), (Some(2.0 / 3.0), 3));
    assert_eq!(exact(&set.reconciled), (Some(1.0), 3));
    assert_eq!(
        set.standings[..2],
        [(Standing::Retained, 3), (Standing::BelowThreshold, 1)]
    );
    assert_eq!((set.units, set.reasons.len()), (4, 0));
}

#[tokio::test]
async fn an_excluded_unit_leaves_at_once_and_its_reason_is_counted() {
    let study = judged().await;
    assert_eq!(exact(&retained(&study).await.raw).1, 3);
    exclude(&study, "i1.1").await;
    let set = retained(&study).await;
    // Left are 3 and 3, and 2 and 4.
    assert_eq!(exact(&set.raw), (Some(0.5), 2));
    assert_eq!(
        set.reasons,
        [(
            "persona_artefact".to_owned(),
            "Appears only under a therapist persona".to_owned(),
            1
        )]
    );
    assert_eq!(
        exact(&all(&study, Stage::Raw).await),
        (Some(0.75), 4),
        "agreement over all units does not move"
    );
}

#[tokio::test]
async fn tables_say_of_each_unit_where_it_stands_also_in_a_snapshot() {
    let study = judged().await;
    exclude(&study, "i1.1").await;
    sign_off(&study.app, &study.coordinator, &study.id).await;
    for snapshot in [None, Some(1)] {
        let options = ExportOptions {
            snapshot,
            ..ExportOptions::default()
        };
        let read = async |file| {
            let out = export::to_file(&study.app, &study.coordinator, &study.id, file, options)
                .await
                .expect("written");
            std::fs::read_to_string(out.path()).expect("text")
        };
        let labels = read(ExportFile::Labels).await;
        let standing = |unit: &str| {
            let row = labels.lines().find(|row| row.starts_with(unit));
            let mut cells = row.expect("a row").rsplit(',').skip(1);
            let standing = cells.next().map(str::to_owned);
            (cells.next().map(str::to_owned), standing)
        };
        let cells =
            |excluded: &str, standing: &str| (Some(excluded.to_owned()), Some(standing.to_owned()));
        assert_eq!(standing("i0.1"), cells("", "below_threshold"));
        assert_eq!(standing("i1.1"), cells("persona_artefact", "excluded"));
        assert_eq!(standing("i3.1"), cells("", "retained"));
        let agreement = read(ExportFile::Agreement).await;
        let row = "raw,severity,retained,yes,percent_agreement,0.5,";
        assert!(agreement.contains(row), "{snapshot:?}");
    }
}

#[tokio::test]
async fn a_reader_sees_the_retained_set_without_names() {
    let study = judged().await;
    let reader = study.member("reader", Role::Reader).await;
    let seen = retention::report(&study.app, &reader, &study.id, Question::Severity)
        .await
        .expect("a retained set");
    assert!(seen.raw.raters.iter().all(|rater| rater.name.is_none()));
    assert!(!seen.raw.raters.is_empty());
}
