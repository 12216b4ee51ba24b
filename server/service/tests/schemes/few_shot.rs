//! Items that their file calls examples in judges' prompts: left out of what judges are worth, and listed for staff.

use crate::stage::Stage;
use serde_json::json;
use service::judge;
use service::validation::{self, ValidationQuery};

#[tokio::test]
async fn a_tag_of_an_item_whose_file_calls_it_an_example_counts_for_no_judge() {
    let record = |key: &str, extra: serde_json::Value| {
        let says = |rater: &str| json!({"rater": rater, "candidate": format!("{key}-c"), "validity": "valid", "severity": 3});
        json!({
            "key": key, "trace": "As long as she keeps to her treatment.", "extra": extra, "judge": {"name": "judge-a"},
            "candidates": [{"key": format!("{key}-c"), "category": "6.1", "severity": 3, "evidence": "treatment"}],
            "ratings": [says("ada"), says("ben")],
        })
    };
    let records = [
        record("plain", json!({})),
        record("example", json!({"in_judge_few_shot": true})),
        record("denied", json!({"in_judge_few_shot": false})),
        record("named", json!({"note": "in_judge_few_shot"})),
    ];
    let stage = Stage::new("stigma", &records).await;
    let listed = judge::few_shot_of_files(&stage.app, &stage.staff, &stage.study).await;
    assert_eq!(listed.unwrap(), ["example"]);
    let query = ValidationQuery::default();
    let report = validation::report(&stage.app, &stage.staff, &stage.study, &query)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((report.items, report.few_shot_excluded), (3, 1));
}
