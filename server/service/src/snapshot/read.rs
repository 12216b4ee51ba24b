//! Reading snapshots: the list, one of them, its labels, its content.

use super::{Label, Labels, ReopenedRow, SnapshotRef, SnapshotRow, SnapshotView};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::{Error, Result};
use crate::services::Services;
use crate::study::{scheme_in, scheme_of};
use domain::id::{SnapshotId, StudyId};
use domain::refusal::Refusal;
use domain::role::Action;
use std::io::Write;
use store::AnyConnection;
use store::snapshot::Head;
use tempfile::NamedTempFile;

/// How many labels, and how many items, are held at a time.
const STEP: i64 = 2_000;

/// The snapshots of a study, the latest first.
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater.
pub async fn list(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<SnapshotRow>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::SnapshotRead).await?;
    let heads = store::snapshot::list(&mut db, study).await?;
    let in_force = store::snapshot::in_force(&mut db, study).await?;
    let mut rows = Vec::with_capacity(heads.len());
    for head in heads {
        rows.push(named(&mut db, head, in_force.as_ref()).await?);
    }
    Ok(rows)
}

/// One snapshot with the rules that produced it.
///
/// # Errors
/// [`Refusal::NotFound`] when the study has none of this number.
pub async fn get(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    number: i64,
) -> Result<SnapshotView> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::SnapshotRead).await?;
    let head = store::snapshot::get(&mut db, study, number)
        .await?
        .ok_or(Refusal::NotFound)?;
    let in_force = store::snapshot::in_force(&mut db, study).await?;
    let manifest = serde_json::from_str(&head.manifest)
        .map_err(|_| store::Error::inconsistent("snapshots", "manifest", head.id.as_str()))?;
    Ok(SnapshotView {
        row: named(&mut db, head, in_force.as_ref()).await?,
        manifest,
    })
}

/// The labels of a snapshot, or of the study as it is now: these name the snapshot that the study stands on while it is
/// signed off.
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater, [`Refusal::NotFound`] for a snapshot of another study.
pub async fn labels(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    snapshot: Option<&SnapshotId>,
) -> Result<Labels> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::SnapshotRead).await?;
    labels_in(&mut db, study, snapshot).await
}

/// The same within a running transaction.
pub(crate) async fn labels_in(
    db: &mut AnyConnection,
    study: &StudyId,
    snapshot: Option<&SnapshotId>,
) -> Result<Labels> {
    let Some(id) = snapshot else {
        return now(db, study).await;
    };
    let head = store::snapshot::find(db, id)
        .await?
        .filter(|head| head.study == *study)
        .ok_or(Refusal::NotFound)?;
    let mut labels = Vec::with_capacity(usize::try_from(head.labels).unwrap_or_default());
    let mut after = 0;
    loop {
        let page = store::snapshot::bodies(db, id, after, STEP).await?;
        let Some((last, _)) = page.last() else { break };
        after = *last;
        for (_, body) in &page {
            labels.push(parse(body, id)?);
        }
    }
    Ok(Labels {
        snapshot: Some(SnapshotRef::from(&head)),
        scheme: scheme_of(db, &head.scheme_hash).await?,
        scheme_version: head.scheme_version,
        labels,
    })
}

async fn now(db: &mut AnyConnection, study: &StudyId) -> Result<Labels> {
    let (scheme, scheme_version) = scheme_in(db, study).await?;
    let in_force = store::snapshot::in_force(db, study).await?;
    let last = store::import::last_seq(db, study).await?;
    let (mut labels, mut after) = (Vec::new(), 0);
    while after < last {
        let page = store::snapshot::labelled(db, study, after, after + STEP).await?;
        labels.extend(page.into_iter().map(|one| Label::of(one, &scheme)));
        after += STEP;
    }
    Ok(Labels {
        snapshot: in_force.as_ref().map(SnapshotRef::from),
        scheme,
        scheme_version,
        labels,
    })
}

/// A label as a snapshot keeps it.
pub(crate) fn parse(body: &str, id: &SnapshotId) -> Result<Label> {
    let label = serde_json::from_str(body);
    Ok(label.map_err(|_| store::Error::inconsistent("snapshot_labels", "body", id.as_str()))?)
}

/// The content of a snapshot: the document whose SHA-256 is its hash.
///
/// # Errors
/// [`Refusal::NotFound`] when the study has none of this number.
pub async fn content(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    number: i64,
) -> Result<NamedTempFile> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::SnapshotRead).await?;
    let head = store::snapshot::get(&mut db, study, number)
        .await?
        .ok_or(Refusal::NotFound)?;
    let mut file = NamedTempFile::new().map_err(|cause| unwritten(&cause))?;
    write_content(&mut db, &head, &mut file).await?;
    Ok(file)
}

/// Writes the content of a snapshot.
pub(crate) async fn write_content<W: Write>(
    db: &mut AnyConnection,
    head: &Head,
    out: &mut W,
) -> Result<()> {
    let mut put = |text: &str| out.write_all(text.as_bytes()).map_err(|e| unwritten(&e));
    put("{\"labels\":[")?;
    let mut after = 0;
    loop {
        let page = store::snapshot::bodies(db, &head.id, after, STEP).await?;
        if page.is_empty() {
            break;
        }
        for (place, body) in page {
            if place > 1 {
                put(",")?;
            }
            put(&body)?;
            after = place;
        }
    }
    put(&format!("],\"manifest\":{}}}", head.manifest))
}

fn unwritten(cause: &std::io::Error) -> Error {
    tracing::error!(%cause, "a snapshot could not be written");
    Refusal::Internal.into()
}

async fn named(db: &mut AnyConnection, head: Head, in_force: Option<&Head>) -> Result<SnapshotRow> {
    let signed = display_name(db, &head.signed_by).await?;
    let reopened = match &head.reopened {
        Some(reopened) => display_name(db, &reopened.by).await?,
        None => String::new(),
    };
    let in_force = in_force.is_some_and(|other| other.id == head.id);
    Ok(row(head, signed, reopened, in_force))
}

async fn display_name(db: &mut AnyConnection, user: &str) -> Result<String> {
    let found = store::account::by_id(db, &domain::id::UserId::new(user)).await?;
    Ok(found.map_or_else(|| "Operator".to_owned(), |user| user.display_name))
}

pub(super) fn row(
    head: Head,
    signed_by: String,
    reopened_by: String,
    in_force: bool,
) -> SnapshotRow {
    SnapshotRow {
        named: SnapshotRef::from(&head),
        labels: head.labels,
        scheme_version: head.scheme_version,
        signed_by,
        attested_as: head.attested_as,
        statement: head.statement,
        signed_at: head.signed_at,
        reopened: head.reopened.map(|reopened| ReopenedRow {
            at: reopened.at,
            by: reopened_by,
            reason: reopened.reason,
        }),
        in_force,
    }
}
