//! Samples and what staff do with them.

use crate::common::{Stage, complete, new_batch, person, refused};
use domain::assignment::AssignmentState;
use domain::refusal::Refusal;
use domain::study::StudyState;
use service::batch::{NewBatch, Round, Stratify};
use service::{Actor, batch, desk, study};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[tokio::test]
async fn a_plan_is_the_batch_that_its_seed_makes() {
    let stage = Stage::with(12).await;
    let (ada, bo) = (stage.rater("ada").await, stage.rater("bo").await);
    let mut new = NewBatch {
        stratify: Stratify::Condition,
        seed: None,
        ..new_batch(6, &[&ada, &bo])
    };
    let plan = batch::plan(&stage, &stage.staff, &stage.study, new.clone())
        .await
        .unwrap();
    assert_eq!(stage.rows("batches").await, 0);
    // Twelve traces over three conditions: four each, so six give two each.
    let strata: Vec<_> = plan
        .strata
        .iter()
        .map(|s| (s.value.as_str(), s.available, s.drawn))
        .collect();
    assert_eq!(
        strata,
        [
            ("alcohol dependence", 4, 2),
            ("depression", 4, 2),
            ("schizophrenia", 4, 2)
        ]
    );
    assert_eq!(plan.raters, [(ada.user.clone(), 6), (bo.user.clone(), 6)]);
    new.seed = Some(plan.seed);
    assert_eq!(
        batch::plan(&stage, &stage.staff, &stage.study, new.clone())
            .await
            .unwrap(),
        plan
    );
    let id = batch::create(&stage, &stage.staff, &stage.study, new)
        .await
        .unwrap();
    let rows = batch::list(&stage, &stage.staff, &stage.study)
        .await
        .unwrap();
    assert_eq!(
        (
            rows[0].id.clone(),
            rows[0].seed,
            rows[0].items,
            rows[0].stratify.as_str()
        ),
        (id, plan.seed, 6, "condition")
    );
    let view = study::overview(&stage, &stage.staff, &stage.study)
        .await
        .unwrap();
    assert_eq!(
        view.state,
        StudyState::Collecting,
        "the first batch begins the study"
    );
}

#[tokio::test]
async fn one_seed_gives_one_sample_and_one_order() {
    let mut seen = Vec::new();
    for seed in [3, 3, 4] {
        let stage = Stage::with(20).await;
        let (ada, bo) = (stage.rater("ada").await, stage.rater("bo").await);
        let new = NewBatch {
            seed: Some(seed),
            ..new_batch(8, &[&ada, &bo])
        };
        batch::create(&stage, &stage.staff, &stage.study, new)
            .await
            .unwrap();
        let mut orders = Vec::new();
        for rater in [&ada, &bo] {
            let mut keys = Vec::new();
            for id in stage.work_of(rater).await {
                keys.push(stage.open(rater, &id).await.item.key);
            }
            orders.push(keys);
        }
        assert_ne!(orders[0], orders[1], "each rater has an order of their own");
        assert_eq!(
            orders[0].iter().collect::<BTreeSet<_>>(),
            orders[1].iter().collect::<BTreeSet<_>>()
        );
        seen.push(orders);
    }
    assert_eq!(seen[0], seen[1]);
    assert_ne!(seen[0], seen[2]);
}

#[tokio::test]
async fn samples_do_not_overlap_and_end_when_nothing_is_left() {
    let stage = Stage::with(5).await;
    let ada = stage.rater("ada").await;
    stage.batch(3, &[&ada]).await;
    stage.batch(2, &[&ada]).await;
    assert_eq!(stage.rows("batch_items").await, 5);
    let third = batch::create(&stage, &stage.staff, &stage.study, new_batch(1, &[&ada])).await;
    assert_eq!(refused(third), Refusal::NotEnoughItems);
}

#[tokio::test]
async fn a_calibration_leaves_its_items_to_the_main_round() {
    let stage = Stage::with(2).await;
    let ada = stage.rater("ada").await;
    let calibration = NewBatch {
        round: Round::Calibration,
        ..new_batch(2, &[&ada])
    };
    batch::create(&stage, &stage.staff, &stage.study, calibration.clone())
        .await
        .unwrap();
    assert_eq!(
        refused(batch::create(&stage, &stage.staff, &stage.study, calibration).await),
        Refusal::NotEnoughItems
    );
    stage.batch(2, &[&ada]).await;
    assert_eq!(stage.rows("assignments").await, 4);
}

#[tokio::test]
async fn imported_items_count_as_assigned() {
    let stage = Stage::empty().await;
    let ada = stage.rater("ada").await;
    stage.import(r#"{"key":"r","trace":"one two","candidates":[{"key":"c","category":"1.1","evidence":"two"}],"ratings":[{"rater":"x","candidate":"c","severity":2}]}"#).await;
    let new = new_batch(1, &[&ada]);
    assert_eq!(
        refused(batch::create(&stage, &stage.staff, &stage.study, new).await),
        Refusal::NotEnoughItems
    );
}

#[tokio::test]
async fn a_batch_is_refused_when_it_asks_for_the_impossible() {
    let stage = Stage::with(3).await;
    let ada = stage.rater("ada").await;
    let stranger = person(&stage.app, "eve").await;
    let good = new_batch(1, &[&ada]);
    for (new, expected) in [
        (
            NewBatch {
                size: 0,
                ..good.clone()
            },
            Refusal::InputInvalid,
        ),
        (
            NewBatch {
                raters_per_item: 0,
                ..good.clone()
            },
            Refusal::InputInvalid,
        ),
        (
            NewBatch {
                raters_per_item: 2,
                ..good.clone()
            },
            Refusal::NotEnoughRaters,
        ),
        (
            NewBatch {
                size: 4,
                ..good.clone()
            },
            Refusal::NotEnoughItems,
        ),
        (
            NewBatch {
                raters: vec![ada.user.clone(), stranger.user],
                ..good.clone()
            },
            Refusal::InputInvalid,
        ),
        (
            NewBatch {
                name: " ".into(),
                ..good.clone()
            },
            Refusal::NameInvalid,
        ),
    ] {
        assert_eq!(
            refused(batch::create(&stage, &stage.staff, &stage.study, new).await),
            expected
        );
    }
    assert_eq!(
        refused(batch::create(&stage, &ada, &stage.study, good).await),
        Refusal::Forbidden
    );
    assert_eq!(stage.rows("batches").await, 0);
}

#[tokio::test]
async fn label_studio_795_parallel_samples_and_openings_never_share_an_item() {
    let stage = Arc::new(Stage::with(12).await);
    let mut raters = Vec::new();
    for name in ["ada", "bo", "cy", "di"] {
        raters.push(stage.rater(name).await);
    }
    let everybody: Vec<&Actor> = raters.iter().collect();
    let new = NewBatch {
        size: 3,
        raters_per_item: 2,
        ..new_batch(3, &everybody)
    };
    // Twenty asked at once, and twelve items are enough for four of them.
    let tasks: Vec<_> = (0..20)
        .map(|seed| {
            let (stage, new) = (
                stage.clone(),
                NewBatch {
                    seed: Some(seed),
                    ..new.clone()
                },
            );
            tokio::spawn(
                async move { batch::create(&stage.app, &stage.staff, &stage.study, new).await },
            )
        })
        .collect();
    let mut made = Vec::new();
    for task in tasks {
        match task.await.unwrap() {
            Ok(id) => made.push(id),
            Err(error) => assert_eq!(error.refusal(), Refusal::NotEnoughItems),
        }
    }
    assert_eq!(made.len(), 4);
    let mut claims: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for id in &made {
        for row in batch::assignments(&stage, &stage.staff, id).await.unwrap() {
            assert!(
                claims
                    .entry(row.item_key)
                    .or_default()
                    .insert(row.rater.to_string()),
                "nobody twice on one item"
            );
        }
    }
    assert_eq!(claims.len(), 12);
    assert!(
        claims.values().all(|raters| raters.len() == 2),
        "never more than two on one item"
    );
    let opened: Vec<_> = raters
        .iter()
        .cycle()
        .take(20)
        .cloned()
        .map(|rater| {
            let stage = stage.clone();
            tokio::spawn(async move {
                let work = desk::my_work(&stage.app, &rater).await.unwrap();
                let next = work.studies[0]
                    .batches
                    .iter()
                    .find_map(|batch| batch.next.clone())
                    .unwrap();
                desk::open(&stage.app, &rater, &next).await.unwrap();
                (rater.user, next)
            })
        })
        .collect();
    let mut holders = BTreeMap::new();
    for task in opened {
        let (rater, assignment) = task.await.unwrap();
        assert_eq!(
            holders.entry(assignment).or_insert_with(|| rater.clone()),
            &rater
        );
    }
    assert_eq!(
        holders.len(),
        4,
        "each of the four has one first assignment of their own"
    );
}

#[tokio::test]
async fn label_studio_6233_two_raters_see_the_whole_queue_whatever_the_other_does() {
    let stage = Stage::with(3).await;
    let (ada, bo) = (stage.rater("ada").await, stage.rater("bo").await);
    stage.batch(3, &[&ada, &bo]).await;
    for id in stage.work_of(&ada).await {
        let view = stage.open(&ada, &id).await;
        stage.submit(&ada, &id, complete(&view, 3.0, "")).await;
    }
    let work = desk::my_work(&stage, &bo).await.unwrap();
    let batch = &work.studies[0].batches[0];
    assert_eq!((batch.total, batch.done), (3, 0));
    assert_eq!(stage.work_of(&bo).await.len(), 3);
    let progress = batch::list(&stage, &stage.staff, &stage.study)
        .await
        .unwrap()
        .remove(0)
        .progress;
    assert_eq!(
        progress
            .iter()
            .map(|r| (r.done, r.total))
            .collect::<Vec<_>>(),
        [(3, 3), (0, 3)]
    );
}

#[tokio::test]
async fn staff_take_back_what_is_unstarted_and_give_it_to_somebody_else() {
    let stage = Stage::with(2).await;
    let (ada, bo) = (stage.rater("ada").await, stage.rater("bo").await);
    stage.batch(2, &[&ada]).await;
    let [first, second] = stage.work_of(&ada).await.try_into().unwrap();
    let view = stage.open(&ada, &first).await;
    desk::save(
        &stage,
        &ada,
        &first,
        crate::common::save(view.version, "s", complete(&view, 2.0, "")),
    )
    .await
    .unwrap();
    assert_eq!(
        refused(batch::take_back(&stage, &stage.staff, &first).await),
        Refusal::AlreadyStarted
    );
    assert_eq!(
        refused(batch::reassign(&stage, &stage.staff, &second, &bo.user).await),
        Refusal::AssignmentClosed
    );
    batch::take_back(&stage, &stage.staff, &second)
        .await
        .unwrap();
    assert_eq!(
        refused(desk::open(&stage, &ada, &second).await),
        Refusal::NotFound
    );
    assert_eq!(
        refused(desk::resume(&stage, &ada, &second).await),
        Refusal::NotFound
    );
    let new = batch::reassign(&stage, &stage.staff, &second, &bo.user)
        .await
        .unwrap();
    assert_eq!(
        refused(batch::reassign(&stage, &stage.staff, &second, &bo.user).await),
        Refusal::AssignmentClosed
    );
    assert_eq!(stage.work_of(&bo).await, [new]);
    let progress = batch::list(&stage, &stage.staff, &stage.study)
        .await
        .unwrap()
        .remove(0)
        .progress;
    assert_eq!(
        progress
            .iter()
            .map(|r| (r.total, r.in_progress, r.withdrawn))
            .collect::<Vec<_>>(),
        [(1, 1, 1), (1, 0, 0)]
    );
}

#[tokio::test]
async fn what_is_reassigned_goes_to_a_rater_who_does_not_have_it() {
    let stage = Stage::with(1).await;
    let (ada, bo) = (stage.rater("ada").await, stage.rater("bo").await);
    let batch = stage.batch(1, &[&ada, &bo]).await;
    let first = stage.work_of(&ada).await.remove(0);
    desk::hand_back(&stage, &ada, &first).await.unwrap();
    assert_eq!(
        refused(batch::reassign(&stage, &stage.staff, &first, &bo.user).await),
        Refusal::InputInvalid
    );
    assert_eq!(
        refused(batch::reassign(&stage, &stage.staff, &first, &stage.staff.user).await),
        Refusal::InputInvalid
    );
    desk::resume(&stage, &ada, &first).await.unwrap();
    let rows = batch::assignments(&stage, &stage.staff, &batch)
        .await
        .unwrap();
    assert!(
        rows.iter()
            .all(|row| row.state == AssignmentState::NotStarted)
    );
}
