//! Writing a snapshot: names of what is never changed, copies of what is derived.

use crate::bulk::Bulk;
use crate::error::Result;
use domain::id::{SnapshotId, StudyId, UnitId};
use sqlx::AnyConnection;

/// Copies the units of a study and the names of the annotations that count, of items of which all are in.
///
/// # Errors
/// When the database fails.
pub async fn freeze(
    connection: &mut AnyConnection,
    snapshot: &SnapshotId,
    study: &StudyId,
) -> Result<()> {
    for sql in [
        "INSERT INTO snapshot_units (snapshot_id, unit_id, item_id, seq, kind, category, subcategory, state, ratings, \
         distance, weight, kinds, basis, said, ruling_id, excluded) SELECT $1, u.id, u.item_id, u.seq, u.kind, u.category, \
         u.subcategory, u.state, u.ratings, u.distance, u.weight, u.kinds, u.basis, u.said, COALESCE(r.id, ''), \
         COALESCE(x.reason, '') FROM units u LEFT JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 \
         LEFT JOIN exclusions x ON x.unit_id = u.id AND x.latest = 1 AND x.active = 1 WHERE u.study_id = $2",
        "INSERT INTO snapshot_annotations (snapshot_id, annotation_id) SELECT $1, a.id FROM annotations a \
         JOIN assignments s ON s.id = a.assignment_id JOIN batches b ON b.id = s.batch_id \
         WHERE a.study_id = $2 AND a.latest = 1 AND b.round IN ('main', 'imported') AND NOT EXISTS \
         (SELECT 1 FROM assignments o JOIN batches p ON p.id = o.batch_id WHERE o.item_id = a.item_id \
         AND o.state IN ('not_started', 'in_progress') AND p.round IN ('main', 'imported'))",
    ] {
        sqlx::query(sql)
            .bind(snapshot.as_str())
            .bind(study.as_str())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Labels on their way into a snapshot, numbered as they come.
#[derive(Debug)]
pub struct Labels {
    snapshot: SnapshotId,
    bulk: Bulk<4>,
    place: i64,
}

impl Labels {
    /// No labels yet.
    pub fn of(snapshot: SnapshotId) -> Self {
        Self {
            snapshot,
            bulk: Bulk::new("INSERT INTO snapshot_labels (snapshot_id, place, unit_id, body)"),
            place: 0,
        }
    }

    /// Adds a label.
    pub fn push(&mut self, unit: &UnitId, body: String) {
        self.place += 1;
        self.bulk.push([
            self.snapshot.as_str().into(),
            self.place.into(),
            unit.as_str().into(),
            body.into(),
        ]);
    }

    /// Writes what was added.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn flush(&mut self, connection: &mut AnyConnection) -> Result<()> {
        self.bulk.flush(connection).await
    }

    /// How many were added.
    pub fn count(&self) -> i64 {
        self.place
    }
}
