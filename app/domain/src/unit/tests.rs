//! How judgements and answers differ, and what state follows.

use super::{Difference, Facts, RulingStanding, UnitState as S, compare, compare_answers};
use crate::annotation::{Answer, Judgement};
use crate::scheme::{DisagreementRule, ItemQuestion, QuestionKind, Validity};

fn says(validity: Validity, severity: f64) -> Judgement {
    Judgement {
        validity: Some(validity),
        severity: Some(severity),
        ..Judgement::default()
    }
}

#[test]
fn every_cell_of_the_unit_table() {
    let facts = |all_in, differ, in_discussion, ruling| Facts {
        all_in,
        differ,
        in_discussion,
        ruling,
    };
    for (given, state) in [
        (facts(false, false, false, None), S::Open),
        (facts(false, true, false, None), S::Open),
        (facts(true, false, false, None), S::Agreed),
        (facts(true, true, false, None), S::Disputed),
        (facts(true, true, true, None), S::InDiscussion),
        (
            facts(true, true, false, Some(RulingStanding::Current)),
            S::Ruled,
        ),
        (
            facts(true, true, false, Some(RulingStanding::Outdated)),
            S::Stale,
        ),
        (
            facts(false, true, false, Some(RulingStanding::Outdated)),
            S::Stale,
        ),
    ] {
        assert_eq!(S::from_facts(given), state, "{given:?}");
    }
    assert!(S::ALL.into_iter().all(|s| S::parse(s.as_str()) == Some(s)));
}

#[test]
fn potato_2_8_total_disagreement_is_all_queued() {
    let differs = compare(
        &[says(Validity::Valid, 4.0), says(Validity::Invalid, 4.0)],
        &DisagreementRule::default(),
    );
    assert!(differs.any() && differs.validity && !differs.severity);
}

#[test]
fn one_point_apart_is_no_disagreement_and_two_are() {
    let rule = DisagreementRule::default();
    assert!(
        !compare(
            &[says(Validity::Valid, 2.0), says(Validity::Valid, 3.0)],
            &rule
        )
        .any()
    );
    assert!(
        compare(
            &[says(Validity::Valid, 2.0), says(Validity::Valid, 4.0)],
            &rule
        )
        .severity
    );
}

#[test]
fn the_most_distant_comes_first() {
    let far = Difference {
        distance: 4.0,
        severity: true,
        ..Difference::default()
    };
    let near = Difference {
        distance: 2.0,
        severity: true,
        ..Difference::default()
    };
    let asked = Difference {
        asked: true,
        ..Difference::default()
    };
    assert!(far.weight() > near.weight() && near.weight() > asked.weight());
}

#[test]
fn a_comment_that_asks_for_it_makes_a_disagreement() {
    let asks = Judgement {
        discuss: true,
        ..says(Validity::Valid, 3.0)
    };
    assert!(
        compare(
            &[asks, says(Validity::Valid, 3.0)],
            &DisagreementRule::default()
        )
        .asked
    );
}

fn answer(values: &[&str]) -> Answer {
    Answer {
        values: values.iter().map(ToString::to_string).collect(),
        ..Answer::default()
    }
}

#[test]
fn ordinal_answers_differ_beyond_the_questions_own_distance() {
    let question = |distance_above| ItemQuestion {
        kind: QuestionKind::Ordinal,
        disputed: true,
        distance_above,
        ..ItemQuestion::default()
    };
    let (one, two) = (answer(&["1"]), answer(&["2"]));
    let both = [Some(&one), Some(&two)];
    assert!(compare_answers(&both, &question(0.0)).answer);
    let near = compare_answers(&both, &question(1.0));
    assert!(!near.answer && near.distance == 1.0);
}

#[test]
fn no_box_ticked_is_an_answer_and_no_radio_chosen_is_none() {
    let question = |kind| ItemQuestion {
        kind,
        disputed: true,
        ..ItemQuestion::default()
    };
    let some = answer(&["b", "a"]);
    let differs = |kind| compare_answers(&[Some(&some), None], &question(kind)).answer;
    assert!(differs(QuestionKind::Multi));
    assert!(!differs(QuestionKind::Nominal));
    let same = answer(&["a", "b"]);
    let multi = question(QuestionKind::Multi);
    assert!(
        !compare_answers(&[Some(&some), Some(&same)], &multi).answer,
        "the order of ticks is none"
    );
}
