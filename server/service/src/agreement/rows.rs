//! The rows behind a report, as CSV.

use super::ground::bare;
use super::matrix::values;
use super::types::{AgreementQuery, Facet};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use formats::write::{Cell, Columns, Table};
use store::result::UnitValues;

/// One row a unit: its value by each rater, and whether it was used or why not. With a facet and one of its values,
/// the units under that value only.
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater, who must not learn how others answered.
pub async fn rows(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    query: &AgreementQuery,
    facet_value: Option<&str>,
) -> Result<Vec<u8>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::AgreementRead).await?;
    let ground = bare(&mut db, id).await?;
    let units = store::result::keyed(&mut db, id, &ground.raters).await?;
    let wanted = |unit: &UnitValues| match facet_value {
        Some(value) => is_under(unit, query.facet, value, &ground.letters),
        None => true,
    };
    let places: Vec<usize> = (0..ground.raters.len())
        .filter(|place| match (query.facet, facet_value) {
            (Facet::RaterPair, Some(pair)) => is_of(pair, &ground.letters[*place]),
            _ => true,
        })
        .collect();
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
    for keyed in units.iter().filter(|keyed| wanted(&keyed.unit)) {
        let unit = &keyed.unit;
        let found = values(unit, &places, query.question, query.stage);
        let (row, left_out) = match &found {
            Ok(row) => (row.clone(), ""),
            Err(reason) => (vec![None; places.len()], *reason),
        };
        let mut cells = vec![
            Cell::Text(unit.unit.as_str()),
            Cell::Text(&keyed.source_key),
            Cell::Text(&keyed.item_key),
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

/// Whether a unit belongs to this value of the facet.
fn is_under(unit: &UnitValues, facet: Facet, value: &str, letters: &[String]) -> bool {
    match facet {
        Facet::None => true,
        Facet::Category => &*unit.category == value,
        Facet::Condition => &*unit.condition == value,
        Facet::Model => &*unit.model == value,
        Facet::RaterPair => {
            let of_pair = |said: &&store::result::RaterValue| is_of(value, &letters[said.rater]);
            unit.values.iter().filter(of_pair).count() == 2
        }
    }
}

fn is_of(pair: &str, letter: &str) -> bool {
    pair.split('-').any(|other| other == letter)
}
