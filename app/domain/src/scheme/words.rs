//! An answer to a question about the item as people read it.

use super::{ItemQuestion, QuestionKind};
use crate::annotation::NO_POINTS;
use crate::relation::{self, Place, Relation};

impl ItemQuestion {
    /// Each part of an answer in words: levels by name, points and steps in the words of the item's options and of the
    /// scheme. Nothing chosen is one part that says so; an answer that says nothing has none.
    pub fn in_words(&self, values: &[String], options: &[String]) -> Vec<String> {
        if values.is_empty() {
            let nothing = self.kind == QuestionKind::Multi;
            return nothing
                .then(|| "Nothing chosen".to_owned())
                .into_iter()
                .collect();
        }
        values
            .iter()
            .map(|value| self.word_of(value, options))
            .collect()
    }

    fn word_of(&self, value: &str, options: &[String]) -> String {
        match self.kind {
            QuestionKind::Text => value.to_owned(),
            QuestionKind::Points if value == NO_POINTS => "No point".to_owned(),
            QuestionKind::Points => {
                let at: Option<usize> = value.parse().ok();
                let words = at.and_then(|at| options.get(at.checked_sub(1)?));
                words.map_or_else(|| value.to_owned(), |words| format!("{value}. {words}"))
            }
            QuestionKind::Relations => self.line_of(value),
            QuestionKind::Ordinal => match self.level(value) {
                Some(level) if level.name != value => format!("{value} · {}", level.name),
                _ => value.to_owned(),
            },
            QuestionKind::Nominal | QuestionKind::Multi => self
                .level(value)
                .map_or_else(|| value.to_owned(), |level| level.name.clone()),
        }
    }

    fn line_of(&self, line: &str) -> String {
        let step = |place: Place| match place {
            Place::INPUT => "the task".to_owned(),
            place => format!("step {place}"),
        };
        match relation::parse(line) {
            Some(Relation::Link {
                part,
                label,
                target,
            }) => {
                let name = self.level(label).map_or(label, |level| level.name.as_str());
                format!("Step {part} to {}: {name}", step(target))
            }
            Some(Relation::Join(part)) => format!("Step {part} belongs to step {}", part - 1),
            Some(Relation::Split(part, words)) => {
                format!("A new step begins in step {part} at “{words}”")
            }
            None => "No relation".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::scheme::{ItemQuestion, QuestionKind, builtin, parse};

    fn words(scheme: &str, question: &str, values: &[&str], options: &[&str]) -> Vec<String> {
        let owned = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (scheme, _) = parse(builtin(scheme).expect("built in")).expect("sound");
        let question = scheme.question(question).expect("asked");
        question.in_words(&owned(values), &owned(options))
    }

    #[test]
    fn numbers_bear_the_names_of_their_levels_and_points_their_words() {
        let (scheme, _) = parse(builtin("psrs-main-results").expect("built in")).expect("sound");
        let name = &scheme.question("score").expect("asked").levels[2].name;
        let score = words("psrs-main-results", "score", &["2"], &[]);
        assert_eq!(score, [format!("2 · {name}")]);
        let points = |values: &[&str]| {
            words(
                "psrs-main-results",
                "points",
                values,
                &["It fell.", "It is safe."],
            )
        };
        assert_eq!(points(&["2", "3"]), ["2. It is safe.", "3"]);
        assert_eq!(points(&["none"]), ["No point"]);
    }

    #[test]
    fn relations_read_as_what_step_stands_how_to_what() {
        let lines = [
            "2 SUPPORTS 1",
            "1 ENTAILS input",
            "join 3",
            "split 2 so he",
            "none",
        ];
        let found = words("miramind-trajectory", "relations", &lines, &[]);
        assert_eq!(
            found,
            [
                "Step 2 to step 1: Supports",
                "Step 1 to the task: Entails",
                "Step 3 belongs to step 2",
                "A new step begins in step 2 at “so he”",
                "No relation"
            ]
        );
    }

    #[test]
    fn nothing_ticked_says_so_and_nothing_answered_does_not() {
        let of = |kind| ItemQuestion {
            kind,
            ..ItemQuestion::default()
        };
        assert_eq!(
            of(QuestionKind::Multi).in_words(&[], &[]),
            ["Nothing chosen"]
        );
        assert!(of(QuestionKind::Nominal).in_words(&[], &[]).is_empty());
    }
}
