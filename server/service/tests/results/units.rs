//! Units follow from the annotations that count, and show nothing before every one of them is in.

use crate::fixture::{Study, judges, says};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::scheme::Validity::{Invalid, Valid};
use domain::unit::UnitState;
use service::batch::Round;
use service::unit::{Page, QueueFilter, QueueState};
use service::{desk, unit};

#[tokio::test]
async fn nothing_of_a_judgement_is_stored_with_a_unit_before_both_are_in() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [says(Invalid, 5.0)]))
        .await;
    let rows = study.queue(QueueState::All).await;
    assert_eq!((rows.len(), rows[0].state), (1, UnitState::Open));
    assert!(rows[0].values.is_empty() && rows[0].kinds.is_empty() && rows[0].distance == 0.0);
    let view = study.unit("i.1").await;
    assert!(!view.all_in && view.raters.is_empty());

    study
        .submit(1, &item, judges(&item, [says(Valid, 2.0)]))
        .await;
    let view = study.unit("i.1").await;
    assert_eq!(view.row.state, UnitState::Disputed);
    let seen: Vec<_> = view
        .row
        .values
        .iter()
        .map(|v| (v.letter.as_str(), v.validity, v.severity))
        .collect();
    assert_eq!(
        seen,
        [
            ("A", Some(Invalid), Some(5.0)),
            ("B", Some(Valid), Some(2.0))
        ]
    );
    assert_eq!(view.row.kinds, ["severity", "validity"]);
    assert_eq!((view.row.distance, view.raters.len()), (3.0, 2));
}

#[tokio::test]
async fn potato_2_8_total_disagreement_is_all_queued_and_the_most_distant_first() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 5).await;
    study.assign(Round::Main, &[0, 1]).await;
    let a = [
        says(Valid, 2.0),
        says(Valid, 1.0),
        says(Valid, 3.0),
        says(Valid, 4.0),
        says(Valid, 2.0),
    ];
    let b = [
        says(Invalid, 2.0),
        says(Invalid, 5.0),
        says(Invalid, 2.0),
        says(Invalid, 2.0),
        says(Valid, 3.0),
    ];
    study.submit(0, &item, judges(&item, a)).await;
    study.submit(1, &item, judges(&item, b)).await;
    let rows = study.queue(QueueState::Work).await;
    // The fifth is one apart and valid for both, so it agrees under the scheme's rule.
    let order: Vec<_> = rows
        .iter()
        .map(|row| (row.unit.as_str(), row.distance))
        .collect();
    assert_eq!(
        order,
        [("i.2", 4.0), ("i.4", 2.0), ("i.3", 1.0), ("i.1", 0.0)]
    );
    assert_eq!(study.unit("i.5").await.row.state, UnitState::Agreed);
    // Neighbours walk the same order.
    let middle = study.unit("i.4").await;
    assert_eq!(
        middle.previous.map(|u| u.to_string()).as_deref(),
        Some("i.2")
    );
    assert_eq!(middle.next.map(|u| u.to_string()).as_deref(), Some("i.3"));
    assert_eq!(study.unit("i.2").await.previous, None);
    assert_eq!(study.unit("i.1").await.next, None);
}

#[tokio::test]
async fn filters_narrow_the_queue_and_counts_do_not_depend_on_the_state_shown() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 3).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(
            0,
            &item,
            judges(
                &item,
                [says(Valid, 1.0), says(Valid, 3.0), says(Valid, 3.0)],
            ),
        )
        .await;
    study
        .submit(
            1,
            &item,
            judges(
                &item,
                [says(Valid, 5.0), says(Invalid, 3.0), says(Valid, 3.0)],
            ),
        )
        .await;
    let find = async |filter: QueueFilter| {
        let page = Page { number: 1, size: 1 };
        unit::queue(&study.app, &study.coordinator, &study.id, &filter, page)
            .await
            .expect("a queue")
    };
    let validity = find(QueueFilter {
        kind: "validity".into(),
        ..QueueFilter::default()
    })
    .await;
    assert_eq!((validity.total, validity.rows[0].unit.as_str()), (1, "i.2"));
    let work = find(QueueFilter::default()).await;
    assert_eq!((work.total, work.rows.len()), (2, 1));
    assert_eq!(
        work.states,
        [(UnitState::Agreed, 1), (UnitState::Disputed, 2)]
    );
    let agreed = find(QueueFilter {
        state: QueueState::Agreed,
        ..QueueFilter::default()
    })
    .await;
    assert_eq!((agreed.total, agreed.states), (1, work.states));
    for none in [
        QueueFilter {
            category: "2".into(),
            ..QueueFilter::default()
        },
        QueueFilter {
            condition: "depression".into(),
            ..QueueFilter::default()
        },
        QueueFilter {
            model: "model-2".into(),
            ..QueueFilter::default()
        },
        QueueFilter {
            unit_kind: "missed".into(),
            ..QueueFilter::default()
        },
        QueueFilter {
            batch: "other".into(),
            ..QueueFilter::default()
        },
    ] {
        assert_eq!(find(none.clone()).await.total, 0, "{none:?}");
    }
}

#[tokio::test]
async fn calibration_never_makes_a_unit() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Calibration, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [says(Valid, 1.0)]))
        .await;
    study
        .submit(1, &item, judges(&item, [says(Invalid, 5.0)]))
        .await;
    assert!(study.queue(QueueState::All).await.is_empty());
}

#[tokio::test]
async fn inception_3809_an_item_that_cannot_be_rated_reaches_staff() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(1, &item, judges(&item, [says(Valid, 3.0)]))
        .await;
    let assignment = study.assignment(0, &item).await;
    let version = desk::open(&study.app, &study.raters[0], &assignment)
        .await
        .expect("open")
        .version;
    desk::cannot_rate(
        &study.app,
        &study.raters[0],
        &assignment,
        version,
        "truncated".into(),
        "It breaks off.".into(),
    )
    .await
    .expect("reported");
    let rows = study.queue(QueueState::Work).await;
    assert_eq!(
        (rows.len(), rows[0].kinds.clone()),
        (1, vec!["asked".to_owned()])
    );
    assert!(rows[0].values[0].not_ratable && rows[0].values[0].severity.is_none());
    let view = study.unit("i.1").await;
    assert_eq!(
        (
            view.raters[0].not_ratable_reason.as_str(),
            view.raters[0].item_comment.as_str()
        ),
        ("truncated", "It breaks off.")
    );
}

#[tokio::test]
async fn whoever_hands_back_is_not_waited_for() {
    let mut study = Study::new(3).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1, 2]).await;
    study
        .submit(0, &item, judges(&item, [says(Valid, 3.0)]))
        .await;
    study
        .submit(1, &item, judges(&item, [says(Valid, 3.0)]))
        .await;
    assert_eq!(study.unit("i.1").await.row.state, UnitState::Open);
    let assignment = study.assignment(2, &item).await;
    desk::hand_back(&study.app, &study.raters[2], &assignment)
        .await
        .expect("handed back");
    assert_eq!(study.unit("i.1").await.row.state, UnitState::Agreed);
}

#[tokio::test]
async fn raters_and_readers_see_no_unit() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [says(Valid, 3.0)]))
        .await;
    study
        .submit(1, &item, judges(&item, [says(Valid, 5.0)]))
        .await;
    let reader = study.member("reader", Role::Reader).await;
    for actor in [&study.raters[0], &reader] {
        let queue = unit::queue(
            &study.app,
            actor,
            &study.id,
            &QueueFilter::default(),
            Page::default(),
        )
        .await;
        assert_eq!(queue.expect_err("refused").refusal(), Refusal::Forbidden);
        let one = unit::get(&study.app, actor, &study.unit("i.1").await.row.unit).await;
        assert_eq!(one.expect_err("refused").refusal(), Refusal::Forbidden);
    }
    let adjudicator = study.member("adjudicator", Role::Adjudicator).await;
    assert!(
        unit::queue(
            &study.app,
            &adjudicator,
            &study.id,
            &QueueFilter::default(),
            Page::default()
        )
        .await
        .is_ok()
    );
}
