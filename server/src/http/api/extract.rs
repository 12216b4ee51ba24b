//! What a request carries. A body, a path or a query that cannot be read is refused as everything is: with a code and a sentence,
//! and without a word of what was sent.

use axum::{
    extract::{FromRequest, FromRequestParts, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use domain::refusal::Refusal;
use serde::{Serialize, de::DeserializeOwned};

use super::ApiError;

/// A body of JSON, of a request or an answer.
pub struct Json<T>(pub T);

/// The parameters of a path.
pub struct Path<T>(pub T);

/// The parameters of a query.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let read = axum::Json::<T>::from_request(request, state).await;
        read.map(|axum::Json(body)| Self(body)).map_err(|cause| {
            match cause {
                // JSON, but not of what is asked for.
                JsonRejection::JsonDataError(_) => Refusal::InputInvalid,
                other if other.status() == StatusCode::PAYLOAD_TOO_LARGE => Refusal::TooLarge,
                _ => Refusal::BodyInvalid,
            }
            .into()
        })
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        read.map(|axum::extract::Path(named)| Self(named))
            .map_err(|_| Refusal::NotFound.into())
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let read = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        read.map(|axum::extract::Query(asked)| Self(asked))
            .map_err(|_| Refusal::InputInvalid.into())
    }
}
