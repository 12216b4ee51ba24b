//! Personal tokens.

use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use service::{
    Services,
    account::{self, TokenRow},
};

use super::extract::{Json, Path};
use super::{ApiResult, SignedIn, done};

/// One's own tokens; never their secrets.
#[utoipa::path(get, path = "/api/v1/tokens", tag = "account", responses((status = 200, description = "Tokens")))]
pub async fn list(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
) -> ApiResult<Vec<TokenRow>> {
    Ok(Json(account::tokens(&app, &actor).await?))
}

/// A new token.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct NewToken {
    /// What it is for.
    name: String,
    /// After how many days it ends.
    days: Option<u32>,
}

/// Makes a token; its secret is shown this once.
#[utoipa::path(post, path = "/api/v1/tokens", tag = "account", request_body = NewToken, responses((status = 200, description = "`{\"secret\": ..}`")))]
pub async fn create(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Json(new): Json<NewToken>,
) -> ApiResult<Value> {
    let secret = account::create_token(&app, &actor, &new.name, new.days).await?;
    Ok(Json(serde_json::json!({"secret": secret})))
}

/// Ends a token at once.
#[utoipa::path(delete, path = "/api/v1/tokens/{token}", tag = "account", params(("token" = String, Path)), responses((status = 200, description = "Revoked")))]
pub async fn revoke(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<String>,
) -> ApiResult<Value> {
    account::revoke_token(&app, &actor, &id).await?;
    Ok(done())
}
