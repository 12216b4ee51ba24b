//! What a reader must know of a study's scheme, and no more.

use domain::scheme::{ItemQuestion, UnitOfAnnotation};

/// A code of the file, mapped to the scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// Category id of the scheme.
    pub category: String,
    /// Subcategory id, unless the code names a whole category.
    pub subcategory: Option<String>,
}

/// Whose severity is meant: halves may be the judge's alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The language model that proposed the tag.
    Judge,
    /// A person.
    Rater,
    /// Whoever settles where raters differ: half points arise from two ratings.
    Ruling,
}

/// The scheme as a reader sees it.
pub trait CodeBook {
    /// The scheme's ids for a code as written, with the name beside it where the file has one.
    fn resolve(&self, code: &str, name: Option<&str>) -> Option<Resolved>;

    /// Whether the scale has this value for this kind of author.
    fn severity_ok(&self, value: f64, who: Who) -> bool;

    /// The values that [`CodeBook::severity_ok`] accepts, in words for a message.
    fn severity_expected(&self, who: Who) -> String;

    /// The codes that [`CodeBook::resolve`] knows, in words for a message.
    fn codes_expected(&self) -> String;

    /// Whether the scheme has this validity judgement.
    fn validity_ok(&self, value: &str) -> bool {
        ["valid", "valid_other_subcategory", "invalid"].contains(&value)
    }

    /// The scheme's questions about an item.
    fn questions(&self) -> &[ItemQuestion] {
        &[]
    }

    /// What gets a value under the scheme.
    fn unit(&self) -> UnitOfAnnotation {
        UnitOfAnnotation::Candidate
    }

    /// The values that [`CodeBook::validity_ok`] accepts, in words for a message.
    fn validity_expected(&self) -> String {
        "valid, valid_other_subcategory or invalid".to_owned()
    }
}
