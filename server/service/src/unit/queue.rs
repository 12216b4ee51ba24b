//! The queue of units.

use super::letters::Letters;
use super::view::{Page, Queue, QueueFilter, QueueRow, RaterValue};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use crate::study::scheme_in;
use domain::id::StudyId;
use domain::role::Action;
use domain::ruling::Outcome;
use domain::scheme::Scheme;
use domain::unit::{UnitKind, UnitState, chosen_values};
use store::unit::{Answer, Listed, Said, Unit};

/// A page of units, the most distant first.
///
/// # Errors
/// [`domain::refusal::Refusal::Forbidden`] for roles that do not reconcile.
pub async fn queue(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    filter: &QueueFilter,
    page: Page,
) -> Result<Queue> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::DisagreementRead).await?;
    let page = Page {
        number: page.number.max(1),
        size: page.size.clamp(1, 500),
    };
    let (scheme, _) = scheme_in(&mut db, study).await?;
    let letters = Letters::of(&mut db, study).await?;
    let states = store::unit::counts(&mut db, study, &stored(filter)).await?;
    let (offset, limit) = (
        i64::from(page.number - 1) * i64::from(page.size),
        i64::from(page.size),
    );
    let listed = store::unit::queue(&mut db, study, &stored(filter), offset, limit).await?;
    let total = states
        .iter()
        .filter(|(state, _)| filter.state.shows(*state))
        .map(|(_, count)| count)
        .sum();
    let rows = listed
        .iter()
        .map(|listed| row(listed, &scheme, &letters))
        .collect();
    Ok(Queue {
        total,
        states,
        page,
        rows,
    })
}

fn stored(filter: &QueueFilter) -> store::unit::QueueFilter {
    store::unit::QueueFilter {
        states: UnitState::ALL
            .into_iter()
            .filter(|state| filter.state.shows(*state))
            .collect(),
        category: filter.category.clone(),
        condition: filter.condition.clone(),
        model: filter.model.clone(),
        unit_kind: filter.unit_kind.clone(),
        kind: filter.kind.clone(),
        batch: filter.batch.clone(),
        assigned: filter.assigned.clone(),
        excluded: filter.excluded,
    }
}

/// A unit as a list shows it.
pub(super) fn row(listed: &Listed, scheme: &Scheme, letters: &Letters) -> QueueRow {
    let unit = &listed.unit;
    let name = |code: &str| scheme.name_of(code).unwrap_or(code).to_owned();
    QueueRow {
        unit: unit.id.clone(),
        item: unit.item.clone(),
        item_key: listed.item_key.clone(),
        condition: listed.condition.clone(),
        model: listed.model.clone(),
        unit_kind: unit.kind,
        code: if unit.subcategory.is_empty() {
            &unit.category
        } else {
            &unit.subcategory
        }
        .clone(),
        category_name: name(&unit.category),
        subcategory_name: if unit.subcategory.is_empty() {
            String::new()
        } else {
            name(&unit.subcategory)
        },
        state: unit.state,
        kinds: unit
            .kinds
            .split(',')
            .filter(|kind| !kind.is_empty())
            .map(str::to_owned)
            .collect(),
        distance: unit.distance,
        answers_differ: answers_differ(unit, scheme),
        weight: unit.weight,
        values: unit
            .said
            .iter()
            .map(|said| rater_value(said, letters))
            .collect(),
        outcome: Outcome::parse(&listed.outcome),
        basis: unit.basis.clone(),
        unanimous: unit.state == UnitState::Agreed
            && unit.distance == 0.0
            && unit.said.len() > 1
            && unit.said.windows(2).all(|pair| {
                pair[0].validity == pair[1].validity
                    && pair[0].severity == pair[1].severity
                    && pair[0].values == pair[1].values
            })
            && unit.said.iter().all(|said| said.answer == Answer::Plain),
    }
}

/// Whether raters who answered the unit's question chose different values.
fn answers_differ(unit: &Unit, scheme: &Scheme) -> bool {
    let question = scheme
        .question(&unit.category)
        .filter(|_| unit.kind == UnitKind::Item);
    let Some(question) = question else {
        return false;
    };
    let answered = unit
        .said
        .iter()
        .filter(|said| said.answer == Answer::Plain)
        .filter_map(|said| chosen_values(&said.values, question));
    let answered: Vec<_> = answered.collect();
    answered.windows(2).any(|pair| pair[0] != pair[1])
}

/// What one rater said, as a list shows it.
pub(crate) fn rater_value(said: &Said, letters: &Letters) -> RaterValue {
    RaterValue {
        letter: letters.letter(&said.rater),
        validity: said.validity,
        severity: said.severity,
        not_ratable: said.answer == Answer::NotRatable,
        not_marked: said.answer == Answer::NotMarked,
        values: said.values.clone(),
    }
}
