//! Files of ratings: what people and judges said of items, criterion by criterion, often without the texts that were judged.
//!
//! Every format is read into [`Rated`] items; one place maps criteria to the scheme's questions and hands records on.

mod annotated;
pub(crate) mod argilla;
pub(crate) mod bench;
mod draft;
pub(crate) mod human;
pub(crate) mod label_studio;
pub(crate) mod potato;
pub(crate) mod table;
mod value;
pub(crate) mod webanno;

use domain::count::count;
use domain::scheme::{ItemQuestion, QuestionKind};
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::{
    Notice, Problem, answer,
    problem::excerpt,
    read::{Reading, Stop},
    record::{
        AnswerRecord, ItemRatingRecord, JudgeOutcome, JudgeRecord, MissedRecord, SegmentText,
        TraceRecord, no_text,
    },
};
pub use draft::{Drawn, draft};
use value::{expected, problem_with, without_missing};

/// An item with all that was said of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Rated {
    pub line: u64,
    pub key: String,
    pub vignette: String,
    pub question: String,
    pub answer: Option<String>,
    /// The text in its parts; none where the file has ratings only.
    pub segments: Vec<SegmentText>,
    pub condition: Option<String>,
    pub model: Option<String>,
    pub facts: Vec<(String, String)>,
    pub extra: Map<String, Value>,
    pub said: Vec<Said>,
    /// Spans that people marked: the rater and the tag.
    pub marked: Vec<(String, MissedRecord)>,
}

/// One value that somebody gave.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    pub line: u64,
    /// The column of a table, counted from 0.
    pub column: Option<usize>,
    pub who: String,
    /// It is a language model.
    pub judge: bool,
    /// What was rated; empty when the file does not say.
    pub criterion: String,
    pub value: String,
    pub rationale: String,
}

impl Rated {
    pub(crate) fn at(line: u64, key: impl Into<String>) -> Self {
        Self {
            line,
            key: key.into(),
            ..Self::default()
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.segments.push(SegmentText {
                label: None,
                text: text.to_owned(),
            });
        }
    }

    /// Says where in a table the last value stood.
    pub(crate) fn in_column(&mut self, column: usize) {
        if let Some(said) = self.said.last_mut() {
            said.column = Some(column);
        }
    }

    pub(crate) fn says(&mut self, line: u64, who: &str, judge: bool, criterion: &str, value: &str) {
        self.said.push(Said {
            line,
            column: None,
            who: who.to_owned(),
            judge,
            criterion: criterion.to_owned(),
            value: value.to_owned(),
            rationale: String::new(),
        });
    }
}

/// Names that are taken for a judge's where nobody says which raters are judges.
pub(crate) fn sounds_like_a_judge(name: &str) -> bool {
    let name = name.to_lowercase();
    let words = [
        "judge", "llm", "gpt", "claude", "gemini", "llama", "qwen", "mistral", "deepseek", "model",
    ];
    words.iter().any(|word| name.contains(word))
}

/// Says who was taken for a judge where nobody said who is one, and whose names nobody in the file has.
pub(crate) fn say_who_judges(items: &[Rated], reading: &mut Reading<'_>) {
    let said = || items.iter().flat_map(|item| &item.said);
    let Some(told) = reading.judges() else {
        let judges: BTreeSet<&str> = said()
            .filter(|said| said.judge)
            .map(|said| said.who.as_str())
            .collect();
        if !judges.is_empty() {
            let judges: Vec<String> = judges.into_iter().map(excerpt).collect();
            reading.leave_out(Notice {
                line: None,
                subject: judges.join(", "),
                reason: "by name taken for judges and not for people; --judges names those who are"
                    .to_owned(),
            });
        }
        return;
    };
    let known: BTreeSet<&str> = said().map(|said| said.who.as_str()).collect();
    for judge in told.iter().filter(|judge| !known.contains(judge.as_str())) {
        let names: Vec<&str> = known.iter().copied().collect();
        let expected = format!("raters and judges of the file: {}", names.join(", "));
        reading.problem(Problem::new(1, excerpt(judge), expected).field("judges"));
    }
}

/// Hands items on. A criterion that the scheme does not ask about is left out with a notice; a file none of whose criteria
/// it asks about is refused.
pub(crate) fn deliver(mut items: Vec<Rated>, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let mut criteria: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut anything = without_missing(&mut items, reading);
    for item in &items {
        anything |= !item.marked.is_empty();
        for said in &item.said {
            let unknown = resolve(&said.criterion, reading).is_none();
            anything |= !unknown;
            if unknown {
                criteria
                    .entry(said.criterion.clone())
                    .or_insert((said.line, 0))
                    .1 += 1;
            }
        }
    }
    if !anything && reading.problems.count() > 0 {
        // What is wrong with the file may be why nothing is known of it.
        return Ok(());
    }
    if !anything {
        let names: Vec<String> = criteria.keys().map(|name| excerpt(name)).collect();
        let line = criteria.values().map(|(line, _)| *line).min().unwrap_or(1);
        let found = match names.as_slice() {
            [] => "no ratings".to_owned(),
            [only] if only == "nothing" => "ratings of one criterion without a name".to_owned(),
            names => format!("ratings of {}", names.join(", ")),
        };
        let expected = answer::expected_questions(reading.book);
        reading.problem(Problem::new(line, found, expected));
        return Ok(());
    }
    for (name, (_, found)) in criteria {
        reading.leave_out(Notice {
            line: None,
            subject: excerpt(&name),
            reason: format!(
                "{} of a criterion that the scheme does not ask about",
                count(found, "value", "values")
            ),
        });
    }
    let mut keys: BTreeMap<String, u64> = BTreeMap::new();
    for item in items {
        if let Some(first) = keys.insert(item.key.clone(), item.line) {
            let expected = format!("a key of its own; line {first} has it already");
            reading.problem(Problem::new(item.line, excerpt(&item.key), expected));
            continue;
        }
        one(item, reading)?;
    }
    Ok(())
}

/// The question of a criterion; without a name it is the only one there is to compare.
fn resolve<'b>(criterion: &str, reading: &'b Reading<'_>) -> Option<&'b ItemQuestion> {
    let book = reading.book;
    if let Some(question) = answer::question(book, criterion).filter(|_| !criterion.is_empty()) {
        return Some(question);
    }
    let mut compared = book
        .questions()
        .iter()
        .filter(|question| question.kind.compares());
    let only = compared.next().filter(|_| criterion.is_empty())?;
    compared.next().is_none().then_some(only)
}

fn one(item: Rated, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let mut by: Vec<(String, bool, Vec<AnswerRecord>, u64)> = Vec::new();
    for said in &item.said {
        let taken = said.judge || {
            reading.found_rater(&said.who);
            reading.takes_rating_of(&said.who)
        };
        let Some(question) = resolve(&said.criterion, reading).filter(|_| taken) else {
            continue;
        };
        let several = matches!(
            question.kind,
            QuestionKind::Multi | QuestionKind::Points | QuestionKind::Relations
        );
        // The program's own tables have an empty cell where a value is not given.
        if said.value.trim().is_empty() && !several {
            continue;
        }
        let (id, expected) = (question.id.clone(), expected(question, &said.value));
        let mut words = Vec::new();
        match answer::word(question, &said.value, reading.zeros()) {
            Some(word) => words.push(word),
            None if several => {
                // Several values in one cell stand as our own tables write them.
                let pieces = said
                    .value
                    .split(';')
                    .map(str::trim)
                    .filter(|piece| !piece.is_empty());
                let read = |piece| answer::word(question, piece, reading.zeros()).ok_or(piece);
                match pieces.map(read).collect::<Result<Vec<_>, _>>() {
                    Ok(read) => words = read,
                    Err(piece) => {
                        let problem = problem_with(said, expected);
                        reading.problem(Problem {
                            found: excerpt(piece),
                            ..problem
                        });
                        continue;
                    }
                }
            }
            None => {
                let comma = said.value.replace(',', ".").parse::<f64>().is_ok();
                let hint = if comma && said.value.contains(',') {
                    ", and a point in decimals instead of a comma"
                } else {
                    ""
                };
                reading.problem(problem_with(said, expected + hint));
                continue;
            }
        }
        let at = by
            .iter()
            .position(|(who, judge, ..)| (who, *judge) == (&said.who, said.judge));
        let at = at.unwrap_or_else(|| {
            by.push((said.who.clone(), said.judge, Vec::new(), said.line));
            by.len() - 1
        });
        let answers = &mut by[at].2;
        match answers.iter_mut().find(|answer| answer.question == id) {
            None => answers.push(AnswerRecord {
                question: id,
                values: words,
                rationale: said.rationale.clone(),
            }),
            Some(answer) if several => {
                for word in words {
                    if !answer.values.contains(&word) {
                        answer.values.push(word);
                    }
                }
            }
            Some(answer) if answer.values == words => {}
            Some(_) => {
                let expected = "one value of a criterion by each rater";
                reading.problem(problem_with(said, expected));
            }
        }
    }
    for (rater, _) in &item.marked {
        reading.found_rater(rater);
        if reading.takes_rating_of(rater)
            && !by.iter().any(|(who, judge, ..)| who == rater && !judge)
        {
            by.push((rater.clone(), false, Vec::new(), item.line));
        }
    }
    records(item, by, reading)
}

fn field(said: &Said) -> String {
    if said.criterion.is_empty() {
        said.who.clone()
    } else {
        format!("{} of {}", said.criterion, said.who)
    }
}

/// One record a judge; people's judgements travel with the first.
fn records(
    item: Rated,
    by: Vec<(String, bool, Vec<AnswerRecord>, u64)>,
    reading: &mut Reading<'_>,
) -> Result<(), Stop> {
    let (judges, people): (Vec<_>, Vec<_>) = by.into_iter().partition(|(_, judge, ..)| *judge);
    let mut said: Vec<ItemRatingRecord> = Vec::new();
    for (rater, _, mut answers, line) in people {
        answer::in_order(&mut answers, reading.book);
        let marked = item.marked.iter().filter(|(of, _)| *of == rater);
        said.push(ItemRatingRecord {
            line,
            missed: marked.map(|(_, tag)| tag.clone()).collect(),
            rater,
            answers,
            nothing_missed: false,
            missed_count: None,
            not_ratable: None,
            comment: String::new(),
        });
    }
    let mut record = TraceRecord {
        line: item.line,
        steps: Vec::new(),
        segments: if item.segments.is_empty() {
            vec![SegmentText {
                label: None,
                text: no_text(&item.key),
            }]
        } else {
            item.segments
        },
        key: item.key,
        condition: item.condition,
        model: item.model,
        mode: None,
        demographics: item.facts,
        vignette: item.vignette,
        question: item.question,
        options: Vec::new(),
        answer: item.answer,
        source_file: None,
        extra: item.extra,
        judge: JudgeRecord::unnamed(),
        outcome: JudgeOutcome::Absent,
        candidates: Vec::new(),
        answers: Vec::new(),
        ratings: Vec::new(),
        said,
    };
    if judges.is_empty() {
        return reading.deliver(record);
    }
    for (name, _, mut answers, _) in judges {
        answer::in_order(&mut answers, reading.book);
        record.judge = JudgeRecord {
            name,
            ..JudgeRecord::unnamed()
        };
        record.outcome = JudgeOutcome::Judged { summary: None };
        record.answers = answers;
        reading.deliver(record.clone())?;
        record.said.clear();
    }
    Ok(())
}
