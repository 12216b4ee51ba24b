//! Where the steps of a reasoning trajectory begin and end: a guess for texts that nobody has divided.
//!
//! The text never changes: a step is a span of it, in code points. Between steps lie white space, tags and subtitles only.

mod sentences;

use sentences::sentences;

/// A step of a trajectory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its subtitle; empty without one.
    pub label: String,
    /// Where it begins.
    pub start: u32,
    /// One after its last code point.
    pub end: u32,
}

/// The longest subtitle; a longer line is text.
const LONGEST_LABEL: usize = 120;

/// Divides a text. What stands between `<think>` and `</think>` is the trajectory, and what stands in `<answer>` is none of
/// it. Subtitles (`### Title`) begin a step each; without any, sentences and list items do.
pub fn divided(text: &str) -> Vec<Step> {
    let text: Vec<char> = text.chars().collect();
    let (start, end) = trajectory(&text);
    let titles = subtitles(&text, start, end);
    let mut steps = Vec::new();
    let Some(first) = titles.first() else {
        for (from, to) in sentences(&text, start, end) {
            push(&mut steps, &text, "", from, to);
        }
        return steps;
    };
    push(&mut steps, &text, "", start, first.line);
    for (at, title) in titles.iter().enumerate() {
        let to = titles.get(at + 1).map_or(end, |next| next.line);
        push(&mut steps, &text, &title.label, title.body, to);
    }
    steps
}

/// Adds what is left of a range without the white space around it; nothing when that is all.
fn push(steps: &mut Vec<Step>, text: &[char], label: &str, from: usize, to: usize) {
    if let Some((start, end)) = trimmed(text, from, to) {
        steps.push(Step {
            label: label.to_owned(),
            start: start as u32,
            end: end as u32,
        });
    }
}

fn trimmed(text: &[char], from: usize, to: usize) -> Option<(usize, usize)> {
    let inside = text.get(from..to)?;
    let before = inside.iter().position(|c| !c.is_whitespace())?;
    let after = inside.iter().rposition(|c| !c.is_whitespace())?;
    Some((from + before, from + after + 1))
}

/// The range of the trajectory in what the model wrote.
fn trajectory(text: &[char]) -> (usize, usize) {
    let opened = find(text, "<think>", 0).map(|at| at + "<think>".len());
    let start = opened.unwrap_or(0);
    let closed = find(text, "</think>", start);
    let answer = find(text, "<answer>", start);
    let end = closed.or(answer).unwrap_or(text.len());
    if trimmed(text, start, end).is_none() {
        // Nothing but an answer: then that is what there is to read.
        return (0, text.len());
    }
    (start, end)
}

/// The first place of a tag from `from` on, whatever its capitals.
fn find(text: &[char], tag: &str, from: usize) -> Option<usize> {
    let tag: Vec<char> = tag.chars().collect();
    let same = |window: &[char]| {
        let mut pairs = window.iter().zip(&tag);
        pairs.all(|(a, b)| a.eq_ignore_ascii_case(b))
    };
    let rest = text.get(from..)?;
    rest.windows(tag.len()).position(same).map(|at| from + at)
}

/// A line that is a subtitle.
struct Title {
    /// Where the line begins.
    line: usize,
    /// Where what follows begins.
    body: usize,
    label: String,
}

fn subtitles(text: &[char], start: usize, end: usize) -> Vec<Title> {
    let mut titles = Vec::new();
    let mut line = start;
    while line < end {
        let length = text[line..end].iter().position(|c| *c == '\n');
        let stop = length.map_or(end, |length| line + length);
        if let Some(label) = subtitle(&text[line..stop]) {
            titles.push(Title {
                line,
                body: stop,
                label,
            });
        }
        line = stop + 1;
    }
    titles
}

/// The words of a line of two to six `#`, without its marks.
fn subtitle(line: &[char]) -> Option<String> {
    let line: String = line.iter().collect();
    let line = line.trim();
    let words = line.trim_start_matches('#');
    let marks = line.len() - words.len();
    if !(2..=6).contains(&marks) || !words.starts_with(char::is_whitespace) {
        return None;
    }
    let words = words
        .trim()
        .trim_matches(|c: char| matches!(c, '*' | '_' | '#' | ':') || c.is_whitespace());
    (!words.is_empty() && words.chars().count() <= LONGEST_LABEL).then(|| words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::divided;
    use crate::annotation::slice;

    /// Each step as `label|text`.
    fn steps(text: &str) -> Vec<String> {
        divided(text)
            .into_iter()
            .map(|step| {
                let words = slice(text, (step.start, step.end)).expect("a span of the text");
                if step.label.is_empty() {
                    words.to_owned()
                } else {
                    format!("{}|{words}", step.label)
                }
            })
            .collect()
    }

    #[test]
    fn subtitles_within_the_thinking_begin_steps_and_the_answer_is_none() {
        let text = "<think>\n### Symptom Analysis\nHe sleeps badly. He eats little.\n\n\
                    ### **Differential diagnosis:**\n- low mood\n- no mania\n\
                    ### Empty\n### Final Conclusion\nIt is depression.\n</think>\n<answer>Answer: depression</answer>";
        assert_eq!(
            steps(text),
            [
                "Symptom Analysis|He sleeps badly. He eats little.",
                "Differential diagnosis|- low mood\n- no mania",
                "Final Conclusion|It is depression."
            ]
        );
    }

    #[test]
    fn thinking_without_subtitles_is_divided_by_sentence() {
        let text = "<THINK>She is sad 🙂. She says so twice.</THINK><answer>Yes. Sad.</answer>";
        assert_eq!(steps(text), ["She is sad 🙂.", "She says so twice."]);
    }

    #[test]
    fn a_tag_that_only_opens_or_only_closes_is_understood() {
        assert_eq!(steps("So it is. Yes.</think> Yes"), ["So it is.", "Yes."]);
        assert_eq!(steps("<think>So it is.\n<answer>Yes"), ["So it is."]);
        assert_eq!(
            steps("<think></think>Only an answer."),
            ["<think></think>Only an answer."]
        );
    }

    #[test]
    fn what_stands_before_the_first_subtitle_is_a_step_of_its_own() {
        assert_eq!(
            steps("First of all.\n## Evidence\nNone. At all."),
            ["First of all.", "Evidence|None. At all."]
        );
        assert_eq!(
            steps("#hashtag is no title. Nor is this."),
            ["#hashtag is no title.", "Nor is this."]
        );
    }

    #[test]
    fn nothing_has_no_steps() {
        assert_eq!(divided(" \n "), []);
    }
}
