//! Opening, writing, assigning, closing.

use super::accept::consensus;
use super::party::{Party, enter};
use crate::actor::Actor;
use crate::error::Result;
use crate::services::{Audit, Services};
use crate::study::scheme_in;
use domain::annotation::{COMMENT_LIMIT, slice};
use domain::discussion::{MessageKind, Offer};
use domain::id::{MessageId, UnitId, UserId};
use domain::refusal::Refusal;
use domain::role::{Action, may};
use domain::scheme::{Scheme, Validity};
use domain::unit::UnitKind;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::Tx;
use store::discussion::{Discussion, Message};

/// What somebody writes: words, a quotation, a proposal, or several of them together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewMessage {
    /// Its identity, made by whoever sends it, so that a retry does not write twice; a new one when empty.
    pub id: String,
    /// The words.
    pub body: String,
    /// A passage of the trace that it quotes: start and end in code points.
    pub span: Option<(u32, u32)>,
    /// The value its author can live with.
    pub offer: Option<Offer>,
    /// The basis of the unit that a proposal was made on.
    pub basis: String,
}

/// Opens the discussion of a unit, or opens it again, perhaps with a first remark.
///
/// # Errors
/// [`Refusal::NotAllIn`]; [`Refusal::Forbidden`] for raters; [`Refusal::StudyClosed`].
pub async fn open(app: &Services, actor: &Actor, unit: &UnitId, first: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let party = begin(app, &mut tx, actor, unit, first).await?;
    finish(
        app,
        tx,
        actor,
        &party,
        unit,
        (Action::DiscussionManage, "open"),
        json!({}),
    )
    .await
}

/// The same inside the caller's transaction.
pub(crate) async fn begin(
    app: &Services,
    tx: &mut Tx,
    actor: &Actor,
    unit: &UnitId,
    first: &str,
) -> Result<Party> {
    let party = enter(tx, actor, unit, Action::DiscussionManage).await?;
    party.not_signed_off(tx).await?;
    store::audit::lock(tx, party.study.as_str()).await?;
    start(app, tx, actor, &party, unit).await?;
    let first = first.trim();
    if !first.is_empty() {
        let new = NewMessage {
            body: first.to_owned(),
            ..NewMessage::default()
        };
        append(app, tx, actor, &party, unit, &new).await?;
    }
    crate::unit::refresh_item(tx, app, &party.study, &party.item).await?;
    Ok(party)
}

/// Writes the row that makes a discussion.
pub(super) async fn start(
    app: &Services,
    tx: &mut Tx,
    actor: &Actor,
    party: &Party,
    unit: &UnitId,
) -> Result<()> {
    let new = Discussion {
        unit: unit.clone(),
        study: party.study.clone(),
        item: party.item.clone(),
        open: true,
        assigned_to: String::new(),
        opened_by: actor.user.as_str().to_owned(),
        opened_at: app.now(),
        messages: 0,
    };
    Ok(store::discussion::open(tx, &new).await?)
}

/// Writes a message. The same message sent again is written once.
///
/// # Errors
/// [`Refusal::NothingSaid`] for an empty one, [`Refusal::TextTooLong`], [`Refusal::BadSpan`];
/// [`Refusal::AnnotationInvalid`] for a proposal off the scheme, [`Refusal::RulingValueMissing`] for one that would not
/// settle the unit, [`Refusal::Conflict`] when the unit changed since or another message has the identity;
/// [`Refusal::DiscussionClosed`].
pub async fn post(app: &Services, actor: &Actor, unit: &UnitId, new: NewMessage) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let party = enter(&mut tx, actor, unit, Action::Discuss).await?;
    store::audit::lock(&mut tx, party.study.as_str()).await?;
    if !new.id.is_empty() {
        let known = store::discussion::messages(&mut tx, unit).await?;
        if let Some(known) = known.iter().find(|known| known.id.as_str() == new.id) {
            // Nothing of somebody else's, and nothing else of one's own, goes without a word.
            let same = known.author == actor.user && says(known, &new);
            return if same {
                Ok(())
            } else {
                Err(Refusal::Conflict.into())
            };
        }
    }
    party.open_thread(&mut tx).await?;
    let seq = append(app, &mut tx, actor, &party, unit, &new).await?;
    let verb = if new.offer.is_some() {
        "propose"
    } else {
        "post"
    };
    finish(
        app,
        tx,
        actor,
        &party,
        unit,
        (Action::Discuss, verb),
        json!({"message": seq}),
    )
    .await
}

/// Whether a message that is there says all that is sent now.
fn says(known: &Message, new: &NewMessage) -> bool {
    let span = known.quote.as_ref().map(|(start, end, _)| (*start, *end));
    known.kind == kind_of(new)
        && known.body == new.body.trim()
        && span == new.span
        && known.offer == new.offer.clone().unwrap_or_default()
        && known.basis == new.basis
}

fn kind_of(new: &NewMessage) -> MessageKind {
    if new.offer.is_some() {
        MessageKind::Proposal
    } else {
        MessageKind::Remark
    }
}

async fn append(
    app: &Services,
    tx: &mut Tx,
    actor: &Actor,
    party: &Party,
    unit: &UnitId,
    new: &NewMessage,
) -> Result<i64> {
    let body = new.body.trim();
    if body.is_empty() && new.span.is_none() && new.offer.is_none() {
        return Err(Refusal::NothingSaid.into());
    }
    if body.chars().count() > COMMENT_LIMIT {
        return Err(Refusal::TextTooLong.into());
    }
    let well_formed = new.id.len() <= 64
        && new
            .id
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !well_formed {
        return Err(Refusal::InputInvalid.into());
    }
    let quote = match new.span {
        None => None,
        Some(span) => {
            let item = store::item::get(tx, &party.item, store::item::OPEN)
                .await?
                .ok_or(Refusal::NotFound)?;
            let words = slice(&item.trace, span).ok_or(Refusal::BadSpan)?;
            Some((span.0, span.1, words.to_owned()))
        }
    };
    if let Some(offer) = &new.offer {
        may_be_offered(tx, party, unit, offer, &new.basis).await?;
    }
    let message = Message {
        id: MessageId::new(if new.id.is_empty() {
            app.id()
        } else {
            new.id.clone()
        }),
        seq: 0,
        author: actor.user.clone(),
        author_name: String::new(),
        at: app.now(),
        kind: kind_of(new),
        body: body.to_owned(),
        quote,
        offer: new.offer.clone().unwrap_or_default(),
        basis: new.basis.clone(),
        accepts: String::new(),
    };
    write(tx, unit, &message, party, actor).await
}

/// Appends a message; its author has seen the thread up to it.
pub(super) async fn write(
    tx: &mut Tx,
    unit: &UnitId,
    message: &Message,
    party: &Party,
    actor: &Actor,
) -> Result<i64> {
    // The operator of the command line is nobody who could be answered.
    if actor.is_operator() || !(party.staff || party.rater) {
        return Err(Refusal::Forbidden.into());
    }
    let seq = match store::discussion::append(tx, unit, message).await {
        Err(error) if error.is_unique_violation() => return Err(Refusal::Conflict.into()),
        appended => appended?,
    };
    store::discussion::seen(tx, unit, &actor.user, seq, message.at).await?;
    Ok(seq)
}

async fn may_be_offered(
    tx: &mut Tx,
    party: &Party,
    unit: &UnitId,
    offer: &Offer,
    basis: &str,
) -> Result<()> {
    let listed = store::unit::queue_row(tx, unit)
        .await?
        .ok_or(Refusal::NotFound)?;
    let (scheme, _) = scheme_in(tx, &party.study).await?;
    if listed.unit.kind == UnitKind::Item {
        let ruling = consensus(offer.clone(), String::new(), 0);
        crate::ruling::check_answer(&ruling, &listed, &scheme)?;
    } else {
        if !on_scheme(offer, &scheme) {
            return Err(Refusal::AnnotationInvalid.into());
        }
        let another = offer.validity == Some(Validity::ValidOtherSubcategory);
        if !offer.settles() || (another && listed.unit.kind == UnitKind::Missed) {
            return Err(Refusal::RulingValueMissing.into());
        }
    }
    if listed.unit.basis != basis {
        return Err(Refusal::Conflict.into());
    }
    Ok(())
}

fn on_scheme(offer: &Offer, scheme: &Scheme) -> bool {
    let severity = offer.severity.is_none_or(|value| {
        let scale = scheme.severity.as_ref();
        scale.is_some_and(|scale| scale.allows(value, scale.halves.ruling))
    });
    severity
        && offer.answer.is_empty()
        && (offer.code.is_empty() || scheme.find(&offer.code).is_some())
}

/// Asks a person to settle the unit, or nobody in particular when empty. A discussion is opened where there is none.
///
/// # Errors
/// [`Refusal::AdjudicatorRatedItem`] for a rater of the item; [`Refusal::InputInvalid`] for somebody who may not rule
/// in this study; [`Refusal::Forbidden`] for raters.
pub async fn assign(app: &Services, actor: &Actor, unit: &UnitId, to: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let party = enter(&mut tx, actor, unit, Action::DiscussionManage).await?;
    party.not_signed_off(&mut tx).await?;
    if !to.is_empty() {
        let user = UserId::new(to);
        let roles = store::member::roles(&mut tx, &party.study, &user)
            .await?
            .unwrap_or_default();
        if !may(&roles, Action::Rule) || roles.is_empty() {
            return Err(Refusal::InputInvalid.into());
        }
        if party.raters.contains(&user) {
            return Err(Refusal::AdjudicatorRatedItem.into());
        }
    }
    store::audit::lock(&mut tx, party.study.as_str()).await?;
    if party.thread.as_ref().is_none_or(|thread| !thread.open) {
        start(app, &mut tx, actor, &party, unit).await?;
    }
    store::discussion::assign(&mut tx, unit, to).await?;
    crate::unit::refresh_item(&mut tx, app, &party.study, &party.item).await?;
    finish(
        app,
        tx,
        actor,
        &party,
        unit,
        (Action::DiscussionManage, "assign"),
        json!({"to": to}),
    )
    .await
}

/// Closes a discussion; what was said stays readable.
///
/// # Errors
/// [`Refusal::DiscussionClosed`] when it is not open; [`Refusal::Forbidden`] for raters.
pub async fn close(app: &Services, actor: &Actor, unit: &UnitId) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let party = enter(&mut tx, actor, unit, Action::DiscussionManage).await?;
    party.open_thread(&mut tx).await?;
    store::audit::lock(&mut tx, party.study.as_str()).await?;
    store::discussion::close(&mut tx, unit).await?;
    crate::unit::refresh_item(&mut tx, app, &party.study, &party.item).await?;
    finish(
        app,
        tx,
        actor,
        &party,
        unit,
        (Action::DiscussionManage, "close"),
        json!({}),
    )
    .await
}

pub(super) async fn finish(
    app: &Services,
    tx: Tx,
    actor: &Actor,
    party: &Party,
    unit: &UnitId,
    (action, verb): (Action, &str),
    details: serde_json::Value,
) -> Result<()> {
    let audit = Audit {
        study: Some(&party.study),
        action,
        verb,
        subject: unit.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await
}
