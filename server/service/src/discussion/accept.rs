//! Saying yes to a proposal. The last rater's yes records the raters' consensus.

use super::party::enter;
use super::write::{finish, write};
use crate::actor::Actor;
use crate::error::Result;
use crate::ruling::{Bench, NewRuling};
use crate::services::Services;
use domain::discussion::{self, MessageKind, Offer, Turn};
use domain::id::{MessageId, UnitId, UserId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::ruling::Outcome;
use serde_json::json;
use store::discussion::Message;

/// Accepts a proposal; tells whether that settled the unit, which needs every rater of the item to be for it.
///
/// # Errors
/// [`Refusal::ProposalGone`] when it no longer stands, [`Refusal::ProposalYours`], [`Refusal::ProposalForRaters`],
/// [`Refusal::DiscussionClosed`], [`Refusal::Conflict`] when somebody ruled meanwhile.
pub async fn accept(
    app: &Services,
    actor: &Actor,
    unit: &UnitId,
    proposal: &MessageId,
) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    let party = enter(&mut tx, actor, unit, Action::Accept).await?;
    party.open_thread(&mut tx).await?;
    store::audit::lock(&mut tx, party.study.as_str()).await?;
    let listed = store::unit::queue_row(&mut tx, unit)
        .await?
        .ok_or(Refusal::NotFound)?;
    let basis = listed.unit.basis;
    let messages = store::discussion::messages(&mut tx, unit).await?;
    let turns = turns(&messages);
    let raters: Vec<&str> = party.raters.iter().map(UserId::as_str).collect();
    let settles = discussion::accept(
        &turns,
        proposal.as_str(),
        &basis,
        &raters,
        actor.user.as_str(),
    )
    .map_err(Refusal::from)?;
    let yes = Message {
        id: MessageId::new(app.id()),
        seq: 0,
        author: actor.user.clone(),
        author_name: String::new(),
        at: app.now(),
        kind: MessageKind::Acceptance,
        body: String::new(),
        quote: None,
        offer: Offer::default(),
        basis: basis.clone(),
        accepts: proposal.as_str().to_owned(),
    };
    write(&mut tx, unit, &yes, &party, actor).await?;
    let mut details = json!({"proposal": proposal});
    if settles {
        let offer = messages
            .iter()
            .find(|message| message.id == *proposal)
            .map(|message| message.offer.clone())
            .unwrap_or_default();
        let history = store::ruling::history(&mut tx, unit).await?;
        let version = history.first().map_or(0, |ruling| ruling.version);
        let bench = Bench::open(&mut tx, &party.study).await?;
        let new = consensus(offer, basis, version);
        let (ruling, _) = bench.rule(&mut tx, app, actor, unit, &new).await?;
        details = json!({"proposal": proposal, "ruling": ruling.version});
    }
    finish(
        app,
        tx,
        actor,
        &party,
        unit,
        (Action::Accept, "yes"),
        details,
    )
    .await?;
    Ok(settles)
}

/// What of the messages decides which proposals stand.
pub(super) fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    messages.iter().map(turn).collect()
}

fn turn(message: &Message) -> Turn<'_> {
    Turn {
        id: message.id.as_str(),
        author: message.author.as_str(),
        kind: message.kind,
        basis: &message.basis,
        accepts: &message.accepts,
    }
}

/// The ruling that an accepted proposal becomes.
pub(super) fn consensus(offer: Offer, basis: String, version: i64) -> NewRuling {
    NewRuling {
        expected_ruling_version: version,
        basis,
        outcome: Outcome::Consensus,
        validity: offer.validity,
        code: Some(offer.code).filter(|code| !code.is_empty()),
        severity: offer.severity,
        cause: None,
        confidence: String::new(),
        note: String::new(),
        agreed_by_raters: true,
        adopted_from: None,
        guideline_needs_work: false,
        span: None,
        merged_into: None,
        answer: offer.answer,
    }
}
