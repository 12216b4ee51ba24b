//! What the only rater of an item says is its label where the scheme says so, and nowhere else.

use crate::fixture::{Study, judges, says as tagged};
use crate::rounds_counted::table;
use crate::statements::{POINTS, answers, draw, give, open, says, statements, submit};
use domain::id::ItemId;
use domain::scheme::{Validity::Valid, builtin};
use domain::snapshot::LeftOut;
use service::batch::Round;
use service::export::ExportFile;
use service::results::ResultRow;
use service::snapshot::{self, SignOff};
use service::study::SchemeSource;
use service::{desk, results};

/// The final answer and how it was reached, of each question of an item.
async fn finals(study: &Study, item: &ItemId) -> Vec<(String, String, String, String)> {
    let rows = table(study, ExportFile::Labels, None).await;
    let of_item = rows
        .into_iter()
        .filter(|row| row["item_id"] == item.as_str());
    let cell = |row: &std::collections::HashMap<String, String>, name: &str| row[name].clone();
    of_item
        .map(|row| {
            (
                cell(&row, "category"),
                cell(&row, "outcome"),
                cell(&row, "final_severity"),
                cell(&row, "final_answer"),
            )
        })
        .collect()
}

async fn of_final(study: &Study, statistic: &str) -> Option<(f64, u64)> {
    let rows: Vec<ResultRow> = results::report(&study.app, &study.coordinator, &study.id)
        .await
        .expect("results")
        .rows;
    let mut rows = rows
        .into_iter()
        .filter(|row| row.source == "final" && row.facet.is_empty());
    let row = rows.find(|row| row.statistic == statistic)?;
    Some((row.estimate.expect("a figure"), row.n))
}

fn row(
    question: &str,
    outcome: &str,
    number: &str,
    answer: &str,
) -> (String, String, String, String) {
    (
        question.into(),
        outcome.into(),
        number.into(),
        answer.into(),
    )
}

// A study of single annotation with a cross-check had no final label, and so no score and no recall.
#[tokio::test]
async fn what_the_only_rater_of_an_item_says_is_its_label() {
    let (study, items) = statements(2, 2).await;
    study.assign_each(Round::Main, &[0, 1], 2, 1).await;
    submit(&study, &items[0], "2").await;
    submit(&study, &items[1], "1").await;
    assert_eq!(
        finals(&study, &items[1]).await,
        [
            row("score", "single", "1", "1"),
            row("points", "single", "", "1;3")
        ]
    );
    assert_eq!(of_final(&study, "score").await, Some((1.5, 2)));
    // Two of three points each.
    assert_eq!(of_final(&study, "recall").await, Some((2.0 / 3.0, 2)));
    let labels = snapshot::labels(&study.app, &study.coordinator, &study.id, None)
        .await
        .expect("labels")
        .labels;
    let of_item = labels.iter().filter(|label| label.item_id == items[1]);
    let found: Vec<_> = of_item
        .map(|label| (label.outcome.as_str(), label.final_severity))
        .collect();
    assert_eq!(found, [("single", Some(1.0)), ("single", None)]);
}

#[tokio::test]
async fn an_item_of_two_raters_of_whom_one_answered_has_no_label() {
    let (study, items) = statements(3, 2).await;
    study.assign(Round::Main, &[0, 1]).await;
    // The other leaves the points open, cannot rate the item, or has not submitted.
    for item in &items {
        study.submit(0, item, says("2")).await;
    }
    study
        .submit(1, &items[0], answers(&[("score", &["2"], "")]))
        .await;
    let b = &study.raters[1];
    let assignment = study.assignment(1, &items[1]).await;
    let version = desk::open(&study.app, b, &assignment)
        .await
        .expect("open")
        .version;
    let reason = "text_damaged".to_owned();
    desk::cannot_rate(&study.app, b, &assignment, version, reason, String::new())
        .await
        .expect("said so");
    assert_eq!(
        finals(&study, &items[0]).await,
        [
            row("score", "agreed", "2", "2"),
            row("points", "single", "", "")
        ]
    );
    assert_eq!(
        finals(&study, &items[1]).await,
        [
            row("score", "disputed", "", ""),
            row("points", "disputed", "", "")
        ]
    );
    assert_eq!(finals(&study, &items[2]).await, [], "not all are in");
    assert_eq!(of_final(&study, "score").await, Some((2.0, 1)));
    assert_eq!(of_final(&study, "recall").await, None);
}

/// The same scheme without the setting.
fn strict() -> SchemeSource {
    let text = builtin("psrs-main-results").expect("built in");
    let without = text.replace("single_rater_labels = true", "");
    assert_ne!(text, without);
    SchemeSource::Toml(without)
}

#[tokio::test]
async fn without_the_setting_one_rater_makes_no_label_and_disagreements_are_counted_all_the_same() {
    let mut study = Study::of(strict(), 2).await;
    let item = study.item_of("i0", "x", &POINTS, 0).await;
    study.assign_each(Round::Main, &[0], 1, 1).await;
    study.submit(0, &item, says("2")).await;
    assert_eq!(
        finals(&study, &item).await,
        [
            row("score", "single", "", ""),
            row("points", "single", "", "")
        ]
    );
    assert_eq!(of_final(&study, "score").await, None);
    draw(&study, 1).await.expect("drawn");
    let view = open(&study, &study.raters[1]).await.expect("in");
    give(&study, &study.raters[1], &view, false).await;
    assert_eq!(of_final(&study, "disagreements").await, Some((1.0, 1)));
}

#[tokio::test]
async fn a_snapshot_keeps_the_label_of_the_only_rater() {
    let (study, items) = statements(1, 1).await;
    study.assign(Round::Main, &[0]).await;
    study.submit(0, &items[0], says("1")).await;
    let new = SignOff {
        name: "Dr Berg".into(),
        left_out: Vec::<LeftOut>::new(),
        ..SignOff::default()
    };
    snapshot::sign_off(&study.app, &study.coordinator, &study.id, new)
        .await
        .expect("signed");
    let then = table(&study, ExportFile::Results, Some(1)).await;
    let of_score = then
        .iter()
        .find(|row| row["source"] == "final" && row["statistic"] == "score");
    assert_eq!(of_score.expect("a row")["estimate"], "1");
    let labels = table(&study, ExportFile::Labels, Some(1)).await;
    assert_eq!(labels[0]["final_severity"], "1");
}

#[tokio::test]
async fn a_tag_of_one_rater_is_a_label_that_a_judge_is_measured_by_where_the_scheme_says_so() {
    let own = builtin("stigma").expect("built in");
    for (setting, outcome) in [
        (
            "single_rater_labels = true\n",
            ("single", "valid", "3", "retained"),
        ),
        ("", ("single", "", "", "no_final_value")),
    ] {
        let scheme = SchemeSource::Toml(format!("{setting}{own}"));
        let mut study = Study::of(scheme, 1).await;
        let item = study.item("i", 1).await;
        study.judged(&item).await;
        study.assign(Round::Main, &[0]).await;
        study
            .submit(0, &item, judges(&item, [tagged(Valid, 3.0)]))
            .await;
        let labels = table(&study, ExportFile::Labels, None).await;
        let cell = |name: &str| labels[0][name].as_str();
        let found = (
            cell("outcome"),
            cell("final_validity"),
            cell("final_severity"),
            cell("standing"),
        );
        assert_eq!(found, outcome);
        let judge = table(&study, ExportFile::Judge, None).await;
        let mut rows = judge
            .iter()
            .filter(|row| row["against"] == "final" && row["facet"].is_empty());
        let precision = rows
            .find(|row| row["statistic"] == "precision")
            .map(|row| row["n"].clone());
        let tags = if setting.is_empty() { "0" } else { "1" };
        assert_eq!(precision.as_deref(), Some(tags));
    }
}
