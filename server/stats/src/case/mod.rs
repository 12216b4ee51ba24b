//! The JSON case protocol: one case in, one flat object of numbers and nulls out.

mod agreement;
mod classification;
mod flat;
mod input;
mod judge;
mod plan;
mod resampling;

use flat::Flat;
use input::Input;
use std::fmt;

/// Why a case cannot be read; the message names the field and, in a matrix, row and column from 1.
///
/// ```
/// let error = stats::case::answer("{\"task\": 3}").expect_err("no task");
/// assert_eq!(error.to_string(), "task: expected a string, found 3");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CaseError(String);

impl CaseError {
    fn new(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self(format!("{place}: {message}"))
    }
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CaseError {}

/// Answers one case.
///
/// `task` decides what is read: `agreement`, `classification`, `mcnemar`, `marginal`, `alt_test`, `ppi`, `rogan_gladen`,
/// `bootstrap`, `kalpha_bootstrap`, `sample_size`. Undefined statistics are null, with their code under `reasons`.
///
/// # Errors
/// When the text is not JSON, the task unknown, or a field missing or of the wrong kind.
///
/// ```
/// let answer = stats::case::answer(r#"{"task": "agreement", "ratings": [[1, 1], [2, 1]], "scale": "nominal", "categories": [1, 2]}"#);
/// assert!(answer.expect("a sound case").contains("\"percent_agreement\":0.5"));
/// ```
pub fn answer(text: &str) -> Result<String, CaseError> {
    let input = Input::parse(text)?;
    let mut flat = Flat::default();
    match input.text("task")?.as_str() {
        "agreement" => agreement::answer(&input, &mut flat)?,
        "classification" => classification::answer(&input, &mut flat)?,
        "mcnemar" => classification::mcnemar(&input, &mut flat)?,
        "marginal" => classification::marginal(&input, &mut flat)?,
        "alt_test" => judge::alt_test(&input, &mut flat)?,
        "ppi" => judge::ppi(&input, &mut flat)?,
        "rogan_gladen" => judge::rogan_gladen(&input, &mut flat)?,
        "bootstrap" => resampling::bootstrap(&input, &mut flat)?,
        "kalpha_bootstrap" => resampling::kalpha(&input, &mut flat)?,
        "sample_size" => plan::sample_size(&input, &mut flat)?,
        other => return Err(CaseError::new("task", format!("`{other}` is not known"))),
    }
    Ok(flat.into_json())
}
