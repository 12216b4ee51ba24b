//! Missed tags become units: twins of different raters are one unit, every other tag is its own.

use domain::annotation::MissedTag;
use domain::id::UnitId;
use domain::missed::{MatchRule, Passage};
use domain::scheme::{CategoryRef, Scheme, Validity};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use store::annotation::StoredAnnotation;
use store::unit::{Answer, ItemFacts, Said};

/// Tags of different raters that are one unit.
pub(crate) struct Group<'a> {
    /// The unit.
    pub id: UnitId,
    /// What all of them name.
    pub category: CategoryRef,
    /// What each rater who looked for missed tags marked.
    pub tags: Vec<(&'a StoredAnnotation, Option<&'a MissedTag>)>,
}

/// What a rater said of a missed tag.
pub(crate) fn said(annotation: &StoredAnnotation, found: Option<&MissedTag>) -> Said {
    Said {
        rater: annotation.rater.clone(),
        answer: if found.is_some() {
            Answer::Plain
        } else {
            Answer::NotMarked
        },
        validity: found.map(|_| Validity::Valid),
        severity: found.and_then(|tag| tag.severity),
        better: Vec::new(),
        values: Vec::new(),
    }
}

/// The groups of an item: the k-th tag of one rater goes with the k-th of another that names the same
/// category on the same span, or on one that the study's rule takes for the same. A rater who did not come as far as looking for missed tags says nothing about them.
pub(crate) fn groups<'a>(facts: &'a ItemFacts, scheme: &Scheme) -> Vec<Group<'a>> {
    let looked =
        |a: &&StoredAnnotation| a.ratable && (a.body.nothing_missed || !a.body.missed.is_empty());
    let looked: Vec<&StoredAnnotation> = facts.annotations.iter().filter(looked).collect();
    let mut twins: BTreeMap<_, Vec<Option<&MissedTag>>> = BTreeMap::new();
    for (rater, annotation) in looked.iter().enumerate() {
        let mut seen: BTreeMap<_, usize> = BTreeMap::new();
        for tag in &annotation.body.missed {
            let count = seen.entry((tag.span, tag.code.as_str())).or_default();
            let group = twins
                .entry((tag.span, tag.code.as_str(), *count))
                .or_insert_with(|| vec![None; looked.len()]);
            group[rater] = Some(tag);
            *count += 1;
        }
    }
    let mut heaps: Vec<Heap<'_>> = twins
        .into_iter()
        .map(|((_, code, _), tags)| Heap { code, tags })
        .collect();
    join(&mut heaps, rule(facts));
    let mut groups: Vec<Group<'_>> = Vec::with_capacity(heaps.len());
    for Heap { code, tags: found } in heaps {
        let tags: Vec<_> = looked.iter().copied().zip(found).collect();
        let taken = |id: &UnitId| {
            groups.iter().any(|group| group.id == *id)
                || facts
                    .candidates
                    .iter()
                    .any(|(c, _, _)| c.as_str() == id.as_str())
        };
        let id = identity(facts, &tags, taken);
        let category = scheme.find(code).unwrap_or_else(|| CategoryRef {
            category: code.to_owned(),
            subcategory: None,
        });
        groups.push(Group { id, category, tags });
    }
    groups
}

/// Tags of one code, at most one a rater.
struct Heap<'a> {
    code: &'a str,
    tags: Vec<Option<&'a MissedTag>>,
}

impl Heap<'_> {
    /// How alike two heaps are where no rater is in both and some tag of one matches some tag of the other.
    fn likeness(&self, other: &Self, rule: MatchRule) -> Option<f64> {
        let both = |(a, b): (&Option<_>, &Option<_>)| a.is_some() && b.is_some();
        if self.code != other.code || self.tags.iter().zip(&other.tags).any(both) {
            return None;
        }
        let pairs = self.tags.iter().flatten().flat_map(|a| {
            other
                .tags
                .iter()
                .flatten()
                .filter_map(move |b| rule.likeness(passage(a), passage(b)))
        });
        pairs.reduce(f64::max)
    }
}

fn passage(tag: &MissedTag) -> Passage<'_> {
    Passage {
        span: tag.span,
        quote: &tag.quote,
    }
}

/// The study's rule; an unknown word, which no use case writes, joins nothing.
fn rule(facts: &ItemFacts) -> MatchRule {
    MatchRule::parse(&facts.missed_match).unwrap_or_default()
}

/// Joins the most alike heaps until no two match; the earlier one of equals first, so that the order of rows in the
/// database decides nothing.
fn join(heaps: &mut Vec<Heap<'_>>, rule: MatchRule) {
    if rule == MatchRule::Exact {
        return;
    }
    loop {
        let mut best: Option<(usize, usize, f64)> = None;
        for a in 0..heaps.len() {
            for b in a + 1..heaps.len() {
                if let Some(alike) = heaps[a].likeness(&heaps[b], rule)
                    && best.is_none_or(|(_, _, most)| alike > most)
                {
                    best = Some((a, b, alike));
                }
            }
        }
        let Some((a, b, _)) = best else {
            return;
        };
        let joined = heaps.remove(b);
        for (place, tag) in joined.tags.into_iter().enumerate() {
            if tag.is_some() {
                heaps[a].tags[place] = tag;
            }
        }
    }
}

/// The identity of a group: that of a tag whose unit exists already, ruled ones first, else of the first
/// rater's tag. So a unit keeps its identity when a twin appears beside it.
fn identity(
    facts: &ItemFacts,
    tags: &[(&StoredAnnotation, Option<&MissedTag>)],
    taken: impl Fn(&UnitId) -> bool,
) -> UnitId {
    let ids = || {
        tags.iter()
            .filter_map(|(_, found)| *found)
            .map(|tag| UnitId::new(tag.id.as_str()))
    };
    let candidates = || {
        ids()
            .flat_map(|id| [id.clone(), elsewhere(facts, &id)])
            .filter(|id| !taken(id))
    };
    let kept = |ruled: bool| {
        candidates().find(|id| {
            facts
                .units
                .iter()
                .any(|(unit, standing)| unit.id == *id && (standing.is_some() || !ruled))
        })
    };
    let found = kept(true)
        .or_else(|| kept(false))
        .or_else(|| candidates().next());
    // Only a browser that gives one identity to two tags on two spans can come this far: number them.
    found.unwrap_or_else(|| {
        let first = ids().next().unwrap_or_else(|| UnitId::new(""));
        let mut id = elsewhere(facts, &first);
        while taken(&id) {
            id = elsewhere(facts, &id);
        }
        id
    })
}

/// The identity of a unit whose tag carries one that another unit has: a browser made it, so it may repeat.
pub(crate) fn elsewhere(facts: &ItemFacts, id: &UnitId) -> UnitId {
    let mut digest = Sha256::new();
    digest.update(facts.item.as_str());
    digest.update([0]);
    digest.update(id.as_str());
    UnitId::new(&hex::encode(digest.finalize())[..32])
}
