//! The keyboard: what a key means is decided in `keys`, what it does is done here.

use leptos::prelude::document;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::{
    cards::{COMMENT, focus_head},
    controller::{Desk, Shared, say},
    dom::{by_id, closest, find, on, storage, target},
    events::current,
    keys::{self, Action, Place, Press},
    panels::{close_popups, show_dialog, step_popup},
};

/// Where the choice about single keys is kept.
pub const SINGLE_KEYS: &str = "consilium:single-keys";

impl Desk {
    fn act(self: &Rc<Self>, action: Action) {
        match action {
            Action::Severity(value) => {
                self.press(".severity", &domain::annotation::shortest(value));
            }
            Action::Validity(validity) => self.judge(validity),
            Action::Next => self.step(true),
            Action::Previous => self.step(false),
            Action::NothingMissed => self.nothing_missed(),
            Action::AddMissed => self.offer(),
            Action::Comment => {
                let current = self.state.borrow().current.clone();
                if let Some(field) = self.card(&current).and_then(|card| find(&card, "textarea")) {
                    let _ = field.focus();
                }
            }
            Action::Submit => self.submit(),
            Action::Help => show_dialog("help"),
            Action::Undo => self.undo(),
            Action::Leave => {
                let current = self.state.borrow().current.clone();
                match self.card(&current).filter(|_| current != COMMENT) {
                    Some(card) => focus_head(&card),
                    // The comment is all that its card has.
                    None => {
                        if let Some(field) = by_id("comment") {
                            let _ = field.blur();
                        }
                        say("Left the field.");
                    }
                }
            }
        }
    }
}

/// Listens to the keyboard.
pub fn keyboard() {
    on(&document(), "keydown", |event| {
        let Ok(event) = event.dyn_into::<KeyboardEvent>() else {
            return;
        };
        let (Some(desk), Some(element)) = (current(), target(&event)) else {
            return;
        };
        if let Some(popup) = closest(&element, ".popup") {
            popup_key(&desk, &event, &popup);
            return;
        }
        let composing = event.is_composing() || event.key_code() == 229;
        let modified = event.ctrl_key() || event.meta_key() || event.alt_key();
        if element == desk.trace && !composing && !modified && desk.walk(&event) {
            event.prevent_default();
            return;
        }
        let key = event.key();
        let press = Press {
            key: &key,
            ctrl: event.ctrl_key() || event.meta_key(),
            alt: event.alt_key(),
            shift: event.shift_key(),
            composing,
        };
        if event.repeat() && !key.starts_with("Arrow") {
            return;
        }
        if let Some(action) = keys::action(press, place(&element), single_keys(), &desk.rules) {
            event.prevent_default();
            desk.act(action);
        }
    });
}

fn popup_key(desk: &Shared, event: &KeyboardEvent, popup: &Element) {
    let choosing = popup.id() == "chooser";
    match event.key().as_str() {
        "Escape" => {
            event.prevent_default();
            close_popups();
            if let Some(trace) = by_id("trace") {
                let _ = trace.focus();
            }
        }
        "ArrowDown" | "ArrowUp" if choosing => {
            event.prevent_default();
            step_popup(popup, event.key() == "ArrowDown");
        }
        "Enter"
            if !choosing && target(event).is_some_and(|element| element.tag_name() == "SELECT") =>
        {
            event.prevent_default();
            desk.adder_done();
        }
        _ => {}
    }
}

/// Where the focus is.
pub fn place(element: &Element) -> Place {
    let open_dialog = document()
        .query_selector("dialog[open]")
        .ok()
        .flatten()
        .is_some();
    match element.tag_name().as_str() {
        _ if open_dialog => Place::Overlay,
        "SELECT" => Place::Select,
        _ if is_text(element) => Place::Text,
        _ => Place::Page,
    }
}

/// Whether an element takes text.
pub fn is_text(element: &Element) -> bool {
    let kind = element.get_attribute("type").unwrap_or_default();
    match element.tag_name().as_str() {
        "TEXTAREA" => true,
        "INPUT" => !["radio", "checkbox", "button", "submit"].contains(&kind.as_str()),
        _ => element.has_attribute("contenteditable"),
    }
}

/// Whether single keys are on.
pub fn single_keys() -> bool {
    storage()
        .and_then(|storage| storage.get_item(SINGLE_KEYS).ok()?)
        .as_deref()
        != Some("off")
}
