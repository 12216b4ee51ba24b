//! What a rater sees after a calibration item: their own labels beside those they are measured against.

use crate::actor::Actor;
use crate::desk::{DeskItem, item_of};
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::scheme_in;
use domain::annotation::{Answer, Judgement};
use domain::id::{AssignmentId, ItemId, StudyId};
use domain::refusal::Refusal;
use domain::role::{Action, Role};
use domain::scheme::{ItemQuestion, Scheme, Validity};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use store::annotation::StoredAnnotation;
use store::candidate::StoredCandidate;

use super::compare::{self, said};

/// What a rater sees after a calibration item.
#[derive(Clone, Debug, Serialize)]
pub struct Feedback {
    /// The study.
    pub study: StudyId,
    /// What was judged.
    pub item: DeskItem,
    /// Label by label: tags first, then the questions about the item.
    pub rows: Vec<FeedbackRow>,
    /// The others are measured against one of them.
    pub by_reference: bool,
    /// Labels that were compared.
    pub compared: u64,
    /// Of these, labels that do not differ by the study's rule.
    pub agree: u64,
    /// The scheme in force.
    #[serde(skip)]
    pub scheme: Arc<Scheme>,
}

/// One label with what oneself and the others said of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeedbackRow {
    /// A candidate, or `q:ID` for a question about the item.
    pub label: String,
    /// What it is about: the name of the category, or of the question.
    pub title: String,
    /// Where it stands in the trace.
    pub spans: Vec<(u32, u32, String)>,
    /// What oneself said; nothing where one left the question open.
    pub mine: Option<FeedbackSaid>,
    /// What the others said, of those who said something.
    pub theirs: Vec<FeedbackSaid>,
    /// It was compared: both said something, and a difference would be a disagreement.
    pub compared: bool,
    /// They differ by the study's rule.
    pub differs: bool,
}

/// What somebody said of a label.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FeedbackSaid {
    /// Whether the tag is right.
    pub validity: Option<Validity>,
    /// How severe the tag is.
    pub severity: Option<f64>,
    /// The answer to a question, part by part in words.
    pub answer: Vec<String>,
    /// The comment on a tag, or the reason of an answer.
    pub comment: String,
}

/// A calibration item that the rater has given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MyFeedback {
    /// The batch's name.
    pub batch_name: String,
    /// The assignment.
    pub assignment: AssignmentId,
    /// Its place in the rater's order.
    pub position: i64,
}

/// The calibration items that whoever asks has given: there may be feedback on them.
///
/// # Errors
/// When the database fails.
pub async fn my_feedback(app: &Services, actor: &Actor) -> Result<Vec<MyFeedback>> {
    let mut db = app.db.read().await?;
    let given = store::round::given(&mut db, &actor.user).await?;
    let one = |(batch_name, assignment, position)| MyFeedback {
        batch_name,
        assignment,
        position,
    };
    Ok(given.into_iter().map(one).collect())
}

/// What a rater sees after they submitted a calibration item and those they are measured against have too. When it was
/// first shown is noted, and the rater cannot change their judgement afterwards.
///
/// # Errors
/// [`Refusal::NotFound`] when it is not theirs or no calibration, [`Refusal::NotAllIn`] while a judgement is missing.
pub async fn feedback(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
) -> Result<Feedback> {
    let mut db = app.db.read().await?;
    let batch = store::round::of_assignment(&mut db, assignment, &actor.user)
        .await?
        .ok_or(Refusal::NotFound)?;
    let held = store::assignment::get(&mut db, assignment)
        .await?
        .ok_or(Refusal::NotFound)?;
    let roles = store::member::roles(&mut db, &held.study, &actor.user).await?;
    if !roles.is_some_and(|roles| roles.contains(&Role::Rater)) {
        return Err(Refusal::Forbidden.into());
    }
    let rule = store::round::calibration(&mut db, &batch).await?;
    let all = store::annotation::calibrated(
        &mut db,
        &batch,
        &held.item,
        &actor.user,
        rule.reference.as_ref(),
    )
    .await?;
    let (mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|a| a.rater == actor.user);
    let mine = mine.into_iter().next().ok_or(Refusal::NotAllIn)?;
    let blinding = store::study::get(&mut db, &held.study)
        .await?
        .ok_or(Refusal::NotFound)?
        .blinding;
    let (scheme, _) = scheme_in(&mut db, &held.study).await?;
    let item = store::item::get(&mut db, &held.item, blinding)
        .await?
        .ok_or(Refusal::NotFound)?;
    let candidates = store::candidate::of_item(&mut db, &held.item, true).await?;
    drop(db);
    shown(app, actor, &held.study, (&held.item, assignment)).await?;
    let tags = candidates
        .into_iter()
        .filter_map(|candidate| of_tag(candidate, &mine, &others, &scheme));
    let mut rows: Vec<FeedbackRow> = tags.collect();
    let questions = scheme.item_questions.iter();
    rows.extend(
        questions.filter_map(|question| of_question(question, &mine, &others, &item.options)),
    );
    let compared = || rows.iter().filter(|row| row.compared);
    Ok(Feedback {
        study: held.study,
        item: item_of(item, &scheme),
        compared: compared().count() as u64,
        agree: compared().filter(|row| !row.differs).count() as u64,
        rows,
        by_reference: rule.reference.is_some(),
        scheme,
    })
}

async fn shown(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    (item, assignment): (&ItemId, &AssignmentId),
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let place = "calibration";
    if !store::round::disclose(&mut tx, study, item, &actor.user, place, app.now()).await? {
        return Ok(());
    }
    let audit = Audit {
        study: Some(study),
        action: Action::Review,
        verb: "feedback",
        subject: assignment.as_str(),
        details: json!({"item": item}),
    };
    app.commit(tx, actor, audit).await
}

/// A tag that oneself judged.
fn of_tag(
    candidate: StoredCandidate,
    mine: &StoredAnnotation,
    others: &[StoredAnnotation],
    scheme: &Scheme,
) -> Option<FeedbackRow> {
    let own = mine.body.judgements.get(&candidate.id)?;
    let theirs: Vec<&Judgement> = others
        .iter()
        .filter_map(|other| other.body.judgements.get(&candidate.id))
        .collect();
    let code = candidate.category.subcategory;
    let code = code.as_ref().unwrap_or(&candidate.category.category);
    let found = compare::tag(own, &theirs, &scheme.disagreement);
    let one = |judgement: &Judgement| FeedbackSaid {
        validity: judgement.validity,
        severity: judgement.severity,
        comment: judgement.comment.clone(),
        ..FeedbackSaid::default()
    };
    Some(FeedbackRow {
        label: candidate.id.as_str().to_owned(),
        title: scheme.name_of(code).unwrap_or(code).to_owned(),
        spans: candidate.spans,
        mine: Some(one(own)),
        theirs: theirs.into_iter().map(one).collect(),
        compared: found.is_some(),
        differs: found.is_some_and(|found| found.differs),
    })
}

/// A question that somebody answered, whether or not a difference counts.
fn of_question(
    question: &ItemQuestion,
    mine: &StoredAnnotation,
    others: &[StoredAnnotation],
    options: &[String],
) -> Option<FeedbackRow> {
    let own = said(mine, question);
    let theirs: Vec<&Answer> = others.iter().filter_map(|a| said(a, question)).collect();
    if own.is_none() && theirs.is_empty() {
        return None;
    }
    let found = compare::answer(own, &theirs, question);
    let one = |answer: &Answer| FeedbackSaid {
        answer: question.in_words(&answer.values, options),
        comment: answer.rationale.clone(),
        ..FeedbackSaid::default()
    };
    Some(FeedbackRow {
        label: format!("q:{}", question.id),
        title: question.title().to_owned(),
        spans: Vec::new(),
        mine: own.map(one),
        theirs: theirs.into_iter().map(one).collect(),
        compared: found.is_some(),
        differs: found.is_some_and(|found| found.differs),
    })
}
