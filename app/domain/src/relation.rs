//! How the parts of a trace relate to the input and to earlier parts, one line of words each.
//!
//! `3 SUPPORTS 1` relates part 3 to part 1, `1 ENTAILS input` relates a part to the input. `join 4` says that part 4 belongs
//! to the one before it, `split 2 but then` that a new part begins at these words of part 2. The new part is called 2b, a
//! further one 2c, and relates like any other: `2b REFINES 2`.

use crate::scheme::ItemQuestion;
use std::collections::BTreeSet;

/// A part, or the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Counted from 1; 0 is the input.
    pub part: u32,
    /// 0 for the part as it was divided first, 1 for what was split off it (b), and so on.
    pub piece: u32,
}

impl Place {
    /// The input.
    pub const INPUT: Self = Self::of(0);

    /// A part as it was divided first.
    pub const fn of(part: u32) -> Self {
        Self { part, piece: 0 }
    }

    fn parse(word: &str) -> Option<Self> {
        let (digits, piece) = match word.as_bytes().last()? {
            letter @ b'b'..=b'z' => (&word[..word.len() - 1], u32::from(letter - b'a')),
            _ => (word, 0),
        };
        let part = digits.parse().ok()?;
        Some(Self { part, piece })
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let piece = u8::try_from(self.piece).unwrap_or_default().min(25);
        match (self.part, piece) {
            (0, _) => out.write_str("input"),
            (part, 0) => write!(out, "{part}"),
            (part, piece) => write!(out, "{part}{}", char::from(b'a' + piece)),
        }
    }
}

/// One line of an answer about relations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation<'a> {
    /// A part relates to the input or to an earlier part.
    Link {
        /// The part.
        part: Place,
        /// The code of the relation.
        label: &'a str,
        /// What it relates to.
        target: Place,
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
            let part = Place::parse(part)?;
            let target = if target == "input" {
                Place::INPUT
            } else {
                Place::parse(target)?
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
pub fn link(part: Place, label: &str, target: Place) -> String {
    format!("{part} {label} {target}")
}

/// Where the pieces of a part begin, in code points from the part's beginning, and the words that do not stand in it
/// after those before them.
pub fn pieces<'a>(text: &str, splits: &[&'a str]) -> (Vec<u32>, Vec<&'a str>) {
    let (mut begins, mut lost) = (Vec::new(), Vec::new());
    let mut from = 0;
    for words in splits {
        // What begins with the part itself is no new one.
        let after = text[from..].chars().next().map_or(0, char::len_utf8);
        match text[from + after..].find(words) {
            Some(at) => {
                from += after + at;
                begins.push(text[..from].chars().count() as u32);
            }
            None => lost.push(*words),
        }
    }
    (begins, lost)
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

/// The links as they stand once joins are carried out: what related to a joined part relates to the part it belongs to,
/// a part does not relate to itself, and what then says the same says it once.
pub fn links(lines: &[String]) -> Vec<(Place, &str, Place)> {
    let (mut joined, mut split) = (BTreeSet::new(), BTreeSet::new());
    let mut said = Vec::new();
    for line in lines {
        match parse(line) {
            Some(Relation::Join(part)) => _ = joined.insert(part),
            Some(Relation::Split(part, words)) => _ = split.insert((part, words)),
            Some(Relation::Link {
                part,
                label,
                target,
            }) => said.push((part, label, target)),
            None => {}
        }
    }
    // What belongs to the part before it belongs to the last piece of it.
    let home = |mut place: Place| {
        while place.piece == 0 && joined.contains(&place.part) {
            let part = place.part - 1;
            let piece = split.iter().filter(|(of, _)| *of == part).count() as u32;
            place = Place { part, piece };
        }
        place
    };
    let mut links = Vec::with_capacity(said.len());
    for (part, label, target) in said {
        let link = (home(part), label, home(target));
        if link.0 != link.2 && !links.contains(&link) {
            links.push(link);
        }
    }
    links
}

/// The share of [`links`] with this label; nothing without a link.
pub fn share(lines: &[String], label: &str) -> Option<f64> {
    let links = links(lines);
    let of_it = links.iter().filter(|(_, found, _)| *found == label).count();
    (!links.is_empty()).then(|| of_it as f64 / links.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::{Place, Relation, link, links, parse, parts, pieces, share};

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_are_read_and_written_alike() {
        let all = [
            ("3 SUPPORTS 1", Place::of(3), Place::of(1)),
            ("1 ENTAILS input", Place::of(1), Place::INPUT),
            (
                "2c REFINES 2b",
                Place { part: 2, piece: 2 },
                Place { part: 2, piece: 1 },
            ),
        ];
        for (line, part, target) in all {
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
    fn pieces_begin_at_their_words_in_order() {
        let text = "Ärger first, but then calm, but then sleep.";
        assert_eq!(
            pieces(text, &["but then", "but then", "never"]),
            (vec![13, 28], vec!["never"])
        );
        assert_eq!(pieces(text, &["Ärger"]), (vec![], vec!["Ärger"]));
    }

    #[test]
    fn no_part_relates_to_itself_or_to_a_later_one() {
        assert_eq!(parse("2 SUPPORTS 2"), None);
        assert_eq!(parse("2 SUPPORTS 3"), None);
        assert_eq!(parse("2b SUPPORTS 2c"), None);
        assert_eq!(
            parse("2a SUPPORTS 1"),
            None,
            "the first piece has no letter"
        );
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
            "split 1 so",
            "3 REFINES 1",
            "4 SUPPORTS 3",
        ]);
        assert_eq!(share(&all, "IRRELEVANT"), Some(0.25));
        assert_eq!(share(&lines(&["join 2"]), "IRRELEVANT"), None);
    }

    #[test]
    fn what_related_to_a_joined_part_relates_to_the_part_it_belongs_to() {
        let all = lines(&[
            "1 ENTAILS input",
            "2 ENTAILS input",
            "3 REFINES 2",
            "4 CONTRADICTS 3",
            "join 3",
            "join 2",
            "split 1 so",
        ]);
        // Parts 2 and 3 belong to the last piece of part 1, which is 1b: it entails the input, and 4 contradicts it.
        let piece = Place { part: 1, piece: 1 };
        assert_eq!(
            links(&all),
            [
                (Place::of(1), "ENTAILS", Place::INPUT),
                (piece, "ENTAILS", Place::INPUT),
                (Place::of(4), "CONTRADICTS", piece),
            ]
        );
        assert_eq!(share(&all, "CONTRADICTS"), Some(1.0 / 3.0));
        let twice = lines(&["1 ENTAILS input", "2 ENTAILS input", "join 2"]);
        assert_eq!(
            links(&twice).len(),
            1,
            "said by both parts, it is said once"
        );
    }
}
