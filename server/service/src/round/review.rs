//! One review: another's judgement beside the item, and where the reviewer agrees.

use crate::actor::Actor;
use crate::desk::{DeskItem, item_of};
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::scheme_in;
use domain::annotation::COMMENT_LIMIT;
use domain::id::{BatchId, StudyId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::{Scheme, Validity};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use store::AnyConnection;
use store::annotation::StoredAnnotation;
use store::candidate::StoredCandidate;
use store::round::{Review, Verdict};

/// A cross-check in which somebody reviews.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MyCheck {
    /// The batch.
    pub batch: BatchId,
    /// Its name.
    pub name: String,
    /// The study's name.
    pub study_name: String,
    /// How many items they read.
    pub total: u64,
    /// How many they have given.
    pub done: u64,
    /// The next one.
    pub next: Option<String>,
}

/// What a reviewer sees.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewView {
    /// The review.
    pub id: String,
    /// The study.
    pub study: StudyId,
    /// The batch's name.
    pub batch_name: String,
    /// Its place in the reviewer's order.
    pub position: u64,
    /// Whether the reviewer judged the item too; else it was given to the other alone.
    pub judged: bool,
    /// What was judged.
    pub item: DeskItem,
    /// What the other said, one entry a label.
    pub labels: Vec<ReviewLabel>,
    /// What the other wrote about the item.
    pub comment: String,
    /// When it was given.
    pub done_at: Option<i64>,
    /// The scheme in force.
    #[serde(skip)]
    pub scheme: Arc<Scheme>,
}

/// One thing that the other said.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewLabel {
    /// A candidate, a missed tag, or `q:ID` for a question about the item.
    pub label: String,
    /// What it is about: the name of the category, or the question.
    pub title: String,
    /// The other added it themselves.
    pub missed: bool,
    /// Where it stands in the trace.
    pub spans: Vec<(u32, u32, String)>,
    /// Whether the tag is right.
    pub validity: Option<Validity>,
    /// How severe it is.
    pub severity: Option<f64>,
    /// The names of categories that fit better.
    pub better: Vec<String>,
    /// The answer to a question, as files write it.
    pub answer: String,
    /// The answer in words, part by part.
    pub words: Vec<String>,
    /// What the other wrote.
    pub comment: String,
    /// What the reviewer said of it, once given.
    pub agrees: Option<bool>,
    /// Their note.
    pub note: String,
}

/// What a reviewer says of one label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The label.
    pub label: String,
    /// Whether they agree.
    pub agrees: bool,
    /// Why, or why not.
    #[serde(default)]
    pub note: String,
}

/// The cross-checks of whoever asks: counts, never what anybody judged.
///
/// # Errors
/// When the database fails.
pub async fn my_checks(app: &Services, actor: &Actor) -> Result<Vec<MyCheck>> {
    let mut db = app.db.read().await?;
    let mut checks = Vec::new();
    for (batch, name, study_name, total, done) in store::round::work(&mut db, &actor.user).await? {
        checks.push(MyCheck {
            next: store::round::next(&mut db, &batch, &actor.user).await?,
            batch,
            name,
            study_name,
            total: total.unsigned_abs(),
            done: done.unsigned_abs(),
        });
    }
    Ok(checks)
}

/// Another's judgement of an item that one has judged oneself, or that was given to the other alone. When it was first shown
/// is noted.
///
/// # Errors
/// [`Refusal::NotFound`] when the review is not theirs, [`Refusal::NotAllIn`] while a judgement of the item is missing.
pub async fn review(app: &Services, actor: &Actor, id: &str) -> Result<ReviewView> {
    let mut db = app.db.read().await?;
    let mine = store::round::mine(&mut db, id, &actor.user)
        .await?
        .ok_or(Refusal::NotFound)?;
    let theirs = theirs(&mut db, &mine, actor).await?;
    let blinding = store::study::get(&mut db, &mine.study)
        .await?
        .ok_or(Refusal::NotFound)?
        .blinding;
    let (scheme, _) = scheme_in(&mut db, &mine.study).await?;
    let item = store::item::get(&mut db, &mine.item, blinding)
        .await?
        .ok_or(Refusal::NotFound)?;
    let candidates = store::candidate::of_item(&mut db, &mine.item, true).await?;
    let said = store::round::verdicts(&mut db, &mine.id).await?;
    drop(db);
    shown(app, actor, &mine).await?;
    let labels = labels(&theirs, (&candidates, &item.options), &scheme, &said);
    Ok(ReviewView {
        item: item_of(item, &scheme),
        labels,
        comment: theirs.body.comment.clone(),
        id: mine.id,
        study: mine.study,
        batch_name: mine.batch_name,
        position: mine.position.unsigned_abs(),
        judged: mine.judged,
        done_at: mine.done_at,
        scheme,
    })
}

async fn theirs(db: &mut AnyConnection, mine: &Review, actor: &Actor) -> Result<StoredAnnotation> {
    let found = store::annotation::shown_to(db, &mine.annotation, &actor.user).await?;
    Ok(found.ok_or(Refusal::NotAllIn)?)
}

async fn shown(app: &Services, actor: &Actor, mine: &Review) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let first = store::round::disclose(
        &mut tx,
        &mine.study,
        &mine.item,
        &actor.user,
        "cross_check",
        app.now(),
    );
    if !first.await? {
        return Ok(());
    }
    let audit = Audit {
        study: Some(&mine.study),
        action: Action::Review,
        verb: "open",
        subject: &mine.id,
        details: json!({"item": mine.item}),
    };
    app.commit(tx, actor, audit).await
}

fn labels(
    theirs: &StoredAnnotation,
    (candidates, options): (&[StoredCandidate], &[String]),
    scheme: &Scheme,
    said: &[Verdict],
) -> Vec<ReviewLabel> {
    let name = |code: &str| scheme.name_of(code).unwrap_or(code).to_owned();
    let label = |label: &str| {
        let verdict = said.iter().find(|one| one.label == label);
        ReviewLabel {
            label: label.to_owned(),
            title: String::new(),
            missed: false,
            spans: Vec::new(),
            validity: None,
            severity: None,
            better: Vec::new(),
            answer: String::new(),
            words: Vec::new(),
            comment: String::new(),
            agrees: verdict.map(|one| one.agrees),
            note: verdict.map(|one| one.note.clone()).unwrap_or_default(),
        }
    };
    let mut labels = Vec::new();
    for candidate in candidates {
        let Some(judgement) = theirs.body.judgements.get(&candidate.id) else {
            continue;
        };
        let own = &candidate.category;
        labels.push(ReviewLabel {
            title: name(own.subcategory.as_ref().unwrap_or(&own.category)),
            spans: candidate.spans.clone(),
            validity: judgement.validity,
            severity: judgement.severity,
            better: judgement.better.iter().map(|code| name(code)).collect(),
            comment: judgement.comment.clone(),
            ..label(candidate.id.as_str())
        });
    }
    for tag in &theirs.body.missed {
        let span = tag.span.map(|(start, end)| (start, end, tag.quote.clone()));
        labels.push(ReviewLabel {
            title: name(&tag.code),
            missed: true,
            spans: span.into_iter().collect(),
            severity: tag.severity,
            comment: tag.comment.clone(),
            ..label(tag.id.as_str())
        });
    }
    // In the order of the scheme, and also that no box was ticked; a version of a scheme keeps every question.
    for asked in &scheme.item_questions {
        let Some(answer) = super::compare::said(theirs, asked) else {
            continue;
        };
        labels.push(ReviewLabel {
            title: asked.question.clone(),
            answer: answer.values.join(", "),
            words: asked.in_words(&answer.values, options),
            comment: answer.rationale.clone(),
            ..label(&format!("q:{}", asked.id))
        });
    }
    labels
}

/// Says of every label whether one agrees; a disagreement says why. Returns the next review. It is given once.
///
/// # Errors
/// [`Refusal::Incomplete`] unless every label has exactly one verdict, [`Refusal::ReasonNeeded`] for a disagreement
/// without a note, [`Refusal::AssignmentClosed`] when it was given before.
pub async fn give(
    app: &Services,
    actor: &Actor,
    id: &str,
    given: Vec<Given>,
) -> Result<Option<String>> {
    let mut tx = app.db.begin().await?;
    let mine = store::round::mine(&mut tx, id, &actor.user)
        .await?
        .ok_or(Refusal::NotFound)?;
    store::audit::lock(&mut tx, mine.study.as_str()).await?;
    crate::study::open_in(&mut tx, &mine.study).await?;
    let theirs = theirs(&mut tx, &mine, actor).await?;
    let (scheme, _) = scheme_in(&mut tx, &mine.study).await?;
    let candidates = store::candidate::of_item(&mut tx, &mine.item, true).await?;
    let labels = labels(&theirs, (&candidates, &[]), &scheme, &[]);
    let said = complete(&labels, &given)?;
    let disagreements = said.iter().filter(|one| !one.agrees).count();
    if !store::round::give(&mut tx, &mine.id, &said, app.now()).await? {
        return Err(Refusal::AssignmentClosed.into());
    }
    let next = store::round::next(&mut tx, &mine.batch, &actor.user).await?;
    let details = json!({"item": mine.item, "labels": said.len(), "disagreements": disagreements});
    let audit = Audit {
        study: Some(&mine.study),
        action: Action::Review,
        verb: "give",
        subject: &mine.id,
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(next)
}

fn complete(labels: &[ReviewLabel], given: &[Given]) -> Result<Vec<Verdict>> {
    let mut said = Vec::with_capacity(labels.len());
    for label in labels {
        let mut of = given.iter().filter(|one| one.label == label.label);
        let (Some(one), None) = (of.next(), of.next()) else {
            return Err(Refusal::Incomplete.into());
        };
        let note = one.note.trim();
        if !one.agrees && note.is_empty() {
            return Err(Refusal::ReasonNeeded.into());
        }
        if note.chars().count() > COMMENT_LIMIT {
            return Err(Refusal::TextTooLong.into());
        }
        said.push(Verdict {
            label: one.label.clone(),
            agrees: one.agrees,
            note: note.to_owned(),
        });
    }
    if given.len() > labels.len() {
        return Err(Refusal::InputInvalid.into());
    }
    Ok(said)
}
