//! The categories of the manual, and their codes in other taxonomies.

use serde::{Deserialize, Serialize};

/// A category of the manual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// Its code, for example `1`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it means.
    #[serde(default)]
    pub definition: String,
    /// Whether the source study ever observed it.
    #[serde(default = "yes")]
    pub observed: bool,
    /// A remark shown with it.
    #[serde(default)]
    pub note: String,
    /// Its subcategories.
    #[serde(default)]
    pub subcategories: Vec<Subcategory>,
}

fn yes() -> bool {
    true
}

/// A subcategory of the manual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subcategory {
    /// Its code, for example `1.2`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it means.
    #[serde(default)]
    pub definition: String,
    /// What belongs to it.
    #[serde(default)]
    pub include: Vec<String>,
    /// What does not.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Worked examples.
    #[serde(default)]
    pub examples: Vec<Example>,
}

/// A worked example of a subcategory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The words.
    pub text: String,
    /// How severe they are.
    #[serde(default)]
    pub severity: Option<f64>,
    /// Why.
    #[serde(default)]
    pub why: String,
}

/// How a code of another taxonomy maps to this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeMap {
    /// Which taxonomy the code belongs to.
    pub taxonomy: String,
    /// The code there.
    pub from: String,
    /// The category or subcategory here.
    pub to: String,
    /// A remark where the fit is loose.
    #[serde(default)]
    pub note: String,
}

/// A category and, where there is one, a subcategory of a scheme, by their codes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CategoryRef {
    /// The category's code.
    pub category: String,
    /// The subcategory's code.
    pub subcategory: Option<String>,
}
