//! One candidate: what the judge saw, and what the rater says of it.

use domain::{annotation::Judgement, scheme::Scheme, span::AnchorKind};
use leptos::prelude::*;
use std::fmt::Write;

use crate::{
    components::{
        CategoryDefinition, Choice, Choices, LevelBadge, LevelDefinitions, Meanings, SeverityInput,
    },
    desk_words::judged,
    draw::{area, escape},
};
use service::desk::{DeskCandidate, DeskView};

/// The card of candidate `n`.
pub fn card(
    n: usize,
    candidate: &DeskCandidate,
    judgement: Option<&Judgement>,
    view: &DeskView,
) -> impl IntoView + use<> {
    let scheme = view.scheme.clone();
    let blank = Judgement::default();
    let judgement = judgement.unwrap_or(&blank);
    let code = candidate
        .subcategory
        .clone()
        .unwrap_or_else(|| candidate.category.clone());
    let done = judged(Some(judgement), &scheme);
    let spans: Vec<String> = candidate
        .spans
        .iter()
        .map(|(start, end, _)| format!("{start}-{end}"))
        .collect();
    let spans = spans.join(" ");
    view! {
        <details class="card judge" id=format!("c{n}-card") data-label=n.to_string() data-spans=spans open>
            <summary class="card-head">
                <span class="no">{n}</span>
                {heading(candidate, &scheme)}
                <span class="done">{done}</span>
            </summary>
            <input type="hidden" name=format!("c{n}") value=candidate.id.to_string() />
            {evidence(candidate)}
            {reasons(candidate, view)}
            <CategoryDefinition scheme=scheme.clone() code />
            {validity(n, judgement, &scheme)}
            {better(n, &candidate.category, judgement, &scheme)}
            {severity(n, judgement, &scheme)}
            <div class="field">
                <label for=format!("c{n}-comment")>"Comment, if you like"</label>
                <textarea id=format!("c{n}-comment") name=format!("c{n}.comment") rows="1" inner_html=area(&judgement.comment)></textarea>
            </div>
            <label class="check">
                <input type="checkbox" name=format!("c{n}.discuss") value="on" checked=judgement.discuss />
                "Discuss this tag, whatever the other rater says"
            </label>
        </details>
    }
}

fn heading(candidate: &DeskCandidate, scheme: &Scheme) -> impl IntoView + use<> {
    let name = |code: &str| scheme.name_of(code).unwrap_or(code).to_owned();
    let category = name(&candidate.category);
    // A category without finer distinctions has one subcategory of its own name.
    match candidate
        .subcategory
        .as_ref()
        .filter(|sub| name(sub) != category)
    {
        Some(sub) => view! {
            <h3>
                <span class="path">{category} " › "</span>
                {name(sub)}
            </h3>
        }
        .into_any(),
        None => view! { <h3>{category}</h3> }.into_any(),
    }
}

/// The judge's words, and a warning when they do not stand in the trace.
fn evidence(candidate: &DeskCandidate) -> impl IntoView + use<> {
    let lost = candidate.anchor == AnchorKind::Unanchored || candidate.spans.is_empty();
    let quotes: Vec<String> = if lost {
        candidate.evidence.clone()
    } else {
        candidate
            .spans
            .iter()
            .map(|(_, _, quote)| quote.clone())
            .collect()
    };
    let warning = lost.then(
        || view! { <p class="chip warn">"Not found in the trace: the judge’s own words"</p> },
    );
    view! {
        {warning}
        {quotes.into_iter().map(|quote| view! { <blockquote>{quote}</blockquote> }).collect_view()}
    }
}

/// Why the judge says so, and how severe it finds it, unless that is hidden.
fn reasons(candidate: &DeskCandidate, view: &DeskView) -> impl IntoView + use<> {
    let scale = view.scheme.severity.clone();
    let proposed = candidate
        .severity
        .filter(|_| !view.judge_hidden)
        .zip(scale)
        .map(|(value, scale)| {
            view! {
                " Proposed severity "
                <LevelBadge value scale />
            }
        });
    let why = candidate.explanation.clone();
    (!why.is_empty() || proposed.is_some()).then(|| {
        view! {
            <p class="why">
                <b>"Judge: "</b>
                {why}
                {proposed}
            </p>
        }
    })
}

fn validity(n: usize, judgement: &Judgement, scheme: &Scheme) -> impl IntoView + use<> {
    let questions = &scheme.candidates;
    let choice = |level: &domain::scheme::ValidityLevel| Choice {
        value: level.value.as_str().into(),
        label: level.name.clone(),
        key: level.key.clone(),
        title: level.definition.clone(),
    };
    let choices: Vec<Choice> = questions.validity.iter().map(choice).collect();
    let chosen = judgement.validity.map(|v| v.as_str().to_owned());
    let pair =
        |level: &domain::scheme::ValidityLevel| (level.name.clone(), level.definition.clone());
    let pairs: Vec<_> = questions.validity.iter().map(pair).collect();
    questions.asked.then(|| {
        view! {
            <div id=format!("c{n}-validity")>
                <Choices
                    name=format!("c{n}.validity")
                    legend=questions.question.clone()
                    choices
                    chosen
                />
            </div>
            <Meanings summary="What these answers mean" pairs />
        }
    })
}

/// The categories that fit better; shown by the style sheet once the tag is not simply valid.
fn better(n: usize, own: &str, judgement: &Judgement, scheme: &Scheme) -> impl IntoView + use<> {
    let chosen: Vec<&str> = judgement
        .better
        .iter()
        .filter_map(|code| scheme.name_of(code))
        .collect();
    let summary = if chosen.is_empty() {
        "none named".to_owned()
    } else {
        chosen.join(", ")
    };
    scheme.candidates.better_categories.then(|| {
        view! {
            <details class="better" open=!judgement.better.is_empty()>
                <summary>
                    "Fits better: "
                    <span class="chosen">{summary}</span>
                </summary>
                <div class="codes" inner_html=boxes(n, own, judgement, scheme)></div>
            </details>
        }
    })
}

/// A checkbox for every category and subcategory. Built as text: there are thirty of them on every card. The category of the
/// tag is marked: a neighbour is another subcategory of it, and an invalid tag belongs to another one, so the style sheet shows
/// either the one or the others.
fn boxes(n: usize, own: &str, judgement: &Judgement, scheme: &Scheme) -> String {
    let mut html = String::new();
    let tick = |code: &str, name: &str, html: &mut String| {
        let checked = if judgement.better.iter().any(|chosen| chosen == code) {
            " checked"
        } else {
            ""
        };
        let _ = write!(
            html,
            "<label class=\"check\"><input type=\"checkbox\" name=\"c{n}.better\"{checked} value=\""
        );
        escape(code, html);
        html.push_str("\"><span>");
        escape(name, html);
        html.push_str("</span></label>");
    };
    for category in &scheme.categories {
        html.push_str(if category.id == own {
            "<fieldset class=\"own\"><legend>"
        } else {
            "<fieldset><legend>"
        });
        escape(&category.name, &mut html);
        html.push_str("</legend>");
        if category.subcategories.is_empty() {
            tick(&category.id, &category.name, &mut html);
        }
        for sub in &category.subcategories {
            tick(&sub.id, &sub.name, &mut html);
        }
        html.push_str("</fieldset>");
    }
    html
}

fn severity(n: usize, judgement: &Judgement, scheme: &Scheme) -> impl IntoView + use<> {
    let chosen = judgement.severity;
    scheme.severity.clone().map(|scale| {
        view! {
            <div id=format!("c{n}-severity")>
                <SeverityInput
                    name=format!("c{n}.severity")
                    legend=scale.question
                    levels=scale.levels.clone()
                    chosen
                />
            </div>
            <LevelDefinitions summary="What the levels mean" levels=scale.levels />
        }
    })
}
