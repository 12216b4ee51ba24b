//! Names of people and studies.

use domain::refusal::Refusal;

/// The name under which the audit log writes the command line: no account may pass for it.
const RESERVED: &str = "operator";

/// A name as it is compared: without regard to case and to repeated spaces.
pub(crate) fn folded(name: &str) -> String {
    let words: Vec<_> = name.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// A name of an account: 1 to 80 letters, digits, spaces or `. _ -`, beginning with a letter or digit.
pub(crate) fn of_account(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    let sound = name
        .chars()
        .all(|c| c.is_alphanumeric() || " ._-@".contains(c));
    let begins = name.chars().next().is_some_and(char::is_alphanumeric);
    if folded(name) == RESERVED {
        return Err(Refusal::NameTaken);
    }
    if sound && begins && name.chars().count() <= 80 {
        Ok(name.to_owned())
    } else {
        Err(Refusal::NameInvalid)
    }
}

/// A name of a study or the name people read: 1 to 80 characters of one line.
pub(crate) fn to_read(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    let sound =
        !name.is_empty() && name.chars().count() <= 80 && !name.chars().any(char::is_control);
    if sound {
        Ok(name.to_owned())
    } else {
        Err(Refusal::NameInvalid)
    }
}

#[cfg(test)]
mod tests {
    use super::{folded, of_account, to_read};
    use domain::refusal::Refusal;

    #[test]
    fn names_are_compared_without_case_and_refused_when_malformed() {
        assert_eq!(folded(" Ada  L "), folded("ADA L"));
        assert_eq!(of_account("Operator"), Err(Refusal::NameTaken));
        assert!(of_account("annotator_1").is_ok() && of_account("Søren K.").is_ok());
        for bad in ["", " ", "-x", "a\nb", "a/b", &"x".repeat(81)] {
            assert!(of_account(bad).is_err(), "{bad:?}");
        }
        assert!(to_read("Stigma: pilot (2026)").is_ok() && to_read("a\tb").is_err());
    }
}
