//! The units of an item, derived from its annotations and rulings: nothing here is remembered, so nothing drifts.

use super::{missed, question};
use domain::annotation::Judgement;
use domain::id::{CandidateId, UnitId};
use domain::scheme::{Category, Scheme};
use domain::unit::{
    Difference, Facts, RulingStanding, UnitKind, UnitState, compare, compare_missed,
};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use store::annotation::StoredAnnotation;
use store::unit::{Answer, ItemFacts, Said, Standing, Unit};

/// What units are measured by: the scheme, and what of it a ruling rests on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure<'a> {
    /// The scheme.
    pub scheme: &'a Scheme,
    /// The hash of what each category means.
    pub meaning: &'a Meaning,
}

/// The hash of what each category of a scheme means: its definition and notes and those of its subcategories, the
/// scale and the possible judgements. A new version that leaves all of that as it was leaves rulings standing;
/// examples and wording elsewhere do not touch them.
#[derive(Clone, Debug)]
pub(crate) struct Meaning(HashMap<String, String>);

impl Meaning {
    /// Reads it off a scheme.
    pub fn of(scheme: &Scheme) -> Self {
        let of = |category: &Category| {
            let mut bare = category.clone();
            for sub in &mut bare.subcategories {
                sub.examples.clear();
            }
            let mut digest = Sha256::new();
            // Texts and numbers only: there is nothing in them that could fail to serialise.
            let text = serde_json::to_string(&(
                &bare,
                &scheme.severity,
                &scheme.candidates,
                &scheme.disagreement,
            ));
            digest.update(text.unwrap_or_default());
            (category.id.clone(), hex::encode(digest.finalize()))
        };
        Self(scheme.categories.iter().map(of).collect())
    }

    /// The hash of a category; empty for one that the scheme no longer has.
    pub fn of_category(&self, code: &str) -> &str {
        self.0.get(code).map_or("", String::as_str)
    }
}

/// The units that follow from the facts, candidates first; none before a rater has answered, so that drawing a batch
/// costs nothing here. A unit that somebody ruled on or discussed stays even when the tag it was about is gone; its ruling is
/// then stale.
pub(crate) fn derive(facts: &ItemFacts, measure: Measure<'_>) -> Vec<Unit> {
    if facts.annotations.is_empty() && facts.units.is_empty() {
        return Vec::new();
    }
    let mut units: Vec<Unit> = facts
        .candidates
        .iter()
        .map(|candidate| of_candidate(facts, candidate, measure))
        .collect();
    // That there is one more unit, and of which category, would itself tell what a rater found: it waits until all are in.
    // One that is known already stays while an annotation is open again.
    let known = |id: &UnitId| facts.units.iter().any(|(unit, _)| unit.id == *id);
    units.extend(
        missed::groups(facts, measure.scheme)
            .into_iter()
            .filter(|group| facts.all_in() || known(&group.id))
            .map(|group| of_missed(facts, &group, measure)),
    );
    units.extend(question::of_item(facts, measure));
    for (kept, standing) in &facts.units {
        let kept_for =
            standing.is_some() || facts.discussed.iter().any(|(unit, _)| *unit == kept.id);
        if kept_for && units.iter().all(|unit| unit.id != kept.id) {
            units.push(gone(facts, kept, measure));
        }
    }
    units
}

fn of_candidate(
    facts: &ItemFacts,
    (id, category, subcategory): &(CandidateId, String, String),
    measure: Measure<'_>,
) -> Unit {
    let said: Vec<Said> = facts
        .annotations
        .iter()
        .map(|annotation| said_of_candidate(annotation, id))
        .collect();
    let judged = facts
        .annotations
        .iter()
        .filter(|annotation| annotation.ratable);
    let judgements: Vec<Judgement> = judged
        .filter_map(|annotation| annotation.body.judgements.get(id))
        .cloned()
        .collect();
    let mut difference = compare(&judgements, &measure.scheme.disagreement);
    // An item that one of its raters could not rate is a matter for staff.
    difference.asked |= facts
        .annotations
        .iter()
        .any(|annotation| !annotation.ratable);
    let mut basis = Basis::new(facts, measure, category);
    for annotation in &facts.annotations {
        basis.rater(annotation);
        basis.json(&annotation.body.judgements.get(id));
    }
    let draft = Draft {
        id: UnitId::new(id.as_str()),
        kind: UnitKind::Candidate,
        category,
        subcategory,
        difference,
        said,
    };
    draft.finish(facts, basis)
}

fn said_of_candidate(annotation: &StoredAnnotation, candidate: &CandidateId) -> Said {
    let empty = Said {
        rater: annotation.rater.clone(),
        answer: Answer::Plain,
        validity: None,
        severity: None,
        better: Vec::new(),
        values: Vec::new(),
    };
    if !annotation.ratable {
        return Said {
            answer: Answer::NotRatable,
            ..empty
        };
    }
    match annotation.body.judgements.get(candidate) {
        None => empty,
        Some(j) => Said {
            validity: j.validity,
            severity: j.severity,
            better: j.better.clone(),
            ..empty
        },
    }
}

fn of_missed(facts: &ItemFacts, group: &missed::Group<'_>, measure: Measure<'_>) -> Unit {
    let tags: Vec<_> = group.tags.iter().map(|(_, found)| *found).collect();
    let difference = compare_missed(&tags, &measure.scheme.disagreement);
    let mut basis = Basis::new(facts, measure, &group.category.category);
    for (annotation, found) in &group.tags {
        basis.rater(annotation);
        basis.json(&found.map(|tag| (&tag.code, tag.severity, tag.span, &tag.comment)));
    }
    let said = group
        .tags
        .iter()
        .map(|(annotation, found)| missed::said(annotation, *found))
        .collect();
    let draft = Draft {
        id: group.id.clone(),
        kind: UnitKind::Missed,
        category: &group.category.category,
        subcategory: group.category.subcategory.as_deref().unwrap_or_default(),
        difference,
        said,
    };
    draft.finish(facts, basis)
}

/// A ruled unit whose tag nobody holds any more.
fn gone(facts: &ItemFacts, kept: &Unit, measure: Measure<'_>) -> Unit {
    let draft = Draft {
        id: kept.id.clone(),
        kind: kept.kind,
        category: &kept.category,
        subcategory: &kept.subcategory,
        difference: Difference::default(),
        said: Vec::new(),
    };
    draft.finish(facts, Basis::new(facts, measure, &kept.category))
}

pub(super) struct Draft<'a> {
    pub id: UnitId,
    pub kind: UnitKind,
    pub category: &'a str,
    pub subcategory: &'a str,
    pub difference: Difference,
    pub said: Vec<Said>,
}

impl Draft<'_> {
    pub fn finish(self, facts: &ItemFacts, basis: Basis) -> Unit {
        let basis = basis.finish();
        let all_in = facts.all_in();
        let standing = facts
            .units
            .iter()
            .find(|(unit, _)| unit.id == self.id)
            .and_then(|(_, standing)| standing.as_ref());
        let ratings = self.said.iter().filter(|said| has_value(said)).count();
        let answered = ratings > 0
            || self
                .said
                .iter()
                .any(|said| said.answer == Answer::NotRatable);
        let state = UnitState::from_facts(Facts {
            all_in: all_in && answered,
            differ: self.difference.any(),
            in_discussion: facts.discussed.contains(&(self.id.clone(), true)),
            ruling: standing.map(|standing| standing_of(standing, &basis)),
        });
        // What is not all in is not compared in sight of anybody.
        let difference = if all_in {
            self.difference
        } else {
            Difference::default()
        };
        Unit {
            id: self.id,
            item: facts.item.clone(),
            seq: facts.seq,
            kind: self.kind,
            category: self.category.to_owned(),
            subcategory: self.subcategory.to_owned(),
            state,
            ratings: if all_in {
                i64::try_from(ratings).unwrap_or(i64::MAX)
            } else {
                0
            },
            distance: difference.distance,
            weight: difference.weight(),
            kinds: difference.kinds().join(","),
            basis,
            said: if all_in { self.said } else { Vec::new() },
        }
    }
}

fn standing_of(standing: &Standing, basis: &str) -> RulingStanding {
    if standing.basis == basis {
        RulingStanding::Current
    } else {
        RulingStanding::Outdated
    }
}

/// Whether the rater took a stand on the unit.
pub(crate) fn has_value(said: &Said) -> bool {
    match said.answer {
        Answer::Plain => {
            said.validity.is_some() || said.severity.is_some() || !said.values.is_empty()
        }
        Answer::NotMarked => true,
        Answer::NotRatable => false,
    }
}

/// The hash of all that a ruling rests on, each part led by its length.
pub(super) struct Basis(Sha256);

impl Basis {
    pub fn new(facts: &ItemFacts, measure: Measure<'_>, category: &str) -> Self {
        let mut basis = Self(Sha256::new());
        basis.text(&facts.trace_sha256);
        basis.text(measure.meaning.of_category(category));
        basis
    }

    fn text(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_be_bytes());
        self.0.update(text.as_bytes());
    }

    pub fn rater(&mut self, annotation: &StoredAnnotation) {
        self.text(annotation.rater.as_str());
        self.text(if annotation.ratable {
            "ratable"
        } else {
            "not ratable"
        });
    }

    pub fn json(&mut self, value: &impl serde::Serialize) {
        // Numbers, texts and lists only: there is nothing in them that could fail to serialise.
        self.text(&serde_json::to_string(value).unwrap_or_default());
    }

    fn finish(self) -> String {
        hex::encode(self.0.finalize())
    }
}
