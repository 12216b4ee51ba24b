//! Sign-off: what it refuses, what it freezes, and that a frozen label stays what it was.

use crate::fixture::{Study, judges, misses, ruling_of, says, tag};
use domain::id::ItemId;
use domain::refusal::Refusal;
use domain::retention::Standing;
use domain::ruling::Outcome;
use domain::scheme::Validity::{Invalid, Valid};
use domain::snapshot::LeftOut;
use domain::study::StudyState;
use service::batch::Round;
use service::export::{self, ExportFile, ExportOptions};
use service::ruling::NewRuling;
use service::snapshot::{self, Group, SignOff, SnapshotRow};
use service::testing::sign_off;
use service::{check, study};
use sha2::{Digest, Sha256};
use std::io::Read;

/// Two raters, three tags: one agreed at 3, one they differ on, one both call wrong; and an item with a missed tag.
async fn judged() -> (Study, ItemId) {
    let mut study = Study::new(2).await;
    let (item, other) = (study.item("i", 3).await, study.item("j", 0).await);
    study.assign(Round::Main, &[0, 1]).await;
    for (rater, severity) in [(0, 1.0), (1, 5.0)] {
        let said = [says(Valid, 3.0), says(Valid, severity), says(Invalid, 1.0)];
        study.submit(rater, &item, judges(&item, said)).await;
        let found = [tag(&format!("t{rater}"), "1.1", (0, 9), 2.0)];
        study.submit(rater, &other, misses(found)).await;
    }
    (study, item)
}

async fn settle(study: &Study, severity: f64) {
    let settled = NewRuling {
        severity: Some(severity),
        agreed_by_raters: true,
        ..ruling_of(Outcome::Consensus)
    };
    study
        .rule(&study.coordinator, "i.2", settled)
        .await
        .expect("ruled");
}

fn signed(name: &str) -> SignOff {
    SignOff {
        name: name.into(),
        ..SignOff::default()
    }
}

async fn sign(study: &Study, new: SignOff) -> Result<SnapshotRow, Refusal> {
    snapshot::sign_off(&study.app, &study.coordinator, &study.id, new)
        .await
        .map_err(|error| error.refusal())
}

async fn reopen(study: &Study) {
    study::set_state(
        &study.app,
        &study.coordinator,
        &study.id,
        StudyState::Reconciling,
        "a rater found a slip",
    )
    .await
    .expect("reopened");
}

async fn content(study: &Study, number: i64) -> Vec<u8> {
    let file = snapshot::content(&study.app, &study.coordinator, &study.id, number)
        .await
        .expect("content");
    let mut bytes = Vec::new();
    file.reopen()
        .expect("open")
        .read_to_end(&mut bytes)
        .expect("read");
    bytes
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Every table of an export, by name.
async fn tables(study: &Study, number: Option<i64>) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ExportOptions {
        snapshot: number,
        ..ExportOptions::default()
    };
    export::write_dir(
        &study.app,
        &study.coordinator,
        &study.id,
        folder.path(),
        options,
    )
    .await
    .expect("written");
    let mut files: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), std::fs::read(&path).expect("read"))
        })
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn what_is_not_settled_stands_in_the_way_until_it_is_left_out_with_a_reason() {
    let (study, _) = judged().await;
    let ready = snapshot::readiness(&study.app, &study.coordinator, &study.id)
        .await
        .expect("readable");
    let waiting: Vec<_> = ready
        .unsettled
        .iter()
        .map(|row| (row.unit.as_str(), row.state.as_str()))
        .collect();
    assert_eq!(waiting, [("i.2", "disputed")]);
    assert_eq!(
        sign(&study, signed("Dr Lind")).await,
        Err(Refusal::UnitsOpen)
    );
    let leave = |unit: &str, reason: &str| SignOff {
        left_out: vec![LeftOut {
            unit: unit.into(),
            reason: reason.into(),
        }],
        basis: ready.basis.clone(),
        ..signed("Dr Lind")
    };
    assert_eq!(
        sign(&study, leave("i.2", " ")).await,
        Err(Refusal::ReasonNeeded)
    );
    assert_eq!(
        sign(&study, leave("i.1", "agreed, but disliked")).await,
        Err(Refusal::Conflict),
        "what is settled is no exclusion"
    );
    let unseen = SignOff {
        basis: "of another day".into(),
        ..leave("i.2", "no time")
    };
    assert_eq!(sign(&study, unseen).await, Err(Refusal::Conflict));
    assert_eq!(
        sign(
            &study,
            SignOff {
                name: " ".into(),
                ..leave("i.2", "no time")
            }
        )
        .await,
        Err(Refusal::NameInvalid)
    );
    let made = sign(&study, leave("i.2", "no time")).await.expect("signed");
    assert_eq!((made.named.number, made.labels), (1, 4));
    let view = snapshot::get(&study.app, &study.coordinator, &study.id, 1)
        .await
        .expect("a snapshot");
    assert_eq!(
        view.manifest["left_out"],
        serde_json::json!([{"unit": "i.2", "reason": "no time"}])
    );
    assert_eq!(view.row.attested_as, "Dr Lind");
    assert_eq!(
        sign(&study, signed("Dr Lind")).await,
        Err(Refusal::StateStep),
        "not twice"
    );
}

#[tokio::test]
async fn an_item_that_a_rater_has_not_finished_stands_in_the_way() {
    let mut study = Study::new(2).await;
    let (tagged, bare) = (study.item("i", 1).await, study.item("j", 0).await);
    study.assign(Round::Main, &[0, 1]).await;
    let waiting = async |study: &Study| {
        let ready = snapshot::readiness(&study.app, &study.coordinator, &study.id).await;
        let rows = ready.expect("readable").unsettled;
        let one = |row: snapshot::UnsettledRow| (row.unit, row.kind, row.state);
        rows.into_iter().map(one).collect::<Vec<_>>()
    };
    let open = |unit: &str, kind: &str| (unit.to_owned(), kind.to_owned(), "open".to_owned());
    assert_eq!(
        waiting(&study).await,
        [open("i.1", "candidate"), open("j", "item")]
    );
    study
        .submit(0, &tagged, judges(&tagged, [says(Valid, 3.0)]))
        .await;
    study.submit(0, &bare, misses([])).await;
    assert_eq!(
        waiting(&study).await,
        [open("i.1", "candidate"), open("j", "item")],
        "one of two is not all"
    );
    study
        .submit(1, &tagged, judges(&tagged, [says(Valid, 3.0)]))
        .await;
    study.submit(1, &bare, misses([])).await;
    assert_eq!(waiting(&study).await, []);
}

#[tokio::test]
async fn the_hash_is_that_of_the_content_and_the_same_labels_have_the_same_hash() {
    let (study, item) = judged().await;
    settle(&study, 4.0).await;
    let first = sign(&study, signed("Dr Lind")).await.expect("signed");
    let bytes = content(&study, 1).await;
    assert_eq!(sha256(&bytes), first.named.content_hash);
    let parsed: serde_json::Value = serde_json::from_slice(&bytes).expect("it is JSON");
    assert_eq!(parsed["labels"].as_array().map(Vec::len), Some(4));

    reopen(&study).await;
    study.app.clock.advance(86_400_000);
    let second = sign(&study, signed("Dr Berg")).await.expect("signed");
    assert_eq!(second.named.content_hash, first.named.content_hash);
    assert_eq!(second.named.number, 2);

    reopen(&study).await;
    let said = [says(Valid, 3.0), says(Valid, 2.0), says(Invalid, 1.0)];
    study.submit_again(0, &item, judges(&item, said)).await;
    settle(&study, 4.0).await;
    let third = sign(&study, signed("Dr Lind")).await.expect("signed");
    assert_ne!(
        third.named.content_hash, first.named.content_hash,
        "the final value is the same, what it rests on is not"
    );
}

#[tokio::test]
async fn labels_carry_the_final_value_and_whether_it_is_retained() {
    let (study, _) = judged().await;
    settle(&study, 1.5).await;
    let now = snapshot::labels(&study.app, &study.coordinator, &study.id, None)
        .await
        .expect("labels");
    assert_eq!(now.snapshot, None, "the study is open");
    let found: Vec<_> = now
        .labels
        .iter()
        .map(|label| {
            (
                label.unit_id.as_str(),
                label.outcome.as_str(),
                label.final_severity,
                label.standing,
            )
        })
        .collect();
    // The scheme retains from 2 upwards: 1.5 by consensus leaves, what both call wrong has no severity.
    assert_eq!(
        found,
        [
            ("i.1", "agreed", Some(3.0), Standing::Retained),
            ("i.2", "consensus", Some(1.5), Standing::BelowThreshold),
            ("i.3", "agreed", None, Standing::Invalid),
            ("t0", "agreed", Some(2.0), Standing::Retained),
        ]
    );
    let made = sign(&study, signed("Dr Lind")).await.expect("signed");
    let frozen = snapshot::labels(
        &study.app,
        &study.coordinator,
        &study.id,
        Some(&made.named.id),
    )
    .await
    .expect("labels");
    assert_eq!(frozen.labels, now.labels);
    let named = snapshot::labels(&study.app, &study.coordinator, &study.id, None)
        .await
        .expect("labels");
    assert_eq!(named.snapshot, Some(made.named));
}

#[tokio::test]
async fn a_snapshot_is_exported_as_it_was_and_compared_unit_by_unit() {
    let (mut study, item) = judged().await;
    settle(&study, 4.0).await;
    let open = tables(&study, None).await;
    let made = sign(&study, signed("Dr Lind")).await.expect("signed");
    let then = tables(&study, None).await;
    let text = |files: &[(String, Vec<u8>)], name: &str| {
        let found = files.iter().find(|(other, _)| other == name);
        String::from_utf8(found.expect("a file").1.clone()).expect("text")
    };
    assert!(
        !text(&open, "labels.csv").contains("1:"),
        "it is no snapshot yet"
    );
    let short = format!("1:{}", &made.named.content_hash[..12]);
    for name in ["labels.csv", "agreement.csv"] {
        let rows = text(&then, name);
        assert!(
            rows.lines().skip(1).all(|row| row.ends_with(&short)),
            "{name}"
        );
    }
    let package: serde_json::Value =
        serde_json::from_str(&text(&then, "datapackage.json")).expect("JSON");
    assert_eq!(
        package["snapshot"]["sha256"],
        made.named.content_hash.as_str()
    );
    assert_eq!(
        text(&then, "snapshot.json").into_bytes(),
        content(&study, 1).await
    );

    reopen(&study).await;
    let said = [says(Valid, 3.0), says(Valid, 4.0), says(Invalid, 1.0)];
    study.submit_again(0, &item, judges(&item, said)).await;
    settle(&study, 5.0).await;
    study.item("k", 2).await;
    let again = tables(&study, Some(1)).await;
    let changed: Vec<&str> = again
        .iter()
        .zip(&then)
        .filter(|(now, then)| now != then)
        .map(|(now, _)| now.0.as_str())
        .collect();
    assert_eq!(
        changed,
        Vec::<&str>::new(),
        "byte for byte what it was when it was signed"
    );
    assert_eq!(again.len(), then.len());
    assert_ne!(tables(&study, None).await, then);

    let changed = snapshot::compare(&study.app, &study.coordinator, &study.id, 1, None)
        .await
        .expect("compared");
    assert_eq!((changed.same, changed.different), (3, 1));
    let one = &changed.changes[0];
    let fields: Vec<_> = one
        .fields
        .iter()
        .map(|field| field.field.as_str())
        .collect();
    assert_eq!(
        (one.unit.as_str(), fields),
        ("i.2", vec!["final_severity", "ratings", "ruling_version"])
    );
    assert_eq!(one.fields[0].before.as_f64(), Some(4.0));
    assert_eq!(one.fields[0].after.as_f64(), Some(5.0));
    sign(&study, signed("Dr Lind")).await.expect("signed");
    let between = snapshot::compare(&study.app, &study.coordinator, &study.id, 1, Some(2))
        .await
        .expect("compared");
    assert_eq!(between.changes, changed.changes);
    let list = snapshot::list(&study.app, &study.coordinator, &study.id)
        .await
        .expect("a list");
    let state: Vec<_> = list
        .iter()
        .map(|row| (row.named.number, row.in_force, row.reopened.is_some()))
        .collect();
    assert_eq!(state, [(2, true, false), (1, false, true)]);
}

#[tokio::test]
async fn groups_leave_out_a_whole_state_and_a_single_reason_comes_first() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 3).await;
    study.assign(Round::Main, &[0, 1]).await;
    for (rater, severity) in [(0, 1.0), (1, 5.0)] {
        let said = [
            says(Valid, severity),
            says(Valid, severity),
            says(Valid, 3.0),
        ];
        study.submit(rater, &item, judges(&item, said)).await;
    }
    let ready = snapshot::readiness(&study.app, &study.coordinator, &study.id)
        .await
        .expect("readable");
    let new = SignOff {
        basis: ready.basis,
        left_out: vec![LeftOut {
            unit: "i.2".into(),
            reason: "its own".into(),
        }],
        groups: vec![Group {
            state: "disputed".into(),
            reason: "the others".into(),
        }],
        ..signed("Dr Lind")
    };
    sign(&study, new).await.expect("signed");
    let view = snapshot::get(&study.app, &study.coordinator, &study.id, 1)
        .await
        .expect("a snapshot");
    assert_eq!(
        view.manifest["left_out"],
        serde_json::json!([
            {"unit": "i.1", "reason": "the others"}, {"unit": "i.2", "reason": "its own"},
        ])
    );
    assert_eq!(
        view.manifest["counts"]["outcomes"],
        serde_json::json!({"agreed": 1, "disputed": 2})
    );
}

#[tokio::test]
async fn a_snapshot_that_was_tampered_with_is_found() {
    let (study, _) = judged().await;
    sign_off(&study.app, &study.coordinator, &study.id).await;
    assert_eq!(check::run(&study.app).await.expect("checked"), []);
    let mut tx = study.app.db.begin().await.expect("a transaction");
    sqlx::query("UPDATE snapshot_labels SET body = REPLACE(body, '\"final_severity\":3', '\"final_severity\":4')")
        .execute(&mut *tx)
        .await
        .expect("tampered");
    tx.commit().await.expect("committed");
    let found = check::run(&study.app).await.expect("checked");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, "snapshot_content");
}

#[tokio::test]
async fn a_reader_takes_a_snapshots_tables_without_names() {
    let (study, _) = judged().await;
    sign_off(&study.app, &study.coordinator, &study.id).await;
    let reader = study.member("reader", domain::role::Role::Reader).await;
    let options = ExportOptions {
        snapshot: Some(1),
        ..ExportOptions::default()
    };
    let file = export::to_file(&study.app, &reader, &study.id, ExportFile::Labels, options)
        .await
        .expect("written");
    let text = std::fs::read_to_string(file.path()).expect("text");
    assert!(text.contains("rater_1") && !text.contains("rater1"));
    let missing = ExportOptions {
        snapshot: Some(2),
        ..ExportOptions::default()
    };
    let refused =
        export::to_file(&study.app, &reader, &study.id, ExportFile::Labels, missing).await;
    assert_eq!(refused.expect_err("none").refusal(), Refusal::NotFound);
}
