//! Sentences and list items of a text.

/// Words that end with a point and no sentence.
const ABBREVIATIONS: [&str; 36] = [
    "al", "approx", "ca", "cf", "ch", "dept", "dr", "e.g", "eg", "eq", "esp", "est", "fig", "figs",
    "i.e", "ie", "incl", "jr", "max", "min", "mr", "mrs", "ms", "p", "pp", "prof", "pt", "pts",
    "ref", "resp", "sec", "sr", "st", "viz", "vol", "vs",
];
/// Words that end with a point and no sentence before a number.
const BEFORE_NUMBERS: [&str; 6] = ["no", "nos", "art", "question", "item", "step"];

/// The ranges of sentences and list items, white space around them included here and there.
pub(super) fn sentences(text: &[char], start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let (mut from, mut at) = (start, start);
    while at < end {
        let stop = match text[at] {
            '\n' if breaks(text, at, end) => Some(at),
            '。' | '！' | '？' => Some(closed(text, at + 1, end)),
            '.' | '!' | '?' | '…' => {
                let after = closed(text, at + 1, end);
                ends(text, from, at, after, end).then_some(after)
            }
            _ => None,
        };
        match stop {
            Some(stop) => {
                ranges.push((from, stop));
                from = stop;
                at = stop.max(at + 1);
            }
            None => at += 1,
        }
    }
    ranges.push((from, end));
    ranges
}

/// Past the marks, quotation marks and brackets that close a sentence.
fn closed(text: &[char], mut at: usize, end: usize) -> usize {
    while at < end
        && matches!(
            text[at],
            '.' | '!'
                | '?'
                | '…'
                | '"'
                | '\''
                | '”'
                | '’'
                | '»'
                | ')'
                | ']'
                | '*'
                | '_'
                | '。'
                | '！'
                | '？'
                | '」'
        )
    {
        at += 1;
    }
    at
}

/// Whether a line end begins something new: an empty line follows, or a list item.
fn breaks(text: &[char], at: usize, end: usize) -> bool {
    let rest = &text[at + 1..end];
    let blank = rest.iter().take_while(|c| c.is_whitespace() && **c != '\n');
    let line = &rest[blank.count()..];
    line.first().is_none_or(|c| *c == '\n') || is_item(line)
}

/// Whether a line begins with the mark of a list.
fn is_item(line: &[char]) -> bool {
    let digits = line.iter().take_while(|c| c.is_ascii_digit()).count();
    let mark = line.get(digits);
    let marked = if digits == 0 {
        matches!(mark, Some('-' | '*' | '•' | '–'))
    } else {
        digits <= 3 && matches!(mark, Some('.' | ')'))
    };
    marked && line.get(digits + 1).is_some_and(|c| c.is_whitespace())
}

/// Whether the mark at `at`, closed before `after`, ends the sentence that begins at `from`.
fn ends(text: &[char], from: usize, at: usize, after: usize, end: usize) -> bool {
    if after >= end {
        return true;
    }
    // A point inside a number, a name or an abbreviation has no space after it.
    if !text[after].is_whitespace() {
        return false;
    }
    let next = text[after..end].iter().find(|c| !c.is_whitespace());
    let Some(next) = next else { return true };
    if next.is_lowercase() {
        return false;
    }
    if text[at] != '.' || after > at + 1 && text[at + 1] == '.' {
        return true;
    }
    let before: Vec<char> = text[from..at]
        .iter()
        .rev()
        .take_while(|c| !c.is_whitespace() && !matches!(c, '(' | '[' | '"' | '“'))
        .copied()
        .collect();
    let word: String = before.iter().rev().collect();
    let low = word.to_lowercase();
    // An initial, and the number of a list item: `J. Smith`, `2. The second`.
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I";
    let alone = text[from..at - before.len()]
        .iter()
        .all(|c| c.is_whitespace());
    let number = alone && !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let known = ABBREVIATIONS.contains(&low.as_str())
        || BEFORE_NUMBERS.contains(&low.as_str()) && next.is_ascii_digit();
    !(initial || number || known)
}

#[cfg(test)]
mod tests {
    use super::sentences;

    fn split(text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        let ranges = sentences(&chars, 0, chars.len());
        let texts = ranges
            .into_iter()
            .map(|(a, b)| chars[a..b].iter().collect::<String>());
        texts
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
            .collect()
    }

    #[test]
    fn abbreviations_and_decimals_end_nothing() {
        let one = [
            "Dr. Adler gave 2.5 mg, i.e. half a dose, vs. Placebo.",
            "Symptoms (e.g. Insomnia) rose by .3 points, cf. Fig. 2 and No. 4.",
            "As Beck et al. Report, J. Smith of St. Mary agreed.",
        ];
        for sentence in one {
            assert_eq!(split(sentence), [sentence]);
        }
    }

    #[test]
    fn a_sentence_ends_with_its_quotation_marks_and_brackets() {
        assert_eq!(
            split(
                "He said “I am done.” She left (at once.) Why? Nobody knows… Then: no. It ended."
            ),
            [
                "He said “I am done.”",
                "She left (at once.)",
                "Why?",
                "Nobody knows…",
                "Then: no.",
                "It ended."
            ]
        );
    }

    #[test]
    fn what_goes_on_in_small_letters_is_the_same_sentence() {
        assert_eq!(
            split("“Why me?” she asked... and wept. So did I. He too."),
            ["“Why me?” she asked... and wept.", "So did I.", "He too."]
        );
    }

    #[test]
    fn list_items_and_empty_lines_begin_anew_and_other_line_ends_do_not() {
        assert_eq!(
            split(
                "Evidence:\n1. Sleep is poor\n2. Mood is low. Very.\n- no mania\n\nA line\ngoes on."
            ),
            [
                "Evidence:",
                "1. Sleep is poor",
                "2. Mood is low.",
                "Very.",
                "- no mania",
                "A line\ngoes on."
            ]
        );
    }

    #[test]
    fn scripts_without_spaces_are_divided_too() {
        assert_eq!(split("他睡不好。他很累！"), ["他睡不好。", "他很累！"]);
    }

    #[test]
    fn every_character_lies_in_one_range() {
        let text = "A. B c. 1. D!\n- e\n\n f? G";
        let chars: Vec<char> = text.chars().collect();
        let ranges = sentences(&chars, 0, chars.len());
        let joined: String = ranges
            .iter()
            .map(|(a, b)| chars[*a..*b].iter().collect::<String>())
            .collect();
        assert_eq!(joined, text);
    }
}
