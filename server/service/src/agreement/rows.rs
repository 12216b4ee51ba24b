//! The rows behind a report, as CSV.

use super::matrix::values;
use super::{AgreementQuery, ground};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use formats::write::{Cell, Columns, Table};

/// One row a unit: its value by each rater, and whether it was used or why not.
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater, who must not learn how others answered.
pub async fn rows(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    query: &AgreementQuery,
) -> Result<Vec<u8>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::AgreementRead).await?;
    let ground = ground(&mut db, id).await?;
    let places: Vec<usize> = (0..ground.raters.len()).collect();
    let mut columns = Columns::new()
        .text("unit_id", "The unit: a candidate.")
        .text(
            "source_key",
            "The candidate's key in the file it came from.",
        )
        .text(
            "item_key",
            "The item's key in the file it came from; intervals resample items.",
        )
        .text("category", "The candidate's category.")
        .text("condition", "The item's condition.")
        .text("model", "The item's model.");
    for at in &places {
        columns = columns.number(
            format!("rater_{}", ground.letters[*at]),
            "The value that entered the statistic.",
        );
    }
    let columns = columns.text(
        "left_out",
        "Why the unit enters no statistic; empty when it does.",
    );
    let mut table = Table::new(Vec::new(), &columns, false).map_err(|_| Refusal::Internal)?;
    for unit in &ground.units {
        let found = values(unit, &places, query.question, query.stage);
        let (row, left_out) = match &found {
            Ok(row) => (row.clone(), ""),
            Err(reason) => (vec![None; places.len()], *reason),
        };
        let mut cells = vec![
            Cell::Text(unit.unit.as_str()),
            Cell::Text(&unit.source_key),
            Cell::Text(&unit.item_key),
            Cell::Text(&unit.category),
            Cell::Text(&unit.condition),
            Cell::Text(&unit.model),
        ];
        cells.extend(row.into_iter().map(Cell::number));
        cells.push(Cell::Text(left_out));
        table.row(&cells).map_err(|_| Refusal::Internal)?;
    }
    Ok(table.finish().map_err(|_| Refusal::Internal)?.0)
}
