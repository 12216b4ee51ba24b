//! What leaves in the shapes of other tools: reasons, fields that cannot be mixed up, and what a shape has no place for.

use crate::stage::Stage;
use domain::role::Role;
use serde_json::{Value, json};
use service::export::{self, ExportFile, ExportOptions};
use service::import::{self, ImportOptions, ImportSource};
use service::results::ResultRow;
use service::study::SchemeSource;
use service::testing::{person, services};
use service::{Actor, member, study};
use std::fs;

/// Two questions of several values that share a code, as a scheme may have them.
const SHARED: &str = r#"
id = "shared-codes"
version = 1
title = "Issues of the reply and of the message"
unit = "UNIT"

[[items]]
id = "severity"
kind = "ordinal"
name = "How bad it is"
question = "How bad is it?"
rationale = true
levels = [{ value = 0, name = "None" }, { value = 1, name = "Some" }]

[[items]]
id = "reply_issues"
kind = "multi"
name = "Issues of the reply"
question = "What is wrong with the reply?"
levels = [{ code = "false_fact", name = "False" }, { code = "other", name = "Other" }]

[[items]]
id = "message_issues"
kind = "multi"
question = "What is wrong with the message?"
levels = [{ code = "unclear", name = "Unclear" }, { code = "other", name = "Other" }]

[[items]]
id = "remark"
kind = "text"
question = "What else?"
asked = "optional"

[[measures]]
name = "reply"
kind = "level_rate"
question = "reply_issues"

[[measures]]
name = "message"
kind = "level_rate"
question = "message_issues"
"#;

async fn stage(unit: &str) -> Stage {
    let app = services().await;
    let staff = person(&app, "cora").await;
    let scheme = SchemeSource::Toml(SHARED.replace("UNIT", unit));
    let study = study::create(&app, &Actor::operator(), "Own", scheme)
        .await
        .unwrap();
    member::add(&app, &Actor::operator(), &study, "cora", Role::Coordinator)
        .await
        .unwrap();
    Stage { app, study, staff }
}

async fn lines(stage: &Stage) -> Vec<Value> {
    let text = stage.file(ExportFile::Verdicts).await;
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

/// Two raters agree on the first two replies and differ on the third:
///
/// ```text
/// reply        severity  reasons of ada, ben       issues of the reply  of the message
/// p1/ep000/t1  0         -                         false_fact, other    -
/// p1/ep000/t2  1         "Too short.", "It errs."  -                    other
/// p1/ep001/t1  0 and 1   "Fine.", "Not at all."    -                    -
/// ```
async fn judged(unit: &str) -> Stage {
    let record = |key: &str, severity: [(u8, &str); 2], reply: &[&str], message: &[&str]| {
        let says = |rater: &str, (value, why): (u8, &str)| {
            json!({"rater": rater, "answers": {
                "severity": {"value": value, "rationale": why}, "reply_issues": reply, "message_issues": message,
            }})
        };
        json!({"key": key, "trace": format!("Reply {key}."), "ratings": [says("ada", severity[0]), says("ben", severity[1])]})
    };
    let stage = stage(unit).await;
    let (none, one) = (&[][..], &["other"][..]);
    stage
        .import(&[
            record(
                "p1/ep000/t1",
                [(0, ""), (0, " ")],
                &["other", "false_fact"],
                none,
            ),
            record(
                "p1/ep000/t2",
                [(1, "Too short."), (1, "It errs.")],
                none,
                one,
            ),
            record(
                "p1/ep001/t1",
                [(0, "Fine."), (1, "Not at all.")],
                none,
                none,
            ),
        ])
        .await;
    stage
}

#[tokio::test]
async fn reasons_that_raters_gave_and_notes_of_rulings_leave_as_the_justification() {
    let stage = judged("item").await;
    let why = |lines: &[Value]| {
        let why = lines.iter().map(|line| line["justification"].clone());
        why.collect::<Vec<_>>()
    };
    let before = lines(&stage).await;
    assert_eq!(
        why(&before),
        [json!(""), json!("Too short.\nIt errs."), Value::Null]
    );
    assert_eq!(
        before[2]["_error"], "severity is not settled",
        "by its id, and without what raters said"
    );
    stage.settle(&[("p1/ep001/t1", "severity", &["1"])]).await;
    assert_eq!(
        why(&lines(&stage).await)[2],
        "Talked over.",
        "what was ruled has the reason of the ruling"
    );
}

#[tokio::test]
async fn two_questions_that_share_a_code_leave_under_their_own_names() {
    for unit in ["item", "reply"] {
        let stage = judged(unit).await;
        let lines = lines(&stage).await;
        let field = |at: usize, name: &str| lines[at].get(name).cloned();
        assert_eq!(
            field(0, "reply_issues"),
            Some(json!(["false_fact", "other"])),
            "{unit}"
        );
        assert_eq!(field(0, "message_issues"), Some(json!([])));
        assert_eq!(field(1, "reply_issues"), Some(json!([])));
        assert_eq!(field(1, "message_issues"), Some(json!(["other"])));
        assert_eq!(field(0, "other"), None, "whose other would it be?");
        assert_eq!(field(0, "How bad it is"), None);
        assert!(field(0, "severity").is_some());
    }
}

/// The shape that a run of MindEval 2 has stays: each issue a field.
#[tokio::test]
async fn what_leaves_under_the_names_of_questions_comes_in_again() {
    let stage = judged("reply").await;
    let folder = tempfile::tempdir().unwrap();
    let sound =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/runs/sound");
    crate::verdicts::copy(&sound, folder.path());
    fs::remove_dir_all(folder.path().join("judge")).unwrap();
    fs::create_dir_all(folder.path().join("judge/humans")).unwrap();
    let text = stage.file(ExportFile::Verdicts).await;
    fs::write(folder.path().join("judge/humans/verdicts.jsonl"), text).unwrap();
    let copy = self::stage("reply").await;
    let source = ImportSource::Path(folder.path().to_owned());
    let options = ImportOptions::default();
    let (app, staff) = (&copy.app, &copy.staff);
    let report = import::run(app, staff, &copy.study, source, "run", options, &|_| {})
        .await
        .unwrap();
    assert_eq!(report.problems, []);
    let unknown = "a field that no question of the scheme is called by";
    assert!(
        report.notices.iter().all(|notice| notice.reason != unknown),
        "{:?}",
        report.notices
    );
    let rate = |rows: &[ResultRow], source: &str, name: &str, level: &str| {
        let mut rows = rows.iter().filter(|row| row.source == source);
        let row = rows.find(|row| row.statistic == name && row.facet_value == level);
        row.and_then(|row| Some((row.estimate?, row.n)))
    };
    // Of the two settled replies one has another issue in the reply, and one in the message.
    let rows = copy.results().await;
    assert_eq!(rate(&rows, "humans", "reply", "other"), Some((0.5, 2)));
    assert_eq!(rate(&rows, "humans", "message", "other"), Some((0.5, 2)));
    assert_eq!(rate(&rows, "humans", "message", "unclear"), Some((0.0, 2)));
    let traces = copy.file(ExportFile::Traces).await;
    assert!(
        traces.contains(r#""rationale":"Too short.\nIt errs.""#),
        "the reasons come in as the judge's: {traces}"
    );
}

#[tokio::test]
async fn questions_that_a_benchmark_has_no_place_for_are_named_and_do_not_vanish() {
    let stage = judged("item").await;
    let bench: Value = serde_json::from_str(&stage.file(ExportFile::JudgeBench).await).unwrap();
    let left_out = json!(["reply_issues", "message_issues", "remark"]);
    assert_eq!(bench["left_out"], left_out);
    let metrics = bench["annotations"].as_array().unwrap();
    assert_eq!(
        (metrics.len(), &metrics[0]["metric"]),
        (1, &json!("severity"))
    );
    let folder = tempfile::tempdir().unwrap();
    let (operator, options) = (Actor::operator(), ExportOptions::default());
    let told = export::write_dir(&stage.app, &operator, &stage.study, folder.path(), options)
        .await
        .unwrap();
    assert_eq!(json!(told), left_out, "the command line says it, too");
    // Its reader passes the field over.
    let other = self::stage("item").await;
    let again = other.take(&bench.to_string()).await;
    assert_eq!((again.problems, again.new.items), (vec![], 3));
    let whole = Stage::new("mindeval1-rubric", &[]).await;
    let bench: Value = serde_json::from_str(&whole.file(ExportFile::JudgeBench).await).unwrap();
    assert_eq!(bench.get("left_out"), None, "five scales have their place");
}
