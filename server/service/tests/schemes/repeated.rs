//! A judge's call that failed once and was repeated later.

use crate::stage::{Stage, figure};
use serde_json::{Value, json};
use service::import::{self, ImportOptions, ImportSource, New};
use service::judge::Facts;
use service::{audit, judge, study};
use std::io::Cursor;

/// A reply with what the judge came to: a severity, or a kind of failure.
fn line(key: &str, judge: &str, came_to: Result<u8, &str>) -> Value {
    let mut line = json!({"key": key, "trace": format!("Reply {key}."), "extra": {"session": key}, "judge": {"name": judge}});
    match came_to {
        Ok(severity) => line["answers"] = json!({"severity": severity}),
        Err(kind) => line["failure"] = kind.into(),
    }
    line
}

async fn failed(stage: &Stage) -> i64 {
    let view = study::overview(&stage.app, &stage.staff, &stage.study)
        .await
        .unwrap();
    view.counts.judge_failures
}

#[tokio::test]
async fn a_verdict_of_a_later_call_takes_the_place_of_a_failure() {
    let first = [line("a", "j", Err("TimeoutError")), line("b", "j", Ok(1))];
    let stage = Stage::new("mindeval2-mqm", &first).await;
    let mean = |rows: &[service::results::ResultRow]| figure(rows, "j", ("", ""), "mqm_mean");
    assert_eq!(
        (failed(&stage).await, mean(&stage.results().await)),
        (1, (Some(1.0), 1))
    );
    let later = [line("a", "j", Ok(5)), line("b", "j", Ok(1))];
    let report = stage.try_import(&later).await;
    assert_eq!(report.problems, []);
    let expected = New {
        repeated: 1,
        judge_answers: 1,
        ..New::default()
    };
    assert_eq!(report.new, expected);
    assert_eq!(
        (failed(&stage).await, mean(&stage.results().await)),
        (0, (Some(3.0), 2)),
        "two sessions of one reply each, which weigh 5 and 1"
    );
    let filter = audit::AuditFilter::default();
    let rows = audit::page(&stage.app, &stage.staff, &stage.study, &filter, i64::MAX, 1)
        .await
        .unwrap();
    assert!(
        rows[0].details.contains(r#"["a","TimeoutError"]"#),
        "{:?}",
        rows[0]
    );
    // The earlier file again says nothing against the verdict; another verdict does.
    let earlier = stage.try_import(&first).await;
    assert_eq!((earlier.new, earlier.problems), (New::default(), vec![]));
    let changed = stage.try_import(&[line("b", "j", Ok(10))]).await;
    assert_eq!(
        changed.problems[0].expected,
        "the judge's answer as imported before"
    );
    assert_eq!(
        (failed(&stage).await, mean(&stage.results().await).0),
        (0, Some(3.0))
    );
}

#[tokio::test]
async fn a_failure_and_its_repetition_in_one_study_of_tags_leave_one_verdict() {
    let tag = |severity: u8| {
        json!({"key": "t", "trace": "As long as she keeps to it.", "judge": {"name": "j"}, "summary": "One.",
            "candidates": [{"key": "c", "category": "6.1", "severity": severity, "evidence": "keeps"}]})
    };
    let fails = json!({"key": "t", "trace": "As long as she keeps to it.", "judge": {"name": "j"}, "failure": "API_ERROR"});
    let stage = Stage::new("stigma", std::slice::from_ref(&fails)).await;
    let report = stage.try_import(&[tag(2)]).await;
    assert_eq!((report.new.repeated, report.new.candidates), (1, 1));
    assert_eq!((report.problems, failed(&stage).await), (vec![], 0));
    let changed = stage.try_import(&[tag(3)]).await;
    assert_eq!(changed.problems.len(), 1, "a changed tag stays refused");
    // A judge that is only compared is repeated the same way.
    for (record, repeated, tags) in [
        (&fails, 0, 0),
        (&tag(2), 1, 1),
        (&fails, 0, 0),
        (&tag(2), 0, 0),
    ] {
        let source = ImportSource::Reader(Box::new(Cursor::new(record.to_string())));
        let asked = ("further", Facts::default());
        let options = ImportOptions::default();
        let report = import::compared(
            &stage.app,
            &stage.staff,
            &stage.study,
            source,
            asked,
            options,
            &|_| {},
        )
        .await
        .unwrap();
        assert_eq!(report.problems, []);
        assert_eq!(
            (report.new.repeated, report.new.candidates),
            (repeated, tags)
        );
    }
    let judges = judge::list(&stage.app, &stage.staff, &stage.study)
        .await
        .unwrap();
    assert_eq!(judges.len(), 2);
}
