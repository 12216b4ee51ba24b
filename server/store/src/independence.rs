//! When each rater opened, saved and submitted, by the tables and by the log, and when they were shown another's judgement.

use crate::error::Result;
use domain::id::StudyId;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;

/// One assignment of a counting round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    /// The assignment.
    pub assignment: String,
    /// Its item.
    pub item: String,
    /// The item's key in its file.
    pub item_key: String,
    /// Whose it is.
    pub rater: String,
    /// It came with a file: nothing is known of how it was made.
    pub imported: bool,
    /// When the first version was submitted.
    pub first: Option<i64>,
    /// When the version that counts was submitted.
    pub last: Option<i64>,
    /// How many versions there are.
    pub versions: i64,
}

/// What the log says of an assignment: the first opening, save and submission, and how many submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Logged {
    /// First opened.
    pub opened: Option<i64>,
    /// First saved.
    pub saved: Option<i64>,
    /// First submitted, or reported as not ratable.
    pub submitted: Option<i64>,
    /// How often it was submitted or reported.
    pub submissions: i64,
}

/// That a rater was shown another's judgement of an item: the item, the rater, where, when first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The item.
    pub item: String,
    /// The rater.
    pub rater: String,
    /// `calibration`, `cross_check` or `discussion`.
    pub place: String,
    /// Epoch milliseconds.
    pub at: i64,
}

/// The assignments of the counting rounds that are not withdrawn, item by item in the order of raters.
///
/// # Errors
/// When the database fails.
pub async fn worked(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<Vec<Worked>> {
    let rows = sqlx::query(
        "SELECT a.id, a.item_id, i.source_key, a.rater_id, b.round, \
         (SELECT MIN(n.submitted_at) FROM annotations n WHERE n.assignment_id = a.id), \
         (SELECT MAX(n.submitted_at) FROM annotations n WHERE n.assignment_id = a.id AND n.latest = 1), \
         (SELECT COUNT(*) FROM annotations n WHERE n.assignment_id = a.id) \
         FROM assignments a JOIN items i ON i.id = a.item_id JOIN batches b ON b.id = a.batch_id \
         LEFT JOIN members m ON m.study_id = a.study_id AND m.user_id = a.rater_id AND m.role = 'rater' \
         WHERE i.study_id = $1 AND i.seq > $2 AND i.seq <= $3 AND a.state <> 'withdrawn' \
         AND b.round IN ('main', 'imported') ORDER BY i.seq, m.position, a.id",
    )
    .bind(study.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Worked {
                assignment: row.try_get(0)?,
                item: row.try_get(1)?,
                item_key: row.try_get(2)?,
                rater: row.try_get(3)?,
                imported: row.try_get::<String, _>(4)? == "imported",
                first: row.try_get(5)?,
                last: row.try_get(6)?,
                versions: row.try_get(7)?,
            })
        })
        .collect()
}

/// What the log says of each assignment.
///
/// # Errors
/// When the database fails.
pub async fn logged(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<HashMap<String, Logged>> {
    let rows = sqlx::query(
        "SELECT subject, action, MIN(at), COUNT(*) FROM audit WHERE study_id = $1 AND action IN \
         ('annotation.write.open', 'annotation.write.save', 'annotation.write.submit', 'annotation.write.cannot_rate') \
         GROUP BY subject, action",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<String, Logged> = HashMap::new();
    for row in &rows {
        let (action, at): (String, i64) = (row.try_get(1)?, row.try_get(2)?);
        let of = found.entry(row.try_get(0)?).or_default();
        match action.as_str() {
            "annotation.write.open" => of.opened = Some(at),
            "annotation.write.save" => of.saved = Some(at),
            _ => {
                of.submitted = Some(of.submitted.map_or(at, |other| other.min(at)));
                of.submissions += row.try_get::<i64, _>(3)?;
            }
        }
    }
    Ok(found)
}

/// When raters were shown others' judgements: in calibration feedback, cross-checks and discussions.
///
/// # Errors
/// When the database fails.
pub async fn shown(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Shown>> {
    let rows = sqlx::query(
        "SELECT d.item_id, d.viewer_id, d.place, d.at FROM disclosures d WHERE d.study_id = $1 \
         UNION ALL SELECT s.item_id, r.user_id, 'discussion', MIN(r.first_at) FROM discussion_reads r \
         JOIN discussions s ON s.unit_id = r.unit_id WHERE s.study_id = $1 GROUP BY s.item_id, r.user_id ORDER BY 4, 1, 2",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Shown {
                item: row.try_get(0)?,
                rater: row.try_get(1)?,
                place: row.try_get(2)?,
                at: row.try_get(3)?,
            })
        })
        .collect()
}
