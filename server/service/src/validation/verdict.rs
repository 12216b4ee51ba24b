//! Verdicts on whole items: is there a tag of at least this severity?

use super::count::Reference;
use super::ground::{Item, Stand, Tag};

fn reaches(tag: &Tag, threshold: f64, lowest: f64) -> bool {
    // A tag without a severity is one all the same.
    tag.severity
        .map_or(threshold <= lowest, |severity| severity >= threshold)
}

/// What the judge says of an item.
pub(crate) fn of_judge(item: &Item, judge: usize, threshold: f64, lowest: f64) -> bool {
    let own = item
        .units
        .iter()
        .filter(|unit| unit.judge == Some(judge))
        .map(|unit| &unit.tag);
    own.chain(&item.compared[judge])
        .any(|tag| reaches(tag, threshold, lowest))
}

/// What the reference says of an item, or why it says nothing: one settled tag is enough for yes, while no needs every
/// tag settled and the search for missed ones on record.
pub(crate) fn of_reference(
    item: &Item,
    reference: Reference,
    threshold: f64,
    lowest: f64,
) -> Result<bool, &'static str> {
    let stands = || item.units.iter().map(|unit| reference.of(unit));
    let yes = |stand: &Stand| matches!(stand, Stand::Yes(tag) if reaches(tag, threshold, lowest));
    if stands().any(yes) {
        return Ok(true);
    }
    if let Some(Stand::Unknown(why)) = stands().find(|stand| matches!(stand, Stand::Unknown(_))) {
        return Err(why);
    }
    match reference.unlisted(item) {
        None => Err("missed_not_recorded"),
        Some(0) => Ok(false),
        // Something was missed, and only its number is known: at the lowest threshold that is enough.
        Some(_) if threshold <= lowest => Ok(true),
        Some(_) => Err("missed_not_listed"),
    }
}

/// The category of the judge's first tag on an item; empty without one.
pub(crate) fn first_category(item: &Item, judge: usize) -> String {
    let first = item.units.iter().find(|unit| unit.judge == Some(judge));
    first
        .map(|unit| unit.tag.category.clone())
        .unwrap_or_default()
}
