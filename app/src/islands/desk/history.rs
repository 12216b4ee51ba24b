//! Undo: the documents that were, typing in one field counted as one change.

use domain::annotation::Annotation;

/// How long a pause in typing begins a new change, in milliseconds.
const PAUSE: f64 = 1500.0;
/// How many changes are kept.
const DEPTH: usize = 200;

/// The document and those before it.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<Annotation>,
    now: Annotation,
    typing: Option<(String, f64)>,
}

impl History {
    /// Begins with the document as loaded.
    pub fn new(now: Annotation) -> Self {
        Self {
            now,
            ..Self::default()
        }
    }

    /// The document.
    pub fn now(&self) -> &Annotation {
        &self.now
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Takes a new document; false when nothing changed. `field` is given for typing.
    pub fn record(&mut self, next: Annotation, field: Option<&str>, at: f64) -> bool {
        if next == self.now {
            return false;
        }
        let goes_on = match (field, &self.typing) {
            (Some(field), Some((before, when))) => field == before && at - when < PAUSE,
            _ => false,
        };
        let before = std::mem::replace(&mut self.now, next);
        if !goes_on {
            self.past.push(before);
            if self.past.len() > DEPTH {
                self.past.remove(0);
            }
        }
        self.typing = field.map(|field| (field.to_owned(), at));
        true
    }

    /// Goes one change back.
    pub fn undo(&mut self) -> Option<&Annotation> {
        self.now = self.past.pop()?;
        self.typing = None;
        Some(&self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saying(comment: &str) -> Annotation {
        Annotation {
            comment: comment.into(),
            ..Annotation::default()
        }
    }

    #[test]
    fn typing_in_one_field_is_one_change_until_a_pause() {
        let mut history = History::new(saying(""));
        assert!(history.record(saying("a"), Some("comment"), 0.0));
        assert!(history.record(saying("ab"), Some("comment"), 500.0));
        assert!(history.record(saying("abc"), Some("comment"), 2500.0));
        assert_eq!(history.undo(), Some(&saying("ab")));
        assert_eq!(history.undo(), Some(&saying("")));
        assert_eq!(history.undo(), None);
    }

    #[test]
    fn every_choice_is_a_change_of_its_own_and_no_change_is_none() {
        let mut history = History::new(saying(""));
        assert!(!history.record(saying(""), None, 0.0));
        assert!(history.record(saying("x"), None, 1.0));
        assert!(history.record(saying("y"), None, 2.0));
        assert_eq!(history.undo(), Some(&saying("x")));
        assert!(history.can_undo());
        assert_eq!(history.now(), &saying("x"));
    }
}
