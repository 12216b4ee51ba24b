//! When missed tags of different raters are one unit.

use serde::{Deserialize, Serialize};

/// The rule by which two missed tags of the same category, by different raters, are taken for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum MatchRule {
    /// The same words.
    #[default]
    Exact,
    /// At least one character in common.
    Overlap,
    /// At least this share of tokens in common: intersection over union, above 0 and at most 1.
    TokenIou(f64),
}

impl MatchRule {
    /// Reads the stored word: `exact`, `overlap`, `iou:0.5`.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "exact" => Some(Self::Exact),
            "overlap" => Some(Self::Overlap),
            _ => {
                let share: f64 = word.strip_prefix("iou:")?.parse().ok()?;
                (share > 0.0 && share <= 1.0).then_some(Self::TokenIou(share))
            }
        }
    }

    /// How alike two marked passages are where the rule takes them for one: their share of common tokens. Tags without
    /// a span are alike only when neither has one.
    pub fn likeness(self, a: Passage<'_>, b: Passage<'_>) -> Option<f64> {
        let (Some(at), Some(bt)) = (a.span, b.span) else {
            return (a.span == b.span).then_some(1.0);
        };
        let alike = token_iou((at, a.quote), (bt, b.quote));
        let one = match self {
            Self::Exact => at == bt,
            Self::Overlap => at.0 < bt.1 && bt.0 < at.1,
            Self::TokenIou(least) => alike >= least,
        };
        one.then_some(alike)
    }
}

impl From<MatchRule> for String {
    fn from(rule: MatchRule) -> Self {
        match rule {
            MatchRule::Exact => "exact".into(),
            MatchRule::Overlap => "overlap".into(),
            MatchRule::TokenIou(share) => format!("iou:{share}"),
        }
    }
}

impl TryFrom<String> for MatchRule {
    type Error = &'static str;

    fn try_from(word: String) -> Result<Self, Self::Error> {
        Self::parse(&word).ok_or("exact, overlap or iou:0.5")
    }
}

/// What a missed tag marks: a range in code points and its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'a> {
    /// Start and end.
    pub span: Option<(u32, u32)>,
    /// The words.
    pub quote: &'a str,
}

/// Shared tokens over all tokens of two passages of one text. A token is a run of characters between white space;
/// tokens that a span cuts through count as the token they are part of.
fn token_iou(a: ((u32, u32), &str), b: ((u32, u32), &str)) -> f64 {
    let (a, b) = (tokens(a.0.0, a.1), tokens(b.0.0, b.1));
    let shared = a
        .iter()
        .filter(|x| b.iter().any(|y| x.0 < y.1 && y.0 < x.1))
        .count();
    let all = a.len() + b.len() - shared;
    if all == 0 {
        0.0
    } else {
        shared as f64 / all as f64
    }
}

/// Start and end of each token, in code points of the whole text.
fn tokens(start: u32, quote: &str) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    let mut open = false;
    for (at, c) in (start..).zip(quote.chars()) {
        if c.is_whitespace() {
            open = false;
        } else if open && let Some(last) = found.last_mut() {
            last.1 = at + 1;
        } else {
            found.push((at, at + 1));
            open = true;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{MatchRule, Passage};

    // "she hears voices at night": she 0-3, hears 4-9, voices 10-16, at 17-19, night 20-25.
    fn passage(start: u32, quote: &str) -> Passage<'_> {
        let end = start + quote.chars().count() as u32;
        Passage {
            span: Some((start, end)),
            quote,
        }
    }

    #[test]
    fn exact_wants_the_same_words_and_overlap_one_character() {
        let (a, b) = (passage(4, "hears voices"), passage(10, "voices at"));
        assert_eq!(MatchRule::Exact.likeness(a, b), None);
        assert_eq!(MatchRule::Exact.likeness(a, a), Some(1.0));
        // hears, voices, at: one of three tokens is shared.
        assert_eq!(MatchRule::Overlap.likeness(a, b), Some(1.0 / 3.0));
        let touching = passage(16, " at");
        assert_eq!(MatchRule::Overlap.likeness(a, touching), None);
    }

    #[test]
    fn a_share_of_tokens_decides_under_iou() {
        let (a, b) = (passage(4, "hears voices"), passage(0, "she hears voices"));
        // Two of three tokens.
        assert!(MatchRule::TokenIou(0.6).likeness(a, b).is_some());
        assert!(MatchRule::TokenIou(0.7).likeness(a, b).is_none());
    }

    #[test]
    fn a_span_that_cuts_a_token_still_has_it() {
        let (a, b) = (passage(4, "hears voi"), passage(6, "ars voices"));
        assert_eq!(MatchRule::TokenIou(1.0).likeness(a, b), Some(1.0));
    }

    #[test]
    fn tags_without_a_span_are_one_only_among_themselves() {
        let none = Passage {
            span: None,
            quote: "",
        };
        for rule in [
            MatchRule::Exact,
            MatchRule::Overlap,
            MatchRule::TokenIou(0.1),
        ] {
            assert_eq!(rule.likeness(none, none), Some(1.0));
            assert_eq!(rule.likeness(none, passage(0, "she")), None);
        }
    }

    #[test]
    fn the_word_comes_back_and_nonsense_is_refused() {
        for word in ["exact", "overlap", "iou:0.5", "iou:1"] {
            assert_eq!(
                MatchRule::parse(word).map(String::from).as_deref(),
                Some(word)
            );
        }
        for word in ["", "iou:0", "iou:1.2", "iou:NaN", "iou:-1", "near"] {
            assert_eq!(MatchRule::parse(word), None, "{word}");
        }
    }
}
