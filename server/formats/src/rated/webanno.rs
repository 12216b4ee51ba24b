//! WebAnno TSV 3, as INCEpTION exports it: one document and one person a file, spans by token.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::{Rated, annotated::tag, deliver};
use crate::{
    Problem,
    input::lines::Lines,
    problem::excerpt,
    read::{Reading, Stop},
};

/// What the file begins with.
pub(crate) const HEAD: &str = "#FORMAT=WebAnno TSV";

/// A span that goes on over several tokens.
struct Open {
    start: u64,
    end: u64,
    label: String,
    line: u64,
}

pub(crate) fn read(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let mut lines = Lines::new(input);
    let (mut text, mut spans): (String, Vec<Open>) = Default::default();
    let mut chained: BTreeMap<String, Open> = BTreeMap::new();
    while let Some((number, line)) = lines.next()? {
        let line = match line {
            Ok(line) => line,
            Err(problem) => {
                reading.problem(problem);
                continue;
            }
        };
        if let Some(sentence) = line.strip_prefix("#Text=") {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&unescaped(sentence));
        } else if !line.starts_with('#') && !line.trim().is_empty() {
            token(line, number, &mut spans, &mut chained, reading);
        }
    }
    spans.extend(chained.into_values());
    spans.sort_by_key(|span| (span.start, span.end));
    let mut item = Rated::at(1, key(&text));
    item.text(&text);
    // Offsets count UTF-16 units; the trace counts code points.
    let points = code_points(&text);
    let point = |unit: u64| points.get(unit as usize).copied().unwrap_or(u64::MAX);
    let who = reading
        .only_rater()
        .unwrap_or_else(|| "somebody".to_owned());
    for span in spans {
        let bounds = (point(span.start), point(span.end));
        if let Some(tag) = tag(&text, bounds, &span.label, span.line, reading) {
            item.marked.push((who.clone(), tag));
        }
    }
    deliver(vec![item], reading)
}

/// The format does not name its document: the same text has the same key.
fn key(text: &str) -> String {
    format!(
        "document-{}",
        crate::digest::short_hex(crate::digest::digest(&[text]))
    )
}

fn unescaped(text: &str) -> String {
    text.replace("\\t", "\t")
        .replace("\\n", "\n")
        .replace("\\r", "\r")
        .replace("\\\\", "\\")
}

/// The code point that each UTF-16 unit, and the end, belongs to.
fn code_points(text: &str) -> Vec<u64> {
    let mut points = Vec::with_capacity(text.len() + 1);
    let mut count = 0;
    for c in text.chars() {
        points.extend(std::iter::repeat_n(count, c.len_utf16()));
        count += 1;
    }
    points.push(count);
    points
}

/// A token's row: number, offsets, word, then columns of layers; `label[2]` ties tokens of one span together.
fn token(
    line: &str,
    number: u64,
    spans: &mut Vec<Open>,
    chained: &mut BTreeMap<String, Open>,
    reading: &mut Reading<'_>,
) {
    let mut columns = line.split('\t');
    let (_, offsets) = (columns.next(), columns.next().unwrap_or_default());
    let bounds = offsets
        .split_once('-')
        .and_then(|(start, end)| start.parse().ok().zip(end.parse().ok()));
    let Some((start, end)) = bounds else {
        reading.problem(
            Problem::new(number, excerpt(offsets), "the token's offsets, such as 0-4")
                .field("offsets"),
        );
        return;
    };
    for column in columns.skip(1) {
        for label in column
            .split('|')
            .map(str::trim)
            .filter(|label| !["", "_", "*"].contains(label))
        {
            let plain = label.split('[').next().unwrap_or(label).to_owned();
            let one = Open {
                start,
                end,
                label: plain.clone(),
                line: number,
            };
            if plain == label {
                spans.push(one);
            } else {
                chained
                    .entry(label.to_owned())
                    .and_modify(|open| open.end = end)
                    .or_insert(one);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::code_points;

    #[test]
    fn utf_16_units_become_code_points() {
        assert_eq!(code_points("a🙂b"), [0, 1, 1, 2, 3]);
    }
}
