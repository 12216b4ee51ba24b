//! Import: whole, once, or not at all.

use crate::common::{Stage, jsonl, person, refused, trace};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::study::StudyState;
use service::import::{ImportOptions, ImportSource, New, Progress};
use service::{Actor, import, member, study};
use std::io::Cursor;
use std::sync::Mutex;

const RATED: &str = r#"{"key":"r1","trace":"one two three","candidates":[{"key":"c1","category":"1.1","severity":3.5,"evidence":"two"},{"key":"c2","category":"2.1","evidence":"nowhere to be found"}],"ratings":[{"rater":"annotator_1","candidate":"c1","severity":4,"comment":"a"},{"rater":"annotator_2","candidate":"c1","validity":"invalid","severity":2},{"rater":"annotator_1","candidate":"c2","severity":1}]}"#;

#[tokio::test]
async fn an_import_brings_items_candidates_runs_and_spans() {
    let stage = Stage::with(3).await;
    let view = study::overview(&stage, &stage.staff, &stage.study)
        .await
        .unwrap();
    assert_eq!(
        (
            view.counts.items,
            view.counts.candidates,
            view.counts.unanchored
        ),
        (3, 6, 0)
    );
    assert_eq!(
        (
            stage.rows("judged").await,
            stage.rows("judges").await,
            stage.rows("candidate_spans").await
        ),
        (3, 1, 6)
    );
    assert_eq!(
        (
            view.imports.len(),
            view.imports[0].items,
            view.imports[0].by_name.as_str()
        ),
        (1, 3, "Dr cora")
    );
    assert_eq!(view.state, StudyState::Draft, "traces alone begin nothing");
}

#[tokio::test]
async fn langfuse_12938_a_file_imported_twice_is_identical() {
    let stage = Stage::with(4).await;
    let again = stage.import(&jsonl(4)).await;
    assert_eq!(
        (again.new, again.identical, again.problems.len()),
        (New::default(), 4 + 8, 0)
    );
    assert_eq!(
        (stage.rows("items").await, stage.rows("candidates").await),
        (4, 8)
    );
}

#[tokio::test]
async fn langfuse_12938_a_line_twice_in_one_file_is_named() {
    let stage = Stage::empty().await;
    let line = trace("t1", 1);
    let report = stage.import(&format!("{line}\n{line}\n")).await;
    assert_eq!((report.new.items, report.identical), (1, 1));
    assert_eq!(report.notices[0].line, Some(2));
}

#[tokio::test]
async fn a_key_with_other_content_is_a_problem_and_nothing_is_written() {
    let stage = Stage::with(2).await;
    let mut changed = trace("t2", 2);
    changed["vignette"] = "Another one.".into();
    let report = stage
        .import(&format!(
            "{}\n{changed}\n{}\n",
            trace("new", 1),
            trace("t1", 1)
        ))
        .await;
    let problem = &report.problems[0];
    assert_eq!(
        (
            report.problems.len(),
            problem.line,
            problem.field.as_deref()
        ),
        (1, 2, Some("source_key"))
    );
    assert!(problem.expected.contains("imported before"));
    assert_eq!((report.new, report.identical), (New::default(), 0));
    assert_eq!(
        (stage.rows("items").await, stage.rows("imports").await),
        (2, 1)
    );
}

#[tokio::test]
async fn a_candidate_and_a_verdict_with_other_content_are_problems() {
    let stage = Stage::with(2).await;
    let (mut severity, mut summary) = (trace("t1", 1), trace("t2", 2));
    severity["candidates"][0]["severity"] = 1.into();
    summary["summary"] = "changed".into();
    let report = stage.import(&format!("{severity}\n{summary}\n")).await;
    let fields: Vec<_> = report
        .problems
        .iter()
        .map(|p| (p.line, p.field.as_deref()))
        .collect();
    assert_eq!(fields, [(1, Some("source_key")), (2, Some("judge"))]);
}

#[tokio::test]
async fn all_problems_of_a_file_at_once_and_none_written() {
    let stage = Stage::empty().await;
    let mut lines = vec![trace("ok", 1)];
    for n in 0..250 {
        let mut line = trace(&format!("bad{n}"), n);
        line["candidates"][0]["severity"] = 6.into();
        lines.push(line);
    }
    let text = lines
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n");
    let report = stage.import(&text).await;
    assert_eq!((report.problems.len(), report.more_problems), (200, 50));
    assert_eq!(
        (report.problems[0].line, report.problems[0].found.as_str()),
        (2, "6")
    );
    assert_eq!(
        (stage.rows("items").await, stage.rows("audit").await),
        (0, 2),
        "created, coordinator added"
    );
}

#[tokio::test]
async fn one_error_at_the_end_of_a_long_file_writes_nothing() {
    let stage = Stage::empty().await;
    let text = jsonl(2_000) + "{\"key\": \"torn\", \"tra";
    let report = stage.import(&text).await;
    assert_eq!((report.problems.len(), report.problems[0].line), (1, 2_001));
    assert_eq!(stage.rows("items").await, 0);
}

#[tokio::test]
async fn a_dry_run_says_the_same_and_writes_nothing() {
    let stage = Stage::empty().await;
    let options = ImportOptions {
        dry_run: true,
        ..ImportOptions::default()
    };
    let dry = stage
        .import_with(&format!("{}{RATED}\n", jsonl(3)), options)
        .await;
    assert_eq!(
        dry.new,
        New {
            items: 4,
            candidates: 8,
            verdicts: 4,
            ratings: 3,
            judges: 1,
            raters: 2,
            ..New::default()
        }
    );
    for table in [
        "items",
        "candidates",
        "annotations",
        "batches",
        "imports",
        "units",
    ] {
        assert_eq!(stage.rows(table).await, 0, "{table}");
    }
}

#[tokio::test]
async fn ratings_become_submitted_annotations_of_named_raters() {
    let stage = Stage::empty().await;
    let report = stage.import(RATED).await;
    assert_eq!(
        report.new,
        New {
            items: 1,
            candidates: 2,
            verdicts: 1,
            ratings: 3,
            judges: 1,
            raters: 2,
            ..New::default()
        }
    );
    let members = member::list(&stage, &stage.staff, &stage.study)
        .await
        .unwrap();
    let raters: Vec<_> = members.iter().filter(|m| m.role == Role::Rater).collect();
    assert_eq!(
        raters.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(),
        ["annotator_1", "annotator_2"]
    );
    assert!(
        raters.iter().all(|m| !m.can_sign_in),
        "nobody can sign in as a rater of a file"
    );
    let mut db = stage.db.read().await.unwrap();
    let item = store::item::after(&mut db, &stage.study, 0, 1)
        .await
        .unwrap()
        .remove(0)
        .id;
    let said = store::annotation::latest_of_item(&mut db, &item)
        .await
        .unwrap();
    assert_eq!(
        said.iter()
            .map(|a| (a.round.as_str(), a.body.judgements.len()))
            .collect::<Vec<_>>(),
        [("imported", 2), ("imported", 1)]
    );
    let severities: Vec<_> = said
        .iter()
        .flat_map(|a| a.body.judgements.values().map(|j| j.severity))
        .collect();
    assert_eq!(severities, [Some(4.0), Some(1.0), Some(2.0)]);
    let view = study::overview(&stage, &stage.staff, &stage.study)
        .await
        .unwrap();
    assert_eq!(
        (view.state, view.blinding_fixed),
        (StudyState::Collecting, true)
    );
    assert_eq!((view.counts.submitted, view.counts.unanchored), (2, 1));
}

#[tokio::test]
async fn ratings_are_found_again_changed_ones_refused_and_further_ones_join() {
    let stage = Stage::empty().await;
    stage.import(RATED).await;
    let again = stage.import(RATED).await;
    assert_eq!((again.new, again.identical), (New::default(), 1 + 2 + 3));
    let changed = stage
        .import(&RATED.replace(r#""severity":2"#, r#""severity":5"#))
        .await;
    assert_eq!(
        (
            changed.problems[0].line,
            changed.problems[0].field.as_deref()
        ),
        (1, Some("annotator_2"))
    );
    let further = RATED.replace(r#"{"rater":"annotator_1","candidate":"c2""#, r#"{"rater":"annotator_2","candidate":"c2","severity":1},{"rater":"annotator_1","candidate":"c2""#);
    let report = stage.import(&further).await;
    assert_eq!(
        (report.new, report.problems.len()),
        (
            New {
                ratings: 1,
                ..New::default()
            },
            0
        )
    );
    let mut db = stage.db.read().await.unwrap();
    let item = store::item::after(&mut db, &stage.study, 0, 1)
        .await
        .unwrap()
        .remove(0)
        .id;
    let said = store::annotation::latest_of_item(&mut db, &item)
        .await
        .unwrap();
    assert_eq!(
        said.iter()
            .map(|a| (a.version, a.body.judgements.len()))
            .collect::<Vec<_>>(),
        [(1, 2), (2, 2)]
    );
    drop(db);
    assert_eq!(
        stage.rows("annotations").await,
        3,
        "the version before stays"
    );
    assert_eq!(stage.import(&further).await.identical, 1 + 2 + 4);
}

#[tokio::test]
async fn an_account_of_the_raters_name_is_taken_and_shared_between_studies() {
    let stage = Stage::empty().await;
    let known = person(&stage.app, "Annotator_1").await;
    stage.import(RATED).await;
    let second = study::create(
        &stage,
        &Actor::operator(),
        "Second",
        study::SchemeSource::Builtin("stigma".into()),
    )
    .await
    .unwrap();
    let source = ImportSource::Reader(Box::new(Cursor::new(RATED)));
    import::run(
        &stage,
        &Actor::operator(),
        &second,
        source,
        "f",
        ImportOptions::default(),
        &|_| {},
    )
    .await
    .unwrap();
    for study in [&stage.study, &second] {
        let members = member::list(&stage, &Actor::operator(), study)
            .await
            .unwrap();
        assert!(
            members
                .iter()
                .any(|m| m.user == known.user && m.role == Role::Rater)
        );
    }
    assert_eq!(
        stage.rows("users").await,
        3,
        "cora, Annotator_1, annotator_2"
    );
}

#[tokio::test]
async fn a_new_candidate_of_a_trace_that_is_being_judged_is_refused() {
    let stage = Stage::with(1).await;
    let rater = stage.rater("ada").await;
    let mut more = trace("t1", 1);
    more["candidates"]
        .as_array_mut()
        .unwrap()
        .push(serde_json::json!({"category": "4.1", "evidence": "she"}));
    stage.batch(1, &[&rater]).await;
    let report = stage.import(&format!("{more}\n")).await;
    assert_eq!(
        (report.problems.len(), report.problems[0].found.as_str()),
        (1, "a new candidate")
    );
    assert_eq!(stage.rows("candidates").await, 2);
}

#[tokio::test]
async fn a_second_judge_adds_its_candidates_behind_the_first() {
    let stage = Stage::with(1).await;
    let mut second = trace("t1", 1);
    second["judge"] = serde_json::json!({"name": "other", "model": "m", "prompt_version": "v2"});
    let report = stage.import(&format!("{second}\n")).await;
    assert_eq!(
        (report.new, report.identical),
        (
            New {
                candidates: 2,
                verdicts: 1,
                judges: 1,
                ..New::default()
            },
            1
        )
    );
    let mut db = stage.db.read().await.unwrap();
    let all = store::candidate::of_range(&mut db, &stage.study, 0, 10)
        .await
        .unwrap();
    assert_eq!(
        all.iter().map(|c| c.ordinal).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
}

#[tokio::test]
async fn progress_grows_to_the_whole_of_both_passes() {
    let stage = Stage::empty().await;
    let told = Mutex::new(Vec::<Progress>::new());
    let text = jsonl(1_500);
    let size = text.len() as u64;
    let source = ImportSource::Reader(Box::new(Cursor::new(text)));
    let tell = |progress| told.lock().unwrap().push(progress);
    import::run(
        &stage,
        &stage.staff,
        &stage.study,
        source,
        "f",
        ImportOptions::default(),
        &tell,
    )
    .await
    .unwrap();
    let told = told.into_inner().unwrap();
    assert!(told.windows(2).all(|pair| pair[0].bytes <= pair[1].bytes));
    let last = told.last().copied().unwrap();
    assert_eq!(
        last,
        Progress {
            bytes: size * 2,
            total: size * 2,
            records: 1_500
        }
    );
}

#[tokio::test]
async fn a_failed_judge_is_missing_and_no_judged_negative() {
    let stage = Stage::empty().await;
    let (mut failed, mut negative) = (trace("f", 1), trace("n", 2));
    failed.as_object_mut().unwrap().remove("candidates");
    failed["failure"] = "API_ERROR".into();
    negative["candidates"] = serde_json::json!([]);
    stage.import(&format!("{failed}\n{negative}\n")).await;
    let counts = study::overview(&stage, &stage.staff, &stage.study)
        .await
        .unwrap()
        .counts;
    assert_eq!((counts.judge_failures, counts.judged_negative), (1, 1));
}

#[tokio::test]
async fn only_staff_import_and_nobody_into_a_closed_study() {
    let stage = Stage::with(1).await;
    let rater = stage.rater("ada").await;
    let run = async |actor: &Actor| {
        let source = ImportSource::Reader(Box::new(Cursor::new(jsonl(1))));
        import::run(
            &stage,
            actor,
            &stage.study,
            source,
            "f",
            ImportOptions::default(),
            &|_| {},
        )
        .await
    };
    assert_eq!(refused(run(&rater).await), Refusal::Forbidden);
    stage.batch(1, &[&rater]).await;
    service::testing::sign_off(&stage, &stage.staff, &stage.study).await;
    assert_eq!(refused(run(&stage.staff).await), Refusal::StudyClosed);
}

#[tokio::test]
async fn two_imports_at_once_come_after_each_other() {
    let stage = Stage::empty().await;
    let text = jsonl(300);
    let (one, two) = tokio::join!(stage.import(&text), stage.import(&text));
    assert_eq!(one.new.items + two.new.items, 300);
    assert_eq!(one.identical + two.identical, 900);
    assert_eq!(stage.rows("items").await, 300);
}
