//! What a file says must fit its item and the scheme: points and steps that are there, reasons, facts that measures rest on.

use crate::stage::{Stage, figure, is};
use serde_json::{Value, json};

async fn refused(scheme: &str, record: Value) -> String {
    let stage = Stage::new(scheme, &[]).await;
    let report = stage.try_import(&[record]).await;
    let problems: Vec<String> = report
        .problems
        .iter()
        .map(|problem| {
            let field = problem.field.as_deref().unwrap_or_default();
            format!("{}: {field}: {}", problem.line, problem.found)
        })
        .collect();
    assert_eq!(report.new.items, 0);
    problems.join("; ")
}

#[tokio::test]
async fn relations_of_steps_that_are_not_there_are_refused() {
    let of = async |lines: &[&str], by_rater: bool| {
        let answers = json!({"relations": lines});
        let mut record = json!({
            "key": "a", "trace": "He sleeps badly. It fits.", "judge": {"name": "judge-a"},
        });
        if by_rater {
            record["ratings"] = json!([{"rater": "ada", "answers": answers}]);
        } else {
            record["answers"] = answers;
        }
        refused("miramind-trajectory", record).await
    };
    let nine = "1: relations: step 9";
    assert_eq!(of(&["9 SUPPORTS 1"], false).await, nine);
    assert_eq!(of(&["9 SUPPORTS 1"], true).await, nine);
    let words = of(&["split 1 It fits"], true).await;
    assert_eq!(
        words,
        "1: relations: words to split step 1 at that it does not have"
    );
    assert_eq!(of(&["2b REFINES 2"], false).await, "1: relations: step 2b");
    assert_eq!(
        of(&["2 ENTAILS 1", "2 CONTRADICTS 1"], false).await,
        "1: relations: a second relation of step 2 to 1"
    );
}

#[tokio::test]
async fn points_that_are_not_there_or_stand_twice_are_refused() {
    let of = async |options: &[&str], covered: &str| {
        let record = json!({
            "key": "a", "vignette": "Sleep.", "trace": "So it is.", "options": options,
            "ratings": [{"rater": "ada", "answers": {"score": 2, "points": [covered]}}],
        });
        refused("psrs-main-results", record).await
    };
    assert_eq!(of(&["Longer.", "Safe."], "9").await, "1: points: point 9");
    assert_eq!(
        of(&["Longer.", " Longer. "], "1").await,
        "1: options: option 2 a second time"
    );
    assert_eq!(
        of(&["Longer.", ""], "1").await,
        "1: options: option 2 without words"
    );
}

#[tokio::test]
async fn what_a_file_leaves_out_though_the_scheme_asks_for_it_is_said() {
    let stage = Stage::new("psrs-main-results", &[]).await;
    let scored = |key: &str, score: u8, why: &str| {
        json!({
            "key": key, "vignette": "Sleep.", "trace": "So it is.",
            "ratings": [{"rater": "ada", "answers": {"score": {"value": score, "rationale": why}}}],
        })
    };
    let report = stage
        .try_import(&[
            scored("a", 1, ""),
            scored("b", 1, "Half."),
            scored("c", 2, ""),
        ])
        .await;
    assert_eq!(report.new.items, 3);
    let said: Vec<_> = report
        .notices
        .iter()
        .map(|notice| format!("{}: {}", notice.subject, notice.reason))
        .collect();
    assert_eq!(
        said,
        ["score: answers without the reason that the scheme requires for them: 1"]
    );
}

/// Of four trajectories, one says that it ends in a wrong answer as a spreadsheet does, and two do not say it.
#[tokio::test]
async fn a_fact_is_read_as_spreadsheets_write_it_and_a_silent_one_is_named() {
    let stage = Stage::new("miramind-trajectory", &[]).await;
    let record = |key: &str, correct: Value| {
        let all = json!({
            "terminology_parsimony": 2, "step_adequacy": 2, "logical_coherence": 2, "informativeness": 2,
        });
        json!({
            "key": key, "trace": "One. Two.", "extra": {"correct": correct},
            "ratings": [{"rater": "ada", "answers": all}],
        })
    };
    let report = stage
        .try_import(&[
            record("a", json!("FALSE")),
            record("b", json!("True")),
            record("c", json!("perhaps")),
            record("d", Value::Null),
        ])
        .await;
    assert!(report.problems.is_empty());
    let notice = &report.notices[0];
    assert_eq!(notice.subject, "correct");
    assert!(
        notice.reason.contains("new items 2 do not say"),
        "{}",
        notice.reason
    );
    let rows = stage.results().await;
    let of = |statistic| figure(&rows, "ada", ("", ""), statistic);
    assert!(is(of("step_adequacy"), 6.0 / 4.0, 4));
    assert!(is(of("accuracy"), 0.5, 2));
}
