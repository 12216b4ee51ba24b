//! Keys of the reconcile page. The form works without them; they only press its buttons.
#![expect(
    missing_docs,
    reason = "the island macro generates an undocumented struct for its props"
)]

use domain::{annotation::shortest, ruling::Outcome};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, Event, HtmlDialogElement, HtmlElement, HtmlFormElement, HtmlInputElement,
    HtmlSelectElement, KeyboardEvent, ScrollIntoViewOptions, ScrollLogicalPosition,
};

use super::desk::{
    keyboard::place,
    keys::{Place, Press},
};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// This outcome.
    Outcome(Outcome),
    /// This final severity.
    Severity(f64),
    /// The value of the first or second rater.
    Adopt(usize),
    /// Record and go on.
    Record,
    /// Accept the proposal that waits.
    Accept,
    /// Show the keys.
    Help,
}

/// What the key asks for, if anything: nothing while somebody types or a dialog is open.
pub fn wish(press: Press<'_>, place: Place, levels: &[f64]) -> Option<Wish> {
    if press.composing || press.alt || place == Place::Overlay {
        return None;
    }
    if press.ctrl {
        return (press.key == "Enter").then_some(Wish::Record);
    }
    if place != Place::Page {
        return None;
    }
    if let Some(level) = levels.iter().find(|level| shortest(**level) == press.key) {
        return Some(Wish::Severity(*level));
    }
    match press.key {
        "?" => Some(Wish::Help),
        "c" => Some(Wish::Outcome(Outcome::Consensus)),
        "m" => Some(Wish::Outcome(Outcome::Averaged)),
        "j" => Some(Wish::Outcome(Outcome::Adjudicator)),
        "u" => Some(Wish::Outcome(Outcome::Unresolved)),
        "a" => Some(Wish::Adopt(0)),
        "b" => Some(Wish::Adopt(1)),
        "y" => Some(Wish::Accept),
        _ => None,
    }
}

/// Listens to the keys; which there are is said by a dialog of the page.
#[island]
pub fn ReconcileKeys(
    /// The levels of the scale, lowest first.
    levels: Vec<f64>,
) -> impl IntoView {
    Effect::new(move |_| {
        if let Some(span) = find::<HtmlElement>("#trace .now") {
            span.scroll_into_view_with_scroll_into_view_options(&middle());
        }
        let levels = levels.clone();
        let keys = window_event_listener_untyped("keydown", move |event| pressed(&event, &levels));
        let clicks = window_event_listener_untyped("click", clicked);
        on_cleanup(move || {
            keys.remove();
            clicks.remove();
        });
    });
    view! {
        <p class="key-hint no-print">
            <button type="button" class="button quiet" on:click=|_| show_help()>
                <kbd>"?"</kbd>
                " Keys"
            </button>
        </p>
    }
}

fn pressed(event: &Event, levels: &[f64]) {
    let (Some(event), Some(target)) = (event.dyn_ref::<KeyboardEvent>(), element(event)) else {
        return;
    };
    if event.repeat() {
        return;
    }
    let key = event.key();
    let press = Press {
        key: &key,
        ctrl: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key(),
        composing: event.is_composing() || event.key_code() == 229,
    };
    if let Some(wish) = wish(press, place(&target), levels) {
        event.prevent_default();
        grant(wish);
    }
}

fn element(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

fn grant(wish: Wish) {
    match wish {
        Wish::Outcome(outcome) => choose("outcome", outcome.as_str()),
        Wish::Severity(value) => {
            choose("severity", &shortest(value));
            own_value();
        }
        Wish::Adopt(at) => {
            let sides = document().query_selector_all("[data-adopt]").ok();
            let side = sides.and_then(|sides| sides.item(u32::try_from(at).ok()?));
            if let Some(side) = side.and_then(|side| side.dyn_into::<Element>().ok()) {
                adopt(&side);
            }
        }
        Wish::Record => {
            if let Some(form) = find::<HtmlFormElement>("#ruling-record") {
                let _ = form.request_submit();
            }
        }
        Wish::Accept => {
            if let Some(button) = find::<HtmlElement>("[accesskey=y]") {
                button.click();
            }
        }
        Wish::Help => show_help(),
    }
}

/// A click on a side's button fills the form in place, so that nothing typed is lost; a change of the
/// severity or validity by hand makes the value nobody's.
fn clicked(event: Event) {
    let Some(target) = element(&event) else {
        return;
    };
    if let Ok(Some(side)) = target.closest("[data-adopt]") {
        event.prevent_default();
        adopt(&side);
    } else if let Some(input) = target.dyn_ref::<HtmlInputElement>()
        && event.is_trusted()
        && ["severity", "validity"].contains(&input.name().as_str())
    {
        own_value();
    }
}

/// Takes over a rater's value.
fn adopt(side: &Element) {
    let value = |name: &str| side.get_attribute(name).unwrap_or_default();
    if find::<HtmlInputElement>("#ruling-record input[name=outcome]:checked").is_none() {
        choose("outcome", Outcome::Consensus.as_str());
    }
    choose("severity", &value("data-severity"));
    choose("validity", &value("data-validity"));
    if let Some(select) = find::<HtmlSelectElement>("#ruling-record select[name=adopted_from]") {
        select.set_value(&value("data-adopt"));
    }
}

fn own_value() {
    if let Some(select) = find::<HtmlSelectElement>("#ruling-record select[name=adopted_from]") {
        select.set_value("");
    }
}

/// Checks a radio and moves the focus to it; an empty value clears the group.
fn choose(name: &str, value: &str) {
    if value.is_empty() {
        if let Some(input) =
            find::<HtmlInputElement>(&format!("#ruling-record input[name={name}]:checked"))
        {
            input.set_checked(false);
        }
        return;
    }
    let input = find::<HtmlInputElement>(&format!(
        "#ruling-record input[name={name}][value=\"{value}\"]"
    ));
    if let Some(input) = input.filter(|input| !input.disabled()) {
        input.set_checked(true);
        let _ = input.focus();
    }
}

/// In the middle of its pane, without moving what is in view already.
fn middle() -> ScrollIntoViewOptions {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    options
}

fn show_help() {
    if let Some(dialog) = find::<HtmlDialogElement>("#reconcile-help") {
        let _ = dialog.show_modal();
    }
}

fn find<T: JsCast>(selector: &str) -> Option<T> {
    document()
        .query_selector(selector)
        .ok()??
        .dyn_into::<HtmlElement>()
        .ok()?
        .dyn_into()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Place, Press, Wish, wish};

    const LEVELS: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];

    fn key(key: &str) -> Press<'_> {
        Press {
            key,
            ..Press::default()
        }
    }

    #[test]
    fn each_key_of_the_map() {
        let table = [
            ("c", Wish::Outcome(Outcome::Consensus)),
            ("m", Wish::Outcome(Outcome::Averaged)),
            ("j", Wish::Outcome(Outcome::Adjudicator)),
            ("u", Wish::Outcome(Outcome::Unresolved)),
            ("a", Wish::Adopt(0)),
            ("b", Wish::Adopt(1)),
            ("y", Wish::Accept),
            ("4", Wish::Severity(4.0)),
            ("?", Wish::Help),
        ];
        for (pressed, asked) in table {
            assert_eq!(
                wish(key(pressed), Place::Page, &LEVELS),
                Some(asked),
                "{pressed}"
            );
        }
        for pressed in ["6", "0", "x", "Enter"] {
            assert_eq!(wish(key(pressed), Place::Page, &LEVELS), None, "{pressed}");
        }
    }

    // Fault row 66 (label-studio #1957): keys fire while typing.
    #[test]
    fn keys_are_silent_in_text_in_lists_in_dialogs_and_while_composing() {
        for place in [Place::Text, Place::Select, Place::Overlay] {
            for pressed in ["c", "a", "1", "?"] {
                assert_eq!(wish(key(pressed), place, &LEVELS), None);
            }
        }
        let composing = Press {
            composing: true,
            ..key("a")
        };
        assert_eq!(wish(composing, Place::Page, &LEVELS), None);
    }

    #[test]
    fn control_and_enter_records_also_from_the_note_and_no_other_control_key_does_anything() {
        let record = Press {
            ctrl: true,
            ..key("Enter")
        };
        assert_eq!(wish(record, Place::Text, &LEVELS), Some(Wish::Record));
        assert_eq!(wish(record, Place::Overlay, &LEVELS), None);
        let copy = Press {
            ctrl: true,
            ..key("c")
        };
        assert_eq!(wish(copy, Place::Page, &LEVELS), None);
    }
}
