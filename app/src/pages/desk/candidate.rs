//! One candidate: what the judge saw, and what the rater says of it. Written as text: an item has many, and each has some
//! hundred elements.

use domain::{
    annotation::Judgement,
    scheme::{Scheme, Validity},
    span::AnchorKind,
};

use crate::{
    components::{
        choices::{Choice, badge, choices, scale},
        definition::{category, levels, meanings},
    },
    desk_words::judged,
    html::{Html, area},
};
use service::desk::{DeskCandidate, DeskView};

/// The card of candidate `n`.
pub fn card(
    n: usize,
    candidate: &DeskCandidate,
    judgement: Option<&Judgement>,
    view: &DeskView,
    html: &mut Html,
) {
    let scheme = &*view.scheme;
    let blank = Judgement::default();
    let judgement = judgement.unwrap_or(&blank);
    let code = candidate
        .subcategory
        .as_ref()
        .unwrap_or(&candidate.category);
    let spans: Vec<String> = candidate
        .spans
        .iter()
        .map(|(start, end, _)| format!("{start}-{end}"))
        .collect();
    html.tag("details")
        .with("class", "card judge")
        .with("id", &format!("c{n}-card"))
        .with_shown("data-label", n)
        .with("data-spans", &spans.join(" "))
        .flag("open", true)
        .end();
    html.tag("summary").with("class", "card-head").end();
    span("no", &n.to_string(), html);
    heading(candidate, scheme, html);
    span("done", &judged(Some(judgement), scheme), html);
    html.close("summary");
    html.tag("input")
        .with("type", "hidden")
        .with("name", &format!("c{n}"))
        .with("value", candidate.id.as_str())
        .end();
    evidence(candidate, html);
    reasons(candidate, view, html);
    category(scheme, code, html);
    validity(n, judgement, scheme, html);
    better(n, &candidate.category, judgement, scheme, html);
    severity(n, judgement, scheme, html);
    comment(n, judgement, html);
    html.close("details");
}

fn span(class: &str, text: &str, html: &mut Html) {
    html.tag("span").with("class", class).end();
    html.text(text);
    html.close("span");
}

fn heading(candidate: &DeskCandidate, scheme: &Scheme, html: &mut Html) {
    let name = |code| scheme.name_of(code).unwrap_or(code);
    let category = name(&candidate.category);
    // A category without finer distinctions has one subcategory of its own name.
    let finer = candidate.subcategory.as_deref().map(name);
    html.open("h3");
    match finer.filter(|finer| *finer != category) {
        Some(finer) => {
            span("path", &format!("{category} › "), html);
            html.text(finer);
        }
        None => html.text(category),
    }
    html.close("h3");
}

/// The judge's words, and a warning when they do not stand in the trace.
fn evidence(candidate: &DeskCandidate, html: &mut Html) {
    if candidate.anchor == AnchorKind::Unanchored || candidate.spans.is_empty() {
        html.tag("p").with("class", "chip warn").end();
        html.text("Not found in the trace: the judge’s own words");
        html.close("p");
        for quote in &candidate.evidence {
            html.element("blockquote", quote);
        }
    } else {
        for (_, _, quote) in &candidate.spans {
            html.element("blockquote", quote);
        }
    }
}

/// Why the judge says so, and how severe it finds it, unless that is hidden.
fn reasons(candidate: &DeskCandidate, view: &DeskView, html: &mut Html) {
    let shown = candidate.severity.filter(|_| !view.judge_hidden);
    let proposed = shown.zip(view.scheme.severity.as_ref());
    if candidate.explanation.is_empty() && proposed.is_none() {
        return;
    }
    html.tag("p").with("class", "why").end();
    html.element("b", "Judge: ");
    html.text(&candidate.explanation);
    if let Some((value, scale)) = proposed {
        html.text(" Proposed severity ");
        badge(value, scale, false, html);
    }
    html.close("p");
}

fn validity(n: usize, judgement: &Judgement, scheme: &Scheme, html: &mut Html) {
    let questions = &scheme.candidates;
    if !questions.asked {
        return;
    }
    let answers = questions.validity.iter().map(|level| Choice {
        value: level.value.as_str(),
        label: &level.name,
        key: &level.key,
        title: &level.definition,
    });
    let chosen = judgement.validity.map(Validity::as_str);
    html.tag("div").with("id", &format!("c{n}-validity")).end();
    let name = format!("c{n}.validity");
    choices(&name, &questions.question, answers, chosen, html);
    html.close("div");
    let pairs = questions.validity.iter();
    let pairs = pairs.map(|level| (&*level.name, &*level.definition));
    meanings("What these answers mean", pairs, html);
}

/// The categories that fit better; shown by the style sheet once the tag is not simply valid.
fn better(n: usize, own: &str, judgement: &Judgement, scheme: &Scheme, html: &mut Html) {
    if !scheme.candidates.better_categories {
        return;
    }
    let chosen: Vec<&str> = judgement
        .better
        .iter()
        .filter_map(|code| scheme.name_of(code))
        .collect();
    html.tag("details")
        .with("class", "better")
        .flag("open", !judgement.better.is_empty())
        .end();
    html.open("summary");
    html.text("Fits better: ");
    let none = "none named".to_owned();
    let chosen = if chosen.is_empty() {
        none
    } else {
        chosen.join(", ")
    };
    span("chosen", &chosen, html);
    html.close("summary");
    html.tag("div").with("class", "codes").end();
    boxes(n, own, judgement, scheme, html);
    html.close("div");
    html.close("details");
}

/// A checkbox for every category and subcategory. The category of the tag is marked: a neighbour is another subcategory of it,
/// and an invalid tag belongs to another one, so the style sheet shows either the one or the others.
fn boxes(n: usize, own: &str, judgement: &Judgement, scheme: &Scheme, html: &mut Html) {
    let field = format!("c{n}.better");
    let tick = |code: &str, name: &str, html: &mut Html| {
        let checked = judgement.better.iter().any(|chosen| chosen == code);
        html.tag("label").with("class", "check").end();
        html.tag("input")
            .with("type", "checkbox")
            .with("name", &field)
            .flag("checked", checked)
            .with("value", code)
            .end();
        html.element("span", name);
        html.close("label");
    };
    for category in &scheme.categories {
        let class = if category.id == own { "own" } else { "" };
        html.tag("fieldset").with_some("class", class).end();
        html.element("legend", &category.name);
        if category.subcategories.is_empty() {
            tick(&category.id, &category.name, html);
        }
        for sub in &category.subcategories {
            tick(&sub.id, &sub.name, html);
        }
        html.close("fieldset");
    }
}

fn severity(n: usize, judgement: &Judgement, scheme: &Scheme, html: &mut Html) {
    let Some(asked) = &scheme.severity else {
        return;
    };
    html.tag("div").with("id", &format!("c{n}-severity")).end();
    let name = format!("c{n}.severity");
    scale(
        &name,
        &asked.question,
        &asked.levels,
        judgement.severity,
        html,
    );
    html.close("div");
    levels("What the levels mean", &asked.levels, html);
}

fn comment(n: usize, judgement: &Judgement, html: &mut Html) {
    let id = format!("c{n}-comment");
    html.tag("div").with("class", "field").end();
    html.tag("label").with("for", &id).end();
    html.text("Comment, if you like");
    html.close("label");
    html.tag("textarea")
        .with("id", &id)
        .with("name", &format!("c{n}.comment"))
        .with("rows", "1")
        .end();
    html.ready(&area(&judgement.comment));
    html.close("textarea");
    html.close("div");
    html.tag("label").with("class", "check").end();
    html.tag("input")
        .with("type", "checkbox")
        .with("name", &format!("c{n}.discuss"))
        .with("value", "on")
        .flag("checked", judgement.discuss)
        .end();
    html.text("Discuss this tag, whatever the other rater says");
    html.close("label");
}
