//! Keeping a draft: once, on the version it was written on.

use super::lanes;
use super::mine::Work;
use super::view::{Save, Saved};
use crate::actor::Actor;
use crate::error::Result;
use crate::services::Services;
use domain::id::AssignmentId;
use domain::refusal::Refusal;
use store::draft::Draft;

/// How often a decision is made anew when somebody else writes between reading and writing.
pub(super) const ATTEMPTS: usize = 3;

/// Keeps a draft. The same save sent again gets the same answer and writes nothing.
///
/// # Errors
/// [`Refusal::Conflict`] when it was written on an older version or has the identity of the last save, and says something else,
/// [`Refusal::AssignmentClosed`] when nothing can be changed, or what is wrong with the annotation.
pub async fn save(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
    mut save: Save,
) -> Result<Saved> {
    for _ in 0..ATTEMPTS {
        let work = Work::load(app, actor, assignment).await?;
        save.annotation.in_order(&work.scheme);
        if work.knows(&save)? {
            return Ok(stored(&work, app.now()));
        }
        work.mine.held.state.save()?;
        if let Some(saved) = keep(app, actor, &work, &save).await? {
            return Ok(saved);
        }
    }
    Err(Refusal::Conflict.into())
}

/// Writes the draft; nothing when somebody else wrote first.
pub(super) async fn keep(
    app: &Services,
    actor: &Actor,
    work: &Work,
    save: &Save,
) -> Result<Option<Saved>> {
    work.check(&save.annotation, &save.save_id)?;
    work.agree_on_base(save.base_version, &save.annotation)?;
    if work.mine.draft.as_ref() == Some(&save.annotation) {
        return Ok(Some(stored(work, app.now())));
    }
    let held = &work.mine.held;
    let now = app.now();
    let draft = Draft {
        held: held.clone(),
        to: held.state.save()?,
        body: save.annotation.clone(),
        save_id: save.save_id.clone(),
        at: now,
    };
    if !lanes::keep(app, actor, draft).await? {
        return Ok(None);
    }
    Ok(Some(Saved {
        version: held.version + 1,
        saved_at: now,
        gaps: work.gaps(&save.annotation),
    }))
}

/// The answer for what is stored already.
fn stored(work: &Work, now: i64) -> Saved {
    let held = &work.mine.held;
    Saved {
        version: held.version,
        saved_at: held.saved_at.unwrap_or(now),
        gaps: work.gaps(&work.current),
    }
}
