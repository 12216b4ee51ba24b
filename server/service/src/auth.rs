//! Authorisation: the first line of every use case.

use crate::actor::Actor;
use crate::error::Result;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::{Action, Role, may};
use store::AnyConnection;

/// The roles with which somebody may do this in the study.
///
/// # Errors
/// [`Refusal::NotFound`] for somebody who is no member, so that a study's existence is not told;
/// [`Refusal::Forbidden`] for a member without the right.
pub async fn require(
    connection: &mut AnyConnection,
    actor: &Actor,
    study: &StudyId,
    action: Action,
) -> Result<Vec<Role>> {
    let mut roles = store::member::roles(connection, study, &actor.user)
        .await?
        .ok_or(Refusal::NotFound)?;
    if actor.is_admin {
        roles.insert(0, Role::Admin);
    }
    if roles.is_empty() {
        return Err(Refusal::NotFound.into());
    }
    if !may(&roles, action) {
        return Err(Refusal::Forbidden.into());
    }
    Ok(roles)
}

/// Whether somebody may do this on the server as a whole.
///
/// # Errors
/// [`Refusal::Forbidden`] otherwise.
pub fn require_server(actor: &Actor, action: Action) -> Result<()> {
    let roles: &[Role] = if actor.is_admin { &[Role::Admin] } else { &[] };
    if may(roles, action) {
        Ok(())
    } else {
        Err(Refusal::Forbidden.into())
    }
}
