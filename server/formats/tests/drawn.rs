//! Schemes drawn from tables whose columns are not all ratings, and tables with words for no value.

use domain::scheme::{ItemQuestion, QuestionKind, parse};
use formats::record::TraceRecord;
use formats::{
    CodeBook, Drawn, Format, ReadError, ReadOptions, ReadReport, Resolved, Who, draft, read,
};
use std::convert::Infallible;

struct Book(Vec<ItemQuestion>);

impl CodeBook for Book {
    fn resolve(&self, _code: &str, _name: Option<&str>) -> Option<Resolved> {
        None
    }

    fn severity_ok(&self, _value: f64, _who: Who) -> bool {
        false
    }

    fn severity_expected(&self, _who: Who) -> String {
        String::new()
    }

    fn codes_expected(&self) -> String {
        String::new()
    }

    fn questions(&self) -> &[ItemQuestion] {
        &self.0
    }
}

fn drawn(text: &str, named: &[&str]) -> Drawn {
    let named: Vec<String> = named.iter().map(ToString::to_string).collect();
    draft(text.as_bytes(), "drawn", &named)
        .expect("in memory")
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// The questions of a drawn scheme: name, kind, values of the levels or their words.
fn questions(scheme: &str) -> Vec<(String, QuestionKind, Vec<String>)> {
    let scheme = parse(scheme)
        .unwrap_or_else(|error| panic!("{error}: {scheme}"))
        .0;
    let one = |question: &ItemQuestion| {
        let words = question.levels.iter().map(|level| question.word(level));
        (question.title().to_owned(), question.kind, words.collect())
    };
    scheme.item_questions.iter().map(one).collect()
}

fn take(
    text: &str,
    scheme: &str,
    raters: Option<&[&str]>,
) -> Result<(Vec<TraceRecord>, ReadReport), Vec<String>> {
    let book = Book(parse(scheme).expect("sound").0.item_questions);
    let options = ReadOptions {
        raters: raters.map(|names| names.iter().map(ToString::to_string).collect()),
        ..ReadOptions::default()
    };
    let mut records = Vec::new();
    let report = read::<Infallible>(
        Format::RatingsTable,
        text.as_bytes(),
        &book,
        &options,
        &mut |record| {
            records.push(record);
            Ok(())
        },
    );
    match report {
        Ok(report) => Ok((records, report)),
        Err(ReadError::Problems(problems)) => {
            Err(problems.list.iter().map(ToString::to_string).collect())
        }
        Err(other) => panic!("{other:?}"),
    }
}

const WIDE: &str = "item,model,length,R1,R2,remark\n\
    a,m-one,0.73125,1,2,She answers in full and names whom to call tonight\n\
    b,m-two,0.11375,3,NA,Too short to say anything of it at all or to help\n\
    c,m-one,0.55512,2,-,It would do no harm but leaves out what matters most\n";

#[test]
fn columns_that_are_no_ratings_make_no_levels_and_are_named() {
    let drawn = drawn(WIDE, &[]);
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        questions(&drawn.text),
        [(
            "Rating".to_owned(),
            QuestionKind::Ordinal,
            words(&["1", "2", "3"])
        )]
    );
    assert_eq!(
        drawn.taken[..3],
        [
            "taken for ratings: R1, R2",
            "taken for facts and left out: length",
            "taken for text and left out: remark"
        ]
    );
    assert!(
        drawn.taken[4].contains("--raters R1,R2"),
        "{:?}",
        drawn.taken
    );
    // Said so on import, the other columns are nobody's ratings, the one called `model` included.
    let (records, report) = take(WIDE, &drawn.text, Some(&["R1", "R2"])).expect("sound");
    let said: Vec<usize> = records.iter().map(|record| record.said.len()).collect();
    assert_eq!((records.len(), said), (3, vec![2, 1, 1]));
    assert!(
        report.left_out.iter().any(|notice| notice.subject == "2 values"
            && notice.reason.contains("read as missing")),
        "{:?}",
        report.left_out
    );
}

#[test]
fn whoever_names_the_rating_columns_is_believed() {
    let drawn = drawn(WIDE, &["R1"]);
    assert_eq!(drawn.taken[0], "taken for ratings: R1");
    let unknown = draft(WIDE.as_bytes(), "drawn", &["R7".to_owned()]).expect("in memory");
    let told = unknown.expect_err("no such column").list[0].to_string();
    assert!(told.contains("R7") && told.contains("R1, R2"), "{told}");
    let none = draft(
        "item,rater,criterion,score\na,ann,time,0.123\nb,ann,time,0.456\n".as_bytes(),
        "drawn",
        &[],
    );
    let told = none.expect("in memory").expect_err("no scale").list[0].to_string();
    assert!(told.contains("--ratings"), "{told}");
}

#[test]
fn halves_are_levels_and_finer_averages_are_facts() {
    let cell = |guidance: f64, overall: f64| {
        format!(
            "\"{{\"\"Guidance\"\": {guidance}, \"\"Overall\"\": {overall}, \"\"Explanation\"\": \"\"It reads well enough, and it says what to do next.\"\"}}\""
        )
    };
    let text = format!(
        "id,response,judge_response_one\n1,Hello.,{}\n2,Ho.,{}\n3,Hi.,NaN\n",
        cell(4.0, 4.4),
        cell(3.5, 3.25)
    );
    let drawn = drawn(&text, &[]);
    assert_eq!(
        drawn.taken[..3],
        [
            "taken for ratings: Guidance",
            "taken for facts and left out: Overall",
            "taken for text and left out: Explanation"
        ]
    );
    assert_eq!(questions(&drawn.text)[0].2, ["3.5", "4"]);
    let (records, _) = take(&text, &drawn.text, None).expect("the average does not stop the file");
    let given: Vec<usize> = records.iter().map(|record| record.answers.len()).collect();
    assert_eq!(given, [1, 1, 0], "NaN is no answer");
    let whole = "id = \"w\"\nversion = 1\ntitle = \"W\"\nunit = \"item\"\n[[items]]\nid = \"Guidance\"\nkind = \"ordinal\"\nquestion = \"?\"\nlevels = [{ value = 3, name = \"a\" }, { value = 4, name = \"b\" }]\n";
    assert_eq!(
        take(&text, whole, None).expect_err("3.5 lies between"),
        [
            "line 3, column C, Guidance of one: found 3.5; expected one of 3, 4; a scheme with this value among the levels of \
          Guidance takes it, one that does not ask Guidance leaves it out"
        ]
    );
}

#[test]
fn words_for_no_value_are_missing_and_every_other_problem_is_told_at_once() {
    let scheme = "id = \"s\"\nversion = 1\ntitle = \"S\"\nunit = \"item\"\n[[items]]\nid = \"score\"\nkind = \"ordinal\"\nquestion = \"?\"\nlevels = [{ value = 1, name = \"a\" }, { value = 2, name = \"b\" }]\n";
    let rows: Vec<String> = ["NA", "N/A", "n/a", "NaN", "null", ".", "-", "", "1"]
        .iter()
        .enumerate()
        .map(|(at, word)| format!("i{at},{word},2\n"))
        .collect();
    let text = format!("item,rater_1,rater_2\n{}", rows.concat());
    let (records, _) = take(&text, scheme, None).expect("sound");
    let ratings: usize = records.iter().map(|record| record.said.len()).sum();
    assert_eq!(
        (records.len(), ratings),
        (9, 10),
        "nine of the second rater, one of the first"
    );
    assert_eq!(
        take("item,rater_1,rater_2\na,7,NA\nb,x,2\nc,1,9\n", scheme, None).expect_err("three"),
        [
            "line 2, column B, rater_1: found 7; expected one of 1, 2",
            "line 3, column B, rater_1: found x; expected one of 1, 2",
            "line 4, column C, rater_2: found 9; expected one of 1, 2",
        ]
    );
    let own = scheme
        .replace("kind = \"ordinal\"", "kind = \"nominal\"")
        .replace("{ value = 1, name = \"a\" }", "{ name = \"1\" }")
        .replace("{ value = 2, name = \"b\" }", "{ name = \"N/A\" }");
    let (records, _) = take("item,rater_1,rater_2\na,N/A,1\n", &own, None).expect("sound");
    assert_eq!(
        records[0].said.len(),
        2,
        "where the scheme has the word it is an answer"
    );
}
