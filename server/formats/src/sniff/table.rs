//! Tables, known by their columns.

use domain::count::count;
use std::{collections::HashSet, io};

use super::{Format, unknown};
use crate::{Problem, dual, input::rows::Rows, rulings};

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
    let long = has(&[
        "rater",
        "annotator",
        "rater_id",
        "annotator_id",
        "rater_slot",
        "coder",
        "worker",
    ]) && has(&[
        "score", "rating", "value", "label", "category", "severity", "answer",
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
        || (item && (long || raters > 0))
        || counts(text, separator, &names)
        || coded(text, separator, &names)
}

/// The longest value that still looks like a code, and how many codes a scale has at most.
const CODE: (usize, usize) = (24, 20);

/// Items in the first column, each once, and beside them columns that share a few short values: raters by whatever name.
fn coded(text: &str, separator: char, names: &[String]) -> bool {
    // The text may be the beginning of a file: its last line is whole only where it ends.
    let whole = text.rfind('\n').map_or(text, |end| &text[..end]);
    let rows: Vec<Vec<&str>> = whole
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let cells = line.split(separator);
            cells.map(|cell| cell.trim().trim_matches('"')).collect()
        })
        .collect();
    let known = ["item", "item_id", "id", "unit", "unit_id"];
    let items: HashSet<&str> = rows.iter().map(|row| row[0]).collect();
    let cells = rows.iter().flat_map(|row| &row[1..]).copied();
    let given: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    let codes: HashSet<&str> = given.iter().copied().collect();
    names.len() > 2
        && known.contains(&names[0].as_str())
        && names[1..].iter().all(|name| !name.is_empty())
        && rows.iter().all(|row| row.len() == names.len())
        && items.len() == rows.len()
        && !items.contains("")
        && codes.len() < given.len()
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
