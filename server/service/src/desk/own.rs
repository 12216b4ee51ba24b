//! The first step on an item whose tags of the judge are hidden: the rater's own tags, given once and for good.

use super::mine::Work;
use super::submit::commit;
use super::view::{Save, SubmitOutcome};
use crate::actor::Actor;
use crate::error::Result;
use crate::services::Services;
use domain::annotation::Annotation;
use domain::own::{Proposed, Step, whole};
use serde_json::json;
use store::assignment::Step as Change;
use store::own::NewOwn;

/// The answer to a first step that was taken before, sent again.
pub(super) fn again(work: &Work, save: &Save) -> Option<SubmitOutcome> {
    let own = work.mine.own.as_ref()?;
    let same =
        !own.save_id.is_empty() && own.save_id == save.save_id && own.body == save.annotation;
    (same && work.mine.held.state.is_open()).then(|| SubmitOutcome::Submitted {
        version: work.mine.held.version,
        submitted_at: own.submitted_at,
        next: Some(work.mine.held.id.clone()),
    })
}

/// Writes the rater's own tags. From then on the judge's are shown, on the same assignment; nothing when somebody else
/// wrote first.
pub(super) async fn give(
    app: &Services,
    actor: &Actor,
    work: &Work,
    save: &Save,
) -> Result<Option<SubmitOutcome>> {
    let held = &work.mine.held;
    let now = app.now();
    let mut tx = app.db.begin().await?;
    let change = Change {
        saved_at: Some(now),
        ..Change::default()
    };
    if !store::assignment::step(&mut tx, held, held.state.save()?, change).await? {
        return Ok(None);
    }
    let new = NewOwn {
        id: &app.id(),
        study: &held.study,
        assignment: &held.id,
        item: &held.item,
        rater: &held.rater,
        scheme_version: work.mine.scheme_version,
        body: &save.annotation,
        save_id: &save.save_id,
        at: now,
    };
    store::own::insert(&mut tx, &new).await?;
    // The second step starts from the comment and nothing else.
    let rest = Annotation {
        comment: save.annotation.comment.clone(),
        ..Annotation::default()
    };
    store::draft::put(&mut tx, &held.id, &rest, "", now).await?;
    store::audit::lock(&mut tx, held.study.as_str()).await?;
    crate::study::open_in(&mut tx, &held.study).await?;
    store::study::bump_revision(&mut tx, &held.study).await?;
    let version = held.version + 1;
    let details = json!({"version": version});
    commit(app, actor, tx, work, "submit_own", details).await?;
    Ok(Some(SubmitOutcome::Submitted {
        version,
        submitted_at: now,
        next: Some(held.id.clone()),
    }))
}

/// What counts as the rater's judgement: of both steps where there were two.
pub(super) async fn counting(
    app: &Services,
    work: &Work,
    second: &Annotation,
) -> Result<Annotation> {
    let Some(own) = work.mine.own.as_ref().filter(|_| work.step == Step::Judge) else {
        return Ok(second.clone());
    };
    let mut db = app.db.read().await?;
    let held = &work.mine.held;
    let candidates = store::candidate::shown(&mut db, &held.id, &held.rater, true).await?;
    let spans: Vec<Vec<(u32, u32)>> = candidates
        .iter()
        .map(|candidate| {
            candidate
                .spans
                .iter()
                .map(|(from, to, _)| (*from, *to))
                .collect()
        })
        .collect();
    let proposed: Vec<Proposed<'_>> = candidates
        .iter()
        .zip(&spans)
        .map(|(candidate, spans)| Proposed {
            id: &candidate.id,
            category: &candidate.category,
            spans,
        })
        .collect();
    Ok(whole(&own.body, second, &proposed, &work.scheme))
}
