//! What an annotation must keep as a draft, and what it still lacks before a submission.

use domain::annotation::{
    Annotation, AnnotationError, Answer, Frame, Gap, Judgement, MissedTag, chosen, shortest, slice,
};
use domain::id::{CandidateId, MissedTagId};
use domain::scheme::{CategoryRef, Scheme, Validity, builtin, parse};
use proptest::prelude::*;

const TRACE: &str = "🙂 pt. “manic”\r\nline2";

fn scheme() -> Scheme {
    parse(builtin("stigma").expect("compiled in"))
        .expect("sound")
        .0
}

fn candidates() -> Vec<CandidateId> {
    vec![CandidateId::new("c1"), CandidateId::new("c2")]
}

fn frame<'a>(scheme: &'a Scheme, candidates: &'a [CandidateId]) -> Frame<'a> {
    Frame {
        scheme,
        candidates,
        trace: TRACE,
    }
}

fn judged(validity: Validity, severity: Option<f64>) -> Judgement {
    Judgement {
        validity: Some(validity),
        severity,
        ..Judgement::default()
    }
}

fn missed(id: &str, code: &str, span: Option<(u32, u32)>, quote: &str) -> MissedTag {
    MissedTag {
        id: MissedTagId::new(id),
        code: code.into(),
        severity: Some(3.0),
        span,
        quote: quote.into(),
        comment: String::new(),
    }
}

fn complete() -> Annotation {
    Annotation {
        judgements: [
            (CandidateId::new("c1"), judged(Validity::Valid, Some(4.0))),
            (CandidateId::new("c2"), judged(Validity::Invalid, None)),
        ]
        .into(),
        nothing_missed: true,
        ..Annotation::default()
    }
}

#[test]
fn a_complete_annotation_has_no_gaps_and_passes_every_check() {
    let (scheme, candidates) = (scheme(), candidates());
    let frame = frame(&scheme, &candidates);
    assert_eq!(complete().gaps(frame), []);
    assert_eq!(complete().check(frame), Ok(()));
}

#[test]
fn a_blank_annotation_lacks_each_answer_in_the_order_of_the_desk() {
    let (scheme, candidates) = (scheme(), candidates());
    let gaps = Annotation::default().gaps(frame(&scheme, &candidates));
    let c = |id: &str| CandidateId::new(id);
    assert_eq!(
        gaps,
        [
            Gap::Validity { candidate: c("c1") },
            Gap::Severity { candidate: c("c1") },
            Gap::Validity { candidate: c("c2") },
            Gap::Severity { candidate: c("c2") },
            Gap::Missed,
        ]
    );
}

#[test]
fn an_invalid_tag_needs_no_severity_and_a_valid_one_does() {
    let (scheme, candidates) = (scheme(), candidates());
    let mut annotation = complete();
    annotation.judgements.insert(
        CandidateId::new("c2"),
        judged(Validity::ValidOtherSubcategory, None),
    );
    assert_eq!(
        annotation.gaps(frame(&scheme, &candidates)),
        [Gap::Severity {
            candidate: CandidateId::new("c2")
        }]
    );
}

#[test]
fn severity_six_and_half_points_of_a_rater_are_off_the_scale() {
    let (scheme, candidates) = (scheme(), candidates());
    for severity in [6.0, 0.0, 3.5, f64::NAN] {
        let mut annotation = complete();
        annotation.judgements.insert(
            CandidateId::new("c1"),
            judged(Validity::Valid, Some(severity)),
        );
        assert_eq!(
            annotation.check(frame(&scheme, &candidates)),
            Err(AnnotationError::OffScale),
            "{severity}"
        );
    }
}

#[test]
fn label_studio_2007_a_span_is_never_empty_reversed_or_past_the_end() {
    let (scheme, candidates) = (scheme(), candidates());
    for span in [(0, 0), (5, 3), (7, 21), (20, 21)] {
        let annotation = Annotation {
            missed: vec![missed("m", "1.1", Some(span), "x")],
            ..Annotation::default()
        };
        assert_eq!(
            annotation.check(frame(&scheme, &candidates)),
            Err(AnnotationError::BadSpan),
            "{span:?}"
        );
    }
}

#[test]
fn argilla_5729_a_quote_must_be_what_the_span_holds() {
    let (scheme, candidates) = (scheme(), candidates());
    let with = |quote: &str| Annotation {
        missed: vec![missed("m", "1.1", Some((7, 12)), quote)],
        ..Annotation::default()
    };
    assert_eq!(with("manic").check(frame(&scheme, &candidates)), Ok(()));
    assert_eq!(
        with("anic”").check(frame(&scheme, &candidates)),
        Err(AnnotationError::QuoteDiffers)
    );
}

#[test]
fn factgenie_186_the_same_tag_on_the_same_span_is_refused_and_another_tag_is_not() {
    let (scheme, candidates) = (scheme(), candidates());
    let two = |code: &str| Annotation {
        missed: vec![
            missed("m1", "1.1", Some((7, 12)), "manic"),
            missed("m2", code, Some((7, 12)), "manic"),
        ],
        ..Annotation::default()
    };
    assert_eq!(
        two("1.1").check(frame(&scheme, &candidates)),
        Err(AnnotationError::SameTagTwice)
    );
    assert_eq!(two("1.2").check(frame(&scheme, &candidates)), Ok(()));
}

#[test]
fn nothing_missed_and_a_missed_tag_exclude_each_other() {
    let (scheme, candidates) = (scheme(), candidates());
    let both = Annotation {
        nothing_missed: true,
        missed: vec![missed("m", "1.1", None, "")],
        ..Annotation::default()
    };
    assert_eq!(
        both.check(frame(&scheme, &candidates)),
        Err(AnnotationError::NothingMissedContradicted)
    );
}

#[test]
fn a_missed_tag_lacks_its_span_category_and_severity() {
    let (scheme, candidates) = (scheme(), candidates());
    let bare = MissedTag {
        severity: None,
        ..missed("m", "", None, "")
    };
    let annotation = Annotation {
        nothing_missed: false,
        missed: vec![bare],
        ..complete()
    };
    let tag = MissedTagId::new("m");
    assert_eq!(
        annotation.gaps(frame(&scheme, &candidates)),
        [
            Gap::MissedSpan { tag: tag.clone() },
            Gap::MissedCategory { tag: tag.clone() },
            Gap::MissedSeverity { tag }
        ]
    );
}

#[test]
fn a_judgement_of_another_items_candidate_or_an_unknown_category_is_refused() {
    let (scheme, candidates) = (scheme(), candidates());
    let mut foreign = complete();
    foreign
        .judgements
        .insert(CandidateId::new("c9"), judged(Validity::Valid, Some(2.0)));
    assert_eq!(
        foreign.check(frame(&scheme, &candidates)),
        Err(AnnotationError::UnknownCandidate)
    );
    let mut unknown = complete();
    let judgement = Judgement {
        better: vec!["9.9".into()],
        ..judged(Validity::Invalid, None)
    };
    unknown.judgements.insert(CandidateId::new("c1"), judgement);
    assert_eq!(
        unknown.check(frame(&scheme, &candidates)),
        Err(AnnotationError::UnknownCategory)
    );
}

#[test]
fn a_comment_over_the_limit_is_refused_and_one_at_the_limit_is_not() {
    let (scheme, candidates) = (scheme(), candidates());
    let with = |length: usize| Annotation {
        comment: "ü".repeat(length),
        ..complete()
    };
    assert_eq!(with(10_000).check(frame(&scheme, &candidates)), Ok(()));
    assert_eq!(
        with(10_001).check(frame(&scheme, &candidates)),
        Err(AnnotationError::TooLong)
    );
}

#[test]
fn an_item_question_takes_only_its_levels_and_asks_why_below_the_top() {
    let text = "id = \"x\"\nversion = 1\ntitle = \"X\"\nunit = \"item\"\n[[items]]\nid = \"logic\"\nkind = \"ordinal\"\n\
                question = \"?\"\nrationale_below = 2.0\nlevels = [{value = 0, name = \"no\"}, {value = 1, name = \"some\"}, {value = 2, name = \"full\"}]\n";
    let (scheme, _) = parse(text).expect("sound");
    let frame = Frame {
        scheme: &scheme,
        candidates: &[],
        trace: TRACE,
    };
    let with = |values: &[&str], rationale: &str| {
        let answer = Answer {
            values: values.iter().map(ToString::to_string).collect(),
            rationale: rationale.into(),
        };
        Annotation {
            answers: [("logic".to_string(), answer)].into(),
            ..Annotation::default()
        }
    };
    assert_eq!(
        Annotation::default().gaps(frame),
        [Gap::Answer {
            question: "logic".into()
        }]
    );
    assert_eq!(
        with(&["1"], " ").gaps(frame),
        [Gap::Rationale {
            question: "logic".into()
        }]
    );
    assert_eq!(with(&["1"], "a step is missing").gaps(frame), []);
    assert_eq!(with(&["2"], "").gaps(frame), []);
    assert_eq!(
        with(&["3"], "").check(frame),
        Err(AnnotationError::UnknownAnswer)
    );
    assert_eq!(
        with(&["1", "2"], "").check(frame),
        Err(AnnotationError::UnknownAnswer)
    );
}

#[test]
fn the_categories_a_rater_finds_right_are_the_judges_or_the_better_ones() {
    let scheme = scheme();
    let proposed = CategoryRef {
        category: "1".into(),
        subcategory: Some("1.1".into()),
    };
    assert_eq!(
        chosen(&judged(Validity::Valid, None), &proposed, &scheme),
        std::slice::from_ref(&proposed)
    );
    let better = Judgement {
        better: vec!["1.2".into(), "4".into()],
        ..judged(Validity::ValidOtherSubcategory, None)
    };
    let codes: Vec<_> = chosen(&better, &proposed, &scheme)
        .into_iter()
        .map(|c| c.subcategory.unwrap_or(c.category))
        .collect();
    assert_eq!(codes, ["1.2", "4"]);
}

#[test]
fn numbers_are_written_shortest() {
    assert_eq!(
        [3.0, 3.5, 1.0 / 3.0].map(shortest),
        ["3", "3.5", "0.3333333333333333"]
    );
}

#[test]
fn label_studio_1347_offsets_are_code_points() {
    // Twenty code points, 27 bytes, 21 UTF-16 units; the word starts at code point 7.
    assert_eq!(TRACE.chars().count(), 20);
    assert_eq!(slice(TRACE, (7, 12)), Some("manic"));
}

proptest! {
    #[test]
    fn a_slice_holds_the_code_points_between_its_bounds(text in "\\PC{0,40}", a in 0u32..45, b in 0u32..45) {
        let chars: Vec<char> = text.chars().collect();
        let expected = (a < b && b as usize <= chars.len()).then(|| chars[a as usize..b as usize].iter().collect::<String>());
        prop_assert_eq!(slice(&text, (a, b)).map(str::to_owned), expected);
    }

    #[test]
    fn an_annotation_survives_its_document(comment in "\\PC{0,40}", severity in 1u8..=5, nothing in any::<bool>()) {
        let mut annotation = complete();
        annotation.comment = comment;
        annotation.nothing_missed = nothing;
        annotation.judgements.insert(CandidateId::new("c1"), judged(Validity::Valid, Some(f64::from(severity))));
        let text = serde_json::to_string(&annotation).expect("serialises");
        prop_assert_eq!(serde_json::from_str::<Annotation>(&text).expect("comes back"), annotation);
    }
}

/// A tag's identity comes from the client: two that are alike could not both be kept.
#[test]
fn missed_tags_are_told_apart_by_identities_of_reasonable_length() {
    let (scheme, candidates) = (scheme(), candidates());
    let check = |ids: [&str; 2]| {
        let tags = [
            missed(ids[0], "1.1", None, ""),
            missed(ids[1], "1.2", None, ""),
        ];
        let annotation = Annotation {
            missed: tags.into(),
            ..Annotation::default()
        };
        annotation.check(frame(&scheme, &candidates))
    };
    assert_eq!(check(["a", "b"]), Ok(()));
    assert_eq!(check(["a", "a"]), Err(AnnotationError::SameTagTwice));
    assert_eq!(check(["", ""]), Err(AnnotationError::SameTagTwice));
    assert_eq!(
        check(["a", &"b".repeat(101)]),
        Err(AnnotationError::TooLong)
    );
}

#[test]
fn that_no_point_is_covered_goes_with_no_point() {
    let (scheme, _) = parse(builtin("psrs-main-results").expect("compiled in")).expect("sound");
    let check = |values: &[&str]| {
        let values = values.iter().map(ToString::to_string).collect();
        let answer = Answer {
            values,
            rationale: String::new(),
        };
        let annotation = Annotation {
            answers: [("points".to_owned(), answer)].into(),
            ..Annotation::default()
        };
        annotation.check(frame(&scheme, &[]))
    };
    assert_eq!(check(&["none"]), Ok(()));
    assert_eq!(check(&["1", "3"]), Ok(()));
    assert_eq!(check(&["1", "none"]), Err(AnnotationError::UnknownAnswer));
}
