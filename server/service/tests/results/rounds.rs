//! Calibration and cross-check: nothing is shown before both are in, nothing changes after, and what is counted.

use crate::fixture::{Study, judges, says};
use domain::id::{ItemId, UserId};
use domain::refusal::Refusal;
use domain::scheme::Validity::{Invalid, Valid};
use service::agreement::{AgreementQuery, report};
use service::batch::{NewBatch, Round, Stratify};
use service::round::{self, Given, NewCheck, ReviewView};
use service::{Actor, audit, batch, desk};

fn check(per_model: u32) -> NewCheck {
    NewCheck {
        name: "Quality".into(),
        per_model,
        seed: Some(42),
    }
}

/// So many items of one tag, which rater A gave 2 and rater B 3.
async fn judged(items: usize) -> Study {
    let mut study = Study::new(2).await;
    for number in 0..items {
        study.item(&format!("i{number}"), 1).await;
    }
    study.assign(Round::Main, &[0, 1]).await;
    for number in 0..items {
        let item = ItemId::new(format!("i{number}"));
        for (rater, severity) in [(0, 2.0), (1, 3.0)] {
            study
                .submit(rater, &item, judges(&item, [says(Valid, severity)]))
                .await;
        }
    }
    study
}

async fn next(study: &Study, actor: &Actor) -> String {
    let checks = round::my_checks(&study.app, actor).await.expect("checks");
    checks
        .into_iter()
        .find_map(|check| check.next)
        .expect("a review")
}

async fn open(study: &Study, actor: &Actor) -> ReviewView {
    let id = next(study, actor).await;
    round::review(&study.app, actor, &id).await.expect("open")
}

fn all(view: &ReviewView, agrees: bool, note: &str) -> Vec<Given> {
    let given = |label: &round::ReviewLabel| Given {
        label: label.label.clone(),
        agrees,
        note: note.into(),
    };
    view.labels.iter().map(given).collect()
}

async fn give(study: &Study, actor: &Actor, agrees: bool) {
    let view = open(study, actor).await;
    round::give(&study.app, actor, &view.id, all(&view, agrees, "a note"))
        .await
        .expect("given");
}

#[tokio::test]
async fn each_rater_reads_the_others_labels_and_disagreements_are_counted_by_model() {
    let study = judged(4).await;
    let plan = round::plan_check(&study.app, &study.coordinator, &study.id, check(3))
        .await
        .expect("a plan");
    assert_eq!(
        (plan.seed, plan.models[0].available, plan.models[0].drawn),
        (42, 4, 3)
    );
    assert_eq!(plan.reviews, 6, "three items, each read by both");
    round::create_check(&study.app, &study.coordinator, &study.id, check(3))
        .await
        .expect("a cross-check");
    let [a, b] = [&study.raters[0], &study.raters[1]];
    let (seen_by_a, seen_by_b) = (open(&study, a).await, open(&study, b).await);
    assert_eq!(seen_by_a.labels[0].severity, Some(3.0), "what B said");
    assert_eq!(seen_by_b.labels[0].severity, Some(2.0), "what A said");
    for agrees in [true, false, true] {
        give(&study, a, agrees).await;
    }
    give(&study, b, true).await;
    let rows = round::disagreements(&study.app, &study.coordinator, &study.id)
        .await
        .expect("rows");
    let total = rows.last().expect("a total");
    assert_eq!((rows.len(), rows[0].model.as_str()), (2, "model-1"));
    assert_eq!((total.counts.items, total.counts.reviews), (3, 6));
    assert_eq!(
        (total.counts.reviews_done, total.counts.reviews_disagreed),
        (4, 1)
    );
    assert_eq!((total.counts.items_done, total.counts.labels), (1, 4));
    give(&study, b, true).await;
    give(&study, b, true).await;
    let rows = round::disagreements(&study.app, &study.coordinator, &study.id)
        .await
        .expect("rows");
    assert_eq!(
        (rows[0].counts.items_done, rows[0].counts.items_disagreed),
        (3, 1)
    );
    let csv = round::disagreements_csv(&study.app, &study.coordinator, &study.id)
        .await
        .expect("csv");
    let text = String::from_utf8(csv).expect("text");
    assert!(
        text.contains("model-1,3,3,1,6,6,1,6,1,\r\nmodel-1,3,3,1,6,6,1,6,1,tags\r\n"),
        "{text}"
    );
    let again = round::plan_check(&study.app, &study.coordinator, &study.id, check(3)).await;
    assert_eq!(
        again.expect("one is left").models[0].available,
        1,
        "an item is cross-checked once"
    );
}

#[tokio::test]
async fn nothing_is_drawn_before_both_are_in_and_nothing_changes_after_it_was_shown() {
    let mut study = Study::new(2).await;
    let item = study.item("i0", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [says(Valid, 2.0)]))
        .await;
    let early = round::create_check(&study.app, &study.coordinator, &study.id, check(1)).await;
    assert_eq!(
        early.expect_err("one is missing").refusal(),
        Refusal::NothingIn
    );
    study
        .submit(1, &item, judges(&item, [says(Valid, 3.0)]))
        .await;
    round::create_check(&study.app, &study.coordinator, &study.id, check(1))
        .await
        .expect("a cross-check");
    let a = &study.raters[0];
    let assignment = study.assignment(0, &item).await;
    let id = next(&study, a).await;
    let other = round::review(&study.app, &study.raters[1], &id).await;
    assert_eq!(other.expect_err("not theirs").refusal(), Refusal::NotFound);
    round::review(&study.app, a, &id).await.expect("shown");
    let late = desk::reopen(&study.app, a, &assignment).await;
    assert_eq!(late.expect_err("shown").refusal(), Refusal::OtherSeen);
    let b = study.assignment(1, &item).await;
    desk::reopen(&study.app, &study.raters[1], &b)
        .await
        .expect("B has seen nothing");
}

#[tokio::test]
async fn a_review_is_whole_says_why_and_is_given_once() {
    let study = judged(1).await;
    round::create_check(&study.app, &study.coordinator, &study.id, check(1))
        .await
        .expect("a cross-check");
    let a = &study.raters[0];
    let view = open(&study, a).await;
    let give = async |given| {
        round::give(&study.app, a, &view.id, given)
            .await
            .map_err(|error| error.refusal())
    };
    assert_eq!(give(Vec::new()).await, Err(Refusal::Incomplete));
    assert_eq!(
        give(all(&view, false, " ")).await,
        Err(Refusal::ReasonNeeded)
    );
    let stranger = Given {
        label: "x".into(),
        agrees: true,
        note: String::new(),
    };
    let more = [all(&view, true, ""), vec![stranger]].concat();
    assert_eq!(give(more).await, Err(Refusal::InputInvalid));
    assert_eq!(give(all(&view, true, "")).await, Ok(None));
    assert_eq!(
        give(all(&view, true, "")).await,
        Err(Refusal::AssignmentClosed)
    );
    let shown = round::review(&study.app, a, &view.id).await.expect("kept");
    assert_eq!(shown.labels[0].agrees, Some(true));
    assert!(
        audit::verify(&study.app, &study.coordinator, &study.id)
            .await
            .expect("walked")
            .is_ok()
    );
}

/// Three raters calibrate on an item of four tags.
async fn calibrated() -> (Study, ItemId, domain::id::BatchId) {
    let mut study = Study::new(3).await;
    let item = study.item("i", 4).await;
    let batch = study.assign(Round::Calibration, &[0, 1, 2]).await;
    (study, item, batch)
}

async fn feedback(study: &Study, rater: usize, item: &ItemId) -> Result<round::Feedback, Refusal> {
    let assignment = study.assignment(rater, item).await;
    round::feedback(&study.app, &study.raters[rater], &assignment)
        .await
        .map_err(|error| error.refusal())
}

#[tokio::test]
async fn feedback_comes_when_both_are_in_and_the_judgement_is_fixed_then() {
    let (study, item, batch) = calibrated().await;
    let reference: UserId = study.raters[0].user.clone();
    round::calibrate(
        &study.app,
        &study.coordinator,
        &batch,
        Some(reference),
        Some(0.75),
    )
    .await
    .expect("a reference");
    let four = |a: f64| {
        [
            says(Valid, a),
            says(Valid, a),
            says(Valid, a),
            says(Invalid, 1.0),
        ]
    };
    study.submit(1, &item, judges(&item, four(3.0))).await;
    assert_eq!(
        feedback(&study, 1, &item).await.map(drop),
        Err(Refusal::NotAllIn),
        "the reference is missing"
    );
    let said = [
        says(Valid, 3.0),
        says(Valid, 4.0),
        says(Valid, 5.0),
        says(Invalid, 1.0),
    ];
    study.submit(0, &item, judges(&item, said)).await;
    assert_eq!(
        feedback(&study, 2, &item).await.map(drop),
        Err(Refusal::NotAllIn),
        "they have not judged it themselves"
    );
    let seen = feedback(&study, 1, &item).await.expect("both are in");
    let differs: Vec<bool> = seen.rows.iter().map(|row| row.differs).collect();
    // 3 against 3, 4 and 5: more than one point apart is a difference.
    assert_eq!(differs, [false, false, true, false]);
    assert_eq!((seen.agree, seen.by_reference), (3, true));
    assert!(seen.rows.iter().all(|row| row.theirs.len() == 1));
    let assignment = study.assignment(1, &item).await;
    let late = desk::reopen(&study.app, &study.raters[1], &assignment).await;
    assert_eq!(late.expect_err("shown").refusal(), Refusal::OtherSeen);

    study.submit(2, &item, judges(&item, four(1.0))).await;
    let round = round::calibration(&study.app, &study.coordinator, &batch)
        .await
        .expect("scores");
    let scores: Vec<_> = round
        .raters
        .iter()
        .map(|r| (r.letter.as_str(), r.compared, r.agree, r.exact, r.passed))
        .collect();
    // C gave 1 where the reference has 3, 4 and 5; only the wrong tag is the same.
    assert_eq!(
        scores,
        [("B", 4, 3, 2, Some(true)), ("C", 4, 1, 1, Some(false)),]
    );
    assert_eq!(round.reference, "A");
}

#[tokio::test]
async fn calibration_is_in_no_later_statistic_and_its_shown_items_in_no_later_sample() {
    let (mut study, item, _) = calibrated().await;
    for rater in 0..3 {
        let said = [
            says(Valid, 3.0),
            says(Valid, 3.0),
            says(Valid, 3.0),
            says(Valid, 3.0),
        ];
        study.submit(rater, &item, judges(&item, said)).await;
    }
    feedback(&study, 0, &item).await.expect("all are in");
    study.item("j", 1).await;
    let raters: Vec<UserId> = study.raters.iter().map(|r| r.user.clone()).collect();
    let new = |size| NewBatch {
        name: "Main".into(),
        round: Round::Main,
        size,
        seed: Some(1),
        stratify: Stratify::None,
        raters: raters.clone(),
        raters_per_item: 2,
        hidden_percent: 0,
    };
    let both = batch::plan(&study.app, &study.coordinator, &study.id, new(2)).await;
    assert_eq!(
        both.expect_err("one was shown").refusal(),
        Refusal::NotEnoughItems
    );
    batch::create(&study.app, &study.coordinator, &study.id, new(1))
        .await
        .expect("the other is free");
    let found = report(
        &study.app,
        &study.coordinator,
        &study.id,
        &AgreementQuery::default(),
    )
    .await
    .expect("a report");
    assert_eq!(found.groups[0].stats[0].n_units, 0);
    let wrong = round::calibrate(
        &study.app,
        &study.coordinator,
        &batch::list(&study.app, &study.coordinator, &study.id)
            .await
            .expect("batches")
            .last()
            .expect("the main round")
            .id,
        None,
        None,
    )
    .await;
    assert_eq!(
        wrong.expect_err("no calibration").refusal(),
        Refusal::InputInvalid
    );
}
