//! `psrs-main-results`: four statements of two models, each with four points that an expert expects.
//!
//! ```text
//!           score      points that are covered
//!           A  B       A          B          final
//! p1 (x)    2  2       1 2        1 2        1 2
//! p2 (x)    1  2       1 2 3 4    1 2 3 4    1 2 3 4
//! p3 (y)    0  0       1          1 2        1 2   (by consensus)
//! p4 (y)    1  1       none       none       none
//! ```

use crate::stage::{Stage, When, figure, is, stat};
use serde_json::{Value, json};
use service::agreement::Facet;

async fn small() -> Stage {
    let record = |key: &str, model: &str, scores: [u8; 2], points: [&[&str]; 2]| -> Value {
        let says = |at: usize| json!({"score": {"value": scores[at], "rationale": "As the abstract has it."}, "points": points[at]});
        json!({
            "key": key, "model": model, "trace": format!("Statement {key}."), "vignette": "An abstract.",
            "options": ["Effect", "Size", "Duration", "Harms"],
            "ratings": [{"rater": "ada", "answers": says(0)}, {"rater": "ben", "answers": says(1)}],
        })
    };
    let records = [
        record("p1", "x", [2, 2], [&["1", "2"], &["2", "1"]]),
        record("p2", "x", [1, 2], [&["1", "2", "3", "4"]; 2]),
        record("p3", "y", [0, 0], [&["1"], &["1", "2"]]),
        record("p4", "y", [1, 1], [&["none"]; 2]),
    ];
    Stage::new("psrs-main-results", &records).await
}

#[tokio::test]
async fn disagreements_and_recall_of_each_model() {
    let stage = small().await;
    stage
        .settle(&[("p2", "score", &["2"]), ("p3", "points", &["1", "2"])])
        .await;
    let rows = stage.results().await;
    let of = |facet, value, statistic| figure(&rows, "final", (facet, value), statistic);
    assert!(is(of("", "", "disagreements"), 1.0, 4));
    assert!(is(of("model", "x", "disagreements"), 1.0, 2));
    assert!(is(of("model", "y", "disagreements"), 0.0, 2));
    // Two of four, all of four; two of four, none.
    assert!(is(of("model", "x", "recall"), 0.75, 2));
    assert!(is(of("model", "y", "recall"), 0.25, 2));
    assert!(is(of("", "", "recall"), 0.5, 4));
    let ada = |statistic| figure(&rows, "ada", ("model", "y"), statistic);
    assert!(is(ada("recall"), 0.125, 2), "one of four, and none");
    assert!(is(of("", "", "score"), (2.0 + 2.0 + 0.0 + 1.0) / 4.0, 4));
}

#[tokio::test]
async fn points_are_compared_one_by_one() {
    let stage = small().await;
    let points = stage.agreement("points", When::Raw, Facet::None).await;
    // Fifteen of sixteen alike; A covers seven and B eight: chance (7 * 8 + 9 * 8) / 256 = 1/2.
    assert!(is(stat(&points, "percent_agreement"), 15.0 / 16.0, 16));
    assert!(is(stat(&points, "kappa"), 0.875, 16));
    assert_eq!(points.question.units, "points");
    let score = stage.agreement("score", When::Raw, Facet::None).await;
    assert!(is(stat(&score, "percent_agreement"), 0.75, 4));
}

#[tokio::test]
async fn the_queue_says_of_answers_that_they_differ_and_how_far_where_they_are_numbers() {
    let stage = small().await;
    let rows = stage.disputed().await;
    let said: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.item_key.as_str(),
                row.category_name.as_str(),
                row.distance,
                row.answers_differ,
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            ("p2", "Main results", 1.0, true),
            ("p3", "Scoring points", 0.0, true)
        ]
    );
}

#[tokio::test]
async fn the_report_of_a_scheme_without_tags_speaks_of_its_questions() {
    let stage = small().await;
    stage
        .settle(&[("p2", "score", &["2"]), ("p3", "points", &["1", "2"])])
        .await;
    let file = service::report::file(&stage.app, &stage.staff, &stage.study, "report.txt").await;
    let text = String::from_utf8(file.unwrap()).unwrap();
    for part in [
        "The study comprised 4 items; raters answered 2 questions about the item as a whole: ",
        "n = 16 points",
        "n = 4 items",
        "2 answers were settled by a ruling; 0 answers remain in dispute.",
        "Over the final labels: ",
        "recall 0.500 [",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    for word in ["tag", "stigma", "candidate"] {
        assert!(!text.to_lowercase().contains(word), "{word} in {text}");
    }
}

#[tokio::test]
async fn what_raters_did_not_see_names_no_severity_where_there_is_none() {
    let item = json!({"key": "p1", "trace": "Statement.", "options": ["Effect"]});
    let stage = Stage::new("psrs-main-results", &[item]).await;
    let all = domain::study::Blinding {
        model: true,
        condition: true,
        judge_severity: true,
    };
    service::study::set_blinding(&stage.app, &stage.staff, &stage.study, all)
        .await
        .unwrap();
    let report = service::report::get(&stage.app, &stage.staff, &stage.study)
        .await
        .unwrap();
    assert_eq!(report.blinded, ["the model", "the condition"]);
}

// labels.csv calls it "single" and leaves the final answer empty; results.csv had counted it as final.
#[tokio::test]
async fn what_one_rater_answered_alone_is_no_final_answer() {
    let item = |key: &str, second: Value| {
        json!({"key": key, "trace": "Statement.", "model": "m", "options": ["Effect", "Size"], "ratings": [
            {"rater": "ada", "answers": {"score": 2, "points": ["1"]}},
            {"rater": "ben", "answers": second},
        ]})
    };
    let items = [
        item("p1", json!({"score": 2, "points": ["1"]})),
        item("p2", json!({"score": 2})),
    ];
    let rows = Stage::new("psrs-main-results", &items)
        .await
        .results()
        .await;
    let of = |source| figure(&rows, source, ("", ""), "recall");
    assert!(is(of("final"), 0.5, 1));
    assert!(is(of("ada"), 0.5, 2));
}
