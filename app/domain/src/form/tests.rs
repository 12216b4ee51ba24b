use super::*;
use crate::annotation::Answer;
use proptest::prelude::*;

const TRACE: &str = "🙂 She said “never again”.\r\nShe said nothing else.";

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn read(list: &[(&str, &str)]) -> Sent {
    parse(&pairs(list), TRACE)
}

#[test]
fn a_judged_candidate_is_read_and_an_untouched_one_is_not() {
    let sent = read(&[
        ("base_version", "7"),
        ("save_id", "s"),
        ("c1", "one"),
        ("c1.validity", "valid_other_subcategory"),
        ("c1.severity", "3.5"),
        ("c1.better", "1.2"),
        ("c1.better", "2.1"),
        ("c1.comment", "a\r\nb"),
        ("c1.discuss", "on"),
        ("c2", "two"),
        ("c2.comment", ""),
        ("intent", "submit"),
    ]);
    let judgement = Judgement {
        validity: Some(Validity::ValidOtherSubcategory),
        severity: Some(3.5),
        better: vec!["1.2".into(), "2.1".into()],
        comment: "a\nb".into(),
        discuss: true,
    };
    assert_eq!(
        sent.annotation.judgements,
        BTreeMap::from([(CandidateId::new("one"), judgement)])
    );
    assert_eq!(
        (sent.base_version, sent.save_id.as_str(), sent.intent),
        (7, "s", Intent::Submit)
    );
}

#[test]
fn a_valid_tag_sends_no_better_category() {
    let sent = read(&[
        ("c1", "one"),
        ("c1.validity", "valid"),
        ("c1.better", "1.2"),
    ]);
    assert_eq!(
        sent.annotation.judgements[&CandidateId::new("one")].better,
        Vec::<String>::new()
    );
}

#[test]
fn an_untouched_form_is_a_blank_annotation() {
    let sent = read(&[
        ("c1", "one"),
        ("m0.quote", ""),
        ("m0.code", ""),
        ("comment", ""),
        ("q:x", ""),
        ("why:x", ""),
    ]);
    assert!(sent.annotation.is_blank());
    assert_eq!(sent.notices, []);
}

/// `TRACE` by hand: 🙂 0, space 1, "She said" 2..10, “never again” 11..24, CR 25, LF 26, "She said" 27..35.
#[test]
fn typed_words_are_found_verbatim_by_occurrence_or_through_typography() {
    let tag = |quote: &str, nth: &str| {
        let sent = read(&[
            ("save_id", "s"),
            ("m0.quote", quote),
            ("m0.nth", nth),
            ("m0.code", "1"),
        ]);
        let tag = sent.annotation.missed.into_iter().next().unwrap();
        (tag.span, tag.quote)
    };
    assert_eq!(tag("She said", ""), (Some((2, 10)), "She said".into()));
    assert_eq!(tag("She said", "2"), (Some((27, 35)), "She said".into()));
    assert_eq!(
        tag("\"never  again\"", ""),
        (Some((11, 24)), "“never again”".into())
    );
    assert_eq!(tag("She said", "3"), (None, "She said".into()));
    assert_eq!(tag("absent", ""), (None, "absent".into()));
}

#[test]
fn offsets_count_only_where_the_words_really_stand() {
    let tag = |start: &str, end: &str, quote: &str| {
        let row = [
            ("m1", "id"),
            ("m1.start", start),
            ("m1.end", end),
            ("m1.quote", quote),
        ];
        read(&row).annotation.missed.remove(0)
    };
    assert_eq!(tag("27", "35", "She said").span, Some((27, 35)));
    assert_eq!(
        tag("26", "34", "She said").span,
        Some((2, 10)),
        "a stale offset is not believed"
    );
    assert_eq!(tag("9", "999", "absent").span, None);
}

#[test]
fn a_quotation_over_a_line_end_survives_the_form() {
    let words = slice(TRACE, (23, 30)).unwrap();
    assert_eq!(words, "”.\r\nShe");
    let unix = words.replace('\r', "");
    let row = [
        ("m1", "id"),
        ("m1.start", "23"),
        ("m1.end", "30"),
        ("m1.quote", unix.as_str()),
    ];
    let tag = read(&row).annotation.missed.remove(0);
    assert_eq!((tag.span, tag.quote.as_str()), (Some((23, 30)), words));
}

#[test]
fn a_new_row_takes_its_identity_from_the_save_and_an_empty_one_is_no_tag() {
    let sent = read(&[
        ("save_id", "s9"),
        ("m0.quote", "She said"),
        ("m0.code", "1"),
        ("m1", "old"),
        ("m2.quote", " "),
    ]);
    let ids: Vec<_> = sent
        .annotation
        .missed
        .iter()
        .map(|tag| tag.id.as_str())
        .collect();
    assert_eq!(ids, ["old", "s9-0"]);
}

// Fault row 68 (ufal/factgenie #186): the same tag on the same span is added once, and the person is told.
#[test]
fn the_same_tag_on_the_same_words_is_added_once() {
    let sent = read(&[
        ("m1", "a"),
        ("m1.code", "1"),
        ("m1.quote", "She said"),
        ("m1.start", "2"),
        ("m1.end", "10"),
        ("m0.code", "1"),
        ("m0.quote", "She said"),
    ]);
    assert_eq!(sent.annotation.missed.len(), 1);
    assert_eq!(sent.notices, [Notice::SameTagTwice]);
}

#[test]
fn a_missed_tag_takes_nothing_missed_back_and_removal_drops_the_named_row() {
    let row = [
        ("m1", "a"),
        ("m1.code", "1"),
        ("m2", "b"),
        ("m2.code", "2"),
        ("nothing_missed", "on"),
    ];
    let sent = read(&row);
    assert!(!sent.annotation.nothing_missed);
    assert_eq!(sent.notices, [Notice::NothingMissedDropped]);
    let removed = read(&[&row[..], &[("intent", "remove:m1")]].concat());
    assert_eq!(removed.annotation.missed.len(), 1);
    assert_eq!(removed.annotation.missed[0].id.as_str(), "b");
    assert_eq!(removed.intent, Intent::Remove);
}

#[test]
fn questions_take_one_or_several_answers_and_a_reason() {
    let sent = read(&[
        ("q:tone", "2"),
        ("why:tone", "curt"),
        ("q:themes", "a"),
        ("q:themes", "b"),
        ("missed_count", "3"),
    ]);
    assert_eq!(
        sent.annotation.answers["tone"],
        Answer {
            values: vec!["2".into()],
            rationale: "curt".into()
        }
    );
    assert_eq!(sent.annotation.answers["themes"].values, ["a", "b"]);
    assert_eq!(sent.annotation.missed_count, Some(3));
}

#[test]
fn every_button_reads_back_and_an_unknown_one_saves() {
    for intent in [
        Intent::Save,
        Intent::AddMissed,
        Intent::Remove,
        Intent::Submit,
        Intent::CannotRate,
        Intent::HandBack,
        Intent::Reopen,
        Intent::Resume,
    ] {
        assert_eq!(Intent::parse(intent.as_str()), intent);
    }
    assert_eq!(Intent::parse("explode"), Intent::Save);
}

fn annotation() -> impl Strategy<Value = Annotation> {
    let validity = prop::option::of(prop::sample::select(Validity::ALL.to_vec()));
    let severity = prop::option::of((2u8..=10).prop_map(|half| f64::from(half) / 2.0));
    let text = "[a-zé🙂 ]{0,6}";
    let judgement = (
        validity,
        severity.clone(),
        prop::collection::vec("[1-6]\\.[1-9]", 0..3),
        text,
        any::<bool>(),
    )
        .prop_map(|(validity, severity, better, comment, discuss)| {
            let better = if validity == Some(Validity::Valid) {
                Vec::new()
            } else {
                better
            };
            Judgement {
                validity,
                severity,
                better,
                comment,
                discuss,
            }
        });
    let missed =
        (0u32..40, 1u32..8, severity, text).prop_map(|(start, length, severity, comment)| {
            MissedTag {
                id: MissedTagId::new(format!("m{start}-{length}")),
                code: "1.1".into(),
                severity,
                span: Some((start, start + length)),
                quote: slice(TRACE, (start, start + length))
                    .unwrap_or_default()
                    .to_owned(),
                comment,
            }
        });
    let judgements = prop::collection::vec(judgement, 3);
    let missed = prop::collection::btree_map((0u32..40, 1u32..8), missed, 0..4);
    (judgements, missed, prop::option::of(0u32..9), text).prop_map(
        |(judgements, missed, missed_count, comment)| {
            let blank = Judgement::default();
            let judgements = judgements
                .into_iter()
                .enumerate()
                .filter(|(_, judgement)| *judgement != blank);
            let mut tags: Vec<MissedTag> = missed.into_values().collect();
            tags.dedup_by_key(|tag| tag.span);
            tags.sort_by_key(|tag| tag.span);
            tags.dedup_by_key(|tag| tag.span);
            Annotation {
                judgements: judgements
                    .map(|(at, judgement)| (CandidateId::new(at.to_string()), judgement))
                    .collect(),
                nothing_missed: tags.is_empty(),
                missed: tags,
                missed_count,
                answers: BTreeMap::new(),
                comment,
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(annotation in annotation()) {
        let candidates: Vec<_> = (0..3).map(|at| CandidateId::new(at.to_string())).collect();
        let sent = parse(&fields(&annotation, &candidates), TRACE);
        prop_assert_eq!(sent.annotation, annotation);
        prop_assert_eq!(sent.notices, []);
    }
}

#[test]
fn a_ticked_point_takes_the_box_for_none_back() {
    let values = |fields: &[(&str, &str)]| read(fields).annotation.answers["points"].values.clone();
    assert_eq!(values(&[("q:points", "2"), ("q:points", "none")]), ["2"]);
    assert_eq!(values(&[("q:points", "none")]), ["none"]);
    assert_eq!(
        values(&[("q:points", "early"), ("q:points", "none")]),
        ["early", "none"],
        "in a question of its own words none may be one of them"
    );
}

#[test]
fn what_is_said_of_a_step_that_is_no_longer_split_off_goes_with_it() {
    let of = |split: &str| {
        let sent = read(&[
            ("q:rel", "1 ENTAILS input"),
            ("q:rel", "2b REFINES 2"),
            ("q:rel", "3 SUPPORTS 2b"),
            ("q:rel", ""),
            ("q:rel:split:1", ""),
            ("q:rel:split:2", split),
        ]);
        sent.annotation.answers["rel"].values.clone()
    };
    assert_eq!(
        of("so he"),
        [
            "1 ENTAILS input",
            "2b REFINES 2",
            "3 SUPPORTS 2b",
            "split 2 so he"
        ]
    );
    assert_eq!(of(" "), ["1 ENTAILS input"]);
    let words = read(&[("q:remark", "2b or 2")]);
    assert_eq!(
        words.annotation.answers["remark"].values,
        ["2b or 2"],
        "words that look like a relation are words"
    );
}

#[test]
fn to_clear_every_relation_is_an_answer_where_there_was_one() {
    let sent = |first: &str, split: &str| {
        let sent = read(&[
            ("q:rel", first),
            ("q:rel", ""),
            ("q:rel", ""),
            ("q:rel:split:1", split),
        ]);
        let answer = sent.annotation.answers.get("rel");
        answer.map(|answer| answer.values.clone())
    };
    assert_eq!(sent("none", ""), Some(vec!["none".to_owned()]));
    assert_eq!(sent("", ""), None, "there was nothing to clear");
    assert_eq!(sent("none", "so"), Some(vec!["split 1 so".to_owned()]));
}
