//! Taking up again what was submitted, handed back or brought along.

use crate::common::{Stage, complete, refused, save};
use crate::desk::stage;
use domain::annotation::{Annotation, Judgement};
use domain::assignment::AssignmentState;
use domain::refusal::Refusal;
use service::desk;
use service::desk::SubmitOutcome;

#[tokio::test]
async fn a_reopened_submission_counts_until_the_next_one() {
    let (stage, ada) = stage().await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    stage.submit(&ada, &id, complete(&view, 2.0, "first")).await;
    let version = desk::reopen(&stage, &ada, &id).await.unwrap();
    assert_eq!(
        desk::reopen(&stage, &ada, &id).await.unwrap(),
        version,
        "asked twice, opened once"
    );
    let view = stage.open(&ada, &id).await;
    assert_eq!(
        (view.state, view.version, view.annotation.comment.as_str()),
        (AssignmentState::Reopened, version, "first")
    );
    desk::save(
        &stage,
        &ada,
        &id,
        save(version, "s", complete(&view, 4.0, "second")),
    )
    .await
    .unwrap();
    let latest = async || {
        let mut db = stage.db.read().await.unwrap();
        store::annotation::latest_of_assignment(&mut db, &id, &ada.user)
            .await
            .unwrap()
            .unwrap()
    };
    assert_eq!(latest().await.body.comment, "first");
    stage
        .submit(&ada, &id, complete(&view, 4.0, "second"))
        .await;
    assert_eq!(
        (latest().await.body.comment.as_str(), latest().await.version),
        ("second", 2)
    );
    assert_eq!(stage.rows("annotations").await, 2, "the first stays");
}

// The answer to a submission was lost, the rater opened it again elsewhere, and the first window sent it once more.
#[tokio::test]
async fn a_submission_sent_again_does_not_close_what_was_reopened_since() {
    let (stage, ada) = stage().await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    let sent = save(view.version, "sent", complete(&view, 2.0, "first"));
    let given = desk::submit(&stage, &ada, &id, sent.clone()).await;
    assert!(matches!(given, Ok(SubmitOutcome::Submitted { .. })));
    let version = desk::reopen(&stage, &ada, &id).await.unwrap();
    let again = desk::submit(&stage, &ada, &id, sent.clone()).await;
    assert_eq!(refused(again), Refusal::Conflict);
    let now = stage.open(&ada, &id).await;
    assert_eq!(
        (now.state, now.version),
        (AssignmentState::Reopened, version)
    );
    let meant = save(version, "meant", sent.annotation);
    let given = desk::submit(&stage, &ada, &id, meant).await;
    assert!(matches!(given, Ok(SubmitOutcome::Submitted { .. })));
}

#[tokio::test]
async fn staff_reopen_with_a_reason() {
    let (stage, ada) = stage().await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    stage.submit(&ada, &id, complete(&view, 2.0, "")).await;
    assert_eq!(
        refused(desk::reopen_for(&stage, &stage.staff, &id, " ").await),
        Refusal::ReasonNeeded
    );
    assert_eq!(
        refused(desk::reopen_for(&stage, &ada, &id, "mine").await),
        Refusal::Forbidden
    );
    desk::reopen_for(&stage, &stage.staff, &id, "asked by mail")
        .await
        .unwrap();
    assert_eq!(stage.open(&ada, &id).await.state, AssignmentState::Reopened);
}

#[tokio::test]
async fn argilla_2896_handing_back_keeps_the_draft_and_a_resumed_one_goes_on() {
    let (stage, ada) = stage().await;
    let [first, second, _] = stage.work_of(&ada).await.try_into().unwrap();
    let view = stage.open(&ada, &first).await;
    let mut half = Annotation::default();
    half.judgements.insert(
        view.candidates[0].id.clone(),
        Judgement {
            severity: Some(4.0),
            ..Judgement::default()
        },
    );
    desk::save(&stage, &ada, &first, save(0, "s", half.clone()))
        .await
        .unwrap();
    assert_eq!(
        desk::hand_back(&stage, &ada, &first).await.unwrap(),
        Some(second.clone())
    );
    assert_eq!(
        desk::hand_back(&stage, &ada, &first).await.unwrap(),
        Some(second.clone()),
        "twice is once"
    );
    let work = desk::my_work(&stage, &ada).await.unwrap();
    assert_eq!(
        (
            work.studies[0].batches[0].total,
            work.studies[0].batches[0].handed_back
        ),
        (2, 1)
    );
    assert_eq!(
        stage.open(&ada, &second).await.progress.position,
        1,
        "places are counted without what is handed back"
    );
    let again = desk::save(&stage, &ada, &first, save(2, "t", Annotation::default())).await;
    assert_eq!(refused(again), Refusal::AssignmentClosed);
    let version = desk::resume(&stage, &ada, &first).await.unwrap();
    let view = stage.open(&ada, &first).await;
    assert_eq!(
        (view.annotation, view.version, view.state),
        (half, version, AssignmentState::InProgress)
    );
}

#[tokio::test]
async fn inception_3809_an_item_that_cannot_be_rated_carries_its_reason() {
    let (stage, ada) = stage().await;
    let [first, second, _] = stage.work_of(&ada).await.try_into().unwrap();
    let rate = async |version, reason: &str, note: &str| {
        desk::cannot_rate(&stage, &ada, &first, version, reason.into(), note.into()).await
    };
    assert_eq!(refused(rate(0, "", "x").await), Refusal::ReasonNeeded);
    assert_eq!(refused(rate(0, "other", " ").await), Refusal::ReasonNeeded);
    assert_eq!(
        refused(rate(9, "text_damaged", "").await),
        Refusal::Conflict
    );
    assert_eq!(
        rate(0, "text_damaged", "text truncated").await.unwrap(),
        Some(second)
    );
    let mut db = stage.db.read().await.unwrap();
    let stored = store::annotation::latest_of_assignment(&mut db, &first, &ada.user)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (stored.ratable, stored.not_ratable_reason.as_str()),
        (false, "text_damaged")
    );
    assert_eq!(stored.body.comment, "text truncated");
    drop(db);
    let progress = service::batch::list(&stage, &stage.staff, &stage.study)
        .await
        .unwrap()
        .remove(0)
        .progress
        .remove(0);
    assert_eq!((progress.done, progress.not_ratable), (1, 1));
    desk::reopen(&stage, &ada, &first).await.unwrap();
    assert!(
        stage.open(&ada, &first).await.annotation.is_blank(),
        "the note is no judgement"
    );
}

#[tokio::test]
async fn an_imported_annotation_opens_on_the_desk_and_can_be_reopened() {
    let stage = Stage::empty().await;
    let ada = stage.rater("ada").await;
    stage.import(r#"{"key":"r","trace":"one two","candidates":[{"key":"c","category":"1.1","evidence":"two"}],"ratings":[{"rater":"ada","candidate":"c","validity":"valid","severity":2,"comment":"mine"}]}"#).await;
    let mut db = stage.db.read().await.unwrap();
    let item = store::item::after(&mut db, &stage.study, 0, 1)
        .await
        .unwrap()
        .remove(0)
        .id;
    let id = store::annotation::latest_of_item(&mut db, &item)
        .await
        .unwrap()
        .remove(0)
        .assignment;
    drop(db);
    let view = stage.open(&ada, &id).await;
    assert_eq!(
        (view.state, view.can_reopen, view.progress.done),
        (AssignmentState::Submitted, true, 1)
    );
    assert_eq!(
        view.annotation.judgements.values().next().unwrap().comment,
        "mine"
    );
    let version = desk::reopen(&stage, &ada, &id).await.unwrap();
    let mut annotation = stage.open(&ada, &id).await.annotation;
    (annotation.nothing_missed, annotation.missed_count) = (true, Some(0));
    let outcome = desk::submit(&stage, &ada, &id, save(version, "s", annotation))
        .await
        .unwrap();
    assert!(matches!(outcome, SubmitOutcome::Submitted { .. }));
}
