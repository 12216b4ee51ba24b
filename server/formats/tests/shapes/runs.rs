//! Runs of MindEval 2: which counsellor, which verdict, which session.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Cursor};

use crate::kit::{Book, notices};
use domain::scheme::{builtin, parse};
use formats::record::{JudgeOutcome, TraceRecord};
use formats::{ReadError, ReadOptions, ReadReport, Tree, read_tree};

/// Files in memory.
#[derive(Default)]
struct Files {
    texts: BTreeMap<String, String>,
    names: Vec<String>,
}

impl Files {
    fn with(mut self, name: &str, text: &str) -> Self {
        self.texts.insert(name.to_owned(), text.to_owned());
        self.names = self.texts.keys().cloned().collect();
        self
    }
}

impl Tree for Files {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn open(&mut self, name: &str) -> io::Result<Box<dyn BufRead + '_>> {
        let text = self.texts.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Cursor::new(text.as_bytes())))
    }
}

fn settings(model: &str) -> String {
    format!("{{\"counselor\": {{\"model\": \"{model}\"}}, \"seed\": 0}}")
}

/// A session of two replies.
fn session(second: &str, end: &str) -> String {
    let turn = |turn: u8, reply: &str| {
        format!(
            "{{\"type\":\"turn\",\"turn\":{turn},\"counselor_utterance\":{reply},\"utterance\":\"yes\"}}\n"
        )
    };
    turn(0, "null")
        + &turn(1, "\"How are you?\"")
        + &turn(2, second)
        + &format!(
            "{{\"type\":\"session\",\"termination\":\"{end}\",\"member_messages\":[{{\"role\":\"user\",\"content\":\"How are you?\"}},{{\"role\":\"user\",\"content\":{second}}}]}}\n"
        )
}

/// A run of one session under a folder, with these lines of verdicts.
fn run(files: Files, root: &str, model: &str, verdicts: &str) -> Files {
    files
        .with(&format!("{root}run.json"), &settings(model))
        .with(
            &format!("{root}members/m/arc/ep000/trace.jsonl"),
            &session("\"I see.\"", "max_turns"),
        )
        .with(&format!("{root}judge/mindeval2/verdicts.jsonl"), verdicts)
}

/// A line of verdict on a reply; `rest` follows what names it.
fn verdict(turn: u8, sha: &str, rest: &str) -> String {
    format!(
        "{{\"key\":\"m/ep000/t{turn}\",\"input_sha\":\"{sha}\",\"member\":\"m\",\"episode\":\"ep000\",\"turn\":{turn}{rest}}}\n"
    )
}

const A: &str = "a6cecc1b78e51061";
const B: &str = "e1988ad9f06c144a";

fn severity(word: &str) -> String {
    format!(",\"severity\":\"{word}\",\"other\":0")
}

fn take(mut files: Files, scheme: &str) -> (Vec<TraceRecord>, Result<ReadReport, Vec<String>>) {
    let book = Book(
        parse(builtin(scheme).expect("compiled in"))
            .expect("sound")
            .0,
    );
    let mut records = Vec::new();
    let report = read_tree::<()>(&mut files, &book, &ReadOptions::default(), &mut |record| {
        records.push(record);
        Ok(())
    });
    let report = report.map_err(|error| match error {
        ReadError::Problems(problems) => problems.list.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    });
    (records, report)
}

/// The severities that the judge gave, reply by reply; a word for what is no verdict.
fn severities(records: &[TraceRecord]) -> Vec<String> {
    let of = |record: &TraceRecord| match &record.outcome {
        JudgeOutcome::Judged { .. } => record.answers[0].values.join(","),
        JudgeOutcome::Failed { kind } => kind.clone(),
        JudgeOutcome::Absent => "none".to_owned(),
    };
    records.iter().map(of).collect()
}

fn one(verdicts: &str) -> (Vec<String>, Vec<String>) {
    let (records, report) = take(run(Files::default(), "", "one", verdicts), "mindeval2-mqm");
    (severities(&records), notices(&report.expect("sound")))
}

fn wrong(files: Files) -> Vec<String> {
    take(files, "mindeval2-mqm").1.expect_err("problems")
}

#[test]
fn runs_of_several_counsellors_are_read_together_and_stay_apart() {
    let files = run(
        Files::default(),
        "runs/a/",
        "one",
        &verdict(1, A, &severity("Minor")),
    );
    let files = run(
        files,
        "runs/b/",
        "two",
        &verdict(1, A, &severity("Critical")),
    );
    let (records, report) = take(files, "mindeval2-mqm");
    assert!(notices(&report.expect("sound")).is_empty());
    assert_eq!(severities(&records), ["1", "none", "10", "none"]);
    let models: Vec<_> = records
        .iter()
        .filter_map(|record| record.model.as_deref())
        .collect();
    assert_eq!(models, ["one", "one", "two", "two"]);
    let mut keys: Vec<&str> = records.iter().map(|record| record.key.as_str()).collect();
    assert!(
        keys.iter()
            .all(|key| key.contains("/m/ep000/t") && !key.contains("one")),
        "{keys:?}"
    );
    keys.dedup();
    assert_eq!(keys.len(), 4, "no key twice");
    // A folder of its own gives a run the same keys.
    let (alone, _) = take(run(Files::default(), "", "two", ""), "mindeval2-mqm");
    assert_eq!(alone[0].key, records[2].key);
    let (sessions, _) = take(run(Files::default(), "", "two", ""), "mindeval1-rubric");
    assert_eq!(format!("{}/t1", sessions[0].key), alone[0].key);
    let twice = run(run(Files::default(), "a/", "one", ""), "b/", "one", "");
    assert_eq!(
        wrong(twice),
        [
            "line 1, b/run.json: found the counsellor of a/run.json again; expected runs of different counsellors, or with different seeds, told apart by their run.json"
        ]
    );
}

#[test]
fn a_verdict_on_an_earlier_input_does_not_count() {
    let line = |sha: &str, word: &str| verdict(1, sha, &severity(word));
    let (said, left) = one(&(line(A, "Critical") + &line(B, "Minor") + &line(A, "Critical")));
    assert_eq!(
        said,
        ["1", "none"],
        "a copy of an earlier line makes it no newer"
    );
    assert_eq!(left.len(), 2);
    let (said, left) = one(&(line(A, "No concern") + &line("old", "Critical")));
    assert_eq!(said, ["0", "none"]);
    assert_eq!(
        left,
        ["judge/mindeval2/verdicts.jsonl: m/ep000/t1: a verdict on an earlier input"]
    );
    let (said, left) = one(&(line(A, "Minor") + &verdict(2, "old", &severity("Critical"))));
    assert_eq!(
        said,
        ["1", "none"],
        "the only verdict on the second reply is on another"
    );
    assert_eq!(
        left,
        [
            "judge/mindeval2/verdicts.jsonl: m/ep000/t2: a verdict on an earlier input, and none on the present one"
        ]
    );
}

#[test]
fn figures_that_the_judges_summary_has_otherwise_are_named() {
    let verdicts = verdict(1, A, &severity("Minor")) + &verdict(2, B, &severity("Major"));
    let with = |summary: &str| {
        let files = run(Files::default(), "", "one", &verdicts);
        let files = files.with("judge/mindeval2/summary.json", summary);
        notices(&take(files, "mindeval2-mqm").1.expect("sound"))
    };
    // (1 + 5) / 2 = 3.
    assert!(with("\u{feff}{\"n_replies\":2,\"mqm\":{\"mean\":3.0}}").is_empty());
    assert_eq!(
        with("{\"n_replies\":1,\"mqm\":{\"mean\":1.0},\"replies\":{\"pending\":1}}"),
        [
            "judge/mindeval2/summary.json: the judge's own summary has 1 judged reply and not 2, a mean of 1 and not 3; it has 1 reply waiting to be judged, so verdicts on earlier inputs may count here"
        ]
    );
    assert!(
        with("{\"n_replies\":2,\"mqm\":{\"mean\":9.0,\"weights\":{\"Major\":25}}}").is_empty(),
        "other weights give another mean"
    );
}

#[test]
fn a_verdict_without_its_severity_is_a_problem() {
    let files = run(Files::default(), "", "one", &verdict(1, A, ",\"other\":0"));
    assert_eq!(
        wrong(files),
        [
            "line 1, judge/mindeval2/verdicts.jsonl: severity: found nothing; expected one of 0, 1, 5, 10"
        ]
    );
}

#[test]
fn an_error_of_nothing_beside_a_verdict_is_none() {
    for error in ["null", "\"\"", "\" \""] {
        let rest = format!("{},\"_error\":{error}", severity("Major"));
        assert_eq!(
            one(&verdict(1, A, &rest)),
            (vec!["5".to_owned(), "none".to_owned()], Vec::new())
        );
        let (said, _) = one(&verdict(1, A, &format!(",\"_error\":{error}")));
        assert_eq!(said, ["error", "none"], "nothing stands beside it");
    }
    let (said, _) = one(&verdict(
        1,
        A,
        &format!("{},\"_error\":\"ValueError: x\"", severity("Major")),
    ));
    assert_eq!(said, ["ValueError", "none"]);
}

#[test]
fn a_mark_at_the_beginning_of_settings_is_passed_over() {
    let files = run(
        Files::default(),
        "",
        "one",
        &verdict(1, A, &severity("Minor")),
    )
    .with("run.json", &format!("\u{feff}{}", settings("one")))
    .with("judge/mindeval2/judge.json", "\u{feff}{\"model\": \"j\"}");
    let (records, report) = take(files, "mindeval2-mqm");
    report.expect("sound");
    assert_eq!(
        (
            records[0].model.as_deref(),
            records[0].judge.model.as_deref()
        ),
        (Some("one"), Some("j"))
    );
}

#[test]
fn a_reply_of_nothing_is_left_out_and_the_run_is_read() {
    for second in ["\"\"", "\" \"", "null"] {
        let files = run(
            Files::default(),
            "",
            "one",
            &verdict(1, A, &severity("Minor")),
        )
        .with(
            "members/m/arc/ep000/trace.jsonl",
            &session(second, "max_turns"),
        );
        let (records, report) = take(files, "mindeval2-mqm");
        assert_eq!(severities(&records), ["1"]);
        assert_eq!(
            notices(&report.expect("sound")),
            ["m/ep000/t2: the counsellor said nothing: there is no reply to judge"]
        );
    }
}

#[test]
fn a_verdict_that_contradicts_its_key_is_a_problem() {
    let line = verdict(1, A, &severity("Minor"));
    let of = |text: &str| wrong(run(Files::default(), "", "one", text));
    assert_eq!(
        of(&line.replace("\"turn\":1", "\"turn\":3")),
        [
            "line 1, judge/mindeval2/verdicts.jsonl: turn: found 3; expected 1, as in the key m/ep000/t1"
        ]
    );
    assert_eq!(
        of(&line.replace("\"member\":\"m\"", "\"member\":\"n\"")),
        [
            "line 1, judge/mindeval2/verdicts.jsonl: member: found n; expected m, as in the key m/ep000/t1"
        ]
    );
}

#[test]
fn an_end_that_nobody_knows_is_named() {
    let files = run(Files::default(), "", "one", "").with(
        "members/m/arc/ep000/trace.jsonl",
        &session("\"I see.\"", "crashed"),
    );
    let (records, report) = take(files, "mindeval2-mqm");
    assert_eq!(records.len(), 2);
    assert_eq!(
        notices(&report.expect("sound")),
        [
            "members/m/arc/ep000/trace.jsonl: the session ended as crashed, which is not known; taken as finished"
        ]
    );
}

#[test]
fn a_session_twice_in_a_file_is_named_with_the_file() {
    let text = session("\"I see.\"", "max_turns");
    let files = run(Files::default(), "", "one", "")
        .with("members/m/arc/ep000/trace.jsonl", &(text.clone() + &text));
    let of = |line: u8, turn: u8, first: u8| {
        format!(
            "line {line}, members/m/arc/ep000/trace.jsonl: found turn {turn} again; expected every turn once; line {first} has it already"
        )
    };
    assert_eq!(
        wrong(files),
        [
            of(5, 0, 1),
            of(6, 1, 2),
            of(7, 2, 3),
            "line 8, members/m/arc/ep000/trace.jsonl: found the end of a second session; expected one session in a file; line 4 ends it already".to_owned(),
        ]
    );
}

#[test]
fn a_score_that_was_not_found_is_invented_only_if_it_is_three() {
    let name = "Therapeutic Relationship & Alliance";
    let line = |score: u8, answer: &str| {
        format!(
            "{{\"key\":\"m/ep000\",\"input_sha\":\"{A}\",\"{name}\":{score},\"answer\":\"{answer}\"}}\n"
        )
    };
    let of = |score: u8, answer: &str| {
        let files = run(Files::default(), "", "one", "")
            .with("judge/mindeval1/verdicts.jsonl", &line(score, answer));
        let (records, report) = take(files, "mindeval1-rubric");
        let values: Vec<String> = records[0]
            .answers
            .iter()
            .map(|answer| answer.values.join(","))
            .collect();
        (values.concat(), notices(&report.expect("sound")).len())
    };
    assert_eq!(of(3, "I cannot say."), (String::new(), 1));
    assert_eq!(of(5, "I cannot say."), ("5".to_owned(), 1));
    assert_eq!(
        of(3, "Therapeutic Relationship and Alliance: 2"),
        ("2".to_owned(), 0)
    );
}

#[test]
fn an_archive_whose_names_are_written_with_the_other_stroke_is_read() {
    use std::io::Write as _;
    let mut bytes = Cursor::new(Vec::new());
    let mut zip = zip::ZipWriter::new(&mut bytes);
    let files = run(
        Files::default(),
        "run/",
        "one",
        &verdict(1, A, &severity("Minor")),
    );
    for (name, text) in &files.texts {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(name.replace('/', "\\"), options)
            .expect("a file");
        zip.write_all(text.as_bytes()).expect("written");
    }
    zip.finish().expect("written");
    let archive = formats::Archive::new(bytes).expect("an archive");
    assert_eq!(archive.names(), files.names());
    assert_eq!(
        formats::sniff_tree(archive.names()),
        Ok(formats::Format::MindevalRun)
    );
}
