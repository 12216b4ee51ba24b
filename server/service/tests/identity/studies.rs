//! Studies, their members and their chain.

use crate::{person, refused, stigma};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::study::{Blinding, StudyState};
use service::study::SchemeSource;
use service::testing::{services, sign_off};
use service::{Actor, audit, member, study};

#[tokio::test]
async fn a_study_keeps_one_coordinator() {
    let app = services().await;
    let root = person(&app, "root", true).await;
    let id = stigma(&app, &root, "Pilot").await;
    let out = member::set_active(&app, &root, &id, &root.user, Role::Coordinator, false).await;
    assert_eq!(refused(out), Refusal::LastCoordinator);
    let ada = person(&app, "ada", false).await;
    member::add(&app, &root, &id, "ada", Role::Coordinator)
        .await
        .expect("added");
    member::set_active(&app, &ada, &id, &root.user, Role::Coordinator, false)
        .await
        .expect("another remains");
    assert_eq!(
        refused(member::add(&app, &ada, &id, "nobody", Role::Rater).await),
        Refusal::NotFound
    );
    // Who acted stays listed after leaving, and a member who did nothing is not.
    person(&app, "idle", false).await;
    member::add(&app, &ada, &id, "idle", Role::Coordinator)
        .await
        .expect("added");
    let actors = audit::actors(&app, &ada, &id).await.expect("read");
    let mut ids: Vec<_> = actors.into_iter().map(|(id, _)| id).collect();
    ids.sort();
    let mut acted = [ada.user.to_string(), root.user.to_string()];
    acted.sort();
    assert_eq!(ids, acted);
}

#[tokio::test]
async fn a_study_is_named_once_found_by_name_and_id_and_has_its_schemes_defaults() {
    let app = services().await;
    let root = person(&app, "root", true).await;
    let id = stigma(&app, &root, "Pilot 1").await;
    let again = study::create(
        &app,
        &root,
        " pilot 1",
        SchemeSource::Builtin("stigma".into()),
    )
    .await;
    assert_eq!(refused(again), Refusal::NameTaken);
    let unknown = study::create(&app, &root, "B", SchemeSource::Builtin("none".into())).await;
    assert_eq!(refused(unknown), Refusal::SchemeUnknown);
    let broken = study::create(&app, &root, "B", SchemeSource::Toml("id = 3".into())).await;
    assert_eq!(refused(broken), Refusal::SchemeBroken);
    for name in ["PILOT 1", id.as_str()] {
        assert_eq!(study::find(&app, &root, name).await.expect("found"), id);
    }
    let view = study::overview(&app, &root, &id).await.expect("seen");
    assert_eq!(
        view.blinding,
        Blinding {
            model: true,
            condition: false,
            judge_severity: false
        }
    );
    assert_eq!(
        (view.state, view.scheme_version, view.blinding_fixed),
        (StudyState::Draft, 1, false)
    );
    assert_eq!(study::list(&app, &root).await.expect("listed").len(), 1);
    assert_eq!(
        study::list(&app, &person(&app, "ada", false).await)
            .await
            .expect("listed")
            .len(),
        0
    );
}

#[tokio::test]
async fn a_study_moves_by_its_states_and_every_step_is_in_the_chain() {
    let app = services().await;
    let root = person(&app, "root", true).await;
    let id = stigma(&app, &root, "Pilot").await;
    let step = |to, reason| study::set_state(&app, &root, &id, to, reason);
    assert_eq!(
        refused(step(StudyState::Reconciling, "").await),
        Refusal::StateStep
    );
    step(StudyState::Collecting, "").await.expect("collecting");
    assert_eq!(
        refused(step(StudyState::SignedOff, "").await),
        Refusal::StateStep,
        "labels are frozen under a name"
    );
    sign_off(&app, &root, &id).await;
    assert_eq!(
        refused(step(StudyState::Reconciling, " ").await),
        Refusal::ReasonNeeded
    );
    step(StudyState::Reconciling, "a rater corrected an entry")
        .await
        .expect("reopened");
    let blinding = Blinding {
        model: false,
        condition: true,
        judge_severity: true,
    };
    study::set_blinding(&app, &root, &id, blinding)
        .await
        .expect("nothing submitted yet");
    assert_eq!(
        study::overview(&app, &root, &id)
            .await
            .expect("seen")
            .blinding,
        blinding
    );
    assert_eq!(
        audit::verify(&app, &root, &id).await.expect("walked"),
        Ok(5)
    );
    let rows = audit::page(
        &app,
        &root,
        &id,
        &audit::AuditFilter::default(),
        i64::MAX,
        2,
    )
    .await
    .expect("read");
    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), [5, 4]);
    assert_eq!(rows[0].action, "study.manage.blinding");
}

#[tokio::test]
async fn two_coordinators_who_remove_each_other_at_once_leave_one() {
    let app = services().await;
    let operator = Actor::operator();
    for round in 0..5 {
        let id = stigma(&app, &operator, &format!("Pilot {round}")).await;
        let mut pair = Vec::new();
        for name in ["one", "two"] {
            let name = format!("{name}{round}");
            pair.push(person(&app, &name, false).await);
            member::add(&app, &operator, &id, &name, Role::Coordinator)
                .await
                .expect("added");
        }
        let out = |by: usize| {
            let (by, who) = (&pair[by], &pair[1 - by].user);
            member::set_active(&app, by, &id, who, Role::Coordinator, false)
        };
        let (first, second) = tokio::join!(out(0), out(1));
        // Whoever comes second is no member any more, or would have removed the last one.
        let refusals: Vec<_> = [first, second]
            .into_iter()
            .filter_map(|outcome| outcome.err().map(|error| error.refusal()))
            .collect();
        assert!(
            matches!(refusals[..], [Refusal::NotFound | Refusal::LastCoordinator]),
            "{refusals:?}"
        );
        let members = member::list(&app, &operator, &id).await.expect("listed");
        assert_eq!(members.iter().filter(|m| m.active).count(), 1);
    }
}

#[tokio::test]
async fn a_signed_off_study_keeps_its_blinding_and_a_reason_is_a_remark() {
    let app = services().await;
    let root = person(&app, "root", true).await;
    let id = stigma(&app, &root, "Pilot").await;
    study::set_state(&app, &root, &id, StudyState::Collecting, "")
        .await
        .expect("a step");
    sign_off(&app, &root, &id).await;
    let blinding = Blinding {
        model: false,
        condition: false,
        judge_severity: false,
    };
    assert_eq!(
        refused(study::set_blinding(&app, &root, &id, blinding).await),
        Refusal::StudyClosed
    );
    let text = "x".repeat(501);
    assert_eq!(
        refused(study::set_state(&app, &root, &id, StudyState::Reconciling, &text).await),
        Refusal::TextTooLong
    );
}

#[tokio::test]
async fn a_row_that_was_changed_or_removed_breaks_the_chain_where_it_stood() {
    let broken = [
        (
            "UPDATE audit SET actor = 'x' WHERE study_id = $1 AND seq = 2",
            2,
        ),
        (
            "UPDATE audit SET at = at + 1 WHERE study_id = $1 AND seq = 3",
            3,
        ),
        (
            "UPDATE audit SET details = '{}' WHERE study_id = $1 AND seq = 1",
            1,
        ),
        ("DELETE FROM audit WHERE study_id = $1 AND seq = 2", 2),
        ("DELETE FROM audit WHERE study_id = $1 AND seq = 3", 3),
        ("DELETE FROM audit WHERE study_id = $1", 1),
    ];
    let app = services().await;
    let root = person(&app, "root", true).await;
    for (at, (tampering, seq)) in broken.into_iter().enumerate() {
        let id = stigma(&app, &root, &format!("Pilot {at}")).await;
        for to in [StudyState::Collecting, StudyState::Reconciling] {
            study::set_state(&app, &root, &id, to, "")
                .await
                .expect("a step");
        }
        let whole = audit::verify(&app, &root, &id).await.expect("walked");
        assert_eq!(whole, Ok(3));
        let mut tx = app.db.begin().await.expect("a transaction");
        sqlx::query(tampering)
            .bind(id.as_str())
            .execute(&mut *tx)
            .await
            .expect("tampered");
        tx.commit().await.expect("committed");
        assert_eq!(
            audit::verify(&app, &root, &id).await.expect("walked"),
            Err(audit::BrokenAt { seq }),
            "{tampering}"
        );
    }
}
