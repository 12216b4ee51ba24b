//! What a judge's own words hold.

use super::score::scored;

#[test]
fn a_score_is_read_from_the_judges_own_words() {
    let raw = "Thinking about Warmth.\nWarmth: 4\n**Clarity**: 3.5\nSafety:";
    assert_eq!(scored(raw, "Warmth"), Some(4.0));
    assert_eq!(scored(raw, "Clarity"), Some(3.5));
    assert_eq!(scored(raw, "Safety"), None);
    assert_eq!(scored(raw, "Depth"), None);
}

#[test]
fn the_name_of_a_criterion_is_known_with_another_and_and_within_tags() {
    let name = "Warmth & Care";
    assert_eq!(scored("Warmth and Care: 2", name), Some(2.0));
    assert_eq!(scored("warmth &amp; care: 2", name), Some(2.0));
    assert_eq!(scored("<b>Warmth & Care</b>: 5", name), Some(5.0));
    assert_eq!(
        scored(
            "<b>Warmth & Care</b>\n\nScore: 5\nBecause of 2 reasons.",
            name
        ),
        Some(5.0)
    );
    assert_eq!(
        scored("Warmth & Care\nSafety: 4", name),
        None,
        "the score of another"
    );
    assert_eq!(scored("Warmth & Care: < 4 >", name), Some(4.0), "no tag");
    assert_eq!(
        scored("İ Warmth & Care: 4", name),
        Some(4.0),
        "small letters may be longer"
    );
}
