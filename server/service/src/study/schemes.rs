//! The scheme of a study, read once a process.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::{self, Scheme};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use store::AnyConnection;

/// The scheme of a study.
///
/// # Errors
/// [`Refusal::NotFound`] when there is no such study.
pub async fn scheme(app: &Services, id: &StudyId) -> Result<Arc<Scheme>> {
    Ok(scheme_in(&mut *app.db.read().await?, id).await?.0)
}

/// The text of a study's scheme, as it was loaded.
///
/// # Errors
/// [`Refusal::NotFound`] for somebody who is no member.
pub async fn scheme_text(app: &Services, actor: &Actor, id: &StudyId) -> Result<String> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, id, Action::StudyRead).await?;
    let (hash, _) = store::study::scheme_hash(&mut db, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    Ok(store::study::scheme_body(&mut db, &hash).await?)
}

/// Schemes by hash: they never change, so reading one once is enough for the process.
static SCHEMES: LazyLock<Mutex<HashMap<String, Arc<Scheme>>>> = LazyLock::new(Default::default);

/// The scheme of a study and the version under which it counts, within a running transaction.
///
/// # Errors
/// [`Refusal::NotFound`] when there is no such study.
pub async fn scheme_in(connection: &mut AnyConnection, id: &StudyId) -> Result<(Arc<Scheme>, i64)> {
    let (hash, version) = store::study::scheme_hash(connection, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    Ok((scheme_of(connection, &hash).await?, version))
}

/// The scheme of this hash.
///
/// # Errors
/// When the database fails or holds no such scheme.
pub async fn scheme_of(connection: &mut AnyConnection, hash: &str) -> Result<Arc<Scheme>> {
    if let Some(known) = SCHEMES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(hash)
    {
        return Ok(known.clone());
    }
    let body = store::study::scheme_body(connection, hash).await?;
    let (scheme, _) =
        scheme::parse(&body).map_err(|_| store::Error::inconsistent("schemes", "body", hash))?;
    let scheme = Arc::new(scheme);
    SCHEMES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(hash.to_owned(), scheme.clone());
    Ok(scheme)
}
