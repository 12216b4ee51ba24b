//! JSON documents: Label Studio, JUDGE-BENCH, clinicians' severities.

use crate::kit::{SCHEME, notices, problems, said, sound, take};
use domain::scheme::builtin;
use formats::{Format, ReadOptions, sniff};

/// A task with one span on a text whose seventh character is two units of UTF-16.
fn marked(value: &str) -> String {
    format!(
        "[{{\"id\": 7, \"data\": {{\"text\": \"hello 🙂 x risky\"}}, \"annotations\": [{{\"completed_by\": 1, \"result\": [{{\"from_name\": \"l\", \"value\": {{{value}, \"labels\": [\"risk\"]}}}}]}}]}}]"
    )
}

#[test]
fn the_marked_words_decide_whether_offsets_count_characters_or_units() {
    let words = |value: &str| {
        let (records, _) = sound(&marked(value), Format::LabelStudioJson);
        let (span, words) = records[0].said[0].missed[0].span.clone().expect("a span");
        (span.start(), words)
    };
    // The x is the character at 8 and the unit at 9.
    assert_eq!(
        words("\"start\": 8, \"end\": 9, \"text\": \"x\""),
        (8, "x".to_owned())
    );
    assert_eq!(
        words("\"start\": 9, \"end\": 10, \"text\": \"x\""),
        (8, "x".to_owned())
    );
    assert_eq!(
        words("\"start\": 8, \"end\": 9"),
        (8, "x".to_owned()),
        "nothing decides"
    );
    assert_eq!(
        words("\"start\": 0, \"end\": 7, \"text\": \"hello\\n🙂\""),
        (0, "hello 🙂".to_owned())
    );
}

#[test]
fn a_span_whose_words_stand_elsewhere_is_a_problem() {
    assert_eq!(
        problems(
            &marked("\"start\": 0, \"end\": 5, \"text\": \"risky\""),
            SCHEME
        ),
        [
            "line 1, [0].annotations[0].result[0].value: found 0 to 5 for risky; expected offsets of these words, in characters or UTF-16 units"
        ]
    );
    assert_eq!(
        problems(&marked("\"start\": 90, \"end\": 95"), SCHEME),
        [
            "line 1, [0].annotations[0].result[0].value: found 90 to 95; expected offsets within the text, which has 15 characters"
        ]
    );
}

#[test]
fn the_small_export_of_label_studio_is_told_which_one_to_take() {
    let text = "[{\"text\": \"a\", \"score\": 4, \"annotator\": 1, \"annotation_id\": 1}]";
    let problem = sniff(text.as_bytes()).expect_err("no annotations");
    assert!(
        problem
            .to_string()
            .contains("JSON-MIN; expected its export JSON"),
        "{problem}"
    );
}

#[test]
fn scores_of_people_with_names_are_theirs() {
    let text = "{\"annotations\": [], \"instances\": [{\"id\": 0, \"annotations\": {\"warmth\": {\"individual_human_scores\": {\"ann\": 3, \"ben\": 4, \"eve\": null}}}}]}";
    let (records, _) = sound(text, Format::JudgeBenchJson);
    assert_eq!(said(&records), ["0 ann warmth 3", "0 ben warmth 4"]);
    assert_eq!(
        problems(&text.replace('4', "[4]"), SCHEME),
        [
            "line 1, instances[0].annotations.warmth.individual_human_scores.ben: found a list; expected a score"
        ]
    );
}

/// A window with one rating, which stands on line 3.
fn window(rating: &str) -> String {
    format!(
        "{{\"items\": [\n{{\"item_id\":\"x\",\"turns\":[{{\"turn\":1,\"counsellor\":\"Go on.\"}}],\"ratings\":[\n{{\"annotator\":\"A1\",\"turn\":1,{rating}}}]}}]}}"
    )
}

#[test]
fn issues_as_a_text_or_as_nothing_and_the_other_spelling_are_taken() {
    let scheme = builtin("mindeval2-mqm").expect("compiled in");
    let of = |rating: &str| {
        let (_, records, report) = take(&window(rating), scheme, &ReadOptions::default());
        report.unwrap_or_else(|problems| panic!("{problems:?}"));
        said(&records)
    };
    let both = ["x/t1 A1 severity 1", "x/t1 A1 issues under_guiding,other"];
    assert_eq!(
        of("\"counsellor_severity\":\"minor\",\"counsellor_issues\":\"under_guiding; other,\""),
        both
    );
    assert_eq!(
        of("\"counselor_severity\":\"minor\",\"counselor_issues\":[\"under_guiding\",\"other\"]"),
        both
    );
    let none = ["x/t1 A1 severity 1", "x/t1 A1 issues "];
    assert_eq!(
        of("\"counsellor_severity\":\"minor\",\"counsellor_issues\":null"),
        none
    );
    assert_eq!(
        of("\"counsellor_severity\":\"minor\",\"counsellor_issues\":\"\""),
        none
    );
}

#[test]
fn what_is_wrong_with_a_severity_stands_on_the_line_of_its_rating() {
    let scheme = builtin("mindeval2-mqm").expect("compiled in");
    assert_eq!(
        problems(
            &window("\"counsellor_severity\":\"awful\",\"counsellor_issues\":[]"),
            scheme
        ),
        ["line 3, counsellor_severity of A1: found awful; expected one of 0, 1, 5, 10"]
    );
    assert_eq!(
        problems(
            &window("\"counsellor_severity\":5,\"counsellor_issues\":[]"),
            scheme
        ),
        ["line 3, items[0].ratings[0].counsellor_severity: found 5; expected a severity as text"]
    );
    let both = "\"counsellor_severity\":\"minor\",\"counsellor_issues\":[\"other\",7]";
    assert_eq!(
        problems(&window(both), scheme),
        ["line 3, items[0].ratings[0].counsellor_issues[1]: found 7; expected an issue as text"]
    );
}

#[test]
fn who_was_taken_for_a_judge_by_name_is_named_and_a_misspelt_judge_is_a_problem() {
    for (text, subject) in [
        (
            "item,rater,criterion,score\na,Claude,Safety,yes\na,ann,Safety,no\na,gpt-4o,Safety,no\n",
            "Claude, gpt-4o",
        ),
        (
            "{\"ann\": {\"a\": \"yes\", \"b\": \"no\"}, \"llm\": {\"a\": \"yes\", \"b\": \"no\"}}",
            "llm",
        ),
    ] {
        let scheme = SCHEME.replace(
            "id = \"warmth\"\nkind = \"ordinal\"",
            "id = \"warmth\"\nkind = \"text\"",
        );
        let scheme = match scheme.split_once("levels = [{ value") {
            Some((before, after)) => {
                format!("{before}{}", after.split_once(']').expect("levels").1)
            }
            None => scheme,
        };
        let (_, _, report) = take(text, &scheme, &ReadOptions::default());
        let said = notices(&report.unwrap_or_else(|problems| panic!("{problems:?}")));
        assert!(
            said.contains(&format!("{subject}: by name taken for judges and not for people; --judges names those who are")),
            "{said:?}"
        );
        let told = |names: &[&str]| {
            let judges = Some(names.iter().map(ToString::to_string).collect());
            let options = ReadOptions {
                judges,
                ..ReadOptions::default()
            };
            let (_, _, report) = take(text, &scheme, &options);
            report.map(|report| notices(&report))
        };
        assert!(
            !told(&["ann"])
                .expect("sound")
                .iter()
                .any(|notice| notice.contains("--judges"))
        );
        let wrong = told(&["nosuch"]).expect_err("misspelt");
        assert!(
            wrong[0].starts_with(
                "line 1, judges: found nosuch; expected raters and judges of the file: "
            ),
            "{wrong:?}"
        );
    }
}
