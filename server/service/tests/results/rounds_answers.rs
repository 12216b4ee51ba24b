//! Calibration of schemes that ask about the item: answers are shown and counted as tags are.

use crate::fixture::Study;
use crate::statements::answers;
use domain::annotation::Annotation;
use domain::id::ItemId;
use service::batch::Round;
use service::round::{self, Feedback, FeedbackSaid};
use service::study::SchemeSource;

/// A score whose difference counts from two points on, ticks whose difference does not, and a remark.
const SCHEME: &str = r#"
id = "fit"
version = 1
title = "Fit"
unit = "item"
[[items]]
id = "fit"
kind = "ordinal"
name = "Fit"
question = "How fitting?"
rationale = true
distance_above = 1
levels = [{ value = 0, name = "Harmful" }, { value = 1, name = "Short" }, { value = 2, name = "Fitting" }]
[[items]]
id = "risk"
kind = "nominal"
question = "Which risk?"
levels = [{ code = "none", name = "No risk" }, { code = "acute", name = "Acute risk" }]
[[items]]
id = "steps"
kind = "multi"
question = "Which steps?"
asked = "optional"
disputed = false
levels = [{ code = "asks", name = "Asks about danger" }, { code = "refers", name = "Names a service" }]
[[items]]
id = "remark"
kind = "text"
question = "Remark?"
asked = "optional"
"#;

async fn calibrated() -> (Study, ItemId, domain::id::BatchId) {
    let mut study = Study::of(SchemeSource::Toml(SCHEME.into()), 2).await;
    let item = study.item("i", 0).await;
    let batch = study.assign(Round::Calibration, &[0, 1]).await;
    (study, item, batch)
}

async fn feedback(study: &Study, rater: usize, item: &ItemId) -> Feedback {
    let assignment = study.assignment(rater, item).await;
    round::feedback(&study.app, &study.raters[rater], &assignment)
        .await
        .expect("all are in")
}

fn one(fit: &str, risk: &str) -> Annotation {
    answers(&[("fit", &[fit], ""), ("risk", &[risk], "")])
}

// The page and the API had counted tags alone: a scheme without tags had 0 of 0, and its raters an empty table.
#[tokio::test]
async fn answers_are_shown_in_words_with_their_reasons_and_compared_by_the_rule_of_each_question() {
    let (study, item, batch) = calibrated().await;
    let mine = answers(&[("fit", &["2"], ""), ("risk", &["none"], "")]);
    let theirs = answers(&[
        ("fit", &["1"], "No service is named."),
        ("risk", &["acute"], ""),
        ("steps", &["asks"], ""),
        ("remark", &["Rather brief."], ""),
    ]);
    study.submit(0, &item, mine).await;
    study.submit(1, &item, theirs).await;
    let seen = feedback(&study, 0, &item).await;
    let said = |answer: &str, comment: &str| FeedbackSaid {
        answer: vec![answer.into()],
        comment: comment.into(),
        ..FeedbackSaid::default()
    };
    let rows: Vec<_> = seen
        .rows
        .iter()
        .map(|row| {
            let theirs = row.theirs.first().cloned();
            (
                row.label.as_str(),
                row.mine.clone(),
                theirs,
                row.compared,
                row.differs,
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            // One point apart is within the distance of this question.
            (
                "q:fit",
                Some(said("2 · Fitting", "")),
                Some(said("1 · Short", "No service is named.")),
                true,
                false
            ),
            (
                "q:risk",
                Some(said("No risk", "")),
                Some(said("Acute risk", "")),
                true,
                true
            ),
            // Shown, but a difference in them is no disagreement.
            (
                "q:steps",
                Some(said("Nothing chosen", "")),
                Some(said("Asks about danger", "")),
                false,
                false
            ),
            (
                "q:remark",
                None,
                Some(said("Rather brief.", "")),
                false,
                false
            ),
        ]
    );
    assert_eq!((seen.agree, seen.compared), (1, 2));

    let round = round::calibration(&study.app, &study.coordinator, &batch)
        .await
        .expect("scores");
    let scores: Vec<_> = round
        .raters
        .iter()
        .map(|r| (r.letter.as_str(), r.compared, r.agree, r.exact))
        .collect();
    // Neither of the two answers is the same, and one is near enough.
    assert_eq!(scores, [("A", 2, 1, 0), ("B", 2, 1, 0)]);
}

#[tokio::test]
async fn a_rater_passes_a_calibration_by_answers_alone() {
    let (study, item, batch) = calibrated().await;
    let reference = study.raters[0].user.clone();
    let measure = async |share| {
        let (app, staff) = (&study.app, &study.coordinator);
        round::calibrate(app, staff, &batch, Some(reference.clone()), Some(share))
            .await
            .expect("measured");
        let scores = round::calibration(app, staff, &batch)
            .await
            .expect("scores");
        let b = &scores.raters[0];
        (b.letter.clone(), b.compared, b.exact, b.passed)
    };
    assert_eq!(
        measure(0.5).await,
        ("B".into(), 0, 0, None),
        "nothing is in"
    );
    study.submit(0, &item, one("2", "none")).await;
    study.submit(1, &item, one("0", "none")).await;
    // Two points apart in one of two answers, the other the same: half of them agree.
    assert_eq!(measure(0.5).await, ("B".into(), 2, 1, Some(true)));
    assert_eq!(measure(0.75).await, ("B".into(), 2, 1, Some(false)));
}

#[tokio::test]
async fn whoever_could_not_rate_the_item_agrees_with_nobody_and_differs_from_nobody() {
    let (study, item, _) = calibrated().await;
    study.submit(0, &item, one("2", "none")).await;
    let assignment = study.assignment(1, &item).await;
    let b = &study.raters[1];
    let version = service::desk::open(&study.app, b, &assignment)
        .await
        .expect("open")
        .version;
    let reason = "text_damaged".to_owned();
    service::desk::cannot_rate(&study.app, b, &assignment, version, reason, String::new())
        .await
        .expect("said so");
    let seen = feedback(&study, 1, &item).await;
    let rows: Vec<_> = seen
        .rows
        .iter()
        .map(|row| (row.mine.is_none(), row.theirs.len()))
        .collect();
    assert_eq!(
        rows,
        [(true, 1), (true, 1), (true, 1)],
        "fit, risk and that nothing was ticked"
    );
    assert_eq!((seen.agree, seen.compared), (0, 0));
}
