//! What the names of folders and files say about a run, where its records do not.

use crate::record::JudgeRecord;

/// What is known of a file beyond its content. A record that says otherwise is believed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stated {
    /// The model that wrote the traces.
    pub model: Option<String>,
    /// How the model was asked.
    pub mode: Option<String>,
    /// Who judged: name, model, prompt version; for records that do not name their judge.
    pub judge: Option<[String; 3]>,
}

impl Stated {
    /// Reads the parts of a path, the last one being the file's name.
    ///
    /// Two spellings are known: settings joined by `&`, as in `model=gpt&steel-man-prompt=True`, and names of the kind
    /// `gpt-4o_NTCOT_Tagged`, where what stands before the last mark of the run is the model.
    ///
    /// ```
    /// let said = formats::Stated::of_path("results/gpt-4o_NTCOT_Tagged/2026-03-01.jsonl");
    /// assert_eq!((said.model.as_deref(), said.mode.as_deref()), (Some("gpt-4o"), Some("NTCOT")));
    /// ```
    pub fn of_path(path: &str) -> Self {
        let parts = path.rsplit(['/', '\\']);
        parts
            .map(|part| part.strip_suffix(".jsonl").unwrap_or(part))
            .find_map(|part| settings(part).or_else(|| tagged(part)))
            .unwrap_or_default()
    }

    /// The judge of a record that names none.
    pub(crate) fn judge(&self) -> Option<JudgeRecord> {
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let [name, model, prompt_version] = self.judge.as_ref()?;
        Some(JudgeRecord {
            name: name.clone(),
            model: some(model),
            prompt_version: some(prompt_version),
            ..JudgeRecord::unnamed()
        })
    }
}

/// `k=v&k=v`: the model, and everything else as the mode.
fn settings(part: &str) -> Option<Stated> {
    let pairs: Option<Vec<(&str, &str)>> =
        part.split('&').map(|pair| pair.split_once('=')).collect();
    let pairs = pairs?;
    let model = pairs.iter().find(|(key, _)| *key == "model");
    let rest: Vec<String> = pairs
        .iter()
        .filter(|(key, _)| *key != "model")
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    Some(Stated {
        model: model.map(|(_, value)| (*value).to_owned()),
        mode: Some(rest.join("&")).filter(|mode| !mode.is_empty()),
        judge: None,
    })
}

/// `MODEL_MODE_Tagged`, where the mode is in capitals.
fn tagged(part: &str) -> Option<Stated> {
    let (model, mode) = part.strip_suffix("_Tagged")?.rsplit_once('_')?;
    let capitals = !mode.is_empty()
        && mode
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    (capitals && !model.is_empty()).then(|| Stated {
        model: Some(model.to_owned()),
        mode: Some(mode.to_owned()),
        judge: None,
    })
}

#[cfg(test)]
mod tests {
    use super::Stated;

    /// Model and mode, each empty where nothing is said.
    fn said(path: &str) -> [String; 2] {
        let stated = Stated::of_path(path);
        [stated.model, stated.mode].map(Option::unwrap_or_default)
    }

    #[test]
    fn folders_tell_the_model_and_the_mode() {
        assert_eq!(
            said("results/stigma/model=gpt-4o&steel-man-prompt=True/2025.jsonl"),
            ["gpt-4o", "steel-man-prompt=True"]
        );
        assert_eq!(
            said("claude_opus_4_COT_Tagged/a.jsonl"),
            ["claude_opus_4", "COT"]
        );
        assert_eq!(said("model=x.jsonl"), ["x", ""]);
    }

    #[test]
    fn other_names_tell_nothing() {
        for path in [
            "results/a.jsonl",
            "a_b_Tagged/x.jsonl",
            "_COT_Tagged/x.jsonl",
            "model=x&y/a.jsonl",
            "",
        ] {
            assert_eq!(said(path), ["", ""], "{path}");
        }
    }
}
