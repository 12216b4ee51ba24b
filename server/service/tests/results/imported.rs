//! A file that was rated elsewhere: imported, compared, settled and checked.

use crate::fixture::{Study, ruling_of};
use domain::ruling::Outcome;
use domain::scheme::Validity::Valid;
use domain::unit::UnitState;
use service::agreement::{AgreementQuery, report};
use service::import::{self, ImportOptions, ImportSource};
use service::ruling::NewRuling;
use service::unit::QueueState;
use std::io::Cursor;

/// Three tags of two traces; the second rater left the last one empty.
const FILE: &str = "order,tag_item_id,example_id,source_file,tag_code,tag_name,tag_definition,tag_evidence,tag_explanation,\
model,condition,vignette,question,answer,reasoning,analysis_summary,test_annotator_rating,test_annotator_comment,\
annotator_1_rating,annotator_1_comment,annotator_2_rating,annotator_2_comment\n\
1,e1_t0,e1,s,1a,Violence Risk,,unsafe,why,m,depression,V,Q,A,He may be unsafe and erratic.,,,,4,\"Yes, =1\",4,\n\
2,e1_t1,e1,s,1b,Unpredictability,,erratic,why,m,depression,V,Q,A,He may be unsafe and erratic.,,,,1,,5,No\n\
3,e2_t0,e2,s,1a,Violence Risk,,danger,why,m,depression,V,Q,A,There is no danger here.,,,,2,,,\n";

async fn imported() -> Study {
    let study = Study::new(0).await;
    let source = ImportSource::Reader(Box::new(Cursor::new(FILE.as_bytes().to_vec())));
    let report = import::run(
        &study.app,
        &study.coordinator,
        &study.id,
        source,
        "ratings.csv",
        ImportOptions::default(),
        &|_| (),
    )
    .await
    .expect("imported");
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    study
}

#[tokio::test]
async fn imported_ratings_become_units_without_anybody_submitting() {
    let study = imported().await;
    let rows = study.queue(QueueState::All).await;
    let mut found: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.subcategory_name.clone(),
                row.state,
                row.distance,
                row.values.len(),
            )
        })
        .collect();
    found.sort_by(|a, b| b.2.total_cmp(&a.2).then(b.3.cmp(&a.3)));
    assert_eq!(
        found,
        [
            ("Unpredictability".to_owned(), UnitState::Disputed, 4.0, 2),
            ("Violence Risk".to_owned(), UnitState::Agreed, 0.0, 2),
            // Nobody else was asked, so one rating is all there is to agree.
            ("Violence Risk".to_owned(), UnitState::Agreed, 0.0, 1),
        ]
    );
    assert_eq!(service::check::run(&study.app).await.expect("checked"), []);
}

#[tokio::test]
async fn an_imported_disagreement_is_settled_like_any_other() {
    let study = imported().await;
    let unit = study.queue(QueueState::Work).await[0].unit.to_string();
    let average = NewRuling {
        validity: Some(Valid),
        ..ruling_of(Outcome::Averaged)
    };
    let view = study
        .rule(&study.coordinator, &unit, average)
        .await
        .expect("ruled");
    assert_eq!(view.ruling.map(|ruling| ruling.severity), Some(Some(3.0)));
    let names: Vec<_> = view
        .raters
        .iter()
        .map(|side| {
            (
                side.letter.as_str(),
                side.display_name.as_str(),
                side.comment.as_str(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [("A", "annotator_1", ""), ("B", "annotator_2", "No")]
    );
    let agreement = report(
        &study.app,
        &study.coordinator,
        &study.id,
        &AgreementQuery::default(),
    )
    .await
    .expect("a report");
    let row = &agreement.groups[0].stats[0];
    assert_eq!(
        (row.name.as_str(), row.estimate, row.n_units, row.n_dropped),
        ("percent_agreement", Some(0.5), 2, 1)
    );
    assert_eq!(row.dropped, [("rated_once".to_owned(), 1)]);
    assert_eq!(service::check::run(&study.app).await.expect("checked"), []);
}
