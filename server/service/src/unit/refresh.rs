//! Keeping the derived units of an item in step with its annotations and rulings.

use super::derive::{Meaning, Measure, derive};
use super::missed;
use crate::error::Result;
use crate::services::Services;
use crate::study;
use domain::id::{ItemId, StudyId};
use domain::unit::UnitKind;
use store::AnyConnection;
use store::unit::{ItemFacts, NewUnits, Unit};

/// Derives the units of an item again and writes what changed, inside the caller's transaction.
///
/// # Errors
/// When the database fails or holds a row that breaks a rule of the domain.
pub async fn refresh_item(
    conn: &mut AnyConnection,
    app: &Services,
    study: &StudyId,
    item: &ItemId,
) -> Result<()> {
    match store::unit::seq_of_item(conn, study, item).await? {
        Some(seq) => refresh_range(conn, app, study, seq, seq).await,
        None => Ok(()),
    }
}

/// The same for all items whose place lies in `from..=to`; for an import, a page at a time.
///
/// # Errors
/// When the database fails or holds a row that breaks a rule of the domain.
pub async fn refresh_range(
    conn: &mut AnyConnection,
    app: &Services,
    study: &StudyId,
    from: i64,
    to: i64,
) -> Result<()> {
    // Two raters who submit at once must not both derive from a state without the other's answer.
    store::audit::lock(conn, study.as_str()).await?;
    let (scheme, _) = study::scheme_in(conn, study).await?;
    let measure = Measure {
        scheme: &scheme,
        meaning: &Meaning::of(&scheme),
    };
    let now = app.now();
    let (mut changed, mut new) = (false, NewUnits::default());
    for facts in store::unit::facts(conn, study, from, to).await? {
        let derived = derive(&facts, measure);
        changed |= clear(conn, &facts, &derived).await?;
        for unit in derived {
            changed |= write(conn, study, &facts, unit, now, &mut new).await?;
        }
    }
    new.flush(conn).await?;
    if changed {
        store::study::bump_revision(conn, study).await?;
    }
    Ok(())
}

/// Writes a unit if it is not kept like this already. Candidates that are new are heaped up; a missed tag is written at
/// once, as its identity comes from a browser and must be known to the next.
async fn write(
    conn: &mut AnyConnection,
    study: &StudyId,
    facts: &ItemFacts,
    mut unit: Unit,
    now: i64,
    new: &mut NewUnits,
) -> Result<bool> {
    match facts.units.iter().find(|(kept, _)| kept.id == unit.id) {
        Some((kept, _)) if *kept == unit => return Ok(false),
        Some(_) => store::unit::update(conn, &unit, now).await?,
        None if unit.kind != UnitKind::Missed => new.push(study, &unit, now),
        None => {
            if store::unit::taken_elsewhere(conn, &unit.id, &unit.item).await? {
                unit.id = missed::elsewhere(facts, &unit.id);
            }
            let mut one = NewUnits::default();
            one.push(study, &unit, now);
            one.flush(conn).await?;
        }
    }
    Ok(true)
}

async fn clear(conn: &mut AnyConnection, facts: &ItemFacts, derived: &[Unit]) -> Result<bool> {
    let mut changed = false;
    for (kept, _) in facts
        .units
        .iter()
        .filter(|(kept, _)| derived.iter().all(|unit| unit.id != kept.id))
    {
        store::unit::delete(conn, &kept.id).await?;
        changed = true;
    }
    Ok(changed)
}
