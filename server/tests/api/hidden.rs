//! On an item whose tags of the judge are hidden, no address gives a byte of them before the rater has given their own.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{blindness::Stage, test_app::header};

/// What identifies the judge's tags of an item: their ids and their explanations, as they stand in JSON and in a page.
async fn of_judge(stage: &Stage) -> Vec<String> {
    let services = &stage.app.services.app;
    let mut db = services.db.read().await.unwrap();
    let all = store::candidate::of_range(&mut db, &stage.study, 0, i64::MAX).await;
    let view = service::desk::open(services, &stage.rater_a, &stage.of_a)
        .await
        .unwrap();
    let items = store::import::items(&mut db, &stage.study, &[&view.item.key]).await;
    let item = items.unwrap().into_values().next().unwrap().0;
    let own = all
        .unwrap()
        .into_iter()
        .filter(|candidate| candidate.item == item);
    let mut words = Vec::new();
    for candidate in own {
        words.push(candidate.id.to_string());
        // A run of letters and spaces is written alike everywhere.
        let plain = candidate
            .explanation
            .split(|c: char| !c.is_alphanumeric() && c != ' ');
        let longest = plain
            .max_by_key(|part| part.len())
            .unwrap()
            .trim()
            .to_owned();
        assert!(longest.len() > 12, "{longest}");
        words.push(longest);
    }
    assert!(words.len() >= 4, "an item with tags");
    words
}

fn found<'a>(words: &'a [String], text: &str) -> Vec<&'a String> {
    words.iter().filter(|word| text.contains(*word)).collect()
}

#[tokio::test]
async fn no_byte_of_the_judge_reaches_the_rater_before_their_own_tags() {
    let stage = Stage::hiding(99).await;
    let words = of_judge(&stage).await;
    for path in stage.addresses().await {
        let (_, text) = stage.fetch(&stage.a, "GET", &path, &Value::Null).await;
        assert_eq!(found(&words, &text), Vec::<&String>::new(), "{path}");
    }
    let base = format!("/api/v1/assignments/{}", stage.of_a);
    let nothing = json!({"nothing_missed": true, "comment": "mine"});
    let draft = json!({"base_version": 0, "save_id": "1", "annotation": {"comment": "mine"}});
    let wrong = json!({"base_version": 0, "save_id": "2", "annotation": nothing});
    let first = json!({"base_version": 1, "save_id": "3", "annotation": nothing});
    let mut answers = Vec::new();
    for (method, end, sent) in [
        ("PUT", "/annotation", &draft),
        ("PUT", "/annotation", &wrong),
        ("POST", "/submit", &draft),
        ("POST", "/submit", &first),
    ] {
        let (status, text) = stage
            .fetch(&stage.a, method, &format!("{base}{end}"), sent)
            .await;
        assert_eq!(
            found(&words, &text),
            Vec::<&String>::new(),
            "{method} {end}"
        );
        answers.push((status, text));
    }
    let statuses: Vec<StatusCode> = answers.iter().map(|(status, _)| *status).collect();
    assert_eq!(
        statuses,
        [
            StatusCode::OK,
            StatusCode::CONFLICT,
            StatusCode::UNPROCESSABLE_ENTITY,
            StatusCode::OK
        ]
    );
    let given: Value = serde_json::from_str(&answers[3].1).unwrap();
    assert_eq!(
        given["next"],
        json!(stage.of_a),
        "the second step is on the same item"
    );

    let (_, text) = stage.fetch(&stage.a, "GET", &base, &Value::Null).await;
    assert_eq!(
        found(&words, &text).len(),
        words.len(),
        "now they are shown"
    );
    let view: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&view["step"], &view["own"]["tags"]),
        (&json!("judge"), &json!([]))
    );
    let (_, text) = stage.fetch(&stage.b, "GET", &base, &Value::Null).await;
    assert_eq!(
        found(&words, &text),
        Vec::<&String>::new(),
        "not to somebody else"
    );
}

#[tokio::test]
async fn both_steps_work_as_plain_forms() {
    let stage = Stage::hiding(99).await;
    let words = of_judge(&stage).await;
    stage.app.sign_in("ada").await;
    let page = format!("/desk/{}", stage.of_a);
    let read = async || stage.app.get(&page).await.text().await.unwrap();
    let first = read().await;
    assert!(first.contains("On this item you judge first") && first.contains("Nothing found"));
    assert_eq!(found(&words, &first), Vec::<&String>::new());
    assert!(!first.contains("name=\"c1\"") && !first.contains("The judge proposed"));

    let post = async |fields: &[(&str, &str)]| stage.app.post(&page, &page, fields).await;
    let sent = [
        ("intent", "submit"),
        ("base_version", "0"),
        ("save_id", "one"),
        ("nothing_missed", "on"),
    ];
    let answer = post(&sent).await;
    assert_eq!(header(&answer, "location"), page, "the same item again");
    let second = read().await;
    assert_eq!(found(&words, &second).len(), words.len());
    assert!(second.contains("You found nothing to tag.") && second.contains("name=\"c1\""));
    assert!(
        !second.contains("nothing-missed"),
        "own tags can no longer be changed"
    );
}
