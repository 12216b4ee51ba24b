//! Tables of ratings: long, wide, counts of two raters, judge validation, MQM, and judges' answers as JSON in cells.

use std::collections::HashMap;
use std::io::BufRead;

use serde_json::Value;

use super::draft::is_fact;
use super::{Rated, deliver, say_who_judges, sounds_like_a_judge};
use crate::{
    Column, Notice, Problem, answer,
    problem::excerpt,
    ratings::items::{Cell, Sheet, rows_for},
    read::{Reading, Stop},
};

/// The end of a column's name in judge-validation tables.
pub(crate) const CLASSIFICATION: &str = "_classification";
/// The beginning of a column with a judge's answers as JSON.
pub(crate) const JUDGE_RESPONSE: &str = "judge_response_";
/// The columns of an MQM table; a segment is called by one of several names.
const MQM: [&str; 5] = ["system", "doc", "rater", "category", "severity"];
const SEGMENT: [&str; 5] = ["seg_id", "globalSegId", "docSegId", "segment_id", "seg"];

/// Whether these are the columns of an MQM table.
pub(crate) fn is_mqm<T: AsRef<str>>(names: &[T]) -> bool {
    let has = |wanted: &str| {
        names
            .iter()
            .any(|name| name.as_ref().eq_ignore_ascii_case(wanted))
    };
    MQM.into_iter().all(has) && SEGMENT.into_iter().any(has)
}

/// Whether a table is of a kind that is known by the names of its columns and read row by row.
pub(crate) fn is_special(names: &[String]) -> bool {
    let marked = |name: &String| name.ends_with(CLASSIFICATION) || name.starts_with(JUDGE_RESPONSE);
    is_mqm(names) || names.iter().any(marked)
}

pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let book = reading.book;
    // A question's column may be called as the question is, but not as the mean of two columns is.
    let question = |name: &str| answer::question(book, name).map(|question| question.id.clone());
    let Some(mut table) = rows_for(input, &mut reading.problems, &question)? else {
        return Ok(());
    };
    if table.wide && reading.names_raters() {
        // Who says whose ratings to take says which columns are no ratings, even where one is called `model`.
        let told = reading.judges();
        table.cells.retain(|cell| {
            let judge = is_judge(&cell.rater, told.as_deref());
            (judge && !is_fact(&cell.rater)) || reading.takes_rating_of(&cell.rater)
        });
    }
    let items = items(table, reading);
    deliver(items, reading)
}

/// The items of a table, whatever its kind.
fn items(table: Sheet, reading: &mut Reading<'_>) -> Vec<Rated> {
    let judges = reading.judges();
    if let Some(cells) = table.special(|name| name.ends_with(CLASSIFICATION)) {
        let items = validation(&table, &cells, judges.as_deref());
        say_who_judges(&items, reading);
        return items;
    }
    if let Some(cells) = table.special(|name| name.starts_with(JUDGE_RESPONSE)) {
        return responses(&table, &cells, reading);
    }
    if is_mqm(&table.names) {
        return mqm(&table);
    }
    say_columns(&table, reading);
    let items = neutral(table, judges.as_deref());
    say_who_judges(&items, reading);
    items
}

/// Names the columns that were taken for raters, and those that were not read: names are all there is to tell them by.
fn say_columns(table: &Sheet, reading: &mut Reading<'_>) {
    if let Some(who) = table.nobody {
        reading.leave_out(Notice {
            line: Some(1),
            subject: who.to_owned(),
            reason:
                "columns are questions and nobody is named: all answers are taken for one person's"
                    .to_owned(),
        });
    }
    for (columns, reason) in [
        (
            &table.raters,
            "by the names of columns taken for raters, one each",
        ),
        (
            &table.left,
            "columns that are neither item, rater nor rating, and not read",
        ),
    ] {
        if !columns.is_empty() {
            let names: Vec<String> = columns.iter().map(|name| excerpt(name)).collect();
            reading.leave_out(Notice {
                line: Some(1),
                subject: names.join(", "),
                reason: reason.to_owned(),
            });
        }
    }
}

fn is_judge(name: &str, told: Option<&[String]>) -> bool {
    told.map_or_else(
        || sounds_like_a_judge(name),
        |judges| judges.iter().any(|judge| judge == name),
    )
}

/// One item a key, in the order in which they are met.
#[derive(Default)]
struct Items {
    all: Vec<Rated>,
    at: HashMap<String, usize>,
}

impl Items {
    fn of(&mut self, line: u64, key: &str) -> &mut Rated {
        let at = *self.at.entry(key.to_owned()).or_insert_with(|| {
            self.all.push(Rated::at(line, key));
            self.all.len() - 1
        });
        &mut self.all[at]
    }
}

/// One rating a row, or one rater a column.
fn neutral(mut table: Sheet, judges: Option<&[String]>) -> Vec<Rated> {
    let mut items = Items::default();
    for Cell {
        line,
        item,
        rater,
        criterion,
        value,
        column,
    } in table.cells
    {
        let judge = is_judge(&rater, judges);
        let said = table.texts.remove(&item);
        let item = items.of(line, &item);
        if let Some(said) = said {
            let some = |text: String| Some(text).filter(|text| !text.is_empty());
            item.text(&said.text);
            item.question = said.question;
            item.model = some(said.model);
            item.condition = some(said.condition);
        }
        item.says(line, &rater, judge, &criterion, &value);
        item.in_column(column);
    }
    items.all
}

/// A judge's and people's answers to one yes-or-no question, a column each.
fn validation(table: &Sheet, columns: &[usize], judges: Option<&[String]>) -> Vec<Rated> {
    let mut items = Items::default();
    let text = table
        .column("model_response")
        .or_else(|| table.column("text"));
    let key = table.column("key").or_else(|| table.column("id"));
    let condition = table.column("condition");
    for (at, row) in table.rows.iter().enumerate() {
        let number = (at + 1).to_string();
        let key = key.map_or(number.as_str(), |column| row.cell(column));
        let item = items.of(row.line, key);
        if item.segments.is_empty() {
            item.text(text.map_or("", |column| row.cell(column)));
            item.condition = condition
                .map(|column| row.cell(column).to_owned())
                .filter(|text| !text.is_empty());
        }
        for &column in columns {
            let who = table.names[column].trim_end_matches(CLASSIFICATION);
            let judge = judges.map_or_else(
                || !who.starts_with("annotator"),
                |judges| judges.iter().any(|judge| judge == who),
            );
            let value = row.cell(column).to_lowercase();
            if !value.is_empty() {
                item.says(row.line, who, judge, "", &value);
                item.in_column(column);
            }
        }
    }
    items.all
}

/// A judge's answers as a JSON object in a cell, with or without a fence around it.
fn responses(table: &Sheet, columns: &[usize], reading: &mut Reading<'_>) -> Vec<Rated> {
    let mut items = Items::default();
    let key = ["id", "key", "item"]
        .into_iter()
        .find_map(|name| table.column(name));
    let text = ["response", "text", "output"]
        .into_iter()
        .find_map(|name| table.column(name));
    for (at, row) in table.rows.iter().enumerate() {
        let number = (at + 1).to_string();
        let item = items.of(
            row.line,
            key.map_or(number.as_str(), |column| row.cell(column)),
        );
        item.text(text.map_or("", |column| row.cell(column)));
        for &column in columns {
            let cell = row.cell(column);
            if cell.is_empty() || answer::is_missing(cell) {
                continue;
            }
            let who = table.names[column].trim_start_matches(JUDGE_RESPONSE);
            let Some(answers) = scores(cell) else {
                let problem = Problem::new(
                    row.line,
                    excerpt(cell),
                    "a JSON object with the judge's scores",
                );
                let problem = problem.field(excerpt(&table.names[column]));
                reading.problem(problem.column(Column::letter(column)));
                continue;
            };
            for (criterion, value) in answers {
                item.says(row.line, who, true, &criterion, &value);
                item.in_column(column);
            }
        }
    }
    items.all
}

/// A judge's scores by criterion; nothing where the cell holds no object.
pub(super) fn scores(cell: &str) -> Option<Vec<(String, String)>> {
    let Some(Value::Object(answers)) = unfenced(cell) else {
        return None;
    };
    let one = |(criterion, value): (String, Value)| match value {
        Value::String(text) => Some((criterion, text)),
        Value::Number(number) => Some((criterion, number.to_string())),
        _ => None,
    };
    Some(answers.into_iter().filter_map(one).collect())
}

/// The first object of a text that a model wrote.
fn unfenced(text: &str) -> Option<Value> {
    let from = text.find('{')?;
    let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<Value>();
    values.next()?.ok()
}

/// The worst severity that each rater found in a segment; spans and categories are not taken.
fn mqm(table: &Sheet) -> Vec<Rated> {
    const ORDER: [&str; 4] = ["no-error", "neutral", "minor", "major"];
    let find = |wanted: &str| {
        let same = |name: &String| name.eq_ignore_ascii_case(wanted);
        table.names.iter().position(same)
    };
    let [system, doc, rater, severity] =
        ["system", "doc", "rater", "severity"].map(|name| find(name).unwrap_or_default());
    let segment = SEGMENT.into_iter().find_map(find).unwrap_or_default();
    let (source, target) = (find("source"), find("target"));
    let mut items = Items::default();
    for row in &table.rows {
        let key = [system, doc, segment]
            .map(|column| row.cell(column))
            .join("/");
        let item = items.of(row.line, &key);
        if item.segments.is_empty() {
            item.text(&target.map_or(String::new(), |column| {
                row.cell(column).replace("<v>", "").replace("</v>", "")
            }));
            item.vignette = source.map_or(String::new(), |column| {
                row.cell(column).replace("<v>", "").replace("</v>", "")
            });
            item.model = Some(row.cell(system).to_owned()).filter(|name| !name.is_empty());
        }
        let (who, value) = (row.cell(rater), row.cell(severity));
        let rank = |word: &str| {
            ORDER
                .iter()
                .position(|known| known.eq_ignore_ascii_case(word))
        };
        let before = item.said.iter_mut().find(|said| said.who == who);
        match before {
            Some(said) if rank(value) > rank(&said.value) => value.clone_into(&mut said.value),
            Some(_) => {}
            None => {
                item.says(row.line, who, false, "severity", value);
                item.in_column(severity);
            }
        }
    }
    items.all
}

#[cfg(test)]
mod tests {
    use super::unfenced;

    #[test]
    fn a_fence_around_json_does_not_matter() {
        let value = unfenced("```json\n{\"Guidance\": 4}\n```").expect("an object");
        assert_eq!(value["Guidance"], 4);
        assert_eq!(unfenced("none"), None);
    }
}
