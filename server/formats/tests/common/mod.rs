//! A small coding manual to read files with.

use formats::{CodeBook, Resolved, Who};

/// Two categories, three codes of other taxonomies, severities 1 to 5 with halves for the judge.
pub struct Book;

impl CodeBook for Book {
    fn resolve(&self, code: &str, _name: Option<&str>) -> Option<Resolved> {
        let (category, subcategory) = match code {
            "4" => ("4", None),
            "4.1" => ("4", Some("4.1")),
            "4.5" | "F5" => ("4", Some("4.5")),
            "6" => ("6", None),
            "6.1" | "6.Conditional Acceptance" => ("6", Some("6.1")),
            _ => return None,
        };
        Some(Resolved {
            category: category.to_owned(),
            subcategory: subcategory.map(str::to_owned),
        })
    }

    fn severity_ok(&self, value: f64, who: Who) -> bool {
        let steps = if who == Who::Rater {
            value
        } else {
            value * 2.0
        };
        (1.0..=5.0).contains(&value) && steps.fract() == 0.0
    }

    fn severity_expected(&self, who: Who) -> String {
        match who {
            Who::Judge | Who::Ruling => "1 to 5 in halves".to_owned(),
            Who::Rater => "1, 2, 3, 4 or 5".to_owned(),
        }
    }

    fn codes_expected(&self) -> String {
        "a code of the scheme".to_owned()
    }
}
