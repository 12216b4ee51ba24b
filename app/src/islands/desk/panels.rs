//! What opens over the desk: which tag, which category, which version; and the list of what is missing.

use domain::annotation::Gap;
use leptos::prelude::{document, window};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{DomRect, Element, HtmlDialogElement, HtmlElement, HtmlSelectElement};

use super::{
    cards::focus_head,
    controller::{Desk, tell},
    dom::{by_id, closest, find, find_all, mark, on, write},
};
use crate::desk_words::{differences, gap_line};

impl Desk {
    /// Several tags lie over the words: which one?
    pub fn choose_tag(self: &Rc<Self>, labels: &[String], place: &DomRect) {
        let Some(popup) = by_id("chooser") else {
            return;
        };
        popup.set_inner_html("");
        for label in labels {
            let Some(card) = self.card(label) else {
                continue;
            };
            let name = find(&card, "h3")
                .and_then(|title| title.text_content())
                .unwrap_or_default();
            let Ok(button) = document().create_element("button") else {
                continue;
            };
            mark(&button, "type", Some("button"));
            write(&button, &format!("{label}  {}", name.trim()));
            let (desk, label) = (self.clone(), label.clone());
            on(&button, "click", move |_| {
                close_popups();
                desk.go(&label);
                if let Some(card) = desk.card(&label) {
                    focus_head(&card);
                }
            });
            let _ = popup.append_child(&button);
        }
        open_at(&popup, Some(place));
    }

    /// The category was chosen.
    pub fn adder_done(self: &Rc<Self>) {
        let select = by_id("adder-code").and_then(|s| s.dyn_into::<HtmlSelectElement>().ok());
        let Some(code) = select.map(|select| select.value()) else {
            return;
        };
        if code.is_empty() {
            super::controller::say("Choose a category first.");
            return;
        }
        close_popups();
        self.add(&code);
    }

    /// Lists what is missing and goes to the first of it; an empty list goes away.
    pub fn show_gaps(self: &Rc<Self>, gaps: &[Gap]) {
        if let Some(old) = by_id("errors") {
            old.remove();
        }
        let Some(first) = gaps.first() else { return };
        let document_now = self.read();
        let Some(cards) = by_id("cards") else { return };
        let lines: Vec<_> = gaps
            .iter()
            .map(|gap| gap_line(gap, &self.candidates, &document_now))
            .collect();
        let items = "<li><a></a></li>".repeat(lines.len());
        let html = format!(
            "<div class=\"notice bad\" id=\"errors\" role=\"alert\"><h2>Before you submit</h2><ul>{items}</ul></div>"
        );
        let _ = cards.insert_adjacent_html("afterbegin", &html);
        for (link, (text, target)) in find_all(&cards, "#errors a").iter().zip(&lines) {
            write(link, text);
            mark(link, "href", Some(&format!("#{target}")));
        }
        let (_, target) = gap_line(first, &self.candidates, &document_now);
        self.reach(&target);
    }

    /// Opens the card of a control and puts the focus on it.
    pub fn reach(&self, id: &str) {
        let Some(element) = by_id(id) else { return };
        if let Some(card) = closest(&element, ".card[data-label]") {
            self.go(&super::cards::label(&card));
        }
        let control = find(&element, "input, select, textarea").unwrap_or(element);
        let _ = control.focus();
    }

    /// Shows the choice again while it is to be made.
    pub fn choose_version_again(self: &Rc<Self>) {
        let waits = self.state.borrow().queue.theirs().is_some();
        if waits {
            self.choose_version();
        }
    }

    /// Both versions side by side, and the choice.
    pub fn choose_version(self: &Rc<Self>) {
        tell("warn", "Not saved: changed in another window");
        let mine = self.read();
        let rows = {
            let state = self.state.borrow();
            let Some(theirs) = state.queue.theirs() else {
                return;
            };
            differences(&mine, theirs, &self.candidates, &self.rules)
        };
        let Some(table) = by_id("conflict-rows") else {
            return;
        };
        table.set_inner_html(
            &"<tr><th scope=\"row\"></th><td></td><td></td></tr>".repeat(rows.len()),
        );
        for (row, difference) in find_all(&table, "tr").iter().zip(&rows) {
            for (cell, text) in find_all(row, "th, td").iter().zip([
                &difference.field,
                &difference.mine,
                &difference.theirs,
            ]) {
                write(cell, text);
            }
        }
        show_dialog("conflict");
    }
}

/// Asks for the category of a new missed tag.
pub fn open_adder(quote: &str, place: Option<DomRect>) {
    if let Some(popup) = by_id("adder") {
        if let Some(words) = find(&popup, "blockquote") {
            write(&words, quote);
        }
        if let Some(select) =
            by_id("adder-code").and_then(|s| s.dyn_into::<HtmlSelectElement>().ok())
        {
            select.set_value("");
        }
        open_at(&popup, place.as_ref());
    }
}

/// Opens a dialog unless it is open.
pub fn show_dialog(id: &str) {
    if let Some(dialog) = by_id(id).and_then(|d| d.dyn_into::<HtmlDialogElement>().ok())
        && !dialog.open()
    {
        let _ = dialog.show_modal();
    }
}

/// Closes a dialog.
pub fn close_dialog(id: &str) {
    if let Some(dialog) = by_id(id).and_then(|d| d.dyn_into::<HtmlDialogElement>().ok()) {
        dialog.close();
    }
}

/// Closes what popped up; true when something was open.
pub fn close_popups() -> bool {
    let mut any = false;
    for id in ["chooser", "adder"] {
        if let Some(popup) = by_id(id) {
            any |= !popup.has_attribute("hidden");
            mark(&popup, "hidden", Some(""));
        }
    }
    any
}

/// Moves between the buttons of a popup.
pub fn step_popup(popup: &Element, forward: bool) {
    let buttons = find_all(popup, "button");
    let active = document().active_element();
    let at = buttons
        .iter()
        .position(|button| active.as_ref() == Some(button.as_ref()));
    let next = match (at, forward) {
        (None, _) => 0,
        (Some(at), true) => (at + 1) % buttons.len(),
        (Some(at), false) => (at + buttons.len() - 1) % buttons.len(),
    };
    if let Some(button) = buttons.get(next) {
        let _ = button.focus();
    }
}

/// Opens a popup under a place, inside the window, and puts the focus into it.
fn open_at(popup: &HtmlElement, place: Option<&DomRect>) {
    close_popups();
    mark(popup, "hidden", None);
    let size = popup.get_bounding_client_rect();
    let measure = |value: Result<wasm_bindgen::JsValue, _>| {
        value
            .ok()
            .and_then(|v: wasm_bindgen::JsValue| v.as_f64())
            .unwrap_or(0.0)
    };
    let (width, height) = (
        measure(window().inner_width()),
        measure(window().inner_height()),
    );
    let (x, y) = place.map_or((16.0, 80.0), |place| (place.left(), place.bottom() + 6.0));
    let x = x.min(width - size.width() - 16.0).max(16.0);
    let y = y.min(height - size.height() - 16.0).max(16.0);
    let style = popup.style();
    let _ = style.set_property("left", &format!("{x}px"));
    let _ = style.set_property("top", &format!("{y}px"));
    if let Some(first) = find(popup, "select, button") {
        let _ = first.focus();
    }
}
