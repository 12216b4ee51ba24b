//! Ratings in one file and texts in another: the item is one, whichever of the two comes first.

use crate::stage::Stage;
use domain::role::Role;
use serde_json::{Value, json};
use service::batch::{NewBatch, Round, Stratify};
use service::export::ExportFile;
use service::import::{self, ImportOptions, ImportReport, ImportSource, New};
use service::{batch, judge, member};
use std::collections::BTreeMap;
use std::path::Path;

/// What two raters and a judge said of two replies of the sound run, and of one that it does not have.
const TABLE: &str = "item,rater,criterion,score\n\
    p1/ep000/t1,ada,severity,Minor\np1/ep000/t1,ben,severity,No concern\np1/ep000/t1,gpt-4o,severity,Major\n\
    p1/ep001/t1,ada,severity,Major\np9/ep000/t1,ada,severity,Critical\n";

/// The sound run of the readers' tests: seven replies, judged.
async fn run(stage: &Stage, dry_run: bool) -> ImportReport {
    let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/tests/runs/sound");
    let options = ImportOptions {
        dry_run,
        ..ImportOptions::default()
    };
    let source = ImportSource::Path(sound);
    import::run(
        &stage.app,
        &stage.staff,
        &stage.study,
        source,
        "run",
        options,
        &|_| {},
    )
    .await
    .unwrap()
}

async fn dry(stage: &Stage, text: &str) -> ImportReport {
    let options = ImportOptions {
        dry_run: true,
        ..ImportOptions::default()
    };
    let source = ImportSource::Reader(Box::new(std::io::Cursor::new(text.to_owned())));
    import::run(
        &stage.app,
        &stage.staff,
        &stage.study,
        source,
        "file",
        options,
        &|_| {},
    )
    .await
    .unwrap()
}

/// The rows of a table of the export, each as `key` and a cell.
async fn cells(stage: &Stage, file: ExportFile, key: &str, cell: &str) -> Vec<(String, String)> {
    let text = stage.file(file).await;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize::<BTreeMap<String, String>>();
    let rows = rows.map(|row| row.unwrap());
    rows.map(|row| (row[key].clone(), row[cell].clone()))
        .collect()
}

/// What people said, and what texts the items have.
async fn study(stage: &Stage) -> [Vec<(String, String)>; 2] {
    let mut said = cells(stage, ExportFile::RatingsLong, "source_key", "value").await;
    let mut texts = cells(stage, ExportFile::Items, "source_key", "trace").await;
    said.sort();
    texts.sort();
    [said, texts]
}

#[tokio::test]
async fn a_table_of_ratings_joins_the_replies_of_a_run_and_leaves_their_texts_alone() {
    let stage = Stage::new("mindeval2-mqm", &[]).await;
    let first = run(&stage, false).await;
    assert_eq!(first.problems, []);
    let [_, texts] = study(&stage).await;
    let tried = dry(&stage, TABLE).await;
    let report = stage.take(TABLE).await;
    assert_eq!(report.problems, []);
    // Three values of people and one of a judge, on three items of which one is new; two were there.
    // Beside the judge of the table an item that no judge has seen makes the one of files that name none.
    let expected = New {
        items: 1,
        ratings: 4,
        verdicts: 1,
        judge_answers: 1,
        judges: 2,
        raters: 2,
        ..New::default()
    };
    assert_eq!((report.new, report.identical), (expected, 2));
    assert_eq!((tried.new, tried.identical), (expected, 2));
    let [said, mut after] = study(&stage).await;
    let pair = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    assert_eq!(
        said,
        [
            ("p1/ep000/t1", "0"),
            ("p1/ep000/t1", "1"),
            ("p1/ep001/t1", "5"),
            ("p9/ep000/t1", "10"),
        ]
        .map(pair)
    );
    let new = after.pop().unwrap();
    assert_eq!(new.1, "(The file has no text for p9/ep000/t1.)");
    assert_eq!(after, texts, "a table without texts changes none");
    // Both files again find everything.
    let again = stage.take(TABLE).await;
    assert_eq!(
        (again.new, again.identical, again.problems),
        (New::default(), 3 + 4 + 1, vec![])
    );
    let again = run(&stage, false).await;
    assert_eq!((again.new, again.problems), (New::default(), vec![]));
}

#[tokio::test]
async fn a_run_brings_the_texts_of_items_that_a_table_of_ratings_made() {
    let (one, other) = (
        Stage::new("mindeval2-mqm", &[]).await,
        Stage::new("mindeval2-mqm", &[]).await,
    );
    run(&one, false).await;
    one.take(TABLE).await;
    other.take(TABLE).await;
    let tried = run(&other, true).await;
    let report = run(&other, false).await;
    assert_eq!(report.problems, []);
    assert_eq!(
        (report.new.items + report.new.texts, report.new.texts),
        (
            run(&Stage::new("mindeval2-mqm", &[]).await, true)
                .await
                .new
                .items,
            2
        ),
        "two replies had come without a text, the others are new"
    );
    assert_eq!((tried.new, tried.identical), (report.new, report.identical));
    assert_eq!(
        report.identical, 0,
        "no reply of the run was there with its text"
    );
    assert_eq!(
        study(&one).await,
        study(&other).await,
        "either order, one study"
    );
    let again = run(&other, false).await;
    assert_eq!((again.new, again.problems), (New::default(), vec![]));
    let again = other.take(TABLE).await;
    assert_eq!((again.new, again.problems), (New::default(), vec![]));
}

#[tokio::test]
async fn a_text_is_not_put_under_an_item_that_raters_were_given_without_it() {
    let stage = Stage::new("mindeval2-mqm", &[]).await;
    stage
        .take("item,rater,criterion,score\np1/ep000/t1,gpt-4o,severity,Major\np1/ep001/t1,gpt-4o,severity,Minor\n")
        .await;
    let rater = service::testing::person(&stage.app, "rita").await;
    member::add(&stage.app, &stage.staff, &stage.study, "rita", Role::Rater)
        .await
        .unwrap();
    let new = NewBatch {
        name: "First".to_owned(),
        round: Round::Main,
        size: 2,
        raters: vec![rater.user.clone()],
        raters_per_item: 1,
        stratify: Stratify::default(),
        seed: Some(1),
        hidden_percent: 0,
    };
    batch::create(&stage.app, &stage.staff, &stage.study, new)
        .await
        .unwrap();
    let report = run(&stage, false).await;
    assert_eq!(report.problems.len(), 2);
    let problem = &report.problems[0];
    assert_eq!(
        problem.found,
        "the text of an item that raters were given without it"
    );
    assert!(
        problem
            .expected
            .contains("into a new study, and then the ratings"),
        "{problem:?}"
    );
    assert_eq!(report.new, New::default());
}

#[tokio::test]
async fn a_table_that_names_another_model_than_the_item_has_is_of_another_item() {
    let record = json!({"key": "model-one/d/1", "model": "model-one-large", "trace": "A reply.",
        "extra": {"in_judge_few_shot": true}});
    let stage = Stage::new("mindeval2-mqm", &[record]).await;
    let table = |key: &str| {
        format!(
            "system\tdoc\tdoc_id\tseg_id\trater\ttarget\tcategory\tseverity\n{key}\tada\t\tStyle\tMinor\n"
        )
    };
    // Tables of this shape name the system, and the item of that key was written by another one.
    let other = stage.take(&table("model-one\td\t1\t1")).await;
    let told: Vec<_> = other.problems.iter().map(|p| p.field.as_deref()).collect();
    assert_eq!(told, [Some("model")], "{:?}", other.problems);
    let same = "item,rater,criterion,score\nmodel-one/d/1,ada,severity,Minor\n";
    let same = stage.take(same).await;
    assert_eq!((same.new.ratings, same.problems), (1, vec![]));
    let listed = judge::few_shot_of_files(&stage.app, &stage.staff, &stage.study).await;
    assert_eq!(
        listed.unwrap(),
        ["model-one/d/1"],
        "what the file with the text said stays"
    );
}

/// An alt-test names raters and items, JUDGE-BENCH items without their texts.
#[tokio::test]
async fn an_alt_test_and_a_benchmark_without_texts_join_the_items_of_a_study() {
    let record =
        |key: &str| json!({"key": key, "vignette": "Before.", "trace": format!("Reply {key}.")});
    let stage = Stage::new("mindeval2-mqm", &[record("a"), record("b")]).await;
    let scores = |value: u8| json!({"severity": {"individual_human_scores": [value, value]}});
    let bench = json!({"dataset": "d", "annotations": [{"metric": "severity", "category": "graded"}],
        "instances": [{"id": "a", "annotations": scores(1)}, {"id": "b", "annotations": scores(5)}]});
    let report = stage.take(&bench.to_string()).await;
    assert_eq!(
        (report.problems, report.new.items, report.new.ratings),
        (vec![], 0, 4)
    );
    let lines = stage.file(ExportFile::Traces).await;
    let line: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(line["ratings"].as_array().map(Vec::len), Some(2), "{line}");
}

/// What points to the parts of an item's text is held against the text that the study has.
#[tokio::test]
async fn an_answer_of_a_table_that_points_to_a_step_must_point_to_one_that_the_item_has() {
    let trace = "<think>\n### One\nFirst.\n### Two\nSecond.\n</think>\n<answer>\nB\n</answer>";
    let record = json!({"key": "x", "trace": trace});
    let stage = Stage::new("miramind-trajectory", &[record]).await;
    let source = domain::scheme::builtin("miramind-trajectory").unwrap();
    let (scheme, _) = domain::scheme::parse(source).unwrap();
    let kind = domain::scheme::QuestionKind::Relations;
    let mut asked = scheme.item_questions.iter();
    let relations = asked
        .find(|question| question.kind == kind)
        .unwrap()
        .id
        .clone();
    let table = |line: &str| format!("item,rater,criterion,score\nx,ada,{relations},{line}\n");
    let none = stage.take(&table("9 SUPPORTS 1")).await;
    assert_eq!(none.problems.len(), 1);
    assert_eq!(none.problems[0].found, "step 9");
    let there = stage.take(&table("2 SUPPORTS 1")).await;
    assert_eq!((there.problems, there.new.ratings), (vec![], 1));
}
