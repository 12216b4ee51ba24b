//! `consilium agreement STUDY`.

use crate::command::{Stage, said};
use serde_json::Value;

const HEADER: &str = "order,tag_item_id,example_id,source_file,tag_code,tag_name,tag_definition,tag_evidence,\
tag_explanation,model,condition,vignette,question,answer,reasoning,analysis_summary,test_annotator_rating,\
test_annotator_comment,annotator_1_rating,annotator_1_comment,annotator_2_rating,annotator_2_comment";

/// Both raters' severities of eleven tags, two a trace; the last was rated once.
const RATED: [(&str, &str); 11] = [
    ("1", "1"),
    ("2", "2"),
    ("3", "3"),
    ("4", "4"),
    ("5", "4"),
    ("1", "2"),
    ("2", "2"),
    ("3", "3"),
    ("4", "5"),
    ("5", "5"),
    ("3", ""),
];

/// A study called Pilot with these ratings.
fn study() -> Stage {
    let stage = Stage::new();
    let row = |(at, (a, b)): (usize, &(&str, &str))| {
        let (item, condition) = (at / 2, ["depression", "psychosis"][at / 2 % 2]);
        format!(
            "{at},e{item}_t{at},e{item},s,1a,Violence Risk,,unsafe,why,m,{condition},V,Q,A,He may be unsafe.,,,,{a},,{b},\n"
        )
    };
    let rows: String = RATED.iter().enumerate().map(row).collect();
    let file = stage.file("rated.csv", format!("{HEADER}\n{rows}"));
    for arguments in [
        &["study", "create", "Pilot", "--scheme", "stigma"][..],
        &["import", "Pilot", &file],
    ] {
        let done = stage.run(arguments);
        assert!(done.status.success(), "{arguments:?}: {}", said(&done));
    }
    stage
}

fn severity<'a>(report: &'a Value, name: &str) -> &'a Value {
    &report["criteria"]["severity"]["statistics"][name]
}

/// The ten pairs are those of the service's own test, whose kappas are worked out there.
#[test]
fn a_study_is_reported_by_name_with_its_own_scale_and_intervals() {
    let stage = study();
    let report = stage.json(&["agreement", "Pilot", "--json"]);
    let kappa = severity(&report, "kappa_quadratic");
    let estimate = kappa["estimate"].as_f64().expect("an estimate");
    assert!((estimate - 34.0 / 37.0).abs() < 1e-12);
    assert_eq!(kappa["method"], "cluster_bootstrap_percentile");
    assert!(kappa["ci_low"].as_f64() <= Some(estimate));
    assert_eq!(
        (&kappa["n_units"], &kappa["n_dropped"]),
        (&10.into(), &1.into())
    );
    assert_eq!(
        report["criteria"]["severity"]["categories"]
            .as_array()
            .map(Vec::len),
        Some(5)
    );
    assert!(report["criteria"]["validity"].is_object());
    assert!(report["warnings"].to_string().contains("fewer than 30"));
    // The study is called the same again: nothing was left behind that changes what is said.
    assert_eq!(stage.json(&["agreement", "Pilot", "--json"]), report);
}

#[test]
fn a_study_can_be_divided_and_shown_after_reconciliation() {
    let stage = study();
    let report = stage.json(&[
        "agreement",
        "Pilot",
        "--json",
        "--stage",
        "reconciled",
        "--by",
        "condition",
    ]);
    let parts = &report["criteria"]["severity"]["by"];
    let n = |part: &str| {
        let row = &parts[part]["statistics"]["percent_agreement"];
        (row["n_units"].as_u64(), row["estimate"].as_f64())
    };
    // Traces 0, 2, 4 hold pairs 1-2, 5-6, 9-10; traces 1 and 3 pairs 3-4 and 7-8.
    assert_eq!(n("depression"), (Some(6), Some(0.5)));
    assert_eq!(n("psychosis"), (Some(4), Some(1.0)));
    let table = stage.run(&["agreement", "Pilot", "--csv", "--by", "rater_pair"]);
    let table = String::from_utf8(table.stdout).expect("text");
    let kappa = table
        .lines()
        .find_map(|line| line.strip_prefix("severity,A-B,kappa,"))
        .and_then(|rest| rest.split(',').next()?.parse::<f64>().ok())
        .expect("a row of the pair");
    assert!((kappa - 0.625).abs() < 1e-12, "{kappa}");
}

#[test]
fn the_table_for_people_says_when_each_coefficient_is_right() {
    let stage = study();
    let table = stage.run(&["agreement", "Pilot", "--statistics", "kappa,alpha_ordinal"]);
    let table = String::from_utf8(table.stdout).expect("text");
    for part in [
        "Study Pilot, raw values",
        "kappa",
        "0.625",
        "Remarks",
        "two fixed raters",
    ] {
        assert!(
            table.to_lowercase().contains(&part.to_lowercase()),
            "{part} in {table}"
        );
    }
    assert!(!table.contains("icc2_1"));
}

#[test]
fn a_name_that_is_nothing_makes_no_database() {
    let stage = Stage::new();
    let said = stage.refused(&["agreement", "ratings.csv"]);
    assert!(said.contains("is not a file"), "{said}");
    assert!(!stage.path("test.db").exists());

    let stage = study();
    let said = stage.refused(&["agreement", "Pilto"]);
    assert!(said.contains("neither a file nor a study"), "{said}");
    let said = stage.refused(&["agreement", "Pilot", "--bootstrap", "10"]);
    assert!(said.contains("--bootstrap"), "{said}");
    let said = stage.refused(&["agreement", "Pilot", "--by", "colour"]);
    assert!(said.contains("rater_pair"), "{said}");
}

#[test]
fn what_names_a_file_is_a_file() {
    let stage = study();
    stage.file("Pilot", "item,a,b\ni1,1,1\ni2,2,1\n");
    let report = stage.json(&["agreement", "Pilot", "--json"]);
    assert_eq!(report["criteria"][""]["n_items"], 2);
}
