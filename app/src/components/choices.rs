//! Radios side by side, and the severity scale as an ordered ramp with number and name.

use domain::{
    annotation::shortest,
    scheme::{Level, SeverityScale},
};
use leptos::prelude::*;

use crate::draw::escape;

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

/// A question with its answers side by side; exactly one can be chosen. Built as text: there are two on every card.
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
    let mut html = question(&legend, "choices");
    for choice in &choices {
        let radio = Radio {
            name: &name,
            value: &choice.value,
            class: "",
            title: &choice.title,
            checked: chosen.as_deref() == Some(choice.value.as_str()),
        };
        radio.open(&mut html);
        escape(&choice.label, &mut html);
        if !choice.key.is_empty() {
            html.push_str("<kbd>");
            escape(&choice.key.to_uppercase(), &mut html);
            html.push_str("</kbd>");
        }
        html.push_str("</label>");
    }
    html.push_str("</div>");
    view! { <fieldset inner_html=html></fieldset> }
}

/// The beginning of a question with its answers.
fn question(legend: &str, class: &str) -> String {
    let mut html = String::from("<legend>");
    escape(legend, &mut html);
    html.push_str("</legend><div class=\"");
    html.push_str(class);
    html.push_str("\">");
    html
}

/// One answer: a label around its radio.
struct Radio<'a> {
    name: &'a str,
    value: &'a str,
    class: &'a str,
    title: &'a str,
    checked: bool,
}

impl Radio<'_> {
    /// Writes the label up to its words.
    fn open(&self, html: &mut String) {
        html.push_str("<label");
        for (name, value) in [("class", self.class), ("title", self.title)] {
            if !value.is_empty() {
                attribute(name, value, html);
            }
        }
        html.push_str("><input type=\"radio\"");
        attribute("name", self.name, html);
        attribute("value", self.value, html);
        html.push_str(if self.checked { " checked>" } else { ">" });
    }
}

fn attribute(name: &str, value: &str, html: &mut String) {
    html.push(' ');
    html.push_str(name);
    html.push_str("=\"");
    escape(value, html);
    html.push('"');
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
    let mut html = question(&legend, "choices scale");
    for (rank, level) in levels.iter().enumerate() {
        let value = shortest(level.value);
        let radio = Radio {
            name: &name,
            value: &value,
            class: tint(rank, levels.len()),
            title: &level.definition,
            checked: chosen == Some(level.value),
        };
        radio.open(&mut html);
        html.push_str("<b>");
        html.push_str(&value);
        html.push_str("</b><small>");
        escape(&short_name(level), &mut html);
        html.push_str("</small></label>");
    }
    html.push_str("</div>");
    view! { <fieldset inner_html=html></fieldset> }
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
    use super::{Radio, tint};

    #[test]
    fn an_answer_is_a_radio_whatever_its_words() {
        let mut html = String::new();
        let radio = Radio {
            name: "c1.validity",
            value: "a\"b",
            class: "",
            title: "<x>",
            checked: true,
        };
        radio.open(&mut html);
        assert_eq!(
            html,
            "<label title=\"&lt;x&gt;\"><input type=\"radio\" name=\"c1.validity\" value=\"a&quot;b\" checked>"
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
