//! The audit log: append-only, each row chained to the one before by hash.

use crate::bulk::Bulk;
use crate::db::expect_rows;
use crate::error::Result;
use sha2::{Digest, Sha256};
use sqlx::{AnyConnection, Row};

/// One entry, as a use case writes it.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// Epoch milliseconds.
    pub at: i64,
    /// The id of whoever did it.
    pub actor: &'a str,
    /// The word of the action.
    pub action: &'a str,
    /// The id of what it was done to.
    pub subject: &'a str,
    /// More about it, as JSON without clinical text.
    pub details: &'a str,
}

/// One row, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    /// Counted from 1 within the study.
    pub seq: i64,
    /// Epoch milliseconds.
    pub at: i64,
    /// The id of whoever did it.
    pub actor: String,
    /// The word of the action.
    pub action: String,
    /// The id of what it was done to.
    pub subject: String,
    /// More about it, as JSON.
    pub details: String,
    /// The hash of the row before.
    pub previous: String,
    /// The hash of this row.
    pub hash: String,
}

/// Opens the chain of a new study.
///
/// # Errors
/// When the database fails.
pub async fn open_chain(connection: &mut AnyConnection, study: &str) -> Result<()> {
    sqlx::query("INSERT INTO audit_heads (study_id, seq, hash) VALUES ($1, 0, '')")
        .bind(study)
        .execute(connection)
        .await?;
    Ok(())
}

/// Takes the lock of a study's chain before anything is read, for use cases that decide by a count
/// (the last coordinator, the first submission): on PostgreSQL two of them could otherwise both see the
/// state before the other.
///
/// # Errors
/// When the database fails or the study has no chain.
pub async fn lock(connection: &mut AnyConnection, study: &str) -> Result<()> {
    let done = sqlx::query("UPDATE audit_heads SET seq = seq WHERE study_id = $1")
        .bind(study)
        .execute(connection)
        .await?;
    expect_rows("audit_heads", done.rows_affected(), 1)
}

/// Appends entries to the chain of their study, in this order. Taking the head's row lock also orders the writers of a
/// study, so a use case calls this last.
///
/// # Errors
/// When the database fails or the study has no chain.
pub async fn append(
    connection: &mut AnyConnection,
    study: &str,
    entries: &[Entry<'_>],
) -> Result<()> {
    let head = sqlx::query(
        "UPDATE audit_heads SET seq = seq + $1 WHERE study_id = $2 RETURNING seq, hash",
    )
    .bind(entries.len() as i64)
    .bind(study)
    .fetch_one(&mut *connection)
    .await?;
    let (last, mut hash): (i64, String) = (head.try_get(0)?, head.try_get(1)?);
    let first = last - entries.len() as i64 + 1;
    let mut bulk = Bulk::<9>::new(
        "INSERT INTO audit (study_id, seq, at, actor, action, subject, details, previous, hash)",
    );
    for (entry, seq) in entries.iter().zip(first..) {
        let previous = std::mem::take(&mut hash);
        hash = chain(&previous, study, entry, seq);
        bulk.push([
            study.into(),
            seq.into(),
            entry.at.into(),
            entry.actor.into(),
            entry.action.into(),
            entry.subject.into(),
            entry.details.into(),
            previous.into(),
            hash.as_str().into(),
        ]);
    }
    bulk.flush(connection).await?;
    let done = sqlx::query("UPDATE audit_heads SET hash = $1 WHERE study_id = $2 AND seq = $3")
        .bind(&hash)
        .bind(study)
        .bind(last)
        .execute(connection)
        .await?;
    expect_rows("audit_heads", done.rows_affected(), 1)
}

/// The hash of an entry of this study (`""` for the server as a whole): SHA-256 over the hash before it and each of its
/// fields, each led by its length, so that no two different rows write the same bytes.
pub fn chain(previous: &str, study: &str, entry: &Entry<'_>, seq: i64) -> String {
    let mut digest = Sha256::new();
    let (seq, at) = (seq.to_string(), entry.at.to_string());
    for field in [
        previous,
        study,
        &seq,
        &at,
        entry.actor,
        entry.action,
        entry.subject,
        entry.details,
    ] {
        digest.update((field.len() as u64).to_be_bytes());
        digest.update(field.as_bytes());
    }
    hex::encode(digest.finalize())
}

/// Rows of a study before `before`, newest first, filtered by action, actor and subject where given (`""` is any).
///
/// # Errors
/// When the database fails.
pub async fn page(
    connection: &mut AnyConnection,
    study: &str,
    [action, actor, subject]: [&str; 3],
    before: i64,
    limit: i64,
) -> Result<Vec<AuditRow>> {
    let rows = sqlx::query(
        "SELECT seq, at, actor, action, subject, details, previous, hash FROM audit \
         WHERE study_id = $1 AND seq < $2 AND ($3 = '' OR action = $3 OR substr(action, 1, length($3) + 1) = $3 || '.') AND ($4 = '' OR actor = $4) \
         AND ($5 = '' OR subject = $5) ORDER BY seq DESC LIMIT $6",
    )
    .bind(study)
    .bind(before)
    .bind(action)
    .bind(actor)
    .bind(subject)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(row).collect()
}

/// Everybody who left a row in a study's chain.
///
/// # Errors
/// When the database fails.
pub async fn actors(connection: &mut AnyConnection, study: &str) -> Result<Vec<String>> {
    let sql = "SELECT DISTINCT actor FROM audit WHERE study_id = $1 AND actor <> '' ORDER BY actor";
    Ok(sqlx::query_scalar(sql)
        .bind(study)
        .fetch_all(connection)
        .await?)
}

/// Rows of a study after `after`, oldest first: what a verification reads.
///
/// # Errors
/// When the database fails.
pub async fn after(
    connection: &mut AnyConnection,
    study: &str,
    after: i64,
    limit: i64,
) -> Result<Vec<AuditRow>> {
    let rows = sqlx::query(
        "SELECT seq, at, actor, action, subject, details, previous, hash FROM audit \
         WHERE study_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    )
    .bind(study)
    .bind(after)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter().map(row).collect()
}

/// The number of rows the chain must have, and the hash of its last one.
///
/// # Errors
/// When the database fails or the study has no chain.
pub async fn head(connection: &mut AnyConnection, study: &str) -> Result<(i64, String)> {
    let row = sqlx::query("SELECT seq, hash FROM audit_heads WHERE study_id = $1")
        .bind(study)
        .fetch_one(connection)
        .await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}

fn row(row: &sqlx::any::AnyRow) -> Result<AuditRow> {
    Ok(AuditRow {
        seq: row.try_get(0)?,
        at: row.try_get(1)?,
        actor: row.try_get(2)?,
        action: row.try_get(3)?,
        subject: row.try_get(4)?,
        details: row.try_get(5)?,
        previous: row.try_get(6)?,
        hash: row.try_get(7)?,
    })
}
