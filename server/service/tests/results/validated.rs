//! A judge against what raters said and staff ruled, through the database and out as a table.

use crate::fixture::{Study, judges, misses, ruling_of, says, tag};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::ruling::Outcome;
use domain::scheme::Validity::{Invalid, Valid};
use service::batch::Round;
use service::export::{self, ExportFile, ExportOptions};
use service::judge;
use service::ruling::NewRuling;
use service::validation::{Part, ValidationQuery, ValidationReport, report};
use std::sync::Arc;

async fn validated(study: &Study, query: ValidationQuery) -> Arc<ValidationReport> {
    report(&study.app, &study.coordinator, &study.id, &query)
        .await
        .expect("a report")
        .expect("a judge")
}

fn counts(report: &ValidationReport) -> [(Option<u64>, Option<u64>); 2] {
    let front = report.front();
    [(front[0].tp, front[0].fp), (front[1].tp, front[1].fn_)]
}

/// Three items: x.1 valid at the judge's 3, x.2 disputed; y.1 valid at 4; on z a tag that the judge missed.
async fn study() -> Study {
    let mut study = Study::new(2).await;
    let (x, y, z) = (
        study.item("x", 2).await,
        study.item("y", 1).await,
        study.item("z", 0).await,
    );
    study.judged(&z).await;
    study.assign(Round::Main, &[0, 1]).await;
    for (rater, second) in [(0, Valid), (1, Invalid)] {
        study
            .submit(rater, &x, judges(&x, [says(Valid, 3.0), says(second, 3.0)]))
            .await;
        study
            .submit(rater, &y, judges(&y, [says(Valid, 4.0)]))
            .await;
        study
            .submit(
                rater,
                &z,
                misses([tag(&format!("m{rater}"), "4.1", (0, 3), 2.0)]),
            )
            .await;
    }
    study
}

#[tokio::test]
async fn final_labels_and_each_rater_alone_give_their_own_counts() {
    let study = study().await;
    let last = validated(&study, ValidationQuery::default()).await;
    assert_eq!(
        (last.items, last.covered, last.query.against.as_str()),
        (3, 3, "final")
    );
    // Of x.2 there is no final label yet; y.1 is a point too mild, so wrong and not found; the missed tag is not found.
    assert_eq!(counts(&last), [(Some(1), Some(1)), (Some(1), Some(2))]);
    assert_eq!(last.dropped, [("disputed".to_owned(), 1)]);
    for (letter, expected) in [
        ("A", [(Some(2), Some(1)), (Some(2), Some(2))]),
        ("B", [(Some(1), Some(2)), (Some(1), Some(2))]),
    ] {
        let against = ValidationQuery {
            against: letter.into(),
            ..ValidationQuery::default()
        };
        assert_eq!(
            counts(&*validated(&study, against).await),
            expected,
            "{letter}"
        );
    }
}

#[tokio::test]
async fn a_ruling_changes_the_figures_at_once() {
    let study = study().await;
    let before = validated(&study, ValidationQuery::default()).await;
    let invalid = NewRuling {
        validity: Some(Invalid),
        note: "No stigma here.".into(),
        ..ruling_of(Outcome::Consensus)
    };
    study
        .rule(&study.coordinator, "x.2", invalid)
        .await
        .expect("ruled");
    let after = validated(&study, ValidationQuery::default()).await;
    assert_eq!(before.front()[0].fp, Some(1));
    assert_eq!((after.front()[0].fp, after.dropped.len()), (Some(2), 0));
}

#[tokio::test]
async fn nothing_of_an_item_shows_before_it_is_all_in() {
    let mut study = Study::new(2).await;
    let x = study.item("x", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study.submit(0, &x, judges(&x, [says(Valid, 3.0)])).await;
    let early = validated(&study, ValidationQuery::default()).await;
    assert_eq!((early.items, early.front()[0].n), (0, 0));
    study.submit(1, &x, judges(&x, [says(Valid, 3.0)])).await;
    assert_eq!(
        validated(&study, ValidationQuery::default()).await.front()[0].tp,
        Some(1)
    );
}

#[tokio::test]
async fn items_of_the_prompt_are_named_by_key_and_left_out() {
    let study = study().await;
    let id = judge::list(&study.app, &study.coordinator, &study.id)
        .await
        .expect("judges")[0]
        .id
        .clone();
    let unknown =
        judge::set_few_shot(&study.app, &study.coordinator, &id, &["nowhere".into()]).await;
    assert_eq!(
        unknown.expect_err("unknown").refusal(),
        Refusal::ItemKeyUnknown
    );
    let keys = [
        "source-y".to_owned(),
        " source-y ".to_owned(),
        String::new(),
    ];
    judge::set_few_shot(&study.app, &study.coordinator, &id, &keys)
        .await
        .expect("set");
    let without = validated(&study, ValidationQuery::default()).await;
    assert_eq!((without.items, without.few_shot_excluded), (2, 1));
    let with = validated(
        &study,
        ValidationQuery {
            few_shot: true,
            ..ValidationQuery::default()
        },
    )
    .await;
    assert_eq!((with.items, with.few_shot_included), (3, 1));
}

#[tokio::test]
async fn a_split_is_recorded_and_divides_the_items() {
    let study = study().await;
    judge::draw_split(&study.app, &study.coordinator, &study.id, 50, Some(11))
        .await
        .expect("drawn");
    let split = judge::split(&study.app, &study.coordinator, &study.id)
        .await
        .expect("read")
        .expect("there");
    assert_eq!((split.version, split.seed, split.dev_percent), (1, 11, 50));
    let part = async |part| {
        validated(
            &study,
            ValidationQuery {
                part,
                ..ValidationQuery::default()
            },
        )
        .await
    };
    let (dev, test) = (part(Part::Dev).await, part(Part::Test).await);
    assert_eq!(dev.items + test.items, 3);
    assert_eq!((dev.other_part, test.other_part), (test.items, dev.items));
}

#[tokio::test]
async fn the_table_of_the_export_names_no_rater_to_a_reader() {
    let study = study().await;
    let reader = study.member("reader", Role::Reader).await;
    let file = export::to_file(
        &study.app,
        &reader,
        &study.id,
        ExportFile::Judge,
        ExportOptions::default(),
    )
    .await
    .expect("a file");
    let text = std::fs::read_to_string(file.path()).expect("readable");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.trim_end().split(',').collect())
        .collect();
    assert_eq!(
        rows[0][..16],
        [
            "judge",
            "against",
            "rule",
            "facet",
            "facet_value",
            "statistic",
            "estimate",
            "ci_low",
            "ci_high",
            "method",
            "n",
            "tp",
            "fp",
            "fn",
            "coverage",
            "undefined_reason"
        ]
    );
    let row = |against: &str, statistic: &str| {
        let found = |row: &&Vec<&str>| {
            row[1] == against
                && row[2] == "top_level/exact"
                && row[3].is_empty()
                && row[5] == statistic
        };
        rows.iter()
            .find(found)
            .unwrap_or_else(|| panic!("{against} {statistic}"))
            .clone()
    };
    assert_eq!(row("final", "precision")[6], "0.5");
    assert_eq!(row("final", "recall")[10..15], ["3", "1", "", "2", "1"]);
    assert_eq!(row("rater_1", "precision")[11..13], ["2", "1"]);
    assert!(!text.contains("rater1"), "a reader sees no names");
}
