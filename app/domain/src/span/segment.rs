//! Cutting a text at every boundary of its spans, so that overlaps and nesting can be drawn without touching the text.

use std::collections::BTreeMap;

use super::Span;

/// A stretch of text over which the set of covering tags does not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The stretch itself; all segments of a text, joined, are the text.
    pub text: &'a str,
    /// Its first code point.
    pub start: u32,
    /// Tags with a span over this stretch, ascending.
    pub covers: Vec<usize>,
    /// Tags with a span that begins where the stretch begins, ascending.
    pub starts: Vec<usize>,
    /// Tags with a span that ends where the stretch ends, ascending.
    pub ends: Vec<usize>,
}

/// What changes at one boundary.
#[derive(Default)]
struct Boundary {
    opens: Vec<usize>,
    closes: Vec<usize>,
}

/// Cuts `text` at all boundaries of `spans`, each given with the index of its tag.
///
/// The result does not depend on the order of `spans`. A span that reaches past the text is cut at its end.
pub fn segments<'a>(text: &'a str, spans: &[(usize, Span)]) -> Vec<Segment<'a>> {
    let length = text.chars().count() as u32;
    let boundaries = boundaries(length, spans);
    // How many spans of each tag are open: a tag may lie over itself.
    let mut open: BTreeMap<usize, usize> = BTreeMap::new();
    let mut found = Vec::with_capacity(boundaries.len());
    let mut rest = text;
    let mut from = 0;
    let mut starts = Vec::new();
    for (at, boundary) in boundaries {
        if at > from {
            let (piece, remaining) = split_at_code_point(rest, (at - from) as usize);
            let covers = open.keys().copied().collect();
            let ends = close(boundary.closes, &mut open);
            found.push(Segment {
                text: piece,
                start: from,
                covers,
                starts,
                ends,
            });
            (rest, from) = (remaining, at);
        }
        for &tag in &boundary.opens {
            *open.entry(tag).or_default() += 1;
        }
        starts = sorted(boundary.opens);
    }
    found
}

/// Every place to cut, with both ends of the text among them.
fn boundaries(length: u32, spans: &[(usize, Span)]) -> BTreeMap<u32, Boundary> {
    let mut boundaries = BTreeMap::from([(0, Boundary::default()), (length, Boundary::default())]);
    for &(tag, span) in spans.iter().filter(|(_, span)| span.start() < length) {
        boundaries.entry(span.start()).or_default().opens.push(tag);
        boundaries
            .entry(span.end().min(length))
            .or_default()
            .closes
            .push(tag);
    }
    boundaries
}

/// Takes the closing spans out of the open ones and names their tags once.
fn close(closes: Vec<usize>, open: &mut BTreeMap<usize, usize>) -> Vec<usize> {
    for tag in &closes {
        if let Some(depth) = open.get_mut(tag) {
            *depth -= 1;
        }
    }
    open.retain(|_, depth| *depth > 0);
    sorted(closes)
}

fn sorted(mut tags: Vec<usize>) -> Vec<usize> {
    tags.sort_unstable();
    tags.dedup();
    tags
}

fn split_at_code_point(text: &str, count: usize) -> (&str, &str) {
    text.char_indices()
        .nth(count)
        .map_or((text, ""), |(byte, _)| text.split_at(byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn span(start: u32, end: u32) -> Span {
        Span::new(start, end).unwrap()
    }

    #[test]
    fn a_text_without_spans_is_one_segment_and_no_text_is_none() {
        let whole = segments("ab", &[]);
        assert_eq!(
            whole,
            [Segment {
                text: "ab",
                start: 0,
                covers: vec![],
                starts: vec![],
                ends: vec![]
            }]
        );
        assert_eq!(segments("", &[(0, span(0, 3))]), []);
    }

    #[test]
    fn overlap_is_cut_where_either_span_begins_or_ends() {
        let cut = segments("a🙂cdef", &[(0, span(0, 3)), (1, span(1, 5))]);
        let drawn: Vec<_> = cut
            .iter()
            .map(|s| {
                (
                    s.text,
                    s.start,
                    s.covers.as_slice(),
                    s.starts.as_slice(),
                    s.ends.as_slice(),
                )
            })
            .collect();
        assert_eq!(
            drawn,
            [
                ("a", 0, &[0][..], &[0][..], &[][..]),
                ("🙂c", 1, &[0, 1], &[1], &[0]),
                ("de", 3, &[1], &[], &[1]),
                ("f", 5, &[], &[], &[]),
            ]
        );
    }

    // Fault row 48 (hypothesis/h #3278): which span was made first must not show.
    #[test]
    fn nested_spans_are_drawn_the_same_in_either_order() {
        let (outer, inner) = ((4, span(0, 6)), (2, span(2, 3)));
        assert_eq!(
            segments("abcdef", &[outer, inner]),
            segments("abcdef", &[inner, outer])
        );
    }

    // Fault row 49 (label-studio-frontend #108): every one of a stack of tags stays reachable.
    #[test]
    fn identical_spans_are_all_covered() {
        let cut = segments("abc", &[(2, span(0, 3)), (0, span(0, 3)), (1, span(0, 3))]);
        assert_eq!(cut[0].covers, [0, 1, 2]);
        assert_eq!(cut[0].starts, [0, 1, 2]);
        assert_eq!(cut[0].ends, [0, 1, 2]);
    }

    #[test]
    fn a_tag_with_touching_or_overlapping_spans_of_its_own_is_covered_once() {
        let cut = segments(
            "abcdef",
            &[(0, span(0, 2)), (0, span(2, 4)), (0, span(3, 5))],
        );
        let covers: Vec<_> = cut.iter().map(|s| (s.text, s.covers.as_slice())).collect();
        assert_eq!(
            covers,
            [
                ("ab", &[0][..]),
                ("c", &[0]),
                ("d", &[0]),
                ("e", &[0]),
                ("f", &[])
            ]
        );
    }

    fn text_and_spans() -> impl Strategy<Value = (String, Vec<(usize, Span)>)> {
        let text = prop::collection::vec(prop_oneof![any::<char>(), Just('🙂')], 0..30)
            .prop_map(|c| c.into_iter().collect());
        let spans = prop::collection::vec(
            (0..6usize, 0..40u32, 1..20u32)
                .prop_map(|(tag, start, length)| (tag, span(start, start + length))),
            0..12,
        );
        (text, spans)
    }

    proptest! {
        #[test]
        fn segments_joined_are_the_text((text, spans) in text_and_spans()) {
            let joined: String = segments(&text, &spans).iter().map(|s| s.text).collect();
            prop_assert_eq!(joined, text);
        }

        #[test]
        fn a_segment_is_covered_by_exactly_the_spans_over_it((text, spans) in text_and_spans()) {
            for segment in segments(&text, &spans) {
                let here = span(segment.start, segment.start + segment.text.chars().count() as u32);
                let over = |&&(_, s): &&(usize, Span)| s.start() <= here.start() && here.end() <= s.end();
                let partly = spans.iter().filter(|s| !over(s) && s.1.overlaps(here) && s.1.end() <= text.chars().count() as u32).count();
                prop_assert_eq!(partly, 0);
                let expected = sorted(spans.iter().filter(|(_, s)| s.overlaps(here)).map(|s| s.0).collect());
                prop_assert_eq!(segment.covers, expected);
            }
        }

        #[test]
        fn order_does_not_matter((text, spans) in text_and_spans(), seed in any::<usize>()) {
            let mut turned = spans.clone();
            turned.rotate_left(seed % spans.len().max(1));
            turned.reverse();
            prop_assert_eq!(segments(&text, &spans), segments(&text, &turned));
        }
    }
}
