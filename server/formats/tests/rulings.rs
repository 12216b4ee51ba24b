//! Final values that were settled elsewhere: as a table, and as a published manual.

mod common;

use common::Book;
use domain::ruling::{Cause, Outcome};
use domain::scheme::Validity;
use formats::rulings::{Part, RulingKey, RulingRecord};
use formats::{Format, ReadOptions, ReadReport, sniff, validate};

fn read(text: &str) -> ReadReport {
    let format = sniff(text.as_bytes()).expect("a format");
    assert!(format.brings_rulings(), "{format}");
    validate(format, text.as_bytes(), &Book, &ReadOptions::default()).expect("sound")
}

#[test]
fn a_table_is_told_from_one_of_ratings_and_from_one_that_brings_traces() {
    let known = |head: &str| sniff(format!("{head}\n").as_bytes()).ok();
    for head in [
        "order,final_severity",
        "tag_item_id,example_id,final_severity,tag_code",
        "item,question,final_answer",
        "source_key,final_validity",
    ] {
        assert_eq!(known(head), Some(Format::RulingsCsv), "{head}");
    }
    let with_traces = "tag_item_id,example_id,tag_code,reasoning,final_severity";
    assert_eq!(known(with_traces), Some(Format::DualAnnotationCsv));
    assert_eq!(known("item,rater,score"), Some(Format::RatingsTable));
    assert_eq!(known("item,final_answer"), None, "of which question?");
    let semicolons = sniff(b"order;final_severity\n").expect_err("refused");
    assert_eq!(semicolons.found, "columns separated by semicolons");
}

#[test]
fn a_row_says_what_is_final_and_every_part_has_its_place() {
    let report = read(
        "order,item,final_severity,final_validity,final_category,outcome,cause,note,extra\n\
         7,t1,2.5,valid,F5,averaged,slip,\"Seen\nagain\",x\n\
         8,,4,,,,,,\n",
    );
    let one = &report.rulings[0];
    assert_eq!(one.key, RulingKey::Order("7".to_owned()));
    assert_eq!((one.item.as_deref(), one.severity), (Some("t1"), Some(2.5)));
    assert_eq!(one.validity, Some(Validity::Valid));
    let category = one.category.clone().expect("a category");
    assert_eq!(category.subcategory.as_deref(), Some("4.5"));
    assert_eq!(
        (one.outcome, one.cause),
        (Some(Outcome::Averaged), Some(Cause::Slip))
    );
    assert_eq!(one.note, "Seen\nagain");
    // The second row begins after the line end inside a cell of the first.
    let two = &report.rulings[1];
    let problem = two.problem(Part::Value, "4", "another");
    assert_eq!(
        problem.to_string(),
        "line 4, column C, final_severity: found 4; expected another"
    );
    let named = two.problem(Part::Outcome, "nothing", "an outcome");
    assert_eq!(named.column.map(|c| c.to_string()).as_deref(), Some("A"));
    assert_eq!(report.left_out[0].subject, "extra");
}

#[test]
fn a_table_of_labels_is_one_of_final_values() {
    let report = read(
        "unit_kind,source_key,item_key,category,final_validity,final_category,final_subcategory,final_severity,\
         outcome,final_answer,note\n\
         candidate,a_t,a,4,valid,4,4.1,2,consensus,,'=as written\n\
         candidate,b_t,b,4,valid,4,4.1,2.5,agreed,,\n\
         candidate,c_t,c,4,,,,,disputed,,\n\
         missed,,c,4,valid,4,4.1,2,consensus,,\n\
         item,,c,fit,,,,,adjudicator,asks;tells,\n",
    );
    let keys: Vec<&RulingKey> = report.rulings.iter().map(|record| &record.key).collect();
    let candidate = |key: &str| RulingKey::Candidate(key.to_owned());
    assert_eq!(
        keys,
        [
            &candidate("a_t"),
            &candidate("b_t"),
            &RulingKey::Question("fit".to_owned())
        ]
    );
    assert_eq!(
        report.rulings[0].note, "=as written",
        "the apostrophe was ours"
    );
    assert_eq!(report.rulings[1].outcome, None, "agreed is no ruling");
    assert_eq!(report.rulings[2].answer, ["asks", "tells"]);
    assert_eq!(report.left_out[0].subject, "2 rows");
}

#[test]
fn a_unit_has_one_final_value() {
    let same = read("candidate,final_severity\na,2\na,2\n");
    assert_eq!((same.rulings.len(), same.identical), (1, 1));
    let text = "candidate,final_severity\na,2\na,3\n";
    let wrong = validate(
        Format::RulingsCsv,
        text.as_bytes(),
        &Book,
        &ReadOptions::default(),
    )
    .expect_err("two values");
    assert_eq!(wrong.to_string(), "1 problem");
}

#[test]
fn examples_of_a_manual_are_final_values_under_their_place() {
    let text = "{\"severity_scale\": {\"1\": \"none\"},\n \"categories\": [{\"id\": 6, \"subcategories\": [\n\
                {\"name\": \"Conditional Acceptance\", \"examples\": [\n  {\"order\": 3, \"average_rating\": 2.5}]}]}]}";
    let report = read(text);
    let record: &RulingRecord = &report.rulings[0];
    assert_eq!(record.key, RulingKey::Order("3".to_owned()));
    assert!(record.published);
    let category = record.category.clone().expect("a category");
    assert_eq!(category.subcategory.as_deref(), Some("6.1"));
    let problem = record.problem(Part::Value, "2.5", "3");
    assert_eq!(
        problem.to_string(),
        "line 4, column 3, categories[0].subcategories[0].examples[0].average_rating: found 2.5; expected 3"
    );
}
