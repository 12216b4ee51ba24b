//! The inbox of what raters wrote: comments, requests to discuss, reports that an item cannot be rated.
//!
//! Comments of items that are not all in stay hidden, as they can tell a judgement; that an item cannot be rated is
//! shown at once, because nothing was judged.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::scheme_in;
use crate::unit::Letters;
use domain::annotation::COMMENT_LIMIT;
use domain::id::{AnnotationId, ItemId, StudyId, UnitId, UserId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::triage::TriageState;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::AnyConnection;
use store::triage::{Entry, Written};

/// How many comments one step takes.
const LIMIT: usize = 200;

/// Which comments an inbox shows; an empty text is any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InboxFilter {
    /// By state; `waiting` for unread and read.
    pub state: String,
    /// By the letter of the rater.
    pub rater: String,
    /// By the code of the category of the tag it is about.
    pub category: String,
    /// By a part of the item's key.
    pub item: String,
    /// `comment`, `asked` or `not_ratable`.
    pub kind: String,
}

/// A page of the inbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inbox {
    /// How many each state holds under the rest of the filter.
    pub states: Vec<(TriageState, i64)>,
    /// How many comments stay hidden until every rater of their item has submitted.
    pub held_back: i64,
    /// The letters of the study's raters.
    pub raters: Vec<String>,
    /// The comments, unread first, then the oldest.
    pub rows: Vec<InboxRow>,
}

/// Something a rater wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InboxRow {
    /// The annotation.
    pub annotation: AnnotationId,
    /// The candidate or missed tag it is about; empty for the item as a whole.
    pub subject: String,
    /// The unit of the tag; nothing for the item as a whole.
    pub unit: Option<UnitId>,
    /// The item.
    pub item: ItemId,
    /// The item's key.
    pub item_key: String,
    /// The rater's letter.
    pub letter: String,
    /// The rater's name.
    pub rater: String,
    /// The words; empty when the rater only asks to discuss.
    pub text: String,
    /// The rater asks to discuss it.
    pub asked: bool,
    /// The code of the reason why the item could not be rated; empty otherwise.
    pub not_ratable: String,
    /// The name of the tag's category, or of its subcategory where there is one; empty for the item as a whole.
    pub tag: String,
    /// Epoch milliseconds.
    pub at: i64,
    /// Where it stands.
    pub state: TriageState,
    /// What a step must name as the entry it saw.
    pub seq: i64,
    /// What staff answered.
    pub answer: String,
}

/// A comment somebody chose, and the entry about it that they saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picked {
    /// The annotation.
    pub annotation: AnnotationId,
    /// The candidate or missed tag; empty for the item as a whole.
    pub subject: String,
    /// The newest entry they saw; 0 for none.
    pub seq: i64,
}

/// What a step changed, so that it can be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// The comment, with the entry that the step wrote.
    pub picked: Picked,
    /// Where it stood before.
    pub state: TriageState,
}

/// A page of the inbox.
///
/// # Errors
/// [`Refusal::Forbidden`] for roles that do not triage.
pub async fn inbox(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    filter: &InboxFilter,
    page: crate::unit::Page,
) -> Result<Inbox> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::Triage).await?;
    let (scheme, _) = scheme_in(&mut db, study).await?;
    let letters = Letters::of(&mut db, study).await?;
    let size = i64::from(page.size.clamp(1, 500));
    let offset = i64::from(page.number.max(1) - 1) * size;
    let rater = letters.user_of(&filter.rater).map(UserId::as_str);
    let stored = store::triage::InboxFilter {
        state: filter.state.clone(),
        rater: rater.unwrap_or(&filter.rater).to_owned(),
        category: filter.category.clone(),
        item: filter.item.clone(),
        kind: filter.kind.clone(),
    };
    let written = store::triage::inbox(&mut db, study, &stored, offset, size).await?;
    let mut rows = Vec::with_capacity(written.len());
    for written in written {
        let unit = unit_of(&mut db, &written.item, &written.subject).await?;
        rows.push(row(written, unit, &letters, &scheme));
    }
    Ok(Inbox {
        states: store::triage::counts(&mut db, study, &stored).await?,
        held_back: store::triage::held_back(&mut db, study).await?,
        raters: letters.all(),
        rows,
    })
}

fn row(
    written: Written,
    unit: Option<UnitId>,
    letters: &Letters,
    scheme: &domain::scheme::Scheme,
) -> InboxRow {
    let code = if written.subcategory.is_empty() {
        &written.category
    } else {
        &written.subcategory
    };
    let rater = letters.rater(&written.rater);
    InboxRow {
        tag: scheme.name_of(code).unwrap_or(code).to_owned(),
        letter: letters.letter(&written.rater),
        rater: rater.map(|r| r.display_name.clone()).unwrap_or_default(),
        annotation: written.annotation,
        subject: written.subject,
        unit,
        item: written.item,
        item_key: written.item_key,
        text: written.text,
        asked: written.asked,
        not_ratable: written.not_ratable,
        at: written.at,
        state: written.state,
        seq: written.seq,
        answer: written.answer,
    }
}

/// The unit of a tag: its own, or the one that its missed tag was counted into.
async fn unit_of(db: &mut AnyConnection, item: &ItemId, subject: &str) -> Result<Option<UnitId>> {
    if subject.is_empty() {
        return Ok(None);
    }
    let own = UnitId::new(subject);
    let of = store::unit::place(db, &own).await?;
    if of.is_some_and(|(_, of)| of == *item) {
        return Ok(Some(own));
    }
    crate::unit::of_tag(db, item, subject).await
}

/// Moves comments to another state. All or none. Returns what takes the step back.
///
/// # Errors
/// [`Refusal::InputInvalid`] for none, too many, or a state that another use case sets; [`Refusal::ReasonNeeded`] for an
/// empty answer; [`Refusal::Conflict`] when somebody did something with one of them since.
pub async fn act(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    picked: &[Picked],
    state: TriageState,
    answer: &str,
) -> Result<Vec<Undo>> {
    let answer = answer.trim();
    if state == TriageState::Forwarded {
        return Err(Refusal::InputInvalid.into());
    }
    if (state == TriageState::Answered) == answer.is_empty() {
        return Err(Refusal::ReasonNeeded.into());
    }
    if answer.chars().count() > COMMENT_LIMIT {
        return Err(Refusal::TextTooLong.into());
    }
    let steps: Vec<(&Picked, TriageState)> = picked.iter().map(|one| (one, state)).collect();
    step(app, actor, study, &steps, answer, state.as_str()).await
}

/// Takes a step back: each comment stands where it stood before, as a new entry.
///
/// # Errors
/// As [`act`]; [`Refusal::Conflict`] when somebody did something since.
pub async fn undo(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    undo: &[Undo],
) -> Result<Vec<Undo>> {
    let steps: Vec<(&Picked, TriageState)> =
        undo.iter().map(|one| (&one.picked, one.state)).collect();
    step(app, actor, study, &steps, "", "undo").await
}

async fn step(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    steps: &[(&Picked, TriageState)],
    answer: &str,
    verb: &str,
) -> Result<Vec<Undo>> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::Triage).await?;
    if steps.is_empty() || steps.len() > LIMIT {
        return Err(Refusal::InputInvalid.into());
    }
    store::audit::lock(&mut tx, study.as_str()).await?;
    let mut undo = Vec::with_capacity(steps.len());
    for (picked, state) in steps {
        let entry = Entry {
            annotation: &picked.annotation,
            subject: &picked.subject,
            expected: picked.seq,
            state: *state,
            answer,
            by: actor.user.as_str(),
            at: app.now(),
        };
        undo.push(write(&mut tx, study, &entry).await?);
    }
    let subjects: Vec<_> = steps
        .iter()
        .map(|(picked, _)| json!([picked.annotation, picked.subject]))
        .collect();
    let audit = Audit {
        study: Some(study),
        action: Action::Triage,
        verb,
        subject: study.as_str(),
        details: json!({"comments": subjects}),
    };
    app.commit(tx, actor, audit).await?;
    Ok(undo)
}

async fn write(tx: &mut store::Tx, study: &StudyId, entry: &Entry<'_>) -> Result<Undo> {
    let (of, item) = store::triage::place(tx, entry.annotation)
        .await?
        .ok_or(Refusal::NotFound)?;
    let known = entry.subject.is_empty() || unit_of(tx, &item, entry.subject).await?.is_some();
    if of != *study || !known {
        return Err(Refusal::NotFound.into());
    }
    let before = store::triage::add(tx, study, entry)
        .await?
        .ok_or(Refusal::Conflict)?;
    Ok(Undo {
        picked: Picked {
            annotation: entry.annotation.clone(),
            subject: entry.subject.to_owned(),
            seq: entry.expected + 1,
        },
        state: before,
    })
}

/// Sends a comment on a tag to the raters: opens the discussion of its unit, perhaps with a remark, and notes it here,
/// in one transaction.
///
/// # Errors
/// [`Refusal::InputInvalid`] for a comment on the item as a whole; [`Refusal::NotAllIn`]; [`Refusal::Conflict`].
pub async fn forward(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    picked: &Picked,
    remark: &str,
) -> Result<UnitId> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::Triage).await?;
    let (_, item) = store::triage::place(&mut tx, &picked.annotation)
        .await?
        .ok_or(Refusal::NotFound)?;
    let unit = unit_of(&mut tx, &item, &picked.subject)
        .await?
        .ok_or(Refusal::InputInvalid)?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    crate::discussion::begin(app, &mut tx, actor, &unit, remark).await?;
    let entry = Entry {
        annotation: &picked.annotation,
        subject: &picked.subject,
        expected: picked.seq,
        state: TriageState::Forwarded,
        answer: "",
        by: actor.user.as_str(),
        at: app.now(),
    };
    write(&mut tx, study, &entry).await?;
    let audit = Audit {
        study: Some(study),
        action: Action::Triage,
        verb: "forward",
        subject: unit.as_str(),
        details: json!({"comment": [picked.annotation, picked.subject]}),
    };
    app.commit(tx, actor, audit).await?;
    Ok(unit)
}

/// What staff answered to a rater's comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// The study.
    pub study: StudyId,
    /// The item's key.
    pub item_key: String,
    /// The assignment, whose desk shows the comment.
    pub assignment: String,
    /// The answer.
    pub answer: String,
    /// Epoch milliseconds.
    pub at: i64,
}

/// What staff answered to the comments of whoever asks, newest first.
///
/// # Errors
/// When the database fails.
pub async fn replies(app: &Services, actor: &Actor) -> Result<Vec<Reply>> {
    crate::auth::require_server(actor, Action::StudyList)?;
    let mut db = app.db.read().await?;
    let answers = store::triage::answers(&mut db, &actor.user).await?;
    let reply = |(study, item_key, assignment, answer, at)| Reply {
        study,
        item_key,
        assignment,
        answer,
        at,
    };
    Ok(answers.into_iter().map(reply).collect())
}
