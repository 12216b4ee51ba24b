//! Means between the levels of a question, as the exports of a study with such ratings hold them.

use crate::kit::{problems, said, take};
use domain::scheme::builtin;
use formats::{ReadOptions, ZeroRule};

/// One answer of 3.5 in each shape that an export has it in.
fn exports(value: &str) -> [String; 3] {
    [
        format!(
            "{{\"key\":\"c1\",\"trace\":\"Hi\",\"judge\":{{\"name\":\"j\"}},\"answers\":{{\"clinical_accuracy\":{value}}},\"ratings\":[{{\"rater\":\"ann\",\"answers\":{{\"clinical_accuracy\":{value}}}}}]}}\n"
        ),
        format!(
            "unit_id,unit_kind,item_id,source_key,rater,question,value\nc1,item,x,c1,ann,clinical_accuracy,{value}\n"
        ),
        format!(
            "{{\"dataset\":\"s\",\"annotations\":[{{\"metric\":\"clinical_accuracy\"}}],\"instances\":[{{\"id\":\"c1\",\"instance\":\"Hi\",\"annotations\":{{\"clinical_accuracy\":{{\"individual_human_scores\":[{value}]}}}}}}]}}"
        ),
    ]
}

#[test]
fn a_mean_that_an_export_holds_is_read_again() {
    let rubric = builtin("mindeval1-rubric").expect("compiled in");
    for text in exports("3.5") {
        let (_, records, report) = take(&text, rubric, &ReadOptions::default());
        report.unwrap_or_else(|problems| panic!("{problems:?}"));
        let said = said(&records);
        assert!(
            !said.is_empty()
                && said
                    .iter()
                    .all(|line| line.ends_with("clinical_accuracy 3.5")),
            "{said:?}"
        );
    }
    for text in exports("6.5").iter().chain(&exports("0.5")) {
        assert!(
            problems(text, rubric)[0]
                .ends_with("expected one of 1, 2, 3, 4, 5, 6, or a mean between them"),
            "{text}"
        );
    }
}

#[test]
fn what_a_kept_zero_made_of_a_mean_is_read_again_with_zeros_kept() {
    let rubric = builtin("mindeval1-rubric").expect("compiled in");
    let keep = ReadOptions {
        zeros: ZeroRule::Keep,
        ..ReadOptions::default()
    };
    for text in exports("0.5").iter().chain(&exports("0")) {
        let (_, _, report) = take(text, rubric, &keep);
        assert!(report.is_ok(), "{report:?}");
    }
    for text in exports("-0.5") {
        let (_, _, report) = take(&text, rubric, &keep);
        assert!(report.is_err(), "{text}");
    }
}

#[test]
fn numbers_between_levels_are_refused_where_the_scheme_has_no_means() {
    let plain = builtin("mindeval1-rubric")
        .expect("compiled in")
        .replace("means = true\n", "")
        .replace("criterion_1+criterion_2", "criterion_1");
    for text in exports("3.5") {
        assert_eq!(
            problems(&text, &plain).len(),
            if text.contains("\"key\"") { 2 } else { 1 }
        );
    }
}
