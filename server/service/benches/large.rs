//! A study of many items on SQLite: how long import, export and the pages of results take, and the most memory so far.
//! `cargo bench -p service --bench large -- ITEMS FOLDER`; the folder should lie on the disk that is meant.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark says what it measured, or ends"
)]

use service::agreement::{self, AgreementQuery, Facet, Question, Stage};
use service::export::{self, ExportFile, ExportOptions};
use service::import::{ImportOptions, ImportSource};
use service::study::SchemeSource;
use service::validation::{self, ValidationQuery};
use service::{Actor, Db, Services, corpus, import, study};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[tokio::main]
async fn main() {
    let plain: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let items = plain
        .first()
        .map_or(100_000, |items| items.parse().unwrap());
    let folder = plain.get(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(folder).unwrap();
    let file = folder.path().join("traces.jsonl");
    traces(&file, items);
    let url = format!("sqlite:{}", folder.path().join("large.db").display());
    let app = Services::new(Db::open(&url).await.unwrap());
    let operator = Actor::operator();
    let source = SchemeSource::Builtin("stigma".to_owned());
    let id = study::create(&app, &operator, "Large", source)
        .await
        .unwrap();

    let began = Instant::now();
    let from = ImportSource::Path(file);
    let options = ImportOptions::default();
    let report = import::run(&app, &operator, &id, from, "traces.jsonl", options, &|_| {}).await;
    assert!(report.unwrap().problems.is_empty());
    say("import", began);

    let out = folder.path().join("out");
    let began = Instant::now();
    export::write_dir(&app, &operator, &id, &out, ExportOptions::default())
        .await
        .unwrap();
    say("export of all files", began);
    for file in ExportFile::ALL {
        let began = Instant::now();
        export::to_file(&app, &operator, &id, file, ExportOptions::default())
            .await
            .unwrap();
        say(&format!("export of {}", file.name()), began);
    }
    for view in ["first", "second"] {
        let query = AgreementQuery {
            stage: Stage::Raw,
            question: Question::from("severity".to_owned()),
            facet: Facet::None,
        };
        let began = Instant::now();
        agreement::report(&app, &operator, &id, &query)
            .await
            .unwrap();
        say(&format!("agreement, {view} view"), began);
        let began = Instant::now();
        validation::report(&app, &operator, &id, &ValidationQuery::default())
            .await
            .unwrap();
        say(&format!("validation, {view} view"), began);
        let began = Instant::now();
        corpus::report(&app, &operator, &id, "").await.unwrap();
        say(&format!("corpus, {view} view"), began);
    }
}

fn say(what: &str, began: Instant) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap_or("unknown").trim();
    println!(
        "{:8.3} s  {peak:>12} at most  {what}",
        began.elapsed().as_secs_f64()
    );
}

/// Short traces with one tag each, judged by two raters who mostly agree.
fn traces(path: &Path, items: u64) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    for at in 0..items {
        let (severity, other) = (1 + at % 5, 1 + (at / 5 + at % 5 / 4) % 5);
        let second = if at % 4 == 0 { other } else { severity };
        let words = "She keeps odd hours, which may mean little. ".repeat(8);
        let mut line = String::new();
        write!(
            line,
            r#"{{"key":"i{at}","condition":"c{}","model":"m{}","mode":"scratchpad","answer":"No","options":["Yes","No"],"trace":"Person {at}. {words}","judge":{{"name":"judge-a"}},"candidates":[{{"key":"t{at}","category":"{}.1","severity":{severity},"evidence":"odd hours"}}],"ratings":[{{"rater":"ada","candidate":0,"validity":"valid","severity":{severity}}},{{"rater":"ben","candidate":0,"validity":"{}","severity":{second}}},{{"rater":"ada","nothing_missed":true}},{{"rater":"ben","nothing_missed":true}}]}}"#,
            at % 4,
            at % 2,
            1 + at % 5,
            if at % 7 == 0 { "invalid" } else { "valid" },
        )
        .unwrap();
        writeln!(out, "{line}").unwrap();
    }
    out.flush().unwrap();
}
