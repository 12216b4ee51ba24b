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

/// The answer of whoever finds no relation at all; an empty one says nothing, so that the judge's stand. It is the word that
/// says so of points, because forms send both alike.
pub const NONE: &str = crate::annotation::NO_POINTS;

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

/// The lines that raters' answers come to: those that more than half of them draw, or half of them and the judge, links
/// in the order of their steps; [`NONE`] where nothing stands.
pub fn together(raters: &[&[String]], judge: &[String]) -> Vec<String> {
    let has = |lines: &[String], line: &str| lines.iter().any(|other| other.trim() == line);
    let mut all: Vec<&str> = raters
        .iter()
        .copied()
        .flatten()
        .map(|line| line.trim())
        .collect();
    all.sort_by_key(|line| {
        let order = match parse(line) {
            Some(Relation::Link { part, target, .. }) => (0, part, target),
            Some(Relation::Join(step)) => (1, Place::of(step), Place::INPUT),
            Some(Relation::Split(step, _)) => (2, Place::of(step), Place::INPUT),
            None => (3, Place::INPUT, Place::INPUT),
        };
        (order, *line)
    });
    all.dedup();
    let stands = |line: &&str| {
        let votes = raters.iter().filter(|lines| has(lines, line)).count() * 2;
        votes > raters.len() || (votes == raters.len() && has(judge, line))
    };
    let mut stands: Vec<String> = all.into_iter().filter(stands).map(str::to_owned).collect();
    if stands.is_empty() {
        stands.push(NONE.to_owned());
    }
    stands
}

/// Leaves out what is said of pieces that no split makes.
pub fn drop_pieces(lines: &mut Vec<String>) {
    let splits = |step: u32| {
        let lines = lines
            .iter()
            .filter(move |line| matches!(parse(line), Some(Relation::Split(of, _)) if of == step));
        lines.count()
    };
    let there = |place: Place| place.piece == 0 || splits(place.part) >= place.piece as usize;
    let kept: Vec<bool> = lines
        .iter()
        .map(|line| match parse(line) {
            Some(Relation::Link { part, target, .. }) => there(part) && there(target),
            _ => true,
        })
        .collect();
    let mut kept = kept.into_iter();
    lines.retain(|_| kept.next().unwrap_or(true));
}

/// Whether a line is one that the question takes.
pub fn is_known(line: &str, question: &ItemQuestion) -> bool {
    match parse(line) {
        Some(Relation::Link { label, .. }) => {
            question.levels.iter().any(|level| level.word() == label)
        }
        Some(Relation::Join(_) | Relation::Split(..)) => true,
        None => line == NONE,
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
mod tests;
