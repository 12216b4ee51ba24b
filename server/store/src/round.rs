//! Calibration and cross-check: what may be shown of another's judgement, and that it was.

mod calibration;
mod review;
mod said;

pub use calibration::{Calibration, calibration, given, of_assignment, put};
pub use review::{
    Drawn, NewReview, Review, Verdict, eligible, give, insert, mine, next, reviews_item, to_judge,
    verdicts, work,
};
pub use said::{Reviewed, reviewed};

use crate::error::Result;
use domain::id::{ItemId, StudyId, UserId};
use sqlx::{AnyConnection, Row};

/// Notes that a rater is shown another's judgement of an item; false when that was noted before.
///
/// # Errors
/// When the database fails.
pub async fn disclose(
    connection: &mut AnyConnection,
    study: &StudyId,
    item: &ItemId,
    viewer: &UserId,
    place: &str,
    at: i64,
) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO disclosures (study_id, item_id, viewer_id, place, at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (item_id, viewer_id, place) DO NOTHING",
    )
    .bind(study.as_str())
    .bind(item.as_str())
    .bind(viewer.as_str())
    .bind(place)
    .bind(at)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a rater was shown another's judgement of the item in a calibration or cross-check.
///
/// # Errors
/// When the database fails.
pub async fn was_shown(
    connection: &mut AnyConnection,
    item: &ItemId,
    viewer: &UserId,
) -> Result<bool> {
    let row = sqlx::query("SELECT COUNT(*) FROM disclosures WHERE item_id = $1 AND viewer_id = $2")
        .bind(item.as_str())
        .bind(viewer.as_str())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>(0)? > 0)
}
