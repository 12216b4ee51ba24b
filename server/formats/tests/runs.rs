//! Runs of MindEval 2: what counts of them, what is left out, and what is wrong with damaged ones.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use domain::scheme::{ItemQuestion, Scheme, UnitOfAnnotation, builtin, parse};
use formats::record::{JudgeOutcome, TraceRecord};
use formats::{
    Archive, CodeBook, Folder, Format, ReadError, ReadOptions, ReadReport, Resolved, Tree, Who,
    read_tree, sniff_tree,
};

struct Book(Scheme);

impl CodeBook for Book {
    fn resolve(&self, _code: &str, _name: Option<&str>) -> Option<Resolved> {
        None
    }

    fn severity_ok(&self, _value: f64, _who: Who) -> bool {
        false
    }

    fn severity_expected(&self, _who: Who) -> String {
        String::new()
    }

    fn codes_expected(&self) -> String {
        String::new()
    }

    fn questions(&self) -> &[ItemQuestion] {
        &self.0.item_questions
    }

    fn unit(&self) -> UnitOfAnnotation {
        self.0.unit
    }
}

fn book(id: &str) -> Book {
    Book(parse(builtin(id).expect("compiled in")).expect("sound").0)
}

fn run(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/runs")
        .join(name)
}

fn read(tree: &mut dyn Tree, scheme: &str) -> (Vec<TraceRecord>, Result<ReadReport, Vec<String>>) {
    assert_eq!(sniff_tree(tree.names()), Ok(Format::MindevalRun));
    let mut records = Vec::new();
    let report = read_tree::<()>(
        tree,
        &book(scheme),
        &ReadOptions::default(),
        &mut |record| {
            records.push(record);
            Ok(())
        },
    );
    let report = report.map_err(|error| match error {
        ReadError::Problems(problems) => problems.list.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    });
    (records, report)
}

fn folder(name: &str, scheme: &str) -> (Vec<TraceRecord>, Result<ReadReport, Vec<String>>) {
    read(&mut Folder::new(&run(name)).expect("a folder"), scheme)
}

/// The mark of the counsellor of the sound run.
const MARK: &str = "4a8fe154";

/// The key after the counsellor's mark.
fn bare(record: &TraceRecord) -> &str {
    let (mark, key) = record.key.split_once('/').expect("a mark");
    assert_eq!(mark, MARK);
    key
}

fn notices(report: &ReadReport) -> Vec<String> {
    report
        .left_out
        .iter()
        .map(|notice| format!("{}: {}", notice.subject, notice.reason))
        .collect()
}

#[test]
fn every_reply_is_an_item_with_what_was_said_before_it() {
    let (records, report) = folder("sound", "mindeval2-mqm");
    let report = report.expect("sound");
    let keys: Vec<&str> = records.iter().map(bare).collect();
    assert_eq!(
        keys,
        [
            "p1/ep000/t1",
            "p1/ep000/t2",
            "p1/ep001/t1",
            "p2/ep000/t1",
            "p2/ep000/t2",
            "p2/ep000/t3"
        ]
    );
    let second = &records[1];
    assert_eq!(second.trace(), "She must hate you for that.");
    assert_eq!(
        second.vignette,
        "Memory: no earlier sessions.\n\nMember: my sister stopped calling me\n\nCounsellor: When did you last speak?\n\n\
         Member: at easter"
    );
    assert!(
        records[2]
            .vignette
            .starts_with("Memory of earlier sessions:\n- Sister has not called"),
        "{}",
        records[2].vignette
    );
    assert!(
        records[3].vignette.starts_with("Memory: no earlier"),
        "another member's log is none of his business"
    );
    assert_eq!(second.model.as_deref(), Some("demo/counsellor-one"));
    let fact = |name: &str| {
        second
            .demographics
            .iter()
            .find(|(of, _)| of == name)
            .map(|(_, value)| value.as_str())
    };
    assert_eq!(
        (
            fact("session").map(|name| name.split_once('/')),
            fact("turn")
        ),
        (Some(Some((MARK, "p1/ep000"))), Some("2"))
    );
    assert_eq!(second.extra["situation"]["event"], "A door was left open.");
    assert_eq!(
        notices(&report),
        [
            "judge/mindeval1/verdicts.jsonl: 3 verdicts on sessions, which this scheme does not judge",
            "judge/mindeval2/verdicts.jsonl: p1/ep000/t2: a verdict on an earlier input",
            "judge/mindeval2/verdicts.jsonl: 1 line of a failed call",
            "judge/mindeval2/verdicts.jsonl: a last line that is not whole",
        ]
    );
}

#[test]
fn the_last_verdict_on_a_reply_counts_and_an_error_beside_one_does_not() {
    let (records, _) = folder("sound", "mindeval2-mqm");
    let said = |at: usize| {
        let answers: Vec<(&str, String, &str)> = records[at]
            .answers
            .iter()
            .map(|answer| {
                (
                    answer.question.as_str(),
                    answer.values.join(","),
                    answer.rationale.as_str(),
                )
            })
            .collect();
        answers
    };
    assert_eq!(
        said(0),
        [
            ("severity", "0".into(), "An open question."),
            ("issues", String::new(), "")
        ]
    );
    assert_eq!(
        said(1),
        [
            ("severity", "5".into(), "Says that she hates."),
            (
                "issues",
                "treating_perspective_as_fact,overstatement".into(),
                ""
            ),
        ]
    );
    assert!(
        records
            .iter()
            .all(|record| record.outcome == JudgeOutcome::Judged { summary: None })
    );
    let judge = &records[0].judge;
    assert_eq!(
        (
            judge.name.as_str(),
            judge.model.as_deref(),
            judge.prompt_version.as_deref()
        ),
        ("mindeval2", Some("demo/judge-one"), Some("abababababab"))
    );
}

#[test]
fn a_score_that_the_judge_never_wrote_is_missing() {
    let (records, report) = folder("sound", "mindeval1-rubric");
    let keys: Vec<&str> = records.iter().map(bare).collect();
    assert_eq!(keys, ["p1/ep000", "p1/ep001", "p2/ep000"]);
    assert_eq!(records[0].segments.len(), 5, "an opening and two exchanges");
    let values = |at: usize| {
        records[at]
            .answers
            .iter()
            .map(|answer| answer.values.join(","))
            .collect::<Vec<_>>()
    };
    assert_eq!(values(0), ["4", "4", "3", "5", "4"]);
    assert_eq!(
        values(2),
        ["2", "2", "3", "3"],
        "the fifth stands as 3 in the verdict only"
    );
    let report = report.expect("sound");
    assert!(
        notices(&report).iter().any(|notice| notice
            .contains("p2/ep000, AI-Specific Communication Quality: 3.0 stands in the verdict")),
        "{report:?}"
    );
}

#[test]
fn unfinished_sessions_and_those_that_ended_in_an_error_are_left_out() {
    let (records, report) = folder("left-out", "mindeval2-mqm");
    assert_eq!(records.len(), 1);
    assert_eq!(
        notices(&report.expect("sound")),
        [
            "p1/ep001: the session is not finished",
            "p2/ep000: the session ended in an error and is not to be judged",
            "judge/mindeval2/verdicts.jsonl: p2/ep000/t1: a verdict on what is not among the finished sessions",
        ]
    );
}

#[test]
fn files_beside_a_run_are_named_as_left_out() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut zip = zip::ZipWriter::new(&mut bytes);
    let root = run("sound");
    let mut files: Vec<(String, Vec<u8>)> = Folder::new(&root)
        .expect("a folder")
        .names()
        .iter()
        .map(|name| {
            let content = fs::read(root.join(name)).expect("a file");
            (format!("run/{name}"), content)
        })
        .collect();
    for name in ["more/traces.jsonl", "run/notes.txt", "__MACOSX/run/._x"] {
        files.push((name.to_owned(), b"{}".to_vec()));
    }
    for (name, content) in files {
        zip.start_file(name, zip::write::SimpleFileOptions::default())
            .expect("a file");
        zip.write_all(&content).expect("written");
    }
    zip.finish().expect("written");
    let mut archive = Archive::new(bytes).expect("an archive");
    let (records, report) = read(&mut archive, "mindeval2-mqm");
    assert_eq!(records, folder("sound", "mindeval2-mqm").0);
    assert_eq!(
        notices(&report.expect("sound"))[0],
        "more/traces.jsonl, run/notes.txt: no part of the run, and not read; import what is judged by itself"
    );
    let (_, alone) = folder("sound", "mindeval2-mqm");
    assert!(
        !notices(&alone.expect("sound"))
            .iter()
            .any(|notice| notice.contains("no part"))
    );
}

#[test]
fn every_damaged_run_has_the_problems_that_are_expected_of_it() {
    let expected: [(&str, &[&str]); 5] = [
        (
            "severity-word",
            &[
                "line 1, judge/mindeval2/verdicts.jsonl: other: found 2; expected 0 or 1",
                "line 1, judge/mindeval2/verdicts.jsonl: severity: found Severe; expected one of 0, 1, 5, 10",
            ],
        ),
        (
            "torn-middle",
            &[
                "line 1, judge/mindeval2/verdicts.jsonl: found a line that is no JSON; expected one JSON object on each line",
            ],
        ),
        (
            "roles",
            &[
                "line 3, members/p1/arc/ep000/trace.jsonl: member_messages: found hello; expected what the counsellor says in reply 1 of the turns",
            ],
        ),
        (
            "settings",
            &[
                "line 3, run.json: found broken JSON; expected the settings of the run as JSON",
                "line 1, judge/mindeval2/verdicts.jsonl: key: found nothing; expected the key of the verdict",
                "line 2, judge/mindeval2/verdicts.jsonl: found a list; expected one JSON object on each line",
            ],
        ),
        (
            "trace-lines",
            &[
                "line 1, members/p1/arc/ep000/trace.jsonl: turn: found text; expected the number of the turn",
                "line 2, members/p1/arc/ep000/trace.jsonl: found a line that is no JSON; expected one JSON object on each line",
                "line 3, members/p1/arc/ep000/trace.jsonl: found text; expected one JSON object on each line",
            ],
        ),
    ];
    for (name, problems) in expected {
        let (_, report) = folder(&format!("damaged/{name}"), "mindeval2-mqm");
        assert_eq!(report.expect_err("damaged"), problems, "{name}");
    }
}

#[test]
fn an_archive_reads_as_the_folder_that_is_in_it() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut zip = zip::ZipWriter::new(&mut bytes);
    let root = run("sound");
    let names = Folder::new(&root).expect("a folder").names().to_vec();
    for name in names {
        zip.start_file(
            format!("my run/{name}"),
            zip::write::SimpleFileOptions::default(),
        )
        .expect("a file");
        zip.write_all(&fs::read(root.join(&name)).expect("a file"))
            .expect("written");
    }
    zip.finish().expect("written");
    let mut archive = Archive::new(bytes).expect("an archive");
    let (zipped, _) = read(&mut archive, "mindeval2-mqm");
    assert_eq!(zipped, folder("sound", "mindeval2-mqm").0);
}

#[test]
fn an_archive_of_something_else_says_so() {
    let names = ["xl/workbook.xml".to_owned(), "notes.txt".to_owned()];
    assert!(
        sniff_tree(&names)
            .expect_err("a workbook")
            .found
            .contains("Excel")
    );
    assert!(
        sniff_tree(&names[1..])
            .expect_err("no run")
            .found
            .contains("1 file without a session")
    );
}
