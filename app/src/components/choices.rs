//! Radios side by side, and the severity scale as an ordered ramp with number and name.

use domain::{
    annotation::shortest,
    scheme::{Level, SeverityScale},
};
use leptos::prelude::*;

/// One answer of [`Choices`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What the button says.
    pub label: String,
    /// The key that chooses it, shown as a key cap.
    pub key: String,
    /// What it means, as a tooltip.
    pub title: String,
}

/// A question with its answers side by side; exactly one can be chosen.
#[component]
pub fn Choices(
    /// The field's name.
    #[prop(into)]
    name: String,
    /// The question.
    #[prop(into)]
    legend: String,
    /// The answers.
    choices: Vec<Choice>,
    /// The chosen one.
    #[prop(optional_no_strip)]
    chosen: Option<String>,
) -> impl IntoView {
    let answer = |choice: Choice| {
        let checked = chosen.as_deref() == Some(choice.value.as_str());
        let title = (!choice.title.is_empty()).then_some(choice.title);
        let key =
            (!choice.key.is_empty()).then(|| view! { <kbd>{choice.key.to_uppercase()}</kbd> });
        view! {
            <label title=title>
                <input type="radio" name=name.clone() value=choice.value checked=checked />
                {choice.label}
                {key}
            </label>
        }
    };
    view! {
        <fieldset>
            <legend>{legend}</legend>
            <div class="choices">{choices.into_iter().map(answer).collect_view()}</div>
        </fieldset>
    }
}

/// The class that tints a level by its rank on a scale of `count` levels: always `level-1` to `level-5`.
pub fn tint(rank: usize, count: usize) -> &'static str {
    const TINTS: [&str; 5] = ["level-1", "level-2", "level-3", "level-4", "level-5"];
    let last = count.saturating_sub(1).max(1);
    TINTS[(rank.min(last) * 4 + last / 2) / last]
}

/// The tint of a value, halves included (they take the tint of the level below).
pub fn tint_of(value: f64, scale: &SeverityScale) -> &'static str {
    let rank = scale.levels.iter().rposition(|level| level.value <= value);
    tint(rank.unwrap_or(0), scale.levels.len())
}

/// The name of one or two words of a level.
pub fn short_name(level: &Level) -> String {
    let name = if level.short.is_empty() {
        &level.name
    } else {
        &level.short
    };
    name.clone()
}

/// The levels of an ordered scale side by side.
#[component]
pub fn SeverityInput(
    /// The field's name.
    #[prop(into)]
    name: String,
    /// The question.
    #[prop(into)]
    legend: String,
    /// The levels, lowest first.
    levels: Vec<Level>,
    /// The chosen value.
    #[prop(optional_no_strip)]
    chosen: Option<f64>,
) -> impl IntoView {
    let count = levels.len();
    let answer = |(rank, level): (usize, Level)| {
        let value = shortest(level.value);
        view! {
            <label class=tint(rank, count) title=level.definition.clone()>
                <input
                    type="radio"
                    name=name.clone()
                    value=value.clone()
                    checked=chosen == Some(level.value)
                />
                <b>{value}</b>
                <small>{short_name(&level)}</small>
            </label>
        }
    };
    view! {
        <fieldset>
            <legend>{legend}</legend>
            <div class="choices scale">{levels.into_iter().enumerate().map(answer).collect_view()}</div>
        </fieldset>
    }
}

/// A severity as a tinted number, followed by its name.
#[component]
pub fn LevelBadge(
    /// The severity.
    value: f64,
    /// Its scale.
    scale: SeverityScale,
    /// Leave the name to screen readers, where space is short and the scale is printed nearby.
    #[prop(optional)]
    compact: bool,
) -> impl IntoView {
    let name = scale.level(value).map(short_name);
    let class = if compact { "unseen" } else { "small" };
    view! {
        <span class=format!("level {}", tint_of(value, &scale))>{shortest(value)}</span>
        {name.map(|name| view! { " " <span class=class>{name}</span> })}
    }
}

#[cfg(test)]
mod tests {
    use super::tint;

    #[test]
    fn the_ramp_begins_at_one_and_ends_at_five_whatever_the_scale() {
        let five: Vec<_> = (0..5).map(|rank| tint(rank, 5)).collect();
        assert_eq!(
            five,
            ["level-1", "level-2", "level-3", "level-4", "level-5"]
        );
        let three: Vec<_> = (0..3).map(|rank| tint(rank, 3)).collect();
        assert_eq!(three, ["level-1", "level-3", "level-5"]);
        assert_eq!(
            (tint(0, 2), tint(1, 2), tint(0, 1)),
            ("level-1", "level-5", "level-1")
        );
        assert_eq!(tint(99, 5), "level-5");
    }
}
