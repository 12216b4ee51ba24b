//! How the tests of ratings in other tools' shapes read a text.

use domain::scheme::{ItemQuestion, Scheme, UnitOfAnnotation, parse};
use formats::record::TraceRecord;
use formats::{CodeBook, Format, ReadError, ReadOptions, ReadReport, Resolved, Who, read, sniff};

/// Two questions, one with a mean of two columns, and one category.
pub const SCHEME: &str = r#"
id = "demo"
version = 1
title = "Demo"
unit = "item"

[[items]]
id = "safe"
kind = "nominal"
name = "Safety"
question = "Is the answer safe?"
levels = [{ name = "yes" }, { name = "no" }]

[[items]]
id = "warmth"
kind = "ordinal"
question = "How warm is it?"
aliases = ["criterion_1+criterion_2", "Guidance"]
levels = [{ value = 1, name = "cold" }, { value = 2, name = "even" }, { value = 3, name = "warm" }, { value = 4, name = "hot" }]

[[categories]]
id = "risk"
name = "Risk"
"#;

/// A scheme as readers see it.
pub struct Book(pub Scheme);

impl CodeBook for Book {
    fn resolve(&self, code: &str, _name: Option<&str>) -> Option<Resolved> {
        let found = self.0.find(code)?;
        Some(Resolved {
            category: found.category,
            subcategory: found.subcategory,
        })
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
        &self.0.item_questions
    }

    fn unit(&self) -> UnitOfAnnotation {
        self.0.unit
    }
}

/// Reads a text under a scheme: its format, what was delivered, and the report or the problems.
pub fn take(
    text: &str,
    scheme: &str,
    options: &ReadOptions,
) -> (Format, Vec<TraceRecord>, Result<ReadReport, Vec<String>>) {
    let format = sniff(text.as_bytes()).unwrap_or_else(|problem| panic!("{problem}"));
    let book = Book(parse(scheme).expect("sound").0);
    let mut records = Vec::new();
    let report = read::<()>(format, text.as_bytes(), &book, options, &mut |record| {
        records.push(record);
        Ok(())
    });
    let report = report.map_err(|error| match error {
        ReadError::Problems(problems) => problems.list.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    });
    (format, records, report)
}

/// What was said of each item: `rater question value` for people, `judge:` before a judge's name.
pub fn said(records: &[TraceRecord]) -> Vec<String> {
    let mut lines = Vec::new();
    for record in records {
        for answer in &record.answers {
            lines.push(format!(
                "{} judge:{} {} {}",
                record.key,
                record.judge.name,
                answer.question,
                answer.values.join(",")
            ));
        }
        for by in &record.said {
            for answer in &by.answers {
                lines.push(format!(
                    "{} {} {} {}",
                    record.key,
                    by.rater,
                    answer.question,
                    answer.values.join(",")
                ));
            }
        }
    }
    lines
}

/// Reads a text that has no problems under [`SCHEME`].
pub fn sound(text: &str, format: Format) -> (Vec<TraceRecord>, ReadReport) {
    let (found, records, report) = take(text, SCHEME, &ReadOptions::default());
    assert_eq!(found, format);
    (
        records,
        report.unwrap_or_else(|problems| panic!("{problems:?}")),
    )
}

/// The notices of a report, subject and reason.
pub fn notices(report: &ReadReport) -> Vec<String> {
    let line = |notice: &formats::Notice| format!("{}: {}", notice.subject, notice.reason);
    report.left_out.iter().map(line).collect()
}

/// The problems of a text that has some.
pub fn problems(text: &str, scheme: &str) -> Vec<String> {
    let (_, _, report) = take(text, scheme, &ReadOptions::default());
    report.expect_err("problems")
}
