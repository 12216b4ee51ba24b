//! The order in which boxes were ticked is no part of an answer: it leaves, and comes back, in the order of the scheme.

use crate::common::{Stage, new_batch, person, save};
use domain::annotation::{Annotation, Answer};
use domain::role::Role;
use service::export::{self, ExportFile, ExportOptions};
use service::import::New;
use service::study::SchemeSource;
use service::testing::services;
use service::{Actor, batch, desk, member, study};
use std::io::Read;

const SCHEME: &str = r#"
id = "steps-taken"
version = 1
title = "Which steps does the reply take?"
unit = "item"

[[items]]
id = "steps"
kind = "multi"
question = "Which steps does it take?"
levels = [{ code = "stays", name = "Stays" }, { code = "asks", name = "Asks" }, { code = "refers", name = "Refers" }]

[[items]]
id = "points"
kind = "points"
question = "Which points does it cover?"
"#;

async fn stage() -> Stage {
    let app = services().await;
    let staff = person(&app, "cora").await;
    let scheme = || SchemeSource::Toml(SCHEME.to_owned());
    let study = study::create(&app, &Actor::operator(), "Own", scheme())
        .await
        .unwrap();
    member::add(&app, &Actor::operator(), &study, "cora", Role::Coordinator)
        .await
        .unwrap();
    let stage = Stage { app, study, staff };
    let points: Vec<String> = (1..=10).map(|n| format!("Point {n}.")).collect();
    let line = serde_json::json!({"key": "a", "trace": "Who is with you?", "options": points});
    assert_eq!(stage.import(&line.to_string()).await.new.items, 1);
    stage
}

async fn file(stage: &Stage, file: ExportFile) -> String {
    let options = ExportOptions::default();
    let written = export::to_file(stage, &Actor::operator(), &stage.study, file, options)
        .await
        .unwrap();
    let mut text = String::new();
    written.reopen().unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The answers of each row of `ratings_long.csv`.
async fn values(stage: &Stage) -> Vec<String> {
    let text = file(stage, ExportFile::RatingsLong).await;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let at = reader
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == "value")
        .unwrap();
    reader
        .records()
        .map(|row| row.unwrap()[at].to_owned())
        .collect()
}

#[tokio::test]
async fn boxes_ticked_in_another_order_than_the_schemes_make_the_same_rows_after_a_round_trip() {
    let stage = stage().await;
    let ada = stage.rater("ada").await;
    let new = new_batch(1, &[&ada]);
    batch::create(&stage, &stage.staff, &stage.study, new)
        .await
        .unwrap();
    let id = stage.work_of(&ada).await.remove(0);
    let ticked = |steps: &[&str], points: &[&str]| {
        let answer = |values: &[&str]| Answer {
            values: values.iter().map(ToString::to_string).collect(),
            rationale: String::new(),
        };
        let answers = [
            ("steps".to_owned(), answer(steps)),
            ("points".to_owned(), answer(points)),
        ];
        Annotation {
            answers: answers.into(),
            ..Annotation::default()
        }
    };
    let given = ticked(&["refers", "stays"], &["10", "2"]);
    let draft = desk::save(&stage, &ada, &id, save(0, "draft", given.clone()))
        .await
        .unwrap();
    let again = desk::save(&stage, &ada, &id, save(0, "draft", given.clone())).await;
    assert_eq!(
        again.unwrap().version,
        draft.version,
        "sent again, kept once"
    );
    stage.submit(&ada, &id, given).await;
    // By the scheme `stays` stands first, and points are numbers: 10 comes after 2.
    let sent = values(&stage).await;
    assert_eq!(sent, ["2;10", "stays;refers"]);
    let traces = file(&stage, ExportFile::Traces).await;
    let again = stage.import(&traces).await;
    assert_eq!((again.new, again.problems), (New::default(), vec![]));
    let copy = study::create(
        &stage,
        &Actor::operator(),
        "Copy",
        SchemeSource::Toml(SCHEME.to_owned()),
    )
    .await
    .unwrap();
    let copy = Stage {
        staff: Actor::operator(),
        study: copy,
        ..stage
    };
    assert_eq!(copy.import(&traces).await.problems, []);
    assert_eq!(values(&copy).await, sent);
}

/// A table has a row for each box, in whatever order.
#[tokio::test]
async fn boxes_in_the_rows_of_a_table_are_kept_in_the_order_of_the_scheme() {
    let stage = stage().await;
    let table =
        "item,rater,criterion,score\nb,ada,steps,refers\nb,ada,steps,asks\nb,ada,steps,stays\n";
    assert_eq!(stage.import(table).await.problems, []);
    assert_eq!(values(&stage).await, ["stays;asks;refers"]);
}
