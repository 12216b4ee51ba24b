//! The guide's worked example is a scheme.

use domain::scheme::{MeasureKind, QuestionKind, parse};

#[test]
fn the_worked_example_of_the_guide_is_read() {
    let guide = include_str!("../../../docs/schemes.md");
    let example = guide
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    let (scheme, _) = parse(example).unwrap_or_else(|error| panic!("{error}"));
    let kinds: Vec<QuestionKind> = scheme
        .item_questions
        .iter()
        .map(|question| question.kind)
        .collect();
    assert_eq!(
        kinds,
        [
            QuestionKind::Nominal,
            QuestionKind::Ordinal,
            QuestionKind::Multi,
            QuestionKind::Text
        ]
    );
    assert_eq!(
        scheme.measures.last().map(|measure| measure.kind),
        Some(MeasureKind::Disagreements)
    );
}
