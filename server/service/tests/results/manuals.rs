//! The coding manual grows in versions, and a ruling turns stale only where its category came to mean something else.

use crate::fixture::{Study, judges, misses, ruling_of, says, tag};
use domain::id::UnitId;
use domain::missed::MatchRule;
use domain::refusal::Refusal;
use domain::ruling::Outcome;
use domain::scheme;
use domain::scheme::Validity::{Invalid, Valid};
use domain::unit::UnitState;
use service::batch::Round;
use service::manual::{self, Edit, Revised};
use service::ruling::{Change, NewRuling};
use service::study;

/// A unit of category 1 with a ruling on it.
async fn ruled() -> Study {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, judges(&item, [says(Valid, 1.0)]))
        .await;
    study
        .submit(1, &item, judges(&item, [says(Valid, 5.0)]))
        .await;
    let ruling = NewRuling {
        validity: Some(Valid),
        severity: Some(4.0),
        note: "Talked over.".into(),
        ..ruling_of(Outcome::Consensus)
    };
    study
        .rule(&study.coordinator, "i.1", ruling)
        .await
        .expect("ruled");
    study
}

async fn edit(study: &Study, expected: i64, edit: Edit, note: &str) -> Result<Revised, Refusal> {
    let units = [UnitId::new("i.1")];
    let done = manual::edit(
        &study.app,
        &study.coordinator,
        &study.id,
        expected,
        edit,
        note,
        &units,
    )
    .await;
    done.map_err(|error| error.refusal())
}

fn reword(code: &str) -> Edit {
    Edit::Subcategory {
        code: code.into(),
        definition: "Said more clearly.".into(),
        include: vec!["This.".into(), " ".into()],
        exclude: Vec::new(),
    }
}

#[tokio::test]
async fn a_reworded_category_makes_its_rulings_stale_and_says_so() {
    let study = ruled().await;
    assert_eq!(
        edit(&study, 1, reword("1.2"), "Raters read it in two ways.").await,
        Ok(Revised {
            version: 2,
            stale: 1
        })
    );
    let view = study.unit("i.1").await;
    assert_eq!(view.row.state, UnitState::Stale);
    assert_eq!(
        view.ruling.expect("kept").changes,
        [Change::Manual { from: 1, to: 2 }]
    );
    let versions = manual::versions(&study.app, &study.coordinator, &study.id)
        .await
        .expect("versions");
    assert_eq!(
        versions
            .iter()
            .map(|v| (v.version, v.annotations))
            .collect::<Vec<_>>(),
        [(2, 0), (1, 2)]
    );
    assert_eq!(versions[0].units, [UnitId::new("i.1")]);
    let changes = manual::changes(&study.app, &study.raters[0], &study.id, 1, 2)
        .await
        .expect("changes");
    assert!(changes.iter().all(|change| change.code == "1.2"));
    let parts: Vec<_> = changes.iter().map(|change| change.part).collect();
    assert!(parts.contains(&"definition") && parts.contains(&"include"));
    let old = manual::at(&study.app, &study.raters[0], &study.id, 1)
        .await
        .expect("the version they judged under");
    assert_ne!(
        old.subcategory("1.2").expect("there").definition,
        "Said more clearly."
    );
}

#[tokio::test]
async fn another_category_or_an_example_leaves_a_ruling_standing() {
    let study = ruled().await;
    assert_eq!(
        edit(&study, 1, reword("3.1"), "Elsewhere.")
            .await
            .map(|r| r.stale),
        Ok(0)
    );
    let example = Edit::Example {
        code: "1.1".into(),
        text: "The neighbours would be afraid.".into(),
        severity: Some(4.0),
        why: "Danger is assumed.".into(),
    };
    assert_eq!(
        edit(&study, 2, example, "From a ruled unit.")
            .await
            .map(|r| r.stale),
        Ok(0)
    );
    assert_eq!(study.unit("i.1").await.row.state, UnitState::Ruled);
}

#[tokio::test]
async fn a_version_needs_a_note_its_predecessor_and_something_new_and_takes_no_code_away() {
    let study = ruled().await;
    assert_eq!(
        edit(&study, 1, reword("1.2"), " ").await,
        Err(Refusal::ReasonNeeded)
    );
    assert_eq!(
        edit(&study, 1, reword("9.9"), "No such code.").await,
        Err(Refusal::InputInvalid)
    );
    edit(&study, 1, reword("1.2"), "Clearer.")
        .await
        .expect("made");
    assert_eq!(
        edit(&study, 1, reword("1.3"), "Overtaken.").await,
        Err(Refusal::Conflict)
    );
    assert_eq!(
        edit(&study, 2, reword("1.2"), "Again.").await,
        Err(Refusal::NothingChanged)
    );
    let text = study::scheme_text(&study.app, &study.coordinator, &study.id)
        .await
        .expect("a text");
    let (mut next, _) = scheme::parse(&text).expect("a scheme");
    let category = next
        .categories
        .iter_mut()
        .find(|category| !category.subcategories.is_empty());
    category.expect("one").subcategories.pop();
    next.codes.clear();
    let text = scheme::write(&next).expect("written");
    let revised = manual::revise(
        &study.app,
        &study.coordinator,
        &study.id,
        2,
        &text,
        "Fewer.",
        &[],
    )
    .await;
    assert_eq!(
        revised.map_err(|error| error.refusal()),
        Err(Refusal::SchemeTakesAway)
    );
}

#[tokio::test]
async fn a_stale_ruling_names_the_rater_who_says_something_else() {
    let study = ruled().await;
    let item = study.unit("i.1").await.row.item;
    study
        .submit_again(0, &item, judges(&item, [says(Invalid, 2.0)]))
        .await;
    let changes = study.unit("i.1").await.ruling.expect("kept").changes;
    let [
        Change::Judgement {
            letter,
            before: Some(before),
            after: Some(after),
        },
    ] = changes.as_slice()
    else {
        panic!("{changes:?}")
    };
    assert_eq!(letter, "A");
    assert_eq!((before.validity, before.severity), (Some(Valid), Some(1.0)));
    assert_eq!((after.validity, after.severity), (Some(Invalid), Some(2.0)));
}

#[tokio::test]
async fn the_rule_for_missed_tags_is_switchable_and_joins_overlapping_ones() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 0).await;
    study.assign(Round::Main, &[0, 1]).await;
    // "She hears" and "hears voices": one of three tokens in common.
    study
        .submit(0, &item, misses([tag("a", "2.3", (0, 9), 4.0)]))
        .await;
    study
        .submit(1, &item, misses([tag("b", "2.3", (4, 16), 4.0)]))
        .await;
    let set = async |rule| {
        manual::set_missed_match(&study.app, &study.coordinator, &study.id, rule)
            .await
            .expect("set");
        let filter = service::unit::QueueState::All;
        let mut ids: Vec<String> = Vec::new();
        for row in study.queue(filter).await {
            ids.push(row.unit.to_string());
        }
        ids.sort();
        ids
    };
    assert_eq!(set(MatchRule::Exact).await, ["a", "b"]);
    assert_eq!(set(MatchRule::TokenIou(0.5)).await, ["a", "b"]);
    assert_eq!(set(MatchRule::TokenIou(0.3)).await, ["a"]);
    assert_eq!(study.unit("a").await.tag.missed_by, ["A", "B"]);
    assert_eq!(study.unit("a").await.row.state, UnitState::Agreed);
    assert_eq!(set(MatchRule::Exact).await, ["a", "b"]);
    assert_eq!(set(MatchRule::Overlap).await, ["a"]);
}

#[tokio::test]
async fn a_missed_tag_is_folded_into_another_unit_of_its_item_only() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 0).await;
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &item, misses([tag("a", "2.3", (0, 9), 4.0)]))
        .await;
    study
        .submit(1, &item, misses([tag("b", "2.3", (4, 16), 4.0)]))
        .await;
    let into = |unit: &str| NewRuling {
        merged_into: Some(UnitId::new(unit)),
        answer: Vec::new(),
        note: "The same words, marked wider.".into(),
        ..ruling_of(Outcome::Consensus)
    };
    for wrong in ["b", "nothing"] {
        let refused = study.rule(&study.coordinator, "b", into(wrong)).await;
        assert_eq!(refused.expect_err("refused"), Refusal::InputInvalid);
    }
    let view = study
        .rule(&study.coordinator, "b", into("a"))
        .await
        .expect("folded");
    let ruling = view.ruling.expect("a ruling");
    assert_eq!(
        (
            ruling.merged_into.as_str(),
            ruling.validity,
            ruling.severity,
            ruling.category.as_str()
        ),
        ("a", None, None, "")
    );
    let back = study.rule(&study.coordinator, "a", into("b")).await;
    assert_eq!(back.expect_err("in a circle"), Refusal::InputInvalid);
}

#[tokio::test]
async fn a_ruling_may_move_the_span_within_the_trace() {
    let mut study = Study::new(2).await;
    let item = study.item("i", 1).await;
    study.assign(Round::Main, &[0, 1]).await;
    for rater in [0, 1] {
        study
            .submit(rater, &item, judges(&item, [says(Valid, 4.0)]))
            .await;
    }
    let moved = |span| NewRuling {
        span: Some(span),
        validity: Some(Valid),
        severity: Some(4.0),
        note: "Wider.".into(),
        ..ruling_of(Outcome::Consensus)
    };
    let refused = study
        .rule(&study.coordinator, "i.1", moved((50, 500)))
        .await;
    assert_eq!(refused.expect_err("past the end"), Refusal::BadSpan);
    let view = study
        .rule(&study.coordinator, "i.1", moved((4, 16)))
        .await
        .expect("moved");
    assert_eq!(
        view.ruling.expect("a ruling").span,
        Some((4, 16, "hears voices".to_owned()))
    );
    // What the judge marked stays what it was.
    assert_eq!(view.tag.spans, [(10, 16, "voices".to_owned())]);
}
