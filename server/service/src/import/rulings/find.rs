//! The units that records are about.

use crate::error::Result;
use domain::id::{StudyId, UnitId};
use formats::rulings::{RulingKey, RulingRecord};
use std::collections::HashMap;
use store::AnyConnection;

/// How many keys are looked up together.
const KEYS: usize = 200;
/// The longest key that a report repeats.
const LONGEST: usize = 60;

/// What a record's key leads to.
pub(super) enum Found {
    /// One unit.
    Unit(UnitId),
    /// Nothing of this study.
    Elsewhere,
    /// More than one candidate.
    Several,
}

/// Everything that the keys of a file lead to.
pub(super) struct Units {
    /// Candidates by their key, each with the key of its item.
    named: HashMap<String, Vec<(UnitId, String)>>,
    /// The keys of item and candidate by number.
    numbered: HashMap<String, Vec<(String, String)>>,
    /// Items by their key.
    items: HashMap<String, domain::id::ItemId>,
}

impl Units {
    pub(super) async fn of(
        tx: &mut AnyConnection,
        study: &StudyId,
        records: &[RulingRecord],
    ) -> Result<Self> {
        let by_number = |record: &RulingRecord| matches!(record.key, RulingKey::Order(_));
        let numbered = if records.iter().any(by_number) {
            store::import::candidates_numbered(tx, study).await?
        } else {
            HashMap::new()
        };
        let mut names: Vec<&str> = Vec::new();
        let mut items: Vec<&str> = Vec::new();
        for record in records {
            match &record.key {
                RulingKey::Candidate(key) => names.push(key),
                RulingKey::Order(order) => {
                    let of = numbered.get(order).into_iter().flatten();
                    names.extend(of.map(|(_, candidate)| candidate.as_str()));
                }
                RulingKey::Question(_) => items.extend(record.item.as_deref()),
            }
        }
        let mut units = Self {
            named: HashMap::new(),
            items: HashMap::new(),
            numbered: HashMap::new(),
        };
        for some in unique(names).chunks(KEYS) {
            let found = store::import::candidates_named(tx, study, some).await?;
            units.named.extend(found);
        }
        for some in unique(items).chunks(KEYS) {
            let found = store::import::items(tx, study, some).await?;
            units
                .items
                .extend(found.into_iter().map(|(key, (id, _))| (key, id)));
        }
        units.numbered = numbered;
        Ok(units)
    }

    /// The unit of a record.
    pub(super) fn find(&self, record: &RulingRecord) -> Found {
        let fits = |item: &str| record.item.as_deref().is_none_or(|named| named == item);
        let candidates: Vec<&UnitId> = match &record.key {
            RulingKey::Candidate(key) => {
                let named = self.named.get(key).into_iter().flatten();
                named
                    .filter(|(_, item)| fits(item))
                    .map(|(unit, _)| unit)
                    .collect()
            }
            RulingKey::Order(order) => {
                let keys = self.numbered.get(order).into_iter().flatten();
                keys.filter(|(item, _)| fits(item))
                    .flat_map(|(item, candidate)| {
                        let named = self.named.get(candidate).into_iter().flatten();
                        named.filter(move |(_, of)| of == item)
                    })
                    .map(|(unit, _)| unit)
                    .collect()
            }
            RulingKey::Question(question) => {
                let item = record.item.as_ref().and_then(|item| self.items.get(item));
                return item.map_or(Found::Elsewhere, |item| {
                    Found::Unit(crate::unit::question::identity(item, question))
                });
            }
        };
        match candidates.as_slice() {
            [] => Found::Elsewhere,
            [one] => Found::Unit((*one).clone()),
            _ => Found::Several,
        }
    }
}

fn unique(mut keys: Vec<&str>) -> Vec<&str> {
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// What names the unit of a record, for a report.
pub(super) fn name(record: &RulingRecord) -> String {
    let (kind, key) = match &record.key {
        RulingKey::Candidate(key) => ("candidate", key),
        RulingKey::Order(order) => ("order", order),
        RulingKey::Question(question) => ("question", question),
    };
    let key: String = key.chars().take(LONGEST).collect();
    format!("{kind} {key}")
}
