//! The rows behind a report, as CSV.

use super::answers::Answers;
use super::ground::{Ground, bare};
use super::matrix::values;
use super::questions::{named as name_of, resolved};
use super::slices::judged;
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
/// [`Refusal::Forbidden`] for a rater, who must not learn how others answered; [`Refusal::NotFound`] for a question that
/// the scheme does not ask.
pub async fn rows(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    query: &AgreementQuery,
    facet_value: Option<&str>,
) -> Result<Vec<u8>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::AgreementRead).await?;
    let mut ground = bare(&mut db, id).await?;
    let query = &AgreementQuery {
        question: resolved(&ground.scheme, &query.question)?,
        ..query.clone()
    };
    let units = if query.question.is_of_tags() {
        store::result::keyed(&mut db, id, &ground.raters).await?
    } else {
        let answers = Answers::read(&mut db, ground.ask(id, None)).await?;
        let coded = answers.coded(&ground, &query.question);
        ground = answers.ground(&ground, &query.question);
        let mut units = coded.units;
        units.extend(coded.waiting);
        units.sort_by_key(|keyed| keyed.unit.seq);
        units
    };
    let named = name_of(&ground.scheme, &query.question);
    let scale = ground.scale(&query.question);
    // Words say more than the places of words do.
    let worded = !named.ordered && !query.question.is_of_tags();
    let wanted = |unit: &UnitValues| match facet_value {
        Some(value) => is_under(unit, query.facet, value, &ground.letters),
        None => true,
    };
    let places = places(&ground, query, facet_value);
    let mut columns = Columns::new()
        .text("unit_id", "The unit: a candidate, or the answer to a question about the item.")
        .text(
            "source_key",
            "The candidate's key in the file it came from; for a question about the item the item's, with the part after #.",
        )
        .text(
            "item_key",
            "The item's key in the file it came from; intervals resample items.",
        )
        .text("category", "The candidate's category, or the question about the item.")
        .text("condition", "The item's condition.")
        .text("model", "The item's model.");
    for at in &places {
        let letter = &ground.letters[*at];
        let name = match at.checked_sub(ground.raters.len()) {
            None => format!("rater_{letter}"),
            Some(judge) if judge < ground.judges => format!("judge_{letter}"),
            Some(_) => letter.clone(),
        };
        let says = "The value that entered the statistic.";
        columns = if worded {
            columns.text(name, says)
        } else {
            columns.number(name, says)
        };
    }
    let columns = columns.text(
        "left_out",
        "Why the unit is not compared; empty when it is. One rating alone still counts for how often its value is used.",
    );
    let mut table = Table::new(Vec::new(), &columns, false).map_err(|_| Refusal::Internal)?;
    for keyed in units.iter().filter(|keyed| wanted(&keyed.unit)) {
        let unit = &keyed.unit;
        let found = values(unit, &places, query);
        let mut cells = vec![
            Cell::Text(unit.unit.as_str()),
            Cell::Text(&keyed.source_key),
            Cell::Text(&keyed.item_key),
            Cell::Text(&unit.category),
            Cell::Text(&unit.condition),
            Cell::Text(&unit.model),
        ];
        let word = |value: f64| {
            let at = scale.values.iter().position(|known| *known == value);
            at.map(|at| scale.labels[at].as_str())
        };
        cells.extend(found.answers.into_iter().map(|value| {
            if worded {
                Cell::text(value.and_then(word))
            } else {
                Cell::number(value)
            }
        }));
        cells.push(Cell::Text(found.left_out.unwrap_or_default()));
        table.row(&cells).map_err(|_| Refusal::Internal)?;
    }
    Ok(table.finish().map_err(|_| Refusal::Internal)?.0)
}

/// The columns that are compared.
fn places(ground: &Ground, query: &AgreementQuery, facet_value: Option<&str>) -> Vec<usize> {
    let people = 0..ground.raters.len();
    match (query.facet, facet_value) {
        (Facet::RaterPair, Some(pair)) => people
            .filter(|place| is_of(pair, &ground.letters[*place]))
            .collect(),
        (Facet::Judge, Some(value)) => judged(ground, query.stage)
            .into_iter()
            .find(|(own, ..)| own == value)
            .map_or_else(Vec::new, |(_, _, pair)| pair.to_vec()),
        (Facet::Judge, None) => (0..ground.letters.len()).collect(),
        _ => people.collect(),
    }
}

/// Whether a unit belongs to this value of the facet.
fn is_under(unit: &UnitValues, facet: Facet, value: &str, letters: &[String]) -> bool {
    match facet {
        Facet::None | Facet::Judge => true,
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
