//! The cards: which one is current, what their heads say, and answering by key.

use domain::scheme::Validity;
use leptos::prelude::window;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::{
    controller::{Desk, say},
    dom::{by_id, find, find_all, mark, write},
    keys::stepped,
};
use crate::desk_words::{judged, scored, to_go};

/// From this width on the two panes stand side by side.
const TWO_PANES: f64 = 896.0;
/// The card of the comment on the item, which is the last.
pub const COMMENT: &str = "item";

impl Desk {
    /// The cards in order.
    pub fn cards(&self) -> Vec<web_sys::HtmlElement> {
        let cards = find_all(&self.form, ".cards .card[data-label]");
        cards
            .into_iter()
            .filter(|card| label(card) != "new")
            .collect()
    }

    /// The card of this label.
    pub fn card(&self, wanted: &str) -> Option<web_sys::HtmlElement> {
        self.cards().into_iter().find(|card| label(card) == wanted)
    }

    /// Makes a card the current one: open, lit, in view, and its words in the trace too.
    pub fn go(&self, wanted: &str) {
        self.make_current(wanted);
        if let Some(card) = self.card(wanted) {
            into_view(&card);
        }
        if two_panes()
            && let Some(words) = find(&self.trace, "mark.now")
        {
            into_view(&words);
        }
    }

    /// Makes a card the current one and leaves the page where it is: nobody has asked to be taken there.
    pub fn make_current(&self, wanted: &str) {
        wanted.clone_into(&mut self.state.borrow_mut().current);
        for card in self.cards() {
            let here = label(&card) == wanted;
            mark(&card, "aria-current", here.then_some("true"));
            if card.tag_name() == "DETAILS" {
                mark(&card, "open", here.then_some(""));
            }
        }
        self.light();
    }

    /// Lights the words of the current card.
    pub fn light(&self) {
        let current = self.state.borrow().current.clone();
        for stretch in find_all(&self.trace, "mark") {
            let here = tags(&stretch).contains(&current);
            let _ = stretch.class_list().toggle_with_force("now", here);
        }
    }

    /// The next card or the one before, and the focus on its head.
    pub fn step(&self, forward: bool) {
        let cards = self.cards();
        let current = self.state.borrow().current.clone();
        let place = |wanted: &str| cards.iter().position(|card| label(card) == wanted);
        let last = place(COMMENT).unwrap_or(cards.len());
        let next = stepped(place(&current), last, forward);
        let Some(card) = next.and_then(|at| cards.get(at)) else {
            return;
        };
        self.go(&label(card));
        focus_head(card);
    }

    /// Presses an answer of the current card.
    pub fn press(self: &Rc<Self>, part: &str, value: &str) {
        let current = self.state.borrow().current.clone();
        let Some(card) = self.card(&current) else {
            return;
        };
        let selector = format!("input[type=radio][name$=\"{part}\"][value=\"{value}\"]");
        let input = find(&card, &selector)
            .or_else(|| find(&card, &format!("input[type=radio][value=\"{value}\"]")));
        if let Some(input) = input.and_then(|input| input.dyn_into::<HtmlInputElement>().ok()) {
            input.set_checked(true);
            self.changed(None);
        }
    }

    /// A validity; asks at once what fits better where that is asked.
    pub fn judge(self: &Rc<Self>, validity: Validity) {
        self.press(".validity", validity.as_str());
        let current = self.state.borrow().current.clone();
        if validity == Validity::ValidOtherSubcategory
            && let Some(better) = self.card(&current).and_then(|card| find(&card, ".better"))
        {
            mark(&better, "open", Some(""));
        }
    }

    /// Says or takes back that nothing was missed.
    pub fn nothing_missed(self: &Rc<Self>) {
        let Some(input) =
            by_id("nothing-missed").and_then(|i| i.dyn_into::<HtmlInputElement>().ok())
        else {
            return;
        };
        if !self.read().missed.is_empty() {
            say("There are tags of your own. Remove them first, then say that there are none.");
            return;
        }
        input.set_checked(!input.checked());
        say(if input.checked() {
            "None."
        } else {
            "Taken back."
        });
        self.changed(None);
    }

    /// Brings heads, counts and the trace in step with the form.
    pub fn refresh(&self) {
        let document = self.read();
        let gaps = self.gaps(&document);
        if let Some(place) = by_id("to-go") {
            write(&place, &to_go(&gaps));
        }
        if let Some(undo) = by_id("undo") {
            mark(
                &undo,
                "disabled",
                (!self.state.borrow().history.can_undo()).then_some(""),
            );
        }
        for (at, id) in self.candidates.iter().enumerate() {
            let label = (at + 1).to_string();
            let open = |gap: &domain::annotation::Gap| gap.candidate() == Some(id);
            let complete = !gaps.iter().any(open);
            if let Some(card) = self.card(&label) {
                head(
                    &card,
                    &judged(document.judgements.get(id), &self.rules),
                    complete,
                );
                name_better(&card);
            }
        }
        for (at, tag) in document.missed.iter().enumerate() {
            if let Some(card) = self.card(&format!("+{}", at + 1)) {
                let complete = !gaps.iter().any(|gap| gap.missed_tag() == Some(&tag.id));
                head(&card, &scored(tag), complete);
                name_missed(&card);
            }
        }
        self.draw(&document);
    }
}

/// The label of a card.
pub fn label(card: &Element) -> String {
    card.get_attribute("data-label").unwrap_or_default()
}

/// The labels of the tags over a stretch of the trace.
pub fn tags(stretch: &Element) -> Vec<String> {
    let tags = stretch.get_attribute("data-tags").unwrap_or_default();
    tags.split_whitespace().map(str::to_owned).collect()
}

/// Puts the focus on the head of a card, or on its first control.
pub fn focus_head(card: &Element) {
    if let Some(head) = find(card, "summary, input:not([type=hidden]), textarea, select") {
        let _ = head.focus();
    }
}

fn head(card: &Element, words: &str, complete: bool) {
    if let Some(done) = find(card, ".done") {
        write(&done, words);
    }
    let _ = card.class_list().toggle_with_force("complete", complete);
}

/// The names of the ticked categories, so that they are read while the list is closed.
fn name_better(card: &Element) {
    let Some(place) = find(card, ".better .chosen") else {
        return;
    };
    let ticked = find_all(card, ".codes label:has(:checked)");
    let names: Vec<String> = ticked
        .iter()
        .filter_map(|label| label.text_content())
        .collect();
    write(
        &place,
        if names.is_empty() {
            "none named".to_owned()
        } else {
            names.join(", ")
        }
        .as_str(),
    );
}

fn name_missed(card: &Element) {
    let (Some(title), Some(select)) = (find(card, "h3"), find(card, "select")) else {
        return;
    };
    let chosen = find(&select, "option:checked")
        .filter(|option| option.get_attribute("value") != Some(String::new()));
    let name = chosen
        .and_then(|option| option.text_content())
        .unwrap_or_else(|| "Choose a category".into());
    write(&title, &name);
}

fn two_panes() -> bool {
    window()
        .inner_width()
        .ok()
        .and_then(|width| width.as_f64())
        .is_some_and(|width| width >= TWO_PANES)
}

fn into_view(element: &Element) {
    let how = ScrollIntoViewOptions::new();
    how.set_block(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&how);
}
