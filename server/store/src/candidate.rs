//! Candidates: the tags that a judge proposed, with their spans.

use crate::error::{Error, Result};
use crate::json;
use domain::id::{AssignmentId, CandidateId, ItemId, JudgeId, StudyId, UserId};
use domain::scheme::CategoryRef;
use domain::span::AnchorKind;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// One candidate as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredCandidate {
    /// Its identity, and that of its unit.
    pub id: CandidateId,
    /// Its item.
    pub item: ItemId,
    /// Who proposed it.
    pub judge: JudgeId,
    /// Its place on the desk, counted from 1.
    pub ordinal: i64,
    /// Its key in the file it came from.
    pub source_key: String,
    /// The code as the file had it.
    pub original_code: String,
    /// The name beside that code; may be empty.
    pub original_name: String,
    /// The category.
    pub category: CategoryRef,
    /// The judge's severity; nothing when the judge gave none or it is hidden from the reader.
    pub severity: Option<f64>,
    /// Why the judge proposed it.
    pub explanation: String,
    /// The evidence as the judge wrote it.
    pub evidence: Vec<String>,
    /// How the evidence was found in the trace.
    pub anchor: AnchorKind,
    /// Where: start, end, words.
    pub spans: Vec<(u32, u32, String)>,
}

/// One row a span, or one for a candidate without any: a page is read in one go.
macro_rules! select {
    ($hidden:literal, $rest:literal) => {
        concat!(
            "SELECT c.id, c.item_id, c.judge_id, c.ordinal, c.source_key, c.original_code, c.category, c.subcategory, \
             CASE WHEN ",
            $hidden,
            " = 1 THEN NULL ELSE c.severity END AS shown_severity, c.explanation, c.evidence, c.anchor, s.span_start, \
             s.span_end, s.quote, c.original_name FROM candidates c LEFT JOIN candidate_spans s ON s.candidate_id = c.id ",
            $rest
        )
    };
}

/// The candidates of an item in the order of the desk; a hidden severity never leaves the database.
///
/// # Errors
/// When the database fails.
pub async fn of_item(
    connection: &mut AnyConnection,
    item: &ItemId,
    hide_severity: bool,
) -> Result<Vec<StoredCandidate>> {
    let rows = sqlx::query(select!(
        "$1",
        "WHERE c.item_id = $2 ORDER BY c.ordinal, s.ordinal"
    ))
    .bind(i64::from(hide_severity))
    .bind(item.as_str())
    .fetch_all(connection)
    .await?;
    join(&rows)
}

/// The candidates of the items whose `seq` is above `after` and at most `up_to`, item by item.
///
/// # Errors
/// When the database fails.
pub async fn of_range(
    connection: &mut AnyConnection,
    study: &StudyId,
    after: i64,
    up_to: i64,
) -> Result<Vec<StoredCandidate>> {
    let rows = sqlx::query(select!(
        "0",
        "JOIN items i ON i.id = c.item_id WHERE i.study_id = $1 AND i.seq > $2 AND i.seq <= $3 \
         ORDER BY i.seq, c.ordinal, s.ordinal"
    ))
    .bind(study.as_str())
    .bind(after)
    .bind(up_to)
    .fetch_all(connection)
    .await?;
    join(&rows)
}

/// The candidates that a rater may see on an assignment of theirs, in the order of the desk: none while they are hidden
/// until the rater has given their own. A hidden severity never leaves the database.
///
/// # Errors
/// When the database fails.
pub async fn shown(
    connection: &mut AnyConnection,
    assignment: &AssignmentId,
    rater: &UserId,
    hide_severity: bool,
) -> Result<Vec<StoredCandidate>> {
    let rows = sqlx::query(select!(
        "$1",
        "JOIN assignments a ON a.item_id = c.item_id WHERE a.id = $2 AND a.rater_id = $3 AND (a.judge_hidden = 0 \
         OR EXISTS (SELECT 1 FROM own_annotations o WHERE o.assignment_id = a.id)) ORDER BY c.ordinal, s.ordinal"
    ))
    .bind(i64::from(hide_severity))
    .bind(assignment.as_str())
    .bind(rater.as_str())
    .fetch_all(connection)
    .await?;
    join(&rows)
}

fn join(rows: &[AnyRow]) -> Result<Vec<StoredCandidate>> {
    let mut candidates: Vec<StoredCandidate> = Vec::new();
    for row in rows {
        let id: &str = row.try_get(0)?;
        if candidates.last().is_none_or(|last| last.id.as_str() != id) {
            candidates.push(read(row)?);
        }
        let (Some(start), Some(last)) = (row.try_get::<Option<i64>, _>(12)?, candidates.last_mut())
        else {
            continue;
        };
        let offset = |value: i64| {
            u32::try_from(value)
                .map_err(|_| Error::inconsistent("candidate_spans", "span_start", id))
        };
        last.spans
            .push((offset(start)?, offset(row.try_get(13)?)?, row.try_get(14)?));
    }
    Ok(candidates)
}

fn read(row: &AnyRow) -> Result<StoredCandidate> {
    let id: String = row.try_get(0)?;
    let anchor = AnchorKind::parse(row.try_get(11)?);
    Ok(StoredCandidate {
        item: ItemId::new(row.try_get::<String, _>(1)?),
        judge: JudgeId::new(row.try_get::<String, _>(2)?),
        ordinal: row.try_get(3)?,
        source_key: row.try_get(4)?,
        original_code: row.try_get(5)?,
        original_name: row.try_get(15)?,
        category: category(row.try_get(6)?, row.try_get(7)?),
        severity: row.try_get(8)?,
        explanation: row.try_get(9)?,
        evidence: json::read("candidates", "evidence", &id, row.try_get(10)?)?,
        anchor: anchor.ok_or_else(|| Error::inconsistent("candidates", "anchor", &id))?,
        spans: Vec::new(),
        id: CandidateId::new(id),
    })
}

/// A category as two columns hold it: an empty subcategory is none.
pub(crate) fn category(category: String, subcategory: String) -> CategoryRef {
    CategoryRef {
        category,
        subcategory: Some(subcategory).filter(|code| !code.is_empty()),
    }
}
