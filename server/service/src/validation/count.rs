//! From an item to counts: what is predicted and right or wrong, what is in the reference and found or not.

use super::ground::{Item, Stand, Tag, Unit};
use super::rule::Rule;

/// Who proposes tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Predictor {
    /// A judge, by its place.
    Judge(usize),
    /// A rater, by their place.
    Rater(usize),
}

/// Who is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reference {
    /// The final labels.
    Final,
    /// A rater alone.
    Rater(usize),
}

/// A tag of one of the two sides, and whether the other side has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub category: String,
    pub severity: Option<f64>,
    pub right: bool,
}

/// An item under one rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scored {
    /// The predicted tags.
    pub predicted: Vec<Entry>,
    /// The tags of the reference.
    pub reference: Vec<Entry>,
    /// Whether it is on record what the reference has beyond the judge's tags.
    pub covered: bool,
    /// Tags that could not be compared, by reason.
    pub dropped: Vec<&'static str>,
}

/// A unit as both sides see it.
pub(crate) struct Pair<'a> {
    pub predicted: Stand,
    pub reference: &'a Stand,
    /// Nothing for a tag that no human was asked about.
    pub unit: Option<&'a Unit>,
}

/// Why a tag is left out that a rule cannot score without its severity.
pub(crate) const SEVERITY_MISSING: &str = "severity_missing";

const NO: Stand = Stand::No;
const NOT_REVIEWED: Stand = Stand::Unknown("not_reviewed");

impl Reference {
    pub fn of(self, unit: &Unit) -> &Stand {
        match self {
            Self::Final => &unit.last.stand,
            Self::Rater(at) => &unit.raters[at].stand,
        }
    }

    pub fn severity(self, unit: &Unit) -> Option<f64> {
        match self {
            Self::Final => unit.last.severity,
            Self::Rater(at) => unit.raters[at].severity,
        }
    }

    /// How many tags were missed beyond those listed; nothing where it is not on record whether anything was.
    pub fn unlisted(self, item: &Item) -> Option<u64> {
        match self {
            Self::Rater(at) => item.searches[at]
                .filter(|search| search.looked)
                .map(|search| search.unlisted),
            Self::Final => {
                let ratable = || item.searches.iter().flatten().filter(|s| s.ratable);
                let first = ratable().next()?;
                let open = item.units.iter().any(|unit| {
                    unit.judge.is_none() && matches!(unit.last.stand, Stand::Unknown(_))
                });
                let all = ratable().all(|s| s.looked && s.unlisted == first.unlisted);
                (all && !open).then_some(first.unlisted)
            }
        }
    }
}

/// Whether a judge ran over the item and gave something usable; for a rater, whether they could rate it.
pub(crate) fn took_part(item: &Item, predictor: Predictor) -> bool {
    match predictor {
        Predictor::Judge(at) => item.runs[at] == Some(false),
        Predictor::Rater(at) => item.searches[at].is_some_and(|search| search.ratable),
    }
}

/// The units of an item as both sides see them.
pub(crate) fn pairs(item: &Item, predictor: Predictor, reference: Reference) -> Vec<Pair<'_>> {
    match predictor {
        Predictor::Rater(at) => item
            .units
            .iter()
            .map(|unit| Pair {
                predicted: unit.raters[at].stand.clone(),
                reference: reference.of(unit),
                unit: Some(unit),
            })
            .collect(),
        Predictor::Judge(at) => of_judge(item, at, reference),
    }
}

fn of_judge(item: &Item, judge: usize, reference: Reference) -> Vec<Pair<'_>> {
    let own = |unit: &&Unit| unit.judge == Some(judge);
    let mut pairs: Vec<Pair<'_>> = item
        .units
        .iter()
        .filter(own)
        .map(|unit| Pair {
            predicted: Stand::Yes(unit.tag.clone()),
            reference: reference.of(unit),
            unit: Some(unit),
        })
        .collect();
    // What others proposed or added is the judge's too where it marks the same words under the same category.
    let foreign: Vec<&Unit> = item.units.iter().filter(|unit| !own(unit)).collect();
    let had = |unit: &Unit| {
        item.units.iter().filter(own).any(|mine| {
            mine.tag.category == unit.tag.category && shared(&mine.tag.spans, &unit.tag.spans) > 0
        })
    };
    let links = link(&item.compared[judge], &foreign);
    for (tag, linked) in item.compared[judge].iter().zip(&links) {
        let unit = linked.map(|at| foreign[at]);
        let unseen = if reference.unlisted(item).is_some() {
            &NO
        } else {
            &NOT_REVIEWED
        };
        pairs.push(Pair {
            predicted: Stand::Yes(tag.clone()),
            reference: unit.map_or(unseen, |unit| reference.of(unit)),
            unit,
        });
    }
    for (at, unit) in foreign.iter().enumerate() {
        if !links.contains(&Some(at)) && !had(unit) {
            pairs.push(Pair {
                predicted: Stand::No,
                reference: reference.of(unit),
                unit: Some(unit),
            });
        }
    }
    pairs
}

/// Which unit each tag stands on: the same category first, then the most words in common, each unit once.
fn link(tags: &[Tag], units: &[&Unit]) -> Vec<Option<usize>> {
    let mut close: Vec<(bool, u32, usize, usize)> = Vec::new();
    for (tag_at, tag) in tags.iter().enumerate() {
        for (unit_at, unit) in units.iter().enumerate() {
            let common = shared(&tag.spans, &unit.tag.spans);
            if common > 0 {
                close.push((tag.category == unit.tag.category, common, tag_at, unit_at));
            }
        }
    }
    close.sort_by_key(|(same, common, tag, unit)| (!same, std::cmp::Reverse(*common), *tag, *unit));
    let mut links = vec![None; tags.len()];
    for (_, _, tag, unit) in close {
        if links[tag].is_none() && !links.contains(&Some(unit)) {
            links[tag] = Some(unit);
        }
    }
    links
}

/// How many code points two lists of spans have in common.
pub(crate) fn shared(first: &[(u32, u32)], second: &[(u32, u32)]) -> u32 {
    let common = |a: &(u32, u32)| {
        second
            .iter()
            .map(|b| a.1.min(b.1).saturating_sub(a.0.max(b.0)))
            .sum::<u32>()
    };
    first.iter().map(common).sum()
}

/// Scores an item under a rule.
pub(crate) fn score(item: &Item, predictor: Predictor, reference: Reference, rule: Rule) -> Scored {
    let unlisted = reference.unlisted(item);
    let mut scored = Scored {
        covered: unlisted.is_some(),
        ..Scored::default()
    };
    let entry = |tag: &Tag, right| Entry {
        category: tag.category.clone(),
        severity: tag.severity,
        right,
    };
    for pair in pairs(item, predictor, reference) {
        match (&pair.predicted, pair.reference) {
            (Stand::Unknown(why), _) | (_, Stand::Unknown(why)) => scored.dropped.push(why),
            (Stand::Yes(tag), _) if rule.wants_severity(tag) => {
                scored.dropped.push(SEVERITY_MISSING);
            }
            (Stand::No, Stand::No) => {}
            (Stand::Yes(tag), Stand::No) => scored.predicted.push(entry(tag, false)),
            (Stand::No, Stand::Yes(tag)) => scored.reference.push(entry(tag, false)),
            (Stand::Yes(tag), Stand::Yes(right)) => match rule.matches(tag, right) {
                None => scored.dropped.push(SEVERITY_MISSING),
                Some(hit) => {
                    scored.predicted.push(entry(tag, hit));
                    scored.reference.push(entry(right, hit));
                }
            },
        }
    }
    for _ in 0..unlisted.unwrap_or_default() {
        scored.reference.push(Entry {
            category: String::new(),
            severity: None,
            right: false,
        });
    }
    scored
}
