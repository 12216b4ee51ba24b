//! Finding a judge's evidence in the trace: word for word, else through typography, else around what was left out.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    Span,
    normal::{Case, Normal},
};

/// The shortest piece of an elided quotation that is taken for a place in the text.
const SHORTEST_PART: usize = 3;

/// How a quotation was found in the text it claims to quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnchorKind {
    /// It stands there character for character.
    Verbatim,
    /// It stands there with other quotation marks, dashes, white space or capitals.
    Normalised,
    /// Its parts stand there in order, with text between them left out.
    Elided,
    /// It could not be found.
    Unanchored,
}

impl AnchorKind {
    /// Every kind, closest first.
    pub const ALL: [Self; 4] = [
        Self::Verbatim,
        Self::Normalised,
        Self::Elided,
        Self::Unanchored,
    ];

    /// The word used in tables, files and URLs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verbatim => "verbatim",
            Self::Normalised => "normalised",
            Self::Elided => "elided",
            Self::Unanchored => "unanchored",
        }
    }

    /// The kind that [`AnchorKind::as_str`] calls `word`.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl fmt::Display for AnchorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where a quotation stands in a text; no spans when it is [`AnchorKind::Unanchored`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// How it was found.
    pub kind: AnchorKind,
    /// Where, in the order of the text.
    pub spans: Vec<Span>,
}

/// Looks for `evidence` in `text`; always the first occurrence, always offsets into `text` as given.
pub fn anchor(text: &str, evidence: &str) -> Anchor {
    if evidence.trim().is_empty() {
        return Anchor {
            kind: AnchorKind::Unanchored,
            spans: Vec::new(),
        };
    }
    if let Some(span) = verbatim(text, evidence) {
        return Anchor {
            kind: AnchorKind::Verbatim,
            spans: vec![span],
        };
    }
    let views =
        [Case::Kept, Case::Folded].map(|case| (Normal::of(text, case), Normal::of(evidence, case)));
    let normalised = || {
        views
            .iter()
            .find_map(|(text, evidence)| whole(text, evidence.as_str()))
    };
    let elided = || {
        views
            .iter()
            .find_map(|(text, evidence)| parts(text, evidence.as_str()))
    };
    if let Some(span) = normalised() {
        Anchor {
            kind: AnchorKind::Normalised,
            spans: vec![span],
        }
    } else if let Some(spans) = elided() {
        Anchor {
            kind: AnchorKind::Elided,
            spans,
        }
    } else {
        Anchor {
            kind: AnchorKind::Unanchored,
            spans: Vec::new(),
        }
    }
}

fn verbatim(text: &str, evidence: &str) -> Option<Span> {
    let start = text.find(evidence)?;
    Span::from_bytes(text, start..start + evidence.len()).ok()
}

/// The evidence in one piece; judges like to wrap it in quotation marks of their own, so without those too.
fn whole(text: &Normal, evidence: &str) -> Option<Span> {
    let evidence = evidence.trim();
    [Some(evidence), unquoted(evidence)]
        .into_iter()
        .flatten()
        .find_map(|needle| text.origin(text.find(needle, 0)?))
}

/// What stands between quotation marks that surround the whole of `evidence`.
fn unquoted(evidence: &str) -> Option<&str> {
    let inner = evidence.strip_prefix('\'')?.strip_suffix('\'')?.trim();
    (!inner.is_empty()).then_some(inner)
}

/// The pieces of elided evidence, each after the one before; none unless all are found.
fn parts(text: &Normal, evidence: &str) -> Option<Vec<Span>> {
    let evidence = evidence.trim();
    let pieces = pieces(unquoted(evidence).unwrap_or(evidence));
    if pieces
        .iter()
        .any(|piece| piece.chars().count() < SHORTEST_PART)
    {
        return None;
    }
    let mut from = 0;
    let mut spans = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let found = text.find(piece, from)?;
        spans.push(text.origin(found)?);
        from = found.end;
    }
    (!spans.is_empty()).then_some(spans)
}

/// Splits at `...` and its bracketed forms; an ellipsis at either end splits nothing off. Empty when there is none.
fn pieces(evidence: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = evidence;
    while let Some(at) = rest.find("...") {
        let before = rest[..at].trim_end();
        let after = rest[at..].trim_start_matches('.').trim_start();
        let bracketed = [('[', ']'), ('(', ')')]
            .into_iter()
            .find_map(|(open, close)| {
                Some((before.strip_suffix(open)?, after.strip_prefix(close)?))
            });
        let (before, after) = bracketed.unwrap_or((before, after));
        pieces.push(before.trim());
        rest = after;
    }
    if pieces.is_empty() {
        return pieces;
    }
    pieces.push(rest.trim());
    let last = pieces.len() - 1;
    let inner = |(at, piece): (usize, &str)| (at != 0 && at != last) || !piece.is_empty();
    pieces
        .into_iter()
        .enumerate()
        .filter(|&(at, piece)| inner((at, piece)))
        .map(|(_, piece)| piece)
        .collect()
}

#[cfg(test)]
mod tests;
