//! Staff write down what is expected of the statements about a text until somebody has counted it.

use crate::stage::{Stage, figure, is};
use domain::id::ItemId;
use domain::refusal::Refusal;
use serde_json::json;
use service::export::ExportFile;
use service::item::{self, ItemFilter, ItemPage};

async fn ids(stage: &Stage) -> Vec<ItemId> {
    let (filter, page) = (ItemFilter::default(), ItemPage::default());
    let list = item::list(&stage.app, &stage.staff, &stage.study, filter, page).await;
    list.unwrap().rows.into_iter().map(|row| row.id).collect()
}

async fn points(stage: &Stage, id: &ItemId) -> (Vec<String>, bool) {
    let found = item::get(&stage.app, &stage.staff, id).await.unwrap();
    (found.item.options, found.points_open)
}

async fn set(stage: &Stage, id: &ItemId, seen: &[&str], new: &[&str]) -> Result<(), Refusal> {
    let owned = |points: &[&str]| points.iter().map(ToString::to_string).collect::<Vec<_>>();
    item::set_points(&stage.app, &stage.staff, id, &owned(seen), &owned(new))
        .await
        .map_err(|error| error.refusal())
}

/// Three statements, two of them about the same abstract. Of four points a rater sees two, later two statements share the
/// mean of 2/4 and 4/4.
#[tokio::test]
async fn points_of_a_text_hold_for_every_statement_about_it() {
    let statement =
        |key: &str, text: &str| json!({"key": key, "vignette": text, "trace": "So it is."});
    let records = [
        statement("x-1", "Sleep."),
        statement("y-1", "Sleep."),
        statement("x-2", "Mood."),
    ];
    let stage = Stage::new("psrs-main-results", &records).await;
    let ids = ids(&stage).await;
    assert_eq!(points(&stage, &ids[0]).await, (Vec::new(), true));
    let four = [
        "Sleep got longer.",
        "By 20 minutes.",
        "Low certainty.",
        "No harm.",
    ];
    assert_eq!(
        set(&stage, &ids[0], &[], &["One.", " One."]).await,
        Err(Refusal::InputInvalid)
    );
    assert_eq!(
        set(&stage, &ids[0], &[], &[" Sleep got longer. ", ""]).await,
        Ok(())
    );
    assert_eq!(
        set(&stage, &ids[1], &[], &four).await,
        Err(Refusal::Conflict),
        "there is a point by now, written on the other statement"
    );
    assert_eq!(
        set(&stage, &ids[1], &["Sleep got longer."], &four).await,
        Ok(())
    );
    for id in &ids[..2] {
        assert_eq!(points(&stage, id).await.0, four);
    }
    assert!(points(&stage, &ids[2]).await.0.is_empty(), "another text");
    stage.import(&records).await;
    assert_eq!(
        points(&stage, &ids[0]).await.0,
        four,
        "the file again changes nothing"
    );
    let own = stage.file(ExportFile::Traces).await;
    assert!(own.contains(four[1]));
    let report = stage.take(&own).await;
    assert_eq!(
        (report.problems, report.new.items),
        (Vec::new(), 0),
        "and so does the study's own file, which has the points"
    );

    let counted = |key: &str, of: &[&str]| {
        json!({
            "key": key, "vignette": "Sleep.", "trace": "So it is.",
            "ratings": [{"rater": "ada", "answers": {"score": 2, "points": of}}],
        })
    };
    stage
        .import(&[
            counted("x-1", &["1", "3"]),
            counted("y-1", &["1", "2", "3", "4"]),
        ])
        .await;
    let rows = stage.results().await;
    let recall: Vec<_> = rows
        .iter()
        .filter(|row| row.statistic == "recall" && row.facet.is_empty() && row.source == "ada")
        .map(|row| (row.estimate, row.n))
        .collect();
    assert_eq!(recall, [(Some(0.75), 2)]);
    assert_eq!(
        set(&stage, &ids[0], &four, &["No harm."]).await,
        Err(Refusal::AlreadyStarted),
        "a rater has counted them"
    );
    assert!(!points(&stage, &ids[1]).await.1);
    assert_eq!(set(&stage, &ids[2], &[], &["Mood rose."]).await, Ok(()));
    assert!(service::check::run(&stage.app).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_scheme_without_points_and_a_judge_who_counted_them_refuse() {
    let stage = Stage::new(
        "stigma",
        &[json!({"key": "a", "options": ["Yes"], "trace": "No."})],
    )
    .await;
    let first = ids(&stage).await.remove(0);
    assert_eq!(
        set(&stage, &first, &["Yes"], &["No"]).await,
        Err(Refusal::InputInvalid)
    );

    let judged = json!({
        "key": "a", "options": ["Sleep got longer."], "trace": "No.", "judge": {"name": "judge-a"},
        "answers": {"points": ["1"]},
    });
    let stage = Stage::new("psrs-main-results", &[judged]).await;
    let first = ids(&stage).await.remove(0);
    assert_eq!(
        points(&stage, &first).await,
        (vec!["Sleep got longer.".to_owned()], false)
    );
    assert_eq!(
        set(&stage, &first, &["Sleep got longer."], &[]).await,
        Err(Refusal::AlreadyStarted)
    );
}

/// Of two points one rater sees the first and the other none; they settle that it is not there. Recall falls to nought.
#[tokio::test]
async fn raters_can_settle_that_no_point_is_made() {
    let said = |rater: &str, points: &str| json!({"rater": rater, "answers": {"score": 2, "points": [points]}});
    let record = json!({
        "key": "a", "vignette": "Sleep.", "trace": "So it is.", "options": ["Longer.", "Better."],
        "ratings": [said("ada", "1"), said("ben", "none")],
    });
    let stage = Stage::new("psrs-main-results", &[record]).await;
    stage.settle(&[("a", "points", &["none"])]).await;
    let rows = stage.results().await;
    let recall = |source| figure(&rows, source, ("", ""), "recall");
    assert!(is(recall("ada"), 0.5, 1));
    assert!(is(recall("ben"), 0.0, 1));
    assert!(is(recall("final"), 0.0, 1));
}
