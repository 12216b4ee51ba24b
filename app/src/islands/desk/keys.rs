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
    let levels = rules.severity.iter().flat_map(|scale| &scale.levels);
    let mut on_scale = levels.filter(|level| shortest(level.value) == key);
    if let Some(level) = on_scale.next() {
        return Some(Action::Severity(level.value));
    }
    // A question has a scale of its own, which the page shows; a digit that is not on it presses nothing.
    match key.as_bytes() {
        [digit @ b'0'..=b'9'] if !rules.item_questions.is_empty() => {
            Some(Action::Severity(f64::from(digit - b'0')))
        }
        _ => None,
    }
}

/// Where a step leads among so many cards; nowhere past the first and the last. The comment on the item stands behind them:
/// whoever steps into it would type and step no more.
pub fn stepped(at: Option<usize>, cards: usize, forward: bool) -> Option<usize> {
    let next = match at {
        None => Some(0),
        Some(at) if forward => Some(at + 1),
        Some(at) => at.checked_sub(1),
    };
    next.filter(|next| *next < cards)
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
        "n" if rules.missed.asked => Some(Action::NothingMissed),
        "a" if rules.missed.asked => Some(Action::AddMissed),
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

    #[test]
    fn a_scheme_of_questions_takes_digits_and_no_key_of_tags() {
        let asks = domain::scheme::builtin("mindeval1-rubric").unwrap();
        let asks = domain::scheme::parse(asks).unwrap().0;
        let on = |key| {
            let press = Press {
                key,
                ..Press::default()
            };
            action(press, Place::Page, true, &asks)
        };
        assert_eq!(on("4"), Some(Action::Severity(4.0)));
        assert_eq!(on("j"), Some(Action::Next));
        for key in ["n", "a", "v", "x", "F1", "é"] {
            assert_eq!(on(key), None, "{key}");
        }
    }

    #[test]
    fn a_step_past_the_last_card_stays_there_and_back_from_the_comment_leads_to_it() {
        assert_eq!(stepped(None, 3, true), Some(0));
        assert_eq!(stepped(Some(1), 3, true), Some(2));
        assert_eq!(stepped(Some(2), 3, true), None);
        assert_eq!(stepped(Some(0), 3, false), None);
        // The comment is behind the last card.
        assert_eq!(stepped(Some(3), 3, true), None);
        assert_eq!(stepped(Some(3), 3, false), Some(2));
        assert_eq!(stepped(None, 0, true), None);
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
