//! What becomes of rulings when units are derived anew, annotations change, or people leave.

use crate::fixture::{judges, says};
use crate::rulings::{consensus, rated};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::scheme::Validity::Valid;
use domain::study::StudyState;
use domain::unit::UnitState;
use service::ruling::NewRuling;
use service::testing::sign_off;
use service::unit::QueueState;
use service::{Actor, audit, member, study};

/// Two of three disagreements are settled; deriving everything again leaves the rulings alone.
#[tokio::test]
async fn inception_1796_deriving_again_keeps_rulings() {
    let (study, _) = rated(&[(1.0, 5.0), (1.0, 4.0), (1.0, 3.0)]).await;
    for unit in ["i.1", "i.2"] {
        study
            .rule(&study.coordinator, unit, consensus(3.0))
            .await
            .expect("ruled");
    }
    let before = study.queue(QueueState::All).await;
    let mut tx = study.app.db.begin().await.expect("a transaction");
    service::unit::refresh_range(&mut tx, &study.app, &study.id, 1, 1)
        .await
        .expect("derived");
    tx.commit().await.expect("committed");
    assert_eq!(study.queue(QueueState::All).await, before);
    let states: Vec<_> = before
        .iter()
        .map(|row| (row.unit.as_str(), row.state))
        .collect();
    assert_eq!(
        states,
        [
            ("i.1", UnitState::Ruled),
            ("i.2", UnitState::Ruled),
            ("i.3", UnitState::Disputed)
        ]
    );
}

#[tokio::test]
async fn a_changed_annotation_makes_the_ruling_stale_and_the_same_one_again_does_not() {
    let (study, item) = rated(&[(1.0, 5.0), (1.0, 5.0)]).await;
    for unit in ["i.1", "i.2"] {
        study
            .rule(&study.coordinator, unit, consensus(3.0))
            .await
            .expect("ruled");
    }
    study
        .submit_again(
            0,
            &item,
            judges(&item, [says(Valid, 1.0), says(Valid, 1.0)]),
        )
        .await;
    assert_eq!(study.unit("i.1").await.row.state, UnitState::Ruled);
    study
        .submit_again(
            0,
            &item,
            judges(&item, [says(Valid, 2.0), says(Valid, 1.0)]),
        )
        .await;
    assert_eq!(study.unit("i.1").await.row.state, UnitState::Stale);
    assert_eq!(
        study.unit("i.2").await.row.state,
        UnitState::Ruled,
        "only the unit that changed"
    );
    assert!(
        !study
            .unit("i.1")
            .await
            .ruling
            .expect("still readable")
            .current
    );
    let view = study
        .rule(&study.coordinator, "i.1", consensus(4.0))
        .await
        .expect("ruled again");
    assert_eq!((view.row.state, view.ruling_version), (UnitState::Ruled, 2));
}

#[tokio::test]
async fn inception_6172_a_rater_who_leaves_changes_no_ruling() {
    let (study, _) = rated(&[(1.0, 5.0)]).await;
    study
        .rule(&study.coordinator, "i.1", consensus(3.0))
        .await
        .expect("ruled");
    let gone = &study.raters[0].user;
    member::set_active(
        &study.app,
        &Actor::operator(),
        &study.id,
        gone,
        Role::Rater,
        false,
    )
    .await
    .expect("left");
    let view = study.unit("i.1").await;
    assert_eq!(
        (view.row.state, view.ruling.map(|r| r.severity)),
        (UnitState::Ruled, Some(Some(3.0)))
    );
    let active: Vec<_> = view
        .raters
        .iter()
        .map(|side| (side.letter.as_str(), side.active))
        .collect();
    assert_eq!(active, [("A", false), ("B", true)]);
}

#[tokio::test]
async fn a_ruling_moves_the_study_on_counts_a_revision_and_leaves_an_audit_row() {
    let (study, _) = rated(&[(1.0, 5.0)]).await;
    let revision = async || {
        let mut db = study.app.db.read().await.expect("a connection");
        store::study::get(&mut db, &study.id)
            .await
            .expect("read")
            .expect("a study")
            .revision
    };
    let before = revision().await;
    study
        .rule(
            &study.coordinator,
            "i.1",
            NewRuling {
                note: "CLINICAL".into(),
                ..consensus(3.0)
            },
        )
        .await
        .expect("ruled");
    assert!(revision().await > before);
    let overview = study::overview(&study.app, &study.coordinator, &study.id)
        .await
        .expect("a view");
    assert_eq!(
        (overview.state, overview.counts.ruled),
        (StudyState::Reconciling, 1)
    );
    let filter = audit::AuditFilter {
        action: "ruling.write.record".into(),
        ..Default::default()
    };
    let rows = audit::page(
        &study.app,
        &study.coordinator,
        &study.id,
        &filter,
        i64::MAX,
        10,
    )
    .await
    .expect("rows");
    assert_eq!(
        (
            rows.len(),
            rows[0].subject.as_str(),
            rows[0].actor_name.as_str()
        ),
        (1, "i.1", "coordinator")
    );
    assert!(!rows[0].details.contains("CLINICAL"));
    sign_off(&study.app, &study.coordinator, &study.id).await;
    assert_eq!(
        study
            .rule(&study.coordinator, "i.1", consensus(2.0))
            .await
            .expect_err("closed"),
        Refusal::StudyClosed
    );
}
