//! Members and invitations.

use axum::extract::State;
use domain::{id::StudyId, role::Role};
use serde::Deserialize;
use serde_json::{Value, json};
use service::{
    Services,
    invitation::{self, InvitationRow},
    member::{self, MemberRow},
};

use super::extract::{Json, Path};
use super::{ApiResult, SignedIn, done};

/// The members of a study with their roles.
#[utoipa::path(get, path = "/api/v1/studies/{study}/members", tag = "members", params(("study" = String, Path)), responses((status = 200, description = "Members")))]
pub async fn list(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<Vec<MemberRow>> {
    Ok(Json(member::list(&app, &actor, &id).await?))
}

/// An account to make a member of.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct NewMember {
    /// The name the account signs in with.
    name: String,
    /// coordinator, rater, adjudicator or reader.
    #[schema(value_type = String)]
    role: Role,
}

/// Makes an existing account a member.
#[utoipa::path(post, path = "/api/v1/studies/{study}/members", tag = "members", params(("study" = String, Path)), request_body = NewMember, responses((status = 200, description = "Added")))]
pub async fn add(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(new): Json<NewMember>,
) -> ApiResult<Value> {
    member::add(&app, &actor, &id, &new.name, new.role).await?;
    Ok(done())
}

/// Invitations of a study; never their secrets.
#[utoipa::path(get, path = "/api/v1/studies/{study}/invitations", tag = "members", params(("study" = String, Path)), responses((status = 200, description = "Invitations")))]
pub async fn invitations(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<Vec<InvitationRow>> {
    Ok(Json(invitation::list(&app, &actor, Some(&id)).await?))
}

/// Somebody to invite.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct NewInvitation {
    /// coordinator, rater, adjudicator or reader.
    #[schema(value_type = String)]
    role: Role,
    /// The name that people read.
    display_name: String,
    /// For how many days the link works.
    #[serde(default = "fortnight")]
    days: u32,
}

fn fortnight() -> u32 {
    14
}

/// Makes a one-time link; its secret is shown this once.
#[utoipa::path(post, path = "/api/v1/studies/{study}/invitations", tag = "members", params(("study" = String, Path)), request_body = NewInvitation, responses((status = 200, description = "`{\"secret\": .., \"path\": \"/invitation/..\"}`")))]
pub async fn invite(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(new): Json<NewInvitation>,
) -> ApiResult<Value> {
    let secret = invitation::create(
        &app,
        &actor,
        Some(&id),
        new.role,
        &new.display_name,
        new.days,
    )
    .await?;
    Ok(Json(
        json!({"path": format!("/invitation/{secret}"), "secret": secret}),
    ))
}
