//! Who listens to what.

use leptos::prelude::{document, window};
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlDialogElement, HtmlInputElement};

use super::turn::turn_to;
use super::{
    cards::label,
    controller::{Desk, Shared, say},
    dom::{by_id, closest, find, fresh_id, mark, on, property, storage, target},
    keyboard::{SINGLE_KEYS, is_text, keyboard, single_keys},
    panels::{close_dialog, close_popups, show_dialog},
};
use crate::islands::session;

thread_local! {
    /// The desk on the page. Listeners of the document outlive a desk, so they ask here.
    static CURRENT: RefCell<Option<Shared>> = const { RefCell::new(None) };
}

/// The desk on the page.
pub fn current() -> Option<Shared> {
    CURRENT.with_borrow(Clone::clone)
}

/// Listens to the document and the window, which stay when the desk turns to the next item.
pub fn listen_for_good() {
    if current().is_none() {
        pointer();
        keyboard();
        leaving();
        header();
    }
}

/// Goes on to the next desk in place, or to another page.
pub async fn go_on(address: String) {
    if !address.starts_with("/desk/") {
        let _ = window().location().assign(&address);
        return;
    }
    let Some(props) = turn_to(&address).await else {
        return;
    };
    if let Some(desk) = Desk::attach(props.assignment, props.user, props.rules.scheme()) {
        listen(desk);
        if let Some(case) = by_id("case") {
            let _ = case.focus();
        }
        say(&document().title());
    }
}

/// Brings a desk to life.
pub fn listen(desk: Shared) {
    CURRENT.with_borrow_mut(|current| *current = Some(desk.clone()));
    let desk = &desk;
    let _ = desk.form.class_list().add_1("live");
    form(desk);
    buttons(desk);
    content_note();
    desk.refresh();
    desk.restore();
    let fragment = window().location().hash().unwrap_or_default();
    let first = desk
        .cards()
        .first()
        .map(|card| label(card))
        .unwrap_or_default();
    desk.make_current(&first);
    if by_id("errors").is_some() {
        let gaps = desk.gaps(&desk.read());
        desk.show_gaps(&gaps);
    } else if let Some(id) = fragment
        .strip_prefix('#')
        .filter(|id| !id.is_empty() && *id != "main")
    {
        desk.reach(id);
    }
}

fn form(desk: &Shared) {
    let typed = desk.clone();
    on(&desk.form, "input", move |event| {
        let Some(field) = target(&event) else { return };
        let name = field.get_attribute("name").unwrap_or_default();
        if !["reason", "note"].contains(&name.as_str()) {
            typed.changed(is_text(&field).then_some(name.as_str()));
        }
    });
    let submitted = desk.clone();
    on(&desk.form, "submit", move |event| {
        let button: Option<Element> = property(&event, "submitter").dyn_into().ok();
        let value = button
            .and_then(|button| button.get_attribute("value"))
            .unwrap_or_default();
        match value.split_once(':') {
            Some(("remove", row)) => {
                event.prevent_default();
                submitted.remove(row);
            }
            _ if value == "submit" => {
                event.prevent_default();
                submitted.submit();
            }
            _ if value == "save" || value.is_empty() => {
                event.prevent_default();
                submitted.pump();
            }
            // The ways out go by the plain form, with everything that is in it.
            _ => submitted.settle_form(),
        }
    });
}

impl Desk {
    /// Gives the plain form the version that saving has reached, and leaves nothing to send twice.
    fn settle_form(&self) {
        let draft = self.state.borrow().queue.draft();
        let version = self.state.borrow().queue.version();
        for (name, value) in [
            ("base_version", version.to_string()),
            ("save_id", draft.map_or_else(fresh_id, |d| d.save_id)),
        ] {
            let field = find(&self.form, &format!("[name={name}]"))
                .and_then(|f| f.dyn_into::<HtmlInputElement>().ok());
            if let Some(field) = field {
                field.set_value(&value);
            }
        }
    }
}

fn pointer() {
    on(&document(), "pointerdown", |event| {
        let Some(down) = current() else { return };
        down.state.borrow_mut().pressed = true;
        let inside = target(&event).is_some_and(|element| closest(&element, ".popup").is_some());
        if !inside {
            close_popups();
        }
    });
    // The pointer may be let go anywhere: a drag often ends outside the trace.
    on(&document(), "pointerup", |event| {
        let Some(up) = current() else { return };
        up.state.borrow_mut().pressed = false;
        let inside = target(&event).is_some_and(|element| closest(&element, ".popup").is_some());
        if !inside && up.selected_span().is_some() {
            up.offer();
        }
    });
    on(&document(), "click", |event| {
        let (Some(clicked), Some(element)) = (current(), target(&event)) else {
            return;
        };
        if clicked.trace.contains(Some(&element)) {
            clicked.clicked(&element);
            return;
        }
        if let Some(link) = closest(&element, "#errors a") {
            event.prevent_default();
            let href = link.get_attribute("href").unwrap_or_default();
            clicked.reach(href.trim_start_matches('#'));
            return;
        }
        let Some(card) = closest(&element, ".cards .card[data-label]") else {
            return;
        };
        let head = closest(&element, "summary")
            .filter(|head| head.parent_element().as_ref() == Some(&card));
        if head.is_some() {
            event.prevent_default();
        }
        if label(&card) != clicked.state.borrow().current {
            clicked.go(&label(&card));
        }
    });
    // By keyboard the focus itself chooses the card. With the pointer it waits for the click, or the card under
    // the pointer would move away before the button comes up.
    on(&document(), "focusin", |event| {
        let Some(focused) = current() else { return };
        if focused.state.borrow().pressed {
            return;
        }
        let card = target(&event).and_then(|element| closest(&element, ".cards .card[data-label]"));
        if let Some(card) = card.filter(|card| label(card) != focused.state.borrow().current) {
            focused.go(&label(&card));
        }
    });
    on(&document(), "pointerover", |event| {
        if let (Some(over), Some(element)) = (current(), target(&event)) {
            over.hover(&element);
        }
    });
}

/// The buttons of the header, which stays.
fn header() {
    for (id, act) in [
        (
            "undo",
            (|| {
                if let Some(desk) = current() {
                    desk.undo();
                }
            }) as fn(),
        ),
        ("keys", || show_dialog("help")),
    ] {
        if let Some(button) = by_id(id) {
            mark(&button, "hidden", None);
            on(&button, "click", move |_| act());
        }
    }
}

fn buttons(desk: &Shared) {
    let click = |id: &str, act: fn(&Shared)| {
        if let Some(button) = by_id(id) {
            mark(&button, "hidden", None);
            let desk = desk.clone();
            on(&button, "click", move |_| act(&desk));
        }
    };
    click("add-missed", Desk::offer);
    click("adder-add", Desk::adder_done);
    click("adder-cancel", |_| {
        close_popups();
    });
    click("keep-mine", |desk| {
        desk.state.borrow_mut().queue.keep_mine(fresh_id());
        close_dialog("conflict");
        desk.pump();
    });
    click("take-theirs", |desk| {
        let theirs = desk.state.borrow_mut().queue.take_theirs();
        close_dialog("conflict");
        if let Some(theirs) = theirs {
            desk.show_taken(theirs);
        }
    });
    // Escape must not close the choice: something has to become of both versions. A browser that is asked often enough
    // closes it all the same; then it opens again.
    if let Some(dialog) = by_id("conflict") {
        on(&dialog, "cancel", |event| event.prevent_default());
        on(&dialog, "close", |_| {
            if let Some(desk) = current() {
                desk.choose_version_again();
            }
        });
    }
    if let Some(switch) = by_id("single-keys").and_then(|s| s.dyn_into::<HtmlInputElement>().ok()) {
        switch.set_checked(single_keys());
        let switch_ = switch.clone();
        on(&switch, "change", move |_| {
            if let Some(storage) = storage() {
                let _ = storage.set_item(SINGLE_KEYS, if switch_.checked() { "on" } else { "off" });
            }
        });
    }
}

fn leaving() {
    let flush = || {
        if let Some(desk) = current() {
            desk.flush();
        }
    };
    on(&document(), "visibilitychange", move |_| {
        if document().visibility_state() == web_sys::VisibilityState::Hidden {
            flush();
        }
    });
    on(&window(), "pagehide", move |_| flush());
    on(&window(), "beforeunload", |event: Event| {
        let unsaved = current().is_some_and(|desk| !desk.state.borrow().queue.is_clean());
        if unsaved && !window().navigator().on_line() {
            event.prevent_default();
        }
    });
    on(&window(), "online", |_| {
        if let Some(desk) = current() {
            desk.pump_after(0);
        }
    });
    // After turning in place, Back names an earlier desk: load it as it stands on the server now.
    on(&window(), "popstate", |_| {
        let path = window().location().pathname().unwrap_or_default();
        if current().is_some_and(|desk| path != format!("/desk/{}", desk.assignment)) {
            let _ = window().location().reload();
        }
    });
    on(&window(), session::SIGNED_OUT, |_| {
        close_popups();
        close_dialog("conflict");
    });
}

/// Shows the content note before anything else, once a study and browser.
fn content_note() {
    let Some(note) = by_id("content-note").and_then(|n| n.dyn_into::<HtmlDialogElement>().ok())
    else {
        return;
    };
    let key = format!(
        "consilium:note:{}",
        note.get_attribute("data-study").unwrap_or_default()
    );
    let seen = storage()
        .and_then(|storage| storage.get_item(&key).ok()?)
        .is_some();
    note.close();
    if seen {
        return;
    }
    let _ = note.show_modal();
    on(&note, "close", move |_| {
        if let Some(storage) = storage() {
            let _ = storage.set_item(&key, "seen");
        }
    });
}
