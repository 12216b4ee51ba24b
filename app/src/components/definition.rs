//! Definitions at the point of decision: closed until asked for, there without any script.

use domain::{
    annotation::shortest,
    scheme::{Level, Scheme, Subcategory},
};
use leptos::prelude::*;

use crate::html::Html;

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

/// What a category or subcategory means, what belongs to it, what does not, and examples.
#[component]
pub fn CategoryDefinition(
    /// The scheme it belongs to.
    scheme: std::sync::Arc<Scheme>,
    /// Its code.
    #[prop(into)]
    code: String,
) -> impl IntoView {
    let mut html = Html::default();
    category(&scheme, &code, &mut html);
    view! { <div inner_html=html.done()></div> }
}

/// [`CategoryDefinition`] as text; nothing where the scheme does not know the code.
pub fn category(scheme: &Scheme, code: &str, html: &mut Html) {
    let found = scheme.find(code);
    let parts = found.as_ref().and_then(|found| {
        let sub = found.subcategory.as_deref();
        Some((
            scheme.category(&found.category)?,
            sub.and_then(|id| scheme.subcategory(id)),
            scheme.name_of(code)?,
        ))
    });
    let Some((category, sub, name)) = parts else {
        return;
    };
    folded(&format!("What belongs to {name}"), html, |html| {
        named("p", &category.name, &category.definition, html);
        if let Some(sub) = sub {
            subcategory(sub, html);
        }
        if !category.note.is_empty() {
            html.tag("p").with("class", "soft").end();
            html.text(&category.note);
            html.close("p");
        }
    });
}

/// What each level of an ordered scale means. `summary` is the question that this answers.
pub fn levels(summary: &str, levels: &[Level], html: &mut Html) {
    folded(summary, html, |html| {
        html.tag("dl").with("class", "pairs").end();
        for level in levels {
            html.element("dt", &shortest(level.value));
            named("dd", &level.name, &level.definition, html);
        }
        html.close("dl");
    });
}

/// What names mean, each with its meaning. `summary` is the question that this answers.
pub fn meanings<'a>(
    summary: &str,
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
    html: &mut Html,
) {
    folded(summary, html, |html| {
        html.tag("dl").with("class", "pairs").end();
        for (name, meaning) in pairs {
            html.element("dt", name);
            html.element("dd", meaning);
        }
        html.close("dl");
    });
}

/// A definition that opens where it is needed, as text.
fn folded(summary: &str, html: &mut Html, content: impl FnOnce(&mut Html)) {
    html.tag("details").with("class", "definition").end();
    html.element("summary", summary);
    html.open("div");
    content(html);
    html.close("div");
    html.close("details");
}

/// An element with a name in bold and its definition.
fn named(tag: &str, name: &str, definition: &str, html: &mut Html) {
    html.open(tag);
    html.element("b", name);
    html.text(": ");
    html.text(definition);
    html.close(tag);
}

fn subcategory(sub: &Subcategory, html: &mut Html) {
    named("p", &sub.name, &sub.definition, html);
    for (head, lines) in [("Belongs here", &sub.include), ("Does not", &sub.exclude)] {
        if lines.is_empty() {
            continue;
        }
        html.element("h4", head);
        html.open("ul");
        for line in lines {
            html.element("li", line);
        }
        html.close("ul");
    }
    if sub.examples.is_empty() {
        return;
    }
    html.element("h4", "Examples");
    html.open("ul");
    for example in &sub.examples {
        html.open("li");
        html.element("q", &example.text);
        if let Some(value) = example.severity {
            html.text(&format!(" ({})", shortest(value)));
        }
        html.text(" ");
        html.tag("span").with("class", "soft").end();
        html.text(&example.why);
        html.close("span");
        html.close("li");
    }
    html.close("ul");
}

#[cfg(test)]
mod tests {
    use super::{Html, meanings};

    #[test]
    fn what_a_scheme_says_cannot_become_markup() {
        let mut html = Html::default();
        let pairs = [("<b>", "a & \"b\" </dd><script>")];
        meanings("What <i> means", pairs.into_iter(), &mut html);
        assert_eq!(
            html.done(),
            "<details class=\"definition\"><summary>What &lt;i&gt; means</summary><div><dl class=\"pairs\">\
             <dt>&lt;b&gt;</dt><dd>a &amp; &quot;b&quot; &lt;/dd&gt;&lt;script&gt;</dd></dl></div></details>"
        );
    }
}
