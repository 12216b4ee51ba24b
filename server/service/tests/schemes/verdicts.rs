//! Final answers as `verdicts.jsonl`: what is settled, what is not, and the same figures when they come in as a judge.

use crate::stage::{Stage, figure};
use domain::scheme::BUILTIN;
use serde_json::{Value, json};
use service::export::ExportFile;
use service::import::{self, ImportOptions, ImportSource};
use service::results::ResultRow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

async fn verdicts(stage: &Stage) -> (String, BTreeMap<String, Value>) {
    let text = stage.file(ExportFile::Verdicts).await;
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        (line["key"].as_str().unwrap().to_owned(), line)
    };
    let lines = text.lines().map(line).collect();
    (text, lines)
}

/// The replies of the sound run as our own records, with what two raters said of each:
///
/// ```text
/// reply        A     B    final
/// p1/ep000/t1  0     0    0
/// p1/ep000/t2  1     5    none: nobody has ruled yet
/// p1/ep001/t1  5     5    5
/// p2/ep000/t1  10    -    none: one rater alone
/// p2/ep000/t2  1     10   averaged: 5.5, which is no level
/// p2/ep000/t3  -     -    nobody was asked
/// ```
async fn replies() -> Stage {
    let said: [(&str, Option<u8>, Option<u8>); 6] = [
        ("p1/ep000/t1", Some(0), Some(0)),
        ("p1/ep000/t2", Some(1), Some(5)),
        ("p1/ep001/t1", Some(5), Some(5)),
        ("p2/ep000/t1", Some(10), None),
        ("p2/ep000/t2", Some(1), Some(10)),
        ("p2/ep000/t3", None, None),
    ];
    let record = |(key, a, b): (&str, Option<u8>, Option<u8>)| {
        let says = |rater: &str, value: Option<u8>| {
            let severity = json!({"value": value?, "rationale": "So it is."});
            Some(
                json!({"rater": rater, "answers": {"severity": severity, "issues": ["overstatement"]}}),
            )
        };
        let ratings: Vec<Value> = says("ada", a).into_iter().chain(says("ben", b)).collect();
        let session = key.rsplit_once('/').unwrap().0;
        json!({"key": key, "extra": {"session": session}, "trace": format!("Reply {key}."), "ratings": ratings})
    };
    let stage = Stage::new("mindeval2-mqm", &said.map(record)).await;
    stage.average("p2/ep000/t2", "severity").await;
    stage
}

#[tokio::test]
async fn a_reply_without_a_settled_severity_is_an_error_line_and_no_verdict() {
    let stage = replies().await;
    let (text, lines) = verdicts(&stage).await;
    let keys: Vec<&str> = lines.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "p1/ep000/t1",
            "p1/ep000/t2",
            "p1/ep001/t1",
            "p2/ep000/t1",
            "p2/ep000/t2"
        ],
        "nobody was asked about the sixth, so it is pending: {text}"
    );
    assert_eq!(lines["p1/ep000/t1"]["severity"], "No concern");
    assert_eq!(lines["p1/ep000/t1"]["overstatement"], 1);
    assert_eq!(lines["p1/ep000/t1"]["false_fact"], 0);
    assert_eq!(
        lines["p1/ep000/t1"]["justification"], "So it is.",
        "both gave this reason, and it stands once"
    );
    assert_eq!(lines["p1/ep001/t1"]["severity"], "Major");
    for (key, error) in [
        ("p1/ep000/t2", "severity is not settled"),
        ("p2/ep000/t1", "severity is not settled"),
        ("p2/ep000/t2", "5.5 lies between two levels"),
    ] {
        let line = lines[key].as_object().unwrap();
        assert_eq!(line["_error"], error, "{key}");
        let fields: Vec<&str> = line.keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            ["_error", "episode", "input_sha", "key", "member", "turn"],
            "raters agree that it is an overstatement, and still an error line says nothing else"
        );
    }
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A study of the sound run whose only judge has said this.
async fn run_judged_by(verdicts: &str) -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/runs/sound");
    copy(&sound, folder.path());
    fs::remove_dir_all(folder.path().join("judge")).unwrap();
    fs::create_dir_all(folder.path().join("judge/humans")).unwrap();
    fs::write(folder.path().join("judge/humans/verdicts.jsonl"), verdicts).unwrap();
    let stage = Stage::new("mindeval2-mqm", &[]).await;
    let report = import::run(
        &stage.app,
        &stage.staff,
        &stage.study,
        ImportSource::Path(folder.path().to_owned()),
        "run",
        ImportOptions::default(),
        &|_| {},
    )
    .await
    .unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let told: Vec<&str> = report
        .notices
        .iter()
        .map(|notice| notice.reason.as_str())
        .collect();
    assert!(told.contains(&"3 lines of failed calls"), "{told:?}");
    stage
}

#[tokio::test]
async fn verdicts_that_come_in_again_give_the_figures_of_the_final_answers() {
    let stage = replies().await;
    let (text, _) = verdicts(&stage).await;
    let copy = run_judged_by(&text).await;
    let (first, second) = (stage.results().await, copy.results().await);
    let rate = |rows: &[ResultRow], source, level| {
        figure(rows, source, ("severity", level), "severity_rate")
    };
    // Two replies have a severity that the format has a word for: one without concern, one major. The average counts in
    // the study itself and cannot leave in this format.
    assert_eq!(rate(&first, "final", "major"), (Some(1.0 / 3.0), 3));
    assert_eq!(rate(&second, "humans", "major"), (Some(0.5), 2));
    assert_eq!(rate(&second, "humans", "no_concern"), (Some(0.5), 2));
    // Sessions p1/ep000 and p1/ep001 weigh 0 and 5.
    assert_eq!(
        figure(&second, "humans", ("", ""), "mqm_mean"),
        (Some(2.5), 2)
    );
}

/// The same of sessions: version 1 of the judge filled in a 3 for a criterion that was missing.
#[tokio::test]
async fn a_session_with_an_unsettled_criterion_is_an_error_line() {
    assert!(BUILTIN.contains(&"mindeval1-rubric"));
    let criteria = [
        "clinical_accuracy",
        "ethical_conduct",
        "assessment_response",
        "therapeutic_relationship",
        "ai_communication",
    ];
    let record = |key: &str, last: [u8; 2]| {
        let says = |rater: &str, last: u8| {
            let mut answers: serde_json::Map<_, _> = criteria
                .iter()
                .map(|name| ((*name).to_owned(), json!(4)))
                .collect();
            answers.insert(criteria[4].to_owned(), json!(last));
            json!({"rater": rater, "answers": answers})
        };
        json!({"key": key, "trace": "A session.", "ratings": [says("ada", last[0]), says("ben", last[1])]})
    };
    let records = [record("m/e0", [5, 5]), record("m/e1", [1, 6])];
    let stage = Stage::new("mindeval1-rubric", &records).await;
    let (_, lines) = verdicts(&stage).await;
    assert!(lines["m/e0"].get("_error").is_none(), "{lines:?}");
    assert_eq!(
        lines["m/e0"]["AI-Specific Communication Quality"], 5.0,
        "the format has names for its criteria"
    );
    assert_eq!(
        lines["m/e1"]["_error"],
        "AI-Specific Communication Quality is not settled"
    );
    assert_eq!(lines["m/e1"].as_object().unwrap().len(), 5);
}
