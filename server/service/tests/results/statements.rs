//! Statements that raters score, and the cross-check of their scores.

use crate::fixture::Study;
use domain::annotation::{Annotation, Answer};
use domain::id::ItemId;
use domain::refusal::Refusal;
use service::Actor;
use service::round::{self, Given, NewCheck, ReviewView};
use service::study::SchemeSource;

pub const POINTS: [&str; 3] = ["Effect", "Size", "Harms"];

/// Statements of two models in turn, of which nobody has judged any.
pub async fn statements(items: usize, raters: usize) -> (Study, Vec<ItemId>) {
    let scheme = SchemeSource::Builtin("psrs-main-results".into());
    let mut study = Study::of(scheme, raters).await;
    let mut all = Vec::new();
    for number in 0..items {
        let model = ["x", "y"][number % 2];
        all.push(
            study
                .item_of(&format!("i{number}"), model, &POINTS, 0)
                .await,
        );
    }
    (study, all)
}

/// An annotation that answers questions about the item: question, values, reason.
pub fn answers(given: &[(&str, &[&str], &str)]) -> Annotation {
    let one = |(question, values, reason): &(&str, &[&str], &str)| {
        let answer = Answer {
            values: values.iter().map(ToString::to_string).collect(),
            rationale: (*reason).into(),
        };
        ((*question).to_owned(), answer)
    };
    Annotation {
        answers: given.iter().map(one).collect(),
        ..Annotation::default()
    }
}

pub fn says(score: &str) -> Annotation {
    answers(&[
        ("score", &[score], "A reason."),
        ("points", &["1", "3"], ""),
    ])
}

/// Whoever has the item submits this score; who that is.
pub async fn submit(study: &Study, item: &ItemId, score: &str) -> usize {
    let db = &study.app.db;
    let mut read = db.read().await.expect("a connection");
    let mut holder = None;
    for (batch, _) in store::batch::list(&mut read, &study.id)
        .await
        .expect("batches")
    {
        let rows = store::assignment::of_batch(&mut read, &batch.id).await;
        let of_item = rows.expect("assignments").into_iter();
        holder = holder.or(of_item
            .filter(|row| row.item_key == format!("source-{item}"))
            .map(|row| row.rater)
            .next());
    }
    drop(read);
    let holder = holder.expect("somebody has it");
    let at = study.raters.iter().position(|rater| rater.user == holder);
    let at = at.expect("a rater");
    study.submit(at, item, says(score)).await;
    at
}

pub fn check(per_model: u32) -> NewCheck {
    NewCheck {
        name: "Quality".into(),
        per_model,
        seed: Some(42),
    }
}

pub async fn draw(study: &Study, per_model: u32) -> Result<(), Refusal> {
    round::create_check(&study.app, &study.coordinator, &study.id, check(per_model))
        .await
        .map(drop)
        .map_err(|error| error.refusal())
}

pub async fn next(study: &Study, reader: &Actor) -> Option<String> {
    let checks = round::my_checks(&study.app, reader).await.expect("checks");
    checks.into_iter().find_map(|check| check.next)
}

pub async fn open(study: &Study, reader: &Actor) -> Result<ReviewView, Refusal> {
    let id = next(study, reader).await.expect("a review");
    round::review(&study.app, reader, &id)
        .await
        .map_err(|error| error.refusal())
}

/// Agrees with every label, or with all but the score.
pub async fn give(study: &Study, reader: &Actor, view: &ReviewView, agrees: bool) {
    let one = |label: &round::ReviewLabel| Given {
        label: label.label.clone(),
        agrees: agrees || label.label != "q:score",
        note: "A note.".into(),
    };
    let given = view.labels.iter().map(one).collect();
    round::give(&study.app, reader, &view.id, given)
        .await
        .expect("given");
}
