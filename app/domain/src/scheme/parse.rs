//! Reading a scheme file: shape by serde with line and column, then the rules that shape cannot say.

use super::{Asked, Scheme, Validity};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
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
    check(&scheme).map_err(|(needle, message)| {
        let at = needle.and_then(|needle| text.find(&needle));
        let (line, column) = at.map_or((0, 0), |byte| position(text, byte));
        SchemeError {
            line,
            column,
            message,
        }
    })?;
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

/// The text of a built-in scheme.
pub fn builtin(id: &str) -> Option<&'static str> {
    match id {
        "stigma" => Some(include_str!("../../schemes/stigma.toml")),
        _ => None,
    }
}

fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

type Complaint = (Option<String>, String);

fn check(scheme: &Scheme) -> Result<(), Complaint> {
    let id_ok = |id: &str| {
        !id.is_empty()
            && id
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    if !id_ok(&scheme.id) {
        return Err((
            Some("id".into()),
            "a scheme id has letters, digits, - and _ only".into(),
        ));
    }
    let mut seen = HashSet::new();
    for category in &scheme.categories {
        for id in
            std::iter::once(&category.id).chain(category.subcategories.iter().map(|sub| &sub.id))
        {
            if !id_ok(id) || !seen.insert(id.clone()) {
                return Err((
                    Some(format!("id = \"{id}\"")),
                    format!("category code {id:?} is empty, malformed or used twice"),
                ));
            }
        }
    }
    for map in &scheme.codes {
        if scheme.find(&map.to).is_none() {
            return Err((
                Some(format!("to = \"{}\"", map.to)),
                format!("code map leads to {:?}, which is no category", map.to),
            ));
        }
    }
    check_scale(scheme)?;
    check_questions(scheme)
}

fn check_scale(scheme: &Scheme) -> Result<(), Complaint> {
    let Some(scale) = &scheme.severity else {
        return Ok(());
    };
    if scale.levels.len() < 2 {
        return Err((
            Some("[severity]".into()),
            "a severity scale needs two levels at least".into(),
        ));
    }
    if scale
        .levels
        .windows(2)
        .any(|pair| pair[0].value >= pair[1].value)
    {
        return Err((
            Some("[[severity.levels]]".into()),
            "severity levels must ascend".into(),
        ));
    }
    Ok(())
}

fn check_questions(scheme: &Scheme) -> Result<(), Complaint> {
    let asked = &scheme.candidates;
    if asked.asked {
        let values: HashSet<Validity> = asked.validity.iter().map(|level| level.value).collect();
        if !values.contains(&Validity::Valid) || !values.contains(&Validity::Invalid) {
            return Err((
                Some("[candidates]".into()),
                "candidates need at least the answers valid and invalid".into(),
            ));
        }
        let mut keys = HashSet::new();
        for level in &asked.validity {
            let reserved = ["n", "a", "?"].contains(&level.key.as_str());
            if level.key.chars().count() != 1 || reserved || !keys.insert(&level.key) {
                return Err((
                    Some(format!("key = \"{}\"", level.key)),
                    format!(
                        "key {:?} must be one letter, not n or a, and used once",
                        level.key
                    ),
                ));
            }
        }
    }
    let mut ids = HashSet::new();
    for question in &scheme.item_questions {
        if !ids.insert(&question.id) {
            return Err((
                Some(format!("id = \"{}\"", question.id)),
                format!("item question {:?} is declared twice", question.id),
            ));
        }
    }
    if scheme.missed.asked && scheme.missed.span != Asked::Hidden && scheme.categories.is_empty() {
        return Err((
            Some("[missed]".into()),
            "missed tags need categories to choose from".into(),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_written_reads_back_as_it_was() {
        let (scheme, _) = parse(builtin("stigma").expect("built in")).expect("read");
        let text = super::write(&scheme).expect("written");
        assert_eq!(parse(&text).expect("read back").0, scheme);
    }

    use super::{builtin, parse};

    const SMALL: &str = "id = \"x\"\nversion = 1\ntitle = \"X\"\nunit = \"item\"\n";

    #[test]
    fn a_small_scheme_is_read_and_named_by_its_text() {
        let (scheme, hash) = parse(SMALL).expect("sound");
        assert_eq!((scheme.id.as_str(), hash.len()), ("x", 64));
        assert_ne!(parse(&format!("{SMALL}\n")).expect("sound").1, hash);
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
}
