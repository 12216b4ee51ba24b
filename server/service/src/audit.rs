//! The audit log: read it, and verify its chain.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::role::Action;
use serde::{Deserialize, Serialize};
use store::account::User;
use store::audit::{Entry, chain};

/// How many rows a verification reads at once.
const STEP: i64 = 1_000;

/// Which rows to show; an empty text is any.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditFilter {
    /// The word of the action, for example `ruling.write.recorded`, or its beginning up to a dot.
    pub action: String,
    /// The id of whoever did it.
    pub actor: String,
    /// The id of what it was done to.
    pub subject: String,
}

/// One row.
#[derive(Clone, Debug, Serialize)]
pub struct AuditRow {
    /// Counted from 1 within the study.
    pub seq: i64,
    /// Epoch milliseconds.
    pub at: i64,
    /// The id of whoever did it.
    pub actor: String,
    /// The name people read.
    pub actor_name: String,
    /// The word of the action.
    pub action: String,
    /// The id of what it was done to.
    pub subject: String,
    /// More about it, as JSON.
    pub details: String,
    /// The hash of the row.
    pub hash: String,
}

/// The first row that is not what the chain says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenAt {
    /// Its number.
    pub seq: i64,
}

/// Rows before `before`, newest first.
///
/// # Errors
/// [`domain::refusal::Refusal::Forbidden`] without the right.
pub async fn page(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    filter: &AuditFilter,
    before: i64,
    limit: i64,
) -> Result<Vec<AuditRow>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::AuditRead).await?;
    let filters = [&*filter.action, &*filter.actor, &*filter.subject];
    let rows = store::audit::page(&mut db, study.as_str(), filters, before, limit).await?;
    let names = store::account::list(&mut db).await?;
    let named = |id: &str| name_of(&names, id);
    let row = |row: store::audit::AuditRow| AuditRow {
        actor_name: named(&row.actor),
        seq: row.seq,
        at: row.at,
        actor: row.actor,
        action: row.action,
        subject: row.subject,
        details: row.details,
        hash: row.hash,
    };
    Ok(rows.into_iter().map(row).collect())
}

/// Everybody who left a row, with the name people read, by that name; members who left since are among them.
///
/// # Errors
/// [`domain::refusal::Refusal::Forbidden`] without the right.
pub async fn actors(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
) -> Result<Vec<(String, String)>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::AuditRead).await?;
    let names = store::account::list(&mut db).await?;
    let acted = store::audit::actors(&mut db, study.as_str()).await?;
    let named = |id: String| {
        let name = name_of(&names, &id);
        (id, name)
    };
    let mut acted: Vec<_> = acted.into_iter().map(named).collect();
    acted.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(acted)
}

fn name_of(users: &[User], id: &str) -> String {
    users
        .iter()
        .find(|user| user.id.as_str() == id)
        .map_or_else(|| "Operator".to_owned(), |user| user.display_name.clone())
}

/// Walks the chain of a study: how many rows it has, or the first that is not what it should be.
///
/// # Errors
/// [`domain::refusal::Refusal::Forbidden`] without the right.
pub async fn verify(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
) -> Result<std::result::Result<i64, BrokenAt>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::AuditRead).await?;
    Ok(walk(&mut db, study.as_str()).await?)
}

/// Walks one chain; `""` is the server's.
pub(crate) async fn walk(
    connection: &mut store::AnyConnection,
    study: &str,
) -> store::Result<std::result::Result<i64, BrokenAt>> {
    let (expected, last) = store::audit::head(connection, study).await?;
    let (mut seq, mut previous) = (0, String::new());
    loop {
        let rows = store::audit::after(connection, study, seq, STEP).await?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            seq += 1;
            let entry = Entry {
                at: row.at,
                actor: &row.actor,
                action: &row.action,
                subject: &row.subject,
                details: &row.details,
            };
            if row.seq != seq
                || row.previous != previous
                || row.hash != chain(&previous, study, &entry, seq)
            {
                return Ok(Err(BrokenAt { seq }));
            }
            previous = row.hash;
        }
    }
    // Rows that were cut off at the end are missed by the head.
    Ok(if seq == expected && previous == last {
        Ok(seq)
    } else {
        Err(BrokenAt { seq: seq + 1 })
    })
}
