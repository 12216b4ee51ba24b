//! Final figures say on how many of the items they rest that raters were asked about.

use crate::stage::Stage;
use serde_json::{Value, json};
use service::report;

/// Five replies: two agreed on, one in dispute, one that a rater cannot rate, one that only one rater has answered.
async fn partly() -> Stage {
    let says = |rater: &str, value: u8| json!({"rater": rater, "answers": {"severity": {"value": value, "rationale": "So it is."}}});
    let unable = json!({"rater": "ben", "not_ratable": "text_damaged"});
    let ratings = [
        vec![says("ada", 0), says("ben", 0)],
        vec![says("ada", 5), says("ben", 5)],
        vec![says("ada", 1), says("ben", 10)],
        vec![says("ada", 1), unable],
        vec![says("ada", 5)],
        vec![],
    ];
    let record = |(at, ratings): (usize, Vec<Value>)| json!({"key": format!("r{at}"), "trace": format!("Reply {at}."), "ratings": ratings});
    let records: Vec<Value> = ratings.into_iter().enumerate().map(record).collect();
    Stage::new("mindeval2-mqm", &records).await
}

#[tokio::test]
async fn final_figures_over_a_partly_settled_study_say_on_how_many_items_they_rest() {
    let stage = partly().await;
    // Nobody was asked about the sixth reply. Whoever answered ticked no issue, and one alone settles nothing.
    let issues =
        "3 of 5 items have a final answer to Issues: 1 not settled, 1 that a rater could not rate.";
    assert_eq!(
        stage.warnings().await,
        [
            "2 of 5 items have a final answer to Severity: 2 not settled, 1 that a rater could not rate.",
            issues
        ]
    );
    let report = report::get(&stage.app, &stage.staff, &stage.study)
        .await
        .unwrap();
    let told = report::results(&report);
    assert!(
        told.contains("2 of 5 items have a final answer to Severity"),
        "{told}"
    );
    stage
        .settle(&[("r2", "severity", &["1"]), ("r3", "severity", &["1"])])
        .await;
    assert_eq!(
        stage.warnings().await,
        [
            "4 of 5 items have a final answer to Severity: 1 not settled.",
            issues
        ]
    );
}

#[tokio::test]
async fn a_settled_study_has_no_warning() {
    let says = |rater: &str| json!({"rater": rater, "answers": {"severity": 0, "issues": []}});
    let record = json!({"key": "r", "trace": "Reply.", "ratings": [says("ada"), says("ben")]});
    let stage = Stage::new("mindeval2-mqm", &[record]).await;
    assert_eq!(stage.warnings().await, [""; 0]);
}
