//! Argilla's JSON Lines.

use crate::kit::{SCHEME, notices, problems, said, sound, take};
use domain::scheme::builtin;
use formats::{Format, ReadOptions, ZeroRule};

/// A record with answers by name; each person is named beside their answer.
fn record(id: &str, answers: &[(&str, &str, &[&str])]) -> String {
    let answers: Vec<String> = answers
        .iter()
        .map(|(name, values, users)| {
            format!(",\"{name}.responses\":{values},\"{name}.responses.users\":{users:?}")
        })
        .collect();
    let answers = answers.concat();
    format!("{{\"id\":\"{id}\",\"conversation\":\"Hi\"{answers}}}\n")
}

fn rubric() -> &'static str {
    builtin("mindeval1-rubric").expect("compiled in")
}

#[test]
fn a_response_off_the_scale_is_a_problem_and_not_a_rating() {
    let text = record(
        "u1",
        &[("criterion_10", "[9,-1,5,3.5]", &["a", "b", "c", "d"])],
    );
    let of = |who: &str, found: &str| {
        format!("line 1, criterion_10 of {who}: found {found}; expected one of 1, 2, 3, 4, 5, 6")
    };
    assert_eq!(
        problems(&text, rubric()),
        [of("a", "9"), of("b", "-1"), of("d", "3.5")]
    );
}

#[test]
fn a_response_off_the_scale_does_not_hide_in_a_mean_that_lies_on_it() {
    // 9 and 1 have the mean 5, and 3.5 and 4 that of 3.75: both lie on the scale.
    let text = record(
        "u1",
        &[
            ("criterion_1", "[9,3.5,6]", &["a", "b", "c"]),
            ("criterion_2", "[1,4,6]", &["a", "b", "c"]),
        ],
    );
    assert_eq!(
        problems(&text, rubric()),
        [
            "line 1, criterion_1 of a: found 9; expected one of 1, 2, 3, 4, 5, 6",
            "line 1, criterion_1 of b: found 3.5; expected one of 1, 2, 3, 4, 5, 6",
        ]
    );
}

#[test]
fn a_kept_zero_is_a_value_of_any_question_and_a_zero_on_the_scale_is_none_below_it() {
    let keep = ReadOptions {
        zeros: ZeroRule::Keep,
        ..ReadOptions::default()
    };
    let text = record("u1", &[("warmth", "[0,2]", &["a", "b"])]);
    let (_, records, _) = take(&text, SCHEME, &keep);
    assert_eq!(said(&records), ["u1 a warmth 0", "u1 b warmth 2"]);
    let (records, _) = sound(&text, Format::ArgillaJsonl);
    assert_eq!(said(&records), ["u1 b warmth 2"]);
    let from_zero = SCHEME.replace(
        "levels = [{ value = 1,",
        "levels = [{ value = 0, name = \"icy\" }, { value = 1,",
    );
    let (_, records, report) = take(&text, &from_zero, &ReadOptions::default());
    assert_eq!(said(&records), ["u1 a warmth 0", "u1 b warmth 2"]);
    assert!(report.expect("sound").left_out.is_empty());
}

const ANN: &str = "0192f0aa-1111-7000-8000-000000000001";
const BEN: &str = "0192f0aa-2222-7000-8000-000000000002";
const EVE: &str = "cccccccc-1111-7000-8000-000000000003";

#[test]
fn people_whose_ids_begin_alike_stay_two_raters() {
    let text = record("a", &[("warmth", "[3,4]", &[ANN, EVE])])
        + &record("b", &[("warmth", "[1,4]", &[BEN, EVE])]);
    let (records, _) = sound(&text, Format::ArgillaJsonl);
    assert_eq!(
        said(&records),
        [
            format!("a rater {ANN} warmth 3"),
            "a rater cccccccc warmth 4".to_owned(),
            format!("b rater {BEN} warmth 1"),
            "b rater cccccccc warmth 4".to_owned(),
        ]
    );
}

#[test]
fn a_person_twice_on_a_record_with_two_values_is_a_problem() {
    let twice = |second: &str| {
        record(
            "a",
            &[("warmth", &format!("[3,{second},1]"), &[ANN, ANN, EVE])],
        )
    };
    assert_eq!(
        problems(&twice("4"), SCHEME),
        [
            "line 1, warmth of rater 0192f0aa: found 4; expected one value of each person; this one also gave 3"
        ]
    );
    // A 0 that would be taken as missing contradicts as well.
    assert_eq!(problems(&twice("0"), SCHEME).len(), 1);
    let (records, _) = sound(&twice("3"), Format::ArgillaJsonl);
    assert_eq!(
        said(&records),
        ["a rater 0192f0aa warmth 3", "a rater cccccccc warmth 1"]
    );
}

#[test]
fn numbers_written_as_text_are_numbers_and_words_are_problems() {
    let people: &[&str] = &["a", "b"];
    let text = |first: &str| {
        record(
            "u1",
            &[
                ("criterion_1", first, people),
                ("criterion_2", "[4,2]", people),
            ],
        )
    };
    let (records, _) = sound(&text("[\"3\", 1]"), Format::ArgillaJsonl);
    assert_eq!(said(&records), ["u1 a warmth 3.5", "u1 b warmth 1.5"]);
    assert_eq!(
        problems(&text("[\"warm\", \"x\"]"), SCHEME),
        [
            "line 1, criterion_1 of a: found warm; expected one of 1, 2, 3, 4",
            "line 1, criterion_1 of b: found x; expected one of 1, 2, 3, 4",
        ],
        "a level's name is of the question and not of half of it"
    );
    let named = record("u1", &[("warmth", "[\"Warm\", \"tepid\"]", people)]);
    assert_eq!(
        problems(&named, SCHEME),
        ["line 1, warmth of b: found tepid; expected one of 1, 2, 3, 4"]
    );
}

#[test]
fn labels_of_a_question_without_an_order_are_taken_as_they_are() {
    let text = record("u1", &[("safe", "[\"yes\",\"no\"]", &["a", "b"])])
        + &record("u2", &[("safe", "[\"perhaps\"]", &["a"])]);
    assert_eq!(
        problems(&text, SCHEME),
        ["line 2, safe of a: found perhaps; expected one of yes, no"]
    );
    let (records, _) = sound(&text.replace("perhaps", "no"), Format::ArgillaJsonl);
    assert_eq!(
        said(&records),
        ["u1 a safe yes", "u1 b safe no", "u2 a safe no"]
    );
}

#[test]
fn examples_of_the_published_prompt_are_named_and_never_marked_against_their_numbers() {
    let text = |keys: &[String]| -> String {
        let line = |key: &String| record(key, &[("warmth", "[2]", &["a"])]);
        keys.iter().map(line).collect()
    };
    let marked = |keys: &[String]| {
        let (records, report) = sound(&text(keys), Format::ArgillaJsonl);
        let marked =
            |record: &&formats::record::TraceRecord| record.extra.contains_key("in_judge_few_shot");
        (records.iter().filter(marked).count(), notices(&report))
    };
    let mut keys: Vec<String> = (1..=60).map(|n| format!("conv{n}")).collect();
    let (count, said) = marked(&keys);
    assert_eq!(count, 5);
    assert!(
        said[0].starts_with("conv56, conv57, conv58, conv59, conv60: the last five"),
        "{said:?}"
    );
    keys.swap(3, 58);
    let (count, said) = marked(&keys);
    assert_eq!(count, 0, "conv4 stands among the last five");
    assert!(said[0].contains("but not by their numbers"), "{said:?}");
    let unnumbered: Vec<String> = (1..=60).map(|n| format!("{n}x")).collect();
    assert_eq!(marked(&unnumbered).0, 5, "nothing contradicts the order");
    assert_eq!(marked(&keys[..59]), (0, Vec::new()));
}
