//! Where a number leads: to the rows behind it, and to what it means.

use domain::id::StudyId;
use leptos::prelude::*;
use service::agreement::{Facet, Question, Stage};

/// The addresses of one study's agreement on one question.
#[derive(Clone, Debug)]
pub struct Links {
    base: String,
    question: Question,
}

impl Links {
    /// Those of this study.
    pub fn new(study: &StudyId, question: &Question) -> Self {
        Self {
            base: format!("/studies/{study}/agreement"),
            question: question.clone(),
        }
    }

    /// The rows behind the figures of all tags.
    pub fn rows(&self, stage: Stage) -> String {
        format!(
            "{}/rows.csv?question={}&stage={}",
            self.base,
            self.question.as_str(),
            stage.as_str()
        )
    }

    /// The rows behind the figures of one part: before reconciliation, of a judge after it.
    pub fn part(&self, facet: Facet, value: &str) -> String {
        let value: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
        // A judge stands beside the final answers.
        let stage = if facet == Facet::Judge {
            Stage::Reconciled
        } else {
            Stage::Raw
        };
        let rows = self.rows(stage);
        format!("{rows}&facet={}&value={value}", facet.as_str())
    }

    /// What a statistic is.
    pub fn definition(&self, name: &str) -> String {
        let name = name.split('.').next().unwrap_or(name);
        format!("{}/definitions#{name}", self.base)
    }
}

/// A number that leads to its rows.
pub fn number(text: String, href: String) -> impl IntoView {
    view! {
        <a class="rows-of" href=href download title="The rows behind this number (CSV)">
            {text}
        </a>
    }
}

#[cfg(test)]
mod tests {
    use super::Links;
    use domain::id::StudyId;
    use service::agreement::{Facet, Question};

    #[test]
    fn values_and_names_are_safe_in_addresses() {
        let links = Links::new(&StudyId::new("s"), &Question::Severity);
        assert_eq!(
            links.part(Facet::Category, "a&b c"),
            "/studies/s/agreement/rows.csv?question=severity&stage=raw&facet=category&value=a%26b+c"
        );
        assert_eq!(
            links.definition("specific_agreement.valid"),
            "/studies/s/agreement/definitions#specific_agreement"
        );
    }
}
