//! Evidence as judges really write it, and where it must be found.

use proptest::prelude::*;

use super::{AnchorKind::*, *};

fn quotes<'t>(text: &'t str, evidence: &str) -> (AnchorKind, Vec<&'t str>) {
    let Anchor { kind, spans } = anchor(text, evidence);
    (
        kind,
        spans
            .into_iter()
            .map(|span| span.slice(text).unwrap())
            .collect(),
    )
}

#[test]
fn verbatim_is_the_first_occurrence_and_wins_over_a_looser_one() {
    let found = anchor("Risk — risk – risk", "risk");
    assert_eq!(
        (found.kind, found.spans),
        (Verbatim, vec![Span::new(7, 11).unwrap()])
    );
    assert_eq!(
        quotes("a “b” then \"b\"", "\"b\""),
        (Verbatim, vec!["\"b\""])
    );
    assert_eq!(
        quotes("well... no", "well... no"),
        (Verbatim, vec!["well... no"])
    );
}

#[test]
fn quotation_marks_of_any_kind_are_interchangeable() {
    let text = "He says “go away” and it’s ‘fine’.";
    assert_eq!(
        quotes(text, "says 'go away' and it's \"fine\""),
        (Normalised, vec!["says “go away” and it’s ‘fine’"])
    );
}

#[test]
fn dashes_and_white_space_are_interchangeable_and_quoted_as_they_stand() {
    assert_eq!(
        quotes("not a risk\u{2014}so\u{a0}far", "risk-so far"),
        (Normalised, vec!["risk\u{2014}so\u{a0}far"])
    );
    assert_eq!(
        quotes("one\r\n  two\u{2028}three", "one two three"),
        (Normalised, vec!["one\r\n  two\u{2028}three"])
    );
    assert_eq!(
        quotes("one two", "  one\ttwo\n"),
        (Normalised, vec!["one two"])
    );
}

#[test]
fn capitals_are_folded_only_when_nothing_else_fits() {
    assert_eq!(
        quotes("the risk. “The” risk", "'The' risk"),
        (Normalised, vec!["“The” risk"])
    );
    assert_eq!(
        quotes("she is at risk", "She Is"),
        (Normalised, vec!["she is"])
    );
}

#[test]
fn marks_around_the_whole_quotation_may_be_the_judges_own() {
    assert_eq!(
        quotes("it is unsafe here", "\"is unsafe\""),
        (Normalised, vec!["is unsafe"])
    );
    assert_eq!(quotes("it is unsafe here", "''"), (Unanchored, vec![]));
}

#[test]
fn elided_quotations_become_spans_in_order() {
    let text = "She seems calm today, but with support she could manage a job.";
    let parts = vec!["She seems calm", "with support", "manage a job"];
    for evidence in [
        "She seems calm ... with support…manage a job",
        "She seems calm [...] with support (…) manage a job",
        "“She seems calm.... with support ... manage a job”",
    ] {
        assert_eq!(
            quotes(text, evidence),
            (Elided, parts.clone()),
            "{evidence}"
        );
    }
}

#[test]
fn parts_of_an_elided_quotation_may_be_normalised_too() {
    assert_eq!(
        quotes(
            "it’s “odd”, and then — it’s bad",
            "it's 'odd' ... then - it's"
        ),
        (Elided, vec!["it’s “odd”", "then — it’s"])
    );
    assert_eq!(
        quotes("it’s odd, and very bad", "It's odd ... Very bad"),
        (Elided, vec!["it’s odd", "very bad"])
    );
}

#[test]
fn an_ellipsis_at_an_end_leaves_one_span() {
    assert_eq!(
        quotes("we all know it", "...all know..."),
        (Elided, vec!["all know"])
    );
}

#[test]
fn a_later_part_is_looked_for_after_the_earlier_one() {
    assert_eq!(
        quotes("risk first, then home, then risk", "home ... risk"),
        (Elided, vec!["home", "risk"])
    );
    assert_eq!(
        anchor("risk first, then home, then risk", "home ... risk").spans[1],
        Span::new(28, 32).unwrap()
    );
    assert_eq!(
        quotes("two before one", "one ... two"),
        (Unanchored, vec![])
    );
}

#[test]
fn parts_too_short_to_mean_a_place_are_refused() {
    assert_eq!(quotes("a cat sat on it", "a ... sat"), (Unanchored, vec![]));
    assert_eq!(
        quotes("a cat sat on it", "cat ... on ... it"),
        (Unanchored, vec![])
    );
    assert_eq!(quotes("a cat sat", "..."), (Unanchored, vec![]));
    assert_eq!(quotes("a cat sat", "cat ... ... sat"), (Unanchored, vec![]));
}

#[test]
fn what_is_not_there_has_no_spans() {
    assert_eq!(
        quotes("she is fine", "she is dangerous"),
        (Unanchored, vec![])
    );
    assert_eq!(quotes("she is fine", " \n"), (Unanchored, vec![]));
    assert_eq!(quotes("", "she"), (Unanchored, vec![]));
}

#[test]
fn words_for_the_kinds_are_read_back() {
    for kind in AnchorKind::ALL {
        assert_eq!(AnchorKind::parse(kind.as_str()), Some(kind));
    }
    assert_eq!(AnchorKind::parse("Verbatim"), None);
}

proptest! {
    #[test]
    fn whatever_is_cut_out_of_a_text_is_found_verbatim(text in "[a-c “”\"…\n🙂]{1,30}", start in 0..30usize, length in 1..10usize) {
        let evidence: String = text.chars().skip(start).take(length).collect();
        prop_assume!(!evidence.trim().is_empty());
        let found = anchor(&text, &evidence);
        prop_assert_eq!(found.kind, Verbatim);
        prop_assert_eq!(found.spans[0].slice(&text), Ok(evidence.as_str()));
    }

    #[test]
    fn any_evidence_gives_spans_that_fit_in_order(text in "[a-c “”\"….\\-\u{a0}\u{ad} A🙂]{0,40}", evidence in "[a-c'….\\[\\] A🙂]{0,20}") {
        let found = anchor(&text, &evidence);
        prop_assert_eq!(found.spans.is_empty(), found.kind == Unanchored);
        prop_assert!(found.spans.iter().all(|span| span.slice(&text).is_ok()));
        prop_assert!(found.spans.windows(2).all(|pair| pair[0].start() <= pair[1].start()));
    }
}
