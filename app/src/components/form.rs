//! Plain forms: posted without script, filled again when refused.

use domain::refusal::Refusal;
use leptos::prelude::*;

use crate::context::flash::{Flash, Outcome};

/// One form of a page: where it is posted, and what became of it the last time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    action: String,
    /// Whether it stands several times on the page, so that no `id` may be its own.
    repeated: bool,
    refusal: Option<Refusal>,
    values: Vec<(String, String)>,
}

impl Form {
    /// The form posted to `action`, with what `flash` knows of it.
    pub fn new(action: impl Into<String>, flash: Option<&Flash>) -> Self {
        let action = action.into();
        let mine = flash.filter(|flash| flash.form == action);
        let refusal = mine.and_then(|flash| match flash.outcome {
            Outcome::Refused(refusal) => Some(refusal),
            Outcome::Done { .. } => None,
        });
        let values = mine
            .filter(|_| refusal.is_some())
            .map(|flash| flash.values.clone());
        Self {
            action,
            repeated: false,
            refusal,
            values: values.unwrap_or_default(),
        }
    }

    /// The form as it was just sent in this very request.
    pub fn sent(
        action: impl Into<String>,
        values: Vec<(String, String)>,
        refusal: Option<Refusal>,
    ) -> Self {
        Self {
            action: action.into(),
            repeated: false,
            refusal,
            values,
        }
    }

    /// The form standing several times on a page: it carries no `id`.
    #[must_use]
    pub fn repeated(self) -> Self {
        Self {
            repeated: true,
            ..self
        }
    }

    /// The same form standing several times on a page, told apart by a hidden field.
    #[must_use]
    pub fn only_for(self, field: &str, value: &str) -> Self {
        let this = self
            .values
            .iter()
            .any(|(name, typed)| name == field && typed == value);
        if this {
            self
        } else {
            Self {
                refusal: None,
                values: Vec::new(),
                ..self
            }
        }
    }

    /// The `id` of the form, or of one of its fields.
    pub fn id(&self, field: &str) -> String {
        field_id(&self.action, field)
    }

    /// What was typed into a field, or what it starts with.
    pub fn value(&self, field: &str, start: &str) -> String {
        let typed = self.values.iter().find(|(name, _)| name == field);
        match typed {
            Some((_, value)) => value.clone(),
            None if self.values.is_empty() => start.to_owned(),
            // A field that was not sent was left empty.
            None => String::new(),
        }
    }

    /// Whether a choice was ticked, or starts so.
    pub fn ticked(&self, field: &str, value: &str, start: bool) -> bool {
        if self.values.is_empty() {
            return start;
        }
        self.values
            .iter()
            .any(|(name, typed)| name == field && typed == value)
    }

    /// Whether the form was just refused.
    pub fn was_refused(&self) -> bool {
        self.refusal.is_some()
    }

    /// What is wrong with a field.
    pub fn error(&self, field: &str) -> Option<String> {
        let refusal = self
            .refusal
            .filter(|refusal| field_of(*refusal) == Some(field))?;
        Some(refusal.message().to_owned())
    }
}

/// The `id` of a field of the form posted to `action`; of the form itself when `field` is empty.
pub fn field_id(action: &str, field: &str) -> String {
    let form = action.trim_start_matches("/do/").replace('/', "-");
    if field.is_empty() {
        form
    } else {
        format!("{form}-{field}")
    }
}

/// The field that a refusal is about, where every form calls it the same.
pub fn field_of(refusal: Refusal) -> Option<&'static str> {
    Some(match refusal {
        Refusal::NameTaken | Refusal::NameInvalid => "name",
        Refusal::WrongCredentials | Refusal::PasswordTooShort | Refusal::PasswordTooLong => {
            "password"
        }
        Refusal::PasswordsDiffer => "password_again",
        Refusal::SchemeUnknown => "scheme",
        Refusal::SchemeBroken => "toml",
        Refusal::RoleUnknown => "role",
        Refusal::NotEnoughItems => "size",
        Refusal::NotEnoughRaters => "raters",
        Refusal::ReasonNeeded => "reason",
        Refusal::ConsensusNeedsNote | Refusal::UnresolvedNeedsNote | Refusal::TextTooLong => "note",
        Refusal::AdjudicatorRatedItem | Refusal::NothingToAverage | Refusal::OutcomeMissing => {
            "outcome"
        }
        Refusal::RulingValueMissing => "severity",
        _ => return None,
    })
}

/// A form that is posted without script.
#[component]
pub fn PostForm(
    /// The form.
    form: Form,
    /// Its class.
    #[prop(optional, into)]
    class: String,
    /// Its fields and buttons.
    children: Children,
) -> impl IntoView {
    view! {
        <form method="post" action=form.action.clone() id=(!form.repeated).then(|| form.id("")) class=class>
            {children()}
        </form>
    }
}

/// A field that the person does not see.
#[component]
pub fn Hidden(
    /// Its name.
    #[prop(into)]
    name: String,
    /// What it sends.
    #[prop(into)]
    value: String,
) -> impl IntoView {
    view! { <input type="hidden" name=name value=value /> }
}

/// One line of text.
#[component]
pub fn TextField(
    /// The form.
    form: Form,
    /// The field's name.
    name: &'static str,
    /// What is asked.
    #[prop(into)]
    label: String,
    /// How to answer.
    #[prop(optional, into)]
    hint: Option<String>,
    /// `text`, `password`, `number`.
    #[prop(default = "text")]
    kind: &'static str,
    /// What browsers fill in.
    #[prop(default = "off")]
    autocomplete: &'static str,
    /// What it starts with.
    #[prop(optional, into)]
    start: String,
    /// Whether it may stay empty.
    #[prop(optional)]
    optional: bool,
    /// The least number.
    #[prop(optional, into)]
    min: Option<String>,
    /// The greatest number.
    #[prop(optional, into)]
    max: Option<String>,
) -> impl IntoView {
    let id = form.id(name);
    let described_id = id.clone();
    let error = form.error(name);
    let described = described_by(&id, hint.is_some(), error.is_some());
    let invalid = error.is_some().then_some("true");
    let value = if kind == "password" {
        String::new()
    } else {
        form.value(name, &start)
    };
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            {hint.map(|text| hint_of(&id, text))}
            <input
                id=id
                name=name
                type=kind
                value=value
                autocomplete=autocomplete
                required=!optional
                min=min
                max=max
                aria-invalid=invalid
                aria-describedby=described
            />
            {error.map(|text| error_of(&described_id, text))}
        </div>
    }
}

/// Several lines of text.
#[component]
pub fn AreaField(
    /// The form.
    form: Form,
    /// The field's name.
    name: &'static str,
    /// What is asked.
    #[prop(into)]
    label: String,
    /// How to answer.
    #[prop(optional, into)]
    hint: Option<String>,
    /// What it starts with.
    #[prop(optional, into)]
    start: String,
    /// How many lines it shows.
    #[prop(default = 3)]
    rows: u32,
) -> impl IntoView {
    let id = form.id(name);
    let described_id = id.clone();
    let error = form.error(name);
    let described = described_by(&id, hint.is_some(), error.is_some());
    let invalid = error.is_some().then_some("true");
    let value = form.value(name, &start);
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            {hint.map(|text| hint_of(&id, text))}
            <textarea id=id name=name rows=rows aria-invalid=invalid aria-describedby=described>
                {value}
            </textarea>
            {error.map(|text| error_of(&described_id, text))}
        </div>
    }
}

/// One of a few values.
#[component]
pub fn SelectField(
    /// The form.
    form: Form,
    /// The field's name.
    name: &'static str,
    /// What is asked.
    #[prop(into)]
    label: String,
    /// How to answer.
    #[prop(optional, into)]
    hint: Option<String>,
    /// Each value and what it says.
    options: Vec<(String, String)>,
    /// The value it starts with.
    #[prop(optional, into)]
    start: String,
) -> impl IntoView {
    let id = form.id(name);
    let described_id = id.clone();
    let error = form.error(name);
    let described = described_by(&id, hint.is_some(), error.is_some());
    let invalid = error.is_some().then_some("true");
    let chosen = form.value(name, &start);
    let option = move |(value, text): (String, String)| {
        let selected = value == chosen;
        view! {
            <option value=value selected=selected>
                {text}
            </option>
        }
    };
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            {hint.map(|text| hint_of(&id, text))}
            <select id=id name=name aria-invalid=invalid aria-describedby=described>
                {options.into_iter().map(option).collect_view()}
            </select>
            {error.map(|text| error_of(&described_id, text))}
        </div>
    }
}

fn hint_of(id: &str, text: String) -> impl IntoView + use<> {
    view! {
        <p class="hint" id=format!("{id}-hint")>
            {text}
        </p>
    }
}

fn error_of(id: &str, text: String) -> impl IntoView + use<> {
    view! {
        <p class="error" id=format!("{id}-error")>
            {text}
        </p>
    }
}

fn described_by(id: &str, hint: bool, error: bool) -> Option<String> {
    match (hint, error) {
        (true, true) => Some(format!("{id}-hint {id}-error")),
        (true, false) => Some(format!("{id}-hint")),
        (false, true) => Some(format!("{id}-error")),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Flash, Form};
    use domain::refusal::Refusal;

    fn values(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect()
    }

    #[test]
    fn a_refused_form_keeps_what_was_typed_and_says_where_it_is_wrong() {
        let typed = values(&[("name", "a b"), ("days", "")]);
        let flash = Flash::refused(
            "/studies/new",
            "/do/study/create",
            Refusal::NameTaken,
            typed,
        );
        let form = Form::new("/do/study/create", Some(&flash));
        assert_eq!(form.value("name", "start"), "a b");
        assert_eq!(form.value("days", "14"), "", "an emptied field stays empty");
        assert_eq!(
            form.error("name").as_deref(),
            Some(Refusal::NameTaken.message())
        );
        assert_eq!(form.error("days"), None);
        assert_eq!(form.id("name"), "study-create-name");
    }

    #[test]
    fn another_form_of_the_page_is_not_touched() {
        let flash = Flash::refused(
            "/p",
            "/do/study/create",
            Refusal::NameTaken,
            values(&[("name", "x")]),
        );
        let form = Form::new("/do/member/add", Some(&flash));
        assert_eq!(form.value("name", "start"), "start");
        assert!(!form.was_refused());
    }

    #[test]
    fn of_a_form_that_stands_several_times_only_the_refused_one_is_filled() {
        let flash = Flash::refused(
            "/p",
            "/do/a/b",
            Refusal::ReasonNeeded,
            values(&[("id", "1"), ("reason", "x")]),
        );
        let form = Form::new("/do/a/b", Some(&flash));
        assert_eq!(form.clone().only_for("id", "1").value("reason", ""), "x");
        assert_eq!(form.only_for("id", "2").value("reason", ""), "");
    }
}
