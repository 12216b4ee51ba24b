//! A divided trajectory leaves as `traces.jsonl` and comes back with the same steps, answers and relations.

use crate::stage::Stage;
use domain::id::ItemId;
use serde_json::{Value, json};
use service::check;
use service::export::ExportFile;
use service::item::{self, Division, ItemFilter, ItemPage};

const SCHEME: &str = "miramind-trajectory";

async fn ids(stage: &Stage) -> Vec<ItemId> {
    let (filter, page) = (ItemFilter::default(), ItemPage::default());
    let list = item::list(&stage.app, &stage.staff, &stage.study, filter, page).await;
    list.unwrap().rows.into_iter().map(|row| row.id).collect()
}

/// Every item's steps in words, with their places.
async fn steps(stage: &Stage) -> Vec<String> {
    let mut all = Vec::new();
    for id in ids(stage).await {
        let found = item::get(&stage.app, &stage.staff, &id).await.unwrap();
        for range in &found.item.segments {
            let words = domain::annotation::slice(&found.item.trace, (range.1, range.2)).unwrap();
            let (key, label, start) = (&found.item.key, &range.0, range.1);
            all.push(format!("{key} {start} {label}|{words}"));
        }
    }
    all
}

async fn divide(stage: &Stage, item: usize, changes: &[Division]) {
    let id = &ids(stage).await[item];
    for change in changes {
        let found = item::get(&stage.app, &stage.staff, id).await.unwrap();
        let seen = found.item.segments.len();
        item::divide(&stage.app, &stage.staff, id, seen, change)
            .await
            .unwrap();
    }
}

/// Four trajectories that staff divide after import:
///
/// ```text
/// plain    sentences; the first two joined, the third split
/// lines    paragraphs; the first two joined, so that the parts make up the text but no import would find them
/// one      sentences; all joined
/// titled   two steps under subtitles, which the file names; the second split
/// ```
async fn divided() -> Stage {
    let records = [
        json!({"key": "plain", "trace": "<think>He sleeps badly 🙂. He eats little. So he is low, but not lost.</think><answer>Low</answer>"}),
        json!({"key": "lines", "trace": "First this.\n\nThen that.\n\nSo it is."}),
        json!({"key": "one", "trace": "One. Two."}),
        json!({"key": "titled", "segments": [{"label": "Evidence", "text": "It rains. It pours."}, {"label": "End", "text": "So wet, and so cold."}]}),
    ];
    let stage = Stage::new(SCHEME, &records).await;
    let split = |step: usize, words: &str| Division::Split(step, words.to_owned());
    divide(&stage, 0, &[Division::Join(2), split(2, "but not")]).await;
    divide(&stage, 1, &[Division::Join(2)]).await;
    divide(&stage, 2, &[Division::Join(2)]).await;
    divide(&stage, 3, &[split(2, "and so")]).await;
    stage
}

const STEPS: [&str; 8] = [
    "plain 7 |He sleeps badly 🙂. He eats little.",
    "plain 42 |So he is low,",
    "plain 56 |but not lost.",
    "lines 0 |First this.\n\nThen that.",
    "lines 25 |So it is.",
    "one 0 |One. Two.",
    "titled 0 Evidence|It rains. It pours.",
    "titled 21 End|So wet,",
];

/// The same records with what a judge and two raters said of the steps as staff divided them.
async fn judged() -> Stage {
    let stage = divided().await;
    let said = |relations: &[&str]| {
        json!({
            "terminology_parsimony": 2, "step_adequacy": 1, "logical_coherence": 2, "informativeness": 1,
            "relations": relations,
        })
    };
    let judgements = [
        (
            "plain",
            vec!["1 ENTAILS input", "2 SUPPORTS 1", "3 CONTRADICTS 2"],
        ),
        ("lines", vec!["1 ENTAILS input", "2 CAUSES 1"]),
        ("one", vec!["1 ENTAILS input"]),
        ("titled", vec!["1 ENTAILS input", "3 REFINES 2"]),
    ];
    let text = stage.file(ExportFile::Traces).await;
    let lines = text
        .lines()
        .zip(&judgements)
        .map(|(line, (key, relations))| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["key"], *key);
            line["judge"] = json!({"name": "judge-a"});
            line["answers"] = said(relations);
            let mut other = relations.clone();
            if *key != "one" {
                other.push("join 2");
            }
            line["ratings"] = json!([
                {"rater": "ada", "answers": said(relations)},
                {"rater": "ben", "answers": said(&other)},
            ]);
            line.to_string()
        });
    let lines: Vec<String> = lines.collect();
    let report = stage.take(&lines.join("\n")).await;
    assert_eq!(report.problems, [], "{text}");
    assert_eq!((report.new.items, report.identical), (0, 4));
    stage
}

#[tokio::test]
async fn a_trajectory_that_staff_divided_comes_back_with_the_same_steps_answers_and_relations() {
    let stage = judged().await;
    let before = steps(&stage).await;
    assert_eq!(before[..8], STEPS);
    assert_eq!(before[8], "titled 29 |and so cold.");
    let text = stage.file(ExportFile::Traces).await;
    let copy = Stage::new(SCHEME, &[]).await;
    let report = copy.take(&text).await;
    assert_eq!(report.problems, [], "{text}");
    assert_eq!(report.new.items, 4);
    assert_eq!(steps(&copy).await, before);
    assert_eq!(
        copy.file(ExportFile::Traces).await,
        text,
        "and goes out again as it came"
    );
    // Steps and relations are counted from what came back.
    let (first, second) = (stage.results().await, copy.results().await);
    assert!(!first.is_empty());
    assert_eq!(first, second);
    for own in [&stage, &copy] {
        let again = own.take(&text).await;
        assert_eq!(again.problems, [], "where it came from it changes nothing");
        assert_eq!((again.new.items, again.new.ratings), (0, 0));
        assert_eq!(check::run(&own.app).await.unwrap(), []);
    }
}

#[tokio::test]
async fn what_counts_steps_as_they_were_before_staff_divided_them_is_refused() {
    let stage = divided().await;
    let plain = "<think>He sleeps badly 🙂. He eats little. So he is low, but not lost.</think><answer>Low</answer>";
    let record = json!({
        "key": "plain", "trace": plain, "judge": {"name": "judge-a"}, "answers": {"relations": ["3 SUPPORTS 1"]},
    });
    let report = stage.take(&record.to_string()).await;
    let told: Vec<&str> = report
        .problems
        .iter()
        .map(|problem| problem.found.as_str())
        .collect();
    assert_eq!(
        told,
        ["a trace divided into other steps"],
        "the third of the file's steps is no step of the study"
    );
    let silent = json!({"key": "plain", "trace": plain, "judge": {"name": "judge-a"}, "answers": {"informativeness": 1}});
    let report = stage.take(&silent.to_string()).await;
    assert_eq!(report.problems, [], "a score counts no steps");
}
