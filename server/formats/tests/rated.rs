//! Files of ratings in the shapes that other tools and data sets write them in.

#[path = "shapes/kit.rs"]
#[expect(dead_code, reason = "the other tests of ratings use more of it")]
mod kit;

use formats::{Format, ReadOptions, ZeroRule, draft, sniff};
use kit::{SCHEME, said, sound, take};

#[test]
fn a_long_table_gives_a_record_an_item_and_tells_judges_from_people() {
    let text = "item,rater,criterion,score\na,ann,Safety,Yes\na,ben,Safety,no\na,gpt-4o,Safety,yes\na,ann,warmth,3.0\nb,ann,tone,5\n";
    let (records, report) = sound(text, Format::RatingsTable);
    assert_eq!(
        said(&records),
        [
            "a judge:gpt-4o safe yes",
            "a ann safe yes",
            "a ann warmth 3",
            "a ben safe no",
        ]
    );
    assert_eq!(
        records.len(),
        2,
        "an item of which only unknown things are said is an item all the same"
    );
    assert_eq!(
        report.left_out[1].reason,
        "1 value of a criterion that the scheme does not ask about"
    );
}

#[test]
fn judges_can_be_named() {
    let options = ReadOptions {
        judges: Some(vec!["ben".into()]),
        ..ReadOptions::default()
    };
    let text = "item,rater,criterion,score\na,gpt-4o,Safety,yes\na,ben,Safety,no\n";
    let (_, records, _) = take(text, SCHEME, &options);
    assert_eq!(said(&records), ["a judge:ben safe no", "a gpt-4o safe yes"]);
}

#[test]
fn a_value_off_the_scale_and_a_second_one_are_problems_with_their_lines() {
    let text = "item,rater,criterion,score\na,ann,Safety,perhaps\na,ben,warmth,7\na,eve,warmth,2\na,eve,warmth,3\n";
    let (_, _, report) = take(text, SCHEME, &ReadOptions::default());
    assert_eq!(
        report.expect_err("problems"),
        [
            "line 2, column D, Safety of ann: found perhaps; expected one of yes, no",
            "line 3, column D, warmth of ben: found 7; expected one of 1, 2, 3, 4, or a mean between them",
            "line 5, column D, warmth of eve: found 3; expected one value of a criterion by each rater",
        ]
    );
}

#[test]
fn ratings_that_the_scheme_does_not_ask_for_are_refused_as_a_whole() {
    let (_, _, report) = take(
        "item,rater,score\na,ann,1\n",
        SCHEME,
        &ReadOptions::default(),
    );
    assert_eq!(
        report.expect_err("which question?"),
        [
            "line 2: found ratings of one criterion without a name; expected a question of the scheme (safe, warmth)",
        ]
    );
}

#[test]
fn a_scheme_drawn_from_a_table_takes_the_table() {
    for text in [
        "item,rater,criterion,score\na,ann,Empathy,1\na,ben,Empathy,5\nb,ann,Tone,good\n",
        "id,rater_1,rater_2\nx,3,4\ny,4,\n",
        "first,Low,High\nLow,2,1\nHigh,0,1\n",
        "key,judge_classification,annotator_1_classification\na,Yes,yes\nb,no,Yes\n",
    ] {
        let scheme = draft(text.as_bytes(), "drawn", &[])
            .expect("in memory")
            .expect("a table")
            .text;
        assert!(
            domain::scheme::parse(&scheme).is_ok(),
            "{scheme}: {:?}",
            domain::scheme::parse(&scheme)
        );
        let (format, records, report) = take(text, &scheme, &ReadOptions::default());
        assert_eq!(format, Format::RatingsTable);
        let report = report.unwrap_or_else(|problems| panic!("{problems:?}"));
        assert!(
            report
                .left_out
                .iter()
                .all(|notice| notice.reason.contains("taken for"))
                && !said(&records).is_empty(),
            "{text}"
        );
    }
}

#[test]
fn columns_of_raters_by_any_name_are_known_by_their_values() {
    for text in [
        "item,R1,R2\na,yes,no\nb,yes,\n",
        "id;anna;bob\na;yes;no\nb;yes;\n",
        "unit\tR1\tR2\na\t\"yes\"\tno\nb\tyes\t\n",
    ] {
        let scheme = draft(text.as_bytes(), "drawn", &[])
            .expect("in memory")
            .expect("a table")
            .text;
        let (format, records, report) = take(text, &scheme, &ReadOptions::default());
        assert_eq!(format, Format::RatingsTable);
        report.unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(said(&records).len(), 3, "{text}");
    }
    let long = "x".repeat(25);
    for other in [
        // An item twice, no value twice, long values, a first column of another name, one column, a row that is short.
        "item,R1,R2\na,yes,no\na,yes,no\n",
        "item,first,last\na,Ann,Lee\nb,Ben,Low\n",
        &format!("item,R1,R2\na,{long},{long}\nb,yes,no\n"),
        "person,R1,R2\na,yes,no\nb,yes,no\n",
        "item,R1\na,yes\nb,yes\n",
        "item,R1,R2\na,yes\nb,yes,yes\n",
    ] {
        assert!(sniff(other.as_bytes()).is_err(), "{other}");
    }
    let many: Vec<String> = (0..21).map(|at| format!("i{at},{at},{at}")).collect();
    let many = format!("item,R1,R2\n{}\n", many.join("\n"));
    assert!(sniff(many.as_bytes()).is_err());
    // The beginning of a longer file ends within a row.
    assert_eq!(
        sniff(b"item,R1,R2\na,yes,no\nb,yes,no\nc,y"),
        Ok(Format::RatingsTable)
    );
}

#[test]
fn a_table_of_counts_has_an_item_for_every_count() {
    let scheme = draft("a,Low,High\nLow,2,1\nHigh,0,1\n".as_bytes(), "drawn", &[])
        .expect("in memory")
        .expect("a table")
        .text;
    let (_, records, _) = take(
        "a,Low,High\nLow,2,1\nHigh,0,1\n",
        &scheme,
        &ReadOptions::default(),
    );
    assert_eq!(
        said(&records)[..4],
        [
            "Low-Low-1 a rating_1 Low",
            "Low-Low-1 columns rating_1 Low",
            "Low-Low-2 a rating_1 Low",
            "Low-Low-2 columns rating_1 Low",
        ]
    );
    assert_eq!(records.len(), 4);
}

#[test]
fn judge_validation_folds_case_and_passes_over_blanks() {
    let scheme = "id = \"v\"\nversion = 1\ntitle = \"V\"\nunit = \"item\"\n[[items]]\nid = \"good\"\nkind = \"nominal\"\nquestion = \"?\"\nlevels = [{ name = \"yes\" }, { name = \"no\" }]\n";
    let text = "key,condition,model_response,demo_classification,annotator_1_classification,annotator_2_classification\n\
                7_jump,mania,\"Try a park.\",yes,Yes,no\n8_jump,mania,\"Stay inside.\", NO ,,\n";
    let (format, records, report) = take(text, scheme, &ReadOptions::default());
    assert_eq!(
        (format, report.expect("sound").records),
        (Format::RatingsTable, 2)
    );
    assert_eq!(
        said(&records),
        [
            "7_jump judge:demo good yes",
            "7_jump annotator_1 good yes",
            "7_jump annotator_2 good no",
            "8_jump judge:demo good no",
        ]
    );
    assert_eq!(records[0].trace(), "Try a park.");
}

#[test]
fn a_judges_answers_in_a_cell_are_read_with_or_without_a_fence() {
    let text = "id,response,judge_response_one,judge_response_two\n1,Hello.,\"```json\n{\"\"Guidance\"\": 4, \"\"Explanation\"\": \"\"x\"\"}\n```\",none\n";
    let (_, _, report) = take(text, SCHEME, &ReadOptions::default());
    assert_eq!(
        report.expect_err("the second cell"),
        [
            "line 2, column D, judge_response_two: found none; expected a JSON object with the judge's scores",
        ]
    );
    let (_, records, _) = take(&text.replace(",none", ","), SCHEME, &ReadOptions::default());
    assert_eq!(said(&records), ["1 judge:one warmth 4"]);
}

#[test]
fn an_mqm_table_gives_the_worst_severity_of_each_rater() {
    let scheme = domain::scheme::builtin("mindeval2-mqm").expect("compiled in");
    let text = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n\
                s\td\t1\t7\tr1\tin \"quotes\"\ta <v>bad</v> word\tStyle\tMinor\t\n\
                s\td\t1\t7\tr1\tin\ta bad <v>word</v>\tAccuracy\tMajor\t\n\
                s\td\t1\t7\tr2\tin\ta bad word\tno-error\tNo-error\t\n";
    let (format, records, report) = take(text, scheme, &ReadOptions::default());
    assert_eq!(format, Format::RatingsTable);
    report.unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(
        said(&records),
        ["s/d/7 r1 severity 5", "s/d/7 r2 severity 0"]
    );
    assert_eq!(records[0].trace(), "a bad word");
}

#[test]
fn a_judge_bench_document_gives_people_slots() {
    let text = "{\"dataset\": \"demo\", \"annotations\": [{\"metric\": \"warmth\"}],\n \"instances\": [\n  {\"id\": 0, \"instance\": \"Hi.\", \"annotations\": {\"warmth\": {\"mean_human\": 3.5, \"individual_human_scores\": [3, 4]}}},\n  {\"id\": 1, \"instance\": \"Ho.\", \"annotations\": {\"warmth\": {\"individual_human_scores\": [9, null]}}}]}";
    let (format, _, report) = take(text, SCHEME, &ReadOptions::default());
    assert_eq!(format, Format::JudgeBenchJson);
    assert_eq!(
        report.expect_err("9"),
        ["line 4, warmth of human 1: found 9; expected one of 1, 2, 3, 4, or a mean between them"]
    );
    let (records, _) = sound(&text.replace("[9,", "[1,"), Format::JudgeBenchJson);
    assert_eq!(
        said(&records),
        [
            "0 human 1 warmth 3",
            "0 human 2 warmth 4",
            "1 human 1 warmth 1"
        ]
    );
}

#[test]
fn an_alt_test_gives_every_rater_their_items() {
    let scheme = "id = \"v\"\nversion = 1\ntitle = \"V\"\nunit = \"item\"\n[[items]]\nid = \"good\"\nkind = \"nominal\"\nquestion = \"?\"\nlevels = [{ name = \"yes\" }, { name = \"no\" }]\n";
    let text = "{\"r1\": {\"i1\": \"yes\", \"i2\": \"no\"},\n \"r2\": {\"i1\": \"yes\"}, \"llm\": {\"i1\": \"no\"}}";
    let (format, records, report) = take(text, scheme, &ReadOptions::default());
    assert_eq!(
        (format, report.expect("sound").records),
        (Format::AltTestJson, 2)
    );
    assert_eq!(
        said(&records),
        [
            "i1 judge:llm good no",
            "i1 r1 good yes",
            "i1 r2 good yes",
            "i2 r1 good no"
        ]
    );
}

#[test]
fn argilla_takes_submitted_answers_and_says_what_it_does_with_zeros() {
    let record = |id: &str, second: &str| {
        format!(
            "{{\"id\":\"{id}\",\"model\":\"demo\",\"messages\":[{{\"role\":\"user\",\"content\":\"Hello\"}},{{\"role\":\"assistant\",\"content\":\"Hi\"}}],\"criterion_1.responses\":[3,1,4],\"criterion_1.responses.users\":[\"a\",\"b\",\"c\"],\"criterion_1.responses.status\":[\"submitted\",\"submitted\",\"draft\"],\"criterion_2.responses\":{second},\"criterion_2.responses.users\":[\"a\",\"b\",\"c\"],\"criterion_2.responses.status\":[\"submitted\",\"submitted\",\"submitted\"]}}\n"
        )
    };
    let (records, report) = sound(&record("u1", "[4,0,1]"), Format::ArgillaJsonl);
    assert_eq!(
        said(&records),
        ["u1 a warmth 3.5"],
        "b has no second score, and c only drafted the first"
    );
    assert_eq!(
        report.left_out[0].reason,
        "values of 0, below the scale, taken as missing"
    );
    let options = ReadOptions {
        zeros: ZeroRule::Keep,
        ..ReadOptions::default()
    };
    let (_, records, _) = take(&record("u1", "[4,0,1]"), SCHEME, &options);
    assert_eq!(said(&records), ["u1 a warmth 3.5", "u1 b warmth 0.5"]);
    let labels: Vec<_> = records[0]
        .segments
        .iter()
        .map(|part| part.label.clone().unwrap_or_default())
        .collect();
    assert_eq!(labels, ["Member", "Counsellor"]);
    let (_, _, report) = take(&record("u1", "[4]"), SCHEME, &ReadOptions::default());
    assert_eq!(
        report.expect_err("lengths"),
        [
            "line 1, criterion_2.responses: found 1 value of 3 people; expected one value of each person"
        ]
    );
}

#[test]
fn the_last_five_of_sixty_published_conversations_are_the_judges_examples() {
    let line = |n: usize| {
        format!(
            "{{\"id\":\"c{n}\",\"conversation\":\"Hi\",\"criterion_1.responses\":[2],\"criterion_1.responses.users\":[\"a\"],\"criterion_2.responses\":[2],\"criterion_2.responses.users\":[\"a\"]}}\n"
        )
    };
    let of = |count: usize| {
        let text: String = (1..=count).map(line).collect();
        let (records, _) = sound(&text, Format::ArgillaJsonl);
        records
            .iter()
            .filter(|record| record.extra.contains_key("in_judge_few_shot"))
            .map(|record| record.key.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(60), ["c56", "c57", "c58", "c59", "c60"]);
    assert!(of(12).is_empty());
}

#[test]
fn clinicians_severities_are_of_replies_and_speak_the_other_tools_words() {
    let scheme = domain::scheme::builtin("mindeval2-mqm").expect("compiled in");
    let text = "{\"metadata\": {},\n\"items\": [\n{\"item_id\":\"x\",\"conversation_id\":\"c9\",\"turns\":[{\"turn\":1,\"counsellor\":\"Go on.\",\"member\":\"well\"},{\"turn\":2,\"counsellor\":\"I see.\",\"member\":\"\"}],\n\"ratings\":[{\"annotator\":\"A1\",\"turn\":2,\"rating\":4,\"counsellor_severity\":\"minor\",\"counsellor_issues\":[\"under_guiding\",\"other_hallucination\"]},{\"annotator\":\"A2\",\"turn\":2,\"counsellor_severity\":\"no_concern\",\"counsellor_issues\":[]}]}]}";
    let (format, records, report) = take(text, scheme, &ReadOptions::default());
    assert_eq!(format, Format::MindevalHumanJson);
    report.unwrap_or_else(|problems| panic!("{problems:?}"));
    assert_eq!(
        said(&records),
        [
            "x/t2 A1 severity 1",
            "x/t2 A1 issues under_guiding,other",
            "x/t2 A2 severity 0",
            "x/t2 A2 issues "
        ]
    );
    assert_eq!(records[0].vignette, "Counsellor: Go on.\n\nMember: well");
    let broken = text
        .replace("\"turn\":2,\"rating\":4", "\"turn\":7,\"rating\":4")
        .replace("no_concern", "awful");
    let (_, _, report) = take(&broken, scheme, &ReadOptions::default());
    assert_eq!(
        report.expect_err("two problems"),
        [
            "line 4, items[0].ratings[0].turn: found 7; expected a turn of this item",
            "line 4, counsellor_severity of A2: found awful; expected one of 0, 1, 5, 10",
        ]
    );
}

#[test]
fn label_studio_tasks_bring_choices_and_spans() {
    let text = "[\n{\"id\": 5, \"data\": {\"text\": \"She may be dangerous.\", \"model\": \"m\"}, \"annotations\": [\n {\"completed_by\": {\"email\": \"ann@example.org\"}, \"result\": [{\"from_name\": \"safe\", \"type\": \"choices\", \"value\": {\"choices\": [\"no\"]}}, {\"from_name\": \"tag\", \"type\": \"labels\", \"value\": {\"start\": 4, \"end\": 20, \"labels\": [\"risk\", \"unknown\"]}}]},\n {\"completed_by\": 2, \"was_cancelled\": true, \"result\": [{\"from_name\": \"safe\", \"value\": {\"choices\": [\"yes\"]}}]},\n {\"completed_by\": 3, \"result\": [{\"from_name\": \"warmth\", \"value\": {\"rating\": 2}}]}]}]";
    let (records, report) = sound(text, Format::LabelStudioJson);
    assert_eq!(said(&records), ["5 ann safe no", "5 user 3 warmth 2"]);
    let tag = &records[0].said[0].missed[0];
    assert_eq!(
        (
            tag.code.as_str(),
            tag.span.as_ref().map(|(_, words)| words.as_str())
        ),
        ("risk", Some("may be dangerous"))
    );
    assert_eq!(
        report.left_out[0].reason,
        "a span whose label is no category of the scheme"
    );
}

#[test]
fn potato_lines_bring_labels_by_schema() {
    let text = "{\"id\": 3, \"displayed_text\": \"Hello there.\", \"user\": \"ann\", \"label_annotations\": {\"safe\": {\"yes\": true, \"no\": false}, \"warmth\": {\"2\": \"2\"}}, \"span_annotations\": [{\"start\": 0, \"end\": 5, \"annotation\": \"risk\"}]}\n{\"id\": 3, \"displayed_text\": \"Hello there.\", \"user\": \"ben\", \"label_annotations\": {\"safe\": {\"no\": \"1\"}}}\n";
    let (records, _) = sound(text, Format::PotatoJsonl);
    assert_eq!(
        said(&records),
        ["3 ann safe yes", "3 ann warmth 2", "3 ben safe no"]
    );
    assert_eq!(
        records[0].said[0].missed[0]
            .span
            .as_ref()
            .map(|(_, words)| words.as_str()),
        Some("Hello")
    );
}

#[test]
fn a_webanno_file_is_of_the_one_rater_who_is_named() {
    let text =
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n#Text=may be\n1-1\t0-3\tmay\trisk\t\n";
    let by = |names: &[&str]| {
        let options = ReadOptions {
            raters: Some(names.iter().map(ToString::to_string).collect()),
            ..ReadOptions::default()
        };
        let (_, records, report) = take(text, SCHEME, &options);
        report.map(|_| records[0].said[0].rater.clone())
    };
    assert_eq!(by(&["bob"]), Ok("bob".to_owned()));
    assert_eq!(by(&["somebody"]), Ok("somebody".to_owned()));
    assert!(by(&["bob", "eve"]).is_err(), "whose of the two is it?");
}

#[test]
fn webanno_spans_run_over_tokens_and_count_utf_16() {
    let text = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n#Text=🙂 may be dangerous\n1-1\t0-2\t🙂\t_\t\n1-2\t3-6\tmay\trisk[1]\t\n1-3\t7-9\tbe\trisk[1]\t\n1-4\t10-19\tdangerous\trisk\t\n";
    let (records, _) = sound(text, Format::WebannoTsv);
    let words: Vec<&str> = records[0].said[0]
        .missed
        .iter()
        .filter_map(|tag| tag.span.as_ref())
        .map(|(_, words)| words.as_str())
        .collect();
    assert_eq!(words, ["may be", "dangerous"]);
    let (_, _, report) = take(
        &text.replace("3-6", "three"),
        SCHEME,
        &ReadOptions::default(),
    );
    assert_eq!(
        report.expect_err("offsets"),
        ["line 6, offsets: found three; expected the token's offsets, such as 0-4"]
    );
}
