//! Studies, their items and their audit log.

use axum::extract::State;
use domain::{
    id::{ItemId, StudyId},
    study::{Blinding, StudyState},
};
use serde::Deserialize;
use serde_json::Value;
use service::{
    Services, audit,
    item::{self, ItemFilter, ItemPage, ItemRow, Page},
    study::{self, SchemeSource, StudyRow, StudyView},
};

use super::extract::{Json, Path, Query};
use super::{ApiResult, SignedIn, done};

/// The studies of whoever asks; an administrator sees all.
#[utoipa::path(get, path = "/api/v1/studies", tag = "studies", responses((status = 200, description = "Studies with counts")))]
pub async fn list(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
) -> ApiResult<Vec<StudyRow>> {
    Ok(Json(study::list(&app, &actor).await?))
}

/// A new study.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct NewStudy {
    /// What it is called.
    name: String,
    /// A built-in scheme, for example `stigma`.
    scheme: Option<String>,
    /// A scheme of one's own, as TOML.
    scheme_toml: Option<String>,
}

/// Creates a study; whoever creates it coordinates it.
#[utoipa::path(post, path = "/api/v1/studies", tag = "studies", request_body = NewStudy, responses((status = 200, description = "`{\"id\": ..}`")))]
pub async fn create(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Json(new): Json<NewStudy>,
) -> ApiResult<Value> {
    let source = match (new.scheme_toml, new.scheme) {
        (Some(text), _) => SchemeSource::Toml(text),
        (None, name) => SchemeSource::Builtin(name.unwrap_or_else(|| "stigma".to_owned())),
    };
    let id = study::create(&app, &actor, &new.name, source).await?;
    Ok(Json(serde_json::json!({"id": id})))
}

/// One study: scheme, settings, counts, imports.
#[utoipa::path(get, path = "/api/v1/studies/{study}", tag = "studies", params(("study" = String, Path)), responses((status = 200, description = "Overview")))]
pub async fn show(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
) -> ApiResult<StudyView> {
    Ok(Json(study::overview(&app, &actor, &id).await?))
}

/// Changes what is hidden from raters; refused once a submission exists.
#[utoipa::path(post, path = "/api/v1/studies/{study}/blinding", tag = "studies", params(("study" = String, Path)), responses((status = 200, description = "Changed"), (status = 409, description = "A submission exists")))]
pub async fn set_blinding(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(blinding): Json<Blinding>,
) -> ApiResult<Value> {
    study::set_blinding(&app, &actor, &id, blinding).await?;
    Ok(done())
}

/// A step of a study.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct NewState {
    /// `collecting` or `reconciling`; a study is signed off by making a snapshot.
    #[schema(value_type = String)]
    state: StudyState,
    /// Needed to reopen a signed-off study.
    #[serde(default)]
    reason: String,
}

/// Moves a study on.
#[utoipa::path(post, path = "/api/v1/studies/{study}/state", tag = "studies", params(("study" = String, Path)), request_body = NewState, responses((status = 200, description = "Changed")))]
pub async fn set_state(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Json(to): Json<NewState>,
) -> ApiResult<Value> {
    study::set_state(&app, &actor, &id, to.state, &to.reason).await?;
    Ok(done())
}

/// Which rows of a listing.
#[derive(Deserialize)]
pub struct AuditQuery {
    #[serde(default)]
    action: String,
    #[serde(default)]
    actor: String,
    #[serde(default)]
    subject: String,
    before: Option<i64>,
    limit: Option<i64>,
}

/// The audit log, newest first.
#[utoipa::path(get, path = "/api/v1/studies/{study}/audit", tag = "studies", params(("study" = String, Path), ("action" = Option<String>, Query), ("actor" = Option<String>, Query), ("subject" = Option<String>, Query), ("before" = Option<i64>, Query), ("limit" = Option<i64>, Query)), responses((status = 200, description = "Rows")))]
pub async fn audit(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Vec<audit::AuditRow>> {
    let filter = audit::AuditFilter {
        action: query.action,
        actor: query.actor,
        subject: query.subject,
    };
    let before = query.before.unwrap_or(i64::MAX);
    let limit = query.limit.unwrap_or(100).clamp(1, 1000);
    Ok(Json(
        audit::page(&app, &actor, &id, &filter, before, limit).await?,
    ))
}

/// The items of a study, without their texts.
#[utoipa::path(get, path = "/api/v1/studies/{study}/items", tag = "studies", params(("study" = String, Path), ("after" = Option<i64>, Query, description = "the `seq` of the last item seen"), ("limit" = Option<i64>, Query)), responses((status = 200, description = "A page of items")))]
pub async fn items(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(filter): Query<ItemFilter>,
    Query(page): Query<ItemPage>,
) -> ApiResult<Page<ItemRow>> {
    Ok(Json(item::list(&app, &actor, &id, filter, page).await?))
}

/// One item with its trace and the judge's candidates.
#[utoipa::path(get, path = "/api/v1/items/{item}", tag = "studies", params(("item" = String, Path)), responses((status = 200, description = "The item")))]
pub async fn item(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<ItemId>,
) -> ApiResult<item::ItemView> {
    Ok(Json(item::get(&app, &actor, &id).await?))
}
