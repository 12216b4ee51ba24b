//! Cross-check of labels that came with a file, each of one rater.

use crate::stage::Stage;
use domain::independence::Finding;
use domain::refusal::Refusal;
use domain::role::Role;
use serde_json::{Value, json};
use service::round::{self, NewCheck};
use service::testing::person;
use service::{Actor, independence, member};

/// A statement and who scored it 2.
fn statement(key: &str, raters: &[&str]) -> Value {
    let one = |rater: &&str| json!({"rater": rater, "answers": {"score": 2}});
    let ratings: Vec<Value> = raters.iter().map(one).collect();
    json!({"key": key, "model": "x", "trace": format!("Statement {key}."), "options": ["Effect"], "ratings": ratings})
}

async fn draw(stage: &Stage) -> Result<(), Refusal> {
    let new = NewCheck {
        name: "Quality".to_owned(),
        per_model: 5,
        seed: Some(1),
    };
    round::create_check(&stage.app, &stage.staff, &stage.study, new)
        .await
        .map(drop)
        .map_err(|error| error.refusal())
}

/// Somebody who can sign in, as a rater.
async fn dora(stage: &Stage) -> Actor {
    let dora = person(&stage.app, "dora").await;
    member::add(
        &stage.app,
        &Actor::operator(),
        &stage.study,
        "dora",
        Role::Rater,
    )
    .await
    .unwrap();
    dora
}

#[tokio::test]
async fn a_rater_known_from_a_file_alone_is_given_nothing_to_read() {
    let records = [statement("p1", &["ada"]), statement("p2", &["ben"])];
    let stage = Stage::new("psrs-main-results", &records).await;
    // Ben could read what Ada said, if anybody could sign in as Ben.
    assert_eq!(draw(&stage).await, Err(Refusal::NobodyToReview));
    let dora = dora(&stage).await;
    draw(&stage).await.unwrap();
    let checks = round::my_checks(&stage.app, &dora).await.unwrap();
    assert_eq!(checks[0].total, 2);
}

#[tokio::test]
async fn a_judgement_imported_of_somebody_who_had_read_another_is_on_record() {
    let stage = Stage::new("psrs-main-results", &[statement("p1", &["ada"])]).await;
    let dora = dora(&stage).await;
    draw(&stage).await.unwrap();
    let checks = round::my_checks(&stage.app, &dora).await.unwrap();
    let id = checks[0].next.clone().unwrap();
    round::review(&stage.app, &dora, &id).await.unwrap();
    stage.app.clock.advance(60_000);
    stage.import(&[statement("p1", &["ada", "dora"])]).await;
    let record = independence::report(&stage.app, &stage.staff, &stage.study, 0)
        .await
        .unwrap();
    assert_eq!(record.items[0].finding, Finding::SeenBefore);
}
