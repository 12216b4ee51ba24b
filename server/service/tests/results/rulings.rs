//! Rulings have their own author and time, rest on what was there, and leave the annotations as they are.

use crate::fixture::{Study, judges, ruling_of, says};
use domain::id::{ItemId, UnitId};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::ruling::{Cause, Outcome};
use domain::scheme::Validity::{Invalid, Valid, ValidOtherSubcategory};
use domain::unit::UnitState;
use service::batch::Round;
use service::ruling::NewRuling;
use service::unit::QueueState;
use service::{Actor, member, ruling};

/// Two raters, one item, as many candidates as pairs of severities.
pub async fn rated(pairs: &[(f64, f64)]) -> (Study, ItemId) {
    let mut study = Study::new(2).await;
    let item = study.item("i", pairs.len()).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(
            0,
            &item,
            judges(&item, pairs.iter().map(|(a, _)| says(Valid, *a))),
        )
        .await;
    study
        .submit(
            1,
            &item,
            judges(&item, pairs.iter().map(|(_, b)| says(Valid, *b))),
        )
        .await;
    (study, item)
}

pub fn consensus(severity: f64) -> NewRuling {
    NewRuling {
        validity: Some(Valid),
        severity: Some(severity),
        agreed_by_raters: true,
        ..ruling_of(Outcome::Consensus)
    }
}

#[tokio::test]
async fn ehost_215_a_ruling_has_its_own_author_and_says_whose_value_it_adopts() {
    let (study, _) = rated(&[(4.0, 1.0)]).await;
    let before = study.unit("i.1").await.raters;
    let adopted = NewRuling {
        adopted_from: Some("A".into()),
        cause: Some(Cause::Slip),
        ..consensus(4.0)
    };
    let view = study
        .rule(&study.coordinator, "i.1", adopted)
        .await
        .expect("ruled");
    let ruling = view.ruling.expect("a ruling");
    assert_eq!(
        (ruling.ruled_by.as_str(), ruling.adopted_from.as_str()),
        ("coordinator", "A")
    );
    assert_eq!(
        (ruling.severity, ruling.version, ruling.current),
        (Some(4.0), 1, true)
    );
    assert_eq!(view.row.state, UnitState::Ruled);
    assert_eq!(
        view.raters, before,
        "the independent annotations are never touched"
    );
    let unknown = NewRuling {
        adopted_from: Some("Z".into()),
        ..consensus(4.0)
    };
    assert_eq!(
        study
            .rule(&study.coordinator, "i.1", unknown)
            .await
            .expect_err("refused"),
        Refusal::InputInvalid
    );
}

#[tokio::test]
async fn a_ruling_that_was_overtaken_is_a_conflict() {
    let (study, item) = rated(&[(4.0, 1.0)]).await;
    let seen = study.unit("i.1").await;
    let mine = NewRuling {
        basis: seen.basis.clone(),
        ..consensus(2.0)
    };
    let unit = UnitId::new("i.1");
    ruling::record(&study.app, &study.coordinator, &unit, mine.clone())
        .await
        .expect("the first");
    let second = ruling::record(
        &study.app,
        &study.coordinator,
        &unit,
        NewRuling {
            severity: Some(3.0),
            ..mine.clone()
        },
    )
    .await;
    assert_eq!(second.expect_err("overtaken").refusal(), Refusal::Conflict);
    study
        .submit_again(0, &item, judges(&item, [says(Valid, 5.0)]))
        .await;
    let stale = ruling::record(
        &study.app,
        &study.coordinator,
        &unit,
        NewRuling {
            expected_ruling_version: 1,
            ..mine
        },
    )
    .await;
    assert_eq!(
        stale.expect_err("the basis changed").refusal(),
        Refusal::Conflict
    );
    assert_eq!(study.unit("i.1").await.history.len(), 1);
}

#[tokio::test]
async fn two_people_who_rule_at_once_leave_one_ruling() {
    let (study, _) = rated(&[(4.0, 1.0)]).await;
    let unit = UnitId::new("i.1");
    let new = NewRuling {
        basis: study.unit("i.1").await.basis,
        ..consensus(2.0)
    };
    let other = NewRuling {
        severity: Some(3.0),
        ..new.clone()
    };
    let operator = Actor::operator();
    let (one, two) = tokio::join!(
        ruling::record(&study.app, &study.coordinator, &unit, new),
        ruling::record(&study.app, &operator, &unit, other),
    );
    let conflicts = [one, two]
        .into_iter()
        .filter_map(Result::err)
        .map(|e| e.refusal())
        .collect::<Vec<_>>();
    assert_eq!(conflicts, [Refusal::Conflict]);
    assert_eq!(study.unit("i.1").await.history.len(), 1);
}

/// Three outcomes, and half points where both ratings stand.
#[tokio::test]
async fn outcomes_give_the_values_they_promise_and_versions_stay() {
    let (study, _) = rated(&[(2.0, 5.0), (1.0, 5.0)]).await;
    let view = study
        .rule(&study.coordinator, "i.1", ruling_of(Outcome::Averaged))
        .await
        .expect("averaged");
    assert_eq!(
        view.ruling.map(|r| (r.validity, r.severity)),
        Some((Some(Valid), Some(3.5)))
    );
    let bare = study
        .rule(&study.coordinator, "i.1", ruling_of(Outcome::Unresolved))
        .await;
    assert_eq!(bare.expect_err("no note"), Refusal::UnresolvedNeedsNote);
    let open = NewRuling {
        note: "Two schools.".into(),
        ..ruling_of(Outcome::Unresolved)
    };
    let view = study
        .rule(&study.coordinator, "i.1", open)
        .await
        .expect("unresolved");
    let versions: Vec<_> = view
        .history
        .iter()
        .map(|r| (r.version, r.outcome))
        .collect();
    assert_eq!(versions, [(2, Outcome::Unresolved), (1, Outcome::Averaged)]);
    assert_eq!(view.history[0].category, "");
    assert_eq!(
        study.queue(QueueState::Work).await.len(),
        1,
        "the other unit still waits"
    );
    let noted = NewRuling {
        agreed_by_raters: false,
        ..consensus(3.0)
    };
    assert_eq!(
        study
            .rule(&study.coordinator, "i.2", noted)
            .await
            .expect_err("no note"),
        Refusal::ConsensusNeedsNote
    );
}

#[tokio::test]
async fn a_rater_of_the_item_is_never_its_adjudicator() {
    let (study, _) = rated(&[(2.0, 5.0)]).await;
    let adjudicate = NewRuling {
        validity: Some(Valid),
        severity: Some(3.0),
        ..ruling_of(Outcome::Adjudicator)
    };
    let rater = study.raters[0].clone();
    assert_eq!(
        study
            .rule(&rater, "i.1", adjudicate.clone())
            .await
            .expect_err("no right"),
        Refusal::Forbidden
    );
    member::add(
        &study.app,
        &Actor::operator(),
        &study.id,
        "rater1",
        Role::Adjudicator,
    )
    .await
    .expect("added");
    assert_eq!(
        study
            .rule(&rater, "i.1", adjudicate.clone())
            .await
            .expect_err("rated it"),
        Refusal::AdjudicatorRatedItem
    );
    let adjudicator = study.member("adjudicator", Role::Adjudicator).await;
    let view = study
        .rule(&adjudicator, "i.1", adjudicate)
        .await
        .expect("ruled");
    assert_eq!(
        view.ruling.map(|r| (r.outcome, r.ruled_by)),
        Some((Outcome::Adjudicator, "adjudicator".into()))
    );
}

#[tokio::test]
async fn values_off_the_scheme_are_refused() {
    let (study, _) = rated(&[(2.0, 5.0)]).await;
    for (new, refusal) in [
        (consensus(6.0), Refusal::AnnotationInvalid),
        (consensus(3.25), Refusal::AnnotationInvalid),
        (
            NewRuling {
                code: Some("99".into()),
                ..consensus(3.0)
            },
            Refusal::AnnotationInvalid,
        ),
        (
            NewRuling {
                confidence: "sure".into(),
                ..consensus(3.0)
            },
            Refusal::InputInvalid,
        ),
        (
            NewRuling {
                note: "n".repeat(10_001),
                ..consensus(3.0)
            },
            Refusal::TextTooLong,
        ),
        (
            NewRuling {
                severity: None,
                ..consensus(3.0)
            },
            Refusal::RulingValueMissing,
        ),
    ] {
        assert_eq!(
            study
                .rule(&study.coordinator, "i.1", new)
                .await
                .expect_err("refused"),
            refusal
        );
    }
    let other = NewRuling {
        validity: Some(ValidOtherSubcategory),
        code: Some("2.3".into()),
        ..consensus(2.5)
    };
    let ruling = study
        .rule(&study.coordinator, "i.1", other)
        .await
        .expect("ruled")
        .ruling
        .expect("a ruling");
    assert_eq!(
        (
            ruling.category.as_str(),
            ruling.subcategory.as_str(),
            ruling.severity
        ),
        ("2", "2.3", Some(2.5))
    );
    let invalid = NewRuling {
        validity: Some(Invalid),
        severity: None,
        ..consensus(3.0)
    };
    let ruling = study
        .rule(&study.coordinator, "i.1", invalid)
        .await
        .expect("ruled")
        .ruling
        .expect("a ruling");
    assert_eq!((ruling.category.as_str(), ruling.severity), ("", None));
}

#[tokio::test]
async fn nothing_is_ruled_before_every_annotation_is_in() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [says(Valid, 3.0)]))
        .await;
    assert_eq!(
        study
            .rule(&study.coordinator, "i.1", consensus(3.0))
            .await
            .expect_err("early"),
        Refusal::NotAllIn
    );
}
