//! A form of a page and what became of it: filled again when refused. Its fields are in `fields`.

use domain::refusal::Refusal;

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

    /// Where it is posted.
    pub fn action(&self) -> &str {
        &self.action
    }

    /// The `id` of the form; none when it stands several times on the page.
    pub fn own_id(&self) -> Option<String> {
        (!self.repeated).then(|| self.id(""))
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

    /// What was typed into one of several fields of the same name, counted from 0, or what it starts with.
    pub fn nth(&self, field: &str, at: usize, start: &str) -> String {
        if self.values.is_empty() {
            return start.to_owned();
        }
        let mut typed = self.values.iter().filter(|(name, _)| name == field);
        typed
            .nth(at)
            .map(|(_, value)| value.clone())
            .unwrap_or_default()
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
    fn fields_of_one_name_are_filled_again_in_their_order() {
        let typed = values(&[
            ("notes[]", "first"),
            ("agree[]", "a"),
            ("notes[]", "second"),
        ]);
        let flash = Flash::refused("/p", "/do/round/give", Refusal::Incomplete, typed);
        let form = Form::new("/do/round/give", Some(&flash));
        assert_eq!(form.nth("notes[]", 1, "start"), "second");
        assert_eq!(form.nth("notes[]", 2, "start"), "");
        assert_eq!(
            Form::new("/do/round/give", None).nth("notes[]", 1, "start"),
            "start"
        );
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
