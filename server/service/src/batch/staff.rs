//! What staff see and do: counts and states, taking back, giving to somebody else.

use super::sample::share;
use super::{AssignmentRow, BatchRow, RaterProgress};
use crate::actor::Actor;
use crate::auth::require;
use crate::desk::steps::{derive_anew, leave, take};
use crate::error::Result;
use crate::services::Services;
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, BatchId, StudyId, UserId};
use domain::refusal::Refusal;
use domain::role::{Action, Role};
use domain::study::StudyState;
use serde_json::json;
use store::assignment::{Held, Step};
use store::batch::Progress;

/// The batches of a study in order, with the progress of their raters.
///
/// # Errors
/// [`Refusal::Forbidden`] for members who are no staff.
pub async fn list(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<BatchRow>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::ProgressRead).await?;
    let mut progress = store::batch::progress(&mut db, study).await?;
    let batches = store::batch::list(&mut db, study).await?;
    Ok(batches
        .into_iter()
        .map(|(batch, items)| BatchRow {
            progress: by_rater(progress.extract_if(.., |row| row.batch == batch.id)),
            id: batch.id,
            name: batch.name,
            round: batch.round,
            seed: batch.seed,
            stratify: batch.stratify,
            items: count(items),
            raters_per_item: count(batch.raters_per_item),
            hidden_percent: u32::try_from(batch.hidden_percent).unwrap_or_default(),
            hidden: hidden(items, batch.hidden_percent),
            created_at: batch.created_at,
        })
        .collect())
}

fn hidden(items: i64, percent: i64) -> u64 {
    let items = usize::try_from(items).unwrap_or_default();
    share(items, u32::try_from(percent).unwrap_or_default()) as u64
}

fn by_rater(rows: impl Iterator<Item = Progress>) -> Vec<RaterProgress> {
    let mut raters: Vec<RaterProgress> = Vec::new();
    for row in rows {
        if raters.last().is_none_or(|last| last.user != row.rater) {
            raters.push(RaterProgress {
                user: row.rater,
                display_name: row.rater_name,
                total: 0,
                done: 0,
                in_progress: 0,
                not_ratable: 0,
                withdrawn: 0,
            });
        }
        let Some(rater) = raters.last_mut() else {
            continue;
        };
        let number = count(row.assignments);
        match row.state {
            AssignmentState::NotStarted => {}
            AssignmentState::InProgress | AssignmentState::Reopened => rater.in_progress += number,
            AssignmentState::Submitted => rater.done += number,
            AssignmentState::NotRatable => {
                rater.done += number;
                rater.not_ratable += number;
            }
            AssignmentState::Withdrawn => rater.withdrawn += number,
        }
        if row.state != AssignmentState::Withdrawn {
            rater.total += number;
        }
    }
    raters
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// The assignments of a batch: whose and in which state, never what was said.
///
/// # Errors
/// [`Refusal::NotFound`] when there is no such batch.
pub async fn assignments(
    app: &Services,
    actor: &Actor,
    batch: &BatchId,
) -> Result<Vec<AssignmentRow>> {
    let mut db = app.db.read().await?;
    let (found, _) = store::batch::get(&mut db, batch)
        .await?
        .ok_or(Refusal::NotFound)?;
    require(&mut db, actor, &found.study, Action::ProgressRead).await?;
    let rows = store::assignment::of_batch(&mut db, batch).await?;
    Ok(rows
        .into_iter()
        .map(|row| AssignmentRow {
            id: row.id,
            item_key: row.item_key,
            rater: row.rater,
            rater_name: row.rater_name,
            state: row.state,
            judge_hidden: row.judge_hidden,
        })
        .collect())
}

/// Takes back an assignment that the rater has not begun.
///
/// # Errors
/// [`Refusal::AlreadyStarted`] once they have.
pub async fn take_back(app: &Services, actor: &Actor, assignment: &AssignmentId) -> Result<()> {
    let held = staffed(app, actor, assignment).await?;
    let step = Step {
        withdrawn_by: "staff",
        ..Step::default()
    };
    let mut tx = take(app, &held, held.state.take_back()?, step).await?;
    derive_anew(app, &mut tx, &held).await?;
    leave(
        app,
        actor,
        tx,
        &held,
        Action::BatchManage,
        "take_back",
        json!({}),
    )
    .await
}

/// Gives an assignment that was handed or taken back to another rater, at the end of their list.
///
/// # Errors
/// [`Refusal::AssignmentClosed`] unless it is withdrawn and nobody else has it yet, [`Refusal::InputInvalid`] when the other is no rater of the
/// study or has the item already, [`Refusal::ReadsItem`] when they were shown another's judgement of it or are to read one.
pub async fn reassign(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
    to_rater: &UserId,
) -> Result<AssignmentId> {
    let held = staffed(app, actor, assignment).await?;
    if held.state != AssignmentState::Withdrawn || held.withdrawn_by == "replaced" {
        return Err(Refusal::AssignmentClosed.into());
    }
    let mut tx = app.db.begin().await?;
    store::audit::lock(&mut tx, held.study.as_str()).await?;
    let members = store::member::list(&mut tx, &held.study).await?;
    if !members
        .iter()
        .any(|m| m.role == Role::Rater && m.active && m.user == *to_rater)
    {
        return Err(Refusal::InputInvalid.into());
    }
    // Their judgement would not be independent. A cross-check is drawn under the same lock.
    if store::round::reviews_item(&mut tx, &held.item, to_rater).await?
        || store::round::was_shown(&mut tx, &held.item, to_rater).await?
    {
        return Err(Refusal::ReadsItem.into());
    }
    let id = AssignmentId::new(app.id());
    store::assignment::reassigned(&mut tx, &held, &id, to_rater)
        .await
        .map_err(|error| match error {
            error if error.is_unique_violation() => Refusal::InputInvalid.into(),
            store::Error::RowsAffected { .. } => Refusal::Conflict.into(),
            error => crate::Error::from(error),
        })?;
    derive_anew(app, &mut tx, &held).await?;
    leave(
        app,
        actor,
        tx,
        &held,
        Action::BatchManage,
        "reassign",
        json!({"to": to_rater, "as": id}),
    )
    .await?;
    Ok(id)
}

async fn staffed(app: &Services, actor: &Actor, assignment: &AssignmentId) -> Result<Held> {
    let mut db = app.db.read().await?;
    let held = store::assignment::get(&mut db, assignment)
        .await?
        .ok_or(Refusal::NotFound)?;
    require(&mut db, actor, &held.study, Action::BatchManage).await?;
    if held.study_state == StudyState::SignedOff {
        return Err(Refusal::StudyClosed.into());
    }
    Ok(held)
}
