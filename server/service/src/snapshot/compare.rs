//! Two snapshots beside each other, unit by unit.

use super::read::labels_in;
use super::{Label, SnapshotRef, canonical};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::{StudyId, UnitId};
use domain::refusal::Refusal;
use domain::role::Action;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use store::AnyConnection;

/// How many changed units are listed; all are counted.
const LISTED: usize = 1_000;

/// What changed between two states of a study's labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The earlier snapshot.
    pub from: SnapshotRef,
    /// The later one; nothing for the study as it is now, while it is open.
    pub to: Option<SnapshotRef>,
    /// Rules that changed.
    pub rules: Vec<FieldChange>,
    /// Units that are the same in both.
    pub same: u64,
    /// Units that changed, appeared or went.
    pub different: u64,
    /// The first of them, in the order of items.
    pub changes: Vec<Change>,
}

/// What changed of one unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The unit.
    pub unit: UnitId,
    /// The item's key in its file.
    pub item_key: String,
    /// `changed`, `added` or `removed`.
    pub kind: &'static str,
    /// The label before.
    pub before: Option<Label>,
    /// The label after.
    pub after: Option<Label>,
    /// Which of its fields changed.
    pub fields: Vec<FieldChange>,
}

/// A field with both of its values, as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldChange {
    /// Its name.
    pub field: String,
    /// Its value before.
    pub before: Value,
    /// Its value after.
    pub after: Value,
}

/// Compares a snapshot with a later one, or with the study as it is now.
///
/// # Errors
/// [`Refusal::NotFound`] when the study has none of these numbers.
pub async fn compare(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    from: i64,
    to: Option<i64>,
) -> Result<Comparison> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::SnapshotRead).await?;
    let first = store::snapshot::get(&mut db, study, from)
        .await?
        .ok_or(Refusal::NotFound)?;
    let before = labels_in(&mut db, study, Some(&first.id)).await?;
    let second = match to {
        Some(number) => Some(
            store::snapshot::get(&mut db, study, number)
                .await?
                .ok_or(Refusal::NotFound)?,
        ),
        None => None,
    };
    let after = labels_in(&mut db, study, second.as_ref().map(|head| &head.id)).await?;
    let mut rules = Vec::new();
    if let Some(second) = &second {
        fields(
            &manifest(&first.manifest),
            &manifest(&second.manifest),
            &mut rules,
        );
    } else {
        scheme_now(&mut db, study, &first.scheme_hash, &mut rules).await?;
    }
    let (same, different, changes) = units(before.labels, after.labels);
    Ok(Comparison {
        from: SnapshotRef::from(&first),
        to: after.snapshot,
        rules,
        same,
        different,
        changes,
    })
}

fn manifest(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        // Counts follow from the labels, which are compared one by one.
        fields.remove("counts");
    }
    value
}

async fn scheme_now(
    db: &mut AnyConnection,
    study: &StudyId,
    before: &str,
    rules: &mut Vec<FieldChange>,
) -> Result<()> {
    let (now, _) = store::study::scheme_hash(db, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    if now != before {
        rules.push(FieldChange {
            field: "scheme_hash".into(),
            before: before.into(),
            after: now.into(),
        });
    }
    Ok(())
}

fn units(before: Vec<Label>, after: Vec<Label>) -> (u64, u64, Vec<Change>) {
    let mut later: HashMap<UnitId, Label> = after
        .iter()
        .map(|label| (label.unit_id.clone(), label.clone()))
        .collect();
    let (mut same, mut different, mut changes) = (0, 0, Vec::new());
    let mut note = |change: Change| {
        different += 1;
        if changes.len() < LISTED {
            changes.push(change);
        }
    };
    for label in before {
        match later.remove(&label.unit_id) {
            Some(now) if now == label => same += 1,
            now => note(change(Some(label), now)),
        }
    }
    for label in after {
        if later.contains_key(&label.unit_id) {
            note(change(None, Some(label)));
        }
    }
    (same, different, changes)
}

fn change(before: Option<Label>, after: Option<Label>) -> Change {
    let mut changed = Vec::new();
    if before.is_some() && after.is_some() {
        fields(&json!(before), &json!(after), &mut changed);
    }
    let any = before.as_ref().or(after.as_ref());
    Change {
        unit: any.map_or_else(|| UnitId::new(""), |label| label.unit_id.clone()),
        item_key: any.map(|label| label.item_key.clone()).unwrap_or_default(),
        kind: match (&before, &after) {
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        },
        before,
        after,
        fields: changed,
    }
}

/// The fields of two objects that differ, in the order of their names.
fn fields(before: &Value, after: &Value, changed: &mut Vec<FieldChange>) {
    let empty = serde_json::Map::new();
    let of = |value: &Value| value.as_object().cloned().unwrap_or_else(|| empty.clone());
    let (before, after) = (of(before), of(after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let value = |fields: &serde_json::Map<String, Value>| {
            fields.get(name).cloned().unwrap_or(Value::Null)
        };
        let (one, other) = (value(&before), value(&after));
        if canonical(&one) != canonical(&other) {
            changed.push(FieldChange {
                field: name.clone(),
                before: one,
                after: other,
            });
        }
    }
}
