//! Trajectories are divided on import; staff may join and split steps until somebody counts them.

use crate::stage::Stage;
use domain::id::ItemId;
use domain::refusal::Refusal;
use serde_json::json;
use service::item::{self, Division, ItemFilter, ItemPage};

async fn steps(stage: &Stage, id: &ItemId) -> Vec<String> {
    let found = item::get(&stage.app, &stage.staff, id).await.unwrap();
    let text = |(label, start, end): &(String, u32, u32)| {
        let words = domain::annotation::slice(&found.item.trace, (*start, *end)).unwrap();
        format!("{label}|{words}")
    };
    found.item.segments.iter().map(text).collect()
}

async fn ids(stage: &Stage) -> Vec<ItemId> {
    let (filter, page) = (ItemFilter::default(), ItemPage::default());
    let list = item::list(&stage.app, &stage.staff, &stage.study, filter, page).await;
    list.unwrap().rows.into_iter().map(|row| row.id).collect()
}

#[tokio::test]
async fn a_text_in_one_piece_is_divided_and_its_text_stays() {
    let plain = "Dr. Lee saw 2.5 points. It fell 🙂. So no.";
    let titled = "<think>\n### Evidence\nSleep. Mood.\n### End\nLow.\n</think><answer>Low</answer>";
    let records = [
        json!({"key": "plain", "trace": plain}),
        json!({"key": "titled", "trace": titled}),
        json!({"key": "given", "segments": [{"label": "a", "text": "One. Two."}, {"text": "Three."}]}),
    ];
    let stage = Stage::new("miramind-trajectory", &records).await;
    let ids = ids(&stage).await;
    assert_eq!(
        steps(&stage, &ids[0]).await,
        ["|Dr. Lee saw 2.5 points.", "|It fell 🙂.", "|So no."]
    );
    assert_eq!(
        steps(&stage, &ids[1]).await,
        ["Evidence|Sleep. Mood.", "End|Low."]
    );
    assert_eq!(
        steps(&stage, &ids[2]).await,
        ["a|One. Two.", "|Three."],
        "parts of the file are kept"
    );
    let found = item::get(&stage.app, &stage.staff, &ids[1]).await.unwrap();
    assert_eq!(found.item.trace, titled);
    stage.import(&records).await;
    assert_eq!(self::ids(&stage).await.len(), 3, "known again");
    assert!(service::check::run(&stage.app).await.unwrap().is_empty());
}

#[tokio::test]
async fn staff_join_and_split_until_somebody_has_counted() {
    let records = [
        json!({"key": "free", "trace": "He sleeps badly. He eats little, so he is low."}),
        json!({
            "key": "related", "trace": "One. Two.", "judge": {"name": "judge-a"},
            "answers": {"relations": ["2 SUPPORTS 1"]},
        }),
    ];
    let stage = Stage::new("miramind-trajectory", &records).await;
    let ids = ids(&stage).await;
    let divide = async |id: &ItemId, seen: usize, change: Division| {
        item::divide(&stage.app, &stage.staff, id, seen, &change)
            .await
            .map_err(|error| error.refusal())
    };
    let split = |step: usize, words: &str| Division::Split(step, words.to_owned());
    assert_eq!(divide(&ids[0], 2, split(2, "so he")).await, Ok(()));
    assert_eq!(
        steps(&stage, &ids[0]).await,
        ["|He sleeps badly.", "|He eats little,", "|so he is low."]
    );
    assert_eq!(
        divide(&ids[0], 2, Division::Join(2)).await,
        Err(Refusal::Conflict),
        "there are three steps by now"
    );
    assert_eq!(divide(&ids[0], 3, Division::Join(2)).await, Ok(()));
    assert_eq!(
        steps(&stage, &ids[0]).await,
        ["|He sleeps badly. He eats little,", "|so he is low."]
    );
    assert_eq!(
        divide(&ids[0], 2, split(1, "nowhere")).await,
        Err(Refusal::QuoteDiffers)
    );
    assert_eq!(divide(&ids[0], 2, Division::Anew).await, Ok(()));
    assert_eq!(
        divide(&ids[1], 2, Division::Join(2)).await,
        Err(Refusal::AlreadyStarted),
        "the judge's relations count the steps"
    );
    assert!(service::check::run(&stage.app).await.unwrap().is_empty());
}
