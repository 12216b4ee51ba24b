//! Blindness: with A's answers present, nothing that B is given contains a trace of them.

use crate::common::{Stage, complete};
use domain::annotation::MissedTag;
use domain::id::MissedTagId;
use service::item::{ItemFilter, ItemPage};
use service::{desk, study};

#[tokio::test]
async fn label_studio_5172_no_view_of_b_holds_a_byte_of_a() {
    const MARKER: &str = "zq-marker-7731";
    let stage = Stage::with(3).await;
    let (ada, bo) = (stage.rater("ada").await, stage.rater("bo").await);
    stage.batch(3, &[&ada, &bo]).await;
    let mut answered = Vec::new();
    for (n, id) in stage.work_of(&ada).await.into_iter().enumerate() {
        let view = stage.open(&ada, &id).await;
        let mut annotation = complete(&view, 5.0, MARKER);
        annotation.nothing_missed = false;
        annotation.missed.push(MissedTag {
            id: MissedTagId::new(format!("{MARKER}-{n}")),
            code: "4.5".into(),
            severity: Some(5.0),
            span: Some((0, 5)),
            quote: "Trace".into(),
            comment: MARKER.into(),
        });
        stage.submit(&ada, &id, annotation).await;
        answered.push(id);
    }
    let mut given = vec![
        serde_json::to_string(&desk::my_work(&stage, &bo).await.unwrap()).unwrap(),
        serde_json::to_string(&study::list(&stage, &bo).await.unwrap()).unwrap(),
    ];
    for id in stage.work_of(&bo).await {
        let view = stage.open(&bo, &id).await;
        assert!(view.annotation.is_blank());
        assert!(!answered.contains(&id));
        given.push(serde_json::to_string(&view).unwrap());
        let saved = desk::save(
            &stage,
            &bo,
            &id,
            crate::common::save(0, "b", complete(&view, 1.0, "mine")),
        )
        .await
        .unwrap();
        given.push(serde_json::to_string(&saved).unwrap());
        let outcome = stage.submit(&bo, &id, complete(&view, 1.0, "mine")).await;
        given.push(serde_json::to_string(&outcome).unwrap());
        given.push(serde_json::to_string(&stage.open(&bo, &id).await).unwrap());
    }
    for text in &given {
        assert!(
            !text.contains(MARKER) && !text.contains(ada.user.as_str()) && !text.contains("Dr ada")
        );
    }
    let own = serde_json::to_string(&stage.open(&ada, &answered[0]).await).unwrap();
    assert!(
        own.contains(MARKER),
        "the marker would be found where it is"
    );
}

#[tokio::test]
async fn staff_see_states_and_counts_and_no_judgement() {
    const MARKER: &str = "zq-marker-7732";
    let stage = Stage::with(1).await;
    let (ada, bo) = (stage.rater("ada").await, stage.rater("bo").await);
    let batch = stage.batch(1, &[&ada, &bo]).await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    stage.submit(&ada, &id, complete(&view, 5.0, MARKER)).await;
    let filter = ItemFilter::default();
    let item = service::item::list(
        &stage,
        &stage.staff,
        &stage.study,
        filter,
        ItemPage::default(),
    )
    .await
    .unwrap();
    let given = [
        serde_json::to_string(
            &service::batch::list(&stage, &stage.staff, &stage.study)
                .await
                .unwrap(),
        )
        .unwrap(),
        serde_json::to_string(
            &service::batch::assignments(&stage, &stage.staff, &batch)
                .await
                .unwrap(),
        )
        .unwrap(),
        serde_json::to_string(
            &service::item::get(&stage, &stage.staff, &item.rows[0].id)
                .await
                .unwrap(),
        )
        .unwrap(),
        serde_json::to_string(&item).unwrap(),
        serde_json::to_string(
            &study::overview(&stage, &stage.staff, &stage.study)
                .await
                .unwrap(),
        )
        .unwrap(),
    ];
    assert!(given.iter().all(|text| !text.contains(MARKER)));
}
