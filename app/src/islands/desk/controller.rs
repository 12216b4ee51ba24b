//! The desk at work: reads the form, keeps the history, saves, and keeps the page in step.

use domain::{
    annotation::{Annotation, Frame, Gap},
    form,
    id::CandidateId,
    scheme::Scheme,
};
use js_sys::Date;
use leptos::{prelude::window, task::spawn_local};
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, FormData, HtmlFormElement, HtmlInputElement};

use super::{
    dom::{after, by_id, find_all, fresh_id, mark, storage, write},
    history::History,
    sync::{Answer, Call, Draft, Next, Queue},
    words::Caret,
};
use crate::islands::{http, local_times::hour_and_minute, session};

/// How long typing rests before it is saved, in milliseconds.
const REST: i32 = 500;

/// Everything the desk needs; shared by its event handlers.
pub struct Desk {
    pub form: HtmlFormElement,
    pub trace: Element,
    pub text: String,
    pub assignment: String,
    pub user: String,
    pub rules: Scheme,
    pub candidates: Vec<CandidateId>,
    /// The markup of a missed tag's card, with the number 0.
    pub pattern: String,
    pub state: RefCell<State>,
}

/// What changes.
pub struct State {
    pub history: History,
    pub queue: Queue,
    pub current: String,
    pub caret: Caret,
    pub drawn: String,
    /// The span waiting for a category.
    pub adding: Option<(u32, u32)>,
    pub pressed: bool,
    timer: Option<i32>,
}

/// The desk, shared.
pub type Shared = Rc<Desk>;

impl Desk {
    /// Takes hold of the page, if it has an open desk.
    pub fn attach(assignment: String, user: String, rules: Scheme) -> Option<Shared> {
        let form: HtmlFormElement = by_id("desk")?.dyn_into().ok()?;
        let trace: Element = by_id("trace")?.into();
        let text = trace.text_content().unwrap_or_default();
        let hidden = |name: &str| {
            let field = form.query_selector(&format!("[name=\"{name}\"]")).ok()??;
            Some(field.dyn_into::<HtmlInputElement>().ok()?.value())
        };
        let version = hidden("base_version")?.parse().unwrap_or(0);
        let candidates = (1..)
            .map_while(|n| hidden(&format!("c{n}")))
            .map(CandidateId::new)
            .collect();
        let pattern = by_id("blank")
            .map(|blank| blank.inner_html())
            .unwrap_or_default();
        let state = RefCell::new(State {
            history: History::default(),
            queue: Queue::new(version),
            current: String::new(),
            caret: Caret::default(),
            drawn: String::new(),
            adding: None,
            pressed: false,
            timer: None,
        });
        let desk = Rc::new(Self {
            form,
            trace,
            text,
            assignment,
            user,
            rules,
            candidates,
            pattern,
            state,
        });
        let loaded = desk.read();
        desk.state.borrow_mut().history = History::new(loaded);
        Some(desk)
    }

    /// The form as a document.
    pub fn read(&self) -> Annotation {
        let mut pairs = Vec::new();
        if let Ok(data) = FormData::new_with_form(&self.form)
            && let Ok(Some(entries)) = js_sys::try_iter(&data)
        {
            for entry in entries.flatten() {
                let entry: js_sys::Array = entry.unchecked_into();
                if let (Some(name), Some(value)) =
                    (entry.get(0).as_string(), entry.get(1).as_string())
                {
                    pairs.push((name, value));
                }
            }
        }
        form::parse(&pairs, &self.text).annotation
    }

    /// Puts a document into the form.
    pub fn fill(&self, annotation: &Annotation) {
        self.lay_rows(annotation);
        let pairs = form::fields(annotation, &self.candidates);
        let has = |name: &str, value: &str| pairs.iter().any(|(n, v)| n == name && v == value);
        for field in find_all(&self.form, "[name]") {
            let name = field.get_attribute("name").unwrap_or_default();
            if ["save_id", "base_version", "intent", "reason", "note"].contains(&name.as_str())
                || field.get_attribute("data-keep").is_some()
            {
                continue;
            }
            // Lists of one name tell each other apart by what they offer.
            let options = find_all(&field, "option");
            if !options.is_empty() {
                for option in options {
                    let value = option.get_attribute("value").unwrap_or_default();
                    let chosen = has(&name, &value).into();
                    let _ = js_sys::Reflect::set(&option, &"selected".into(), &chosen);
                }
                continue;
            }
            let value = pairs
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, v)| v.as_str())
                .unwrap_or_default();
            if let Some(input) = field.dyn_ref::<HtmlInputElement>()
                && matches!(input.type_().as_str(), "radio" | "checkbox")
            {
                input.set_checked(has(&name, &input.value()));
                continue;
            }
            let _ = js_sys::Reflect::set(&field, &"value".into(), &JsValue::from_str(value));
        }
        // New rows come open and unlit.
        let current = self.state.borrow().current.clone();
        let still_there = self.card(&current).is_some();
        self.make_current(if still_there { &current } else { "missed" });
    }

    /// What is still to do.
    pub fn gaps(&self, annotation: &Annotation) -> Vec<Gap> {
        annotation.gaps(Frame {
            scheme: &self.rules,
            candidates: &self.candidates,
            trace: &self.text,
        })
    }

    /// The form changed: remember, show, save. `field` is given for typing, which rests a little first.
    pub fn changed(self: &Rc<Self>, field: Option<&str>) {
        let document = self.read();
        let new = self
            .state
            .borrow_mut()
            .history
            .record(document.clone(), field, Date::now());
        if new {
            self.keep(document, if field.is_some() { REST } else { 0 });
        }
    }

    /// Puts a document into the form as a change of its own.
    pub fn replace(self: &Rc<Self>, document: Annotation) {
        self.fill(&document);
        self.changed(None);
    }

    /// Shows the version that was chosen from the server; undo brings the other one back.
    pub fn show_taken(self: &Rc<Self>, theirs: Annotation) {
        self.fill(&theirs);
        self.state
            .borrow_mut()
            .history
            .record(theirs, None, Date::now());
        self.store();
        self.refresh();
        tell("good", "Took the other version");
    }

    /// One change back.
    pub fn undo(self: &Rc<Self>) {
        let before = self.state.borrow_mut().history.undo().cloned();
        if let Some(document) = before {
            self.fill(&document);
            self.keep(document, 0);
            say("Undone.");
        }
    }

    fn keep(self: &Rc<Self>, document: Annotation, rest: i32) {
        self.state.borrow_mut().queue.change(document, fresh_id());
        sending(self.state.borrow().queue.is_submitting());
        self.store();
        self.refresh();
        tell("", "Saving…");
        self.pump_after(rest);
    }

    /// Sends what is to be sent, a little later.
    pub fn pump_after(self: &Rc<Self>, milliseconds: i32) {
        let desk = self.clone();
        let timer = after(milliseconds, move || desk.pump());
        if let Some(before) = self.state.borrow_mut().timer.replace(timer) {
            window().clear_timeout_with_handle(before);
        }
    }

    /// Sends what is to be sent, now.
    pub fn pump(self: &Rc<Self>) {
        let call = self.state.borrow_mut().queue.next_call();
        let Some(call) = call else { return };
        let desk = self.clone();
        spawn_local(async move {
            let answer = desk.send(&call, false).await;
            desk.take(answer);
        });
    }

    async fn send(&self, call: &Call, leaving: bool) -> Answer {
        let Ok(body) = serde_json::to_string(&call.draft) else {
            return Answer::NoAnswer;
        };
        let (method, verb) = if call.submit {
            ("POST", "submit")
        } else {
            ("PUT", "annotation")
        };
        let url = format!("/api/v1/assignments/{}/{verb}", self.assignment);
        match http::send(method, &url, Some(&body), leaving).await {
            Ok(reply) => Answer::read(call.submit, reply.status, &reply.body),
            Err(http::NoAnswer) => Answer::NoAnswer,
        }
    }

    fn take(self: &Rc<Self>, answer: Answer) {
        let next = self.state.borrow_mut().queue.answered(answer);
        self.store();
        sending(self.state.borrow().queue.is_submitting());
        match next {
            Next::Rest => tell("good", &format!("Saved {}", hour_and_minute(Date::now()))),
            Next::Again => self.pump(),
            Next::Later(wait) => {
                let submitting = self.state.borrow().queue.is_submitting();
                let what = if submitting { "submitted" } else { "saved" };
                let offline = !window().navigator().on_line();
                let why = if offline { "offline" } else { "no answer" };
                tell("warn", &format!("Not {what}: {why}, will retry"));
                self.pump_after(wait);
            }
            Next::Go(next) => {
                let href = next.map_or_else(|| "/work".to_owned(), |next| format!("/desk/{next}"));
                tell("good", "Submitted");
                spawn_local(super::events::go_on(href));
            }
            Next::Gaps => {
                let gaps = self.gaps(&self.read());
                tell("warn", "Saved, not submitted");
                self.show_gaps(&gaps);
                if gaps.is_empty() {
                    say(
                        "Something is missing that this page does not know of. Reload it to see what.",
                    );
                }
            }
            Next::Choose => self.choose_version(),
            Next::Closed => {
                tell("warn", "Not saved: this item was closed elsewhere");
                say(
                    "This item was submitted or handed back in another window. Reload the page to see it.",
                );
            }
            Next::SignIn => {
                tell("warn", "Not saved: signed out");
                session::announce_signed_out();
            }
            Next::Refused(why) => {
                tell("warn", "Not saved");
                say(&why);
            }
        }
    }

    /// Submits what is there, unless something is missing or a submission is under way.
    pub fn submit(self: &Rc<Self>) {
        let document = self.read();
        let gaps = self.gaps(&document);
        if !gaps.is_empty() {
            self.show_gaps(&gaps);
            return;
        }
        if self.state.borrow_mut().queue.submit(document, fresh_id()) {
            self.show_gaps(&[]);
            sending(true);
            self.store();
            tell("", "Submitting…");
            self.pump();
        }
    }

    /// Where this person's draft of this assignment is kept until it is acknowledged.
    fn key(&self) -> String {
        format!("consilium:draft:{}:{}", self.user, self.assignment)
    }

    fn store(&self) {
        let Some(storage) = storage() else { return };
        let draft = self
            .state
            .borrow()
            .queue
            .draft()
            .and_then(|draft| serde_json::to_string(&draft).ok());
        let _ = match draft {
            Some(draft) => storage.set_item(&self.key(), &draft),
            None => storage.remove_item(&self.key()),
        };
    }

    /// Takes up what an earlier page could not save.
    pub fn restore(self: &Rc<Self>) {
        let stored = storage().and_then(|storage| storage.get_item(&self.key()).ok()?);
        let Some(draft) = stored.and_then(|text| serde_json::from_str::<Draft>(&text).ok()) else {
            return;
        };
        if draft.annotation == *self.state.borrow().history.now() {
            self.store();
            return;
        }
        self.fill(&draft.annotation);
        {
            let mut state = self.state.borrow_mut();
            state.history.record(draft.annotation.clone(), None, 0.0);
            state.queue.restore(draft);
        }
        self.refresh();
        tell("", "Saving…");
        say("Changes that were not yet saved are back.");
        self.pump();
    }

    /// The page may be going away: send what is unsaved in a way that outlives it.
    pub fn flush(&self) {
        let Some(draft) = self.state.borrow().queue.draft() else {
            return;
        };
        let Ok(body) = serde_json::to_string(&draft) else {
            return;
        };
        let url = format!("/api/v1/assignments/{}/annotation", self.assignment);
        spawn_local(async move {
            let _ = http::send("PUT", &url, Some(&body), true).await;
        });
    }
}

/// Tells a person something in passing; screen readers hear it.
pub fn say(text: &str) {
    let Some(place) = by_id("say") else { return };
    write(&place, text);
    let text = text.to_owned();
    after(6000, move || {
        if place.text_content().as_deref() == Some(text.as_str()) {
            place.set_text_content(None);
        }
    });
}

/// Says in words what has become of the draft.
pub fn tell(kind: &str, text: &str) {
    if let Some(place) = by_id("save-state") {
        place.set_class_name(&format!("save-state {kind}"));
        write(&place, text);
    }
}

fn sending(yes: bool) {
    if let Some(button) = by_id("submit") {
        mark(&button, "disabled", yes.then_some(""));
    }
}
