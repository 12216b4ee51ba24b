//! What a cross-check says in the counts, the results and the tables of a study.

use crate::fixture::Study;
use crate::statements::{draw, give, next, open, says, statements, submit};
use domain::study::StudyState;
use service::batch::Round;
use service::export::{self, ExportFile, ExportOptions};
use service::snapshot::{self, SignOff};
use service::{results, round, study};
use std::collections::HashMap;

/// Four statements, each of one rater, all cross-checked but not yet read: even ones are of model x, odd ones of y.
async fn drawn() -> Study {
    let (study, items) = statements(4, 2).await;
    study.assign_each(Round::Main, &[0, 1], 4, 1).await;
    for item in &items {
        submit(&study, item, "2").await;
    }
    draw(&study, 2).await.expect("drawn");
    study
}

/// Reads everything that is left, and disagrees with the score of one statement.
async fn read_all(study: &Study, wrong: &str) {
    for reader in &study.raters {
        while next(study, reader).await.is_some() {
            let view = open(study, reader).await.expect("in");
            give(study, reader, &view, view.item.key != wrong).await;
        }
    }
}

/// The count of disagreements on the score and what it is of: of all statements, and by model.
async fn disagreements(study: &Study) -> Vec<(String, f64, u64)> {
    let rows = results::report(&study.app, &study.coordinator, &study.id)
        .await
        .expect("results")
        .rows;
    let rows = rows
        .into_iter()
        .filter(|row| row.statistic == "disagreements");
    rows.filter(|row| row.source == "final")
        .map(|row| (row.facet_value, row.estimate.expect("a count"), row.n))
        .collect()
}

pub async fn table(
    study: &Study,
    file: ExportFile,
    snapshot: Option<i64>,
) -> Vec<HashMap<String, String>> {
    let options = ExportOptions {
        snapshot,
        ..ExportOptions::default()
    };
    let out = export::to_file(&study.app, &study.coordinator, &study.id, file, options)
        .await
        .expect("written");
    let mut reader = csv::Reader::from_path(out.path()).expect("a table");
    reader
        .deserialize()
        .map(|row| row.expect("a row"))
        .collect()
}

// Results looked for annotations of the round that nobody makes: a cross-check never entered the count it was made for.
#[tokio::test]
async fn results_count_an_item_with_whose_answer_its_reviewer_disagrees() {
    let study = drawn().await;
    assert_eq!(disagreements(&study).await, [], "nothing is read");
    read_all(&study, "source-i1").await;
    let all = [("", 1.0, 4), ("x", 0.0, 2), ("y", 1.0, 2)];
    assert_eq!(
        disagreements(&study).await,
        all.map(|(m, c, n)| (m.to_owned(), c, n))
    );
    let rows = round::disagreements(&study.app, &study.coordinator, &study.id)
        .await
        .expect("rows");
    let of_score: Vec<_> = rows
        .iter()
        .map(|row| {
            let score = &row.questions[0];
            (
                row.model.as_str(),
                score.question.as_str(),
                score.counts.items_disagreed,
                score.counts.items_done,
            )
        })
        .collect();
    assert_eq!(
        of_score,
        [
            ("x", "score", 0, 2),
            ("y", "score", 1, 2),
            ("", "score", 1, 4)
        ]
    );
    assert_eq!(
        rows[2].questions[1].counts.items_disagreed, 0,
        "nobody disagrees with points"
    );
}

#[tokio::test]
async fn raters_who_agree_are_a_disagreement_where_one_of_them_disagrees_with_the_other_on_reading()
{
    let (study, items) = statements(2, 2).await;
    study.assign(Round::Main, &[0, 1]).await;
    for item in &items {
        study.submit(0, item, says("2")).await;
        study.submit(1, item, says("2")).await;
    }
    draw(&study, 1).await.expect("drawn");
    // Each is read by both: of "source-i0" one review is given, which is not yet a cross-check of it.
    let a = &study.raters[0];
    while next(&study, a).await.is_some() {
        let view = open(&study, a).await.expect("in");
        give(&study, a, &view, view.item.key != "source-i0").await;
    }
    assert_eq!(disagreements(&study).await[0], (String::new(), 0.0, 2));
    read_all(&study, "").await;
    assert_eq!(disagreements(&study).await[0], (String::new(), 1.0, 2));
}

#[tokio::test]
async fn verdicts_leave_with_the_tables_and_name_the_unit_that_labels_have() {
    let study = drawn().await;
    assert_eq!(table(&study, ExportFile::CrossCheck, None).await.len(), 0);
    read_all(&study, "source-i1").await;
    let rows = table(&study, ExportFile::CrossCheck, None).await;
    assert_eq!(rows.len(), 8, "a score and points of each of four");
    let no: Vec<_> = rows.iter().filter(|row| row["agrees"] == "no").collect();
    let [no] = no[..] else {
        panic!("one disagreement: {no:?}");
    };
    let cell = |name: &str| no[name].as_str();
    assert_eq!(
        (cell("item_key"), cell("model"), cell("question")),
        ("source-i1", "y", "score")
    );
    assert_eq!(
        (cell("note"), cell("unit_kind"), cell("cross_check")),
        ("A note.", "item", "Quality")
    );
    let mut people = [cell("reviewer"), cell("rater")];
    people.sort_unstable();
    assert_eq!(people, ["rater1", "rater2"]);
    let labels = table(&study, ExportFile::Labels, None).await;
    let label = labels
        .iter()
        .find(|label| label["unit_id"] == cell("unit_id"));
    let label = label.expect("the label that was read");
    assert_eq!(
        (label["item_key"].as_str(), label["category"].as_str()),
        ("source-i1", "score")
    );
}

#[tokio::test]
async fn a_snapshot_has_no_verdict_that_was_given_after_it() {
    let study = drawn().await;
    let (app, staff) = (&study.app, &study.coordinator);
    let new = SignOff {
        name: "Dr Berg".into(),
        ..SignOff::default()
    };
    snapshot::sign_off(app, staff, &study.id, new)
        .await
        .expect("signed");
    study::set_state(
        app,
        staff,
        &study.id,
        StudyState::Reconciling,
        "a cross-check is open",
    )
    .await
    .expect("open again");
    study.app.clock.advance(86_400_000);
    read_all(&study, "source-i1").await;
    assert_eq!(
        table(&study, ExportFile::CrossCheck, Some(1)).await.len(),
        0
    );
    assert_eq!(table(&study, ExportFile::CrossCheck, None).await.len(), 8);
    let count = async |snapshot| {
        let rows = table(&study, ExportFile::Results, snapshot).await;
        let mut rows = rows
            .into_iter()
            .filter(|row| row["statistic"] == "disagreements");
        let row = rows.find(|row| row["facet"].is_empty());
        row.map(|row| (row["estimate"].clone(), row["n"].clone()))
    };
    assert_eq!(count(None).await, Some(("1".to_owned(), "4".to_owned())));
    assert_eq!(count(Some(1)).await, None, "nothing to count");
}
