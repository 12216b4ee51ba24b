//! Answers to the scheme's questions about an item, as files write them.

use domain::annotation::{NO_POINTS, shortest};
use domain::relation;
use domain::scheme::{ItemQuestion, QuestionKind};
use serde_json::{Map, Value};

use crate::{
    CodeBook, Problem, ZeroRule,
    json::{Fields, describe},
    problem::excerpt,
    read::Reading,
    record::AnswerRecord,
};

/// The question that a file means by `name`.
pub(crate) fn question<'b>(book: &'b dyn CodeBook, name: &str) -> Option<&'b ItemQuestion> {
    let asked = book.questions();
    asked
        .iter()
        .find(|question| question.id == name.trim())
        .or_else(|| asked.iter().find(|question| question.is_called(name)))
}

/// The questions of the scheme, in words for a message.
pub(crate) fn expected_questions(book: &dyn CodeBook) -> String {
    let names: Vec<&str> = book
        .questions()
        .iter()
        .map(|question| question.id.as_str())
        .collect();
    match names.as_slice() {
        [] => "no answers: the scheme asks nothing about the item".to_owned(),
        names => format!("a question of the scheme ({})", names.join(", ")),
    }
}

/// The answers that a question takes, in words for a message.
pub(crate) fn expected(question: &ItemQuestion) -> String {
    let words = || {
        let words: Vec<String> = question
            .levels
            .iter()
            .map(|level| question.word(level))
            .collect();
        words.join(", ")
    };
    match question.kind {
        QuestionKind::Text => "text".to_owned(),
        QuestionKind::Points => {
            format!("numbers of the item's options, counted from 1, or {NO_POINTS}")
        }
        QuestionKind::Relations => {
            format!(
                "lines such as 2 LABEL 1 or 1 LABEL input, with one of {}",
                words()
            )
        }
        QuestionKind::Multi => format!("any of {}", words()),
        QuestionKind::Ordinal if question.holds_means() => {
            format!("one of {}, or a mean between them", words())
        }
        QuestionKind::Ordinal | QuestionKind::Nominal => format!("one of {}", words()),
    }
}

/// Words that tables write where no value was given.
const MISSING: [&str; 7] = ["na", "n/a", "nan", "null", ".", "-", "#n/a"];

/// Whether a word says that no value was given.
pub(crate) fn is_missing(word: &str) -> bool {
    let word = word.trim();
    MISSING.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a number that is no level may stand in a file: a mean on the scale, or what a kept 0 makes of one.
fn between(question: &ItemQuestion, value: f64, zeros: ZeroRule) -> bool {
    let below = question.range().is_some_and(|(low, _)| value < low);
    let kept = zeros == ZeroRule::Keep && below;
    question.takes_mean(value)
        || (kept && (value == 0.0 || (value > 0.0 && question.holds_means())))
}

/// One word of the file as the scheme has it.
pub(crate) fn word(question: &ItemQuestion, word: &str, zeros: ZeroRule) -> Option<String> {
    let word = word.trim();
    match question.kind {
        QuestionKind::Text => Some(word.to_owned()),
        QuestionKind::Points => {
            let point = word.parse::<u16>().is_ok_and(|point| point > 0);
            (point || word == NO_POINTS).then(|| word.to_owned())
        }
        QuestionKind::Relations => relation::is_known(word, question).then(|| word.to_owned()),
        _ => {
            // Numbers of a table may be written 3.0.
            let value = word.parse::<f64>().ok();
            let number = value.map(shortest);
            let level = number
                .as_ref()
                .and_then(|number| question.level(number))
                .or_else(|| question.level(word));
            let mean =
                || number.filter(|_| value.is_some_and(|value| between(question, value, zeros)));
            level.map(|level| question.word(level)).or_else(mean)
        }
    }
}

/// The values of a JSON answer, or what is wrong with it.
pub(crate) fn values(
    question: &ItemQuestion,
    value: &Value,
    zeros: ZeroRule,
) -> Result<Vec<String>, String> {
    let one = |value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            other => return Err(describe(other)),
        };
        if question.kind == QuestionKind::Text {
            return Ok(text);
        }
        word(question, &text, zeros).ok_or_else(|| excerpt(&text))
    };
    let several = matches!(
        question.kind,
        QuestionKind::Multi | QuestionKind::Points | QuestionKind::Relations
    );
    match value {
        Value::Array(list) if several => {
            let mut values = list.iter().map(one).collect::<Result<Vec<_>, _>>()?;
            if question.kind != QuestionKind::Relations {
                question.in_order(&mut values);
                values.dedup();
            }
            Ok(values)
        }
        value => Ok(vec![one(value)?]),
    }
}

/// The field `answers`: an object of values by question; a value may be an object with a rationale beside it.
pub(crate) fn answers(fields: &mut Fields, reading: &mut Reading<'_>) -> Vec<AnswerRecord> {
    let Some(object) = fields.object("answers", &mut reading.problems) else {
        return Vec::new();
    };
    let line = object.line;
    let path = fields.name("answers");
    let mut answers: Vec<AnswerRecord> = Vec::new();
    for (name, value) in object.rest() {
        match answer(reading.book, &name, value, reading.zeros()) {
            Ok(Some(answer))
                if answers
                    .iter()
                    .any(|other| other.question == answer.question) =>
            {
                let problem = Problem::new(line, "a second answer", "one answer to each question");
                reading.problem(problem.field(format!("{path}.{}", excerpt(&name))));
            }
            Ok(answer) => answers.extend(answer),
            Err((found, expected)) => {
                let problem = Problem::new(line, found, expected);
                reading.problem(problem.field(format!("{path}.{}", excerpt(&name))));
            }
        }
    }
    in_order(&mut answers, reading.book);
    answers
}

/// Puts answers in the order of the scheme, and the values of each.
pub(crate) fn in_order(answers: &mut [AnswerRecord], book: &dyn CodeBook) {
    for answer in answers.iter_mut() {
        let mut asked = book.questions().iter();
        if let Some(question) = asked.find(|question| question.id == answer.question) {
            question.in_order(&mut answer.values);
        }
    }
    let place = |answer: &AnswerRecord| {
        book.questions()
            .iter()
            .position(|q| q.id == answer.question)
    };
    answers.sort_by_key(|answer| place(answer));
}

/// One answer; null is none. The error says what was found and what was expected.
fn answer(
    book: &dyn CodeBook,
    name: &str,
    value: Value,
    zeros: ZeroRule,
) -> Result<Option<AnswerRecord>, (String, String)> {
    let Some(question) = question(book, name) else {
        return Err((excerpt(name), expected_questions(book)));
    };
    let (value, rationale) = match value {
        Value::Null => return Ok(None),
        Value::Object(parts) => with_reason(parts, question)?,
        value => (value, String::new()),
    };
    let values = values(question, &value, zeros).map_err(|found| (found, expected(question)))?;
    Ok(Some(AnswerRecord {
        question: question.id.clone(),
        values,
        rationale,
    }))
}

fn with_reason(
    mut parts: Map<String, Value>,
    question: &ItemQuestion,
) -> Result<(Value, String), (String, String)> {
    let value = parts.remove("value").unwrap_or_default();
    let rationale = match parts.remove("rationale") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text,
        Some(other) => return Err((describe(&other), "text as the rationale".to_owned())),
    };
    if let Some(name) = parts.keys().next() {
        let expected = format!("{} as value, and a rationale", expected(question));
        return Err((excerpt(name), expected));
    }
    Ok((value, rationale))
}
