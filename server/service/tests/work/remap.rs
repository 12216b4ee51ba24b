//! Codes of other taxonomies: the table that a study used is kept and applied again, and no change is silent.

use crate::common::Stage;
use service::import::{self, CodeRow, ImportOptions, ImportReport, Remap};
use service::item;

/// One tag of a trace of its own under the draft code `1a`, which the scheme's table takes as 1.1.
fn tagged(key: &str) -> String {
    let header = "tag_item_id,example_id,tag_code,tag_name,tag_evidence,vignette,question,reasoning,a_rating";
    format!("{header}\n{key}_t,{key},1a,Risk,unsafe,V,Q,He may be unsafe ({key}).,\n")
}

async fn brings(stage: &Stage, key: &str, remap: Remap) -> ImportReport {
    let options = ImportOptions {
        remap,
        ..ImportOptions::default()
    };
    stage.import_with(&tagged(key), options).await
}

fn stated(from: &str, to: &str) -> Remap {
    Remap {
        stated: vec![(from.to_owned(), to.to_owned())],
        ..Remap::default()
    }
}

async fn codes(stage: &Stage) -> Vec<CodeRow> {
    import::codes(&stage.app, &stage.staff, &stage.study)
        .await
        .unwrap()
}

/// What the tags of the study were taken as.
async fn taken(stage: &Stage) -> Vec<(String, String)> {
    let page = item::ItemPage::default();
    let items = item::list(
        &stage.app,
        &stage.staff,
        &stage.study,
        item::ItemFilter::default(),
        page,
    );
    let mut db = stage.app.db.read().await.unwrap();
    let mut found = Vec::new();
    for row in items.await.unwrap().rows {
        let candidates = store::candidate::of_item(&mut db, &row.id, true).await;
        let category = candidates.unwrap()[0].category.clone();
        found.push((row.key, category.subcategory.unwrap_or_default()));
    }
    found.sort();
    found
}

#[tokio::test]
async fn the_table_that_was_used_is_kept() {
    let stage = Stage::empty().await;
    let report = brings(&stage, "a", Remap::default()).await;
    assert_eq!((report.new.candidates, report.notices.len()), (1, 0));
    let rows = codes(&stage).await;
    let row = &rows[0];
    assert_eq!(
        (rows.len(), row.code.as_str(), row.name.as_str()),
        (1, "1a", "Risk")
    );
    assert_eq!((row.to.as_str(), row.stated), ("1.1", false));
    assert_eq!(row.scheme_says, None);
    // The next import says nothing new of it.
    brings(&stage, "b", Remap::default()).await;
    assert_eq!(stage.rows("import_codes").await, 1);
}

#[tokio::test]
async fn what_somebody_said_of_a_code_holds_for_the_next_import_and_is_reported() {
    let stage = Stage::empty().await;
    let report = brings(&stage, "a", stated("1A", "2.1")).await;
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    assert_eq!(
        report.notices[0].reason,
        "taken as 2.1 as you say; the scheme’s own table says 1.1"
    );
    let report = brings(&stage, "b", Remap::default()).await;
    assert_eq!(report.notices[0].subject, "code 1a Risk");
    assert_eq!(
        report.notices[0].reason,
        "taken as 2.1 as in the imports before; the scheme’s own table says 1.1"
    );
    assert_eq!(codes(&stage).await[0].scheme_says.as_deref(), Some("1.1"));
    let follow = Remap {
        follow_scheme: true,
        ..Remap::default()
    };
    let report = brings(&stage, "c", follow).await;
    assert_eq!(
        report.notices[0].reason,
        "taken as 1.1 from now on; imports before took it as 2.1, and tags that are there keep that"
    );
    brings(&stage, "d", Remap::default()).await;
    let pair = |key: &str, code: &str| (key.to_owned(), code.to_owned());
    assert_eq!(
        taken(&stage).await,
        [
            pair("a", "2.1"),
            pair("b", "2.1"),
            pair("c", "1.1"),
            pair("d", "1.1")
        ]
    );
}

#[tokio::test]
async fn a_code_that_leads_nowhere_is_a_problem_and_nothing_is_written() {
    let stage = Stage::empty().await;
    let report = brings(&stage, "a", stated("1a", "9.9")).await;
    let problem = &report.problems[0];
    assert_eq!(
        (
            problem.line,
            problem.field.as_deref(),
            problem.found.as_str()
        ),
        (1, Some("remap"), "9.9")
    );
    assert_eq!(stage.rows("items").await, 0);
}

#[test]
fn a_table_is_read_line_by_line() {
    let read = Remap::parse("1a = 1.1\n\n 4.Deflection / Other=4.5 \n").unwrap();
    let expected = [("1a", "1.1"), ("4.Deflection / Other", "4.5")];
    assert_eq!(
        read,
        expected.map(|(from, to)| (from.to_owned(), to.to_owned()))
    );
    assert!(Remap::parse("1a 1.1").is_err() && Remap::parse("= 1.1").is_err());
}
