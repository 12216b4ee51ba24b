//! The scale of a scheme.

use super::{Halves, Level, SeverityScale};

#[test]
fn a_ruling_may_give_half_points_only_where_the_scheme_lets_it() {
    let level = |value: u8| Level {
        value: f64::from(value),
        name: value.to_string(),
        ..Level::default()
    };
    let scale = SeverityScale {
        question: String::new(),
        halves: Halves::default(),
        levels: (1..=3).map(level).collect(),
    };
    assert_eq!(scale.steps(true), [1.0, 1.5, 2.0, 2.5, 3.0]);
    assert_eq!(scale.steps(false), [1.0, 2.0, 3.0]);
}
