//! Cross-check of items that one rater judged: another rater of the study reads the label.

use crate::fixture::Study;
use crate::statements::{answers, check, draw, give, next, open, says, statements, submit};
use domain::id::{ItemId, UserId};
use domain::refusal::Refusal;
use service::batch::Round;
use service::study::SchemeSource;
use service::{batch, desk, round};
use std::collections::HashMap;

// Only items that two had judged could be drawn, and the refusal spoke of fewer items left.
#[tokio::test]
async fn each_of_two_experts_reads_the_labels_of_the_other_alone() {
    let (study, items) = statements(4, 2).await;
    assert_eq!(
        draw(&study, 2).await,
        Err(Refusal::NothingIn),
        "nobody has judged"
    );
    study.assign_each(Round::Main, &[0, 1], 4, 1).await;
    assert_eq!(
        draw(&study, 2).await,
        Err(Refusal::NothingIn),
        "nobody is in"
    );
    let mut by = HashMap::new();
    for item in &items {
        let rater = submit(&study, item, "2").await;
        by.insert(format!("source-{item}"), rater);
    }
    let plan = round::plan_check(&study.app, &study.coordinator, &study.id, check(2))
        .await
        .expect("a plan");
    let models: Vec<_> = plan
        .models
        .iter()
        .map(|m| (m.value.as_str(), m.drawn))
        .collect();
    assert_eq!(models, [("x", 2), ("y", 2)]);
    assert_eq!(plan.reviews, 4, "each item is read once");
    draw(&study, 2).await.expect("drawn");
    for (at, reader) in study.raters.iter().enumerate() {
        for _ in 0..2 {
            let view = open(&study, reader).await.expect("all are in");
            assert_eq!(by[&view.item.key], 1 - at, "the other's");
            assert!(!view.judged, "they were not given it");
            give(&study, reader, &view, true).await;
        }
        assert_eq!(next(&study, reader).await, None);
    }
    assert_eq!(draw(&study, 2).await, Err(Refusal::AllChecked));
}

#[tokio::test]
async fn answers_are_read_in_words() {
    let (study, items) = statements(1, 2).await;
    study.assign_each(Round::Main, &[0], 1, 1).await;
    submit(&study, &items[0], "1").await;
    draw(&study, 1).await.expect("drawn");
    let view = open(&study, &study.raters[1]).await.expect("in");
    let words: Vec<_> = view
        .labels
        .iter()
        .map(|l| (l.label.as_str(), l.words.clone()))
        .collect();
    assert_eq!(
        words,
        [
            ("q:score", vec!["1 · Partly right".to_owned()]),
            (
                "q:points",
                vec!["1. Effect".to_owned(), "3. Harms".to_owned()]
            ),
        ]
    );
}

// Where ticking nothing is an answer, it was no label: nobody could disagree with it.
#[tokio::test]
async fn that_no_box_is_ticked_can_be_disagreed_with() {
    let scheme = SchemeSource::Builtin("mindeval2-mqm".into());
    let mut study = Study::of(scheme, 2).await;
    let item = study.item("i0", 0).await;
    study.assign_each(Round::Main, &[0], 1, 1).await;
    study
        .submit(0, &item, answers(&[("severity", &["0"], "")]))
        .await;
    draw(&study, 1).await.expect("drawn");
    let view = open(&study, &study.raters[1]).await.expect("in");
    let issues = view.labels.iter().find(|label| label.label == "q:issues");
    assert_eq!(issues.expect("a label").words, ["Nothing chosen"]);
}

#[tokio::test]
async fn three_raters_read_as_much_as_each_other_and_nobody_their_own() {
    let (study, items) = statements(12, 3).await;
    study.assign_each(Round::Main, &[0, 1, 2], 12, 1).await;
    let mut by = HashMap::new();
    for item in &items {
        by.insert(format!("source-{item}"), submit(&study, item, "2").await);
    }
    draw(&study, 6).await.expect("drawn");
    let mut read = [0; 3];
    for (at, reader) in study.raters.iter().enumerate() {
        while next(&study, reader).await.is_some() {
            let view = open(&study, reader).await.expect("in");
            assert_ne!(by[&view.item.key], at);
            read[at] += 1;
            give(&study, reader, &view, true).await;
        }
    }
    let spread = read.iter().max().unwrap() - read.iter().min().unwrap();
    assert!(read.iter().sum::<i32>() == 12 && spread <= 1, "{read:?}");
}

#[tokio::test]
async fn whoever_still_has_the_item_to_judge_does_not_read_what_another_said_of_it() {
    let (study, items) = statements(1, 2).await;
    study.assign(Round::Calibration, &[1]).await;
    study.assign_each(Round::Main, &[0], 1, 1).await;
    let main = study_main(&study, 0).await;
    study.submit(0, &items[0], says("2")).await;
    // B has it in the calibration.
    assert_eq!(draw(&study, 1).await, Err(Refusal::NobodyToReview));
    study.submit(1, &items[0], says("1")).await;
    draw(&study, 1).await.expect("B has judged it too");
    let reason = "asked for";
    desk::reopen_for(&study.app, &study.coordinator, &main, reason)
        .await
        .expect("open again");
    let reader = &study.raters[1];
    assert_eq!(open(&study, reader).await.map(drop), Err(Refusal::NotAllIn));
    study.submit(0, &items[0], says("2")).await;
    let view = open(&study, reader).await.expect("in again");
    assert!(view.judged, "in the calibration");
}

async fn study_main(study: &Study, rater: usize) -> domain::id::AssignmentId {
    study.assignment(rater, &ItemId::new("i0")).await
}

/// An item that A judged and C handed back.
async fn handed_back() -> (Study, ItemId, domain::id::AssignmentId) {
    let (study, mut items) = statements(1, 3).await;
    study.assign(Round::Main, &[0, 2]).await;
    let item = items.remove(0);
    study.submit(0, &item, says("2")).await;
    let theirs = study.assignment(2, &item).await;
    desk::hand_back(&study.app, &study.raters[2], &theirs)
        .await
        .expect("handed back");
    (study, item, theirs)
}

#[tokio::test]
async fn whoever_reads_a_judgement_in_a_cross_check_is_not_given_the_item_any_more() {
    let (study, _, withdrawn) = handed_back().await;
    draw(&study, 1).await.expect("drawn");
    let [_, b, c] = &study.raters[..] else {
        panic!("three raters");
    };
    // C could take the item up again, so it is B who reads.
    assert_eq!(next(&study, c).await, None);
    let to = async |rater: &UserId| {
        batch::reassign(&study.app, &study.coordinator, &withdrawn, rater)
            .await
            .map(drop)
            .map_err(|error| error.refusal())
    };
    assert_eq!(
        to(&b.user).await,
        Err(Refusal::ReadsItem),
        "before they read it"
    );
    let view = open(&study, b).await.expect("in");
    assert_eq!(
        to(&b.user).await,
        Err(Refusal::ReadsItem),
        "after they read it"
    );
    give(&study, b, &view, true).await;
    assert_eq!(
        to(&b.user).await,
        Err(Refusal::ReadsItem),
        "after they gave it"
    );
}

#[tokio::test]
async fn a_judgement_drawn_is_not_shown_while_somebody_new_has_the_item() {
    let (study, item, theirs) = handed_back().await;
    draw(&study, 1).await.expect("drawn");
    desk::resume(&study.app, &study.raters[2], &theirs)
        .await
        .expect("C takes it up again");
    let b = &study.raters[1];
    assert_eq!(open(&study, b).await.map(drop), Err(Refusal::NotAllIn));
    study.submit(2, &item, says("1")).await;
    assert!(open(&study, b).await.is_ok());
}

#[tokio::test]
async fn an_item_of_two_raters_of_whom_one_could_not_rate_it_is_not_taken_for_an_item_of_one() {
    let (study, items) = statements(1, 3).await;
    study.assign(Round::Main, &[0, 1]).await;
    study.submit(0, &items[0], says("2")).await;
    let (b, assignment) = (&study.raters[1], study.assignment(1, &items[0]).await);
    let version = desk::open(&study.app, b, &assignment)
        .await
        .expect("open")
        .version;
    let reason = "text_damaged".to_owned();
    desk::cannot_rate(&study.app, b, &assignment, version, reason, String::new())
        .await
        .expect("said so");
    assert_eq!(draw(&study, 1).await, Err(Refusal::NobodyToReview));
}
