//! One unit with both sides, once both are in.

use super::letters::Letters;
use super::missed::{self, groups};
use super::queue::row;
use super::view::{ExclusionView, RaterSide, RulingView, UnitTag, UnitView};
use crate::actor::Actor;
use crate::auth::require;
use crate::desk::{JudgeAnswer, item_of};
use crate::error::Result;
use crate::ruling::Seen;
use crate::services::Services;
use crate::study::scheme_in;
use domain::annotation::{Judgement, MissedTag};
use domain::id::{CandidateId, ItemId, UnitId, UserId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::Scheme;
use domain::study::Blinding;
use domain::unit::UnitKind;
use store::AnyConnection;
use store::annotation::StoredAnnotation;
use store::candidate::StoredCandidate;
use store::exclusion::Exclusion;
use store::ruling::Ruling;
use store::unit::{Answer, ItemFacts, Listed};

/// One unit: its item and tag, the raters' sides once every annotation is in, rulings, and its place in the queue.
///
/// # Errors
/// [`Refusal::NotFound`] where there is none, or whoever asks does not belong to its study; [`Refusal::NotAllIn`] for whoever
/// still has its item to judge, for whom the judge or a fact of the item may be hidden.
pub async fn get(app: &Services, actor: &Actor, unit: &UnitId) -> Result<UnitView> {
    let mut db = app.db.snapshot().await?;
    let (study, item) = store::unit::place(&mut db, unit)
        .await?
        .ok_or(Refusal::NotFound)?;
    require(&mut db, actor, &study, Action::DisagreementRead).await?;
    if store::assignment::to_judge(&mut db, &item, &actor.user)
        .await?
        .is_some()
    {
        return Err(Refusal::NotAllIn.into());
    }
    load(&mut db, actor, unit, store::item::OPEN).await
}

/// The same for whoever was let in already, with what is hidden from them.
pub(crate) async fn load(
    db: &mut AnyConnection,
    actor: &Actor,
    unit: &UnitId,
    hidden: Blinding,
) -> Result<UnitView> {
    let (study, item_id) = store::unit::place(db, unit)
        .await?
        .ok_or(Refusal::NotFound)?;
    let (scheme, version) = scheme_in(db, &study).await?;
    let letters = Letters::of(db, &study).await?;
    let listed = store::unit::queue_row(db, unit)
        .await?
        .ok_or(Refusal::NotFound)?;
    let neighbours = store::unit::neighbours(db, &study, &listed.unit).await?;
    let item = store::item::get(db, &item_id, hidden)
        .await?
        .ok_or(Refusal::NotFound)?;
    let all_in = store::unit::all_in(db, &item_id).await?;
    let facts = if all_in {
        store::unit::facts(db, &study, item.seq, item.seq)
            .await?
            .pop()
    } else {
        None
    };
    let judges = if all_in {
        judges(db, &listed).await?
    } else {
        Vec::new()
    };
    let tag = tag_of(db, &listed, facts.as_ref(), &scheme, &letters).await?;
    let history = store::ruling::history(db, unit).await?;
    let now = Seen::of(&listed, &item.trace_sha256, version);
    let history: Vec<RulingView> = history
        .into_iter()
        .map(|ruling| {
            let seen = Seen::read(&ruling.seen);
            let mut view = ruling_view(ruling, &listed.unit.basis, &letters);
            if let Some(seen) = seen.filter(|_| !view.current && all_in) {
                view.changes = seen.changes(&now, &letters);
            }
            view
        })
        .collect();
    let siblings = if all_in {
        store::unit::of_item(db, &item_id).await?
    } else {
        Vec::new()
    };
    let exclusion = store::exclusion::of_unit(db, unit).await?;
    Ok(UnitView {
        study,
        row: row(&listed, &scheme, &letters),
        ruling_version: history.first().map_or(0, |ruling| ruling.version),
        all_in,
        item: item_of(item, &scheme),
        judges,
        tag,
        raters: facts
            .map(|facts| sides(&facts, &listed, &scheme, &letters))
            .unwrap_or_default(),
        ruling: history.first().cloned(),
        history,
        previous: neighbours.previous,
        next: neighbours.next,
        ruler_rated_item: store::ruling::rated_item_of(db, unit, actor.user.as_str()).await?,
        siblings: siblings
            .iter()
            .filter(|other| other.unit.id != *unit)
            .map(|other| row(other, &scheme, &letters))
            .collect(),
        exclusion: exclusion.map(|exclusion| exclusion_view(exclusion, &scheme)),
        basis: listed.unit.basis,
        scheme,
    })
}

/// What judges answered to the question of the unit.
async fn judges(db: &mut AnyConnection, listed: &Listed) -> Result<Vec<JudgeAnswer>> {
    if listed.unit.kind != UnitKind::Item {
        return Ok(Vec::new());
    }
    let said = store::judge_answer::of_item(db, &listed.unit.item).await?;
    let said = said
        .into_iter()
        .filter(|said| said.question == listed.unit.category);
    Ok(said.map(JudgeAnswer::from).collect())
}

async fn tag_of(
    db: &mut AnyConnection,
    listed: &Listed,
    facts: Option<&ItemFacts>,
    scheme: &Scheme,
    letters: &Letters,
) -> Result<UnitTag> {
    let unit = &listed.unit;
    if unit.kind == UnitKind::Candidate {
        let candidates = store::candidate::of_item(db, &unit.item, false).await?;
        let own = candidates
            .into_iter()
            .find(|candidate| candidate.id.as_str() == unit.id.as_str());
        return Ok(own.map(of_candidate).ok_or(Refusal::NotFound)?);
    }
    if unit.kind == UnitKind::Item {
        return Ok(UnitTag {
            category: unit.category.clone(),
            ..UnitTag::default()
        });
    }
    let group = facts.and_then(|facts| {
        groups(facts, scheme)
            .into_iter()
            .find(|group| group.id == unit.id)
    });
    let tags: Vec<(&UserId, &MissedTag)> = group
        .iter()
        .flat_map(|group| &group.tags)
        .filter_map(|(a, found)| found.map(|tag| (&a.rater, tag)))
        .collect();
    let spans = tags
        .first()
        .and_then(|(_, tag)| tag.span.map(|(start, end)| (start, end, tag.quote.clone())));
    Ok(UnitTag {
        number: 0,
        category: unit.category.clone(),
        subcategory: Some(unit.subcategory.clone()).filter(|code| !code.is_empty()),
        severity: None,
        explanation: String::new(),
        anchor: String::new(),
        evidence: Vec::new(),
        spans: spans.into_iter().collect(),
        missed_by: tags
            .iter()
            .map(|(rater, _)| letters.letter(rater))
            .collect(),
    })
}

/// The unit that a missed tag is counted into.
pub(crate) async fn of_tag(
    db: &mut AnyConnection,
    item: &ItemId,
    tag: &str,
) -> Result<Option<UnitId>> {
    let Some(stored) = store::item::get(db, item, store::item::OPEN).await? else {
        return Ok(None);
    };
    let (scheme, _) = scheme_in(db, &stored.study).await?;
    let facts = store::unit::facts(db, &stored.study, stored.seq, stored.seq).await?;
    let holds = |group: &missed::Group<'_>| {
        let mut tags = group.tags.iter().filter_map(|(_, found)| *found);
        tags.any(|found| found.id.as_str() == tag)
    };
    Ok(facts.first().and_then(|facts| {
        let mut groups = groups(facts, &scheme).into_iter();
        groups.find(holds).map(|group| group.id)
    }))
}

fn of_candidate(candidate: StoredCandidate) -> UnitTag {
    UnitTag {
        number: u32::try_from(candidate.ordinal).unwrap_or(u32::MAX),
        category: candidate.category.category,
        subcategory: candidate.category.subcategory,
        severity: candidate.severity,
        explanation: candidate.explanation,
        anchor: candidate.anchor.as_str().to_owned(),
        evidence: candidate.evidence,
        spans: candidate.spans,
        missed_by: Vec::new(),
    }
}

fn sides(facts: &ItemFacts, listed: &Listed, scheme: &Scheme, letters: &Letters) -> Vec<RaterSide> {
    let unit = &listed.unit;
    if unit.kind == UnitKind::Candidate {
        let id = CandidateId::new(unit.id.as_str());
        let side = |a: &StoredAnnotation| {
            side(
                a,
                a.body.judgements.get(&id).cloned().unwrap_or_default(),
                false,
                letters,
            )
        };
        return facts.annotations.iter().map(side).collect();
    }
    if unit.kind == UnitKind::Item {
        let side = |annotation: &StoredAnnotation| of_answer(annotation, &unit.category, letters);
        return facts.annotations.iter().map(side).collect();
    }
    let groups = groups(facts, scheme);
    let group = groups.iter().find(|group| group.id == unit.id);
    let of_tag = |(annotation, found): &(&StoredAnnotation, Option<&MissedTag>)| {
        let said = missed::said(annotation, *found);
        let judgement = Judgement {
            validity: said.validity,
            severity: said.severity,
            comment: found.map(|tag| tag.comment.clone()).unwrap_or_default(),
            ..Judgement::default()
        };
        side(
            annotation,
            judgement,
            said.answer == Answer::NotMarked,
            letters,
        )
    };
    group
        .map(|group| group.tags.iter().map(of_tag).collect())
        .unwrap_or_default()
}

fn side(
    annotation: &StoredAnnotation,
    judgement: Judgement,
    not_marked: bool,
    letters: &Letters,
) -> RaterSide {
    let rater = letters.rater(&annotation.rater);
    RaterSide {
        letter: letters.letter(&annotation.rater),
        user: annotation.rater.clone(),
        display_name: rater
            .map(|rater| rater.display_name.clone())
            .unwrap_or_default(),
        active: rater.is_some_and(|rater| rater.active),
        validity: judgement.validity,
        severity: judgement.severity,
        better: judgement.better,
        comment: judgement.comment,
        discuss: judgement.discuss,
        submitted_at: annotation.submitted_at,
        item_comment: annotation.body.comment.clone(),
        not_ratable_reason: annotation.not_ratable_reason.clone(),
        not_marked,
        values: Vec::new(),
    }
}

/// A rater's answer to a question about the item.
fn of_answer(annotation: &StoredAnnotation, question: &str, letters: &Letters) -> RaterSide {
    let answer = annotation.body.answers.get(question);
    let judgement = Judgement {
        severity: domain::unit::number(answer),
        comment: answer
            .map(|answer| answer.rationale.clone())
            .unwrap_or_default(),
        ..Judgement::default()
    };
    RaterSide {
        values: answer
            .map(|answer| answer.values.clone())
            .unwrap_or_default(),
        ..side(annotation, judgement, false, letters)
    }
}

fn exclusion_view(exclusion: Exclusion, scheme: &Scheme) -> ExclusionView {
    let reasons = &scheme.retention.excluded_reasons;
    let named = reasons.iter().find(|known| known.code == exclusion.reason);
    ExclusionView {
        version: exclusion.version,
        active: exclusion.active,
        reason_name: named.map_or_else(|| exclusion.reason.clone(), |known| known.name.clone()),
        reason: exclusion.reason,
        note: exclusion.note,
        at: exclusion.at,
    }
}

/// A version of a ruling as people see it.
pub(crate) fn ruling_view(ruling: Ruling, basis: &str, letters: &Letters) -> RulingView {
    RulingView {
        version: ruling.version,
        outcome: ruling.outcome,
        validity: ruling.validity,
        category: ruling.category,
        subcategory: ruling.subcategory,
        severity: ruling.severity,
        cause: ruling.cause,
        confidence: ruling.confidence,
        note: ruling.note,
        guideline_needs_work: ruling.guideline_needs_work,
        agreed_by_raters: ruling.agreed_by_raters,
        adopted_from: letters.letter(&UserId::new(ruling.adopted_from)),
        ruled_by: if ruling.ruled_by_name.is_empty() {
            ruling.ruled_by
        } else {
            ruling.ruled_by_name
        },
        ruled_at: ruling.ruled_at,
        current: ruling.basis == basis,
        span: ruling.span,
        merged_into: ruling.merged_into,
        changes: Vec::new(),
    }
}
