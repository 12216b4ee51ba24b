//! Tables, known by their columns.

use domain::count::count;
use std::{collections::HashSet, io};

use super::{Format, unknown};
use crate::{
    Problem, dual,
    input::rows::Rows,
    ratings::{
        columns::{is_aside, plain},
        items::sample,
    },
    rulings,
};

/// The format of a table by its line of names.
pub(super) fn by_header(text: &str) -> Result<Format, Problem> {
    let header = match Rows::new(io::Cursor::new(text)).next() {
        Ok(Some(Ok(row))) => row,
        Ok(Some(Err(problem))) => return Err(problem),
        Ok(None) | Err(_) => return Err(unknown("an empty file")),
    };
    let names: Vec<&str> = header.cells.iter().map(|cell| cell.text.trim()).collect();
    if rulings::recognises(&names) {
        return Ok(Format::RulingsCsv);
    }
    if dual::recognises(&names) {
        return Ok(Format::DualAnnotationCsv);
    }
    if table(text) {
        return Ok(Format::RatingsTable);
    }
    let other = [(';', "semicolons"), ('\t', "tabs")]
        .into_iter()
        .find(|&(separator, _)| {
            let names: Vec<&str> = text
                .lines()
                .next()
                .unwrap_or_default()
                .split(separator)
                .map(|name| name.trim_matches(['"', ' ']))
                .collect();
            dual::recognises(&names) || rulings::recognises(&names)
        });
    Err(match (other, names.len()) {
        (Some((_, name)), _) => Problem::new(
            1,
            format!("columns separated by {name}"),
            "columns separated by commas",
        ),
        (None, 1) => unknown("text without columns"),
        (None, n) => unknown(format!(
            "a table of {} with other names",
            count(n, "column", "columns")
        )),
    })
}

/// Whether a header is that of ratings: an item with a rater and a value, columns of raters, or a kind that is known by name.
fn table(text: &str) -> bool {
    let header = text.lines().next().unwrap_or_default();
    let separator = ['\t', ';']
        .into_iter()
        .find(|c| header.contains(*c))
        .unwrap_or(',');
    let names: Vec<String> = header
        .split(separator)
        .map(|name| name.trim().trim_matches('"').to_lowercase())
        .collect();
    let has = |wanted: &[&str]| names.iter().any(|name| wanted.contains(&name.as_str()));
    let special = names.iter().any(|name| {
        name.ends_with(crate::rated::table::CLASSIFICATION)
            || name.starts_with(crate::rated::table::JUDGE_RESPONSE)
    });
    let item = has(&[
        "item", "item_id", "id", "key", "unit", "unit_id", "instance", "doc_id", "subject",
    ]);
    let by_somebody = has(&[
        "rater",
        "annotator",
        "rater_id",
        "annotator_id",
        "rater_slot",
        "coder",
        "worker",
    ]);
    let raters = names
        .iter()
        .filter(|name| {
            ["rater", "annotator", "coder", "judge"]
                .iter()
                .any(|word| name.starts_with(word))
        })
        .count();
    special
        || crate::rated::table::is_mqm(&names)
        || (item && (by_somebody || raters > 0))
        || (item && has(&["criterion", "question"]) && names.len() > 3)
        || counts(text, separator, &names)
        || coded(text)
}

/// The longest value that still looks like a code, and how many codes a scale has at most.
const CODE: (usize, usize) = (24, 20);

/// What the first column may be called where the others are raters by whatever name.
const ITEM: [&str; 12] = [
    "item",
    "item_id",
    "id",
    "unit",
    "unit_id",
    "key",
    "instance",
    "instance_id",
    "example",
    "example_id",
    "text",
    "trace",
];

/// Items in the first column, each once (or once a criterion), and beside them columns that share a few short values: raters by
/// whatever name.
fn coded(text: &str) -> bool {
    // The text may be the beginning of a file: its last line is whole only where it ends.
    let whole = text.rfind('\n').map_or(text, |end| &text[..end]);
    let mut rows = sample(whole).into_iter();
    let Some(names) = rows.next() else {
        return false;
    };
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let rows: Vec<Vec<String>> = rows
        .filter(|row| row.iter().any(|cell| !cell.is_empty()))
        .collect();
    let criterion = names.iter().position(|name| name == "criterion");
    let rated: Vec<usize> = (1..names.len())
        .filter(|at| Some(*at) != criterion && !is_aside(&names[*at]))
        .collect();
    if rows.iter().any(|row| row.len() != names.len()) {
        return false;
    }
    let key = |row: &Vec<String>| (row[0].clone(), criterion.map(|at| row[at].clone()));
    let items: HashSet<_> = rows.iter().map(key).collect();
    let cells = rows
        .iter()
        .flat_map(|row| rated.iter().map(|at| row[*at].as_str()));
    let given: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    let codes: HashSet<&str> = given.iter().copied().collect();
    // Small whole numbers are a scale also where a short table has none of them twice.
    let scale = codes.iter().all(|code| code.parse::<i8>().is_ok());
    rated.len() > 1
        && ITEM.contains(&names[0].as_str())
        && names.iter().all(|name| !name.is_empty())
        && items.len() == rows.len()
        && rows.iter().all(|row| !row[0].is_empty())
        && (codes.len() < given.len() || (scale && !codes.is_empty()))
        && codes.len() <= CODE.1
        && codes.iter().all(|code| code.chars().count() <= CODE.0)
}

/// A square table of counts: its first row is named as its first column of counts.
fn counts(text: &str, separator: char, names: &[String]) -> bool {
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split(separator).map(str::trim).collect())
        .collect();
    names.len() > 2
        && rows.len() == names.len() - 1
        && rows.iter().zip(&names[1..]).all(|(row, name)| {
            row.len() == names.len()
                && row[0].to_lowercase() == *name
                && row[1..].iter().all(|cell| cell.parse::<u64>().is_ok())
        })
}
