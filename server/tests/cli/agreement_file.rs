//! `consilium agreement FILE`.

use crate::command::Stage;
use serde_json::Value;

/// Four items, two raters; 3 of 4 agree. Margins a 1,1,2 b 2,1,1: chance (2 + 1 + 2)/16, kappa (12 - 5)/(16 - 5).
const LONG: &str = "item,rater,criterion,score\n\
    i1,a,,1\ni1,b,,1\ni2,a,,2\ni2,b,,2\ni3,a,,3\ni3,b,,3\ni4,a,,3\ni4,b,,1\n";
const WIDE: &str = "item,a,b\ni1,1,1\ni2,2,2\ni3,3,3\ni4,3,1\n";

fn statistic<'a>(report: &'a Value, criterion: &str, name: &str) -> &'a Value {
    &report["criteria"][criterion]["statistics"][name]
}

fn is(report: &Value, name: &str, expected: f64) {
    let found = statistic(report, "", name)["estimate"].as_f64();
    let found = found.unwrap_or_else(|| panic!("no {name}: {report}"));
    assert!((found - expected).abs() < 1e-12, "{name} is {found}");
}

#[test]
fn a_long_and_a_wide_file_say_the_same() {
    let stage = Stage::new();
    let long = stage.json(&["agreement", &stage.file("long.csv", LONG), "--json"]);
    let wide = stage.json(&["agreement", &stage.file("wide.csv", WIDE), "--json"]);
    for report in [&long, &wide] {
        is(report, "percent_agreement", 0.75);
        is(report, "kappa", 7.0 / 11.0);
        let object = &report["criteria"][""];
        assert_eq!(
            (&object["n_items"], &object["n_raters"]),
            (&4.into(), &2.into())
        );
        let row = statistic(report, "", "percent_agreement");
        assert_eq!(row["method"], "wilson");
        assert!(row["ci_low"].as_f64() < Some(0.75) && row["ci_high"].as_f64() > Some(0.75));
        assert!(row["reason"].is_null());
    }
    assert_eq!(
        long["criteria"][""]["statistics"],
        wide["criteria"][""]["statistics"]
    );
}

#[test]
fn columns_can_be_told_and_criteria_stay_apart() {
    let stage = Stage::new();
    let text = "case;who;what;mark\n1;a;x;yes\n1;b;x;yes\n1;a;y;no\n1;b;y;yes\n";
    let file = stage.file("told.csv", text.replace(';', ","));
    let report = stage.json(&[
        "agreement",
        &file,
        "--json",
        "--item",
        "case",
        "--rater",
        "who",
        "--value",
        "mark",
        "--criterion",
        "what",
        "--scale",
        "nominal",
    ]);
    assert_eq!(
        statistic(&report, "x", "percent_agreement")["estimate"],
        1.0
    );
    assert_eq!(
        statistic(&report, "y", "percent_agreement")["estimate"],
        0.0
    );
}

#[test]
fn undefined_is_null_with_a_reason_and_no_error() {
    let stage = Stage::new();
    let file = stage.file("same.csv", "item,a,b\ni1,2,2\ni2,2,2\n");
    let report = stage.json(&["agreement", &file, "--json"]);
    let kappa = statistic(&report, "", "kappa");
    assert!(kappa["estimate"].is_null() && kappa["ci_low"].is_null());
    assert_eq!(kappa["reason"], "no_variation");
}

#[test]
fn traps_in_the_data_are_warned_about() {
    let stage = Stage::new();
    let file = stage.file("traps.csv", "item,a,b\ni1,2,2\ni2,2,3.5\ni3,2,1\n");
    let report = stage.json(&["agreement", &file, "--json", "--categories", "1,2,3,4,5"]);
    let warnings = report["warnings"].to_string();
    for part in [
        "a only 2",
        "not on the declared scale",
        "3.5 (1)",
        "nobody used 3",
    ] {
        assert!(warnings.contains(part), "{part} in {warnings}");
    }
    // 3.5 keeps its value: 0, 1.5 and 1 apart on average.
    is(&report, "mae", 2.5 / 3.0);
    // A rater who always says the same agrees as chance does.
    is(&report, "kappa", 0.0);
    assert_eq!(
        statistic(&report, "", "kappa")["ci_reason"],
        "constant_rater"
    );
}

#[test]
fn missing_words_are_those_that_were_told() {
    let stage = Stage::new();
    let file = stage.file("na.csv", "item,a,b\ni1,1,1\ni2,NA,2\ni3,2,2\n");
    let told = stage.json(&["agreement", &file, "--json", "--missing", "NA"]);
    assert_eq!(statistic(&told, "", "percent_agreement")["n_units"], 2);
    assert_eq!(statistic(&told, "", "percent_agreement")["n_dropped"], 1);
    let tag = stage.json(&["agreement", &file, "--json"]);
    assert_eq!(statistic(&tag, "", "percent_agreement")["n_units"], 3);
    assert!(tag["warnings"].to_string().contains("text among numbers"));
}

#[test]
fn a_bootstrap_repeats_for_its_seed() {
    let stage = Stage::new();
    let row = |i: u32| format!("i{i},c{},{},{}", i / 2, i % 3 + 1, (i + i / 7) % 3 + 1);
    let rows = (0..40).map(row).collect::<Vec<_>>().join("\n");
    let file = stage.file("many.csv", format!("item,trace,a,b\n{rows}\n"));
    let ask = |seed| {
        let asked = [
            "agreement",
            &file,
            "--json",
            "--raters",
            "a,b",
            "--item",
            "item",
            "--cluster",
            "trace",
            "--bootstrap",
            "200",
            "--seed",
            seed,
        ];
        stage.json(&asked)["criteria"].clone()
    };
    assert_eq!(ask("7"), ask("7"));
    assert_ne!(ask("7"), ask("8"));
}

#[test]
fn a_second_rating_of_an_item_is_refused_with_both_lines() {
    let stage = Stage::new();
    let file = stage.file("twice.csv", "item,rater,score\ni1,a,1\ni1,b,2\ni1,a,3\n");
    let said = stage.refused(&["agreement", &file, "--json"]);
    assert!(said.contains("line 4") && said.contains("line 2"), "{said}");
}

#[test]
fn broken_files_are_named_with_the_place() {
    let stage = Stage::new();
    let ragged = stage.file("ragged.csv", "item,a,b\ni1,1,1\ni2,1\n");
    let said = stage.refused(&["agreement", &ragged]);
    assert!(said.contains("ragged.csv") && said.contains('3'), "{said}");

    let latin = stage.file("latin.csv", b"item,a,b\ni1,1,1\ni\xe9,1,1\n");
    let said = stage.refused(&["agreement", &latin]);
    assert!(said.contains("UTF-8") && said.contains('3'), "{said}");

    let negative = stage.file("negative.csv", "item,a,b\ni1,1,-1\n");
    let said = stage.refused(&["agreement", &negative, "--scale", "ratio"]);
    assert!(said.contains("-1") && said.contains('2'), "{said}");

    let empty = stage.file("empty.csv", "");
    stage.refused(&["agreement", &empty]);
}

#[test]
fn a_line_of_a_million_columns_is_refused_and_not_worked_through() {
    let stage = Stage::new();
    let line = "x,".repeat(1_000_000);
    let file = stage.file("wide.csv", format!("item,a,b\ni1,1,1\n{line}\n"));
    let said = stage.refused(&["agreement", &file]);
    assert!(
        said.contains('3') && said.len() < 10_000,
        "{} bytes",
        said.len()
    );
}

#[test]
fn options_of_studies_mean_nothing_for_a_file() {
    let stage = Stage::new();
    let file = stage.file("wide.csv", WIDE);
    let said = stage.refused(&["agreement", &file, "--stage", "raw"]);
    assert!(said.contains("--stage"), "{said}");
}

// An item has several units and a unit several questions: taken by item, the program refused its own ratings.
#[test]
fn ratings_that_the_program_wrote_are_read_by_unit_and_question() {
    let stage = Stage::new();
    let head = "unit_id,source_key,unit_kind,item_id,rater,question,value,comment,submitted_at\n";
    let rows: String = LONG
        .lines()
        .skip(1)
        .flat_map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let (unit, rater, severity) = (cells[0], cells[1], cells[3]);
            [("severity", severity), ("validity", "valid")].map(|(question, value)| {
                format!("{unit},k,candidate,one,{rater},{question},{value},,\n")
            })
        })
        .collect();
    let file = stage.file("ratings_long.csv", format!("{head}{rows}"));
    let report = stage.json(&["agreement", &file, "--json"]);
    let of = |question: &str, name: &str| statistic(&report, question, name)["estimate"].as_f64();
    assert_eq!(of("severity", "percent_agreement"), Some(0.75));
    assert_eq!(of("validity", "percent_agreement"), Some(1.0));
    assert_eq!(report["criteria"]["severity"]["n_items"], 4);
}
