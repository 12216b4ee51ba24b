//! Final values that were settled elsewhere become rulings, whole or not at all.

use crate::fixture::{Study, judges, ruling_of, says};
use domain::id::UnitId;
use domain::role::Role;
use domain::ruling::{Cause, Outcome};
use domain::scheme::Validity::{Invalid, Valid};
use domain::unit::UnitState;
use service::batch::Round;
use service::import::{self, ImportOptions, ImportReport, ImportSource};
use service::ruling::NewRuling;
use service::unit::{QueueState, UnitView};
use service::{Actor, audit, discussion, member, study};
use std::io::Cursor;

/// Five tags of two traces, numbered 1 to 5. The second rater left the last one empty, and knows nothing of its trace.
const FILE: &str = "order,tag_item_id,example_id,source_file,tag_code,tag_name,tag_evidence,vignette,question,reasoning,\
a_rating,a_comment,b_rating,b_comment\n\
1,e1_t0,e1,s,1a,Violence Risk,unsafe,V,Q,He may be unsafe and erratic.,4,,4,\n\
2,e1_t1,e1,s,1b,Unpredictability,erratic,V,Q,He may be unsafe and erratic.,1,,5,No\n\
3,e1_t2,e1,s,1b,Unpredictability,may be,V,Q,He may be unsafe and erratic.,2,,5,\n\
4,e1_t3,e1,s,1a,Violence Risk,and,V,Q,He may be unsafe and erratic.,5,,3,\n\
5,e2_t0,e2,s,1a,Violence Risk,danger,V,Q,There is no danger here.,2,,,\n";

/// The final values of the first four: what both said, the mean of 1 and 5, the mean of 2 and 5, and 2 where 5 and 3 had
/// been given.
const FINAL: &str = "order,final_severity\n1,4\n2,3\n3,3.5\n4,2\n";

async fn imported() -> Study {
    let study = Study::new(0).await;
    let report = brings(&study, &study.coordinator, FILE, false).await;
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    study
}

async fn brings(study: &Study, actor: &Actor, text: &str, replace: bool) -> ImportReport {
    let options = ImportOptions {
        replace,
        ..ImportOptions::default()
    };
    with(study, actor, text, options).await
}

async fn with(study: &Study, actor: &Actor, text: &str, options: ImportOptions) -> ImportReport {
    let source = ImportSource::Reader(Box::new(Cursor::new(text.to_owned())));
    import::run(
        &study.app,
        actor,
        &study.id,
        source,
        "final.csv",
        options,
        &|_| (),
    )
    .await
    .expect("an import")
}

/// The units of the file in its order.
async fn units(study: &Study) -> Vec<UnitView> {
    let mut units = Vec::new();
    for row in study.queue(QueueState::All).await {
        units.push(study.unit(row.unit.as_str()).await);
    }
    units.sort_by_key(|unit| (unit.row.item_key.clone(), unit.tag.number));
    units
}

async fn rows(study: &Study, table: &str) -> i64 {
    let mut db = study.app.db.read().await.expect("a connection");
    store::testing::rows(&mut db, table).await.expect("a table")
}

fn places(report: &ImportReport) -> Vec<String> {
    report
        .problems
        .iter()
        .map(|problem| {
            let column = problem.column.as_ref().map(ToString::to_string);
            format!(
                "{}{} {}",
                problem.line,
                column.unwrap_or_default(),
                problem.found
            )
        })
        .collect()
}

#[tokio::test]
async fn final_values_become_rulings_of_whoever_imports_them() {
    let study = imported().await;
    let before = study.queue(QueueState::All).await.len();
    let report = brings(&study, &study.coordinator, FINAL, false).await;
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    assert_eq!(
        (report.format.as_str(), report.new.rulings, report.identical),
        ("rulings-csv", 4, 0)
    );
    // Of the last value nothing tells how it was reached: (5 + 3) / 2 is 4, not 2.
    assert_eq!(report.notices.len(), 1);
    assert_eq!(report.notices[0].subject, "1 value");
    let found: Vec<_> = units(&study)
        .await
        .into_iter()
        .take(4)
        .map(|unit| {
            let ruling = unit.ruling.expect("a ruling");
            assert_eq!(ruling.ruled_by, "coordinator");
            assert_eq!(ruling.note, "Imported from final.csv.");
            (ruling.outcome, ruling.severity, ruling.agreed_by_raters)
        })
        .collect();
    assert_eq!(
        found,
        [
            (Outcome::Consensus, Some(4.0), true),
            (Outcome::Averaged, Some(3.0), false),
            (Outcome::Averaged, Some(3.5), false),
            (Outcome::Consensus, Some(2.0), false),
        ]
    );
    assert_eq!(study.queue(QueueState::All).await.len(), before);
    let view = study::overview(&study.app, &study.coordinator, &study.id)
        .await
        .expect("an overview");
    assert_eq!((view.imports[0].rulings, view.imports[0].ratings), (4, 0));
    assert_eq!(service::check::run(&study.app).await.expect("checked"), []);
    let chain = audit::verify(&study.app, &Actor::operator(), &study.id).await;
    assert!(chain.expect("walked").is_ok());
}

#[tokio::test]
async fn the_same_file_again_changes_nothing_and_a_dry_run_writes_nothing() {
    let study = imported().await;
    let dry = ImportOptions {
        dry_run: true,
        ..ImportOptions::default()
    };
    let report = with(&study, &study.coordinator, FINAL, dry).await;
    assert_eq!((report.new.rulings, report.problems.len()), (4, 0));
    assert_eq!(
        (rows(&study, "rulings").await, rows(&study, "imports").await),
        (0, 1)
    );
    brings(&study, &study.coordinator, FINAL, false).await;
    for replace in [false, true] {
        let again = brings(&study, &study.coordinator, FINAL, replace).await;
        assert_eq!(
            (again.new.rulings, again.identical, again.problems.len()),
            (0, 4, 0)
        );
    }
    assert_eq!(
        (
            rows(&study, "rulings").await,
            rows(&study, "imported_rulings").await
        ),
        (4, 4)
    );
}

#[tokio::test]
async fn all_that_cannot_be_ruled_is_listed_with_its_place_and_nothing_is_written() {
    let study = imported().await;
    let text = "tag_item_id,final_severity,outcome\n\
                e1_t0,4,consensus\n\
                nowhere,4,consensus\n\
                e1_t1,3.25,adjudicator\n\
                e1_t2,3,averaged\n\
                e2_t0,2,consensus\n";
    let report = brings(&study, &study.coordinator, text, false).await;
    assert_eq!(
        places(&report),
        [
            "3A candidate nowhere",
            "4B 3.25",
            "5B another value than the mean of the ratings",
            "6A a unit of one rater",
        ]
    );
    assert_eq!(
        report.problems[1].expected,
        "one of 1, 2, 3, 4, 5, halves between them allowed"
    );
    assert_eq!(rows(&study, "rulings").await, 0);
    // What is wrong with the file itself is found before anything is looked up.
    let text = "candidate,final_severity,final_category,outcome,cause\n\
                e1_t0,four,9.9,settled,mood\n\
                ,4,,,\n\
                e1_t1,,,,\n";
    let report = brings(&study, &study.coordinator, text, false).await;
    assert_eq!(
        places(&report),
        [
            "2B four",
            "2C 9.9",
            "2D settled",
            "2E mood",
            "3A nothing",
            "4A no final value"
        ]
    );
}

#[tokio::test]
async fn what_the_file_says_of_a_ruling_is_kept_with_it() {
    let study = imported().await;
    let text = "source_key,final_severity,final_validity,final_category,outcome,cause,note\n\
                e1_t1,2,valid,2.1,adjudicator,framework,Looked up again.\n\
                e1_t2,,invalid,,consensus,slip,\n\
                e1_t3,,,,unresolved,,\"Two schools, both kept.\"\n";
    let report = brings(&study, &study.coordinator, text, false).await;
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let units = units(&study).await;
    let [one, two, three] = [1, 2, 3].map(|at| units[at].ruling.clone().expect("a ruling"));
    assert_eq!(
        (one.outcome, one.severity, one.validity, one.cause),
        (
            Outcome::Adjudicator,
            Some(2.0),
            Some(Valid),
            Some(Cause::Framework)
        )
    );
    assert_eq!(one.note, "Imported from final.csv. Looked up again.");
    assert_eq!(one.subcategory, "2.1", "it was of 1.2");
    assert_eq!((two.validity, two.severity), (Some(Invalid), None));
    assert_eq!((three.outcome, three.severity), (Outcome::Unresolved, None));
    assert_eq!(service::check::run(&study.app).await.expect("checked"), []);
}

#[tokio::test]
async fn a_ruling_made_here_is_not_replaced_unless_asked_and_stays_as_a_version() {
    let study = imported().await;
    let unit = units(&study).await[3].row.unit.to_string();
    let here = NewRuling {
        severity: Some(4.0),
        note: "Both wrote to agree.".into(),
        ..ruling_of(Outcome::Consensus)
    };
    study
        .rule(&study.coordinator, &unit, here)
        .await
        .expect("ruled");
    let report = brings(&study, &study.coordinator, FINAL, false).await;
    assert_eq!(
        places(&report),
        ["5B another value than the ruling made here (consensus, 4)"]
    );
    assert_eq!(rows(&study, "rulings").await, 1, "all or nothing");
    let report = brings(&study, &study.coordinator, FINAL, true).await;
    assert_eq!((report.new.rulings, report.problems.len()), (4, 0));
    let view = study.unit(&unit).await;
    let versions: Vec<_> = view
        .history
        .iter()
        .map(|ruling| (ruling.version, ruling.severity))
        .collect();
    assert_eq!(versions, [(2, Some(2.0)), (1, Some(4.0))]);
    // A later file that says otherwise is told that the ruling came from a file.
    let other = brings(
        &study,
        &study.coordinator,
        "order,final_severity\n4,5\n",
        false,
    )
    .await;
    assert_eq!(
        places(&other),
        ["2B another value than the ruling brought by an earlier import (consensus, 2)"]
    );
}

#[tokio::test]
async fn a_rater_of_an_item_does_not_bring_its_rulings_nor_anybody_before_all_are_in() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    let text = "candidate,final_severity\ntag-i-1,3\n";
    study
        .submit(0, &item, judges(&item, [says(Valid, 2.0)]))
        .await;
    let early = brings(&study, &study.coordinator, text, false).await;
    assert_eq!(
        places(&early),
        ["2A a unit that not all its raters have judged"]
    );
    member::add(
        &study.app,
        &Actor::operator(),
        &study.id,
        "rater1",
        Role::Coordinator,
    )
    .await
    .expect("a coordinator");
    let mine = brings(&study, &study.raters[0], text, false).await;
    assert_eq!(
        places(&mine),
        ["2A an item that you were given to rate"],
        "and nothing of what the other has or has not done"
    );
    study
        .submit(1, &item, judges(&item, [says(Valid, 4.0)]))
        .await;
    let mine = brings(&study, &study.raters[0], text, true).await;
    assert_eq!(places(&mine), ["2A an item that you were given to rate"]);
    let nobody = brings(&study, &Actor::operator(), text, false).await;
    assert_eq!(places(&nobody), ["1 the command line"]);
    let staff = brings(&study, &study.coordinator, text, false).await;
    assert_eq!((staff.new.rulings, staff.problems.len()), (1, 0));
    let ruling = study.unit("i.1").await.ruling.expect("a ruling");
    // Both raters found it valid, so that is the final validity though the file does not say.
    assert_eq!((ruling.severity, ruling.validity), (Some(3.0), Some(Valid)));
}

#[tokio::test]
async fn a_stale_ruling_and_an_open_discussion_are_not_settled_in_passing() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 2).await;
    study.assign(Round::Main, &[0, 1]).await;
    let first = || [says(Valid, 2.0), says(Valid, 1.0)];
    study.submit(0, &item, judges(&item, first())).await;
    study
        .submit(
            1,
            &item,
            judges(&item, [says(Valid, 4.0), says(Invalid, 1.0)]),
        )
        .await;
    let differs = "candidate,final_severity\ntag-i-1,3\ntag-i-2,1\n";
    let report = brings(&study, &study.coordinator, differs, false).await;
    assert_eq!(
        places(&report),
        ["3A no final validity where the raters differ in it"]
    );
    let one = "candidate,final_severity\ntag-i-1,3\n";
    brings(&study, &study.coordinator, one, false).await;
    study
        .submit_again(
            0,
            &item,
            judges(&item, [says(Valid, 1.0), says(Valid, 1.0)]),
        )
        .await;
    assert_eq!(study.unit("i.1").await.row.state, UnitState::Stale);
    let again = brings(&study, &study.coordinator, one, false).await;
    assert_eq!(
        places(&again),
        ["2B another value than the ruling brought by an earlier import (averaged, 3)"]
    );
    let two = "candidate,final_severity,final_validity\ntag-i-2,1,valid\n";
    discussion::open(&study.app, &study.coordinator, &UnitId::new("i.2"), "")
        .await
        .expect("open");
    let talked = brings(&study, &study.coordinator, two, false).await;
    assert_eq!(places(&talked), ["2A a unit that is being discussed"]);
    let asked = brings(&study, &study.coordinator, two, true).await;
    assert_eq!(asked.new.rulings, 1);
}

#[tokio::test]
async fn a_published_manual_brings_the_examples_that_the_study_has() {
    let study = imported().await;
    let manual = r#"{"source": "a release", "categories": [
 {"id": 1, "name": "Danger", "subcategories": [
  {"name": "Violence Risk", "examples": [{"order": 1, "average_rating": 4.0},
   {"order": 99, "average_rating": 2.5}]}]},
 {"id": 2, "name": "Incapacity", "subcategories": [
  {"code": "2.Cognitive Incompetence", "name": "x", "calibration_examples": [{"order": 3, "average_rating": 3.5}]}]}
]}"#;
    let report = brings(&study, &study.coordinator, manual, false).await;
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    assert_eq!(
        (report.format.as_str(), report.new.rulings),
        ("manual-json", 2)
    );
    let elsewhere = &report.notices[0];
    assert_eq!(
        (elsewhere.line, elsewhere.subject.as_str()),
        (Some(4), "order 99")
    );
    let units = units(&study).await;
    let ruling = units[2].ruling.clone().expect("a ruling");
    assert_eq!(
        (ruling.outcome, ruling.severity, ruling.subcategory.as_str()),
        (Outcome::Averaged, Some(3.5), "2.1")
    );
    // Where the manual is about something that the ratings rule out, its place is given.
    let wrong = manual
        .replace("3.5}", "\"3\"}")
        .replace("Violence Risk", "Nothing of ours");
    let report = brings(&study, &study.coordinator, &wrong, false).await;
    let fields: Vec<_> = report
        .problems
        .iter()
        .map(|problem| (problem.line, problem.field.clone().unwrap_or_default()))
        .collect();
    assert_eq!(
        fields,
        [
            (3, "categories[0].subcategories[0]".to_owned()),
            (
                6,
                "categories[1].subcategories[0].calibration_examples[0].average_rating".to_owned()
            ),
        ]
    );
}
