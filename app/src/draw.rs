//! Draws a trace with its spans as HTML. The server and the judging desk call the same function, so a tag
//! added in the browser is drawn exactly as it will be drawn by the server.

use domain::span::{Segment, Span, segments};
use std::fmt::Write;

use crate::html::escape;

/// Whose mark it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkKind {
    /// Proposed by the judge.
    #[default]
    Candidate,
    /// Added by the rater.
    Missed,
}

/// One span of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The number of the tag as its card shows it; no white space.
    pub label: String,
    /// Where.
    pub span: Span,
    /// Whose.
    pub kind: MarkKind,
    /// Whether it belongs to the tag being looked at.
    pub now: bool,
}

/// A named stretch of the trace, for example its scratchpad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub label: String,
    /// Where.
    pub span: Span,
}

/// The content of a trace element. Its text is `text`, character for character: numbers and part names are
/// attributes that the style sheet draws.
pub fn trace_html(text: &str, marks: &[Mark], parts: &[Part]) -> String {
    let first_part = marks.len();
    let spans: Vec<(usize, Span)> = marks
        .iter()
        .map(|mark| mark.span)
        .chain(parts.iter().map(|part| part.span))
        .enumerate()
        .collect();
    let mut html = String::with_capacity(text.len() + 96 * marks.len());
    for segment in segments(text, &spans) {
        let outside = segment.covers.iter().all(|&index| index < first_part);
        // Parts stand apart by themselves: the blank lines between them are kept in the text and not shown.
        let gap = outside && !parts.is_empty() && segment.text.trim().is_empty();
        for &part in segment.starts.iter().filter(|&&index| index >= first_part) {
            html.push_str("<div class=\"part\" data-label=\"");
            escape(&parts[part - first_part].label, &mut html);
            html.push_str("\">");
        }
        stretch(&segment, marks, gap, &mut html);
        for _ in segment.ends.iter().filter(|&&index| index >= first_part) {
            html.push_str("</div>");
        }
    }
    html
}

/// One stretch over which the set of tags does not change.
fn stretch(segment: &Segment<'_>, marks: &[Mark], gap: bool, html: &mut String) {
    let of = |indices: &[usize]| -> Vec<usize> {
        indices
            .iter()
            .copied()
            .filter(|&index| index < marks.len())
            .collect()
    };
    let (covers, ends) = (of(&segment.covers), of(&segment.ends));
    let start = segment.start;
    let gap = if gap { " data-gap" } else { "" };
    if covers.is_empty() {
        let _ = write!(html, "<span data-start=\"{start}\"{gap}>");
        escape(segment.text, html);
        html.push_str("</span>");
        return;
    }
    let _ = write!(html, "<mark data-start=\"{start}\"{gap} data-tags=\"");
    escape(&labels(&covers, marks), html);
    html.push('"');
    if !ends.is_empty() {
        html.push_str(" data-ends=\"");
        escape(&labels(&ends, marks), html);
        html.push('"');
    }
    if covers.len() > 1 {
        let _ = write!(html, " data-depth=\"{}\"", covers.len());
    }
    let mine = covers
        .iter()
        .all(|&index| marks[index].kind == MarkKind::Missed);
    let now = covers.iter().any(|&index| marks[index].now);
    match (mine, now) {
        (true, true) => html.push_str(" class=\"mine now\""),
        (true, false) => html.push_str(" class=\"mine\""),
        (false, true) => html.push_str(" class=\"now\""),
        (false, false) => {}
    }
    html.push('>');
    escape(segment.text, html);
    html.push_str("</mark>");
}

/// The labels of some marks, each once.
fn labels(indices: &[usize], marks: &[Mark]) -> String {
    let mut labels: Vec<&str> = Vec::with_capacity(indices.len());
    for &index in indices {
        let label = marks[index].label.as_str();
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(label: &str, start: u32, end: u32, kind: MarkKind, now: bool) -> Mark {
        Mark {
            label: label.into(),
            span: Span::new(start, end).unwrap(),
            kind,
            now,
        }
    }

    /// What a browser's `textContent` of the HTML is.
    fn text_of(html: &str) -> String {
        let mut text = String::new();
        let mut inside = false;
        for character in html.chars() {
            match character {
                '<' => inside = true,
                '>' => inside = false,
                other if !inside => text.push(other),
                _ => {}
            }
        }
        text.replace("&#13;", "\r")
            .replace("&quot;", "\"")
            .replace("&gt;", ">")
            .replace("&lt;", "<")
            .replace("&amp;", "&")
    }

    #[test]
    fn overlapping_tags_share_a_stretch_and_each_number_stands_where_its_span_ends() {
        let marks = [
            mark("1", 2, 6, MarkKind::Candidate, true),
            mark("2", 4, 8, MarkKind::Candidate, false),
        ];
        assert_eq!(
            trace_html("abcdefghij", &marks, &[]),
            "<span data-start=\"0\">ab</span>\
             <mark data-start=\"2\" data-tags=\"1\" class=\"now\">cd</mark>\
             <mark data-start=\"4\" data-tags=\"1 2\" data-ends=\"1\" data-depth=\"2\" class=\"now\">ef</mark>\
             <mark data-start=\"6\" data-tags=\"2\" data-ends=\"2\">gh</mark>\
             <span data-start=\"8\">ij</span>"
        );
    }

    // Fault row 42 (label-studio #4843): markup in a trace is text, and offsets are of the stored string.
    #[test]
    fn markup_and_line_ends_stay_text() {
        let text = "🙂 <b>x</b> &amp;\r\n<script>\"q\"</script>";
        let marks = [
            mark("1", 2, 9, MarkKind::Candidate, false),
            mark("+1", 4, 20, MarkKind::Missed, false),
        ];
        let parts = [Part {
            label: "a\"b".into(),
            span: Span::new(0, 17).unwrap(),
        }];
        let html = trace_html(text, &marks, &parts);
        assert_eq!(text_of(&html), text);
        assert!(!html.contains("<b>") && !html.contains("<script>"));
        assert!(html.starts_with("<div class=\"part\" data-label=\"a&quot;b\">"));
        assert_eq!(html.matches("<div").count(), html.matches("</div>").count());
    }

    #[test]
    fn blank_lines_between_parts_stay_in_the_text_and_words_there_stay_in_view() {
        let part = |label: &str, start, end| Part {
            label: label.into(),
            span: Span::new(start, end).unwrap(),
        };
        let parts = [part("a", 0, 3), part("b", 5, 8), part("c", 11, 14)];
        let text = "one\n\ntwo - ten";
        let html = trace_html(text, &[], &parts);
        assert_eq!(text_of(&html), text);
        assert!(html.contains("</div><span data-start=\"3\" data-gap>\n\n</span><div"));
        assert_eq!(html.matches("data-gap").count(), 1);
        assert!(html.contains("<span data-start=\"8\"> - </span>"));
        assert!(!trace_html("\n\n", &[], &[]).contains("data-gap"));
    }

    #[test]
    fn a_stretch_is_the_raters_own_only_when_no_candidate_lies_over_it() {
        let marks = [
            mark("1", 0, 2, MarkKind::Candidate, false),
            mark("+1", 0, 4, MarkKind::Missed, false),
        ];
        let html = trace_html("abcd", &marks, &[]);
        assert_eq!(html.matches("class=\"mine\"").count(), 1);
        assert!(html.contains("data-tags=\"+1\" data-ends=\"+1\" class=\"mine\">cd<"));
    }
}
