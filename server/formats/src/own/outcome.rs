//! Who judged, and whether there is a verdict at all.

use crate::{
    Problems,
    json::Fields,
    record::{JudgeOutcome, JudgeRecord},
};

/// The field `judge`.
pub(super) fn judge(fields: &mut Fields, problems: &mut Problems) -> JudgeRecord {
    let unnamed = JudgeRecord::unnamed();
    let Some(mut object) = fields.object("judge", problems) else {
        return unnamed;
    };
    let judge = JudgeRecord {
        name: object.words("name", problems).unwrap_or(unnamed.name),
        model: object.words("model", problems),
        prompt_version: object.words("prompt_version", problems),
        params: object.value("params").unwrap_or_default(),
    };
    object.refuse_rest("name, model, prompt_version or params", problems);
    judge
}

/// A list of candidates, even an empty one, is a verdict; `failure` is none, and so is neither.
pub(super) fn outcome(fields: &mut Fields, problems: &mut Problems) -> JudgeOutcome {
    let summary = fields.words("summary", problems);
    let failure = fields.words("failure", problems);
    let verdict = if fields.has("candidates") {
        Some("candidates")
    } else {
        fields.has("answers").then_some("answers")
    };
    match (failure, verdict.is_some()) {
        (Some(_), true) => {
            let found = format!("a failure and {}", verdict.unwrap_or_default());
            problems.add(fields.problem("failure", found, "one of them"));
            JudgeOutcome::Absent
        }
        (Some(kind), false) => JudgeOutcome::Failed { kind },
        (None, true) => JudgeOutcome::Judged { summary },
        (None, false) => {
            if summary.is_some() {
                problems.add(fields.problem(
                    "candidates",
                    "a summary without candidates",
                    "the list of candidates, which may be empty",
                ));
            }
            JudgeOutcome::Absent
        }
    }
}
