//! Both raters' sides and the judge's, on one scale and as cards.

use domain::scheme::{QuestionKind, Scheme};
use leptos::prelude::*;
use service::desk::JudgeAnswer;
use service::unit::{RaterSide, UnitView};

use super::question;
use crate::{
    components::{LevelBadge, Point, Time, Track},
    desk_words::NOT_RATABLE,
    pages::words,
};

/// The scale with everybody on it, and a card for each side; staff may adopt a value.
pub fn sides(unit: &UnitView, adopting: bool) -> impl IntoView + use<> {
    let track = track(unit).map(IntoAny::into_any);
    let cards = unit
        .raters
        .iter()
        .map(|side| card(unit, side, adopting).into_any())
        .collect_view();
    view! {
        {track}
        <div class="sides">{cards}</div>
    }
}

fn track(unit: &UnitView) -> Option<impl IntoView + use<>> {
    const CLASSES: [&str; 2] = ["a", "b"];
    let scale = question::scale(unit)?;
    let mut points: Vec<Point> = unit
        .raters
        .iter()
        .enumerate()
        .filter_map(|(at, side)| {
            let who = format!("rater {}", side.letter);
            Some(Point {
                who,
                label: side.letter.clone(),
                value: side.severity?,
                class: CLASSES[at % 2],
            })
        })
        .collect();
    if let Some(value) = unit.tag.severity {
        points.push(Point {
            who: "the judge".into(),
            label: "judge".into(),
            value,
            class: "judge",
        });
    }
    let ordinal = question::of(unit).is_some_and(|asked| asked.kind == QuestionKind::Ordinal);
    for said in unit.judges.iter().filter(|_| ordinal) {
        let value = said.values.first().and_then(|value| value.parse().ok());
        points.extend(value.map(|value| Point {
            who: said.judge.clone(),
            label: "judge".into(),
            value,
            class: "judge",
        }));
    }
    if let Some(value) = unit.ruling.as_ref().and_then(|ruling| ruling.severity) {
        points.push(Point {
            who: "the ruling".into(),
            label: "ruling".into(),
            value,
            class: "final",
        });
    }
    let what = match question::of(unit) {
        Some(_) => "Answers of everybody",
        None => "Severity of everybody",
    };
    (!points.is_empty()).then(|| {
        view! {
            <div class="drawing" role="group" tabindex="0" aria-label=what>
                <Track scale points />
            </div>
        }
    })
}

fn card(unit: &UnitView, side: &RaterSide, adopting: bool) -> impl IntoView + use<> {
    let scheme: &Scheme = &unit.scheme;
    let said = question::said(unit, &side.values).map(listed);
    let severity = side.severity.zip(question::scale(unit));
    let severity = severity.map(|(value, scale)| view! { <LevelBadge value scale /> });
    let validity = if side.not_marked {
        Some("Did not mark this")
    } else {
        side.validity.map(words::validity)
    };
    let reason = NOT_RATABLE
        .iter()
        .find(|(code, _)| *code == side.not_ratable_reason)
        .map(|(_, text)| *text);
    let unable = (!side.not_ratable_reason.is_empty())
        .then(|| view! { <p class="warn-text">"Cannot be rated: " {reason.unwrap_or("another reason")}</p> });
    let better: Vec<&str> = side
        .better
        .iter()
        .map(|code| scheme.name_of(code).unwrap_or(code))
        .collect();
    let better = (!better.is_empty()).then(|| format!("Fits better: {}", better.join("; ")));
    let discuss = side
        .discuss
        .then(|| view! { <span class="chip now">"Asks to discuss"</span> });
    let gone =
        (!side.active).then(|| view! { <span class="chip">"No longer rates in this study"</span> });
    let about = |label: &'static str, text: &str| {
        let text = text.to_owned();
        let lead = (!label.is_empty()).then(|| view! { <span class="soft small">{label}</span> });
        (!text.is_empty()).then(|| {
            view! {
                <p class="comment">{lead}{text}</p>
            }
        })
    };
    let can = adopting && !side.not_marked && side.not_ratable_reason.is_empty();
    let adopt = can.then(|| adopt(side));
    view! {
        <article class="card" aria-label=format!("Rater {}", side.letter)>
            <div class="card-head">
                <h2>{format!("Rater {}", side.letter)}</h2>
                <span class="soft small">{side.display_name.clone()}</span>
            </div>
            {said}
            <p class="row">{severity} <span>{validity}</span> {discuss} {gone}</p>
            {unable}
            <p class="small">{better}</p>
            {about("", &side.comment)}
            {about("On the item: ", &side.item_comment)}
            <div class="row">
                {adopt} <span class="soft small push">
                    <Time at=side.submitted_at />
                </span>
            </div>
        </article>
    }
}

/// A link that fills the form with this rater's value; with script it fills it in place.
fn adopt(side: &RaterSide) -> impl IntoView + use<> {
    let letter = side.letter.clone();
    let severity = side.severity.map(domain::annotation::shortest);
    let validity = side.validity.map(domain::scheme::Validity::as_str);
    let href = format!("?adopt={letter}#ruling-record");
    let adopted = letter.clone();
    let label = format!("Adopt the value of rater {letter}");
    view! {
        <a
            class="button"
            aria-label=label
            href=href
            data-adopt=adopted
            data-severity=severity
            data-validity=validity
        >
            "Adopt "
            <kbd>{letter}</kbd>
        </a>
    }
}

/// The parts of an answer: one as it is, several as a list.
fn listed(parts: Vec<String>) -> AnyView {
    if let [only] = parts.as_slice() {
        return view! { <p>{only.clone()}</p> }.into_any();
    }
    let parts = parts.into_iter().map(|part| view! { <li>{part}</li> });
    view! { <ul class="small">{parts.collect_view()}</ul> }.into_any()
}

/// What judges answered to the question.
fn answers(unit: &UnitView) -> Option<AnyView> {
    let question = question::of(unit)?;
    if unit.judges.is_empty() {
        return None;
    }
    let one = |said: &JudgeAnswer| {
        let words = listed(question.in_words(&said.values, &unit.item.options));
        let why = (!said.rationale.is_empty())
            .then(|| view! { <p class="comment">{said.rationale.clone()}</p> });
        view! {
            <p class="soft small">{said.judge.clone()}</p>
            {words}
            {why}
        }
    };
    let all = unit.judges.iter().map(one).collect_view();
    let view = view! {
        <section class="judge-side">
            <h2 class="overline">"What the judge said"</h2>
            {all}
        </section>
    };
    Some(view.into_any())
}

/// What the judge said of the tag, or answered to the question.
pub fn judge(unit: &UnitView) -> Option<AnyView> {
    if unit.tag.number == 0 {
        return answers(unit);
    }
    let severity = unit.tag.severity.zip(unit.scheme.severity.clone());
    let severity = match severity {
        Some((value, scale)) => view! { <LevelBadge value scale /> }.into_any(),
        None => view! { <span class="soft">"no severity given"</span> }.into_any(),
    };
    let unanchored = (unit.tag.anchor == "unanchored").then(|| {
        let quotes = unit
            .tag
            .evidence
            .iter()
            .map(|words| view! { <blockquote>{words.clone()}</blockquote> });
        let quotes = quotes.collect_view();
        view! {
            <p class="warn-text small">"The judge’s quotation does not stand in the trace:"</p>
            {quotes}
        }
    });
    let explanation = unit.tag.explanation.clone();
    let view = view! {
        <section class="judge-side">
            <h2 class="overline">"What the judge said"</h2>
            <p>{severity}</p>
            {unanchored}
            <p>{explanation}</p>
        </section>
    };
    Some(view.into_any())
}
