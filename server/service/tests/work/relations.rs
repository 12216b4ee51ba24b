//! Trajectories at the desk: what the trace does not have cannot be submitted, and what the judge said is seen once only.

use crate::common::{Stage, new_batch, person, save};
use domain::annotation::{Annotation, AnnotationError, Answer, Gap};
use domain::refusal::Refusal;
use domain::role::Role;
use service::desk::{self, SubmitOutcome};
use service::study::SchemeSource;
use service::testing::services;
use service::{Actor, batch, member, study};

/// A trajectory of two steps, given to ada.
async fn given() -> (Stage, Actor) {
    let app = services().await;
    let staff = person(&app, "cora").await;
    let source = SchemeSource::Builtin("miramind-trajectory".to_owned());
    let study = study::create(&app, &Actor::operator(), "Steps", source)
        .await
        .unwrap();
    member::add(&app, &Actor::operator(), &study, "cora", Role::Coordinator)
        .await
        .unwrap();
    let stage = Stage { app, study, staff };
    let line = serde_json::json!({
        "key": "a", "trace": "He sleeps badly, so he rests. It fits.", "judge": {"name": "judge-a"},
        "answers": {"informativeness": 1},
    });
    let report = stage.import(&line.to_string()).await;
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let raters = [stage.rater("ada").await, stage.rater("ben").await];
    batch::create(
        &stage.app,
        &stage.staff,
        &stage.study,
        new_batch(1, &[&raters[0], &raters[1]]),
    )
    .await
    .unwrap();
    let [ada, _] = raters;
    (stage, ada)
}

fn says(relations: &[&str]) -> Annotation {
    let answer = |values: &[&str]| Answer {
        values: values.iter().map(ToString::to_string).collect(),
        rationale: String::new(),
    };
    let scores = [
        "terminology_parsimony",
        "step_adequacy",
        "logical_coherence",
        "informativeness",
    ];
    let scores = scores.map(|id| (id.to_owned(), answer(&["2"])));
    let relations = ("relations".to_owned(), answer(relations));
    Annotation {
        answers: scores.into_iter().chain([relations]).collect(),
        ..Annotation::default()
    }
}

#[tokio::test]
async fn steps_that_are_not_there_are_refused_and_a_slip_on_the_way_is_to_be_mended() {
    let (stage, ada) = given().await;
    let id = stage.work_of(&ada).await.swap_remove(0);
    let submit = async |annotation: Annotation| {
        let version = stage.open(&ada, &id).await.version;
        let sent = save(version, &stage.app.id(), annotation);
        desk::submit(&stage.app, &ada, &id, sent).await
    };
    let nine = submit(says(&["9 SUPPORTS 1"])).await;
    assert_eq!(
        nine.expect_err("there are two steps").refusal(),
        Refusal::from(AnnotationError::UnknownAnswer)
    );
    // Words being typed are kept as a draft; they stand in step 2, so they split nothing off step 1.
    let lost = submit(says(&["split 1 It fits", "1b REFINES 1"]))
        .await
        .unwrap();
    let SubmitOutcome::Incomplete { gaps, .. } = lost else {
        panic!("step 1 does not have the words")
    };
    let gap = Gap::Relations {
        question: "relations".to_owned(),
    };
    assert_eq!(gaps, std::slice::from_ref(&gap));
    let view = stage.open(&ada, &id).await;
    assert_eq!(view.gaps, [gap]);
    assert_eq!(view.annotation.answers["relations"].values.len(), 2);
    let mended = submit(says(&["split 1 so he rests", "1b REFINES 1"])).await;
    assert!(matches!(mended.unwrap(), SubmitOutcome::Submitted { .. }));
}

#[tokio::test]
async fn nobody_corrects_themselves_by_the_hidden_scores_of_the_judge() {
    let (stage, ada) = given().await;
    let id = stage.work_of(&ada).await.swap_remove(0);
    assert!(stage.open(&ada, &id).await.judge_answers.is_empty());
    stage.submit(&ada, &id, says(&[])).await;
    let view = stage.open(&ada, &id).await;
    assert_eq!(view.judge_answers[0].values, ["1"]);
    assert!(view.judge_seen && !view.can_reopen);
    let reopened = desk::reopen(&stage.app, &ada, &id).await;
    assert_eq!(
        reopened.expect_err("the judge was seen").refusal(),
        Refusal::JudgeSeen
    );
    desk::reopen_for(&stage.app, &stage.staff, &id, "A slip of the mouse.")
        .await
        .unwrap();
    assert!(!stage.open(&ada, &id).await.judge_seen, "hidden again");
}
