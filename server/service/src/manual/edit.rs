//! One change of a coding manual, as the interface offers it.

use crate::error::Result;
use domain::refusal::Refusal;
use domain::scheme::{Example, Scheme};
use serde::{Deserialize, Serialize};

/// One change of a coding manual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Edit {
    /// Rewords a category.
    Category {
        /// Its code.
        code: String,
        /// What it means.
        definition: String,
        /// The remark shown with it.
        note: String,
    },
    /// Rewords a subcategory.
    Subcategory {
        /// Its code.
        code: String,
        /// What it means.
        definition: String,
        /// What belongs to it.
        include: Vec<String>,
        /// What does not.
        exclude: Vec<String>,
    },
    /// Rewords a level of the scale.
    Level {
        /// Its value.
        value: f64,
        /// What it means.
        definition: String,
    },
    /// Adds a worked example to a subcategory.
    Example {
        /// The subcategory's code.
        code: String,
        /// The words.
        text: String,
        /// How severe they are.
        severity: Option<f64>,
        /// Why.
        why: String,
    },
}

impl Edit {
    /// Makes the change.
    ///
    /// # Errors
    /// [`Refusal::InputInvalid`] for a code or value that the manual does not have, or an example without words.
    pub(super) fn apply(self, scheme: &mut Scheme) -> Result<()> {
        match self {
            Self::Category {
                code,
                definition,
                note,
            } => {
                let category = scheme.categories.iter_mut().find(|c| c.id == code);
                let category = category.ok_or(Refusal::InputInvalid)?;
                category.definition = tidy(&definition);
                category.note = tidy(&note);
            }
            Self::Subcategory {
                code,
                definition,
                include,
                exclude,
            } => {
                let sub = subcategory(scheme, &code)?;
                sub.definition = tidy(&definition);
                sub.include = lines(&include);
                sub.exclude = lines(&exclude);
            }
            Self::Level { value, definition } => {
                let scale = scheme.severity.as_mut().ok_or(Refusal::InputInvalid)?;
                let level = scale.levels.iter_mut().find(|level| level.value == value);
                level.ok_or(Refusal::InputInvalid)?.definition = tidy(&definition);
            }
            Self::Example {
                code,
                text,
                severity,
                why,
            } => {
                let allowed = severity.is_none_or(|value| {
                    let scale = scheme.severity.as_ref();
                    scale.is_some_and(|scale| scale.allows(value, scale.halves.ruling))
                });
                let text = tidy(&text);
                if text.is_empty() || !allowed {
                    return Err(Refusal::InputInvalid.into());
                }
                let sub = subcategory(scheme, &code)?;
                sub.examples.push(Example {
                    text,
                    severity,
                    why: tidy(&why),
                });
            }
        }
        Ok(())
    }
}

fn subcategory<'a>(
    scheme: &'a mut Scheme,
    code: &str,
) -> Result<&'a mut domain::scheme::Subcategory> {
    let mut all = scheme
        .categories
        .iter_mut()
        .flat_map(|category| &mut category.subcategories);
    Ok(all
        .find(|sub| sub.id == code)
        .ok_or(Refusal::InputInvalid)?)
}

/// Line ends as one writes them, nothing around.
fn tidy(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

fn lines(notes: &[String]) -> Vec<String> {
    notes
        .iter()
        .map(|note| tidy(note))
        .filter(|note| !note.is_empty())
        .collect()
}
