//! Batches: what was drawn for a round, and who got what.

use crate::bulk::Bulk;
use crate::error::{Error, Result};
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, BatchId, ItemId, StudyId, UserId};
use sqlx::{AnyConnection, Row};

/// One batch as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBatch {
    /// Its identity.
    pub id: BatchId,
    /// Its study.
    pub study: StudyId,
    /// Its name.
    pub name: String,
    /// `calibration`, `main`, `cross_check` or `imported`.
    pub round: String,
    /// The seed of the sample and of the order.
    pub seed: i64,
    /// Empty, `model`, `condition` or `category`.
    pub stratify: String,
    /// How many items were asked for.
    pub requested: i64,
    /// How many raters each item has.
    pub raters_per_item: i64,
    /// The share of its items whose tags of the judge are hidden at first, in percent.
    pub hidden_percent: i64,
    /// Epoch milliseconds.
    pub created_at: i64,
    /// Who made it, unless it was the command line.
    pub created_by: Option<UserId>,
}

/// An item that may be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eligible {
    /// The item.
    pub item: ItemId,
    /// The stratum it belongs to; empty in a simple sample.
    pub stratum: String,
}

/// One assignment to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAssignment {
    /// Its identity.
    pub id: AssignmentId,
    /// Its item.
    pub item: ItemId,
    /// Whose it will be.
    pub rater: UserId,
    /// Its place in the rater's order, counted from 1.
    pub position: i64,
    /// Whether the judge's tags are hidden until the rater has given their own.
    pub judge_hidden: bool,
}

/// How many assignments of a rater stand in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The batch.
    pub batch: BatchId,
    /// The rater.
    pub rater: UserId,
    /// The rater's name as people read it.
    pub rater_name: String,
    /// The state.
    pub state: AssignmentState,
    /// How many.
    pub assignments: i64,
}

/// The items that no round has taken yet, in the order of import. A calibration leaves an item free for the
/// main round until a rater was shown another's judgement of it; `fresh` leaves out what was calibrated as well.
///
/// # Errors
/// When the database fails.
pub async fn eligible(
    connection: &mut AnyConnection,
    study: &StudyId,
    stratify: &str,
    fresh: bool,
) -> Result<Vec<Eligible>> {
    let rows = sqlx::query(
        "SELECT i.id, CASE $2 WHEN 'model' THEN i.model WHEN 'condition' THEN i.condition WHEN 'category' THEN \
         COALESCE((SELECT c.category FROM candidates c WHERE c.item_id = i.id ORDER BY c.ordinal LIMIT 1), '') \
         ELSE '' END AS stratum FROM items i WHERE i.study_id = $1 AND NOT EXISTS (SELECT 1 FROM assignments a \
         JOIN batches b ON b.id = a.batch_id WHERE a.item_id = i.id \
         AND (b.round IN ('main', 'imported') OR ($3 = 1 AND b.round = 'calibration'))) \
         AND NOT EXISTS (SELECT 1 FROM disclosures d WHERE d.item_id = i.id) ORDER BY i.seq",
    )
    .bind(study.as_str())
    .bind(stratify)
    .bind(i64::from(fresh))
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Eligible {
                item: ItemId::new(row.try_get::<String, _>(0)?),
                stratum: row.try_get(1)?,
            })
        })
        .collect()
}

/// Writes a batch, its items in the order drawn, and its assignments.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut AnyConnection,
    batch: &StoredBatch,
    items: &[ItemId],
    assignments: &[NewAssignment],
) -> Result<()> {
    insert_head(connection, batch).await?;
    let mut bulk = Bulk::<3>::new("INSERT INTO batch_items (batch_id, item_id, ordinal)");
    for (item, ordinal) in items.iter().zip(1_i64..) {
        bulk.push([
            batch.id.as_str().into(),
            item.as_str().into(),
            ordinal.into(),
        ]);
    }
    bulk.flush(connection).await?;
    let mut bulk = Bulk::<10>::new(
        "INSERT INTO assignments (id, study_id, batch_id, item_id, rater_id, position, state, version, judge_hidden, \
         withdrawn_by)",
    );
    let mut raters: Vec<(&UserId, i64)> = Vec::new();
    for new in assignments {
        match raters.iter_mut().find(|(rater, _)| *rater == &new.rater) {
            Some((_, count)) => *count += 1,
            None => raters.push((&new.rater, 1)),
        }
        bulk.push([
            new.id.as_str().into(),
            batch.study.as_str().into(),
            batch.id.as_str().into(),
            new.item.as_str().into(),
            new.rater.as_str().into(),
            new.position.into(),
            AssignmentState::NotStarted.as_str().into(),
            0_i64.into(),
            i64::from(new.judge_hidden).into(),
            "".into(),
        ]);
    }
    bulk.flush(connection).await?;
    for (rater, count) in raters {
        count_in(
            connection,
            &batch.id,
            rater,
            AssignmentState::NotStarted,
            count,
        )
        .await?;
    }
    Ok(())
}

pub(crate) async fn insert_head(connection: &mut AnyConnection, batch: &StoredBatch) -> Result<()> {
    sqlx::query(
        "INSERT INTO batches (id, study_id, ordinal, name, round, seed, stratify, requested, raters_per_item, \
         created_at, created_by, hidden_percent) SELECT $1, $2, COALESCE(MAX(ordinal), 0) + 1, $3, $4, $5, $6, $7, $8, \
         $9, $10, $11 \
         FROM batches WHERE study_id = $2",
    )
    .bind(batch.id.as_str())
    .bind(batch.study.as_str())
    .bind(batch.name.as_str())
    .bind(batch.round.as_str())
    .bind(batch.seed)
    .bind(batch.stratify.as_str())
    .bind(batch.requested)
    .bind(batch.raters_per_item)
    .bind(batch.created_at)
    .bind(batch.created_by.as_ref().map(|user| user.as_str().to_owned()))
    .bind(batch.hidden_percent)
    .execute(connection)
    .await?;
    Ok(())
}

/// Adds to the count of a rater's assignments in a state.
pub(crate) async fn count_in(
    connection: &mut AnyConnection,
    batch: &BatchId,
    rater: &UserId,
    state: AssignmentState,
    count: i64,
) -> Result<()> {
    expect_progress(connection, batch, rater).await?;
    sqlx::query(
        "UPDATE batch_progress SET assignments = assignments + $1 WHERE batch_id = $2 AND rater_id = $3 AND state = $4",
    )
    .bind(count)
    .bind(batch.as_str())
    .bind(rater.as_str())
    .bind(state.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// Makes sure that there is a row for every state of the rater.
pub(crate) async fn expect_progress(
    connection: &mut AnyConnection,
    batch: &BatchId,
    rater: &UserId,
) -> Result<()> {
    for state in AssignmentState::ALL {
        sqlx::query(
            "INSERT INTO batch_progress (batch_id, rater_id, state, assignments) VALUES ($1, $2, $3, 0) \
             ON CONFLICT (batch_id, rater_id, state) DO NOTHING",
        )
        .bind(batch.as_str())
        .bind(rater.as_str())
        .bind(state.as_str())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

macro_rules! select {
    ($where:literal) => {
        concat!(
            "SELECT b.id, b.study_id, b.name, b.round, b.seed, b.stratify, b.requested, b.raters_per_item, \
             b.created_at, b.created_by, b.hidden_percent, (SELECT COUNT(*) FROM batch_items i WHERE i.batch_id = b.id) AS items \
             FROM batches b WHERE ",
            $where
        )
    };
}

/// The batches of a study in order, each with the number of its items.
///
/// # Errors
/// When the database fails.
pub async fn list(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<Vec<(StoredBatch, i64)>> {
    let rows = sqlx::query(select!("b.study_id = $1 ORDER BY b.ordinal"))
        .bind(study.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// One batch with the number of its items.
///
/// # Errors
/// When the database fails.
pub async fn get(
    connection: &mut AnyConnection,
    id: &BatchId,
) -> Result<Option<(StoredBatch, i64)>> {
    let row = sqlx::query(select!("b.id = $1"))
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

fn read(row: &sqlx::any::AnyRow) -> Result<(StoredBatch, i64)> {
    let batch = StoredBatch {
        id: BatchId::new(row.try_get::<String, _>(0)?),
        study: StudyId::new(row.try_get::<String, _>(1)?),
        name: row.try_get(2)?,
        round: row.try_get(3)?,
        seed: row.try_get(4)?,
        stratify: row.try_get(5)?,
        requested: row.try_get(6)?,
        raters_per_item: row.try_get(7)?,
        created_at: row.try_get(8)?,
        created_by: row.try_get::<Option<String>, _>(9)?.map(UserId::new),
        hidden_percent: row.try_get(10)?,
    };
    Ok((batch, row.try_get(11)?))
}

/// How far the raters of a study's batches are, in the order of batches and raters.
///
/// # Errors
/// When the database fails.
pub async fn progress(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Progress>> {
    let rows = sqlx::query(
        "SELECT p.batch_id, p.rater_id, u.display_name, p.state, p.assignments FROM batch_progress p \
         JOIN batches b ON b.id = p.batch_id JOIN users u ON u.id = p.rater_id \
         LEFT JOIN members m ON m.study_id = b.study_id AND m.user_id = p.rater_id AND m.role = 'rater' \
         WHERE b.study_id = $1 ORDER BY b.ordinal, m.position, p.rater_id, p.state",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let (rater, word): (String, &str) = (row.try_get(1)?, row.try_get(3)?);
            let state = AssignmentState::parse(word);
            Ok(Progress {
                batch: BatchId::new(row.try_get::<String, _>(0)?),
                rater_name: row.try_get(2)?,
                state: state
                    .ok_or_else(|| Error::inconsistent("batch_progress", "state", &rater))?,
                assignments: row.try_get(4)?,
                rater: UserId::new(rater),
            })
        })
        .collect()
}
