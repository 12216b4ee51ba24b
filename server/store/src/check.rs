//! What must hold between rows: each rule is a query that finds what breaks it. Nothing is changed.

use crate::error::Result;
use sqlx::{AnyConnection, Row};

/// A rule and the rows that break it.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name in a report.
    pub code: &'static str,
    /// Finds the study and the id of each row that breaks it.
    sql: &'static str,
}

/// Every rule between rows.
pub const RULES: &[Rule] = &[
    Rule {
        code: "annotation_latest",
        sql: "SELECT a.study_id, a.assignment_id FROM annotations a GROUP BY a.study_id, a.assignment_id \
              HAVING SUM(a.latest) <> 1 OR MAX(a.version) <> COUNT(*) \
              OR MAX(a.version) <> MAX(CASE WHEN a.latest = 1 THEN a.version ELSE 0 END)",
    },
    Rule {
        code: "annotation_of_assignment",
        sql: "SELECT n.study_id, n.id FROM annotations n JOIN assignments a ON a.id = n.assignment_id \
              WHERE n.item_id <> a.item_id OR n.rater_id <> a.rater_id OR n.study_id <> a.study_id",
    },
    Rule {
        code: "assignment_state",
        sql: "SELECT a.study_id, a.id FROM assignments a LEFT JOIN annotations n ON n.assignment_id = a.id AND n.latest = 1 \
              WHERE (a.state = 'submitted' AND COALESCE(n.ratable, -1) <> 1) \
              OR (a.state = 'not_ratable' AND COALESCE(n.ratable, -1) <> 0) \
              OR (a.state = 'reopened' AND n.id IS NULL) \
              OR (a.state IN ('not_started', 'in_progress', 'withdrawn') AND n.id IS NOT NULL)",
    },
    Rule {
        code: "own_step",
        sql: "SELECT a.study_id, a.id FROM assignments a LEFT JOIN own_annotations o ON o.assignment_id = a.id \
              WHERE (o.id IS NOT NULL AND (a.judge_hidden = 0 OR o.item_id <> a.item_id OR o.rater_id <> a.rater_id \
              OR o.study_id <> a.study_id)) OR (o.id IS NULL AND a.judge_hidden = 1 AND a.state = 'submitted')",
    },
    Rule {
        code: "assignment_outside_batch",
        sql: "SELECT a.study_id, a.id FROM assignments a JOIN batches b ON b.id = a.batch_id \
              JOIN items i ON i.id = a.item_id LEFT JOIN batch_items x ON x.batch_id = a.batch_id AND x.item_id = a.item_id \
              WHERE x.item_id IS NULL OR b.study_id <> a.study_id OR i.study_id <> a.study_id",
    },
    Rule {
        code: "batch_progress",
        sql: "SELECT b.study_id, b.id FROM batches b WHERE EXISTS (SELECT 1 FROM batch_progress p WHERE p.batch_id = b.id \
              AND p.assignments <> (SELECT COUNT(*) FROM assignments a WHERE a.batch_id = p.batch_id \
              AND a.rater_id = p.rater_id AND a.state = p.state)) OR EXISTS (SELECT 1 FROM assignments a \
              WHERE a.batch_id = b.id AND NOT EXISTS (SELECT 1 FROM batch_progress p WHERE p.batch_id = a.batch_id \
              AND p.rater_id = a.rater_id AND p.state = a.state))",
    },
    Rule {
        code: "judgement_of_other_item",
        sql: "SELECT n.study_id, n.id FROM judgements j JOIN annotations n ON n.id = j.annotation_id \
              JOIN candidates c ON c.id = j.candidate_id WHERE c.item_id <> n.item_id",
    },
    Rule {
        code: "candidate_of_other_study",
        sql: "SELECT c.study_id, c.id FROM candidates c JOIN items i ON i.id = c.item_id JOIN judges g ON g.id = c.judge_id \
              WHERE i.study_id <> c.study_id OR g.study_id <> c.study_id",
    },
    Rule {
        code: "span_of_other_item",
        sql: "SELECT c.study_id, c.id FROM candidate_spans s JOIN candidates c ON c.id = s.candidate_id \
              WHERE s.item_id <> c.item_id",
    },
    Rule {
        code: "anchor_without_span",
        sql: "SELECT c.study_id, c.id FROM candidates c WHERE (c.anchor = 'unanchored') = \
              EXISTS (SELECT 1 FROM candidate_spans s WHERE s.candidate_id = c.id)",
    },
    Rule {
        code: "ruling_latest",
        sql: "SELECT r.study_id, r.unit_id FROM rulings r GROUP BY r.study_id, r.unit_id \
              HAVING SUM(r.latest) <> 1 OR MAX(r.version) <> COUNT(*) \
              OR MAX(r.version) <> MAX(CASE WHEN r.latest = 1 THEN r.version ELSE 0 END)",
    },
    Rule {
        code: "scheme_missing",
        sql: "SELECT s.id, s.id FROM studies s LEFT JOIN study_schemes v ON v.study_id = s.id AND v.version = s.scheme_version \
              WHERE v.scheme_hash IS NULL",
    },
];

/// The study and the id of each row that breaks a rule, at most a thousand.
///
/// # Errors
/// When the database fails.
pub async fn broken(connection: &mut AnyConnection, rule: Rule) -> Result<Vec<(String, String)>> {
    let sql = format!(
        "SELECT * FROM ({}) AS found ORDER BY 1, 2 LIMIT 1000",
        rule.sql
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}

/// Every study, oldest first.
///
/// # Errors
/// When the database fails.
pub async fn studies(connection: &mut AnyConnection) -> Result<Vec<String>> {
    let rows = sqlx::query("SELECT id FROM studies ORDER BY created_at, id")
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// The length that each trace of these items claims to have, by the item's id.
///
/// # Errors
/// When the database fails.
pub async fn trace_lengths(
    connection: &mut AnyConnection,
    study: &str,
    after: i64,
    up_to: i64,
) -> Result<Vec<(String, i64)>> {
    let rows = sqlx::query("SELECT id, trace_length FROM items WHERE study_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq")
        .bind(study)
        .bind(after)
        .bind(up_to)
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}
