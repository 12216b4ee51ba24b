//! The settings of a run: who its counsellor is.

use serde_json::{Value, json};

use super::text_of;
use crate::{
    Notice, Problem, Tree,
    digest::{digest, short_hex},
    read::{Reading, Stop},
};

/// How much of a counsellor's mark is enough to tell a study's counsellors apart.
const MARK: usize = 8;

/// The counsellor of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Counsellor {
    /// What its keys begin with; empty where nothing says who it was. Raters see keys and may be blind to the model, so it is a mark
    /// and no name.
    pub(super) prefix: String,
    /// Its model.
    pub(super) model: Option<String>,
}

/// The counsellor that `run.json` names.
pub(super) fn counsellor(
    tree: &mut dyn Tree,
    name: &str,
    reading: &mut Reading<'_>,
) -> Result<Counsellor, Stop> {
    let Some(text) = text_of(tree, name)? else {
        reading.leave_out(Notice {
            line: None,
            subject: name.to_owned(),
            reason: "it is not there, so that nothing says which counsellor this was".to_owned(),
        });
        return Ok(Counsellor::default());
    };
    let run: Value = match serde_json::from_str(&text) {
        Ok(run) => run,
        Err(error) => {
            let problem = Problem::new(
                error.line() as u64,
                "broken JSON",
                "the settings of the run as JSON",
            );
            reading.problem(problem.field(name.to_owned()));
            return Ok(Counsellor::default());
        }
    };
    let model = run.pointer("/counselor/model").and_then(Value::as_str);
    Ok(Counsellor {
        prefix: mark(&run).map_or_else(String::new, |mark| format!("{mark}/")),
        model: model.map(str::to_owned),
    })
}

/// The same for the same counsellor and seed, wherever the folder lies and however far the run has come.
fn mark(run: &Value) -> Option<String> {
    let counsellor = run.get("counselor").filter(|of| of.is_object())?;
    let parts = [
        "model",
        "system_prompt_sha256",
        "temperature",
        "max_tokens",
        "params",
    ];
    let mut said: Vec<&Value> = parts.iter().map(|part| &counsellor[part]).collect();
    said.push(&run["seed"]);
    let mut hex = short_hex(digest(&[json!(said).to_string()]));
    hex.truncate(MARK);
    Some(hex)
}
