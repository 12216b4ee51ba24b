//! What other tools lose: retries, late drafts, two tabs, double clicks, transactions cut short.

use crate::common::{Stage, complete, refused, save};
use domain::annotation::{Annotation, MissedTag};
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, MissedTagId};
use domain::refusal::Refusal;
use service::desk::SubmitOutcome;
use service::{Actor, desk};
use std::sync::Arc;

async fn desk() -> (Arc<Stage>, Actor, AssignmentId) {
    let stage = Stage::with(2).await;
    let ada = stage.rater("ada").await;
    stage.batch(2, &[&ada]).await;
    let id = stage.work_of(&ada).await.remove(0);
    (Arc::new(stage), ada, id)
}

fn note(text: &str) -> Annotation {
    Annotation {
        comment: text.into(),
        ..Annotation::default()
    }
}

#[tokio::test]
async fn label_studio_1101_a_retried_save_is_answered_alike_and_written_once() {
    let (stage, ada, id) = desk().await;
    let first = desk::save(&stage, &ada, &id, save(0, "one", note("a")))
        .await
        .unwrap();
    let rows = stage.rows("audit").await;
    stage.clock.advance(5_000);
    let retried = desk::save(&stage, &ada, &id, save(0, "one", note("a")))
        .await
        .unwrap();
    assert_eq!(first, retried);
    assert_eq!(stage.rows("audit").await, rows);
    assert_eq!(stage.open(&ada, &id).await.version, 1);
    let same_words = desk::save(&stage, &ada, &id, save(0, "two", note("a")))
        .await
        .unwrap();
    assert_eq!(
        same_words.version, 1,
        "an old base is no conflict when nothing would change"
    );
}

#[tokio::test]
async fn another_save_with_a_known_identity_is_refused_and_not_dropped() {
    let (stage, ada, id) = desk().await;
    desk::save(&stage, &ada, &id, save(0, "one", note("a")))
        .await
        .unwrap();
    for base in [0, 1] {
        let other = desk::save(&stage, &ada, &id, save(base, "one", note("b"))).await;
        assert_eq!(refused(other), Refusal::Conflict);
        let view = stage.open(&ada, &id).await;
        let other = save(base, "one", complete(&view, 3.0, "b"));
        let other = desk::submit(&stage, &ada, &id, other).await;
        assert_eq!(refused(other), Refusal::Conflict);
    }
    assert_eq!(stage.open(&ada, &id).await.annotation, note("a"));
}

#[tokio::test]
async fn label_studio_1790_a_late_draft_never_replaces_a_submission() {
    let (stage, ada, id) = desk().await;
    let view = stage.open(&ada, &id).await;
    desk::save(&stage, &ada, &id, save(0, "one", note("draft")))
        .await
        .unwrap();
    let submitted = complete(&view, 3.0, "submitted");
    stage.submit(&ada, &id, submitted.clone()).await;
    let late = desk::save(&stage, &ada, &id, save(1, "late", note("draft, changed"))).await;
    assert_eq!(refused(late), Refusal::AssignmentClosed);
    let view = stage.open(&ada, &id).await;
    assert_eq!(
        (view.annotation, view.state),
        (submitted, AssignmentState::Submitted)
    );
}

#[tokio::test]
async fn cloud_annotations_55_an_old_tab_does_not_overwrite_newer_work() {
    let (stage, ada, id) = desk().await;
    let in_both_tabs = stage.open(&ada, &id).await.version;
    desk::save(
        &stage,
        &ada,
        &id,
        save(in_both_tabs, "tab 2", note("newer")),
    )
    .await
    .unwrap();
    let older = desk::save(
        &stage,
        &ada,
        &id,
        save(in_both_tabs, "tab 1", note("older")),
    )
    .await;
    assert_eq!(refused(older), Refusal::Conflict);
    let view = stage.open(&ada, &id).await;
    assert_eq!(
        (view.annotation.comment.as_str(), view.version),
        ("newer", 1)
    );
    let chosen = desk::save(
        &stage,
        &ada,
        &id,
        save(view.version, "tab 1, chosen", note("older")),
    )
    .await
    .unwrap();
    assert_eq!(
        chosen.version, 2,
        "after looking, the older words may be chosen"
    );
}

#[tokio::test]
async fn stroom_5522_a_changed_span_and_a_changed_severity_conflict() {
    let (stage, ada, id) = desk().await;
    let view = stage.open(&ada, &id).await;
    let mut spans = complete(&view, 3.0, "");
    spans.nothing_missed = false;
    spans.missed.push(MissedTag {
        id: MissedTagId::new("m"),
        code: "4.1".into(),
        severity: Some(2.0),
        span: Some((0, 5)),
        quote: "Trace".into(),
        comment: String::new(),
    });
    desk::save(&stage, &ada, &id, save(0, "tab 1", spans))
        .await
        .unwrap();
    let severity = desk::save(
        &stage,
        &ada,
        &id,
        save(0, "tab 2", complete(&view, 5.0, "")),
    )
    .await;
    assert_eq!(refused(severity), Refusal::Conflict);
    let submitted = desk::submit(
        &stage,
        &ada,
        &id,
        save(0, "tab 2", complete(&view, 5.0, "")),
    )
    .await;
    assert_eq!(
        refused(submitted),
        Refusal::Conflict,
        "nor does a submission win by being one"
    );
}

#[tokio::test]
async fn stroom_5522_of_many_saves_on_one_version_exactly_one_is_kept() {
    let (stage, ada, id) = desk().await;
    let tabs: Vec<_> = (0..12)
        .map(|tab| {
            let (stage, ada, id) = (stage.clone(), ada.clone(), id.clone());
            tokio::spawn(async move {
                let text = format!("tab {tab}");
                desk::save(&stage.app, &ada, &id, save(0, &text, note(&text)))
                    .await
                    .map(|saved| (saved.version, text))
            })
        })
        .collect();
    let mut kept = Vec::new();
    for tab in tabs {
        match tab.await.unwrap() {
            Ok(saved) => kept.push(saved),
            Err(error) => assert_eq!(error.refusal(), Refusal::Conflict),
        }
    }
    assert_eq!(kept.len(), 1);
    let view = stage.open(&ada, &id).await;
    assert_eq!((view.version, view.annotation.comment), kept.remove(0));
}

#[tokio::test]
async fn label_studio_frontend_1124_a_double_submit_is_one_submission() {
    let (stage, ada, id) = desk().await;
    let view = stage.open(&ada, &id).await;
    let clicks: Vec<_> = (0..8)
        .map(|click| {
            let (stage, ada, id, annotation) = (
                stage.clone(),
                ada.clone(),
                id.clone(),
                complete(&view, 3.0, ""),
            );
            // Half of them share an id, as a form sent twice does, and half have one of their own.
            let save_id = if click % 2 == 0 {
                "form".to_owned()
            } else {
                format!("click {click}")
            };
            tokio::spawn(async move {
                desk::submit(&stage.app, &ada, &id, save(0, &save_id, annotation)).await
            })
        })
        .collect();
    let mut outcomes = Vec::new();
    for click in clicks {
        outcomes.push(click.await.unwrap().unwrap());
    }
    assert!(
        outcomes.windows(2).all(|pair| pair[0] == pair[1]),
        "{outcomes:?}"
    );
    assert!(matches!(
        outcomes[0],
        SubmitOutcome::Submitted { version: 1, .. }
    ));
    assert_eq!(stage.rows("annotations").await, 1);
    let other = desk::submit(&stage, &ada, &id, save(0, "x", complete(&view, 5.0, ""))).await;
    assert_eq!(refused(other), Refusal::AssignmentClosed);
}

#[tokio::test]
async fn brat_1017_a_use_case_cut_short_leaves_nothing_behind() {
    let (stage, ada, id) = desk().await;
    let view = stage.open(&ada, &id).await;
    let before = [stage.rows("audit").await, stage.rows("drafts").await];
    // Requests dropped in the middle, as when a connection breaks, at every point that a poll can reach.
    for polls in 1..60 {
        let work = desk::submit(
            &stage,
            &ada,
            &id,
            save(0, &format!("cut {polls}"), complete(&view, 3.0, "")),
        );
        if cut_after(work, polls).await {
            break;
        }
        // Counted before the state is read: a commit that was under way may come through in between.
        let rows = [stage.rows("audit").await, stage.rows("drafts").await];
        let parts = [
            stage.rows("annotations").await,
            stage.rows("judgements").await,
        ];
        let found = stage.open(&ada, &id).await;
        if found.state == AssignmentState::Submitted {
            break;
        }
        assert_eq!(
            (rows, found.version, parts),
            (before, 0, [0, 0]),
            "after {polls} polls"
        );
    }
    assert_eq!(
        stage.open(&ada, &id).await.state,
        AssignmentState::Submitted,
        "at last it came through"
    );
    assert_eq!(
        (
            stage.rows("annotations").await,
            stage.rows("judgements").await
        ),
        (1, 2)
    );
    let mut db = stage.db.read().await.unwrap();
    let progress = store::batch::progress(&mut db, &stage.study).await.unwrap();
    assert_eq!(
        progress.iter().map(|row| row.assignments).sum::<i64>(),
        2,
        "counts and assignments stay in step"
    );
}

/// Polls the future so many times, then drops it; tells whether it ended before.
async fn cut_after(
    work: impl Future<Output = service::Result<SubmitOutcome>>,
    polls: usize,
) -> bool {
    let mut work = Box::pin(work);
    let mut count = 0;
    std::future::poll_fn(|context| {
        count += 1;
        match work.as_mut().poll(context) {
            std::task::Poll::Ready(outcome) => std::task::Poll::Ready(outcome.is_ok()),
            std::task::Poll::Pending if count >= polls => std::task::Poll::Ready(false),
            std::task::Poll::Pending => std::task::Poll::Pending,
        }
    })
    .await
}

#[tokio::test]
async fn counts_follow_every_step() {
    let (stage, ada, id) = desk().await;
    let counts = async || {
        let mut db = stage.db.read().await.unwrap();
        let rows = store::batch::progress(&mut db, &stage.study).await.unwrap();
        let mut counts: Vec<_> = rows
            .into_iter()
            .filter(|row| row.assignments > 0)
            .map(|row| (row.state.as_str(), row.assignments))
            .collect();
        counts.sort_unstable();
        counts
    };
    assert_eq!(counts().await, [("not_started", 2)]);
    let view = stage.open(&ada, &id).await;
    desk::save(&stage, &ada, &id, save(0, "a", note("a")))
        .await
        .unwrap();
    assert_eq!(counts().await, [("in_progress", 1), ("not_started", 1)]);
    desk::hand_back(&stage, &ada, &id).await.unwrap();
    assert_eq!(counts().await, [("not_started", 1), ("withdrawn", 1)]);
    desk::resume(&stage, &ada, &id).await.unwrap();
    stage.submit(&ada, &id, complete(&view, 2.0, "")).await;
    assert_eq!(counts().await, [("not_started", 1), ("submitted", 1)]);
    desk::reopen(&stage, &ada, &id).await.unwrap();
    assert_eq!(counts().await, [("not_started", 1), ("reopened", 1)]);
    let version = stage.open(&ada, &id).await.version;
    desk::cannot_rate(&stage, &ada, &id, version, "other".into(), "x".into())
        .await
        .unwrap();
    assert_eq!(counts().await, [("not_ratable", 1), ("not_started", 1)]);
}
