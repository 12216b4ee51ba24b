//! The desk: open, save, submit and every other step of a rater.

use crate::common::{Stage, complete, refused, save};
use domain::annotation::{Annotation, Gap, Judgement, MissedTag};
use domain::assignment::AssignmentState;
use domain::id::{CandidateId, MissedTagId};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::scheme::Validity;
use domain::study::Blinding;
use service::desk::SubmitOutcome;
use service::{Actor, desk, member, study};

pub async fn stage() -> (Stage, Actor) {
    let stage = Stage::with(3).await;
    let ada = stage.rater("ada").await;
    stage.batch(3, &[&ada]).await;
    (stage, ada)
}

#[tokio::test]
async fn the_desk_shows_item_candidates_and_place() {
    let (stage, ada) = stage().await;
    let [first, second, third] = stage.work_of(&ada).await.try_into().unwrap();
    let view = stage.open(&ada, &second).await;
    assert_eq!((view.previous, view.next), (Some(first), Some(third)));
    assert_eq!(
        (
            view.progress.done,
            view.progress.total,
            view.progress.position
        ),
        (0, 3, 2)
    );
    assert_eq!(
        (
            view.study_name.as_str(),
            view.batch_name.as_str(),
            view.version
        ),
        ("Stigma", "First", 0)
    );
    let candidate = &view.candidates[0];
    assert_eq!(
        (
            candidate.number,
            candidate.code.as_str(),
            candidate.severity
        ),
        (1, "1.1", Some(4.5))
    );
    let (start, end, quote) = &candidate.spans[0];
    assert_eq!(
        domain::annotation::slice(&view.item.trace, (*start, *end)),
        Some(quote.as_str())
    );
    assert_eq!(
        view.candidates[1].spans[0].2, "cannot decide",
        "offsets count code points past the emoji"
    );
    assert_eq!(
        view.gaps.len(),
        5,
        "two validities, two severities, the missed step"
    );
    assert!(view.annotation.is_blank() && !view.can_reopen);
}

#[tokio::test]
async fn hidden_facts_are_not_in_the_view() {
    let (stage, ada) = stage().await;
    let id = stage.work_of(&ada).await.remove(0);
    let labels = |view: &desk::DeskView| {
        view.item
            .facts
            .iter()
            .map(|(label, _)| label.clone())
            .collect::<Vec<_>>()
    };
    let view = stage.open(&ada, &id).await;
    assert_eq!(
        labels(&view),
        ["Condition", "Gender", "Mode"],
        "the model is hidden by default"
    );
    let all = Blinding {
        model: true,
        condition: true,
        judge_severity: true,
    };
    study::set_blinding(&stage, &stage.staff, &stage.study, all)
        .await
        .unwrap();
    let view = stage.open(&ada, &id).await;
    assert_eq!(labels(&view), ["Gender", "Mode"]);
    assert!(
        view.judge_hidden
            && view
                .candidates
                .iter()
                .all(|candidate| candidate.severity.is_none())
    );
    let none = Blinding {
        model: false,
        condition: false,
        judge_severity: false,
    };
    study::set_blinding(&stage, &stage.staff, &stage.study, none)
        .await
        .unwrap();
    assert_eq!(
        labels(&stage.open(&ada, &id).await),
        ["Condition", "Gender", "Mode", "Model"]
    );
}

#[tokio::test]
async fn the_first_sight_is_recorded_once() {
    let (stage, ada) = stage().await;
    let id = stage.work_of(&ada).await.remove(0);
    let before = stage.rows("audit").await;
    stage.open(&ada, &id).await;
    assert_eq!(
        stage.rows("audit").await,
        before,
        "it was opened by work_of"
    );
    let mut db = stage.db.read().await.unwrap();
    let (mine, ..) = store::assignment::mine(&mut db, &id, &ada.user)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(mine.opened_at, Some(service::testing::START));
}

#[tokio::test]
async fn a_draft_comes_back_as_it_was_written() {
    let (stage, ada) = stage().await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    let mut draft = Annotation {
        comment: "not sure 🙂".into(),
        missed_count: Some(1),
        ..Annotation::default()
    };
    let half = Judgement {
        severity: Some(2.0),
        better: vec!["4.1".into()],
        discuss: true,
        ..Judgement::default()
    };
    draft.judgements.insert(view.candidates[0].id.clone(), half);
    draft.missed.push(MissedTag {
        id: MissedTagId::new("m1"),
        code: String::new(),
        severity: None,
        span: Some((0, 5)),
        quote: "Trace".into(),
        comment: "later".into(),
    });
    let saved = desk::save(&stage, &ada, &id, save(0, "s1", draft.clone()))
        .await
        .unwrap();
    assert_eq!((saved.version, saved.saved_at), (1, stage.now()));
    let view = stage.open(&ada, &id).await;
    assert_eq!(
        (view.annotation, view.version, view.state),
        (draft, 1, AssignmentState::InProgress)
    );
    assert_eq!(view.gaps, saved.gaps);
    assert!(view.gaps.contains(&Gap::MissedCategory {
        tag: MissedTagId::new("m1")
    }));
}

#[tokio::test]
async fn what_no_draft_may_say_is_refused() {
    let (stage, ada) = stage().await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    let tag = |span, quote: &str| MissedTag {
        id: MissedTagId::new("m"),
        code: "1.1".into(),
        severity: None,
        span: Some(span),
        quote: quote.into(),
        comment: String::new(),
    };
    let missed = |tags: Vec<MissedTag>| Annotation {
        missed: tags,
        ..Annotation::default()
    };
    let judged = |candidate: CandidateId, severity| {
        let judgement = Judgement {
            severity: Some(severity),
            ..Judgement::default()
        };
        Annotation {
            judgements: [(candidate, judgement)].into(),
            ..Annotation::default()
        }
    };
    let length = view.item.trace.chars().count() as u32;
    for (annotation, expected) in [
        (missed(vec![tag((0, length + 1), "x")]), Refusal::BadSpan),
        (missed(vec![tag((3, 3), "")]), Refusal::BadSpan),
        (missed(vec![tag((0, 5), "Other")]), Refusal::QuoteDiffers),
        (
            missed(vec![tag((0, 5), "Trace"), tag((0, 5), "Trace")]),
            Refusal::SameTagTwice,
        ),
        (
            judged(view.candidates[0].id.clone(), 6.0),
            Refusal::AnnotationInvalid,
        ),
        (
            judged(view.candidates[0].id.clone(), 3.5),
            Refusal::AnnotationInvalid,
        ),
        (
            judged(CandidateId::new("of another item"), 3.0),
            Refusal::AnnotationInvalid,
        ),
        (
            Annotation {
                comment: "x".repeat(10_001),
                ..Annotation::default()
            },
            Refusal::TextTooLong,
        ),
    ] {
        assert_eq!(
            refused(desk::save(&stage, &ada, &id, save(0, "s", annotation)).await),
            expected
        );
    }
    assert_eq!(stage.rows("drafts").await, 0);
}

#[tokio::test]
async fn an_incomplete_submission_is_kept_and_says_what_is_missing() {
    let (stage, ada) = stage().await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    let mut annotation = complete(&view, 3.0, "");
    annotation.nothing_missed = false;
    annotation
        .judgements
        .get_mut(&view.candidates[1].id)
        .unwrap()
        .severity = None;
    let outcome = stage.submit(&ada, &id, annotation.clone()).await;
    let gaps = vec![
        Gap::Severity {
            candidate: view.candidates[1].id.clone(),
        },
        Gap::Missed,
    ];
    assert_eq!(
        outcome,
        SubmitOutcome::Incomplete {
            version: 1,
            saved_at: stage.now(),
            gaps
        }
    );
    let view = stage.open(&ada, &id).await;
    assert_eq!(
        (view.annotation, view.state),
        (annotation, AssignmentState::InProgress)
    );
    assert_eq!(stage.rows("annotations").await, 0);
}

#[tokio::test]
async fn a_submission_leads_to_the_next_open_assignment_and_wraps_around() {
    let (stage, ada) = stage().await;
    let [first, second, third] = stage.work_of(&ada).await.try_into().unwrap();
    let mut next = Vec::new();
    for id in [&second, &third, &first] {
        let view = stage.open(&ada, id).await;
        let SubmitOutcome::Submitted {
            next: to,
            submitted_at,
            ..
        } = stage.submit(&ada, id, complete(&view, 3.0, "")).await
        else {
            panic!("complete")
        };
        assert_eq!(submitted_at, stage.now());
        next.push(to);
    }
    assert_eq!(next, [Some(third), Some(first), None]);
    let work = desk::my_work(&stage, &ada).await.unwrap();
    let batch = &work.studies[0].batches[0];
    assert_eq!((batch.done, batch.total, batch.next.clone()), (3, 3, None));
}

#[tokio::test]
async fn a_submission_is_read_back_as_it_was_given() {
    let (stage, ada) = stage().await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    let mut annotation = complete(&view, 3.0, "why");
    annotation.nothing_missed = false;
    annotation.missed_count = Some(1);
    let other = annotation
        .judgements
        .get_mut(&view.candidates[0].id)
        .unwrap();
    (other.validity, other.better, other.discuss) = (
        Some(Validity::ValidOtherSubcategory),
        vec!["1.2".into(), "1.3".into()],
        true,
    );
    let out = annotation
        .judgements
        .get_mut(&view.candidates[1].id)
        .unwrap();
    (out.validity, out.severity) = (Some(Validity::Invalid), None);
    annotation.missed.push(MissedTag {
        id: MissedTagId::new("m1"),
        code: "4.1".into(),
        severity: Some(5.0),
        span: Some((0, 5)),
        quote: "Trace".into(),
        comment: "c".into(),
    });
    stage.submit(&ada, &id, annotation.clone()).await;
    let mut db = stage.db.read().await.unwrap();
    let stored = store::annotation::latest_of_assignment(&mut db, &id, &ada.user)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (
            stored.body,
            stored.version,
            stored.ratable,
            stored.round.as_str()
        ),
        (annotation, 1, true, "main")
    );
}

#[tokio::test]
async fn an_assignment_is_its_raters_and_nobody_elses() {
    let (stage, ada) = stage().await;
    let bo = stage.rater("bo").await;
    let id = stage.work_of(&ada).await.remove(0);
    for other in [&bo, &stage.staff, &Actor::operator()] {
        assert_eq!(
            refused(desk::open(&stage, other, &id).await),
            Refusal::NotFound
        );
        assert_eq!(
            refused(desk::save(&stage, other, &id, save(0, "s", Annotation::default())).await),
            Refusal::NotFound
        );
        assert_eq!(
            refused(desk::submit(&stage, other, &id, save(0, "s", Annotation::default())).await),
            Refusal::NotFound
        );
        assert_eq!(
            refused(desk::hand_back(&stage, other, &id).await),
            Refusal::NotFound
        );
        assert_eq!(
            refused(desk::resume(&stage, other, &id).await),
            Refusal::NotFound
        );
        assert_eq!(
            refused(desk::reopen(&stage, other, &id).await),
            Refusal::NotFound
        );
        let cannot = desk::cannot_rate(&stage, other, &id, 0, "other".into(), "x".into()).await;
        assert_eq!(refused(cannot), Refusal::NotFound);
    }
    member::set_active(
        &stage,
        &stage.staff,
        &stage.study,
        &ada.user,
        Role::Rater,
        false,
    )
    .await
    .unwrap();
    assert_eq!(
        refused(desk::open(&stage, &ada, &id).await),
        Refusal::Forbidden
    );
    assert!(
        desk::my_work(&stage, &ada)
            .await
            .unwrap()
            .studies
            .is_empty()
    );
}

#[tokio::test]
async fn a_signed_off_study_takes_nothing_more() {
    let (stage, ada) = stage().await;
    let [first, second, _] = stage.work_of(&ada).await.try_into().unwrap();
    let view = stage.open(&ada, &first).await;
    stage.submit(&ada, &first, complete(&view, 2.0, "")).await;
    service::testing::sign_off(&stage, &stage.staff, &stage.study).await;
    let late = desk::save(&stage, &ada, &second, save(0, "s", Annotation::default())).await;
    assert_eq!(refused(late), Refusal::StudyClosed);
    assert_eq!(
        refused(desk::reopen(&stage, &ada, &first).await),
        Refusal::StudyClosed
    );
    assert!(!stage.open(&ada, &first).await.can_reopen);
    assert_eq!(
        refused(desk::reopen_for(&stage, &stage.staff, &first, "why").await),
        Refusal::StudyClosed
    );
}
