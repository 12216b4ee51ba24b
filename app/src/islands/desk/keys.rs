//! Which key does what: decided here, without a browser, so that it can be tested.

use domain::{
    annotation::shortest,
    scheme::{Scheme, Validity},
};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// This severity for the current card.
    Severity(f64),
    /// This validity for the current card.
    Validity(Validity),
    /// The next card.
    Next,
    /// The card before.
    Previous,
    /// Nothing was missed, or take that back.
    NothingMissed,
    /// Add a missed tag on the selected words.
    AddMissed,
    /// Write a comment on the current card.
    Comment,
    /// Submit.
    Submit,
    /// Show the keys.
    Help,
    /// Undo the last change.
    Undo,
    /// Leave the text field.
    Leave,
}

/// Where the focus is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On nothing that takes letters.
    Page,
    /// In a text field.
    Text,
    /// On a list of options, which takes letters to search.
    Select,
    /// In a dialog or a popup.
    Overlay,
}

/// A key as it was pressed.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a key event has these")]
pub struct Press<'a> {
    /// What it writes.
    pub key: &'a str,
    /// With Ctrl, or Cmd.
    pub ctrl: bool,
    /// With Alt.
    pub alt: bool,
    /// With Shift.
    pub shift: bool,
    /// While an input method composes a character.
    pub composing: bool,
}

/// What the key asks for, if anything. `single` is off when the person has switched single keys off.
pub fn action(press: Press<'_>, place: Place, single: bool, rules: &Scheme) -> Option<Action> {
    if press.composing || press.alt || place == Place::Overlay {
        return None;
    }
    if press.ctrl {
        return match press.key {
            "Enter" => Some(Action::Submit),
            "z" if place == Place::Page && !press.shift => Some(Action::Undo),
            _ => None,
        };
    }
    match (press.key, place) {
        ("Escape", Place::Text | Place::Select) => return Some(Action::Leave),
        (_, Place::Text | Place::Select) => return None,
        _ if !single => return None,
        _ => {}
    }
    symbol(press.key, rules).or_else(|| {
        if press.shift {
            None
        } else {
            letter(&press.key.to_ascii_lowercase(), rules)
        }
    })
}

/// Digits and the question mark, which need Shift on some keyboards.
fn symbol(key: &str, rules: &Scheme) -> Option<Action> {
    if key == "?" {
        return Some(Action::Help);
    }
    let scale = rules.severity.as_ref()?;
    let level = scale
        .levels
        .iter()
        .find(|level| shortest(level.value) == key)?;
    Some(Action::Severity(level.value))
}

/// The scheme's letters first: they are what a rater presses most.
fn letter(key: &str, rules: &Scheme) -> Option<Action> {
    let validity = rules
        .candidates
        .validity
        .iter()
        .find(|level| level.key == key);
    if let Some(level) = validity {
        return Some(Action::Validity(level.value));
    }
    match key {
        "arrowdown" | "j" => Some(Action::Next),
        "arrowup" | "k" => Some(Action::Previous),
        "n" => Some(Action::NothingMissed),
        "a" => Some(Action::AddMissed),
        "c" => Some(Action::Comment),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Scheme {
        domain::scheme::parse(domain::scheme::builtin("stigma").unwrap())
            .unwrap()
            .0
    }

    fn on(key: &str, place: Place) -> Option<Action> {
        action(
            Press {
                key,
                ..Press::default()
            },
            place,
            true,
            &rules(),
        )
    }

    #[test]
    fn digits_letters_and_arrows_work_on_the_page() {
        let table = [
            ("1", Action::Severity(1.0)),
            ("5", Action::Severity(5.0)),
            ("v", Action::Validity(Validity::Valid)),
            ("o", Action::Validity(Validity::ValidOtherSubcategory)),
            ("x", Action::Validity(Validity::Invalid)),
            ("V", Action::Validity(Validity::Valid)),
            ("ArrowDown", Action::Next),
            ("k", Action::Previous),
            ("n", Action::NothingMissed),
            ("a", Action::AddMissed),
            ("c", Action::Comment),
            ("?", Action::Help),
        ];
        for (key, wanted) in table {
            assert_eq!(on(key, Place::Page), Some(wanted), "{key}");
        }
        assert_eq!(
            (
                on("6", Place::Page),
                on("0", Place::Page),
                on("Tab", Place::Page)
            ),
            (None, None, None)
        );
    }

    // Fault row 66 (label-studio #1957, TIM #3749): typing never fires a shortcut.
    #[test]
    fn keys_are_silent_in_fields_lists_dialogs_and_composition() {
        for key in ["1", "5", "a", "n", "?", "v", "ArrowDown", "c"] {
            for place in [Place::Text, Place::Select, Place::Overlay] {
                assert_eq!(on(key, place), None, "{key} in {place:?}");
            }
            let composing = Press {
                key,
                composing: true,
                ..Press::default()
            };
            assert_eq!(action(composing, Place::Page, true, &rules()), None);
            for press in [
                Press {
                    key,
                    ctrl: true,
                    ..Press::default()
                },
                Press {
                    key,
                    alt: true,
                    ..Press::default()
                },
            ] {
                assert_eq!(action(press, Place::Page, true, &rules()), None);
            }
            let plain = Press {
                key,
                ..Press::default()
            };
            assert_eq!(
                action(plain, Place::Page, false, &rules()),
                None,
                "{key} switched off"
            );
        }
        let word_left = Press {
            key: "ArrowLeft",
            ctrl: true,
            ..Press::default()
        };
        assert_eq!(action(word_left, Place::Text, true, &rules()), None);
    }

    #[test]
    fn ctrl_enter_submits_from_a_comment_and_ctrl_z_leaves_the_field_its_own_undo() {
        let with_ctrl = |key, place| {
            action(
                Press {
                    key,
                    ctrl: true,
                    ..Press::default()
                },
                place,
                false,
                &rules(),
            )
        };
        assert_eq!(with_ctrl("Enter", Place::Text), Some(Action::Submit));
        assert_eq!(with_ctrl("z", Place::Page), Some(Action::Undo));
        assert_eq!(with_ctrl("z", Place::Text), None);
        assert_eq!(on("Escape", Place::Text), Some(Action::Leave));
        let shift_z = Press {
            key: "z",
            ctrl: true,
            shift: true,
            ..Press::default()
        };
        assert_eq!(action(shift_z, Place::Page, true, &rules()), None);
    }
}
