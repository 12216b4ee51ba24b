//! Keeping the derived units of an item in step with its annotations and rulings.

use super::derive::{Measure, derive};
use super::missed;
use crate::error::Result;
use crate::services::Services;
use crate::study;
use domain::id::{ItemId, StudyId};
use domain::unit::UnitKind;
use store::AnyConnection;
use store::unit::{ItemFacts, Unit};

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
    let (scheme, version) = study::scheme_in(conn, study).await?;
    let measure = Measure {
        scheme: &scheme,
        version,
    };
    let now = app.now();
    let mut changed = false;
    for facts in store::unit::facts(conn, study, from, to).await? {
        changed |= write(conn, study, &facts, derive(&facts, measure), now).await?;
    }
    if changed {
        store::study::bump_revision(conn, study).await?;
    }
    Ok(())
}

async fn write(
    conn: &mut AnyConnection,
    study: &StudyId,
    facts: &ItemFacts,
    units: Vec<Unit>,
    now: i64,
) -> Result<bool> {
    let mut changed = false;
    for mut unit in units.iter().cloned() {
        let kept = facts.units.iter().find(|(kept, _)| kept.id == unit.id);
        if kept.is_some_and(|(kept, _)| *kept == unit) {
            continue;
        }
        if kept.is_none()
            && unit.kind == UnitKind::Missed
            && store::unit::taken_elsewhere(conn, &unit.id, &unit.item).await?
        {
            unit.id = missed::elsewhere(facts, &unit.id);
        }
        store::unit::put(conn, study, &unit, now).await?;
        changed = true;
    }
    for (kept, _) in &facts.units {
        if units.iter().all(|unit| unit.id != kept.id) {
            store::unit::delete(conn, &kept.id).await?;
            changed = true;
        }
    }
    Ok(changed)
}
