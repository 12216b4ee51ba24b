//! Items whose tags of the judge are hidden until the rater has given their own.

use crate::common::{Stage, complete, new_batch, refused, save};
use domain::annotation::{Annotation, Gap, MissedTag};
use domain::assignment::AssignmentState;
use domain::id::{AssignmentId, ItemId, MissedTagId};
use domain::own::Step;
use domain::refusal::Refusal;
use domain::role::Role;
use service::batch::{NewBatch, Round};
use service::desk::{DeskView, SubmitOutcome};
use service::item::{self, ItemFilter, ItemPage};
use service::validation::{self, ValidationQuery};
use service::{Actor, batch, check, desk, member};
use std::collections::BTreeSet;

async fn hiding(size: u32, percent: u32) -> (Stage, Actor, Actor) {
    let stage = Stage::with(10).await;
    let (ada, bo) = (stage.rater("ada").await, stage.rater("bo").await);
    let new = NewBatch {
        hidden_percent: percent,
        ..new_batch(size, &[&ada, &bo])
    };
    batch::create(&stage, &stage.staff, &stage.study, new)
        .await
        .unwrap();
    (stage, ada, bo)
}

/// A tag on words that stand in the trace once.
fn own(view: &DeskView, code: &str, words: &str) -> MissedTag {
    let at = view.item.trace.find(words).unwrap();
    let start = view.item.trace[..at].chars().count() as u32;
    MissedTag {
        id: MissedTagId::new(format!("{}-{code}", view.assignment)),
        code: code.to_owned(),
        severity: Some(2.0),
        span: Some((start, start + words.chars().count() as u32)),
        quote: words.to_owned(),
        comment: String::new(),
    }
}

/// What the judge calls 1.1, and something on words that the judge did not mark.
fn found(view: &DeskView) -> Annotation {
    Annotation {
        missed: vec![own(view, "1.2", "dangerous"), own(view, "4.5", "Trace")],
        comment: "at first sight".to_owned(),
        ..Annotation::default()
    }
}

/// Judges the judge's tags and says nothing else.
fn second(view: &DeskView) -> Annotation {
    Annotation {
        nothing_missed: false,
        missed_count: None,
        ..complete(view, 4.0, "second")
    }
}

async fn stored(stage: &Stage, key: &str) -> Vec<store::annotation::StoredAnnotation> {
    let mut db = stage.app.db.read().await.unwrap();
    let items = store::import::items(&mut db, &stage.study, &[key]).await;
    let item: ItemId = items.unwrap().into_values().next().unwrap().0;
    store::annotation::latest_of_item(&mut db, &item)
        .await
        .unwrap()
}

#[tokio::test]
async fn the_draw_is_recorded_and_hides_the_same_items_from_every_rater() {
    let (stage, ada, bo) = hiding(10, 40).await;
    let mut hidden = Vec::new();
    for rater in [&ada, &bo] {
        let mut keys = BTreeSet::new();
        for id in stage.work_of(rater).await {
            let view = stage.open(rater, &id).await;
            let text = serde_json::to_string(&view).unwrap();
            let of_judge = ["assumed danger", "assumed incompetence"].map(|w| text.contains(w));
            match view.step {
                Step::Own => {
                    assert_eq!((view.candidates.len(), of_judge), (0, [false, false]));
                    assert_eq!(view.gaps, [Gap::Missed]);
                    keys.insert(view.item.key);
                }
                _ => assert_eq!((view.candidates.len(), of_judge), (2, [true, true])),
            }
        }
        hidden.push(keys);
    }
    assert_eq!((hidden[0].len(), &hidden[0]), (4, &hidden[1]));
    let row = &batch::list(&stage, &stage.staff, &stage.study)
        .await
        .unwrap()[0];
    assert_eq!((row.hidden_percent, row.hidden, row.seed), (40, 4, 7));
    let rows = batch::assignments(&stage, &stage.staff, &row.id)
        .await
        .unwrap();
    let named = rows.into_iter().filter(|row| row.judge_hidden);
    let named: BTreeSet<String> = named.map(|row| row.item_key).collect();
    assert_eq!(named, hidden[0]);
}

#[tokio::test]
async fn own_tags_come_first_and_stay_as_they_are() {
    let (stage, ada, _) = hiding(2, 99).await;
    let id = stage.work_of(&ada).await.remove(0);
    let first = stage.open(&ada, &id).await;
    let gaps = stage.submit(&ada, &id, Annotation::default()).await;
    assert!(matches!(gaps, SubmitOutcome::Incomplete { ref gaps, .. } if gaps == &[Gap::Missed]));

    let sent = save(1, "own", found(&first));
    let given = desk::submit(&stage, &ada, &id, sent.clone()).await.unwrap();
    let SubmitOutcome::Submitted {
        ref next,
        submitted_at,
        ..
    } = given
    else {
        panic!("not given: {given:?}");
    };
    assert_eq!(
        next.as_ref(),
        Some(&id),
        "the second step is on the same item"
    );
    let again = desk::submit(&stage, &ada, &id, sent).await.unwrap();
    assert_eq!(again, given, "a retry is no second submission");
    let late = desk::submit(&stage, &ada, &id, save(1, "late", found(&first))).await;
    assert_eq!(refused(late), Refusal::AnnotationInvalid);
    assert_eq!(
        (
            stage.rows("own_annotations").await,
            stage.rows("annotations").await
        ),
        (1, 0)
    );

    let view = stage.open(&ada, &id).await;
    assert_eq!(
        (view.step, view.state),
        (Step::Judge, AssignmentState::InProgress)
    );
    assert_eq!((view.candidates.len(), view.gaps.len()), (2, 4));
    let kept = view.own.clone().unwrap();
    assert_eq!(
        (&kept.tags, kept.submitted_at),
        (&found(&first).missed, submitted_at)
    );
    assert_eq!(view.annotation.comment, "at first sight");
    for other in [found(&first), complete(&view, 3.0, "")] {
        let change = desk::save(&stage, &ada, &id, save(view.version, "c", other)).await;
        assert_eq!(refused(change), Refusal::AnnotationInvalid);
    }

    let outcome = stage.submit(&ada, &id, second(&view)).await;
    assert!(
        matches!(outcome, SubmitOutcome::Submitted { ref next, .. } if next.as_ref() != Some(&id))
    );
    let annotation = &stored(&stage, &view.item.key).await[0];
    let missed: Vec<&str> = annotation
        .body
        .missed
        .iter()
        .map(|tag| &*tag.code)
        .collect();
    assert_eq!(missed, ["4.5"], "the judge has the other");
    assert_eq!(
        (annotation.version, annotation.body.judgements.len()),
        (1, 2)
    );
    assert!(annotation.submitted_at >= submitted_at);

    desk::reopen(&stage, &ada, &id).await.unwrap();
    let open = stage.open(&ada, &id).await;
    assert_eq!((open.step, open.own.as_ref()), (Step::Judge, Some(&kept)));
    stage
        .submit(
            &ada,
            &id,
            Annotation {
                comment: "third".into(),
                ..second(&open)
            },
        )
        .await;
    assert_eq!(stage.open(&ada, &id).await.own, Some(kept));
    assert_eq!(check::run(&stage).await.unwrap(), []);
}

#[tokio::test]
async fn nothing_found_is_an_answer_and_a_candidate_cannot_be_judged_blind() {
    let (stage, ada, _) = hiding(2, 99).await;
    let id = stage.work_of(&ada).await.remove(0);
    let nothing = Annotation {
        nothing_missed: true,
        ..Annotation::default()
    };
    let view = stage.open(&ada, &id).await;
    let mut db = stage.app.db.read().await.unwrap();
    let all = store::candidate::of_range(&mut db, &stage.study, 0, i64::MAX).await;
    drop(db);
    let mut guessed = nothing.clone();
    guessed.judgements.insert(
        all.unwrap()[0].id.clone(),
        domain::annotation::Judgement::default(),
    );
    let blind = desk::submit(&stage, &ada, &id, save(0, "g", guessed)).await;
    assert_eq!(refused(blind), Refusal::AnnotationInvalid);
    stage.submit(&ada, &id, nothing).await;
    let shown = stage.open(&ada, &id).await;
    assert_eq!(shown.own.as_ref().map(|own| own.tags.len()), Some(0));
    stage.submit(&ada, &id, second(&shown)).await;
    let annotation = &stored(&stage, &view.item.key).await[0];
    assert!(annotation.body.nothing_missed && annotation.body.missed.is_empty());
    assert_eq!(check::run(&stage).await.unwrap(), []);
}

#[tokio::test]
async fn an_item_that_cannot_be_rated_never_shows_the_judge() {
    let (stage, ada, _) = hiding(2, 99).await;
    let id = stage.work_of(&ada).await.remove(0);
    desk::cannot_rate(&stage, &ada, &id, 0, "text_defect".into(), String::new())
        .await
        .unwrap();
    assert!(stage.open(&ada, &id).await.candidates.is_empty());
    desk::reopen(&stage, &ada, &id).await.unwrap();
    let view = stage.open(&ada, &id).await;
    assert_eq!((view.step, view.candidates.len()), (Step::Own, 0));
    stage.submit(&ada, &id, found(&view)).await;
    assert_eq!(stage.open(&ada, &id).await.candidates.len(), 2);
}

#[tokio::test]
async fn hiding_is_refused_where_it_makes_no_sense() {
    let stage = Stage::with(6).await;
    let ada = stage.rater("ada").await;
    let create = async |new| batch::create(&stage, &stage.staff, &stage.study, new).await;
    let hidden = |size, percent| NewBatch {
        hidden_percent: percent,
        ..new_batch(size, &[&ada])
    };
    let calibration = NewBatch {
        round: Round::Calibration,
        ..hidden(2, 50)
    };
    for new in [hidden(2, 100), calibration] {
        assert_eq!(refused(create(new).await), Refusal::InputInvalid);
    }
    let practice = NewBatch {
        round: Round::Calibration,
        ..new_batch(2, &[&ada])
    };
    create(practice).await.unwrap();
    // The two that ada practised on are free for a main round, but she has seen what the judge says of them.
    assert_eq!(
        refused(create(hidden(5, 50)).await),
        Refusal::NotEnoughItems
    );
    let plan = batch::plan(&stage, &stage.staff, &stage.study, hidden(4, 50)).await;
    assert_eq!(
        (
            plan.as_ref().unwrap().available,
            plan.as_ref().unwrap().hidden
        ),
        (4, 2)
    );
    create(hidden(4, 50)).await.unwrap();
}

#[tokio::test]
async fn both_arms_are_compared_once_all_is_in() {
    let (stage, ada, bo) = hiding(10, 50).await;
    let report = async || {
        let query = ValidationQuery::default();
        let report = validation::report(&stage, &stage.staff, &stage.study, &query).await;
        report.unwrap().unwrap().anchoring.clone()
    };
    assert_eq!(report().await, None, "nothing is in");
    let finish = async |rater: &Actor, id: &AssignmentId, marks: bool| {
        let view = stage.open(rater, id).await;
        if view.step == Step::Own {
            let own = if marks {
                found(&view)
            } else {
                Annotation {
                    nothing_missed: true,
                    ..Annotation::default()
                }
            };
            stage.submit(rater, id, own).await;
            let view = stage.open(rater, id).await;
            stage.submit(rater, id, second(&view)).await;
        } else {
            stage.submit(rater, id, complete(&view, 4.0, "")).await;
        }
    };
    for (rater, marks) in [(&ada, true), (&bo, false)] {
        for id in stage.work_of(rater).await {
            finish(rater, &id, marks).await;
        }
    }
    let arms = report().await.unwrap();
    assert_eq!((arms.shown, arms.hidden), (5, 5));
    let counts: Vec<_> = arms
        .rows
        .iter()
        .map(|row| (row.name, row.shown.n, row.hidden.n, row.hidden.tp))
        .collect();
    // Five items an arm, two tags each, two raters. Of the hidden tags ada marked one in two before, and bo none.
    assert_eq!(
        counts,
        [
            ("accepted", 20, 20, Some(20)),
            ("same_verdict", 10, 10, Some(10)),
            ("raters_within_one", 10, 10, Some(10)),
            ("judge_within_half", 20, 20, Some(10)),
            ("found_alone", 0, 20, Some(5)),
        ]
    );
    assert_eq!(check::run(&stage).await.unwrap(), []);
}

// Who coordinates and rates in one could have read the hidden tags on the page of the item.
#[tokio::test]
async fn staff_who_still_have_an_item_to_judge_see_of_the_judge_what_their_desk_shows() {
    let (stage, ada, _) = hiding(1, 99).await;
    member::add(&stage, &stage.staff, &stage.study, "ada", Role::Coordinator)
        .await
        .unwrap();
    let mine = stage.work_of(&ada).await.remove(0);
    let first = stage.open(&ada, &mine).await;
    let all = ItemPage::default();
    let listed = item::list(&stage, &ada, &stage.study, ItemFilter::default(), all).await;
    let mut rows = listed.unwrap().rows.into_iter();
    let id = rows.find(|row| row.key == first.item.key).unwrap().id;
    let seen = async |who| {
        let found = item::get(&stage, who, &id).await.unwrap();
        let named = found.item.facts.iter().any(|(label, _)| label == "Model");
        let severe = found.candidates.iter().any(|tag| tag.severity.is_some());
        (
            found.to_judge,
            (found.candidates.len(), found.runs.len()),
            (named, severe),
        )
    };
    let all_of_it = (false, (2, 1), (true, true));
    assert_eq!(seen(&stage.staff).await, all_of_it);
    assert_eq!(
        seen(&ada).await,
        (true, (0, 0), (false, false)),
        "before their own tags are given"
    );
    desk::submit(
        &stage,
        &ada,
        &mine,
        save(first.version, "own", found(&first)),
    )
    .await
    .unwrap();
    let (to_judge, (tags, runs), (named, _)) = seen(&ada).await;
    assert_eq!((to_judge, tags, runs, named), (true, 2, 0, false));
    let then = stage.open(&ada, &mine).await;
    stage.submit(&ada, &mine, second(&then)).await;
    assert_eq!(seen(&ada).await, all_of_it);
}
