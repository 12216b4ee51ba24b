//! A scheme to begin with, drawn from the criteria and values of a table of ratings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead};

use super::sounds_like_a_judge;
use super::table::{CLASSIFICATION, JUDGE_RESPONSE, scores};
use crate::ratings::items::{Sheet, rows};
use crate::{Problem, Problems, answer::is_missing};

/// The most levels that a scale of numbers has, and that words have.
const MOST_LEVELS: (usize, usize) = (21, 12);
/// The longest word that still names a level, in characters.
const LONGEST_LEVEL: usize = 40;
/// Columns of these names say what was rated, and by whom it was written.
const FACTS: [&str; 20] = [
    "id",
    "key",
    "model",
    "llm",
    "system",
    "condition",
    "mode",
    "source",
    "source_file",
    "dataset",
    "split",
    "language",
    "prompt",
    "prompt_version",
    "version",
    "seed",
    "date",
    "time",
    "temperature",
    "group",
];

/// A scheme that was drawn from a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The scheme, as TOML.
    pub text: String,
    /// What each column or criterion was taken for, in words; with what to say on import where some are no ratings.
    pub taken: Vec<String>,
}

/// What a column or a criterion holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rating,
    Fact,
    Text,
}

/// The values of one column of a wide table, or of one criterion.
#[derive(Default)]
struct Values {
    criterion: String,
    distinct: Vec<String>,
    given: usize,
}

impl Values {
    fn add(&mut self, value: &str) {
        if value.is_empty() || is_missing(value) {
            return;
        }
        self.given += 1;
        if !self.distinct.iter().any(|known| known == value) {
            self.distinct.push(value.to_owned());
        }
    }

    /// Few numbers that lie no finer than halves, or few short words, are ratings; long values are text; the rest are facts.
    fn kind(&self, name: &str) -> Kind {
        if is_fact(name) {
            return Kind::Fact;
        }
        let numbers: Option<Vec<f64>> = self.distinct.iter().map(|value| number(value)).collect();
        if let Some(numbers) = numbers {
            let coarse = numbers.iter().all(|number| (number * 2.0).fract() == 0.0);
            return if coarse && numbers.len() <= MOST_LEVELS.0 {
                Kind::Rating
            } else {
                Kind::Fact
            };
        }
        let longest = self
            .distinct
            .iter()
            .map(|value| value.chars().count())
            .max();
        if longest.unwrap_or_default() > LONGEST_LEVEL {
            Kind::Text
        } else if self.distinct.len() <= MOST_LEVELS.1
            && (self.distinct.len() < self.given || self.given <= 3)
        {
            Kind::Rating
        } else if self.distinct.iter().any(|value| value.trim().contains(' ')) {
            Kind::Text
        } else {
            Kind::Fact
        }
    }
}

/// Whether a column is called after what was rated, and after no rater.
pub(super) fn is_fact(name: &str) -> bool {
    let plain = name.to_lowercase().replace([' ', '-'], "_");
    FACTS.contains(&plain.as_str()) || plain.ends_with("_id")
}

fn number(value: &str) -> Option<f64> {
    value
        .trim()
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

/// A scheme that asks about each criterion of the table: numbers are ordered, words are not. Columns and criteria that are no
/// ratings are left out; `named` says which are, instead of their values.
///
/// # Errors
/// What is wrong with the table, or that it could not be read.
pub fn draft(
    input: impl BufRead,
    id: &str,
    named: &[String],
) -> io::Result<Result<Drawn, Problems>> {
    let mut problems = Problems::default();
    let table = rows(input, &mut problems)?;
    let Some(table) = table.filter(|_| problems.count() == 0) else {
        return Ok(Err(problems));
    };
    let found = values(&table);
    for name in named.iter().filter(|name| !found.contains_key(*name)) {
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        let expected = format!("one of {}", names.join(", "));
        problems.add(Problem::new(1, name.clone(), expected));
    }
    let mut by_kind: [Vec<String>; 3] = Default::default();
    let mut criteria: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, values) in found {
        let kind = match named {
            // What stands in the only column of values is rated, however finely.
            [] if name.is_empty() => Kind::Rating,
            [] => values.kind(&name),
            named if named.contains(&name) => Kind::Rating,
            _ => Kind::Fact,
        };
        if kind == Kind::Rating {
            let levels = criteria.entry(values.criterion).or_default();
            for value in values.distinct {
                if !levels.contains(&value) {
                    levels.push(value);
                }
            }
        }
        by_kind[kind as usize].push(if name.is_empty() {
            "the values".to_owned()
        } else {
            name
        });
    }
    if criteria.is_empty() && problems.count() == 0 {
        problems.add(Problem::new(
            1,
            "no column or criterion whose values look like ratings",
            "a few numbers or words; name the ones that are ratings with --ratings",
        ));
    }
    if problems.count() > 0 {
        return Ok(Err(problems));
    }
    Ok(Ok(Drawn {
        taken: told(&by_kind, table.wide),
        text: written(id, criteria),
    }))
}

/// The values by column of a wide table, else by criterion.
fn values(table: &Sheet) -> BTreeMap<String, Values> {
    let mut found: BTreeMap<String, Values> = BTreeMap::new();
    for cell in &table.cells {
        let name = if table.wide {
            &cell.rater
        } else {
            &cell.criterion
        };
        let values = found.entry(name.clone()).or_default();
        values.criterion.clone_from(&cell.criterion);
        values.add(&cell.value);
    }
    let columns = |is: &dyn Fn(&str) -> bool| table.special(is).unwrap_or_default();
    for row in &table.rows {
        for column in columns(&|name| name.ends_with(CLASSIFICATION)) {
            let values = found.entry(String::new()).or_default();
            values.add(&row.cell(column).to_lowercase());
        }
        for column in columns(&|name| name.starts_with(JUDGE_RESPONSE)) {
            for (criterion, value) in scores(row.cell(column)).unwrap_or_default() {
                let values = found.entry(criterion.clone()).or_default();
                values.criterion = criterion;
                values.add(&value);
            }
        }
    }
    found
}

fn told([ratings, facts, texts]: &[Vec<String>; 3], wide: bool) -> Vec<String> {
    let mut lines = vec![format!("taken for ratings: {}", ratings.join(", "))];
    for (what, names) in [("facts", facts), ("text", texts)] {
        if !names.is_empty() {
            lines.push(format!(
                "taken for {what} and left out: {}",
                names.join(", ")
            ));
        }
    }
    if lines.len() > 1 {
        lines.push("--ratings NAME,NAME says which are ratings instead".to_owned());
        if wide {
            // Judges are taken beside the raters that are named.
            let people = ratings.iter().filter(|name| !sounds_like_a_judge(name));
            let people: Vec<&str> = people.map(String::as_str).collect();
            lines.push(format!(
                "import with --raters {} to leave the other columns out",
                people.join(",")
            ));
        }
    }
    lines
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
