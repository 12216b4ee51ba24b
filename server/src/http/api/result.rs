//! Disagreements, rulings and agreement.

use axum::{
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use domain::id::{StudyId, UnitId};
use service::{
    Services,
    agreement::{self, AgreementQuery, AgreementReport},
    ruling::{self, NewRuling},
    unit::{self, Page, Queue, QueueFilter, RulingView, UnitView},
};

use super::extract::{Json, Path, Query};
use super::{ApiError, ApiResult, SignedIn};
use crate::http::download::Under;

/// The units by state, most distant first. Values appear only where every annotation is in.
#[utoipa::path(get, path = "/api/v1/studies/{study}/disagreements", tag = "results", params(("study" = String, Path)), responses((status = 200, description = "Counts by state and a page of units")))]
pub async fn queue(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(filter): Query<QueueFilter>,
    Query(page): Query<Page>,
) -> ApiResult<Queue> {
    Ok(Json(unit::queue(&app, &actor, &id, &filter, page).await?))
}

/// One unit with its item, both raters and every ruling.
#[utoipa::path(get, path = "/api/v1/units/{unit}", tag = "results", params(("unit" = String, Path)), responses((status = 200, description = "The unit")))]
pub async fn unit(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<UnitId>,
) -> ApiResult<UnitView> {
    Ok(Json(unit::get(&app, &actor, &id).await?))
}

/// Records a ruling; the expected version keeps two people from overwriting each other.
#[utoipa::path(post, path = "/api/v1/units/{unit}/ruling", tag = "results", params(("unit" = String, Path)), request_body = Object, responses((status = 200, description = "The ruling"), (status = 409, description = "Changed since it was opened")))]
pub async fn rule(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<UnitId>,
    Json(new): Json<NewRuling>,
) -> ApiResult<RulingView> {
    Ok(Json(ruling::record(&app, &actor, &id, new).await?))
}

/// Agreement coefficients with n, dropped units, intervals and methods. Intervals that take long are resampled in the
/// background; `resampling` says how far that is.
#[utoipa::path(get, path = "/api/v1/studies/{study}/agreement", tag = "results", params(("study" = String, Path), ("stage" = Option<String>, Query, description = "raw or reconciled"), ("question" = Option<String>, Query, description = "severity, validity, or the name of a question about the item; NAME.LEVEL for one level of several; the first of the scheme without one"), ("facet" = Option<String>, Query, description = "category, condition, model, rater_pair or judge")), responses((status = 200, description = "The report")))]
pub async fn agreement(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(query): Query<AgreementQuery>,
) -> ApiResult<AgreementReport> {
    Ok(Json(agreement::report(&app, &actor, &id, &query).await?))
}

/// The rows behind a coefficient, as CSV.
#[utoipa::path(get, path = "/api/v1/studies/{study}/agreement/rows", tag = "results", params(("study" = String, Path), ("stage" = Option<String>, Query), ("question" = Option<String>, Query), ("facet" = Option<String>, Query), ("value" = Option<String>, Query, description = "one value of the facet; all units without one")), responses((status = 200, description = "CSV")))]
pub async fn agreement_rows(
    State(app): State<Services>,
    SignedIn(actor): SignedIn,
    Path(id): Path<StudyId>,
    Query(query): Query<AgreementQuery>,
    Query(under): Query<Under>,
) -> Result<Response, ApiError> {
    let value = under.value.as_deref();
    let rows = agreement::rows(&app, &actor, &id, &query, value).await?;
    Ok((
        [(header::CONTENT_TYPE, "text/csv; charset=utf-8")],
        Body::from(rows),
    )
        .into_response())
}
