//! The rater's own assignment, with what a judgement of it is measured against.

use super::view::Save;
use crate::actor::Actor;
use crate::error::Result;
use crate::services::Services;
use crate::study::scheme_of;
use domain::annotation::{Annotation, AnnotationError, Frame, Gap};
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, CandidateId};
use domain::own::Step;
use domain::refusal::Refusal;
use domain::role::{Action, Role, may};
use domain::scheme::{QuestionKind, Scheme};
use domain::shape::{self, Misfit, Shape};
use domain::study::StudyState;
use std::sync::Arc;
use store::AnyConnection;
use store::assignment::Mine;
use store::item::SegmentRange;

/// The longest identity of a save.
const SAVE_ID_LIMIT: usize = 100;

/// An assignment of the person asking, ready to be written to.
pub(super) struct Work {
    pub(super) mine: Mine,
    /// The whole scheme.
    pub(super) scheme: Arc<Scheme>,
    /// The part of it that is asked now.
    asked: Arc<Scheme>,
    pub(super) step: Step,
    trace: String,
    /// Where the steps of the trace begin and end and how many options there are, for a scheme whose answers point to them.
    steps: Vec<(u32, u32)>,
    points: usize,
    candidates: Vec<CandidateId>,
    /// What is stored as the rater's judgement now.
    pub(super) current: Annotation,
}

impl Work {
    /// Loads the assignment, if it is theirs, they still rate in the study and the study is not closed.
    pub(super) async fn load(
        app: &Services,
        actor: &Actor,
        assignment: &AssignmentId,
    ) -> Result<Self> {
        let mut db = app.db.read().await?;
        let found = store::assignment::mine(&mut db, assignment, &actor.user).await?;
        let (mine, trace, candidates) = found.ok_or(Refusal::NotFound)?;
        allowed(&mine)?;
        if mine.held.study_state == StudyState::SignedOff {
            return Err(Refusal::StudyClosed.into());
        }
        let current = document(&mut db, &mine).await?;
        let scheme = scheme_of(&mut db, &mine.scheme_hash).await?;
        let step = step_of(&mine);
        let (steps, points) = if points(&scheme) {
            store::item::shape(&mut db, &mine.held.item).await?
        } else {
            (Vec::new(), 0)
        };
        Ok(Self {
            steps: ranges(&steps),
            points,
            asked: asked(step, &scheme),
            scheme,
            step,
            trace,
            candidates,
            current,
            mine,
        })
    }

    fn frame(&self) -> Frame<'_> {
        Frame {
            scheme: &self.asked,
            candidates: &self.candidates,
            trace: &self.trace,
        }
    }

    /// Checks what even a draft must keep.
    pub(super) fn check(&self, annotation: &Annotation, save_id: &str) -> Result<()> {
        if save_id.chars().count() > SAVE_ID_LIMIT {
            return Err(Refusal::InputInvalid.into());
        }
        self.step.check(annotation)?;
        annotation.check(self.frame())?;
        let mut misfits = shape::misfits(annotation, &self.asked, self.shape());
        // A letter or words that are not there are a slip on the way, which the submission asks to be mended.
        let slip = |misfit| matches!(misfit, Misfit::NoSuchPiece(_) | Misfit::NoSuchWords(_));
        if misfits.any(|(_, misfit)| !slip(misfit)) {
            return Err(AnnotationError::UnknownAnswer.into());
        }
        Ok(())
    }

    fn shape(&self) -> Shape<'_> {
        Shape {
            trace: &self.trace,
            steps: &self.steps,
            points: self.points,
        }
    }

    /// What a submission would lack.
    pub(super) fn gaps(&self, annotation: &Annotation) -> Vec<Gap> {
        gaps(annotation, self.frame(), self.shape())
    }

    /// Whether this very save was kept before.
    ///
    /// # Errors
    /// [`Refusal::Conflict`] for another one of the same identity: it would be gone without a word.
    pub(super) fn knows(&self, save: &Save) -> Result<bool> {
        if save.save_id.is_empty() || self.mine.last_save != save.save_id {
            return Ok(false);
        }
        if save.annotation == self.current {
            Ok(true)
        } else {
            Err(Refusal::Conflict.into())
        }
    }

    /// Refuses what was written on an older version, unless nothing would change by it.
    pub(super) fn agree_on_base(&self, base_version: i64, annotation: &Annotation) -> Result<()> {
        if base_version == self.mine.held.version || *annotation == self.current {
            Ok(())
        } else {
            Err(Refusal::Conflict.into())
        }
    }
}

/// What is still to do, answers that point to what is not there included.
pub(super) fn gaps(annotation: &Annotation, frame: Frame<'_>, shape: Shape<'_>) -> Vec<Gap> {
    let mut gaps = annotation.gaps(frame);
    let misfits = shape::misfits(annotation, frame.scheme, shape);
    gaps.extend(misfits.map(|(question, _)| Gap::Relations {
        question: question.to_owned(),
    }));
    gaps
}

/// Whether answers under a scheme point to steps or options of the item.
fn points(scheme: &Scheme) -> bool {
    let mut asked = scheme.item_questions.iter();
    asked.any(|question| shape::points_into(question.kind))
}

/// Parts as ranges.
pub(super) fn ranges(segments: &[SegmentRange]) -> Vec<(u32, u32)> {
    segments.iter().map(|part| (part.start, part.end)).collect()
}

/// Whether the rater's submission has shown them what the judge said and was hidden before: then they cannot change their
/// own by themselves, or it would no longer be blind to the judge.
pub(super) async fn judge_seen(
    db: &mut AnyConnection,
    mine: &Mine,
    scheme: &Scheme,
) -> Result<bool> {
    let given = matches!(
        mine.held.state,
        AssignmentState::Submitted | AssignmentState::NotRatable
    );
    if !given || !mine.blinding.judge_severity || scheme.item_questions.is_empty() {
        return Ok(false);
    }
    let said = store::judge_answer::of_item(db, &mine.held.item).await?;
    let hidden = |question: &str| {
        let asked = scheme.question(question);
        asked.is_none_or(|asked| asked.kind != QuestionKind::Relations)
    };
    Ok(said.iter().any(|said| hidden(&said.question)))
}

/// What the rater is asked now.
pub(super) fn step_of(mine: &Mine) -> Step {
    Step::of(mine.judge_hidden, mine.own.is_some())
}

/// The part of a scheme that a step asks.
pub(super) fn asked(step: Step, scheme: &Arc<Scheme>) -> Arc<Scheme> {
    if step == Step::Whole {
        scheme.clone()
    } else {
        Arc::new(step.scheme(scheme))
    }
}

/// Whether the person may rate here now. What staff took away is no longer theirs to see.
pub(super) fn allowed(mine: &Mine) -> Result<()> {
    let roles: &[Role] = if mine.may_rate { &[Role::Rater] } else { &[] };
    if !may(roles, Action::Annotate) {
        return Err(Refusal::Forbidden.into());
    }
    if ["staff", "replaced"].contains(&mine.held.withdrawn_by.as_str()) {
        return Err(Refusal::NotFound.into());
    }
    Ok(())
}

/// The rater's judgement as it stands: the draft, else what they submitted elsewhere and was imported.
pub(super) async fn document(connection: &mut AnyConnection, mine: &Mine) -> Result<Annotation> {
    if let Some(draft) = &mine.draft {
        return Ok(draft.clone());
    }
    if !mine.held.state.is_in() {
        return Ok(Annotation::default());
    }
    let held = &mine.held;
    let stored = store::annotation::latest_of_assignment(connection, &held.id, &held.rater).await?;
    Ok(stored
        .filter(|stored| stored.ratable)
        .map(|stored| stored.body)
        .unwrap_or_default())
}
