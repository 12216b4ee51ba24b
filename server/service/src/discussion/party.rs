//! Who takes part in a discussion.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use domain::id::{ItemId, StudyId, UnitId, UserId};
use domain::refusal::Refusal;
use domain::role::{Action, may};
use domain::study::StudyState;
use store::AnyConnection;
use store::discussion::Discussion;

/// What somebody is in the discussion of a unit.
pub(crate) struct Party {
    /// The study.
    pub study: StudyId,
    /// The item.
    pub item: ItemId,
    /// Staff of the study: coordinators and adjudicators.
    pub staff: bool,
    /// A rater whose judgement of the item counts.
    pub rater: bool,
    /// All of those raters, by their place in the study.
    pub raters: Vec<UserId>,
    /// The discussion, if there is one.
    pub thread: Option<Discussion>,
}

/// Lets in staff, and raters of the item once staff have opened a discussion.
///
/// # Errors
/// [`Refusal::NotFound`] for everybody else, so that a discussion's existence is not told;
/// [`Refusal::NotAllIn`] for staff before every annotation of the item is in.
pub(super) async fn enter(
    conn: &mut AnyConnection,
    actor: &Actor,
    unit: &UnitId,
    action: Action,
) -> Result<Party> {
    let (study, item) = store::unit::place(conn, unit)
        .await?
        .ok_or(Refusal::NotFound)?;
    let roles = require(conn, actor, &study, action).await?;
    let staff = may(&roles, Action::DisagreementRead);
    let raters = store::discussion::raters(conn, &item).await?;
    let rater = raters.contains(&actor.user);
    let thread = store::discussion::get(conn, unit).await?;
    if !(staff || rater && thread.is_some()) {
        return Err(Refusal::NotFound.into());
    }
    if !store::unit::all_in(conn, &item).await? {
        return Err(Refusal::NotAllIn.into());
    }
    Ok(Party {
        study,
        item,
        staff,
        rater,
        raters,
        thread,
    })
}

impl Party {
    /// The discussion, while it takes messages and the study is not signed off.
    ///
    /// # Errors
    /// [`Refusal::DiscussionClosed`], [`Refusal::StudyClosed`].
    pub async fn open_thread(&self, conn: &mut AnyConnection) -> Result<&Discussion> {
        self.not_signed_off(conn).await?;
        let open = self.thread.as_ref().filter(|thread| thread.open);
        Ok(open.ok_or(Refusal::DiscussionClosed)?)
    }

    /// # Errors
    /// [`Refusal::StudyClosed`] in a signed-off study.
    pub async fn not_signed_off(&self, conn: &mut AnyConnection) -> Result<()> {
        let study = store::study::get(conn, &self.study)
            .await?
            .ok_or(Refusal::NotFound)?;
        if study.state == StudyState::SignedOff {
            return Err(Refusal::StudyClosed.into());
        }
        Ok(())
    }
}
