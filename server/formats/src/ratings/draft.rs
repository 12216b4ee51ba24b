//! A criterion being read: items, raters and values get numbers as they come.

use std::collections::HashMap;

use super::header::{Aside, Header};
use super::intern::Interner;
use super::record::Record;
use super::{Criterion, MISSING, RatingsOptions, cell_problem};
use crate::{Problem, Problems, problem::excerpt};

/// The most cells of items x raters that are held.
pub(super) const MOST_CELLS: usize = 400_000_000;

/// Items, raters and values of one criterion.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) items: Interner,
    pub(super) item_lines: Vec<u64>,
    pub(super) values: Interner,
    /// Numbers of the values that are one byte long.
    short: Vec<u32>,
    clusters: Labels,
    by: Labels,
}

/// A label for every item.
#[derive(Default)]
struct Labels {
    names: Interner,
    of_item: Vec<u32>,
}

impl Labels {
    /// The label of an item must be the same in all its rows; the line and label of a contradiction otherwise.
    fn meet(&mut self, item: u32, text: &str) -> Result<(), u32> {
        let (number, _) = self.names.number(text);
        match self.of_item.get(item as usize) {
            Some(&known) if known != number => Err(known),
            Some(_) => Ok(()),
            None => {
                self.of_item.push(number);
                Ok(())
            }
        }
    }
}

/// The drafts by criterion, in the order of the file.
#[derive(Default)]
pub(super) struct Drafts {
    names: Vec<String>,
    number: HashMap<String, usize>,
    last: usize,
}

impl Drafts {
    /// The number of the row's criterion.
    pub(super) fn of(&mut self, record: &Record, column: Option<usize>) -> usize {
        // without a criterion every row belongs to the one without a name; comparing empty texts row by row is slow
        if column.is_none() && !self.names.is_empty() {
            return 0;
        }
        let name = column.map_or("", |column| record.cell(column));
        // most files have one block of rows for each criterion
        let same = |last: &String| !name.is_empty() && *last == name;
        if self.names.get(self.last).is_some_and(same) {
            return self.last;
        }
        if let Some(&number) = self.number.get(name) {
            self.last = number;
            return number;
        }
        let number = self.names.len();
        self.last = number;
        self.names.push(name.to_owned());
        self.number.insert(name.to_owned(), number);
        number
    }

    pub(super) fn names(self) -> Vec<String> {
        self.names
    }
}

impl Draft {
    /// The item's number and whether it is new; a cluster or group that contradicts an earlier row is a problem.
    pub(super) fn item(
        &mut self,
        key: &str,
        record: &Record,
        aside: Aside,
        header: &Header,
        problems: &mut Problems,
    ) -> (u32, bool) {
        let (item, new) = self.items.number(key);
        if new {
            self.item_lines.push(record.line);
        }
        for (labels, column) in [
            (&mut self.clusters, aside.cluster),
            (&mut self.by, aside.by),
        ] {
            let Some(column) = column else { continue };
            if let Err(known) = labels.meet(item, record.cell(column)) {
                let first = self.item_lines[item as usize];
                let expected = format!(
                    "{} as in line {first}, which has the same item",
                    excerpt(labels.names.text(known))
                );
                problems.add(cell_problem(
                    record.line,
                    column,
                    header,
                    record.cell(column),
                    expected,
                ));
            }
        }
        (item, new)
    }

    /// The number of a rating, [`MISSING`] for an empty cell; a new value that may not be is a problem.
    pub(super) fn value(
        &mut self,
        record: &Record,
        column: usize,
        header: &Header,
        options: &RatingsOptions,
        problems: &mut Problems,
    ) -> u32 {
        let text = record.cell(column);
        if text.is_empty() || options.missing.iter().any(|token| token.trim() == text) {
            return MISSING;
        }
        let byte = <[u8; 1]>::try_from(text.as_bytes())
            .ok()
            .map(|[byte]| usize::from(byte));
        // a single digit or letter met before needs no look-up
        if let Some(known) = byte
            .and_then(|byte| self.short.get(byte))
            .filter(|known| **known != MISSING)
        {
            return *known;
        }
        let (number, new) = self.values.number(text);
        if let Some(byte) = byte {
            self.short.resize(256, MISSING);
            self.short[byte] = number;
        }
        if new && let Some(expected) = refused(text, options) {
            problems.add(cell_problem(record.line, column, header, text, expected));
        }
        number
    }

    /// The finished criterion.
    pub(super) fn finish(
        self,
        name: String,
        raters: Vec<String>,
        cells: Vec<u32>,
        aside: Aside,
    ) -> Criterion {
        let n_items = self.item_lines.len();
        Criterion {
            name,
            raters,
            values: self.values.into_texts(),
            n_items,
            cells,
            clusters: aside.cluster.map(|_| self.clusters.of_item),
            by: aside
                .by
                .map(|_| (self.by.names.into_texts(), self.by.of_item)),
        }
    }
}

/// What would have been expected in place of a value that may not be.
fn refused(text: &str, options: &RatingsOptions) -> Option<String> {
    let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
    if options.non_negative && number.is_some_and(|x| x < 0.0) {
        return Some("a number from 0 on, as on a ratio scale".to_owned());
    }
    let declared = &options.categories;
    let same = |category: &String| {
        category.trim() == text || number.is_some() && category.trim().parse::<f64>().ok() == number
    };
    let numeric = declared
        .iter()
        .all(|category| category.trim().parse::<f64>().is_ok());
    if declared.is_empty() || declared.iter().any(same) || numeric && number.is_some() {
        return None;
    }
    Some(format!("one of {}", excerpt(&declared.join(", "))))
}

/// The key of an item: its cells, or nothing when one is empty.
pub(super) fn item_key<'a>(
    record: &'a Record,
    columns: &[usize],
    buffer: &'a mut String,
) -> &'a str {
    if let [column] = columns {
        return record.cell(*column);
    }
    buffer.clear();
    for &column in columns {
        buffer.push_str(record.cell(column));
        buffer.push('\u{1f}');
    }
    buffer
}

/// An item without a name.
pub(super) fn nameless(record: &Record, columns: &[usize], header: &Header) -> Option<Problem> {
    let empty = columns.iter().all(|&column| record.cell(column).is_empty());
    let column = *columns.first().filter(|_| empty)?;
    Some(cell_problem(
        record.line,
        column,
        header,
        "",
        "the name of the item",
    ))
}
