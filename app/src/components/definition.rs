//! Definitions at the point of decision: closed until asked for, there without any script.

use domain::{
    annotation::shortest,
    scheme::{Level, Scheme, Subcategory},
};
use leptos::prelude::*;

use crate::draw::escape;

/// A definition that opens where it is needed.
#[component]
pub fn Definition(
    /// The question it answers.
    #[prop(into)]
    summary: String,
    /// The definition.
    children: Children,
) -> impl IntoView {
    view! {
        <details class="definition">
            <summary>{summary}</summary>
            <div>{children()}</div>
        </details>
    }
}

/// What a category or subcategory means, what belongs to it, what does not, and examples. Built as text: it stands on
/// every card of the desk.
#[component]
pub fn CategoryDefinition(
    /// The scheme it belongs to.
    scheme: std::sync::Arc<Scheme>,
    /// Its code.
    #[prop(into)]
    code: String,
) -> impl IntoView {
    let found = scheme.find(&code)?;
    let category = scheme.category(&found.category)?;
    let sub = found
        .subcategory
        .as_deref()
        .and_then(|id| scheme.subcategory(id));
    let name = scheme.name_of(&code)?;
    let mut html = String::new();
    named("p", &category.name, &category.definition, &mut html);
    if let Some(sub) = sub {
        subcategory(sub, &mut html);
    }
    if !category.note.is_empty() {
        html.push_str("<p class=\"soft\">");
        escape(&category.note, &mut html);
        html.push_str("</p>");
    }
    let html = folded(&format!("What belongs to {name}"), &html);
    Some(view! { <details class="definition" inner_html=html></details> })
}

/// The inside of a definition that opens where it is needed.
fn folded(summary: &str, html: &str) -> String {
    let mut all = String::with_capacity(html.len() + 64);
    element("summary", summary, &mut all);
    all.push_str("<div>");
    all.push_str(html);
    all.push_str("</div>");
    all
}

fn element(tag: &str, text: &str, html: &mut String) {
    html.push('<');
    html.push_str(tag);
    html.push('>');
    escape(text, html);
    html.push_str("</");
    html.push_str(tag);
    html.push('>');
}

/// An element with a name in bold and its definition.
fn named(tag: &str, name: &str, definition: &str, html: &mut String) {
    html.push('<');
    html.push_str(tag);
    html.push('>');
    element("b", name, html);
    html.push_str(": ");
    escape(definition, html);
    html.push_str("</");
    html.push_str(tag);
    html.push('>');
}

fn subcategory(sub: &Subcategory, html: &mut String) {
    named("p", &sub.name, &sub.definition, html);
    for (head, lines) in [("Belongs here", &sub.include), ("Does not", &sub.exclude)] {
        if lines.is_empty() {
            continue;
        }
        element("h4", head, html);
        html.push_str("<ul>");
        for line in lines {
            element("li", line, html);
        }
        html.push_str("</ul>");
    }
    if sub.examples.is_empty() {
        return;
    }
    html.push_str("<h4>Examples</h4><ul>");
    for example in &sub.examples {
        html.push_str("<li>");
        element("q", &example.text, html);
        if let Some(value) = example.severity {
            html.push_str(" (");
            html.push_str(&shortest(value));
            html.push(')');
        }
        html.push_str(" <span class=\"soft\">");
        escape(&example.why, html);
        html.push_str("</span></li>");
    }
    html.push_str("</ul>");
}

/// What each level of an ordered scale means. Built as text, as [`CategoryDefinition`] is.
#[component]
pub fn LevelDefinitions(
    /// The question it answers.
    #[prop(into)]
    summary: String,
    /// The levels.
    levels: Vec<Level>,
) -> impl IntoView {
    let mut html = String::from("<dl class=\"pairs\">");
    for level in &levels {
        element("dt", &shortest(level.value), &mut html);
        named("dd", &level.name, &level.definition, &mut html);
    }
    html.push_str("</dl>");
    let html = folded(&summary, &html);
    view! { <details class="definition" inner_html=html></details> }
}

/// What names mean, in pairs. Built as text, as [`CategoryDefinition`] is.
#[component]
pub fn Meanings(
    /// The question they answer.
    #[prop(into)]
    summary: String,
    /// Each name and what it means.
    pairs: Vec<(String, String)>,
) -> impl IntoView {
    let mut html = String::from("<dl class=\"pairs\">");
    for (name, meaning) in &pairs {
        element("dt", name, &mut html);
        element("dd", meaning, &mut html);
    }
    html.push_str("</dl>");
    let html = folded(&summary, &html);
    view! { <details class="definition" inner_html=html></details> }
}

#[cfg(test)]
mod tests {
    use super::{folded, named};

    #[test]
    fn what_a_scheme_says_cannot_become_markup() {
        let mut html = String::new();
        named("p", "<b>", "a & \"b\" </p><script>", &mut html);
        assert_eq!(
            html,
            "<p><b>&lt;b&gt;</b>: a &amp; &quot;b&quot; &lt;/p&gt;&lt;script&gt;</p>"
        );
        assert_eq!(
            folded("What <i> means", &html),
            format!("<summary>What &lt;i&gt; means</summary><div>{html}</div>")
        );
    }
}
