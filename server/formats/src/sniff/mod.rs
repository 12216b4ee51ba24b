//! Naming a format by its content, never by the name of the file.

mod document;
mod table;

use domain::count::count;
use std::fmt;

use crate::{
    Problem, mindeval,
    problem::excerpt,
    rated::{argilla, webanno},
};
use document::{document, small_tasks, tasks};
use table::by_header;

/// How many bytes [`sniff`] wants to see; fewer do when the file is shorter.
pub const SNIFFED_BYTES: usize = 64 << 10;

const KNOWN: &str = "consilium JSON Lines (key, trace or segments), tagged-trace JSON Lines (vignette, reasoning, tags), a dual-annotation CSV (example_id, tag_item_id, tag_code, tag_evidence), a table of ratings (item, rater, score), or another format of docs/formats.md";

/// A format of judged traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Our own: one judged trace a line, spans by offset or by quotation.
    ConsiliumJsonl,
    /// One trace a line with the judge's tags inside, as the stigma study publishes its runs.
    TaggedTraceJsonl,
    /// One candidate a row with two people's ratings beside it.
    DualAnnotationCsv,
    /// A run of MindEval 2: a folder of files, or a zip archive of it.
    MindevalRun,
    /// Clinicians' severities of replies, as MindEval 2 publishes them.
    MindevalHumanJson,
    /// Answers of several people side by side, as Argilla exports them.
    ArgillaJsonl,
    /// Ratings as a table: long, wide, counts, judge validation, MQM, or judges' answers in cells.
    RatingsTable,
    /// A data set of JUDGE-BENCH.
    JudgeBenchJson,
    /// Raters' values by item, as alt-tests read them.
    AltTestJson,
    /// Tasks of Label Studio.
    LabelStudioJson,
    /// Annotated instances of Potato.
    PotatoJsonl,
    /// A document of WebAnno or INCEpTION.
    WebannoTsv,
    /// Final values as a table, one unit a row.
    RulingsCsv,
    /// A published manual whose examples carry their final severity.
    ManualJson,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 14] = [
        Self::ConsiliumJsonl,
        Self::TaggedTraceJsonl,
        Self::DualAnnotationCsv,
        Self::MindevalRun,
        Self::MindevalHumanJson,
        Self::ArgillaJsonl,
        Self::RatingsTable,
        Self::JudgeBenchJson,
        Self::AltTestJson,
        Self::LabelStudioJson,
        Self::PotatoJsonl,
        Self::WebannoTsv,
        Self::RulingsCsv,
        Self::ManualJson,
    ];

    /// The name used on the command line and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConsiliumJsonl => "consilium-jsonl",
            Self::TaggedTraceJsonl => "tagged-trace-jsonl",
            Self::DualAnnotationCsv => "dual-annotation-csv",
            Self::MindevalRun => "mindeval-run",
            Self::MindevalHumanJson => "mindeval-human-json",
            Self::ArgillaJsonl => "argilla-jsonl",
            Self::RatingsTable => "ratings-table",
            Self::JudgeBenchJson => "judge-bench-json",
            Self::AltTestJson => "alt-test-json",
            Self::LabelStudioJson => "label-studio-json",
            Self::PotatoJsonl => "potato-jsonl",
            Self::WebannoTsv => "webanno-tsv",
            Self::RulingsCsv => "rulings-csv",
            Self::ManualJson => "manual-json",
        }
    }

    /// Whether it holds final values of units that are there, and nothing to judge.
    pub const fn brings_rulings(self) -> bool {
        matches!(self, Self::RulingsCsv | Self::ManualJson)
    }

    /// The format that [`Format::as_str`] calls `name`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Names the format of a file from its first [`SNIFFED_BYTES`] bytes.
///
/// # Errors
/// A problem at line 1 that says what the file seems to be instead.
pub fn sniff(head: &[u8]) -> Result<Format, Problem> {
    if let Some(kind) = binary(head) {
        return Err(unknown(kind));
    }
    let text = decode(head)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(first) = text
        .split('\n')
        .map(str::trim)
        .find(|line| !line.is_empty())
    else {
        return Err(unknown("an empty file"));
    };
    if first.starts_with(webanno::HEAD) {
        return Ok(Format::WebannoTsv);
    }
    match first.chars().next() {
        Some('{') => match document(text) {
            Some(format) => Ok(format),
            None => by_keys(&top_level_keys(first)),
        },
        Some('[') if tasks(text) => Ok(Format::LabelStudioJson),
        Some('[') if small_tasks(text) => Err(Problem::new(
            1,
            "tasks of Label Studio in its small form, JSON-MIN",
            "its export JSON, which has the annotations of each task",
        )),
        Some('[') => Err(Problem::new(
            1,
            "a JSON list",
            "JSON Lines: one object on each line, without brackets around them",
        )),
        Some('<') => Err(unknown("a page of HTML or XML")),
        _ => by_header(text),
    }
}

/// Names the format of several files that belong together.
///
/// # Errors
/// A problem that says what was looked for.
pub fn sniff_tree(names: &[String]) -> Result<Format, Problem> {
    if mindeval::recognises(names) {
        return Ok(Format::MindevalRun);
    }
    let sheet = names.iter().any(|name| name.starts_with("xl/"));
    Err(if sheet {
        unknown("an Excel workbook (save its sheet as CSV UTF-8)")
    } else {
        Problem::new(
            1,
            count(names.len(), "file", "files") + " without a session among them",
            "a run of MindEval 2: members/ID/arc/SESSION/trace.jsonl, and verdicts under judge",
        )
    })
}

fn unknown(found: impl Into<String>) -> Problem {
    Problem::new(1, found, KNOWN)
}

/// What a file that is no UTF-8 text seems to be.
fn binary(head: &[u8]) -> Option<&'static str> {
    const SIGNATURES: [(&[u8], &str); 6] = [
        (
            b"PK\x03\x04",
            "a ZIP archive, perhaps an Excel workbook (save its sheet as CSV UTF-8)",
        ),
        (
            b"\xd0\xcf\x11\xe0",
            "an old Excel or Word file (save its sheet as CSV UTF-8)",
        ),
        (b"\x1f\x8b", "a gzip archive (unpack it first)"),
        (b"%PDF", "a PDF file"),
        (b"\xff\xfe", "UTF-16 text (save it again as UTF-8)"),
        (b"\xfe\xff", "UTF-16 text (save it again as UTF-8)"),
    ];
    let signature = SIGNATURES
        .iter()
        .find(|(bytes, _)| head.starts_with(bytes))
        .map(|&(_, kind)| kind);
    signature.or_else(|| {
        head.contains(&0)
            .then_some("NUL bytes, so a binary file or UTF-16 text (save it again as UTF-8)")
    })
}

/// The readable beginning; a bad byte is a problem only on the first line, later ones are the reader's to place.
fn decode(head: &[u8]) -> Result<&str, Problem> {
    match std::str::from_utf8(head) {
        Ok(text) => Ok(text),
        Err(error) => {
            let valid = std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default();
            // Without a length the error is only that the head ends inside a character.
            if valid
                .trim_start_matches(['\u{feff}', '\n', '\r'])
                .contains('\n')
                || error.error_len().is_none()
            {
                Ok(valid)
            } else {
                Err(Problem::new(
                    1,
                    "bytes that are not UTF-8",
                    "UTF-8 text; save the file again as UTF-8 (not Latin-1 or Windows-1252)",
                ))
            }
        }
    }
}

fn by_keys(keys: &[String]) -> Result<Format, Problem> {
    let has = |key: &str| keys.iter().any(|known| known == key);
    if has("trace") || has("segments") {
        Ok(Format::ConsiliumJsonl)
    } else if has("reasoning") && (has("vignette") || has("tags")) {
        Ok(Format::TaggedTraceJsonl)
    } else if keys.iter().any(|key| key.ends_with(argilla::USERS)) {
        Ok(Format::ArgillaJsonl)
    } else if has("label_annotations") || has("span_annotations") {
        Ok(Format::PotatoJsonl)
    } else if has("key") && (has("candidates") || has("judge") || has("vignette")) {
        Ok(Format::ConsiliumJsonl)
    } else if keys.is_empty() {
        Err(unknown(
            "a JSON object without fields on its first line; each object must stand on one line",
        ))
    } else {
        Err(unknown(excerpt(&format!(
            "JSON with the fields {}",
            keys.join(", ")
        ))))
    }
}

/// The names of an object's own fields, as far as the line goes: it may be cut off.
fn top_level_keys(line: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let (mut depth, mut expects_key) = (0_u32, false);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match c {
            '{' | '[' => (depth, expects_key) = (depth + 1, c == '{'),
            '}' | ']' => depth = depth.saturating_sub(1),
            ',' => expects_key = depth == 1,
            '"' => {
                let key = string(&mut characters);
                if depth == 1 && expects_key {
                    keys.push(key);
                }
                expects_key = false;
            }
            _ => {}
        }
    }
    keys
}

/// The rest of a JSON string after its opening mark, escapes kept as they are.
fn string(characters: &mut std::str::Chars<'_>) -> String {
    let mut text = String::new();
    while let Some(c) = characters.next() {
        match c {
            '"' => break,
            '\\' => text.extend([Some(c), characters.next()].into_iter().flatten()),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(head: &[u8]) -> String {
        sniff(head).unwrap_err().found
    }

    #[test]
    fn formats_are_known_by_their_fields() {
        assert_eq!(
            sniff(br#"{"key":"a","trace":"t"}"#),
            Ok(Format::ConsiliumJsonl)
        );
        assert_eq!(
            sniff("\u{feff}\r\n{\"segments\":[".as_bytes()),
            Ok(Format::ConsiliumJsonl)
        );
        assert_eq!(
            sniff(br#"{"vignette":"v","question":"q","reasoning":"r","model":"m","tags":[]}"#),
            Ok(Format::TaggedTraceJsonl)
        );
        assert_eq!(
            sniff(b"order,tag_item_id,example_id\n"),
            Ok(Format::DualAnnotationCsv)
        );
        for format in Format::ALL {
            assert_eq!(Format::parse(format.as_str()), Some(format));
        }
    }

    #[test]
    fn fields_of_inner_objects_and_values_do_not_count() {
        let keys = top_level_keys(r#"{"a":"key","b":{"trace":1},"c":["x",{"y":2}],"d\"e":[],"f"#);
        assert_eq!(keys, ["a", "b", "c", "d\\\"e", "f"]);
        assert!(sniff(br#"{"vignette":"trace, segments","extra":{"trace":1}}"#).is_err());
    }

    #[test]
    fn files_of_other_kinds_are_named() {
        assert!(found(b"PK\x03\x04rest").starts_with("a ZIP archive"));
        assert!(found(b"\xff\xfeo\0r\0").starts_with("UTF-16"));
        assert!(found(b"o\0r\0").starts_with("NUL bytes"));
        assert_eq!(found(b"caf\xe9,b\n"), "bytes that are not UTF-8");
        assert_eq!(found(b""), "an empty file");
        assert_eq!(found(b"\xef\xbb\xbf \r\n\n"), "an empty file");
        assert_eq!(found(b"<!doctype html>"), "a page of HTML or XML");
        assert_eq!(found(b"[{\"key\":1}]"), "a JSON list");
        assert_eq!(
            found(b"{\n"),
            "a JSON object without fields on its first line; each object must stand on one line"
        );
        assert_eq!(
            found(br#"{"question":"q","options":[]}"#),
            "JSON with the fields question, options"
        );
        assert_eq!(
            found(b"example_id;tag_item_id;x\n"),
            "columns separated by semicolons"
        );
        assert_eq!(found(b"She said so.\n"), "text without columns");
        assert_eq!(found(b"a,b,c\n"), "a table of 3 columns with other names");
    }

    #[test]
    fn bad_bytes_after_the_first_line_are_left_to_the_reader() {
        assert_eq!(
            sniff(b"example_id,tag_code\n\xe9"),
            Ok(Format::DualAnnotationCsv)
        );
        let mut cut = "example_id,tag_code,ü".as_bytes().to_vec();
        cut.pop();
        assert_eq!(sniff(&cut), Ok(Format::DualAnnotationCsv));
    }
}
