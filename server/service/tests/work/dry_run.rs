//! A dry run says all that an import would write: its counts are those of the import, and those are of what is there then.

mod examples;

use crate::common::{Stage, person};
use domain::id::StudyId;
use examples::{DUAL, OWN, PLAIN, SCHEME, examples};
use service::folder::{self, Files};
use service::import::{ImportOptions, ImportReport, ImportSource, New};
use service::study::{self, SchemeSource};
use service::{Actor, import};
use std::fs;
use std::path::{Path, PathBuf};

async fn study(stage: &Stage, name: &str, scheme: &str) -> StudyId {
    let source = if scheme.contains('\n') {
        SchemeSource::Toml(scheme.to_owned())
    } else {
        SchemeSource::Builtin(scheme.to_owned())
    };
    study::create(stage, &Actor::operator(), name, source)
        .await
        .unwrap()
}

async fn take(stage: &Stage, study: &StudyId, path: &Path, dry_run: bool) -> ImportReport {
    let options = ImportOptions {
        dry_run,
        ..ImportOptions::default()
    };
    let source = ImportSource::Path(path.to_owned());
    import::run(
        stage,
        &Actor::operator(),
        study,
        source,
        "file",
        options,
        &|_| {},
    )
    .await
    .unwrap()
}

/// What stands in the tables that the counts are of.
async fn there(stage: &Stage) -> Vec<i64> {
    let mut counts = Vec::new();
    for table in [
        "items",
        "candidates",
        "judged",
        "judge_answers",
        "missed_tags",
        "plain_answers",
        "judges",
        "members",
    ] {
        counts.push(stage.rows(table).await);
    }
    counts.push(stage.rows("judgements").await + stage.rows("item_answers").await);
    counts
}

#[tokio::test]
async fn a_dry_run_of_every_format_counts_all_that_the_import_then_writes() {
    let stage = Stage::empty().await;
    let folder = tempfile::tempdir().unwrap();
    for (format, scheme, text, counted) in examples() {
        let study = study(&stage, format, scheme).await;
        let path = folder.path().join(format);
        fs::write(&path, text).unwrap();
        let before = there(&stage).await;
        let dry = take(&stage, &study, &path, true).await;
        assert_eq!(dry.problems, [], "{format}");
        assert_eq!(dry.format, format);
        assert_eq!(there(&stage).await, before, "{format}: nothing is written");
        let real = take(&stage, &study, &path, false).await;
        assert_eq!(dry.new, counted, "{format}");
        assert_eq!(dry.new, real.new, "{format}");
        let after = there(&stage).await;
        let grown: Vec<i64> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
        let new = real.new;
        let said = [
            new.items,
            new.candidates,
            new.verdicts,
            new.judge_answers,
            new.missed,
            new.answers,
            new.judges,
            new.raters,
            new.ratings,
        ];
        assert_eq!(
            grown,
            said.map(|n| n as i64),
            "{format}: what is there afterwards"
        );
        let again = take(&stage, &study, &path, true).await;
        assert!(again.new.is_nothing(), "{format}: {:?}", again.new);
    }
}

#[tokio::test]
async fn a_dry_run_of_a_run_and_of_rulings_counts_the_same() {
    let stage = Stage::empty().await;
    let runs = study(&stage, "Runs", "mindeval2-mqm").await;
    let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/runs/sound");
    let dry = take(&stage, &runs, &sound, true).await;
    // Six replies with a severity and the issues of each.
    let counted = New {
        items: 6,
        verdicts: 6,
        judge_answers: 12,
        judges: 1,
        ..New::default()
    };
    assert_eq!(dry.new, counted);
    assert_eq!(take(&stage, &runs, &sound, false).await.new, counted);
    let folder = tempfile::tempdir().unwrap();
    let (rated, ruled) = (
        folder.path().join("rated.csv"),
        folder.path().join("ruled.csv"),
    );
    fs::write(&rated, DUAL).unwrap();
    fs::write(&ruled, "order,final_severity,outcome\n1,3,consensus\n").unwrap();
    take(&stage, &stage.study, &rated, false).await;
    let staff = person(&stage, "dora").await;
    service::member::add(
        &stage,
        &Actor::operator(),
        &stage.study,
        "dora",
        domain::role::Role::Coordinator,
    )
    .await
    .unwrap();
    for dry_run in [true, false] {
        let options = ImportOptions {
            dry_run,
            ..ImportOptions::default()
        };
        let source = ImportSource::Path(ruled.clone());
        let report = import::run(
            &stage,
            &staff,
            &stage.study,
            source,
            "ruled",
            options,
            &|_| {},
        )
        .await
        .unwrap();
        assert_eq!(report.problems, []);
        assert_eq!(
            report.new,
            New {
                rulings: 1,
                ..New::default()
            },
            "dry run {dry_run}"
        );
    }
}

/// Two files of which one repeats an item, a rater and an answer of the other: each is counted once.
#[tokio::test]
async fn a_dry_run_of_a_folder_counts_once_what_its_files_share() {
    let stage = Stage::empty().await;
    let study = study(&stage, "Folder", SCHEME).await;
    let folder = tempfile::tempdir().unwrap();
    let shared =
        r#"{"key":"a","trace":"one two three","judge":{"name":"l"},"answers":{"safe":"yes"}}"#;
    let named = |name: &str, text: &str| -> (String, PathBuf) {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        (name.to_owned(), path)
    };
    let files = Files::Loose(vec![
        named("a.jsonl", OWN),
        named("b.jsonl", shared),
        named("c.jsonl", PLAIN),
        named("d.jsonl", PLAIN),
    ]);
    let run = async |dry_run: bool| {
        let options = ImportOptions {
            dry_run,
            ..ImportOptions::default()
        };
        folder::run(
            &stage,
            &Actor::operator(),
            &study,
            &files,
            &options,
            &|_| {},
        )
        .await
        .unwrap()
    };
    let by_file = folder::trial(
        &stage,
        &Actor::operator(),
        &study,
        &files,
        &ImportOptions::default(),
    )
    .await
    .unwrap();
    let (dry, real) = (run(true).await, run(false).await);
    assert_eq!(real.problems, []);
    assert_eq!(
        (real.new.items, real.new.judge_answers, real.new.judges),
        (2, 3, 3)
    );
    assert_eq!(dry.new, real.new);
    let mut whole = New::default();
    for (_, report) in by_file {
        whole += report.new;
    }
    assert_eq!(whole, real.new, "and the files one by one add up to it");
}
