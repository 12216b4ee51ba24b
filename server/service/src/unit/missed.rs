//! Missed tags become units: twins of different raters are one unit, every other tag is its own.

use domain::annotation::MissedTag;
use domain::id::UnitId;
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
/// category on the same span. A rater who did not come as far as looking for missed tags says nothing about them.
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
    let mut groups: Vec<Group<'_>> = Vec::with_capacity(twins.len());
    for ((_, code, _), found) in twins {
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
