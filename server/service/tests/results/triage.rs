//! Comments and reports wait in one place until staff answer, forward or take them back.

use crate::fixture::{Study, judges, says};
use domain::annotation::Judgement;
use domain::id::UnitId;
use domain::refusal::Refusal;
use domain::scheme::Validity::Valid;
use domain::triage::TriageState;
use service::batch::Round;
use service::desk;
use service::discussion::{self};
use service::triage::{self, InboxFilter, InboxRow, Picked};
use service::unit::Page;

async fn inbox(study: &Study, filter: InboxFilter) -> Vec<InboxRow> {
    let page = Page::default();
    triage::inbox(&study.app, &study.coordinator, &study.id, &filter, page)
        .await
        .expect("an inbox")
        .rows
}

fn picked(row: &InboxRow) -> Picked {
    Picked {
        annotation: row.annotation.clone(),
        subject: row.subject.clone(),
        seq: row.seq,
    }
}

fn remark(severity: f64, comment: &str) -> Judgement {
    Judgement {
        comment: comment.into(),
        discuss: !comment.is_empty(),
        ..says(Valid, severity)
    }
}

#[tokio::test]
async fn comments_wait_until_all_are_in_and_a_report_that_holds_no_judgement_does_not() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    let other = study.item("j", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [remark(4.0, "Is this one?")]))
        .await;
    let assignment = study.assignment(0, &other).await;
    desk::open(&study.app, &study.raters[0], &assignment)
        .await
        .expect("open");
    desk::cannot_rate(
        &study.app,
        &study.raters[0],
        &assignment,
        0,
        "language".into(),
        String::new(),
    )
    .await
    .expect("reported");
    let filter = InboxFilter::default();
    let rows = inbox(&study, filter.clone()).await;
    assert_eq!(
        rows.iter()
            .map(|row| row.not_ratable.as_str())
            .collect::<Vec<_>>(),
        ["language"]
    );
    study
        .submit(1, &item, judges(&item, [says(Valid, 4.0)]))
        .await;
    let rows = inbox(&study, filter).await;
    let said: Vec<_> = rows.iter().map(|row| row.text.as_str()).collect();
    assert_eq!(said, ["Is this one?", ""]);
}

#[tokio::test]
async fn triage_in_bulk_can_be_taken_back_and_one_that_was_overtaken_is_a_conflict() {
    let (study, rows) = commented().await;
    let chosen: Vec<Picked> = rows.iter().map(picked).collect();
    let act = async |chosen: &[Picked], state| {
        let done = triage::act(&study.app, &study.coordinator, &study.id, chosen, state, "").await;
        done.map_err(|error| error.refusal())
    };
    let undo = act(&chosen, TriageState::Resolved).await.expect("resolved");
    assert_eq!(
        act(&chosen, TriageState::Guideline).await,
        Err(Refusal::Conflict)
    );
    let states = async || -> Vec<TriageState> {
        let rows = inbox(&study, InboxFilter::default()).await;
        rows.iter().map(|row| row.state).collect()
    };
    assert_eq!(states().await, [TriageState::Resolved; 2]);
    triage::undo(&study.app, &study.coordinator, &study.id, &undo)
        .await
        .expect("undone");
    assert_eq!(states().await, [TriageState::Unread; 2]);
    assert_eq!(
        act(&chosen, TriageState::Answered).await,
        Err(Refusal::ReasonNeeded)
    );
}

/// An item on which both raters commented.
async fn commented() -> (Study, Vec<InboxRow>) {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [remark(4.0, "First.")]))
        .await;
    study
        .submit(1, &item, judges(&item, [remark(4.0, "Second.")]))
        .await;
    let rows = inbox(&study, InboxFilter::default()).await;
    assert_eq!(rows.len(), 2);
    (study, rows)
}

#[tokio::test]
async fn a_forwarded_comment_becomes_a_discussion_and_an_answer_reaches_its_rater() {
    let (study, rows) = commented().await;
    let forward = picked(&rows[0]);
    let unit = triage::forward(
        &study.app,
        &study.coordinator,
        &study.id,
        &forward,
        "What do you both think?",
    )
    .await
    .expect("forwarded");
    assert_eq!(unit, UnitId::new("i.1"));
    assert_eq!(
        discussion::mine(&study.app, &study.raters[1])
            .await
            .expect("a list")
            .len(),
        1
    );
    let answered = picked(&rows[1]);
    triage::act(
        &study.app,
        &study.coordinator,
        &study.id,
        &[answered],
        TriageState::Answered,
        "See the note on danger.",
    )
    .await
    .expect("answered");
    let theirs = triage::replies(&study.app, &study.raters[1])
        .await
        .expect("replies");
    assert_eq!(theirs.len(), 1);
    assert_eq!(theirs[0].answer, "See the note on danger.");
    assert_eq!(
        triage::replies(&study.app, &study.raters[0])
            .await
            .expect("replies"),
        []
    );
    let filter = InboxFilter {
        rater: "B".into(),
        ..InboxFilter::default()
    };
    assert_eq!(inbox(&study, filter).await.len(), 1);
}
