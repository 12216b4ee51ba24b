//! What the rater reaches. Every query here has the rater in its condition.

use super::row::{HELD, Held, held, read};
use crate::error::Result;
use crate::item::{StoredItem, columns, read as read_item};
use crate::json;
use crate::own::Own;
use domain::annotation::Annotation;
use domain::id::{AssignmentId, BatchId, CandidateId, StudyId, UserId};
use domain::study::Blinding;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// A rater's assignment with all that a save needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Mine {
    /// The assignment.
    pub held: Held,
    /// Whether the person is an active rater of the study now.
    pub may_rate: bool,
    /// The hash of the scheme in force.
    pub scheme_hash: String,
    /// Its version in the study.
    pub scheme_version: i64,
    /// What is hidden.
    pub blinding: Blinding,
    /// When the rater first saw it.
    pub opened_at: Option<i64>,
    /// The draft, when there is one.
    pub draft: Option<Annotation>,
    /// The id of the save that the draft came with.
    pub last_save: String,
    /// Whether the judge's tags are hidden until the rater has given their own.
    pub judge_hidden: bool,
    /// What the rater gave before the judge's tags were shown.
    pub own: Option<Own>,
}

/// Where an assignment stands among the rater's others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The study's name.
    pub study_name: String,
    /// The batch's name.
    pub batch_name: String,
    /// Submitted or reported as not ratable.
    pub done: i64,
    /// All that is not withdrawn.
    pub total: i64,
    /// Its place among those that are not withdrawn, counted from 1.
    pub position: i64,
    /// The one before.
    pub previous: Option<AssignmentId>,
    /// The one after.
    pub next: Option<AssignmentId>,
    /// A ruling rests on one of the item's units, or one of them was discussed: it cannot be opened again.
    pub ruled: bool,
}

/// Where the columns that [`mine!`] is given begin.
const MORE: usize = HELD + 13;

macro_rules! mine {
    ($more:expr, $joins:literal) => {
        concat!(
            "SELECT ", held!(), ", (SELECT COUNT(*) FROM members m WHERE m.study_id = a.study_id \
             AND m.user_id = a.rater_id AND m.role = 'rater' AND m.active = 1) AS may_rate, v.scheme_hash, \
             v.version AS scheme_version, s.blind_model, s.blind_condition, s.blind_judge_severity, a.opened_at, \
             d.body, d.last_save, a.judge_hidden, o.body AS own_body, o.save_id AS own_save, \
             o.submitted_at AS own_at", $more, " FROM assignments a JOIN studies s ON s.id = a.study_id \
             JOIN study_schemes v ON v.study_id = s.id AND v.version = s.scheme_version ", $joins,
            " LEFT JOIN drafts d ON d.assignment_id = a.id LEFT JOIN own_annotations o ON o.assignment_id = a.id WHERE a.id = $1 AND a.rater_id = $2"
        )
    };
}

/// The assignment with this id, the trace it is about and its candidates in the order of the desk, if it is this
/// rater's: one query for a save.
///
/// # Errors
/// When the database fails.
pub async fn mine(
    connection: &mut AnyConnection,
    id: &AssignmentId,
    rater: &UserId,
) -> Result<Option<(Mine, String, Vec<CandidateId>)>> {
    let row = sqlx::query(MINE)
        .bind(id.as_str())
        .bind(rater.as_str())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let candidates: Option<&str> = row.try_get(MORE + 1)?;
    let candidates = candidates.unwrap_or_default().split_whitespace();
    Ok(Some((
        read_mine(&row)?,
        row.try_get(MORE)?,
        candidates.map(CandidateId::new).collect(),
    )))
}

const MINE: &str = mine!(
    ", i.trace, (SELECT string_agg(c.id, ' ' ORDER BY c.ordinal) FROM candidates c WHERE c.item_id = a.item_id \
     AND (a.judge_hidden = 0 OR o.id IS NOT NULL)) AS candidates",
    "JOIN items i ON i.id = a.item_id"
);

/// The assignment with this id, its place and its item, if it is this rater's: one query for a page. What is hidden
/// never leaves the database.
///
/// # Errors
/// When the database fails.
pub async fn open(
    connection: &mut AnyConnection,
    id: &AssignmentId,
    rater: &UserId,
) -> Result<Option<(Mine, Place, StoredItem)>> {
    let row = sqlx::query(OPEN)
        .bind(id.as_str())
        .bind(rater.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let mine = read_mine(&row)?;
    let mut place = read_place(&row, mine.held.position)?;
    let withdrawn: i64 = row.try_get(MORE + 4)?;
    if withdrawn > 0 {
        // Only where something was withdrawn do places have gaps that must be counted.
        place.position = sqlx::query_scalar(
            "SELECT COUNT(*) FROM assignments WHERE rater_id = $1 AND batch_id = $2 AND position <= $3 \
             AND state <> 'withdrawn'",
        )
        .bind(rater.as_str())
        .bind(mine.held.batch.as_str())
        .bind(mine.held.position)
        .fetch_one(connection)
        .await?;
    }
    Ok(Some((mine, place, read_item(&row, MORE + 8)?)))
}

const OPEN: &str = mine!(
    concat!(
        ", s.name, b.name AS batch_name, \
         (SELECT CAST(COALESCE(SUM(p.assignments), 0) AS BIGINT) FROM batch_progress p WHERE p.batch_id = a.batch_id \
          AND p.rater_id = a.rater_id AND p.state IN ('submitted', 'not_ratable')) AS done, \
         (SELECT CAST(COALESCE(SUM(p.assignments), 0) AS BIGINT) FROM batch_progress p WHERE p.batch_id = a.batch_id \
          AND p.rater_id = a.rater_id AND p.state <> 'withdrawn') AS total, \
         (SELECT CAST(COALESCE(SUM(p.assignments), 0) AS BIGINT) FROM batch_progress p WHERE p.batch_id = a.batch_id \
          AND p.rater_id = a.rater_id AND p.state = 'withdrawn') AS withdrawn, \
         (SELECT p.id FROM assignments p WHERE p.rater_id = a.rater_id AND p.batch_id = a.batch_id \
          AND p.position < a.position AND p.state <> 'withdrawn' ORDER BY p.position DESC LIMIT 1) AS previous_id, \
         (SELECT n.id FROM assignments n WHERE n.rater_id = a.rater_id AND n.batch_id = a.batch_id \
          AND n.position > a.position AND n.state <> 'withdrawn' ORDER BY n.position LIMIT 1) AS next_id, \
         (SELECT COUNT(*) FROM discussions d WHERE d.item_id = a.item_id) + (SELECT COUNT(*) FROM units u JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 \
          WHERE u.item_id = a.item_id) AS ruled, ",
        columns!("s.blind_condition", "s.blind_model")
    ),
    "JOIN batches b ON b.id = a.batch_id JOIN items i ON i.id = a.item_id"
);

fn read_mine(row: &AnyRow) -> Result<Mine> {
    let held = read(row)?;
    let flag = |at: usize| -> Result<bool> { Ok(row.try_get::<i64, _>(at)? != 0) };
    let draft: Option<String> = row.try_get(HELD + 7)?;
    let draft = draft
        .map(|body| json::read("drafts", "body", held.id.as_str(), &body))
        .transpose()?;
    let own: Option<String> = row.try_get(HELD + 10)?;
    let own = own
        .map(|body| {
            Ok::<_, crate::Error>(Own {
                body: json::read("own_annotations", "body", held.id.as_str(), &body)?,
                save_id: row.try_get(HELD + 11)?,
                submitted_at: row.try_get(HELD + 12)?,
            })
        })
        .transpose()?;
    Ok(Mine {
        may_rate: flag(HELD)?,
        scheme_hash: row.try_get(HELD + 1)?,
        scheme_version: row.try_get(HELD + 2)?,
        blinding: Blinding {
            model: flag(HELD + 3)?,
            condition: flag(HELD + 4)?,
            judge_severity: flag(HELD + 5)?,
        },
        opened_at: row.try_get(HELD + 6)?,
        draft,
        last_save: row
            .try_get::<Option<String>, _>(HELD + 8)?
            .unwrap_or_default(),
        judge_hidden: flag(HELD + 9)?,
        own,
        held,
    })
}

fn read_place(row: &AnyRow, position: i64) -> Result<Place> {
    let neighbour = |at: usize| -> Result<Option<AssignmentId>> {
        Ok(row.try_get::<Option<String>, _>(at)?.map(AssignmentId::new))
    };
    Ok(Place {
        study_name: row.try_get(MORE)?,
        batch_name: row.try_get(MORE + 1)?,
        done: row.try_get(MORE + 2)?,
        total: row.try_get(MORE + 3)?,
        position,
        previous: neighbour(MORE + 5)?,
        next: neighbour(MORE + 6)?,
        ruled: row.try_get::<i64, _>(MORE + 7)? > 0,
    })
}

/// The rater's next open assignment of the batch after this place, or else the first one before it.
///
/// # Errors
/// When the database fails.
pub async fn next_open(
    connection: &mut AnyConnection,
    batch: &BatchId,
    rater: &UserId,
    position: i64,
) -> Result<Option<AssignmentId>> {
    for sql in [
        "SELECT id FROM assignments WHERE rater_id = $1 AND batch_id = $2 \
         AND state IN ('not_started', 'in_progress', 'reopened') AND position > $3 ORDER BY position LIMIT 1",
        "SELECT id FROM assignments WHERE rater_id = $1 AND batch_id = $2 \
         AND state IN ('not_started', 'in_progress', 'reopened') AND position < $3 ORDER BY position LIMIT 1",
    ] {
        let found: Option<String> = sqlx::query_scalar(sql)
            .bind(rater.as_str())
            .bind(batch.as_str())
            .bind(position)
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(id) = found {
            return Ok(Some(AssignmentId::new(id)));
        }
    }
    Ok(None)
}

/// One batch of a rater's work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MyRow {
    /// Its study.
    pub study: StudyId,
    /// The batch.
    pub batch: BatchId,
    /// The batch's name.
    pub name: String,
    /// Submitted or reported as not ratable.
    pub done: i64,
    /// Begun or open again.
    pub in_progress: i64,
    /// Handed or taken back.
    pub withdrawn: i64,
    /// All that is not withdrawn.
    pub total: i64,
    /// The first open assignment.
    pub next: Option<AssignmentId>,
}

/// The studies in which somebody rates: id, name and the hash of the scheme in force.
///
/// # Errors
/// When the database fails.
pub async fn my_studies(
    connection: &mut AnyConnection,
    rater: &UserId,
) -> Result<Vec<(StudyId, String, String)>> {
    let rows = sqlx::query(
        "SELECT s.id, s.name, v.scheme_hash FROM members m JOIN studies s ON s.id = m.study_id \
         JOIN study_schemes v ON v.study_id = s.id AND v.version = s.scheme_version \
         WHERE m.user_id = $1 AND m.role = 'rater' AND m.active = 1 ORDER BY s.name_folded",
    )
    .bind(rater.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok((
                StudyId::new(row.try_get::<String, _>(0)?),
                row.try_get(1)?,
                row.try_get(2)?,
            ))
        })
        .collect()
}

/// The batches in which somebody has assignments, in order.
///
/// # Errors
/// When the database fails.
pub async fn my_work(connection: &mut AnyConnection, rater: &UserId) -> Result<Vec<MyRow>> {
    let rows = sqlx::query(
        "SELECT b.study_id, b.id, b.name, \
         CAST(SUM(CASE WHEN p.state IN ('submitted', 'not_ratable') THEN p.assignments ELSE 0 END) AS BIGINT), \
         CAST(SUM(CASE WHEN p.state IN ('in_progress', 'reopened') THEN p.assignments ELSE 0 END) AS BIGINT), \
         CAST(SUM(CASE WHEN p.state = 'withdrawn' THEN p.assignments ELSE 0 END) AS BIGINT), \
         CAST(SUM(CASE WHEN p.state <> 'withdrawn' THEN p.assignments ELSE 0 END) AS BIGINT), \
         (SELECT a.id FROM assignments a WHERE a.rater_id = $1 AND a.batch_id = b.id \
          AND a.state IN ('not_started', 'in_progress', 'reopened') ORDER BY a.position LIMIT 1) \
         FROM batch_progress p JOIN batches b ON b.id = p.batch_id WHERE p.rater_id = $1 \
         GROUP BY b.study_id, b.id, b.name, b.ordinal ORDER BY b.study_id, b.ordinal",
    )
    .bind(rater.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(MyRow {
                study: StudyId::new(row.try_get::<String, _>(0)?),
                batch: BatchId::new(row.try_get::<String, _>(1)?),
                name: row.try_get(2)?,
                done: row.try_get(3)?,
                in_progress: row.try_get(4)?,
                withdrawn: row.try_get(5)?,
                total: row.try_get(6)?,
                next: row.try_get::<Option<String>, _>(7)?.map(AssignmentId::new),
            })
        })
        .collect()
}

/// What a rater handed back themselves and could take up again: batch, assignment, place in the batch.
///
/// # Errors
/// When the database fails.
pub async fn handed_back(
    connection: &mut AnyConnection,
    rater: &UserId,
) -> Result<Vec<(BatchId, AssignmentId, i64)>> {
    let rows = sqlx::query(
        "SELECT batch_id, id, position FROM assignments \
         WHERE rater_id = $1 AND state = 'withdrawn' AND withdrawn_by = 'rater' ORDER BY batch_id, position",
    )
    .bind(rater.as_str())
    .fetch_all(connection)
    .await?;
    let read = |row: &AnyRow| {
        let batch = BatchId::new(row.try_get::<String, _>(0)?);
        let assignment = AssignmentId::new(row.try_get::<String, _>(1)?);
        Ok((batch, assignment, row.try_get(2)?))
    };
    rows.iter().map(read).collect()
}
