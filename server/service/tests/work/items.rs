//! Items as staff look them over.

use crate::common::{Stage, complete, refused};
use domain::refusal::Refusal;
use service::item::{self, ItemFilter, ItemPage};

#[tokio::test]
async fn items_come_in_pages_in_the_order_of_import() {
    let stage = Stage::with(7).await;
    let mut keys = Vec::new();
    let mut page = ItemPage { after: 0, limit: 3 };
    loop {
        let found = item::list(
            &stage,
            &stage.staff,
            &stage.study,
            ItemFilter::default(),
            page,
        )
        .await
        .unwrap();
        assert_eq!(found.total, 7);
        keys.extend(found.rows.into_iter().map(|row| row.key));
        let Some(next) = found.next else { break };
        page.after = next;
    }
    assert_eq!(keys, ["t1", "t2", "t3", "t4", "t5", "t6", "t7"]);
}

#[tokio::test]
async fn filters_narrow_by_key_condition_and_model() {
    let stage = Stage::with(12).await;
    let count = async |key: &str, condition: &str, model: &str| {
        let filter = ItemFilter {
            key: key.into(),
            condition: condition.into(),
            model: model.into(),
        };
        item::list(
            &stage,
            &stage.staff,
            &stage.study,
            filter,
            ItemPage::default(),
        )
        .await
        .unwrap()
        .total
    };
    assert_eq!(count("t1", "", "").await, 4, "t1, t10, t11, t12");
    assert_eq!(
        count("_", "", "").await,
        0,
        "an underscore is an underscore"
    );
    assert_eq!(count("", "depression", "").await, 4);
    assert_eq!(
        count("", "depression", "tarn-large").await,
        2,
        "4 and 10 are even and leave 1 on division by 3"
    );
}

#[tokio::test]
async fn a_row_counts_candidates_and_answers() {
    let stage = Stage::with(1).await;
    let (ada, bo) = (stage.rater("ada").await, stage.rater("bo").await);
    stage.batch(1, &[&ada, &bo]).await;
    let id = stage.work_of(&ada).await.remove(0);
    let view = stage.open(&ada, &id).await;
    stage.submit(&ada, &id, complete(&view, 5.0, "")).await;
    let found = item::list(
        &stage,
        &stage.staff,
        &stage.study,
        ItemFilter::default(),
        ItemPage::default(),
    )
    .await
    .unwrap();
    let row = &found.rows[0];
    assert_eq!(
        (
            row.candidates,
            row.unanchored,
            row.judge_failed,
            row.assigned,
            row.done
        ),
        (2, 0, false, 2, 1)
    );
    let one = item::get(&stage, &stage.staff, &row.id).await.unwrap();
    assert_eq!(
        (one.candidates.len(), one.runs.len(), one.runs[0].judged),
        (2, 1, true)
    );
    assert!(
        one.item.facts.iter().any(|(label, _)| label == "Model"),
        "nothing is hidden from staff"
    );
    assert_eq!(
        refused(item::get(&stage, &ada, &row.id).await),
        Refusal::Forbidden
    );
    let listed = item::list(
        &stage,
        &ada,
        &stage.study,
        ItemFilter::default(),
        ItemPage::default(),
    )
    .await;
    assert_eq!(refused(listed), Refusal::Forbidden);
}
