//! Files that are one JSON document, known by their shape.

use std::collections::HashSet;

use super::{Format, string, top_level_keys};

/// The format of a file that is one JSON document, by the fields of its outermost object.
pub(super) fn document(text: &str) -> Option<Format> {
    let keys = top_level_keys(text);
    let has = |key: &str| keys.iter().any(|known| known == key);
    if has("categories") && text.contains("\"subcategories\"") {
        return Some(Format::ManualJson);
    }
    if has("instances") && has("annotations") {
        return Some(Format::JudgeBenchJson);
    }
    if has("items") && !has("key") && !has("tags") {
        return Some(Format::MindevalHumanJson);
    }
    alt_test(text).then_some(Format::AltTestJson)
}

/// Whether a document is raters with values by item: an object of objects of plain values, of several raters and several items, and
/// nothing behind it. The text may be the beginning of one.
fn alt_test(text: &str) -> bool {
    let (mut depth, mut begins, mut closed) = (0_u32, false, false);
    let (mut raters, mut items) = (HashSet::new(), HashSet::new());
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if c.is_whitespace() {
            continue;
        }
        // Another document follows: the file is a line of many.
        if closed {
            return false;
        }
        // What begins a value: a rater has an object, an item has none and no list either.
        if begins && (c == '[' || (depth == 1) != (c == '{')) {
            return false;
        }
        let value = std::mem::take(&mut begins);
        match c {
            '"' => {
                let text = string(&mut characters);
                if !value && depth == 1 {
                    raters.insert(text);
                } else if !value && depth == 2 {
                    items.insert(text);
                }
            }
            ':' => begins = true,
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                closed = depth == 0;
            }
            _ => {}
        }
    }
    items.len() > 1 && (raters.len() > 1 || !closed)
}

/// Whether a list holds tasks with annotations and data.
pub(super) fn tasks(text: &str) -> bool {
    let has = |name: &str| text.contains(&format!("\"{name}\""));
    has("data") && has("annotations") && (has("result") || has("completed_by"))
}

/// Whether a list holds tasks as Label Studio writes them without their annotations.
pub(super) fn small_tasks(text: &str) -> bool {
    let has = |name: &str| text.contains(&format!("\"{name}\""));
    has("annotation_id") && has("annotator")
}

#[cfg(test)]
mod tests {
    use crate::{Format, sniff};

    #[test]
    fn only_raters_with_values_by_item_are_an_alt_test() {
        let alt = Ok(Format::AltTestJson);
        assert_eq!(
            sniff(br#"{"r1": {"i1": 1, "i2": "a: {b}"}, "r2": {"i2": null}}"#),
            alt
        );
        assert_eq!(
            sniff(br#"{"r1": {"i1": 1.5, "i2": true, "i3"#),
            alt,
            "the beginning of a long file"
        );
        for other in [
            // Settings, a summary, a package, a trace of a run, one item, one rater, scores by criterion.
            r#"{"patient": {"model": "p", "seed": 1}, "counselor": {"model": "c"}, "seed": 0}"#,
            r#"{"n_replies": 1, "mqm": {"mean": 3}}"#,
            r#"{"low": {"score": "1"}, "high": {"score": "5"}}"#,
            "{\"knobs\": {\"a\": 1, \"b\": 2}, \"meta\": {\"a\": 1}}\n{\"knobs\": {\"a\": 1}}\n",
            r#"{"r1": {"i1": 1, "i2": 2}}"#,
            r#"{"r1": {"i1": {"x": 1}, "i2": {"x": 1}}, "r2": {"i1": {"x": 1}}}"#,
            r#"{"r1": {"i1": [1], "i2": [2]}, "r2": {"i1": [1]}}"#,
        ] {
            assert!(sniff(other.as_bytes()).is_err(), "{other}");
        }
    }
}
