//! How the parts of a trace relate to the input and to earlier parts, one line of words each.
//!
//! `3 SUPPORTS 1` relates part 3 to part 1, `1 ENTAILS input` relates a part to the input. `join 4` says that part 4 belongs
//! to the one before it, `split 2 but then` that a new part begins at these words of part 2.

use crate::scheme::ItemQuestion;

/// One line of an answer about relations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation<'a> {
    /// A part relates to the input (0) or to an earlier part.
    Link {
        /// The part, counted from 1.
        part: u32,
        /// The code of the relation.
        label: &'a str,
        /// 0 for the input.
        target: u32,
    },
    /// The part belongs to the one before it.
    Join(u32),
    /// A new part begins at these words of the part.
    Split(u32, &'a str),
}

/// Reads a line; nothing when it is none.
pub fn parse(line: &str) -> Option<Relation<'_>> {
    let (first, rest) = line.trim().split_once(' ')?;
    let rest = rest.trim();
    match first {
        "join" => rest
            .parse()
            .ok()
            .filter(|part| *part > 1)
            .map(Relation::Join),
        "split" => {
            let (part, words) = rest.split_once(' ')?;
            let words = words.trim();
            (!words.is_empty()).then_some(Relation::Split(part.parse().ok()?, words))
        }
        part => {
            let (label, target) = rest.rsplit_once(' ')?;
            let part: u32 = part.parse().ok()?;
            let target = if target == "input" {
                0
            } else {
                target.parse().ok()?
            };
            (target < part).then_some(Relation::Link {
                part,
                label: label.trim(),
                target,
            })
        }
    }
}

/// Writes a link as a line.
pub fn link(part: u32, label: &str, target: u32) -> String {
    if target == 0 {
        format!("{part} {label} input")
    } else {
        format!("{part} {label} {target}")
    }
}

/// Whether a line is one that the question takes.
pub fn is_known(line: &str, question: &ItemQuestion) -> bool {
    match parse(line) {
        Some(Relation::Link { label, .. }) => {
            question.levels.iter().any(|level| level.word() == label)
        }
        Some(Relation::Join(_) | Relation::Split(..)) => true,
        None => false,
    }
}

/// The number of parts once joins and splits are carried out on a trace of `parts` parts.
pub fn parts(lines: &[String], parts: usize) -> usize {
    let (mut joined, mut split) = (Vec::new(), Vec::new());
    for line in lines {
        match parse(line) {
            Some(Relation::Join(part)) if part as usize <= parts => joined.push(part),
            Some(Relation::Split(part, words)) if part as usize <= parts => {
                split.push((part, words));
            }
            _ => {}
        }
    }
    joined.sort_unstable();
    joined.dedup();
    split.sort_unstable();
    split.dedup();
    (parts + split.len()).saturating_sub(joined.len())
}

/// The share of links with this label; nothing without a link.
pub fn share(lines: &[String], label: &str) -> Option<f64> {
    let labels: Vec<&str> = lines
        .iter()
        .filter_map(|line| match parse(line) {
            Some(Relation::Link { label, .. }) => Some(label),
            _ => None,
        })
        .collect();
    let of_it = labels.iter().filter(|found| **found == label).count();
    (!labels.is_empty()).then(|| of_it as f64 / labels.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::{Relation, link, parse, parts, share};

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_are_read_and_written_alike() {
        for (line, part, target) in [("3 SUPPORTS 1", 3, 1), ("1 ENTAILS input", 1, 0)] {
            let Some(Relation::Link {
                part: p,
                label,
                target: t,
            }) = parse(line)
            else {
                panic!("{line} is a link");
            };
            assert_eq!((p, t), (part, target));
            assert_eq!(link(p, label, t), line);
        }
        assert_eq!(
            parse("split 2 but then"),
            Some(Relation::Split(2, "but then"))
        );
    }

    #[test]
    fn no_part_relates_to_itself_or_to_a_later_one() {
        assert_eq!(parse("2 SUPPORTS 2"), None);
        assert_eq!(parse("2 SUPPORTS 3"), None);
        assert_eq!(parse("join 1"), None, "the first part has none before it");
    }

    #[test]
    fn joins_and_splits_change_the_number_of_parts_once_each() {
        assert_eq!(
            parts(&lines(&["join 3", "join 3", "split 1 a", "split 1 b"]), 4),
            5
        );
        assert_eq!(parts(&lines(&["join 9"]), 4), 4, "there is no part 9");
    }

    #[test]
    fn boundaries_do_not_enter_the_share_of_a_relation() {
        let all = lines(&[
            "1 ENTAILS input",
            "2 IRRELEVANT input",
            "join 2",
            "3 REFINES 1",
            "4 SUPPORTS 3",
        ]);
        assert_eq!(share(&all, "IRRELEVANT"), Some(0.25));
        assert_eq!(share(&lines(&["join 2"]), "IRRELEVANT"), None);
    }
}
