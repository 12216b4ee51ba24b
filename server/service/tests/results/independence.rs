//! The independence report, and that log and history together say what the labels are.

use crate::fixture::{Study, judges, ruling_of, says};
use domain::id::ItemId;
use domain::independence::Finding;
use domain::ruling::Outcome;
use domain::scheme::Validity::Valid;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use service::batch::Round;
use service::independence::{self, Independence};
use service::round::{self, NewCheck};
use service::ruling::NewRuling;
use service::{desk, snapshot};
use sqlx::Row;
use std::collections::BTreeMap;

const HOUR: i64 = 3_600_000;

async fn report(study: &Study) -> Independence {
    independence::report(&study.app, &study.coordinator, &study.id, 0)
        .await
        .expect("a report")
}

async fn judged() -> (Study, ItemId) {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    for rater in [0, 1] {
        study.app.clock.advance(HOUR);
        let said = judges(&item, [says(Valid, 3.0)]);
        study.submit(rater, &item, said).await;
    }
    (study, item)
}

#[tokio::test]
async fn the_report_tells_when_each_opened_and_submitted_and_that_nothing_was_shown_before() {
    let (study, _) = judged().await;
    let found = report(&study).await;
    assert!(found.chain_whole);
    let item = &found.items[0];
    let start = service::testing::START;
    assert_eq!(
        (item.finding, item.all_in),
        (Finding::Independent, Some(start + 2 * HOUR))
    );
    let times: Vec<_> = item
        .raters
        .iter()
        .map(|r| (r.letter.as_str(), r.opened, r.submitted, r.shown))
        .collect();
    let (first, second) = (Some(start + HOUR), Some(start + 2 * HOUR));
    assert_eq!(
        times,
        [("A", first, first, None), ("B", second, second, None)]
    );
    let csv = independence::csv(&study.app, &study.coordinator, &study.id)
        .await
        .expect("csv");
    assert_eq!(String::from_utf8(csv).expect("text").lines().count(), 3);
}

#[tokio::test]
async fn what_is_shown_after_is_told_and_a_change_after_that_is_no_longer_independent() {
    let (study, item) = judged().await;
    let new = NewCheck {
        name: "Quality".into(),
        per_model: 1,
        seed: Some(1),
    };
    round::create_check(&study.app, &study.coordinator, &study.id, new)
        .await
        .expect("a cross-check");
    study.app.clock.advance(HOUR);
    let checks = round::my_checks(&study.app, &study.raters[0]).await;
    let next = checks.expect("checks").remove(0).next.expect("a review");
    round::review(&study.app, &study.raters[0], &next)
        .await
        .expect("shown");
    let found = report(&study).await;
    assert_eq!(found.items[0].finding, Finding::Independent);
    let a = &found.items[0].raters[0];
    assert_eq!(
        (a.shown, a.shown_in.as_str()),
        (Some(service::testing::START + 3 * HOUR), "cross_check")
    );
    study.app.clock.advance(HOUR);
    study
        .submit_again(0, &item, judges(&item, [says(Valid, 5.0)]))
        .await;
    assert_eq!(report(&study).await.items[0].finding, Finding::ChangedAfter);
}

#[tokio::test]
async fn a_judgement_that_the_log_does_not_know_is_found() {
    let (study, item) = judged().await;
    let assignment = study.assignment(0, &item).await;
    let mut tx = study.app.db.begin().await.expect("a transaction");
    sqlx::query("UPDATE audit SET action = 'annotation.write.save' WHERE action = 'annotation.write.submit' AND subject = $1")
        .bind(assignment.as_str())
        .execute(&mut *tx)
        .await
        .expect("tampered");
    tx.commit().await.expect("committed");
    let found = report(&study).await;
    assert_eq!(found.items[0].finding, Finding::Unlogged);
    assert!(!found.chain_whole, "and the chain does not hold either");
}

/// What a replay knows of a unit: each rater's severity, and the ruling with what it rested on.
#[derive(Default)]
struct Replayed {
    said: BTreeMap<String, f64>,
    ruling: Option<(f64, BTreeMap<String, f64>)>,
}

impl Replayed {
    /// The final severity and how it came about, by the rules of the manual: a ruling while what it rests on stands,
    /// else the mean of two severities at most one point apart.
    fn label(&self) -> (&'static str, Option<f64>) {
        match &self.ruling {
            Some((value, rests_on)) if *rests_on == self.said => ("consensus", Some(*value)),
            Some(_) => ("stale", None),
            None if self.said.len() < 2 => ("open", None),
            None => {
                let values: Vec<f64> = self.said.values().copied().collect();
                if (values[0] - values[1]).abs() > 1.0 {
                    ("disputed", None)
                } else {
                    ("agreed", Some(f64::midpoint(values[0], values[1])))
                }
            }
        }
    }
}

/// Reads the log from its first row and plays what it tells on the history of annotations and rulings.
async fn replay(study: &Study) -> BTreeMap<String, Replayed> {
    let mut db = study.app.db.read().await.expect("a connection");
    let log =
        sqlx::query("SELECT action, subject, details FROM audit WHERE study_id = $1 ORDER BY seq")
            .bind(study.id.as_str())
            .fetch_all(&mut *db)
            .await
            .expect("the log");
    let (mut units, mut versions) = (BTreeMap::<String, Replayed>::new(), BTreeMap::new());
    for row in &log {
        let (action, subject): (String, String) = (row.get(0), row.get(1));
        match action.as_str() {
            "annotation.write.submit" => {
                let version: &mut i64 = versions.entry(subject.clone()).or_default();
                *version += 1;
                let said = sqlx::query(
                    "SELECT a.rater_id, j.candidate_id, j.severity FROM annotations a \
                     JOIN judgements j ON j.annotation_id = a.id WHERE a.assignment_id = $1 AND a.version = $2",
                )
                .bind(&subject)
                .bind(*version)
                .fetch_all(&mut *db)
                .await
                .expect("history");
                assert!(
                    !said.is_empty(),
                    "the log tells of a version that is not there"
                );
                for row in &said {
                    let unit = units.entry(row.get(1)).or_default();
                    unit.said.insert(row.get(0), row.get(2));
                }
            }
            "ruling.write.record" => {
                let details: serde_json::Value =
                    serde_json::from_str(&row.get::<String, _>(2)).expect("JSON");
                let ruling =
                    sqlx::query("SELECT severity FROM rulings WHERE unit_id = $1 AND version = $2")
                        .bind(&subject)
                        .bind(details["version"].as_i64().expect("a version"))
                        .fetch_one(&mut *db)
                        .await
                        .expect("history");
                let unit = units.entry(subject).or_default();
                unit.ruling = Some((ruling.get(0), unit.said.clone()));
            }
            _ => {}
        }
    }
    units
}

/// One step that somebody takes: submitting, submitting again, or ruling where that is possible.
async fn step(study: &Study, random: &mut ChaCha8Rng) {
    let mut below = |bound: u64| random.next_u64() % bound;
    let item = ItemId::new(format!("i{}", below(3)));
    let rater = below(2) as usize;
    let (one, other) = (1.0 + below(5) as f64, 1.0 + below(5) as f64);
    let settled = 1.0 + below(9) as f64 / 2.0;
    if below(3) == 0 {
        let settle = NewRuling {
            severity: Some(settled),
            agreed_by_raters: true,
            ..ruling_of(Outcome::Consensus)
        };
        // Refused before all are in; then nothing must have happened.
        if all_in(study, &item).await {
            study
                .rule(&study.coordinator, &format!("{item}.1"), settle)
                .await
                .expect("ruled");
        }
        return;
    }
    let said = judges(&item, [says(Valid, one), says(Valid, other)]);
    let assignment = study.assignment(rater, &item).await;
    let view = desk::open(&study.app, &study.raters[rater], &assignment)
        .await
        .expect("open");
    if view.submitted_at.is_some() {
        study.submit_again(rater, &item, said).await;
    } else {
        study.submit(rater, &item, said).await;
    }
}

async fn all_in(study: &Study, item: &ItemId) -> bool {
    let mut db = study.app.db.read().await.expect("a connection");
    store::unit::all_in(&mut db, item).await.expect("asked")
}

#[tokio::test]
async fn replaying_log_and_history_rebuilds_the_final_labels() {
    for seed in 0..12 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut study = Study::new(2).await;
        for number in 0..3 {
            study.item(&format!("i{number}"), 2).await;
        }
        study.assign(Round::Main, &[0, 1]).await;
        for _ in 0..14 {
            study.app.clock.advance(1);
            step(&study, &mut random).await;
        }
        let labels = snapshot::labels(&study.app, &study.coordinator, &study.id, None)
            .await
            .expect("labels");
        let stored: BTreeMap<String, (String, Option<f64>)> = labels
            .labels
            .into_iter()
            .map(|label| {
                let unit = label.unit_id.as_str().to_owned();
                (unit, (label.outcome, label.final_severity))
            })
            .collect();
        let replayed: BTreeMap<String, (String, Option<f64>)> = replay(&study)
            .await
            .into_iter()
            .map(|(unit, replayed)| {
                let (outcome, severity) = replayed.label();
                (unit, (outcome.to_owned(), severity))
            })
            .collect();
        assert_eq!(stored, replayed, "seed {seed}");
    }
}
