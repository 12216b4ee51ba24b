//! Reading a discussion, and the list of those that ask for somebody.

use super::accept::turns;
use super::party::{Party, enter};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use crate::study::scheme_in;
use crate::unit::{Letters, UnitView, load};
use domain::discussion::{MessageKind, Offer, in_favour, stands};
use domain::id::{MessageId, StudyId, UnitId, UserId};
use domain::refusal::Refusal;
use domain::role::{Action, may};
use domain::study::StudyState;
use serde::Serialize;
use std::collections::HashMap;
use store::discussion::{Listed, Message};

/// A discussion with the unit it is about.
#[derive(Clone, Debug, Serialize)]
pub struct Thread {
    /// The unit with both sides.
    pub unit: UnitView,
    /// The study's name.
    pub study_name: String,
    /// Whether there is a discussion at all; staff see the page before one is opened.
    pub begun: bool,
    /// Whether it takes messages.
    pub open: bool,
    /// The person asked to settle it; empty for nobody in particular.
    pub assigned_to: String,
    /// Their name.
    pub assigned_name: String,
    /// Whoever asks is staff of the study.
    pub staff: bool,
    /// Whoever asks is a rater of the item.
    pub rater: bool,
    /// The raters of the item.
    pub raters: Vec<ThreadRater>,
    /// For staff: who could be asked to settle it, account and name.
    pub may_settle: Vec<(String, String)>,
    /// The messages, oldest first.
    pub messages: Vec<MessageView>,
    /// Messages up to here were seen before.
    pub seen: i64,
}

/// A rater in a discussion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreadRater {
    /// The letter.
    pub letter: String,
    /// The name people read.
    pub name: String,
    /// It is whoever asks.
    pub me: bool,
}

/// A message as people see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MessageView {
    /// Its identity.
    pub id: MessageId,
    /// Counted from 1.
    pub seq: i64,
    /// The author's letter where they rated the item; empty for staff.
    pub letter: String,
    /// The author's name.
    pub author: String,
    /// Whoever asks wrote it.
    pub mine: bool,
    /// Epoch milliseconds.
    pub at: i64,
    /// What it is.
    pub kind: MessageKind,
    /// The words.
    pub body: String,
    /// The words of the trace it quotes: start, end, text.
    pub quote: Option<(u32, u32, String)>,
    /// The value a proposal offers.
    pub offer: Option<Offer>,
    /// The letters of the raters who are for the proposal.
    pub in_favour: Vec<String>,
    /// The proposal still stands.
    pub stands: bool,
    /// Whoever asks can accept it.
    pub mine_to_accept: bool,
    /// The number of the proposal that an acceptance accepts.
    pub accepts: Option<i64>,
}

/// A discussion in a list: nothing of what was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The unit.
    pub unit: UnitId,
    /// Its study.
    pub study: StudyId,
    /// The study's name.
    pub study_name: String,
    /// The item's key.
    pub item_key: String,
    /// The name of the category, or of the subcategory where there is one.
    pub tag: String,
    /// Whether it takes messages.
    pub open: bool,
    /// Whoever asks was asked to settle it.
    pub asks_me: bool,
    /// How many messages it has.
    pub messages: i64,
    /// How many of them by others whoever asks has not seen.
    pub unread: i64,
}

/// The discussion of a unit.
///
/// # Errors
/// [`Refusal::NotFound`] for everybody but staff and the raters of the item, and for them before staff opened it;
/// [`Refusal::NotAllIn`].
pub async fn get(app: &Services, actor: &Actor, unit: &UnitId) -> Result<Thread> {
    let mut db = app.db.snapshot().await?;
    let party = enter(&mut db, actor, unit, Action::Discuss).await?;
    let study = store::study::get(&mut db, &party.study)
        .await?
        .ok_or(Refusal::NotFound)?;
    let hidden = if party.staff {
        store::item::OPEN
    } else {
        study.blinding
    };
    let mut unit_view = load(&mut db, actor, unit, hidden).await?;
    if !party.staff {
        // The rest of the queue is for staff.
        unit_view.siblings.clear();
        (unit_view.previous, unit_view.next) = (None, None);
        if study.blinding.judge_severity {
            unit_view.tag.severity = None;
        }
    }
    let may_settle = if party.staff {
        settlers(&mut db, &party).await?
    } else {
        Vec::new()
    };
    let letters = Letters::of(&mut db, &party.study).await?;
    let messages = store::discussion::messages(&mut db, unit).await?;
    let seen = store::discussion::read_up_to(&mut db, unit, &actor.user)
        .await?
        .unwrap_or(0);
    let thread = party.thread.as_ref();
    let assigned_to = thread.map(|t| t.assigned_to.clone()).unwrap_or_default();
    let assigned = store::account::by_id(&mut db, &UserId::new(assigned_to.as_str())).await?;
    let open = thread.is_some_and(|thread| thread.open) && study.state != StudyState::SignedOff;
    let reader = Reader {
        actor,
        letters: &letters,
        raters: &party.raters,
        basis: &unit_view.basis,
        may_accept: open && party.rater,
    };
    let views = reader.views(&messages);
    let raters = party.raters.iter().map(|user| reader.rater(user)).collect();
    Ok(Thread {
        unit: unit_view,
        study_name: study.name,
        begun: thread.is_some(),
        open,
        assigned_to,
        assigned_name: assigned.map(|user| user.display_name).unwrap_or_default(),
        staff: party.staff,
        rater: party.rater,
        raters,
        may_settle,
        messages: views,
        seen,
    })
}

/// Members who may rule and did not rate the item.
async fn settlers(db: &mut store::AnyConnection, party: &Party) -> Result<Vec<(String, String)>> {
    let members = store::member::list(db, &party.study).await?;
    let mut settlers = Vec::new();
    for member in members {
        let fits = member.active
            && may(&[member.role], Action::Rule)
            && !party.raters.contains(&member.user);
        let one = (member.user.to_string(), member.display_name);
        if fits && !settlers.contains(&one) {
            settlers.push(one);
        }
    }
    Ok(settlers)
}

struct Reader<'a> {
    actor: &'a Actor,
    letters: &'a Letters,
    raters: &'a [UserId],
    basis: &'a str,
    may_accept: bool,
}

impl Reader<'_> {
    fn rater(&self, user: &UserId) -> ThreadRater {
        let name = self.letters.rater(user);
        ThreadRater {
            letter: self.letters.letter(user),
            name: name
                .map(|rater| rater.display_name.clone())
                .unwrap_or_default(),
            me: *user == self.actor.user,
        }
    }

    fn views(&self, messages: &[Message]) -> Vec<MessageView> {
        let turns = turns(messages);
        let raters: Vec<&str> = self.raters.iter().map(UserId::as_str).collect();
        let me = self.actor.user.as_str();
        let view = |message: &Message| {
            let proposal = message.kind == MessageKind::Proposal;
            let id = message.id.as_str();
            let favour = if proposal {
                in_favour(&turns, id, &raters)
            } else {
                Vec::new()
            };
            let standing = proposal && stands(&turns, id, self.basis);
            let letter = |user: &UserId| {
                if self.raters.contains(user) {
                    self.letters.letter(user)
                } else {
                    String::new()
                }
            };
            MessageView {
                id: message.id.clone(),
                seq: message.seq,
                letter: letter(&message.author),
                author: message.author_name.clone(),
                mine: message.author == self.actor.user,
                at: message.at,
                kind: message.kind,
                body: message.body.clone(),
                quote: message.quote.clone(),
                offer: proposal.then(|| message.offer.clone()),
                mine_to_accept: standing && self.may_accept && !favour.contains(&me),
                in_favour: favour
                    .iter()
                    .map(|user| self.letters.letter(&UserId::new(*user)))
                    .collect(),
                stands: standing,
                accepts: messages
                    .iter()
                    .find(|other| other.id.as_str() == message.accepts)
                    .map(|other| other.seq),
            }
        };
        messages.iter().map(view).collect()
    }
}

/// Notes that whoever asks has seen the thread up to this message. Not a change to the study, so it leaves no audit
/// row; the first time is kept, as that is when a rater first saw the other's judgement.
///
/// # Errors
/// As [`get`].
pub async fn seen(app: &Services, actor: &Actor, unit: &UnitId, seq: i64) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let party = enter(&mut tx, actor, unit, Action::Discuss).await?;
    let Some(thread) = party.thread.filter(|_| !actor.is_operator()) else {
        return Ok(());
    };
    let seq = seq.clamp(0, thread.messages);
    store::discussion::seen(&mut tx, unit, &actor.user, seq, app.now()).await?;
    tx.commit().await.map_err(store::Error::from)?;
    Ok(())
}

/// The discussions of items that whoever asks rated, in every study of theirs; open ones first.
///
/// # Errors
/// When the database fails.
pub async fn mine(app: &Services, actor: &Actor) -> Result<Vec<Row>> {
    crate::auth::require_server(actor, Action::StudyList)?;
    let mut db = app.db.snapshot().await?;
    let listed = store::discussion::of_person(&mut db, &actor.user).await?;
    rows(&mut db, actor, listed).await
}

/// The discussions of a study; open ones first.
///
/// # Errors
/// [`Refusal::Forbidden`] for roles that do not reconcile.
pub async fn list(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<Row>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::DisagreementRead).await?;
    let listed = store::discussion::of_study(&mut db, study, &actor.user).await?;
    rows(&mut db, actor, listed).await
}

async fn rows(
    db: &mut store::AnyConnection,
    actor: &Actor,
    listed: Vec<Listed>,
) -> Result<Vec<Row>> {
    let mut schemes = HashMap::new();
    for row in &listed {
        if !schemes.contains_key(&row.study) {
            let (scheme, _) = scheme_in(db, &row.study).await?;
            schemes.insert(row.study.clone(), scheme);
        }
    }
    let row = |listed: Listed| {
        let code = if listed.subcategory.is_empty() {
            &listed.category
        } else {
            &listed.subcategory
        };
        let scheme = schemes.get(&listed.study);
        let name = scheme.and_then(|scheme| scheme.name_of(code));
        Row {
            tag: name.unwrap_or(code).to_owned(),
            asks_me: listed.open && listed.assigned_to == actor.user.as_str(),
            unit: listed.unit,
            study: listed.study,
            study_name: listed.study_name,
            item_key: listed.item_key,
            open: listed.open,
            messages: listed.messages,
            unread: listed.unread,
        }
    };
    Ok(listed.into_iter().map(row).collect())
}
