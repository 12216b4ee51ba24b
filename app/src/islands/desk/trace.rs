//! The trace: drawn again when tags change, a way to its cards, and the place where missed tags are selected.

use domain::{annotation::Annotation, span::Span};
use leptos::prelude::{document, window};
use std::{ops::Range, rc::Rc};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, Node};

use super::{
    cards::tags,
    controller::{Desk, say},
    dom::{by_id, closest, find_all},
    panels::open_adder,
    words::{Caret, selected, words},
};
use crate::draw::{Mark, MarkKind, Part, trace_html};

impl Desk {
    /// Draws the trace again if its tags changed; the text stays what it is.
    pub fn draw(&self, document: &Annotation) {
        let mut marks = self.candidate_marks();
        for (at, tag) in document.missed.iter().enumerate() {
            if let Some(span) = tag.span.and_then(|(start, end)| Span::new(start, end).ok()) {
                marks.push(Mark {
                    label: format!("+{}", at + 1),
                    span,
                    kind: MarkKind::Missed,
                    now: false,
                });
            }
        }
        let html = trace_html(&self.text, &marks, &self.parts());
        if self.state.borrow().drawn == html {
            return;
        }
        self.trace.set_inner_html(&html);
        self.state.borrow_mut().drawn = html;
        self.light();
    }

    /// The spans of the candidates, as their cards carry them.
    fn candidate_marks(&self) -> Vec<Mark> {
        let mut marks = Vec::new();
        for card in find_all(&self.form, ".judge") {
            let label = card.get_attribute("data-label").unwrap_or_default();
            for bounds in card
                .get_attribute("data-spans")
                .unwrap_or_default()
                .split_whitespace()
            {
                let span = bounds.split_once('-').and_then(|(start, end)| {
                    Span::new(start.parse().ok()?, end.parse().ok()?).ok()
                });
                marks.extend(span.map(|span| Mark {
                    label: label.clone(),
                    span,
                    kind: MarkKind::Candidate,
                    now: false,
                }));
            }
        }
        marks
    }

    /// The named stretches, as they stand in the page.
    fn parts(&self) -> Vec<Part> {
        let part = |element: &web_sys::HtmlElement| {
            let start: u32 = element
                .query_selector("[data-start]")
                .ok()??
                .get_attribute("data-start")?
                .parse()
                .ok()?;
            let length = element.text_content()?.chars().count() as u32;
            let span = Span::new(start, start + length).ok()?;
            Some(Part {
                label: element.get_attribute("data-label")?,
                span,
            })
        };
        find_all(&self.trace, ".part")
            .iter()
            .filter_map(part)
            .collect()
    }

    /// The selected words, cut to the trace: a drag may begin or end outside it, and run backwards.
    fn selection(&self) -> Option<Range<u32>> {
        let selection = window().get_selection().ok()??;
        if selection.is_collapsed() || selection.range_count() == 0 {
            return None;
        }
        let begun = selection.anchor_node()?;
        if !self.trace.contains(Some(&begun)) {
            return None;
        }
        let range = selection.get_range_at(0).ok()?;
        let whole = document().create_range().ok()?;
        whole.select_node_contents(&self.trace).ok()?;
        let after_start = range
            .compare_boundary_points(web_sys::Range::START_TO_START, &whole)
            .ok()?
            >= 0;
        let before_end = range
            .compare_boundary_points(web_sys::Range::END_TO_END, &whole)
            .ok()?
            <= 0;
        let end_of_text = self.text.encode_utf16().count() as u32;
        let start = if after_start {
            self.offset(&range.start_container().ok()?, range.start_offset().ok()?)?
        } else {
            0
        };
        let end = if before_end {
            self.offset(&range.end_container().ok()?, range.end_offset().ok()?)?
        } else {
            end_of_text
        };
        (start < end).then_some(start..end)
    }

    /// How many UTF-16 units of the trace stand before a place in the page.
    fn offset(&self, node: &Node, offset: u32) -> Option<u32> {
        let before = document().create_range().ok()?;
        before.set_start(&self.trace, 0).ok()?;
        before.set_end(node, offset).ok()?;
        Some(String::from(before.to_string()).encode_utf16().count() as u32)
    }

    /// The span of the selected words.
    pub fn selected_span(&self) -> Option<Span> {
        selected(&self.text, self.selection()?)
    }

    /// Offers to add a tag on the selected words, beside them.
    pub fn offer(self: &Rc<Self>) {
        if !self.rules.missed.asked {
            return;
        }
        let Some(span) = self.selected_span() else {
            if let Some(trace) = by_id("trace") {
                let _ = trace.focus();
            }
            say("Select the words: arrow keys move by words, Shift extends, Enter adds.");
            return;
        };
        self.state.borrow_mut().adding = Some((span.start(), span.end()));
        let selection = window().get_selection().ok().flatten();
        let range = selection.and_then(|selection| selection.get_range_at(0).ok());
        let place = range.map(|range| range.get_bounding_client_rect());
        open_adder(span.slice(&self.text).unwrap_or_default(), place);
    }

    /// A click on words leads to their card, or asks which one.
    pub fn clicked(self: &Rc<Self>, element: &Element) {
        let empty = window()
            .get_selection()
            .ok()
            .flatten()
            .is_none_or(|selection| selection.is_collapsed());
        if let Some(stretch) = closest(element, "mark").filter(|_| empty) {
            self.lead_from(&stretch);
        }
    }

    fn lead_from(self: &Rc<Self>, stretch: &Element) {
        match tags(stretch).as_slice() {
            [] => {}
            [one] => self.go(one),
            several => self.choose_tag(several, &stretch.get_bounding_client_rect()),
        }
    }

    /// The keyboard in the trace; true when the key was used.
    pub fn walk(self: &Rc<Self>, event: &KeyboardEvent) -> bool {
        let words = words(&self.text);
        let caret = self.state.borrow().caret;
        let next = match event.key().as_str() {
            "ArrowRight" => caret.step(true, event.shift_key(), words.len()),
            "ArrowLeft" => caret.step(false, event.shift_key(), words.len()),
            "Home" => Caret::default(),
            "Enter" => {
                self.enter(caret);
                return true;
            }
            _ => return false,
        };
        self.state.borrow_mut().caret = next;
        if let Some(range) = next.range(&words) {
            self.select(range);
        }
        true
    }

    /// Enter on several words adds a tag; on one word that carries tags it leads to them.
    fn enter(self: &Rc<Self>, caret: Caret) {
        let stretch = self
            .selection()
            .and_then(|range| self.stretch_at(range.start));
        match stretch {
            Some(stretch) if caret.anchor == caret.focus => self.lead_from(&stretch),
            _ => self.offer(),
        }
    }

    /// The marked stretch over a place.
    fn stretch_at(&self, unit: u32) -> Option<Element> {
        let (node, _) = self.locate(unit)?;
        closest(&node.parent_element()?, "mark")
    }

    /// Selects a range of UTF-16 units.
    fn select(&self, range: Range<u32>) {
        let ends = self
            .locate(range.start)
            .zip(self.locate(range.end.saturating_sub(1)));
        let (Some(((from, start), (to, last))), Ok(Some(selection))) =
            (ends, window().get_selection())
        else {
            return;
        };
        let _ = selection.set_base_and_extent(&from, start, &to, last + 1);
        if let Some(parent) = to.parent_element() {
            parent.scroll_into_view_with_bool(false);
        }
    }

    /// The text node that holds a unit, and the unit's place in it.
    fn locate(&self, unit: u32) -> Option<(Node, u32)> {
        let mut left = unit;
        for stretch in find_all(&self.trace, "[data-start]") {
            let Some(node) = stretch.first_child() else {
                continue;
            };
            let length = node
                .text_content()
                .unwrap_or_default()
                .encode_utf16()
                .count() as u32;
            if left < length {
                return Some((node, left));
            }
            left -= length;
        }
        None
    }

    /// Lights the cards of the words under the pointer.
    pub fn hover(&self, element: &Element) {
        let over = if self.trace.contains(Some(element.unchecked_ref())) {
            closest(element, "mark")
        } else {
            None
        };
        let over = over.map(|stretch| tags(&stretch)).unwrap_or_default();
        for card in self.cards() {
            let lit = over.contains(&super::cards::label(&card));
            let _ = card.class_list().toggle_with_force("lit", lit);
        }
    }
}
