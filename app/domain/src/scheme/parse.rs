//! Reading a scheme file: shape by serde with line and column, then the rules that shape cannot say.

use super::Scheme;
use super::check::{Complaint, check};
use sha2::{Digest, Sha256};
use std::fmt;

/// Why a scheme file is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemeError {
    /// Counted from 1; 0 when the problem has no single place.
    pub line: usize,
    /// Counted from 1 in code points; 0 when the problem has no single place.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl fmt::Display for SchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            f.write_str(&self.message)
        } else {
            write!(
                f,
                "line {}, column {}: {}",
                self.line, self.column, self.message
            )
        }
    }
}

impl std::error::Error for SchemeError {}

/// Reads a scheme and the hash that names it (SHA-256 of its text, in hex).
///
/// # Errors
/// The first problem, with its line and column where it has one.
pub fn parse(text: &str) -> Result<(Scheme, String), SchemeError> {
    let scheme: Scheme = toml::from_str(text).map_err(|error| {
        let (line, column) = error
            .span()
            .map_or((0, 0), |span| position(text, span.start));
        SchemeError {
            line,
            column,
            message: error.message().to_owned(),
        }
    })?;
    check(&scheme).map_err(|complaint| located(text, complaint))?;
    Ok((scheme, hex::encode(Sha256::digest(text.as_bytes()))))
}

/// The text of a scheme that was changed here; its comments are those of the file it came from no longer.
///
/// # Errors
/// When the scheme breaks a rule that [`parse`] checks.
pub fn write(scheme: &Scheme) -> Result<String, SchemeError> {
    let text = toml::to_string_pretty(scheme).map_err(|error| SchemeError {
        line: 0,
        column: 0,
        message: error.to_string(),
    })?;
    parse(&text).map(|_| text)
}

/// The names of the built-in schemes.
pub const BUILTIN: [&str; 5] = [
    "stigma",
    "miramind-trajectory",
    "psrs-main-results",
    "mindeval2-mqm",
    "mindeval1-rubric",
];

/// The text of a built-in scheme.
pub fn builtin(id: &str) -> Option<&'static str> {
    match id {
        "stigma" => Some(include_str!("../../schemes/stigma.toml")),
        "miramind-trajectory" => Some(include_str!("../../schemes/miramind-trajectory.toml")),
        "psrs-main-results" => Some(include_str!("../../schemes/psrs-main-results.toml")),
        "mindeval2-mqm" => Some(include_str!("../../schemes/mindeval2-mqm.toml")),
        "mindeval1-rubric" => Some(include_str!("../../schemes/mindeval1-rubric.toml")),
        _ => None,
    }
}

/// Where a complaint stands: the words it names, looked for from the head of its section on.
fn located(text: &str, complaint: Complaint) -> SchemeError {
    let head = complaint.section.and_then(|(head, nth)| {
        let starts = text.match_indices(head).map(|(at, _)| at);
        starts
            .filter(|at| {
                text[..*at]
                    .rsplit('\n')
                    .next()
                    .is_some_and(|before| before.trim().is_empty())
            })
            .nth(nth)
    });
    let from = head.unwrap_or_default();
    let tight = complaint.needle.replace(" = ", "=");
    let found = [complaint.needle.as_str(), &tight]
        .into_iter()
        .find_map(|needle| {
            let beginning = |at: &usize| {
                let before = text[..*at].chars().next_back();
                before.is_none_or(|c| !(c.is_alphanumeric() || c == '_'))
            };
            text[from..]
                .match_indices(needle)
                .map(|(at, _)| from + at)
                .find(beginning)
        });
    let (line, column) = found
        .filter(|_| !complaint.needle.is_empty())
        .or(head)
        .map_or((0, 0), |byte| position(text, byte));
    SchemeError {
        line,
        column,
        message: complaint.message,
    }
}

fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::{BUILTIN, builtin, parse};

    #[test]
    fn what_is_written_reads_back_as_it_was() {
        for id in BUILTIN {
            let (scheme, _) = parse(builtin(id).expect("built in")).expect("read");
            let text = super::write(&scheme).expect("written");
            assert_eq!(parse(&text).expect("read back").0, scheme, "{id}");
        }
    }

    const SMALL: &str = "id = \"x\"\nversion = 1\ntitle = \"X\"\nunit = \"item\"\n";

    const REMARK: &str = "[[items]]\nid = \"tone\"\nkind = \"text\"\nquestion = \"Say?\"\n";

    #[test]
    fn a_small_scheme_is_read_and_named_by_its_text() {
        let small = format!("{SMALL}{REMARK}");
        let (scheme, hash) = parse(&small).expect("sound");
        assert_eq!((scheme.id.as_str(), hash.len()), ("x", 64));
        assert_ne!(parse(&format!("{small}\n")).expect("sound").1, hash);
    }

    #[test]
    fn what_raters_could_not_answer_is_refused_where_it_stands() {
        assert!(refused("").2.contains("asks nothing"));
        let (line, _, message) = refused(&REMARK.replace("Say?", " "));
        assert_eq!((line, message.contains("write the question")), (8, true));
        let levels = "levels = [{value = 0, name = \"a\"}, {value = 2, name = \"b\"}]\n";
        let scale = REMARK.replace("text", "ordinal") + levels;
        assert!(parse(&format!("{SMALL}{scale}rationale_below = 2\n")).is_ok());
        let (line, _, message) = refused(&format!("{scale}rationale_below = 99\n"));
        assert_eq!((line, message.contains("outside its levels")), (10, true));
        let (line, ..) = refused(&format!("{scale}[disagreement]\ndistance_above = -1\n"));
        assert_eq!(line, 11);
        let measure = "[[measures]]\nname = \"m\"\nkind = \"level_rate\"\nquestion = \"tone\"\n";
        assert!(parse(&format!("{SMALL}{scale}{measure}")).is_ok());
        let (line, _, message) = refused(&format!("{scale}{measure}zero_unless = \"correct\"\n"));
        assert_eq!((line, message.contains("as zero")), (14, true));
    }

    #[test]
    fn a_wrong_word_is_reported_with_line_and_column() {
        let error = parse(&SMALL.replace("\"item\"", "\"page\"")).expect_err("page is no unit");
        assert_eq!((error.line, error.column), (4, 8));
    }

    #[test]
    fn label_studio_1957_two_answers_with_one_key_are_refused() {
        let text = format!(
            "{SMALL}[candidates]\nasked = true\n[[candidates.validity]]\nvalue=\"valid\"\nkey = \"v\"\nname=\"V\"\n\
             [[candidates.validity]]\nvalue=\"invalid\"\nkey = \"v\"\nname=\"I\"\n"
        );
        assert!(
            parse(&text)
                .expect_err("one key twice")
                .message
                .contains("used once")
        );
    }

    #[test]
    fn a_code_used_twice_is_refused_where_it_stands() {
        let text = format!(
            "{SMALL}[[categories]]\nid = \"1\"\nname = \"A\"\n[[categories]]\nid = \"1\"\nname = \"B\"\n"
        );
        assert_eq!(parse(&text).expect_err("twice").line, 6);
    }

    #[test]
    fn the_builtin_schemes_are_sound() {
        let (scheme, _) = parse(builtin("stigma").expect("compiled in")).expect("sound");
        assert_eq!(
            scheme.severity.expect("has a scale").values(),
            [1.0, 2.0, 3.0, 4.0, 5.0]
        );
        assert_eq!(scheme.categories.iter().filter(|c| c.observed).count(), 6);
        assert_eq!(scheme.categories.len(), 8);
        assert!(builtin("nothing").is_none());
    }

    #[test]
    fn every_builtin_scheme_reads_and_bears_its_own_name() {
        for id in BUILTIN {
            let text = builtin(id).expect("compiled in");
            match parse(text) {
                Ok((scheme, _)) => assert_eq!(scheme.id, id),
                Err(error) => panic!("{id}: {error}"),
            }
        }
    }

    fn refused(more: &str) -> (usize, usize, String) {
        let error = parse(&format!("{SMALL}{more}")).expect_err("refused");
        (error.line, error.column, error.message)
    }

    #[test]
    fn a_question_is_refused_where_it_stands() {
        let first = "[[items]]\nid = \"tone\"\nkind = \"text\"\nquestion = \"?\"\n";
        let (line, column, message) = refused(&format!("{first}{first}"));
        assert_eq!((line, column), (10, 1));
        assert!(message.contains("declared twice"), "{message}");
        let (line, _, message) = refused(&first.replace("text", "nominal"));
        assert_eq!(line, 5);
        assert!(message.contains("two levels"), "{message}");
    }

    #[test]
    fn levels_that_do_not_ascend_are_refused() {
        let text = "[[items]]\nid = \"t\"\nkind = \"ordinal\"\nquestion = \"?\"\nlevels = [{value = 2, name = \"b\"}, {value = 1, name = \"a\"}]\n";
        assert!(refused(text).2.contains("ascend"));
    }

    #[test]
    fn a_measure_of_a_question_that_is_not_asked_is_refused() {
        let (line, column, message) =
            refused("[[measures]]\nname = \"m\"\nkind = \"mean\"\nquestion = \"tone\"\n");
        assert_eq!((line, column), (8, 1));
        assert!(message.contains("\"tone\""), "{message}");
    }
}
