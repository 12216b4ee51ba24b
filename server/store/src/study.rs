//! Studies, their schemes, and the counts of an overview.

mod imports;

use crate::error::{Error, Result};
use crate::row::{count, flag};
use domain::id::{StudyId, UserId};
use domain::study::{Blinding, StudyState};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

pub use imports::{Import, imports};

/// A study's own row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    /// The study.
    pub id: StudyId,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub state: StudyState,
    /// The version of its scheme that counts.
    pub scheme_version: i64,
    /// What raters do not see.
    pub blinding: Blinding,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// Who made it; nobody when it was made at the command line.
    pub created_by: Option<UserId>,
    /// Counts every change that a statistic could see.
    pub revision: i64,
}

/// A study in the list of studies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The study.
    pub id: StudyId,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub state: StudyState,
    /// The title of its scheme.
    pub scheme_title: String,
    /// How many items it has.
    pub items: i64,
    /// Assignments done: submitted, or found not ratable.
    pub submitted: i64,
    /// Assignments that are not withdrawn.
    pub expected: i64,
}

/// A scheme as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredScheme<'a> {
    /// SHA-256 of the text.
    pub hash: &'a str,
    /// The scheme's short name.
    pub id: &'a str,
    /// Its own version.
    pub version: i64,
    /// What people call it.
    pub title: &'a str,
    /// The TOML text.
    pub body: &'a str,
}

/// What a study holds of items and of judges' tags, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Items.
    pub items: i64,
    /// Candidates of all judges.
    pub candidates: i64,
    /// Runs of a judge that found nothing.
    pub judged_negative: i64,
    /// Runs of a judge that failed.
    pub judge_failures: i64,
    /// Candidates whose evidence stands nowhere in the trace.
    pub unanchored: i64,
}

/// How far the work in a study is, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Batches.
    pub batches: i64,
    /// Assignments that are not withdrawn.
    pub assignments: i64,
    /// Assignments done: submitted, or found not ratable.
    pub submitted: i64,
    /// Units whose annotations differ and that are not settled.
    pub disputed: i64,
    /// Units that are settled.
    pub ruled: i64,
    /// Units whose ruling rests on something that changed.
    pub stale: i64,
}

/// Adds a study unless its folded name is taken; tells whether it was added.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut AnyConnection,
    study: &Study,
    name_folded: &str,
) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO studies (id, name, name_folded, state, scheme_version, blind_model, blind_condition, \
         blind_judge_severity, created_at, created_by, revision) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (name_folded) DO NOTHING",
    )
    .bind(study.id.as_str())
    .bind(&study.name)
    .bind(name_folded)
    .bind(study.state.as_str())
    .bind(study.scheme_version)
    .bind(i64::from(study.blinding.model))
    .bind(i64::from(study.blinding.condition))
    .bind(i64::from(study.blinding.judge_severity))
    .bind(study.created_at)
    .bind(study.created_by.as_ref().map(UserId::as_str))
    .bind(study.revision)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// A study's own row.
///
/// # Errors
/// When the database fails.
pub async fn get(connection: &mut AnyConnection, id: &StudyId) -> Result<Option<Study>> {
    let row = sqlx::query(
        "SELECT id, name, state, scheme_version, blind_model, blind_condition, blind_judge_severity, created_at, \
         created_by, revision FROM studies WHERE id = $1",
    )
    .bind(id.as_str())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(study).transpose()
}

/// The study of this identity, or else of this folded name.
///
/// # Errors
/// When the database fails.
pub async fn find(
    connection: &mut AnyConnection,
    id: &str,
    name_folded: &str,
) -> Result<Option<StudyId>> {
    let row = sqlx::query(
        "SELECT id FROM studies WHERE id = $1 OR name_folded = $2 ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1",
    )
    .bind(id)
    .bind(name_folded)
    .fetch_optional(connection)
    .await?;
    row.map(|row| Ok(StudyId::new(row.try_get::<String, _>(0)?)))
        .transpose()
}

/// The studies a person is a member of, or every study, by name.
///
/// # Errors
/// When the database fails.
pub async fn list(connection: &mut AnyConnection, member: Option<&UserId>) -> Result<Vec<Listed>> {
    let rows = sqlx::query(
        "SELECT s.id, s.name, s.state, c.title, \
         (SELECT COUNT(*) FROM items i WHERE i.study_id = s.id), \
         (SELECT COUNT(*) FROM assignments a WHERE a.study_id = s.id AND a.state IN ('submitted', 'not_ratable')), \
         (SELECT COUNT(*) FROM assignments a WHERE a.study_id = s.id AND a.state <> 'withdrawn') \
         FROM studies s JOIN study_schemes v ON v.study_id = s.id AND v.version = s.scheme_version \
         JOIN schemes c ON c.hash = v.scheme_hash WHERE $1 = '' \
         OR EXISTS (SELECT 1 FROM members m WHERE m.study_id = s.id AND m.user_id = $1 AND m.active = 1) \
         ORDER BY s.name_folded",
    )
    .bind(member.map_or("", UserId::as_str))
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let id: String = row.try_get(0)?;
            Ok(Listed {
                state: state(&id, &row.try_get::<String, _>(2)?)?,
                id: StudyId::new(id),
                name: row.try_get(1)?,
                scheme_title: row.try_get(3)?,
                items: count(row, 4)?,
                submitted: count(row, 5)?,
                expected: count(row, 6)?,
            })
        })
        .collect()
}

/// Moves a study on; its state is the one the caller read in this transaction.
///
/// # Errors
/// When the database fails or the study is not in the state `from`.
pub async fn set_state(
    connection: &mut AnyConnection,
    id: &StudyId,
    from: StudyState,
    to: StudyState,
) -> Result<()> {
    let done = sqlx::query("UPDATE studies SET state = $1 WHERE id = $2 AND state = $3")
        .bind(to.as_str())
        .bind(id.as_str())
        .bind(from.as_str())
        .execute(connection)
        .await?;
    crate::db::expect_rows("studies", done.rows_affected(), 1)
}

/// Changes what raters do not see.
///
/// # Errors
/// When the database fails or there is no such study.
pub async fn set_blinding(
    connection: &mut AnyConnection,
    id: &StudyId,
    to: Blinding,
) -> Result<()> {
    let done = sqlx::query(
        "UPDATE studies SET blind_model = $1, blind_condition = $2, blind_judge_severity = $3 WHERE id = $4",
    )
    .bind(i64::from(to.model))
    .bind(i64::from(to.condition))
    .bind(i64::from(to.judge_severity))
    .bind(id.as_str())
    .execute(connection)
    .await?;
    crate::db::expect_rows("studies", done.rows_affected(), 1)
}

/// Counts a change that a statistic could see.
///
/// # Errors
/// When the database fails or there is no such study.
pub async fn bump_revision(connection: &mut AnyConnection, id: &StudyId) -> Result<()> {
    let done = sqlx::query("UPDATE studies SET revision = revision + 1 WHERE id = $1")
        .bind(id.as_str())
        .execute(connection)
        .await?;
    crate::db::expect_rows("studies", done.rows_affected(), 1)
}

/// Submitted annotations of a study, replaced ones too: what fixes its blinding.
///
/// # Errors
/// When the database fails.
pub async fn submissions(connection: &mut AnyConnection, id: &StudyId) -> Result<i64> {
    let row = sqlx::query("SELECT COUNT(*) FROM annotations WHERE study_id = $1")
        .bind(id.as_str())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get(0)?)
}

/// Keeps a scheme under its hash; the same scheme again changes nothing.
///
/// # Errors
/// When the database fails.
pub async fn put_scheme(connection: &mut AnyConnection, scheme: &StoredScheme<'_>) -> Result<()> {
    sqlx::query(
        "INSERT INTO schemes (hash, scheme_id, version, title, body) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (hash) DO NOTHING",
    )
    .bind(scheme.hash)
    .bind(scheme.id)
    .bind(scheme.version)
    .bind(scheme.title)
    .bind(scheme.body)
    .execute(connection)
    .await?;
    Ok(())
}

/// Gives a study a version of its scheme.
///
/// # Errors
/// When the database fails or the version exists.
pub async fn add_scheme_version(
    connection: &mut AnyConnection,
    study: &Study,
    version: i64,
    scheme_hash: &str,
    note: &str,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO study_schemes (study_id, version, scheme_hash, note, created_at, created_by) \
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(study.id.as_str())
    .bind(version)
    .bind(scheme_hash)
    .bind(note)
    .bind(study.created_at)
    .bind(study.created_by.as_ref().map(UserId::as_str))
    .execute(connection)
    .await?;
    Ok(())
}

/// The hash of the scheme of a study and the version under which it counts.
///
/// # Errors
/// When the database fails.
pub async fn scheme_hash(
    connection: &mut AnyConnection,
    id: &StudyId,
) -> Result<Option<(String, i64)>> {
    let row = sqlx::query(
        "SELECT v.scheme_hash, v.version FROM studies s JOIN study_schemes v \
         ON v.study_id = s.id AND v.version = s.scheme_version WHERE s.id = $1",
    )
    .bind(id.as_str())
    .fetch_optional(connection)
    .await?;
    row.map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .transpose()
}

/// The text of a scheme.
///
/// # Errors
/// When the database fails or there is no such scheme.
pub async fn scheme_body(connection: &mut AnyConnection, hash: &str) -> Result<String> {
    let row = sqlx::query("SELECT body FROM schemes WHERE hash = $1")
        .bind(hash)
        .fetch_one(connection)
        .await?;
    Ok(row.try_get(0)?)
}

/// What a study holds of items and of judges' tags: counted over all of them, so that it is worth keeping.
///
/// # Errors
/// When the database fails.
pub async fn holdings(connection: &mut AnyConnection, id: &StudyId) -> Result<Holdings> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM items WHERE study_id = $1), \
         (SELECT COUNT(*) FROM candidates WHERE study_id = $1), \
         (SELECT COUNT(*) FROM judged j JOIN items i ON i.id = j.item_id WHERE i.study_id = $1 \
          AND j.outcome = 'judged' AND NOT EXISTS \
          (SELECT 1 FROM candidates c WHERE c.item_id = j.item_id AND c.judge_id = j.judge_id)), \
         (SELECT COUNT(*) FROM judged j JOIN items i ON i.id = j.item_id WHERE i.study_id = $1 AND j.outcome = 'failed'), \
         (SELECT COUNT(*) FROM candidates WHERE study_id = $1 AND anchor = 'unanchored')",
    )
    .bind(id.as_str())
    .fetch_one(connection)
    .await?;
    Ok(Holdings {
        items: count(&row, 0)?,
        candidates: count(&row, 1)?,
        judged_negative: count(&row, 2)?,
        judge_failures: count(&row, 3)?,
        unanchored: count(&row, 4)?,
    })
}

/// How far the work in a study is, in numbers.
///
/// # Errors
/// When the database fails.
pub async fn counts(connection: &mut AnyConnection, id: &StudyId) -> Result<Counts> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM batches WHERE study_id = $1), \
         (SELECT COUNT(*) FROM assignments WHERE study_id = $1 AND state <> 'withdrawn'), \
         (SELECT COUNT(*) FROM assignments WHERE study_id = $1 AND state IN ('submitted', 'not_ratable')), \
         (SELECT COUNT(*) FROM units WHERE study_id = $1 AND state IN ('disputed', 'in_discussion')), \
         (SELECT COUNT(*) FROM units WHERE study_id = $1 AND state = 'ruled'), \
         (SELECT COUNT(*) FROM units WHERE study_id = $1 AND state = 'stale')",
    )
    .bind(id.as_str())
    .fetch_one(connection)
    .await?;
    Ok(Counts {
        batches: count(&row, 0)?,
        assignments: count(&row, 1)?,
        submitted: count(&row, 2)?,
        disputed: count(&row, 3)?,
        ruled: count(&row, 4)?,
        stale: count(&row, 5)?,
    })
}

fn study(row: &AnyRow) -> Result<Study> {
    let id: String = row.try_get(0)?;
    Ok(Study {
        state: state(&id, &row.try_get::<String, _>(2)?)?,
        id: StudyId::new(id),
        name: row.try_get(1)?,
        scheme_version: row.try_get(3)?,
        blinding: Blinding {
            model: flag(row, 4)?,
            condition: flag(row, 5)?,
            judge_severity: flag(row, 6)?,
        },
        created_at: row.try_get(7)?,
        created_by: row.try_get::<Option<String>, _>(8)?.map(UserId::new),
        revision: row.try_get(9)?,
    })
}

fn state(id: &str, word: &str) -> Result<StudyState> {
    StudyState::parse(word).ok_or_else(|| Error::inconsistent("studies", "state", id))
}
