//! Opening an assignment: two indexed queries, and a write on first sight only.

use super::item::{candidates_of, item_of};
use super::mine::{allowed, asked, document, gaps, judge_seen, ranges, step_of};
use super::view::{DeskProgress, DeskView, JudgeAnswer, OwnTags};
use crate::actor::Actor;
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::scheme_of;
use domain::annotation::Frame;
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, CandidateId};
use domain::own::Step;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::{QuestionKind, Scheme};
use domain::shape::Shape;
use domain::study::StudyState;
use serde_json::json;
use store::AnyConnection;
use store::assignment::{Mine, Place};

/// All that a rater sees of their assignment. When they first saw it is recorded.
///
/// # Errors
/// [`Refusal::NotFound`] when it is not theirs, [`Refusal::Forbidden`] when they rate in this study no longer.
pub async fn open(app: &Services, actor: &Actor, assignment: &AssignmentId) -> Result<DeskView> {
    let mut db = app.db.read().await?;
    let found = store::assignment::open(&mut db, assignment, &actor.user).await?;
    let (mine, place, item) = found.ok_or(Refusal::NotFound)?;
    allowed(&mine)?;
    let step = step_of(&mine);
    let scheme = asked(step, &scheme_of(&mut db, &mine.scheme_hash).await?);
    let hidden = mine.blinding;
    let candidates =
        store::candidate::shown(&mut db, &mine.held.id, &actor.user, hidden.judge_severity).await?;
    let annotation = document(&mut db, &mine).await?;
    let judge_answers = judge_answers(&mut db, &mine, &scheme).await?;
    let judge_seen = judge_seen(&mut db, &mine, &scheme).await?;
    drop(db);
    if mine.opened_at.is_none() && mine.held.state.is_open() {
        record_first_sight(app, actor, &mine).await?;
    }
    let ids: Vec<CandidateId> = candidates
        .iter()
        .map(|candidate| candidate.id.clone())
        .collect();
    let frame = Frame {
        scheme: &scheme,
        candidates: &ids,
        trace: &item.trace,
    };
    // Nothing is missing where nothing can be changed.
    let gaps = if mine.held.state.is_open() {
        let shape = Shape {
            trace: &item.trace,
            steps: &ranges(&item.segments),
            points: item.options.len(),
        };
        gaps(&annotation, frame, shape)
    } else {
        Vec::new()
    };
    Ok(DeskView {
        assignment: mine.held.id.clone(),
        version: mine.held.version,
        state: mine.held.state,
        study: mine.held.study.clone(),
        item: item_of(item, &scheme),
        candidates: candidates_of(candidates),
        judge_answers,
        annotation,
        gaps,
        progress: progress(&place),
        can_reopen: can_reopen(&mine, &place) && !judge_seen,
        judge_seen,
        study_name: place.study_name,
        batch_name: place.batch_name,
        previous: place.previous,
        next: place.next,
        scheme,
        saved_at: mine.held.saved_at,
        submitted_at: mine.held.submitted_at,
        judge_hidden: hidden.judge_severity,
        step,
        own: mine.own.map(|own| OwnTags {
            tags: own.body.missed,
            answers: own.body.answers,
            submitted_at: own.submitted_at,
        }),
    })
}

/// What judges answered. Scores that are hidden stay so until the rater has submitted; relations are no scores, they are
/// what the rater corrects.
async fn judge_answers(
    db: &mut AnyConnection,
    mine: &Mine,
    scheme: &Scheme,
) -> Result<Vec<JudgeAnswer>> {
    if scheme.item_questions.is_empty() || step_of(mine) != Step::Whole {
        return Ok(Vec::new());
    }
    let hidden = mine.blinding.judge_severity && mine.held.state.is_open();
    let shown = |question: &str| {
        let asked = scheme.question(question);
        !hidden || asked.is_some_and(|asked| asked.kind == QuestionKind::Relations)
    };
    let said = store::judge_answer::of_item(db, &mine.held.item).await?;
    let said = said.into_iter().filter(|said| shown(&said.question));
    Ok(said.map(JudgeAnswer::from).collect())
}

async fn record_first_sight(app: &Services, actor: &Actor, mine: &Mine) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if !store::assignment::first_opened(&mut tx, &mine.held.id, &actor.user, app.now()).await? {
        return Ok(());
    }
    let audit = Audit {
        study: Some(&mine.held.study),
        action: Action::Annotate,
        verb: "open",
        subject: mine.held.id.as_str(),
        details: json!({}),
    };
    app.commit(tx, actor, audit).await
}

fn progress(place: &Place) -> DeskProgress {
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    DeskProgress {
        done: count(place.done),
        total: count(place.total),
        position: count(place.position),
    }
}

fn can_reopen(mine: &Mine, place: &Place) -> bool {
    let given = matches!(
        mine.held.state,
        AssignmentState::Submitted | AssignmentState::NotRatable
    );
    given && !place.ruled && mine.held.study_state != StudyState::SignedOff
}
