//! A study's scheme as the readers see it.

use super::remap::Table;
use domain::annotation::shortest;
use domain::scheme::{ItemQuestion, Scheme, UnitOfAnnotation};
use formats::{CodeBook, Resolved, Who};
use std::sync::Arc;

/// A study's scheme as the readers see it.
pub(super) struct Book {
    scheme: Arc<Scheme>,
    codes: String,
    pub(super) table: Table,
}

impl Book {
    pub(super) fn new(scheme: Arc<Scheme>, table: Table) -> Self {
        let ids: Vec<&str> = scheme
            .categories
            .iter()
            .flat_map(|category| {
                std::iter::once(category.id.as_str())
                    .chain(category.subcategories.iter().map(|sub| sub.id.as_str()))
            })
            .collect();
        let codes = match ids.as_slice() {
            [] => "no code: the scheme has no categories".to_owned(),
            ids => format!("a code of the scheme ({})", ids.join(", ")),
        };
        Self {
            scheme,
            codes,
            table,
        }
    }

    fn halves(&self, who: Who) -> bool {
        let halves = self.scheme.severity.as_ref().map(|scale| scale.halves);
        halves.is_some_and(|halves| match who {
            Who::Judge => halves.judge,
            Who::Rater => halves.rater,
            Who::Ruling => halves.ruling,
        })
    }
}

impl CodeBook for Book {
    fn resolve(&self, code: &str, name: Option<&str>) -> Option<Resolved> {
        let found = self.table.resolve(&self.scheme, code, name)?;
        Some(Resolved {
            category: found.category,
            subcategory: found.subcategory,
        })
    }

    fn severity_ok(&self, value: f64, who: Who) -> bool {
        self.scheme
            .severity
            .as_ref()
            .is_some_and(|scale| scale.allows(value, self.halves(who)))
    }

    fn severity_expected(&self, who: Who) -> String {
        let Some(scale) = &self.scheme.severity else {
            return "nothing: the scheme has no severity".to_owned();
        };
        let values: Vec<String> = scale.values().into_iter().map(shortest).collect();
        let halves = if self.halves(who) {
            ", halves between them allowed"
        } else {
            ""
        };
        format!("one of {}{halves}", values.join(", "))
    }

    fn codes_expected(&self) -> String {
        self.codes.clone()
    }

    fn questions(&self) -> &[ItemQuestion] {
        &self.scheme.item_questions
    }

    fn unit(&self) -> UnitOfAnnotation {
        self.scheme.unit
    }

    fn validity_ok(&self, value: &str) -> bool {
        self.scheme
            .candidates
            .validity
            .iter()
            .any(|level| level.value.as_str() == value)
    }

    fn validity_expected(&self) -> String {
        let words: Vec<&str> = self
            .scheme
            .candidates
            .validity
            .iter()
            .map(|level| level.value.as_str())
            .collect();
        format!("one of {}", words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::{Book, Table};
    use formats::{CodeBook, Who};
    use std::sync::Arc;

    fn stigma() -> Book {
        let text = domain::scheme::builtin("stigma").expect("compiled in");
        let scheme = domain::scheme::parse(text).expect("sound").0;
        Book::new(Arc::new(scheme), Table::default())
    }

    #[test]
    fn codes_of_every_taxonomy_lead_to_the_scheme() {
        let book = stigma();
        let sub = |code: &str, name| book.resolve(code, name).and_then(|found| found.subcategory);
        assert_eq!(sub("1.1", None).as_deref(), Some("1.1"));
        assert_eq!(sub("1.Violence Risk", None).as_deref(), Some("1.1"));
        assert_eq!(
            book.resolve("1", Some("Violence Risk"))
                .expect("a category")
                .category,
            "1"
        );
        assert!(book.resolve("9.9", None).is_none());
    }

    #[test]
    fn half_points_are_the_judges_alone() {
        let book = stigma();
        assert!(book.severity_ok(3.5, Who::Judge) && !book.severity_ok(3.5, Who::Rater));
        assert!(!book.severity_ok(5.5, Who::Judge) && !book.severity_ok(6.0, Who::Rater));
        assert_eq!(book.severity_expected(Who::Rater), "one of 1, 2, 3, 4, 5");
    }
}
