//! Drafts of several raters that are written in one transaction.

use crate::common::{Stage, save};
use domain::annotation::Annotation;
use domain::id::AssignmentId;
use domain::refusal::Refusal;
use service::desk::Saved;
use service::{Actor, Error, desk};
use std::sync::Arc;
use store::Tx;
use tokio::task::{JoinHandle, yield_now};

/// One item and as many raters as names, each with their assignment of it.
async fn raters(names: &[&str]) -> (Arc<Stage>, Vec<(Actor, AssignmentId)>) {
    let stage = Stage::with(1).await;
    let mut raters = Vec::new();
    for name in names {
        raters.push(stage.rater(name).await);
    }
    stage.batch(1, &raters.iter().collect::<Vec<_>>()).await;
    let mut work = Vec::new();
    for rater in raters {
        let id = stage.work_of(&rater).await.remove(0);
        work.push((rater, id));
    }
    (Arc::new(stage), work)
}

type Saving = JoinHandle<Result<Saved, Error>>;

fn begin(stage: &Arc<Stage>, (rater, id): &(Actor, AssignmentId), text: &str) -> Saving {
    let (stage, rater, id, text) = (stage.clone(), rater.clone(), id.clone(), text.to_owned());
    tokio::spawn(async move {
        let note = Annotation {
            comment: text.clone(),
            ..Annotation::default()
        };
        desk::save(&stage.app, &rater, &id, save(0, &text, note)).await
    })
}

/// Holds the study's chain, so that whoever writes waits for [`Tx::rollback`].
async fn held(stage: &Stage) -> Tx {
    let mut tx = stage.db.begin().await.unwrap();
    store::audit::lock(&mut tx, stage.study.as_str())
        .await
        .unwrap();
    tx
}

/// Until so many drafts wait for the one that is being written.
async fn until_waiting(stage: &Stage, drafts: usize) {
    while stage.drafts.waiting(&stage.study) != drafts {
        yield_now().await;
    }
}

/// Until a draft is being written.
async fn until_writing(stage: &Stage) {
    while !stage.drafts.writing(&stage.study) {
        yield_now().await;
    }
}

/// The first of these writes alone and is held up, the others wait behind it, and then all go.
async fn behind_the_first(
    stage: &Arc<Stage>,
    work: &[(Actor, AssignmentId)],
) -> Vec<Result<Saved, Error>> {
    let tx = held(stage).await;
    let mut saving = vec![begin(stage, &work[0], "first")];
    until_writing(stage).await;
    for one in &work[1..] {
        saving.push(begin(stage, one, &format!("then {}", one.1.as_str())));
    }
    until_waiting(stage, work.len() - 1).await;
    tx.rollback().await.unwrap();
    let mut said = Vec::new();
    for one in saving {
        said.push(one.await.unwrap());
    }
    said
}

#[tokio::test]
async fn each_draft_written_with_others_has_its_own_answer_version_and_audit_row() {
    let (stage, work) = raters(&["ada", "ben", "cyd", "dan", "eve", "fay"]).await;
    let before = stage.rows("audit").await;
    for saved in behind_the_first(&stage, &work).await {
        assert_eq!(saved.unwrap().version, 1);
    }
    assert_eq!(stage.rows("audit").await, before + 6);
    for (rater, id) in &work {
        let view = stage.open(rater, id).await;
        let said = view.annotation.comment;
        assert!(
            said == "first" || said == format!("then {}", id.as_str()),
            "nobody has another's words"
        );
    }
    let chain = service::audit::verify(&stage, &stage.staff, &stage.study).await;
    assert!(chain.unwrap().is_ok(), "the chain is whole");
}

#[tokio::test]
async fn of_two_tabs_among_others_one_is_kept_and_the_other_hears_of_it() {
    let (stage, mut work) = raters(&["ada", "ben", "cyd"]).await;
    let tx = held(&stage).await;
    let first = begin(&stage, &work[0], "first");
    until_writing(&stage).await;
    let ben = work.remove(1);
    let tabs = [
        begin(&stage, &ben, "one tab"),
        begin(&stage, &ben, "other tab"),
    ];
    let cyd = begin(&stage, &work[1], "cyd");
    until_waiting(&stage, 3).await;
    tx.rollback().await.unwrap();
    assert_eq!(first.await.unwrap().unwrap().version, 1);
    assert_eq!(cyd.await.unwrap().unwrap().version, 1);
    let mut kept = 0;
    for tab in tabs {
        match tab.await.unwrap() {
            Ok(saved) => kept += saved.version,
            Err(error) => assert_eq!(error.refusal(), Refusal::Conflict),
        }
    }
    assert_eq!((kept, stage.open(&ben.0, &ben.1).await.version), (1, 1));
}

#[tokio::test]
async fn a_draft_that_cannot_be_written_takes_no_other_with_it() {
    let (stage, work) = raters(&["ada", "ben", "cyd"]).await;
    let mut tx = stage.db.begin().await.unwrap();
    // Without the row in which their progress is counted no step of Ben's can be taken.
    sqlx::query("DELETE FROM batch_progress WHERE rater_id = $1")
        .bind(work[1].0.user.as_str())
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let said = behind_the_first(&stage, &work).await;
    let heard: Vec<_> = said
        .iter()
        .map(|said| said.as_ref().map_err(Error::refusal).map(|s| s.version))
        .collect();
    assert_eq!(heard, [Ok(1), Err(Refusal::Internal), Ok(1)]);
    assert_eq!(
        stage.open(&work[1].0, &work[1].1).await.version,
        0,
        "and leaves nothing behind"
    );
}

#[tokio::test]
async fn who_hangs_up_while_writing_stops_nobody_behind() {
    let (stage, work) = raters(&["ada", "ben", "cyd"]).await;
    let tx = held(&stage).await;
    let first = begin(&stage, &work[0], "first");
    until_writing(&stage).await;
    let [ben, cyd] = [1, 2].map(|n| begin(&stage, &work[n], "then"));
    until_waiting(&stage, 2).await;
    first.abort();
    ben.abort();
    assert!(first.await.is_err() && ben.await.is_err());
    tx.rollback().await.unwrap();
    assert_eq!(cyd.await.unwrap().unwrap().version, 1);
    let version = async |n: usize| stage.open(&work[n].0, &work[n].1).await.version;
    assert_eq!(version(0).await, 1, "it was under way");
    assert_eq!(version(1).await, 0, "nobody waits for it any more");
}
