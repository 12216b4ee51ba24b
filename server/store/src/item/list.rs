//! Items as staff look them over: counts, never judgements.

use crate::error::Result;
use domain::id::{ItemId, StudyId};
use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, Row};

/// Which items; an empty text is any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ItemFilter {
    /// Part of the item's key.
    pub key: String,
    /// The condition.
    pub condition: String,
    /// The model.
    pub model: String,
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedItem {
    /// The item.
    pub id: ItemId,
    /// Its number in the study.
    pub seq: i64,
    /// Its key in its file.
    pub source_key: String,
    /// The condition of the person in the vignette.
    pub condition: String,
    /// The model that wrote the trace.
    pub model: String,
    /// Candidates of all judges.
    pub candidates: i64,
    /// Candidates whose evidence stands nowhere in the trace.
    pub unanchored: i64,
    /// Runs of a judge that failed.
    pub failed: i64,
    /// Assignments that are not withdrawn.
    pub assigned: i64,
    /// Of these, how many raters have answered.
    pub done: i64,
}

/// A judge's run over an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The judge's name.
    pub judge: String,
    /// The language model behind it.
    pub model: String,
    /// The version of its prompt.
    pub prompt_version: String,
    /// `judged` or `failed`.
    pub outcome: String,
    /// The kind of failure.
    pub failure: String,
    /// The judge's summary.
    pub summary: String,
}

macro_rules! filtered {
    ($head:literal, $tail:literal) => {
        concat!(
            $head,
            " FROM items i WHERE i.study_id = $1 AND ($2 = '' OR i.source_key LIKE $2 ESCAPE '!') \
             AND ($3 = '' OR i.condition = $3) AND ($4 = '' OR i.model = $4)",
            $tail
        )
    };
}

/// Items after the number `after`, in the order of import.
///
/// # Errors
/// When the database fails.
pub async fn list(
    connection: &mut AnyConnection,
    study: &StudyId,
    filter: &ItemFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<ListedItem>> {
    let rows = sqlx::query(filtered!(
        "SELECT i.id, i.seq, i.source_key, i.condition, i.model, \
         (SELECT COUNT(*) FROM candidates c WHERE c.item_id = i.id) AS candidates, \
         (SELECT COUNT(*) FROM candidates c WHERE c.item_id = i.id AND c.anchor = 'unanchored') AS unanchored, \
         (SELECT COUNT(*) FROM judged j WHERE j.item_id = i.id AND j.outcome = 'failed') AS failed, \
         (SELECT COUNT(*) FROM assignments a WHERE a.item_id = i.id AND a.state <> 'withdrawn') AS assigned, \
         (SELECT COUNT(*) FROM assignments a WHERE a.item_id = i.id \
          AND a.state IN ('submitted', 'reopened', 'not_ratable')) AS done",
        " AND i.seq > $5 ORDER BY i.seq LIMIT $6"
    ))
    .bind(study.as_str())
    .bind(pattern(&filter.key))
    .bind(filter.condition.as_str())
    .bind(filter.model.as_str())
    .bind(after)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(ListedItem {
                id: ItemId::new(row.try_get::<String, _>(0)?),
                seq: row.try_get(1)?,
                source_key: row.try_get(2)?,
                condition: row.try_get(3)?,
                model: row.try_get(4)?,
                candidates: row.try_get(5)?,
                unanchored: row.try_get(6)?,
                failed: row.try_get(7)?,
                assigned: row.try_get(8)?,
                done: row.try_get(9)?,
            })
        })
        .collect()
}

/// How many items the filter lets through.
///
/// # Errors
/// When the database fails.
pub async fn count(
    connection: &mut AnyConnection,
    study: &StudyId,
    filter: &ItemFilter,
) -> Result<i64> {
    let count = sqlx::query_scalar(filtered!("SELECT COUNT(*)", ""))
        .bind(study.as_str())
        .bind(pattern(&filter.key))
        .bind(filter.condition.as_str())
        .bind(filter.model.as_str())
        .fetch_one(connection)
        .await?;
    Ok(count)
}

/// A part of a key as a pattern in which nothing has a meaning of its own.
fn pattern(part: &str) -> String {
    if part.is_empty() {
        return String::new();
    }
    let plain: String = part
        .chars()
        .flat_map(|c| ("%_!".contains(c)).then_some('!').into_iter().chain([c]))
        .collect();
    format!("%{plain}%")
}

/// The judges' runs over an item.
///
/// # Errors
/// When the database fails.
pub async fn runs(connection: &mut AnyConnection, item: &ItemId) -> Result<Vec<Run>> {
    let rows = sqlx::query(
        "SELECT g.name, g.model, g.prompt_version, j.outcome, j.failure, j.summary FROM judged j \
         JOIN judges g ON g.id = j.judge_id WHERE j.item_id = $1 ORDER BY g.name, g.id",
    )
    .bind(item.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Run {
                judge: row.try_get(0)?,
                model: row.try_get(1)?,
                prompt_version: row.try_get(2)?,
                outcome: row.try_get(3)?,
                failure: row.try_get(4)?,
                summary: row.try_get(5)?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_part_of_a_key_is_no_pattern() {
        assert_eq!(super::pattern("a_1%!"), "%a!_1!%!!%");
        assert_eq!(super::pattern(""), "");
    }
}
