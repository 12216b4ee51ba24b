//! Answers to questions about an item: proposed and accepted in a discussion, and brought as final values.

use crate::common::{Stage, new_batch, person, refused, save};
use domain::annotation::{Annotation, Answer};
use domain::discussion::Offer;
use domain::id::{MessageId, UnitId};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::ruling::Outcome;
use domain::scheme::Validity;
use service::discussion::{self, NewMessage};
use service::export::{self, ExportFile, ExportOptions};
use service::study::SchemeSource;
use service::testing::services;
use service::unit::{Page, QueueFilter, QueueState};
use service::{Actor, batch, desk, member, study, unit};
use std::collections::BTreeMap;

const SCHEME: &str = r#"
id = "kind-and-fit"
version = 1
title = "What kind of reply is it, and how fitting?"
unit = "item"

[[items]]
id = "kind"
kind = "nominal"
name = "Kind"
question = "What does the reply do?"
levels = [{ code = "asks", name = "Asks" }, { code = "tells", name = "Tells" }, { code = "leaves", name = "Leaves" }]

[[items]]
id = "fit"
kind = "ordinal"
name = "Fit"
question = "How fitting is the reply?"
levels = [{ value = 0, name = "harmful" }, { value = 1, name = "lacking" }, { value = 2, name = "fitting" }]

[[items]]
id = "steps"
kind = "multi"
name = "Steps"
question = "Which steps does the reply take?"
asked = "optional"
levels = [{ code = "stays", name = "Stays" }, { code = "calls", name = "Calls somebody" }]
"#;

/// One reply that ada takes for asking and harmful, and ben for telling and fitting.
async fn judged() -> (Stage, [Actor; 2]) {
    let app = services().await;
    let staff = person(&app, "cora").await;
    let source = SchemeSource::Toml(SCHEME.to_owned());
    let study = study::create(&app, &Actor::operator(), "Own", source)
        .await
        .unwrap();
    member::add(&app, &Actor::operator(), &study, "cora", Role::Coordinator)
        .await
        .unwrap();
    let stage = Stage { app, study, staff };
    let line = serde_json::json!({"key": "a", "question": "I cannot go on.", "trace": "Who is with you now?"});
    let report = stage.import(&line.to_string()).await;
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let raters = [stage.rater("ada").await, stage.rater("ben").await];
    let new = new_batch(1, &[&raters[0], &raters[1]]);
    batch::create(&stage.app, &stage.staff, &stage.study, new)
        .await
        .unwrap();
    let said = [["asks", "0", "stays"], ["tells", "2", "calls"]];
    for (rater, [kind, fit, steps]) in raters.iter().zip(said) {
        let id = stage.work_of(rater).await.swap_remove(0);
        let answer = |value: &str| Answer {
            values: vec![value.to_owned()],
            rationale: String::new(),
        };
        let answers = [("kind", kind), ("fit", fit), ("steps", steps)];
        let annotation = Annotation {
            answers: BTreeMap::from(answers.map(|(q, value)| (q.to_owned(), answer(value)))),
            ..Annotation::default()
        };
        let version = stage.open(rater, &id).await.version;
        let sent = save(version, &stage.app.id(), annotation);
        desk::submit(&stage.app, rater, &id, sent).await.unwrap();
    }
    (stage, raters)
}

/// The unit of a question.
async fn unit_of(stage: &Stage, question: &str) -> UnitId {
    let filter = QueueFilter {
        state: QueueState::All,
        ..QueueFilter::default()
    };
    let queue = unit::queue(
        &stage.app,
        &stage.staff,
        &stage.study,
        &filter,
        Page::default(),
    )
    .await
    .unwrap();
    for row in queue.rows {
        let found = unit::get(&stage.app, &stage.staff, &row.unit)
            .await
            .unwrap();
        if found.tag.category == question {
            return row.unit;
        }
    }
    panic!("no unit of {question}");
}

async fn propose(
    stage: &Stage,
    by: &Actor,
    unit: &UnitId,
    offer: Offer,
) -> service::Result<MessageId> {
    let basis = unit::get(&stage.app, &stage.staff, unit).await?.basis;
    let id = stage.app.id();
    let new = NewMessage {
        id: id.clone(),
        offer: Some(offer),
        basis,
        ..NewMessage::default()
    };
    discussion::post(&stage.app, by, unit, new).await?;
    Ok(MessageId::new(id))
}

fn answers(value: &str) -> Offer {
    Offer {
        answer: vec![value.to_owned()],
        ..Offer::default()
    }
}

#[tokio::test]
async fn an_answer_can_be_proposed_and_its_acceptance_is_the_consensus() {
    let (stage, [ada, ben]) = judged().await;
    let unit = unit_of(&stage, "kind").await;
    discussion::open(&stage.app, &stage.staff, &unit, "")
        .await
        .unwrap();
    let proposal = propose(&stage, &ada, &unit, answers("leaves"))
        .await
        .unwrap();
    let thread = discussion::get(&stage.app, &ben, &unit).await.unwrap();
    assert_eq!(thread.messages[0].offer, Some(answers("leaves")));
    assert!(thread.messages[0].mine_to_accept);
    assert!(
        discussion::accept(&stage.app, &ben, &unit, &proposal)
            .await
            .unwrap()
    );
    let ruling = unit::get(&stage.app, &stage.staff, &unit)
        .await
        .unwrap()
        .ruling
        .unwrap();
    assert_eq!(
        (ruling.outcome, ruling.agreed_by_raters),
        (Outcome::Consensus, true)
    );
    let mut db = stage.app.db.read().await.unwrap();
    let latest = store::ruling::history(&mut db, &unit).await.unwrap();
    let answer = store::ruled_answer::of(&mut db, &latest[0].id)
        .await
        .unwrap();
    assert_eq!(answer, ["leaves"]);
    drop(db);
    // A settled answer is no tag that was folded into another one.
    let options = ExportOptions::default();
    let labels = export::to_file(
        &stage.app,
        &stage.staff,
        &stage.study,
        ExportFile::Labels,
        options,
    )
    .await
    .unwrap();
    let mut labels = csv::Reader::from_path(labels.path()).unwrap();
    let rows = labels.deserialize::<BTreeMap<String, String>>();
    let mut rows = rows.map(|row| row.unwrap());
    let row = rows.find(|row| row["category"] == "kind").unwrap();
    assert_eq!(
        (row["outcome"].as_str(), row["final_answer"].as_str()),
        ("consensus", "leaves")
    );
}

/// One rater saw a step, the other another one; talking it over they find that there was none.
#[tokio::test]
async fn that_nothing_applies_can_be_proposed_of_a_question_with_several_answers() {
    let (stage, [ada, ben]) = judged().await;
    let unit = unit_of(&stage, "steps").await;
    discussion::open(&stage.app, &stage.staff, &unit, "")
        .await
        .unwrap();
    let proposal = propose(&stage, &ada, &unit, Offer::default())
        .await
        .unwrap();
    let settled = discussion::accept(&stage.app, &ben, &unit, &proposal).await;
    assert!(settled.unwrap());
    let mut db = stage.app.db.read().await.unwrap();
    let latest = store::ruling::history(&mut db, &unit).await.unwrap();
    let answer = store::ruled_answer::of(&mut db, &latest[0].id)
        .await
        .unwrap();
    assert_eq!(
        (latest[0].outcome, answer),
        (Outcome::Consensus, Vec::<String>::new())
    );
}

#[tokio::test]
async fn a_proposal_offers_what_the_question_offers_and_nothing_else() {
    let (stage, [ada, _]) = judged().await;
    let (kind, fit) = (unit_of(&stage, "kind").await, unit_of(&stage, "fit").await);
    for unit in [&kind, &fit] {
        discussion::open(&stage.app, &stage.staff, unit, "")
            .await
            .unwrap();
    }
    let severity = |value| Offer {
        severity: Some(value),
        ..Offer::default()
    };
    let validity = Offer {
        validity: Some(Validity::Valid),
        ..answers("asks")
    };
    for wrong in [answers("shouts"), severity(1.0), validity] {
        let refusal = refused(propose(&stage, &ada, &kind, wrong).await);
        assert_eq!(refusal, Refusal::AnnotationInvalid);
    }
    // The scale of fit is the question's own: 0, 1 and 2.
    assert!(propose(&stage, &ada, &fit, severity(0.0)).await.is_ok());
    let off = refused(propose(&stage, &ada, &fit, severity(3.0)).await);
    assert_eq!(off, Refusal::AnnotationInvalid);
    let nothing = refused(propose(&stage, &ada, &fit, Offer::default()).await);
    assert_eq!(nothing, Refusal::RulingValueMissing);
}

#[tokio::test]
async fn final_answers_are_brought_by_item_and_question() {
    let (stage, _) = judged().await;
    let text = "item,question,final_answer,outcome\na,kind,tells,adjudicator\na,fit,1,\n";
    let report = stage.import(text).await;
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    assert_eq!(report.new.rulings, 2);
    let mut db = stage.app.db.read().await.unwrap();
    let mut found = Vec::new();
    for question in ["kind", "fit"] {
        let unit = unit_of(&stage, question).await;
        let latest = store::ruling::history(&mut db, &unit)
            .await
            .unwrap()
            .swap_remove(0);
        let answer = store::ruled_answer::of(&mut db, &latest.id).await.unwrap();
        found.push((latest.outcome, latest.severity, answer));
    }
    // 1 is the mean of 0 and 2, so both are kept.
    let one = |text: &str| vec![text.to_owned()];
    assert_eq!(
        found,
        [
            (Outcome::Adjudicator, None, one("tells")),
            (Outcome::Averaged, Some(1.0), one("1"))
        ]
    );
    drop(db);
    let again = stage.import(text).await;
    assert_eq!((again.new.rulings, again.identical), (0, 2));
    let wrong = stage
        .import("item,question,final_answer\na,kind,shouts\nb,kind,asks\n")
        .await;
    let places: Vec<_> = wrong
        .problems
        .iter()
        .map(|problem| (problem.line, problem.found.as_str()))
        .collect();
    assert_eq!(
        places,
        [(2, "a value that cannot be ruled"), (3, "question kind")]
    );
}
