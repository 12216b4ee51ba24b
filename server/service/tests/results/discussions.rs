//! Units are talked over only when all are in, only by their raters and staff, and a yes of every rater settles them.

use crate::fixture::{Study, judges, ruling_of, says};
use domain::discussion::{MessageKind, Offer};
use domain::id::{ItemId, MessageId, UnitId};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::ruling::Outcome;
use domain::scheme::Validity::{Invalid, Valid};
use domain::unit::UnitState;
use service::batch::Round;
use service::discussion::{self, NewMessage, Thread};
use service::ruling::NewRuling;
use service::unit::QueueState;
use service::{Actor, desk, exclusion, ruling};

/// Two raters who gave 1 and 5, and a third who did not rate the item.
async fn differing() -> (Study, ItemId, UnitId) {
    let mut study = Study::new(3).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [says(Valid, 1.0)]))
        .await;
    study
        .submit(1, &item, judges(&item, [says(Valid, 5.0)]))
        .await;
    (study, item, UnitId::new("i.1"))
}

async fn open(study: &Study, unit: &UnitId) {
    discussion::open(&study.app, &study.coordinator, unit, "Please have a look.")
        .await
        .expect("opened");
}

async fn thread(study: &Study, actor: &Actor, unit: &UnitId) -> Result<Thread, Refusal> {
    let thread = discussion::get(&study.app, actor, unit).await;
    thread.map_err(|error| error.refusal())
}

async fn post(study: &Study, actor: &Actor, unit: &UnitId, new: NewMessage) -> Result<(), Refusal> {
    let posted = discussion::post(&study.app, actor, unit, new).await;
    posted.map_err(|error| error.refusal())
}

fn words(body: &str) -> NewMessage {
    NewMessage {
        body: body.into(),
        ..NewMessage::default()
    }
}

fn proposal(id: &str, severity: f64, basis: &str) -> NewMessage {
    NewMessage {
        id: id.into(),
        offer: Some(Offer {
            validity: Some(Valid),
            severity: Some(severity),
            ..Offer::default()
        }),
        basis: basis.into(),
        ..NewMessage::default()
    }
}

#[tokio::test]
async fn no_discussion_is_there_before_every_rater_has_submitted() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [says(Valid, 1.0)]))
        .await;
    let unit = UnitId::new("i.1");
    let opened = discussion::open(&study.app, &study.coordinator, &unit, "").await;
    assert_eq!(opened.expect_err("too early").refusal(), Refusal::NotAllIn);
    for rater in &study.raters {
        assert_eq!(
            thread(&study, rater, &unit).await.expect_err("none"),
            Refusal::NotFound
        );
    }
}

#[tokio::test]
async fn only_staff_and_the_raters_of_the_item_know_of_it() {
    let (study, _, unit) = differing().await;
    // A rater learns of nothing before staff open it, though both are in.
    assert_eq!(
        thread(&study, &study.raters[0], &unit)
            .await
            .expect_err("none"),
        Refusal::NotFound
    );
    open(&study, &unit).await;
    let other = &study.raters[2];
    assert_eq!(
        thread(&study, other, &unit).await.expect_err("not theirs"),
        Refusal::NotFound
    );
    assert_eq!(
        post(&study, other, &unit, words("May I?"))
            .await
            .expect_err("not theirs"),
        Refusal::NotFound
    );
    assert_eq!(
        discussion::mine(&study.app, other).await.expect("a list"),
        []
    );
    let seen = thread(&study, &study.raters[0], &unit)
        .await
        .expect("theirs");
    assert_eq!(seen.unit.raters.len(), 2);
    assert!(seen.unit.siblings.is_empty() && seen.unit.next.is_none() && !seen.staff);
    assert_eq!(
        seen.raters
            .iter()
            .map(|r| (r.letter.as_str(), r.me))
            .collect::<Vec<_>>(),
        [("A", true), ("B", false)]
    );
    let reader = study.member("reader", Role::Reader).await;
    assert_eq!(
        thread(&study, &reader, &unit).await.expect_err("no staff"),
        Refusal::Forbidden
    );
}

#[tokio::test]
async fn an_open_discussion_is_the_units_state_and_closing_it_gives_it_back() {
    let (study, _, unit) = differing().await;
    open(&study, &unit).await;
    assert_eq!(study.unit("i.1").await.row.state, UnitState::InDiscussion);
    assert_eq!(study.queue(QueueState::InDiscussion).await.len(), 1);
    discussion::close(&study.app, &study.coordinator, &unit)
        .await
        .expect("closed");
    assert_eq!(study.unit("i.1").await.row.state, UnitState::Disputed);
    assert_eq!(
        post(&study, &study.raters[0], &unit, words("Late."))
            .await
            .expect_err("closed"),
        Refusal::DiscussionClosed
    );
    assert_eq!(
        thread(&study, &study.raters[0], &unit)
            .await
            .expect("readable")
            .messages
            .len(),
        1
    );
}

#[tokio::test]
async fn the_other_raters_yes_records_the_consensus_and_touches_no_annotation() {
    let (study, _, unit) = differing().await;
    let before = study.unit("i.1").await.raters;
    open(&study, &unit).await;
    let [a, b] = [&study.raters[0], &study.raters[1]];
    let basis = study.unit("i.1").await.basis;
    post(&study, a, &unit, proposal("p", 3.0, &basis))
        .await
        .expect("proposed");
    let own = discussion::accept(&study.app, a, &unit, &MessageId::new("p")).await;
    assert_eq!(own.expect_err("own").refusal(), Refusal::ProposalYours);
    let staff =
        discussion::accept(&study.app, &study.coordinator, &unit, &MessageId::new("p")).await;
    assert_eq!(staff.expect_err("staff").refusal(), Refusal::Forbidden);
    assert!(
        discussion::accept(&study.app, b, &unit, &MessageId::new("p"))
            .await
            .expect("accepted")
    );
    let view = study.unit("i.1").await;
    let ruling = view.ruling.expect("a ruling");
    assert_eq!(
        (
            ruling.outcome,
            ruling.severity,
            ruling.validity,
            ruling.agreed_by_raters
        ),
        (Outcome::Consensus, Some(3.0), Some(Valid), true)
    );
    assert_eq!(view.row.state, UnitState::Ruled);
    assert_eq!(view.raters, before);
    let thread = thread(&study, a, &unit).await.expect("readable");
    assert!(!thread.open);
    assert_eq!(
        thread
            .messages
            .iter()
            .map(|m| (m.seq, m.kind, m.accepts))
            .collect::<Vec<_>>(),
        [
            (1, MessageKind::Remark, None),
            (2, MessageKind::Proposal, None),
            (3, MessageKind::Acceptance, Some(2)),
        ]
    );
    assert_eq!(thread.messages[1].in_favour, ["A", "B"]);
}

#[tokio::test]
async fn a_proposal_off_the_scheme_or_on_what_changed_is_refused() {
    let (study, item, unit) = differing().await;
    open(&study, &unit).await;
    let a = &study.raters[0];
    let basis = study.unit("i.1").await.basis;
    for (new, refusal) in [
        (proposal("x", 6.0, &basis), Refusal::AnnotationInvalid),
        (proposal("x", 3.0, "another"), Refusal::Conflict),
        (words("  "), Refusal::NothingSaid),
        (words(&"x".repeat(100_000)), Refusal::TextTooLong),
        (
            NewMessage {
                span: Some((50, 500)),
                ..words("Here.")
            },
            Refusal::BadSpan,
        ),
        (
            NewMessage {
                offer: Some(Offer::default()),
                basis: basis.clone(),
                ..words("Nothing.")
            },
            Refusal::RulingValueMissing,
        ),
    ] {
        assert_eq!(
            post(&study, a, &unit, new).await.expect_err("refused"),
            refusal
        );
    }
    post(&study, a, &unit, proposal("p", 3.0, &basis))
        .await
        .expect("proposed");
    study
        .submit_again(1, &item, judges(&item, [says(Valid, 4.0)]))
        .await;
    let late = discussion::accept(&study.app, &study.raters[1], &unit, &MessageId::new("p")).await;
    assert_eq!(late.expect_err("gone").refusal(), Refusal::ProposalGone);
}

#[tokio::test]
async fn a_message_sent_twice_is_written_once_and_quotes_the_words_of_its_span() {
    let (study, _, unit) = differing().await;
    open(&study, &unit).await;
    let new = NewMessage {
        id: "once".into(),
        span: Some((10, 16)),
        ..words("These words.")
    };
    for _ in 0..2 {
        post(&study, &study.raters[0], &unit, new.clone())
            .await
            .expect("posted");
    }
    let messages = thread(&study, &study.raters[1], &unit)
        .await
        .expect("a thread")
        .messages;
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[1].quote, Some((10, 16, "voices".to_owned())));
    assert_eq!(
        (messages[1].letter.as_str(), messages[1].mine),
        ("A", false)
    );
}

#[tokio::test]
async fn another_message_with_a_known_identity_is_refused_and_not_dropped() {
    let (study, _, unit) = differing().await;
    open(&study, &unit).await;
    let new = |body: &str| NewMessage {
        id: "once".into(),
        ..words(body)
    };
    let [ada, ben] = [&study.raters[0], &study.raters[1]];
    assert_eq!(post(&study, ada, &unit, new("Mine.")).await, Ok(()));
    assert_eq!(post(&study, ada, &unit, new(" Mine. ")).await, Ok(()));
    for (author, body) in [(ben, "Mine."), (ben, "Another's."), (ada, "Anything else.")] {
        assert_eq!(
            post(&study, author, &unit, new(body)).await,
            Err(Refusal::Conflict)
        );
    }
    discussion::close(&study.app, &study.coordinator, &unit)
        .await
        .expect("closed");
    assert_eq!(post(&study, ada, &unit, new("Mine.")).await, Ok(()));
    let seen = thread(&study, ben, &unit).await.expect("a thread");
    let said: Vec<_> = seen.messages.iter().map(|m| m.body.as_str()).collect();
    assert_eq!(said, ["Please have a look.", "Mine."]);
}

#[tokio::test]
async fn what_one_has_not_seen_is_counted_until_one_looks() {
    let (study, _, unit) = differing().await;
    open(&study, &unit).await;
    let unread = async |actor: &Actor| {
        let rows = discussion::mine(&study.app, actor).await.expect("a list");
        rows.iter().map(|row| row.unread).sum::<i64>()
    };
    assert_eq!(unread(&study.raters[0]).await, 1);
    discussion::seen(&study.app, &study.raters[0], &unit, 1)
        .await
        .expect("seen");
    assert_eq!(unread(&study.raters[0]).await, 0);
    post(&study, &study.raters[0], &unit, words("I see."))
        .await
        .expect("posted");
    // One's own words are not news, the other's are.
    assert_eq!(unread(&study.raters[0]).await, 0);
    assert_eq!(unread(&study.raters[1]).await, 2);
}

#[tokio::test]
async fn a_rater_cannot_change_their_judgement_once_they_may_have_seen_the_others() {
    let (study, item, unit) = differing().await;
    open(&study, &unit).await;
    let assignment = study.assignment(0, &item).await;
    let reopened = desk::reopen(&study.app, &study.raters[0], &assignment).await;
    assert_eq!(
        reopened.expect_err("no longer independent").refusal(),
        Refusal::DiscussionBegun
    );
}

#[tokio::test]
async fn whoever_rated_the_item_is_not_asked_to_settle_it() {
    let (study, _, unit) = differing().await;
    let rater = &study.raters[0];
    let assign = async |to: &str| {
        let assigned = discussion::assign(&study.app, &study.coordinator, &unit, to).await;
        assigned.map_err(|error| error.refusal())
    };
    assert_eq!(
        assign(rater.user.as_str()).await,
        Err(Refusal::InputInvalid)
    );
    service::member::add(
        &study.app,
        &Actor::operator(),
        &study.id,
        &rater.name,
        Role::Adjudicator,
    )
    .await
    .expect("a second role");
    assert_eq!(
        assign(rater.user.as_str()).await,
        Err(Refusal::AdjudicatorRatedItem)
    );
    let adjudicator = study.member("adjudicator", Role::Adjudicator).await;
    assign(adjudicator.user.as_str()).await.expect("assigned");
    let rows = discussion::list(&study.app, &adjudicator, &study.id)
        .await
        .expect("a list");
    assert!(rows[0].asks_me);
}

#[tokio::test]
async fn an_excluded_unit_leaves_the_queue_with_a_reason_and_can_come_back() {
    let (study, _, unit) = differing().await;
    let set = async |expected, reason| {
        let done =
            exclusion::set(&study.app, &study.coordinator, &unit, expected, reason, "").await;
        done.map_err(|error| error.refusal())
    };
    assert_eq!(set(0, "no_such_reason").await, Err(Refusal::ReasonNeeded));
    assert_eq!(set(0, "").await, Err(Refusal::ReasonNeeded));
    assert_eq!(set(0, "persona_artefact").await, Ok(1));
    assert_eq!(set(0, "item_defect").await, Err(Refusal::Conflict));
    assert!(study.queue(QueueState::Work).await.is_empty());
    let out = study.unit("i.1").await.exclusion.expect("out");
    assert_eq!(
        (out.active, out.reason.as_str()),
        (true, "persona_artefact")
    );
    assert_eq!(set(1, "").await, Ok(2));
    assert_eq!(study.queue(QueueState::Work).await.len(), 1);
}

#[tokio::test]
async fn unanimous_units_are_confirmed_together_and_nothing_else_is() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 3).await;
    study.assign(Round::Main, &[0, 1]).await;
    let gives = |severities: [f64; 3]| judges(&item, severities.map(|s| says(Valid, s)));
    study.submit(0, &item, gives([2.0, 4.0, 1.0])).await;
    study.submit(1, &item, gives([2.0, 3.0, 5.0])).await;
    let confirm = async |ids: &[&str]| {
        let mut units = Vec::new();
        for id in ids {
            let basis = study.unit(id).await.basis;
            units.push(ruling::Confirmed {
                unit: UnitId::new(*id),
                basis,
            });
        }
        let done = ruling::confirm(&study.app, &study.coordinator, &study.id, &units).await;
        done.map_err(|error| error.refusal())
    };
    // i.2 agrees under the rule but not on one value: a rule settles nothing silently.
    assert_eq!(confirm(&["i.1", "i.2"]).await, Err(Refusal::InputInvalid));
    assert_eq!(confirm(&["i.3"]).await, Err(Refusal::InputInvalid));
    assert!(study.unit("i.1").await.ruling.is_none());
    assert_eq!(confirm(&["i.1"]).await, Ok(1));
    let ruling = study.unit("i.1").await.ruling.expect("a ruling");
    assert_eq!(
        (ruling.outcome, ruling.severity, ruling.validity),
        (Outcome::Consensus, Some(2.0), Some(Valid))
    );
}

#[tokio::test]
async fn a_rejected_tag_is_a_proposal_too() {
    let (study, _, unit) = differing().await;
    open(&study, &unit).await;
    let basis = study.unit("i.1").await.basis;
    let rejects = NewMessage {
        id: "no".into(),
        offer: Some(Offer {
            validity: Some(Invalid),
            ..Offer::default()
        }),
        basis,
        ..NewMessage::default()
    };
    post(&study, &study.raters[1], &unit, rejects)
        .await
        .expect("proposed");
    assert!(
        discussion::accept(&study.app, &study.raters[0], &unit, &MessageId::new("no"))
            .await
            .expect("accepted")
    );
    let ruling = study.unit("i.1").await.ruling.expect("a ruling");
    assert_eq!((ruling.validity, ruling.severity), (Some(Invalid), None));
}

#[tokio::test]
async fn two_coordinators_who_rule_at_once_leave_one_ruling_and_one_conflict() {
    let (study, _, unit) = differing().await;
    let second = study.member("second", Role::Coordinator).await;
    let basis = study.unit("i.1").await.basis;
    let new = |severity: f64| NewRuling {
        basis: basis.clone(),
        validity: Some(Valid),
        severity: Some(severity),
        note: "Talked over.".into(),
        ..ruling_of(Outcome::Consensus)
    };
    let (first, other) = tokio::join!(
        ruling::record(&study.app, &study.coordinator, &unit, new(2.0)),
        ruling::record(&study.app, &second, &unit, new(4.0)),
    );
    let outcomes = [first.map(drop), other.map(drop)].map(|done| done.map_err(|e| e.refusal()));
    assert!(outcomes.contains(&Ok(())) && outcomes.contains(&Err(Refusal::Conflict)));
    assert_eq!(study.unit("i.1").await.history.len(), 1);
}
