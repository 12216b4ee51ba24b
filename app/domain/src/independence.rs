//! Whether the judgements of an item were made independently, as far as the record can tell.

use serde::{Deserialize, Serialize};

/// One rater's part in an item, in epoch milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// It came with a file: nothing is known of how it was made.
    pub imported: bool,
    /// When the first version was submitted.
    pub first: Option<i64>,
    /// When the version that counts was submitted.
    pub last: Option<i64>,
    /// When the rater was first shown another's judgement of the item.
    pub shown: Option<i64>,
    /// The log tells of the same number of submissions as there are versions.
    pub logged: bool,
}

/// What the record says of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// A rater was shown another's judgement before all were in. It must never be found.
    SeenBefore,
    /// Log and tables tell different stories.
    Unlogged,
    /// A rater changed their judgement after they were shown another's.
    ChangedAfter,
    /// Somebody has not submitted.
    Waiting,
    /// A judgement came with a file: nobody can tell here how it was made.
    Imported,
    /// Every judgement that counts was given before its author was shown another's.
    Independent,
}

impl Finding {
    /// Every finding, the gravest first.
    pub const ALL: [Self; 6] = [
        Self::SeenBefore,
        Self::Unlogged,
        Self::ChangedAfter,
        Self::Waiting,
        Self::Imported,
        Self::Independent,
    ];

    /// The word in tables and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SeenBefore => "seen_before",
            Self::Unlogged => "unlogged",
            Self::ChangedAfter => "changed_after",
            Self::Waiting => "waiting",
            Self::Imported => "imported",
            Self::Independent => "independent",
        }
    }

    /// The gravest that is true of an item.
    pub fn of(parts: &[Part]) -> Self {
        let all_in = all_in(parts);
        let seen_before = |part: &Part| {
            part.shown
                .is_some_and(|shown| all_in.is_none_or(|all_in| shown < all_in))
        };
        let changed_after = |part: &Part| {
            part.shown
                .zip(part.last)
                .is_some_and(|(shown, last)| last > shown)
        };
        if parts.iter().any(seen_before) {
            Self::SeenBefore
        } else if parts.iter().any(|part| !part.imported && !part.logged) {
            Self::Unlogged
        } else if parts.iter().any(changed_after) {
            Self::ChangedAfter
        } else if all_in.is_none() {
            Self::Waiting
        } else if parts.iter().any(|part| part.imported) {
            Self::Imported
        } else {
            Self::Independent
        }
    }
}

/// When the last of the raters had submitted a first version; nothing while somebody has not.
pub fn all_in(parts: &[Part]) -> Option<i64> {
    let firsts: Option<Vec<i64>> = parts.iter().map(|part| part.first).collect();
    firsts.and_then(|firsts| firsts.into_iter().max())
}

#[cfg(test)]
mod tests {
    use super::{Finding as F, Part, all_in};

    fn part(first: i64, last: i64, shown: Option<i64>) -> Part {
        Part {
            imported: false,
            first: Some(first),
            last: Some(last),
            shown,
            logged: true,
        }
    }

    #[test]
    fn every_finding_and_the_gravest_first() {
        let (a, b) = (part(10, 10, None), part(20, 20, None));
        let nothing = Part {
            logged: true,
            ..Part::default()
        };
        let imported = Part {
            imported: true,
            logged: false,
            ..part(5, 5, None)
        };
        let silent = Part { logged: false, ..b };
        let shown = |part: Part, at: i64| Part {
            shown: Some(at),
            ..part
        };
        for (parts, finding) in [
            (vec![a, b], F::Independent),
            (vec![shown(a, 20), shown(b, 30)], F::Independent),
            (vec![part(10, 25, None), b], F::Independent),
            (vec![imported, b], F::Imported),
            (vec![a, nothing], F::Waiting),
            (vec![shown(part(10, 40, None), 30), b], F::ChangedAfter),
            (vec![a, silent], F::Unlogged),
            (vec![shown(a, 19), b], F::SeenBefore),
            (vec![shown(a, 50), nothing], F::SeenBefore),
            (vec![shown(a, 19), silent], F::SeenBefore),
            (Vec::new(), F::Waiting),
        ] {
            assert_eq!(F::of(&parts), finding, "{parts:?}");
        }
        assert_eq!(all_in(&[a, b]), Some(20));
        assert_eq!(all_in(&[a, nothing]), None);
    }
}
