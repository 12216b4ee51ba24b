//! Missed tags become units: twins of different raters are one unit, every other tag is its own.

use domain::id::UnitId;
use domain::scheme::Validity;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use store::unit::{AnnotationFacts, Answer, ItemFacts, MissedFacts, Said};

/// Tags of different raters that are one unit.
pub(crate) struct Group<'a> {
    /// The unit.
    pub id: UnitId,
    /// The category all of them name.
    pub category: &'a str,
    /// The subcategory all of them name; may be empty.
    pub subcategory: &'a str,
    /// What each rater who looked for missed tags marked.
    pub tags: Vec<(&'a AnnotationFacts, Option<&'a MissedFacts>)>,
}

impl Group<'_> {
    /// What a rater said of this unit.
    pub fn said(&self, annotation: &AnnotationFacts, found: Option<&MissedFacts>) -> Said {
        Said {
            rater: annotation.rater.clone(),
            answer: if found.is_some() { Answer::Plain } else { Answer::NotMarked },
            validity: found.map(|_| Validity::Valid),
            severity: found.and_then(|found| found.tag.severity),
            better: Vec::new(),
        }
    }
}

type Key<'a> = (Option<(u32, u32)>, &'a str, &'a str, usize);

/// The groups of an item: the k-th tag of one rater goes with the k-th of another that names the same
/// category on the same span. A rater who did not come as far as looking for missed tags says nothing about them.
pub(crate) fn groups(facts: &ItemFacts) -> Vec<Group<'_>> {
    let looked: Vec<&AnnotationFacts> =
        facts.annotations.iter().filter(|a| a.ratable && (a.nothing_missed || !a.missed.is_empty())).collect();
    let mut twins: BTreeMap<Key<'_>, Vec<Option<&MissedFacts>>> = BTreeMap::new();
    for (rater, annotation) in looked.iter().enumerate() {
        let mut seen: BTreeMap<_, usize> = BTreeMap::new();
        for found in &annotation.missed {
            let what = (found.tag.span, found.category.as_str(), found.subcategory.as_str());
            let count = seen.entry(what).or_default();
            let group = twins.entry((what.0, what.1, what.2, *count)).or_insert_with(|| vec![None; looked.len()]);
            group[rater] = Some(found);
            *count += 1;
        }
    }
    let mut groups: Vec<Group<'_>> = Vec::with_capacity(twins.len());
    for ((_, category, subcategory, _), found) in twins {
        let tags: Vec<_> = looked.iter().copied().zip(found).collect();
        let taken = |id: &UnitId| groups.iter().any(|group| group.id == *id);
        let id = identity(facts, &tags, taken);
        groups.push(Group { id, category, subcategory, tags });
    }
    groups
}

/// The identity of a group: that of a tag whose unit exists already, ruled ones first, else of the first
/// rater's tag. So a unit keeps its identity when a twin appears beside it.
fn identity(
    facts: &ItemFacts,
    tags: &[(&AnnotationFacts, Option<&MissedFacts>)],
    taken: impl Fn(&UnitId) -> bool,
) -> UnitId {
    let ids = || tags.iter().filter_map(|(_, found)| *found).map(|found| UnitId::new(found.tag.id.as_str()));
    let kept = |ruled: bool| {
        ids().flat_map(|id| [id.clone(), elsewhere(facts, &id)]).find(|id| {
            !taken(id) && facts.units.iter().any(|(unit, standing)| unit.id == *id && (standing.is_some() || !ruled))
        })
    };
    let first = || ids().find(|id| !taken(id));
    kept(true).or_else(|| kept(false)).or_else(first).unwrap_or_else(|| {
        let all: Vec<_> = ids().collect();
        elsewhere(facts, &all[0])
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
