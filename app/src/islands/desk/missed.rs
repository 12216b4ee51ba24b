//! Missed tags: rows made from the form's own blank row.

use domain::{
    annotation::{Annotation, MissedTag, slice},
    id::MissedTagId,
};
use std::rc::Rc;

use super::{
    cards::focus_head,
    controller::{Desk, say},
    dom::{by_id, find, fresh_id, write},
};

impl Desk {
    /// Lays one row a tag; their values are filled in with the rest of the form.
    pub fn lay_rows(&self, annotation: &Annotation) {
        let Some(place) = by_id("missed-tags") else {
            return;
        };
        let rows = (1..=annotation.missed.len()).map(|n| {
            self.pattern
                .replace("\"m0", &format!("\"m{n}"))
                .replace("data-label=\"new\"", &format!("data-label=\"+{n}\""))
                .replace("\"add_missed\"", &format!("\"remove:m{n}\""))
        });
        place.set_inner_html(&rows.collect::<String>());
        for (at, tag) in annotation.missed.iter().enumerate() {
            let Some(card) = by_id(&format!("m{}-card", at + 1)) else {
                continue;
            };
            for (selector, text) in [
                (".no", format!("+{}", at + 1)),
                ("[name=intent]", "Remove".to_owned()),
            ] {
                if let Some(element) = find(&card, selector) {
                    write(&element, &text);
                }
            }
            if tag.span.is_some()
                && let Some(words) = find(&card, ".words")
            {
                quote(&words, at + 1, &tag.quote);
            }
        }
    }

    /// Adds a tag on the waiting span; the same tag on the same words is there already.
    pub fn add(self: &Rc<Self>, code: &str) {
        let Some(span) = self.state.borrow_mut().adding.take() else {
            return;
        };
        let mut document = self.read();
        let twin = document
            .missed
            .iter()
            .position(|tag| tag.span == Some(span) && tag.code == code);
        if let Some(at) = twin {
            say("This tag is already on these words; nothing was added.");
            self.go(&format!("+{}", at + 1));
            return;
        }
        document.missed.push(MissedTag {
            id: MissedTagId::new(fresh_id()),
            code: code.to_owned(),
            severity: None,
            span: Some(span),
            quote: slice(&self.text, span).unwrap_or_default().to_owned(),
            comment: String::new(),
        });
        document.nothing_missed = false;
        let label = format!("+{}", document.missed.len());
        self.replace(document);
        self.go(&label);
        if let Some(card) = self.card(&label) {
            focus_head(&card);
        }
        say("Added. Now choose its severity.");
    }

    /// Takes a tag away; undo brings it back.
    pub fn remove(self: &Rc<Self>, row: &str) {
        let Some(n) = row.strip_prefix('m').and_then(|n| n.parse::<usize>().ok()) else {
            return;
        };
        let mut document = self.read();
        if n == 0 || n > document.missed.len() {
            return;
        }
        document.missed.remove(n - 1);
        self.replace(document);
        self.go("missed");
        say("Removed. Undo brings it back.");
    }
}

/// Shows the words instead of asking for them, and keeps them for the form.
fn quote(words: &web_sys::Element, n: usize, text: &str) {
    words.set_inner_html(&format!(
        "<blockquote id=\"m{n}-quote\" tabindex=\"-1\"></blockquote><input type=\"hidden\" name=\"m{n}.quote\">"
    ));
    if let Some(place) = find(words, "blockquote") {
        write(&place, text);
    }
}
