//! What a rater has to do, study by study.

use super::view::{MyBatch, MyStudy, MyWork};
use crate::actor::Actor;
use crate::error::Result;
use crate::services::Services;
use crate::study::scheme_of;
use domain::id::{AssignmentId, BatchId};
use store::assignment::MyRow;

/// The person's own work: counts and where to go on, never what anybody judged.
///
/// # Errors
/// When the database fails.
pub async fn my_work(app: &Services, actor: &Actor) -> Result<MyWork> {
    let mut db = app.db.read().await?;
    let mut rows = store::assignment::my_work(&mut db, &actor.user).await?;
    let mut back = store::assignment::handed_back(&mut db, &actor.user).await?;
    let mut work = MyWork::default();
    for (study, name, scheme_hash) in store::assignment::my_studies(&mut db, &actor.user).await? {
        let content_note = scheme_of(&mut db, &scheme_hash).await?.content_note.clone();
        let batches = rows
            .extract_if(.., |row| row.study == study)
            .map(|row| batch(row, &mut back))
            .collect();
        work.studies.push(MyStudy {
            study,
            name,
            content_note,
            batches,
        });
    }
    Ok(work)
}

fn batch(row: MyRow, back: &mut Vec<(BatchId, AssignmentId, i64)>) -> MyBatch {
    let mine = back.extract_if(.., |(batch, ..)| *batch == row.batch);
    let can_resume = mine
        .map(|(_, assignment, place)| (assignment, place))
        .collect();
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    MyBatch {
        batch: row.batch,
        name: row.name,
        total: count(row.total),
        done: count(row.done),
        in_progress: count(row.in_progress),
        handed_back: count(row.withdrawn),
        can_resume,
        next: row.next,
    }
}
