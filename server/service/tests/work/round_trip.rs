//! A study leaves as `traces.jsonl` and comes back, with all that each rater said.

use crate::common::{Stage, complete, save};
use domain::annotation::{Annotation, MissedTag, slice};
use domain::id::{MissedTagId, StudyId};
use domain::scheme::Validity;
use service::desk::{DeskView, SubmitOutcome};
use service::export::{self, ExportFile, ExportOptions};
use service::import::{ImportOptions, ImportReport, ImportSource};
use service::study::{self, SchemeSource};
use service::{Actor, desk, import};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

async fn file(stage: &Stage, study: &StudyId, file: ExportFile) -> String {
    let options = ExportOptions::default();
    let written = export::to_file(stage, &Actor::operator(), study, file, options)
        .await
        .unwrap();
    let mut text = String::new();
    written.reopen().unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The rows of a table without what a copy has anew: identities, times, the study's name.
async fn rows(stage: &Stage, study: &StudyId, table: ExportFile) -> Vec<BTreeMap<String, String>> {
    const OWN: [&str; 4] = ["unit_id", "item_id", "submitted_at", "study"];
    let text = file(stage, study, table).await;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().unwrap().clone();
    assert!(
        head.iter().any(|name| name == "unit_id"),
        "the columns are still called so"
    );
    reader
        .records()
        .map(|row| {
            let row = row.unwrap();
            let cells = head.iter().zip(row.iter());
            cells
                .filter(|(name, _)| !OWN.contains(name))
                .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
                .collect()
        })
        .collect()
}

async fn take(stage: &Stage, study: &StudyId, text: &str) -> ImportReport {
    let source = ImportSource::Reader(Box::new(Cursor::new(text.to_owned())));
    let options = ImportOptions::default();
    import::run(
        stage,
        &Actor::operator(),
        study,
        source,
        "traces.jsonl",
        options,
        &|_| {},
    )
    .await
    .unwrap()
}

/// A tag on the last place where the words stand, which is not where a search finds them.
fn tag(id: &str, view: &DeskView, words: &str) -> MissedTag {
    let trace = &view.item.trace;
    let at = trace[..trace.rfind(words).unwrap()].chars().count() as u32;
    let span = (at, at + words.chars().count() as u32);
    assert_eq!(slice(trace, span), Some(words));
    MissedTag {
        id: MissedTagId::new(id),
        code: "6.1".to_owned(),
        severity: Some(2.0),
        span: Some(span),
        quote: words.to_owned(),
        comment: "=a comment, with \"signs\"\n🙂".to_owned(),
    }
}

/// Two raters say of three traces all that can be said.
async fn judged() -> Stage {
    let stage = Stage::with(3).await;
    let (ada, ben) = (stage.rater("ada").await, stage.rater("ben").await);
    stage.batch(3, &[&ada, &ben]).await;
    for (who, rater) in [&ada, &ben].into_iter().enumerate() {
        for id in stage.work_of(rater).await {
            let view = stage.open(rater, &id).await;
            let mut said = complete(&view, (2 + who) as f64, &format!("by {}", rater.name));
            let first = said.judgements.values_mut().next().unwrap();
            match (view.item.key.as_str(), who) {
                ("t1", 0) => {
                    first.validity = Some(Validity::ValidOtherSubcategory);
                    first.better = vec!["1.2".to_owned(), "4".to_owned()];
                    first.discuss = true;
                    said.nothing_missed = false;
                    said.missed_count = Some(2);
                    said.missed = vec![tag("tag-1", &view, "e"), tag("tag-2", &view, "she may")];
                }
                ("t2", 0) => {
                    let (reason, note) = ("other".to_owned(), "half of it is lost".to_owned());
                    desk::cannot_rate(&stage, rater, &id, view.version, reason, note)
                        .await
                        .unwrap();
                    continue;
                }
                ("t3", 1) => {
                    first.validity = Some(Validity::Invalid);
                    first.comment = String::new();
                    said.comment = String::new();
                    said.missed_count = None;
                }
                _ => {}
            }
            let outcome = stage.submit(rater, &id, said).await;
            assert!(
                matches!(outcome, SubmitOutcome::Submitted { .. }),
                "{outcome:?}"
            );
        }
    }
    stage
}

#[tokio::test]
async fn a_study_comes_back_from_its_own_file_with_all_that_raters_said() {
    let stage = judged().await;
    let text = file(&stage, &stage.study, ExportFile::Traces).await;
    let source = SchemeSource::Builtin("stigma".to_owned());
    let copy = study::create(&stage, &Actor::operator(), "Copy", source)
        .await
        .unwrap();
    let report = take(&stage, &copy, &text).await;
    assert_eq!(report.problems, [], "{text}");
    assert_eq!((report.new.items, report.new.candidates), (3, 6));
    for table in [ExportFile::Labels, ExportFile::RatingsLong] {
        let (first, second) = (
            rows(&stage, &stage.study, table).await,
            rows(&stage, &copy, table).await,
        );
        assert!(first.len() > 6);
        assert_eq!(first, second);
    }
    let said = file(&stage, &copy, ExportFile::RatingsLong).await;
    for told in [
        "better,1.2;4",
        "discuss,yes",
        "nothing_missed,yes",
        "missed_count,2",
        "not_ratable,other,half of it is lost",
    ] {
        assert!(said.contains(told), "{told} in {said}");
    }
    assert_eq!(
        file(&stage, &copy, ExportFile::Traces).await,
        text,
        "and goes out again as it came"
    );
    assert_eq!(service::check::run(&stage).await.unwrap(), []);
}

#[tokio::test]
async fn langfuse_12938_its_own_file_taken_again_changes_nothing() {
    let stage = judged().await;
    let text = file(&stage, &stage.study, ExportFile::Traces).await;
    let source = SchemeSource::Builtin("stigma".to_owned());
    let copy = study::create(&stage, &Actor::operator(), "Copy", source)
        .await
        .unwrap();
    take(&stage, &copy, &text).await;
    let count = async || [stage.rows("annotations").await, stage.rows("batches").await];
    let before = count().await;
    for study in [&stage.study, &copy] {
        let report = take(&stage, study, &text).await;
        assert_eq!(report.problems, []);
        assert_eq!(
            (report.new.items, report.new.candidates, report.new.ratings),
            (0, 0, 0)
        );
        assert!(report.identical > 0);
    }
    assert_eq!(count().await, before);
}

#[tokio::test]
async fn a_file_that_says_something_else_of_an_item_is_refused() {
    let stage = judged().await;
    let text = file(&stage, &stage.study, ExportFile::Traces).await;
    for (told, changed) in [
        ("\"missed_count\":2", "\"missed_count\":3"),
        (
            "\"not_ratable\":\"other\"",
            "\"not_ratable\":\"known_case\"",
        ),
        ("\"better\":[\"1.2\",\"4\"]", "\"better\":[\"1.2\"]"),
        ("\"discuss\":true", "\"discuss\":false"),
    ] {
        assert!(text.contains(told), "{told} in {text}");
        let report = take(&stage, &stage.study, &text.replacen(told, changed, 1)).await;
        assert_eq!(report.problems.len(), 1, "{told}");
        assert!(
            report.problems[0].found.starts_with("another"),
            "{:?}",
            report.problems
        );
    }
}

#[tokio::test]
async fn judgements_stay_in_until_every_rater_is_in() {
    let stage = Stage::with(1).await;
    let (ada, ben) = (stage.rater("ada").await, stage.rater("ben").await);
    stage.batch(1, &[&ada, &ben]).await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    stage
        .submit(&ada, &id, complete(&view, 3.0, "as ada says"))
        .await;
    assert!(
        !file(&stage, &stage.study, ExportFile::Traces)
            .await
            .contains("as ada says")
    );
    let id = stage.work_of(&ben).await.remove(0);
    let note = Annotation {
        comment: "a draft".to_owned(),
        ..Annotation::default()
    };
    desk::save(&stage, &ben, &id, save(0, "s", note))
        .await
        .unwrap();
    let text = file(&stage, &stage.study, ExportFile::Traces).await;
    assert!(!text.contains("as ada says") && !text.contains("a draft"));
    stage
        .submit(&ben, &id, complete(&view, 4.0, "as ben says"))
        .await;
    let text = file(&stage, &stage.study, ExportFile::Traces).await;
    assert!(text.contains("as ada says") && text.contains("as ben says"));
}

#[tokio::test]
async fn what_other_files_brought_goes_out_and_in_unchanged() {
    let stage = Stage::empty().await;
    let create = async |name: &str, scheme: &str| {
        let source = SchemeSource::Builtin(scheme.to_owned());
        study::create(&stage, &Actor::operator(), name, source)
            .await
            .unwrap()
    };
    let steps = "{\"key\": \"a\", \"trace\": \"<think>One. Two.\\n\\nThree.</think>\", \"demographics\": {\"b\": \"1\", \"a\": 2}}\n\
                 {\"key\": \"b\", \"segments\": [{\"label\": \"plan\", \"text\": \"Ask.\"}, {\"text\": \"Wait.\"}], \"extra\": {\"x\": [1]}}\n";
    let tagged = "{\"vignette\": \"v\", \"question\": \"q\", \"reasoning\": \"I worry a lot.\", \"model\": \"m\", \"race\": \"r\", \
                  \"education\": \"e\", \"tags\": [{\"code\": \"1.Violence Risk\", \"evidence\": \"nowhere\", \"severity\": 2.5}], \
                  \"analysis_summary\": \"s\"}\n";
    let failed = "{\"key\": \"f\", \"trace\": \"t\", \"failure\": \"API_ERROR\", \"judge\": {\"name\": \"j\", \"params\": {\"t\": 0.5}}}\n";
    for (scheme, text) in [
        ("miramind-trajectory", steps),
        ("stigma", tagged),
        ("stigma", failed),
    ] {
        let number = stage.rows("studies").await;
        let first = create(&format!("First {number}"), scheme).await;
        assert_eq!(take(&stage, &first, text).await.problems, []);
        let out = file(&stage, &first, ExportFile::Traces).await;
        let again = take(&stage, &first, &out).await;
        assert_eq!((again.problems.len(), again.new.items), (0, 0), "{out}");
        let copy = create(&format!("Copy {number}"), scheme).await;
        assert_eq!(take(&stage, &copy, &out).await.problems, []);
        assert_eq!(file(&stage, &copy, ExportFile::Traces).await, out);
    }
}
