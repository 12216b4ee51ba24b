//! Big files: every line is looked at, nothing is held that need not be, and errors end the reading in good order.

mod common;

use std::{
    convert::Infallible,
    fmt::Write as _,
    io::{self, BufReader, Read},
};

use formats::{Format, MOST_PROBLEMS, ReadError, ReadOptions, read, validate};

use common::Book;

fn traces(count: usize) -> String {
    (1..=count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, r#"{{"key":"i{number}","trace":"I worry.","candidates":[{{"category":"4.1","severity":3,"evidence":"I worry"}}]}}"#);
        text
    })
}

fn options() -> ReadOptions {
    ReadOptions::default()
}

#[test]
fn one_error_at_the_end_of_a_hundred_thousand_lines_is_found() {
    let text = traces(99_999)
        + r#"{"key":"last","trace":"I worry.","candidates":[{"category":"4.1","severity":6,"evidence":"I worry"}]}"#;
    let Err(ReadError::Problems(problems)) =
        validate(Format::ConsiliumJsonl, text.as_bytes(), &Book, &options())
    else {
        panic!("a severity of 6 was accepted");
    };
    assert_eq!(problems.count(), 1);
    assert_eq!(
        problems.list[0].to_string(),
        "line 100000, candidates[0].severity: found 6; expected 1 to 5 in halves"
    );
}

#[test]
fn problems_are_listed_up_to_the_limit_and_counted_beyond() {
    let text = traces(1000).replace("\"severity\":3", "\"severity\":9");
    let Err(ReadError::Problems(problems)) =
        validate(Format::ConsiliumJsonl, text.as_bytes(), &Book, &options())
    else {
        panic!("a severity of 9 was accepted");
    };
    assert_eq!(
        (problems.list.len(), problems.count()),
        (MOST_PROBLEMS, 1000)
    );
}

/// A file whose middle line is far longer than a line may be.
fn with_a_long_line(before: &'static [u8], after: &'static [u8]) -> impl io::BufRead {
    let long = io::repeat(b'x').take(40 << 20);
    BufReader::with_capacity(1 << 16, before.chain(long).chain(after))
}

#[test]
fn an_overlong_line_is_one_problem_and_reading_goes_on() {
    let jsonl = with_a_long_line(b"{\"key\":\"a\",\"trace\":\"", b"\"}\n{\"key\":\"b\"}\n");
    let csv = with_a_long_line(
        b"tag_item_id,example_id,tag_code,tag_evidence,reasoning,vignette,question\na,\"",
        b"\"\nb\n",
    );
    for (format, input, second) in [
        (
            Format::ConsiliumJsonl,
            Box::new(jsonl) as Box<dyn io::BufRead>,
            "line 2, trace: found nothing; expected the text of the trace",
        ),
        (
            Format::DualAnnotationCsv,
            Box::new(csv),
            "line 3: found 1 cell; expected 7 cells, as in the first line",
        ),
    ] {
        let Err(ReadError::Problems(problems)) = validate(format, input, &Book, &options()) else {
            panic!("{format} was accepted")
        };
        let found: Vec<String> = problems.list.iter().map(ToString::to_string).collect();
        let line = if format == Format::ConsiliumJsonl {
            1
        } else {
            2
        };
        assert_eq!(
            found,
            [
                format!(
                    "line {line}: found more than 16 MiB without an end; expected lines of at most 16 MiB"
                ),
                second.to_owned()
            ]
        );
    }
}

#[test]
fn a_sink_that_refuses_ends_the_reading() {
    let mut kept = 0;
    let end = read(
        Format::ConsiliumJsonl,
        traces(10).as_bytes(),
        &Book,
        &options(),
        &mut |record| {
            kept += 1;
            if record.key == "i3" {
                Err("full")
            } else {
                Ok(())
            }
        },
    );
    assert!(matches!(end, Err(ReadError::Sink("full"))));
    assert_eq!(kept, 3);
}

#[test]
fn an_input_that_fails_is_not_taken_for_the_end() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    let text = traces(2);
    let input = BufReader::new(text.as_bytes().chain(Broken));
    let end = read::<Infallible>(
        Format::ConsiliumJsonl,
        input,
        &Book,
        &options(),
        &mut |_| Ok(()),
    );
    assert!(matches!(end, Err(ReadError::Io(error)) if error.to_string() == "gone"));
}
