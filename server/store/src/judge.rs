//! Judges: what is known of them, how their runs ended, what they saw before, and further judges' tags.

mod ground;

use crate::bulk::{Bulk, placeholders};
use crate::error::Result;
use crate::json;
use domain::id::{ItemId, JudgeId, StudyId};
use sqlx::{AnyConnection, AssertSqlSafe, Row};

pub use ground::{
    Looked, Run, Scope, Tag, Unit, ValidatedItem, annotations, candidates, compared_runs,
    compared_tags, few_shot, items, runs, spans, units,
};

/// A judge with what its file and people say of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    /// Its identity.
    pub id: JudgeId,
    /// What it is called.
    pub name: String,
    /// The language model behind it.
    pub model: String,
    /// The version of its prompt.
    pub prompt_version: String,
    /// Its parameters, as JSON or empty.
    pub params: String,
    /// When it judged; empty where nobody knows.
    pub judged_on: String,
    /// A remark.
    pub note: String,
    /// How many items it saw in its prompt.
    pub few_shot: i64,
}

/// What people say of a judge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The language model behind it.
    pub model: String,
    /// The version of its prompt.
    pub prompt_version: String,
    /// Its parameters.
    pub params: String,
    /// When it judged.
    pub judged_on: String,
    /// A remark.
    pub note: String,
}

/// How many runs of a judge ended in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunCount {
    /// The judge.
    pub judge: JudgeId,
    /// `judged` or `failed`.
    pub outcome: String,
    /// The kind of failure.
    pub failure: String,
    /// How many.
    pub count: i64,
    /// Whether its tags are compared only, and never shown to raters.
    pub compared: bool,
}

/// Which items prompts may be tuned on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Counted from 1.
    pub version: i64,
    /// The seed.
    pub seed: i64,
    /// The share of the development part, in thousandths.
    pub dev_share: i64,
    /// Epoch milliseconds.
    pub created_at: i64,
}

/// The judges of a study, by name.
///
/// # Errors
/// When the database fails.
pub async fn list(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Judge>> {
    let rows = sqlx::query(
        "SELECT j.id, j.name, COALESCE(f.model, j.model), COALESCE(f.prompt_version, j.prompt_version), \
         COALESCE(f.params, j.params), COALESCE(f.judged_on, ''), COALESCE(f.note, ''), \
         (SELECT COUNT(*) FROM few_shot_items s WHERE s.judge_id = j.id) \
         FROM judges j LEFT JOIN judge_facts f ON f.judge_id = j.id WHERE j.study_id = $1 ORDER BY j.name, j.id",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Judge {
                id: JudgeId::new(row.try_get::<String, _>(0)?),
                name: row.try_get(1)?,
                model: row.try_get(2)?,
                prompt_version: row.try_get(3)?,
                params: row.try_get(4)?,
                judged_on: row.try_get(5)?,
                note: row.try_get(6)?,
                few_shot: row.try_get(7)?,
            })
        })
        .collect()
}

/// The study of a judge.
///
/// # Errors
/// When the database fails.
pub async fn study_of(connection: &mut AnyConnection, judge: &JudgeId) -> Result<Option<StudyId>> {
    let row: Option<String> = sqlx::query_scalar("SELECT study_id FROM judges WHERE id = $1")
        .bind(judge.as_str())
        .fetch_optional(connection)
        .await?;
    Ok(row.map(StudyId::new))
}

/// How the runs of each judge ended.
///
/// # Errors
/// When the database fails.
pub async fn run_counts(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<RunCount>> {
    let mut counts = Vec::new();
    for (sql, compared) in [
        (
            "SELECT d.judge_id, d.outcome, d.failure, COUNT(*) FROM judged d JOIN judges j ON j.id = d.judge_id \
             WHERE j.study_id = $1 GROUP BY d.judge_id, d.outcome, d.failure ORDER BY d.judge_id, d.outcome, d.failure",
            false,
        ),
        (
            "SELECT d.judge_id, d.outcome, d.failure, COUNT(*) FROM compared_runs d JOIN judges j ON j.id = d.judge_id \
             WHERE j.study_id = $1 GROUP BY d.judge_id, d.outcome, d.failure ORDER BY d.judge_id, d.outcome, d.failure",
            true,
        ),
    ] {
        let rows = sqlx::query(sql)
            .bind(study.as_str())
            .fetch_all(&mut *connection)
            .await?;
        for row in &rows {
            counts.push(RunCount {
                judge: JudgeId::new(row.try_get::<String, _>(0)?),
                outcome: row.try_get(1)?,
                failure: row.try_get(2)?,
                count: row.try_get(3)?,
                compared,
            });
        }
    }
    Ok(counts)
}

/// Writes what people say of a judge over what they said before.
///
/// # Errors
/// When the database fails.
pub async fn set_facts(
    connection: &mut AnyConnection,
    judge: &JudgeId,
    facts: &Facts,
    (at, by): (i64, &str),
) -> Result<()> {
    sqlx::query(
        "INSERT INTO judge_facts (judge_id, model, prompt_version, params, judged_on, note, updated_at, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (judge_id) DO UPDATE SET model = excluded.model, \
         prompt_version = excluded.prompt_version, params = excluded.params, judged_on = excluded.judged_on, \
         note = excluded.note, updated_at = excluded.updated_at, updated_by = excluded.updated_by",
    )
    .bind(judge.as_str())
    .bind(&facts.model)
    .bind(&facts.prompt_version)
    .bind(&facts.params)
    .bind(&facts.judged_on)
    .bind(&facts.note)
    .bind(at)
    .bind(by)
    .execute(connection)
    .await?;
    Ok(())
}

/// The keys of the items that a judge saw in its prompt, in the order of the study.
///
/// # Errors
/// When the database fails.
pub async fn few_shot_keys(connection: &mut AnyConnection, judge: &JudgeId) -> Result<Vec<String>> {
    let keys = sqlx::query_scalar(
        "SELECT i.source_key FROM few_shot_items s JOIN items i ON i.id = s.item_id WHERE s.judge_id = $1 ORDER BY i.seq",
    )
    .bind(judge.as_str())
    .fetch_all(connection)
    .await?;
    Ok(keys)
}

/// The items that their file calls examples in judges' prompts, with their keys, in the order of the study.
///
/// # Errors
/// When the database fails or holds what is no JSON object.
pub async fn few_shot_of_files(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<Vec<(ItemId, String)>> {
    // The words may stand in any text of the file: only as a fact of the item do they say so.
    let rows = sqlx::query(
        "SELECT id, source_key, extra FROM items WHERE study_id = $1 AND extra LIKE '%in_judge_few_shot%' ORDER BY seq",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    let mut items = Vec::new();
    for row in &rows {
        let id: String = row.try_get(0)?;
        let extra: serde_json::Map<String, serde_json::Value> =
            json::read("items", "extra", &id, row.try_get(2)?)?;
        let said = extra.get("in_judge_few_shot");
        if said.is_some_and(|said| *said == true || *said == "true") {
            items.push((ItemId::new(id), row.try_get(1)?));
        }
    }
    Ok(items)
}

/// Replaces the items that a judge saw in its prompt.
///
/// # Errors
/// When the database fails.
pub async fn set_few_shot(
    connection: &mut AnyConnection,
    judge: &JudgeId,
    items: &[ItemId],
) -> Result<()> {
    sqlx::query("DELETE FROM few_shot_items WHERE judge_id = $1")
        .bind(judge.as_str())
        .execute(&mut *connection)
        .await?;
    let mut bulk = Bulk::<2>::new("INSERT INTO few_shot_items (judge_id, item_id)");
    for item in items {
        bulk.push([judge.as_str().into(), item.as_str().into()]);
    }
    bulk.flush(connection).await
}

/// The latest split of a study.
///
/// # Errors
/// When the database fails.
pub async fn split(connection: &mut AnyConnection, study: &StudyId) -> Result<Option<Split>> {
    let row = sqlx::query(
        "SELECT version, seed, dev_share, created_at FROM validation_splits WHERE study_id = $1 \
         ORDER BY version DESC LIMIT 1",
    )
    .bind(study.as_str())
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        Ok(Split {
            version: row.try_get(0)?,
            seed: row.try_get(1)?,
            dev_share: row.try_get(2)?,
            created_at: row.try_get(3)?,
        })
    })
    .transpose()
}

/// Appends a split.
///
/// # Errors
/// When the database fails.
pub async fn add_split(
    connection: &mut AnyConnection,
    study: &StudyId,
    split: &Split,
    by: &str,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO validation_splits (study_id, version, seed, dev_share, created_at, created_by) \
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(study.as_str())
    .bind(split.version)
    .bind(split.seed)
    .bind(split.dev_share)
    .bind(split.created_at)
    .bind(by)
    .execute(connection)
    .await?;
    Ok(())
}

/// A run of a further judge over an item that is there.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// The item.
    pub item: ItemId,
    /// `judged` or `failed`.
    pub outcome: &'static str,
    /// The kind of failure.
    pub failure: String,
    /// Names the content.
    pub content_hash: String,
    /// Category, subcategory, severity, spans.
    pub tags: Vec<(String, String, Option<f64>, Vec<(u32, u32)>)>,
}

/// The content of the runs that a further judge has over these items.
///
/// # Errors
/// When the database fails.
pub async fn known_runs(
    connection: &mut AnyConnection,
    judge: &JudgeId,
    items: &[&ItemId],
) -> Result<Vec<(ItemId, String)>> {
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT item_id, content_hash FROM compared_runs WHERE judge_id = $1 AND item_id IN {}",
        placeholders(2, items.len())
    );
    let mut query = sqlx::query(AssertSqlSafe(sql)).bind(judge.as_str().to_owned());
    for item in items {
        query = query.bind(item.as_str().to_owned());
    }
    let rows = query.fetch_all(connection).await?;
    rows.iter()
        .map(|row| Ok((ItemId::new(row.try_get::<String, _>(0)?), row.try_get(1)?)))
        .collect()
}

/// Takes back that a further judge's call failed, before the verdict of a later call is written.
///
/// # Errors
/// When the database fails.
pub async fn drop_failed(
    connection: &mut AnyConnection,
    judge: &JudgeId,
    item: &ItemId,
) -> Result<()> {
    sqlx::query(
        "DELETE FROM compared_runs WHERE judge_id = $1 AND item_id = $2 AND outcome = 'failed'",
    )
    .bind(judge.as_str())
    .bind(item.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes runs of a further judge.
///
/// # Errors
/// When the database fails or a run is there already.
pub async fn add_runs(
    connection: &mut AnyConnection,
    judge: &JudgeId,
    new: Vec<NewRun>,
) -> Result<()> {
    let mut runs = Bulk::<5>::new(
        "INSERT INTO compared_runs (judge_id, item_id, outcome, failure, content_hash)",
    );
    let mut tags = Bulk::<7>::new(
        "INSERT INTO compared_tags (judge_id, item_id, ordinal, category, subcategory, severity, spans)",
    );
    for run in new {
        for ((category, subcategory, severity, spans), ordinal) in run.tags.into_iter().zip(1_i64..)
        {
            tags.push([
                judge.as_str().into(),
                run.item.as_str().into(),
                ordinal.into(),
                category.into(),
                subcategory.into(),
                severity.into(),
                json::write(&spans).into(),
            ]);
        }
        runs.push([
            judge.as_str().into(),
            run.item.as_str().into(),
            run.outcome.into(),
            run.failure.into(),
            run.content_hash.into(),
        ]);
    }
    runs.flush(&mut *connection).await?;
    tags.flush(connection).await
}
