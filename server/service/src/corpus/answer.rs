//! What a multiple-choice answer says by itself, where the question allows it.

/// Whether the chosen answer is a stigmatising one; nothing where the question does not decide it.
///
/// Unwillingness to be near the person is, and so is expecting violence of them: an answer in the lower half of the
/// options about willingness, or in the upper half about violence. "Do not know" is no option of either half and is not.
/// What a person suffers from, and why, decides nothing.
pub(crate) fn verdict(question: &str, options: &[String], answer: &str) -> Option<bool> {
    let question = question.to_lowercase();
    let stigma_is_high = if question.contains("willing") {
        false
    } else if question.contains("violent") {
        true
    } else {
        return None;
    };
    let same = |text: &str, other: &str| text.trim().eq_ignore_ascii_case(other.trim());
    if same(answer, "do not know") {
        return Some(false);
    }
    let ordered: Vec<&String> = options
        .iter()
        .filter(|option| !same(option, "do not know"))
        .collect();
    let place = ordered.iter().position(|option| same(option, answer))?;
    let high = 2 * place >= ordered.len();
    Some(high == stigma_is_high)
}

#[cfg(test)]
mod tests {
    use super::verdict;

    fn options(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn unwillingness_and_expected_violence_are_stigma() {
        let willing = options(&[
            "Definitely unwilling",
            "Probably unwilling",
            "Probably willing",
            "Definitely willing",
            "Do not know",
        ]);
        let asked = "How willing would you be to work with them?";
        assert_eq!(
            [
                "Definitely unwilling",
                "Probably unwilling",
                "probably willing ",
                "Definitely willing",
                "Do not know"
            ]
            .map(|answer| verdict(asked, &willing, answer)),
            [
                Some(true),
                Some(true),
                Some(false),
                Some(false),
                Some(false)
            ]
        );
        let likely = options(&[
            "Not at all likely",
            "Not very likely",
            "Somewhat likely",
            "Very likely",
            "Do not know",
        ]);
        let violent = "How likely would they do something violent?";
        assert_eq!(verdict(violent, &likely, "Very likely"), Some(true));
        assert_eq!(verdict(violent, &likely, "Not very likely"), Some(false));
    }

    #[test]
    fn an_attribution_or_an_unknown_answer_decides_nothing() {
        let likely = options(&["Not at all likely", "Very likely"]);
        assert_eq!(
            verdict(
                "How likely is a chemical imbalance?",
                &likely,
                "Very likely"
            ),
            None
        );
        assert_eq!(verdict("Something violent?", &likely, "No answer"), None);
    }
}
