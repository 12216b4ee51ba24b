//! Tables of ratings: which columns are raters, questions, texts, and none of these.

use crate::kit::{SCHEME, notices, problems, said, take};
use domain::scheme::builtin;
use formats::{Format, ReadOptions, ReadReport, record::TraceRecord, sniff};

/// One question, which ratings without a criterion are about.
const ONE: &str = "id = \"one\"\nversion = 1\ntitle = \"One\"\nunit = \"item\"\n[[items]]\nid = \"grade\"\nkind = \"ordinal\"\nquestion = \"?\"\nlevels = [{ value = 1, name = \"a\" }, { value = 2, name = \"b\" }, { value = 3, name = \"c\" }]\n";
/// A question that takes several values.
const MULTI: &str = "id = \"m\"\nversion = 1\ntitle = \"M\"\nunit = \"item\"\n[[items]]\nid = \"steps\"\nkind = \"multi\"\nquestion = \"?\"\nlevels = [{ name = \"asks\" }, { name = \"refers\" }]\n";

fn sound(text: &str, scheme: &str) -> (Vec<TraceRecord>, ReadReport) {
    let (format, records, report) = take(text, scheme, &ReadOptions::default());
    assert_eq!(format, Format::RatingsTable, "{text}");
    (
        records,
        report.unwrap_or_else(|problems| panic!("{text}: {problems:?}")),
    )
}

#[test]
fn figures_and_facts_beside_raters_are_no_raters() {
    for aside in [
        "gold",
        "gold_label",
        "label",
        "truth",
        "turn",
        "mean_score",
        "avg",
        "group",
        "model",
        "Reference Score",
    ] {
        let text = format!("id,{aside},Anna,Bob\na,1,1,2\nb,1,2,2\n");
        let (records, report) = sound(&text, ONE);
        assert_eq!(
            said(&records)[..2],
            ["a Anna grade 1", "a Bob grade 2"],
            "{aside}"
        );
        assert_eq!(said(&records).len(), 4, "{aside}");
        let said = notices(&report);
        assert_eq!(
            said[0],
            "Anna, Bob: by the names of columns taken for raters, one each"
        );
        if aside != "model" {
            assert_eq!(
                said[1],
                format!("{aside}: columns that are neither item, rater nor rating, and not read")
            );
        }
    }
}

#[test]
fn columns_that_are_called_as_questions_are_questions() {
    let (records, report) = sound("id,safe,warmth,tone\na,yes,2,9\nb,yes,3,9\n", SCHEME);
    assert_eq!(
        said(&records)[..2],
        ["a rater safe yes", "a rater warmth 2"]
    );
    assert!(notices(&report)[0].starts_with("rater: columns are questions and nobody is named"));
    assert!(notices(&report)[1].starts_with("tone: columns that are neither"));
    for names in ["safe_r1,safe_r2,warmth_r1", "r1_safe,r2_safe,r1_Guidance"] {
        let (records, _) = sound(&format!("id,{names}\na,yes,no,2\nb,yes,no,2\n"), SCHEME);
        assert_eq!(
            said(&records)[..3],
            ["a r1 safe yes", "a r1 warmth 2", "a r2 safe no"],
            "{names}"
        );
    }
}

#[test]
fn a_long_table_may_have_a_column_for_each_question() {
    let (records, _) = sound("item,rater,safe,warmth\na,ann,yes,2\na,ben,no,\n", SCHEME);
    assert_eq!(
        said(&records),
        ["a ann safe yes", "a ann warmth 2", "a ben safe no"]
    );
    let scored = SCHEME.replace("id = \"warmth\"", "id = \"score\"");
    let (records, _) = sound("item,rater,score\na,ann,2\n", &scored);
    assert_eq!(
        said(&records),
        ["a ann score 2"],
        "of two questions the one of this name"
    );
    let (records, _) = sound(
        "item,criterion,r1,r2\na,safe,yes,no\na,warmth,2,3\n",
        SCHEME,
    );
    assert_eq!(
        said(&records),
        [
            "a r1 safe yes",
            "a r1 warmth 2",
            "a r2 safe no",
            "a r2 warmth 3"
        ]
    );
}

#[test]
fn a_text_beside_the_ratings_is_the_items_text() {
    for name in ["text", "content", "model_response", "output", "trace"] {
        let (records, report) = sound(
            &format!("item,{name},prompt,rater,score\na,Hello.,Who?,ann,2\na,Hello.,,ben,3\n"),
            ONE,
        );
        assert_eq!(records[0].trace(), "Hello.", "{name}");
        assert_eq!(records[0].question, "Who?");
        assert!(notices(&report).is_empty(), "nothing is left out");
    }
    let (records, _) = sound(
        "id,text,Anna,Bob\na,\"He said \"\"no\"\", twice.\",1,2\nb,Bye.,2,2\n",
        ONE,
    );
    assert_eq!(records[0].trace(), "He said \"no\", twice.");
    assert_eq!(said(&records).len(), 4);
    let (records, _) = sound("text\tann1\tann2\nfoo bar\t3\t2\nhello\t2\t2\n", ONE);
    assert_eq!(
        records[0].trace(),
        "foo bar",
        "items that are called by their texts"
    );
    assert_eq!(
        problems(
            "item,text,rater,score\na,Hello.,ann,2\na,Good bye.,ben,3\n",
            ONE
        ),
        [
            "line 3, column B: found Good bye.; expected the same as in line 2, which has the same item"
        ]
    );
}

#[test]
fn small_numbers_are_a_scale_also_where_none_comes_twice() {
    let (records, _) = sound("id;Anna;Ben\n1;3;1\n2;;2\n", ONE);
    assert_eq!(
        said(&records),
        ["1 Anna grade 3", "1 Ben grade 1", "2 Ben grade 2"]
    );
    assert!(sniff(b"id,first,last\na,Ann,Lee\nb,Ben,Low\n").is_err());
    assert!(sniff(b"id,year,price\na,1999,12000\nb,2004,9000\n").is_err());
}

#[test]
fn mqm_is_known_without_a_document_id_and_by_other_names_of_a_segment() {
    let scheme = builtin("mindeval2-mqm").expect("compiled in");
    for names in [
        "system\tdoc\tseg_id\trater",
        "system\tdoc\tglobalSegId\trater",
        "system\tdoc\tdocSegId\trater",
    ] {
        let text =
            format!("{names}\tcategory\tseverity\nA\td\t0\tr0\tx\tMajor\nA\td\t0\tr1\tx\tMinor\n");
        let (records, _) = sound(&text, scheme);
        assert_eq!(
            said(&records),
            ["A/d/0 r0 severity 5", "A/d/0 r1 severity 1"],
            "{names}"
        );
    }
    let text = "doc\tsystem\tseg_id\trater\tseverity\tcategory\nd\tA\t0\tr0\tMajor\tx\n";
    assert_eq!(said(&sound(text, scheme).0), ["A/d/0 r0 severity 5"]);
}

#[test]
fn several_values_stand_in_one_cell_as_the_program_writes_them() {
    let (records, _) = sound("item,rater,score\na,ann,asks;refers\na,ben,refers\n", MULTI);
    assert_eq!(
        said(&records),
        ["a ann steps asks,refers", "a ben steps refers"]
    );
    assert_eq!(
        problems("item,rater,score\na,ann,asks;leaves\n", MULTI),
        ["line 2, column C, ann: found leaves; expected any of asks, refers"]
    );
    let own = "unit_id,unit_kind,item_id,source_key,rater,question,value\nu,item,x,a,ann,steps,asks;refers\nu,item,x,a,ben,steps,\n";
    assert_eq!(
        said(&sound(own, MULTI).0),
        ["u ann steps asks,refers", "u ben steps "],
        "nothing chosen is an answer"
    );
}

#[test]
fn rows_of_nothing_below_a_table_are_no_ratings() {
    let (records, _) = sound("item,rater,score\na,ann,2\n\n  \na,ben,3\n,,\n,\n", ONE);
    assert_eq!(said(&records), ["a ann grade 2", "a ben grade 3"]);
}

#[test]
fn a_comma_in_a_decimal_is_told_apart_from_other_words() {
    assert_eq!(
        problems("item;rater;score\na;ann;2,5\na;ben;much\n", ONE),
        [
            "line 2, column C, ann: found 2,5; expected one of 1, 2, 3, and a point in decimals instead of a comma",
            "line 3, column C, ben: found much; expected one of 1, 2, 3",
        ]
    );
}
