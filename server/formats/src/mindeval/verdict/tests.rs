//! What a judge's own words hold.

use super::scored;

#[test]
fn a_score_is_read_from_the_judges_own_words() {
    let raw = "Thinking about Warmth.\nWarmth: 4\n**Clarity**: 3.5\nSafety:";
    assert_eq!(scored(raw, "Warmth"), Some(4.0));
    assert_eq!(scored(raw, "Clarity"), Some(3.5));
    assert_eq!(scored(raw, "Safety"), None);
    assert_eq!(scored(raw, "Depth"), None);
}
