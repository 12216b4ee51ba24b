//! How the JSON API says no: `{"error":{"code":..,"message":..}}` with the refusal's status.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::refusal::Refusal;
use serde_json::{Value, json};
use tracing::error;

use super::extract::Json;

/// A refusal, possibly with more that the client needs to go on.
#[derive(Debug)]
pub struct ApiError {
    refusal: Refusal,
    more: Value,
}

/// What every handler answers with.
pub type ApiResult<T> = Result<Json<T>, ApiError>;

impl ApiError {
    /// A refusal with further members beside `error`.
    pub fn with(refusal: Refusal, more: Value) -> Self {
        Self { refusal, more }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self {
            refusal,
            more: Value::Null,
        }
    }
}

impl From<service::Error> for ApiError {
    fn from(cause: service::Error) -> Self {
        if let service::Error::Internal(cause) = &cause {
            error!(%cause, "use case failed");
        }
        cause.refusal().into()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.refusal.status())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut body =
            json!({"error": {"code": self.refusal.code(), "message": self.refusal.message()}});
        if let (Value::Object(body), Value::Object(more)) = (&mut body, self.more) {
            body.extend(more);
        }
        (status, Json(body)).into_response()
    }
}
