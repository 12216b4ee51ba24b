//! Intervals that are made in the background.

use crate::agreement::{ask, both, rated, stat};
use crate::fixture::{Study, judges, says};
use domain::id::ItemId;
use domain::scheme::Validity::Valid;
use service::agreement::{AgreementQuery, AgreementReport, Cache, Question, Stage, settled};
use std::sync::Arc;

/// A study whose resampling is always left to the background.
async fn patient() -> Study {
    let mut study = rated(&both(&[1, 2, 3, 4, 5, 1, 2, 3], &[1, 2, 3, 4, 4, 2, 2, 3])).await;
    forget(&mut study);
    study
}

/// As after a start of the server: nothing in memory, the database as it was.
fn forget(study: &mut Study) {
    study.app.app.results = Arc::new(Cache::with_limit(0));
}

async fn raw(study: &Study) -> AgreementReport {
    ask(study, Stage::Raw, Question::Severity).await
}

#[tokio::test]
async fn estimates_are_there_at_once_and_intervals_follow() {
    let study = patient().await;
    let first = raw(&study).await;
    assert!(first.resampling.is_running() && first.resampling.total > 0);
    let alpha = stat(&first.groups[0], "alpha_ordinal");
    assert!(alpha.estimate.is_some() && alpha.ci_low.is_none());
    assert_eq!(alpha.undefined_reason.as_deref(), Some("bootstrap_running"));
    let kappa = stat(&first.groups[0], "kappa");
    assert_eq!(
        kappa.method, "wald",
        "the formula's interval serves meanwhile"
    );

    study.app.results.finish().await;
    let second = raw(&study).await;
    assert!(!second.resampling.is_running());
    let alpha = stat(&second.groups[0], "alpha_ordinal");
    assert!(alpha.ci_low < alpha.estimate && alpha.undefined_reason.is_none());
    assert_eq!(
        stat(&second.groups[0], "kappa").method,
        "cluster_bootstrap_percentile"
    );
}

#[tokio::test]
async fn what_was_made_in_the_background_is_what_is_made_at_once() {
    let mut study = patient().await;
    raw(&study).await;
    study.app.results.finish().await;
    let kept = raw(&study).await;
    forget(&mut study);
    study.app.app.results = Arc::new(Cache::default());
    let query = AgreementQuery::default();
    let fresh = rated(&both(&[1, 2, 3, 4, 5, 1, 2, 3], &[1, 2, 3, 4, 4, 2, 2, 3])).await;
    let at_once = settled(&fresh.app, &fresh.coordinator, &fresh.id, &query)
        .await
        .expect("a report");
    assert_eq!(kept.groups, at_once.groups);
}

#[tokio::test]
async fn intervals_outlive_the_process_and_a_changed_rating_makes_new_ones() {
    let mut study = patient().await;
    raw(&study).await;
    study.app.results.finish().await;
    forget(&mut study);
    let kept = raw(&study).await;
    assert!(!kept.resampling.is_running(), "found by its hash");
    // Nothing was reconciled, so the same ratings are behind the reconciled report.
    let reconciled = ask(&study, Stage::Reconciled, Question::Severity).await;
    assert!(!reconciled.resampling.is_running());

    let item = ItemId::new("i0");
    let changed = judges(&item, [says(Valid, 5.0)]);
    study.submit_again(0, &item, changed).await;
    assert!(raw(&study).await.resampling.is_running(), "another hash");
    study.app.results.finish().await;
    let after = raw(&study).await;
    assert!(!after.resampling.is_running());
    assert_ne!(
        stat(&after.groups[0], "alpha_ordinal").ci_low,
        stat(&kept.groups[0], "alpha_ordinal").ci_low
    );
}

#[tokio::test]
async fn a_report_that_must_be_whole_waits_for_nobody() {
    let study = patient().await;
    let query = AgreementQuery::default();
    let whole = settled(&study.app, &study.coordinator, &study.id, &query)
        .await
        .expect("a report");
    assert!(!whole.resampling.is_running());
    assert!(stat(&whole.groups[0], "alpha_ordinal").ci_low.is_some());
    // And it is kept for the next who asks.
    assert!(!raw(&study).await.resampling.is_running());
}
