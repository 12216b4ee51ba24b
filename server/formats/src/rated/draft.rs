//! A scheme to begin with, drawn from the criteria and values of a table of ratings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead};

use crate::{Problems, ratings::items::rows};

/// The text of a scheme that asks about each criterion of the table: numbers are ordered, words are not.
///
/// # Errors
/// What is wrong with the table, or that it could not be read.
pub fn draft(input: impl BufRead, id: &str) -> io::Result<Result<String, Problems>> {
    let mut problems = Problems::default();
    let table = rows(input, &mut problems)?;
    let Some(table) = table.filter(|_| problems.count() == 0) else {
        return Ok(Err(problems));
    };
    let mut criteria: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for cell in &table.cells {
        let values = criteria.entry(cell.criterion.clone()).or_default();
        if !values.contains(&cell.value) {
            values.push(cell.value.clone());
        }
    }
    let special = table.special(|name| name.ends_with(super::table::CLASSIFICATION));
    for (row, column) in table
        .rows
        .iter()
        .flat_map(|row| special.iter().flatten().map(move |column| (row, *column)))
    {
        let values = criteria.entry(String::new()).or_default();
        let value = row.cell(column).to_lowercase();
        if !value.is_empty() && !values.contains(&value) {
            values.push(value);
        }
    }
    Ok(Ok(written(id, criteria)))
}

fn written(id: &str, criteria: BTreeMap<String, Vec<String>>) -> String {
    let mut text = format!(
        "id = {id:?}\nversion = 1\ntitle = {id:?}\nunit = \"item\"\nintroduction = \"Drawn from a table of ratings: give every question its words before anybody judges by it.\"\n\n[disagreement]\ndistance_above = 0\n"
    );
    for (at, (name, mut values)) in criteria.into_iter().enumerate() {
        let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
        let column: String = name
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let column = if column.trim_matches('_').is_empty() {
            format!("rating_{}", at + 1)
        } else {
            column
        };
        let shown = if name.is_empty() {
            "Rating".to_owned()
        } else {
            name.clone()
        };
        let kind = if numbers.is_some() {
            "ordinal"
        } else {
            "nominal"
        };
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n[[items]]\nid = {column:?}\nkind = {kind:?}\nname = {shown:?}\nquestion = {shown:?}\nlevels = [\n"
        );
        match numbers {
            Some(mut numbers) => {
                numbers.sort_by(f64::total_cmp);
                if let [only] = numbers.as_slice() {
                    numbers.push(only + 1.0);
                }
                for number in numbers {
                    let _ = writeln!(text, "  {{ value = {number}, name = \"{number}\" }},");
                }
            }
            None => {
                values.sort();
                if values.len() == 1 {
                    values.push("another answer".to_owned());
                }
                for value in values {
                    let _ = writeln!(text, "  {{ name = {value:?} }},");
                }
            }
        }
        text.push_str("]\n");
    }
    text
}
