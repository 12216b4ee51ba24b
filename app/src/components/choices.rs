//! Radios side by side, and the severity scale as an ordered ramp with number and name.

use domain::{
    annotation::shortest,
    scheme::{Level, SeverityScale},
};
use leptos::prelude::*;

use crate::html::Html;

/// One answer of [`choices`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice<'a> {
    /// What is sent.
    pub value: &'a str,
    /// What the button says.
    pub label: &'a str,
    /// The key that chooses it, shown as a key cap.
    pub key: &'a str,
    /// What it means, as a tooltip.
    pub title: &'a str,
}

/// A question with its answers side by side; exactly one can be chosen. `name` is the field's, `legend` the question.
pub fn choices<'a>(
    name: &str,
    legend: &str,
    choices: impl IntoIterator<Item = Choice<'a>>,
    chosen: Option<&str>,
    html: &mut Html,
) {
    question(legend, "choices", html);
    for choice in choices {
        html.tag("label").with_some("title", choice.title).end();
        radio(name, choice.value, chosen == Some(choice.value), html);
        html.text(choice.label);
        if !choice.key.is_empty() {
            html.element("kbd", &choice.key.to_uppercase());
        }
        html.close("label");
    }
    html.close("div");
    html.close("fieldset");
}

/// The levels of an ordered scale side by side, lowest first.
pub fn scale(name: &str, legend: &str, levels: &[Level], chosen: Option<f64>, html: &mut Html) {
    question(legend, "choices scale", html);
    for (rank, level) in levels.iter().enumerate() {
        let value = shortest(level.value);
        html.tag("label")
            .with("class", tint(rank, levels.len()))
            .with_some("title", &level.definition)
            .end();
        radio(name, &value, chosen == Some(level.value), html);
        html.element("b", &value);
        html.element("small", &short_name(level));
        html.close("label");
    }
    html.close("div");
    html.close("fieldset");
}

/// The beginning of a question with its answers.
fn question(legend: &str, class: &str, html: &mut Html) {
    html.open("fieldset");
    html.element("legend", legend);
    html.tag("div").with("class", class).end();
}

fn radio(name: &str, value: &str, checked: bool, html: &mut Html) {
    html.tag("input")
        .with("type", "radio")
        .with("name", name)
        .with("value", value)
        .flag("checked", checked)
        .end();
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
    let mut html = Html::default();
    badge(value, &scale, compact, &mut html);
    view! { <span inner_html=html.done()></span> }
}

/// [`LevelBadge`] as text.
pub fn badge(value: f64, scale: &SeverityScale, compact: bool, html: &mut Html) {
    html.tag("span")
        .with("class", &format!("level {}", tint_of(value, scale)))
        .end();
    html.text(&shortest(value));
    html.close("span");
    if let Some(level) = scale.level(value) {
        html.text(" ");
        let class = if compact { "unseen" } else { "small" };
        html.tag("span").with("class", class).end();
        html.text(&short_name(level));
        html.close("span");
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, Html, choices, tint};

    #[test]
    fn an_answer_is_a_radio_whatever_its_words() {
        let mut html = Html::default();
        let valid = Choice {
            value: "a\"b",
            label: "1 < 2",
            key: "v",
            title: "<x>",
        };
        choices("c1.validity", "So & so?", [valid], Some("a\"b"), &mut html);
        assert_eq!(
            html.done(),
            "<fieldset><legend>So &amp; so?</legend><div class=\"choices\"><label title=\"&lt;x&gt;\">\
             <input type=\"radio\" name=\"c1.validity\" value=\"a&quot;b\" checked>1 &lt; 2<kbd>V</kbd></label></div></fieldset>"
        );
    }

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
