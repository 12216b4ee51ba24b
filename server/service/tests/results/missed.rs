//! Missed tags of different raters are one unit only when they are twins.

use crate::fixture::{Study, judges, misses, ruling_of, says, tag};
use domain::annotation::Annotation;
use domain::ruling::Outcome;
use domain::scheme::Validity::{Invalid, Valid};
use domain::unit::{UnitKind, UnitState};
use service::batch::Round;
use service::ruling::NewRuling;
use service::unit::QueueState;
use service::{desk, snapshot};

#[tokio::test]
async fn a_tag_that_one_rater_adds_is_a_unit_that_the_other_did_not_mark() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 0).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, misses([tag("t", "2.3", (0, 9), 4.0)]))
        .await;
    study.submit(1, &item, misses([])).await;
    let view = study.unit("t").await;
    assert_eq!(
        (view.row.unit_kind, view.row.state, view.row.code.as_str()),
        (UnitKind::Missed, UnitState::Disputed, "2.3")
    );
    assert_eq!(view.row.kinds, ["validity"]);
    assert_eq!(view.tag.missed_by, ["A"]);
    assert_eq!(view.tag.spans, [(0, 9, "She hears".to_owned())]);
    let sides: Vec<_> = view
        .raters
        .iter()
        .map(|side| (side.validity, side.severity, side.not_marked))
        .collect();
    assert_eq!(sides, [(Some(Valid), Some(4.0), false), (None, None, true)]);
}

#[tokio::test]
async fn twins_are_one_unit_under_the_first_raters_identity_once_both_are_in() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 0).await;
    let other = study.item("j", 0).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, misses([tag("a", "2.3", (0, 9), 4.0)]))
        .await;
    study
        .submit(1, &item, misses([tag("b", "2.3", (0, 9), 2.0)]))
        .await;
    let view = study.unit("a").await;
    assert_eq!(
        (view.row.state, view.row.distance, view.row.kinds),
        (UnitState::Disputed, 2.0, vec!["severity".to_owned()])
    );
    assert_eq!(view.tag.missed_by, ["A", "B"]);
    // The second rater was first here. That there is a unit more would tell what they found: it comes with its twin.
    study
        .submit(1, &other, misses([tag("d", "2.3", (0, 9), 2.0)]))
        .await;
    assert_eq!(study.queue(QueueState::All).await.len(), 1);
    let ready = snapshot::readiness(&study.app, &study.coordinator, &study.id).await;
    let ready = serde_json::to_string(&ready.expect("readiness")).expect("JSON");
    assert!(ready.contains(r#""unit":"a""#), "{ready}");
    assert!(!ready.contains(r#""unit":"d""#), "{ready}");
    study
        .submit(0, &other, misses([tag("c", "2.3", (0, 9), 2.0)]))
        .await;
    let units: Vec<_> = study
        .queue(QueueState::All)
        .await
        .into_iter()
        .map(|row| row.unit.to_string())
        .collect();
    assert_eq!(units, ["a", "c"]);
    assert_eq!(study.unit("c").await.row.state, UnitState::Agreed);
    // While an annotation is open again its unit stays, under the name it had.
    let mine = study.assignment(0, &other).await;
    desk::reopen(&study.app, &study.raters[0], &mine)
        .await
        .expect("reopened");
    assert_eq!(study.queue(QueueState::All).await.len(), 2);
}

#[tokio::test]
async fn tags_that_differ_in_span_or_category_are_units_of_their_own() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 0).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(
            0,
            &item,
            misses([tag("a", "2.3", (0, 9), 4.0), tag("b", "1.1", (0, 9), 4.0)]),
        )
        .await;
    study
        .submit(
            1,
            &item,
            misses([tag("c", "2.3", (0, 8), 4.0), tag("d", "1.1", (0, 9), 4.0)]),
        )
        .await;
    let rows = study.queue(QueueState::All).await;
    let mut found: Vec<_> = rows
        .iter()
        .map(|row| (row.unit.as_str(), row.state))
        .collect();
    found.sort_unstable_by_key(|(unit, _)| *unit);
    assert_eq!(
        found,
        [
            ("a", UnitState::Disputed),
            ("b", UnitState::Agreed),
            ("c", UnitState::Disputed)
        ]
    );
}

/// Both raters add two tags of one kind: they are two units that agree, none is lost.
#[tokio::test]
async fn inception_2438_multisets_are_compared_as_multisets() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 0).await;
    study.assign(Round::Main, &[0, 1]).await;
    // Two tags of one category on one span are refused as a slip, so twins of one rater stand without a span.
    let bare = |id: &str, severity| domain::annotation::MissedTag {
        span: None,
        quote: String::new(),
        ..tag(id, "2.3", (0, 9), severity)
    };
    for (rater, ids) in [(0, ["a", "b"]), (1, ["c", "d"])] {
        let annotation = misses(ids.map(|id| bare(id, 3.0)));
        store_directly(&study, rater, &item, annotation).await;
    }
    let rows = study.queue(QueueState::All).await;
    let found: Vec<_> = rows
        .iter()
        .map(|row| (row.unit.as_str(), row.state, row.values.len()))
        .collect();
    assert_eq!(
        found,
        [("a", UnitState::Agreed, 2), ("b", UnitState::Agreed, 2)]
    );
}

/// The scheme asks for spans, which the desk enforces; a scheme without them reaches the same tables.
async fn store_directly(
    study: &Study,
    rater: usize,
    item: &domain::id::ItemId,
    annotation: Annotation,
) {
    use domain::assignment::AssignmentState;
    let id = study.assignment(rater, item).await;
    let mut tx = study.app.db.begin().await.expect("a transaction");
    let (scheme, version) = service::study::scheme_in(&mut tx, &study.id)
        .await
        .expect("a scheme");
    let held = store::assignment::get(&mut tx, &id)
        .await
        .expect("read")
        .expect("an assignment");
    let at = study.app.now();
    let step = store::assignment::Step {
        submitted_at: Some(at),
        ..Default::default()
    };
    assert!(
        store::assignment::step(&mut tx, &held, AssignmentState::Submitted, step)
            .await
            .expect("a step")
    );
    let new = store::annotation::NewAnnotation {
        id: &domain::id::AnnotationId::new(study.app.id()),
        study: &study.id,
        assignment: &id,
        item,
        rater: &study.raters[rater].user,
        scheme_version: version,
        not_ratable: None,
        at,
        body: &annotation,
    };
    store::annotation::submit(&mut tx, &new, &scheme)
        .await
        .expect("submitted");
    service::unit::refresh_item(&mut tx, &study.app, &study.id, item)
        .await
        .expect("derived");
    tx.commit().await.expect("committed");
}

#[tokio::test]
async fn a_browser_that_repeats_an_identity_takes_no_unit_from_another_item() {
    let mut study = Study::new(1).await;
    let (one, two) = (study.item("i", 0).await, study.item("j", 1).await);
    study.assign(Round::Main, &[0]).await;
    // The second tag carries the identity of a candidate that has no unit yet.
    study
        .submit(
            0,
            &one,
            misses([tag("t", "2.3", (0, 9), 4.0), tag("j.1", "2.3", (0, 3), 4.0)]),
        )
        .await;
    let mut second = judges(&two, [says(Valid, 2.0)]);
    second.nothing_missed = false;
    second.missed = vec![tag("t", "1.1", (0, 9), 1.0), tag("j.1", "1.1", (0, 3), 1.0)];
    study.submit(0, &two, second).await;
    assert_eq!(study.unit("t").await.row.item, one);
    assert_eq!(study.unit("j.1").await.row.unit_kind, UnitKind::Candidate);
    let rows = study.queue(QueueState::All).await;
    assert_eq!(
        rows.iter()
            .filter(|row| row.item == two && row.unit_kind == UnitKind::Missed)
            .count(),
        2
    );
    assert!(
        service::check::run(&study.app)
            .await
            .expect("checked")
            .is_empty()
    );
}

#[tokio::test]
async fn a_missed_tag_is_accepted_or_rejected_and_stays_stale_when_it_is_withdrawn() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 0).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(
            0,
            &item,
            misses([tag("a", "2.3", (0, 9), 4.0), tag("b", "1.1", (0, 9), 4.0)]),
        )
        .await;
    study.submit(1, &item, misses([])).await;
    let note = || "Both agreed on the telephone.".to_owned();
    let accept = NewRuling {
        validity: Some(Valid),
        severity: Some(3.5),
        note: note(),
        ..ruling_of(Outcome::Consensus)
    };
    let view = study
        .rule(&study.coordinator, "a", accept)
        .await
        .expect("ruled");
    let ruling = view.ruling.expect("a ruling");
    assert_eq!(
        (
            ruling.severity,
            ruling.category.as_str(),
            ruling.subcategory.as_str()
        ),
        (Some(3.5), "2", "2.3")
    );
    let reject = NewRuling {
        validity: Some(Invalid),
        note: note(),
        ..ruling_of(Outcome::Consensus)
    };
    let view = study
        .rule(&study.coordinator, "b", reject)
        .await
        .expect("ruled");
    assert_eq!(view.ruling.expect("a ruling").category, "");
    // Averaging needs two severities, and the other rater gave none.
    let average = study
        .rule(&study.coordinator, "a", ruling_of(Outcome::Averaged))
        .await;
    assert_eq!(
        average.expect_err("refused"),
        domain::refusal::Refusal::NothingToAverage
    );

    study
        .submit_again(0, &item, misses([tag("b", "1.1", (0, 9), 4.0)]))
        .await;
    assert_eq!(
        study.unit("a").await.row.state,
        UnitState::Stale,
        "the ruling stays readable, and its tag is gone"
    );
    assert_eq!(
        study.unit("b").await.row.state,
        UnitState::Ruled,
        "what it rests on did not change"
    );
}
