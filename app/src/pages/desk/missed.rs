//! What the judge missed: tags of the rater's own, or that there are none.

use domain::{
    annotation::MissedTag,
    scheme::{Scheme, SeverityScale},
};
use leptos::prelude::*;

use super::own::{Words, words};
use crate::{
    components::choices::scale,
    desk_words::scored,
    html::{Html, area},
};
use service::desk::DeskView;

/// The section of the missed tags.
pub fn missed(view: &DeskView) -> impl IntoView + use<> {
    let scheme = &view.scheme;
    let annotation = &view.annotation;
    let words = words(view.step);
    let rows = annotation
        .missed
        .iter()
        .enumerate()
        .map(|(at, tag)| row(at + 1, Some(tag), scheme, &words).into_any());
    let count = scheme.missed.count.then(|| {
        view! {
            <div class="row count">
                <label for="missed-count">"How many categories did the judge miss?"</label>
                <input
                    id="missed-count"
                    name="missed_count"
                    type="number"
                    inputmode="numeric"
                    min="0"
                    max="99"
                    value=annotation.missed_count.map(|count| count.to_string())
                />
            </div>
        }
    });
    scheme.missed.asked.then(|| {
        view! {
            <h2 class="overline">{scheme.missed.question.clone()}</h2>
            <div id="missed-tags">{rows.collect_view()}</div>
            <div class="card missed" id="missed" data-label="missed">
                <label class="check">
                    <input type="checkbox" id="nothing-missed" name="nothing_missed" checked=annotation.nothing_missed />
                    <b>{words.nothing}</b>
                    <kbd>"N"</kbd>
                    <span class="soft small">{words.looked}</span>
                </label>
                <p class="live-only row">
                    <button type="button" id="add-missed">
                        {words.add}
                        <kbd>"A"</kbd>
                    </button>
                    <span class="soft small">"or select words in the trace"</span>
                </p>
                {count}
            </div>
            <div id="blank">{row(0, None, scheme, &words).into_any()}</div>
        }
    })
}

/// One missed tag. Row 0 is blank: without script it is filled in, with script it is the pattern for new rows.
fn row(n: usize, tag: Option<&MissedTag>, scheme: &Scheme, words: &Words) -> impl IntoView + use<> {
    let label = if n == 0 {
        "new".to_owned()
    } else {
        format!("+{n}")
    };
    let (start, end) = tag.and_then(|tag| tag.span).unzip();
    let spans = start.zip(end).map(|(start, end)| format!("{start}-{end}"));
    let quote = tag.map(|tag| tag.quote.clone()).unwrap_or_default();
    let name = tag
        .and_then(|tag| scheme.name_of(&tag.code))
        .unwrap_or(words.new)
        .to_owned();
    let hidden = |part: &str, value: Option<String>| {
        view! { <input type="hidden" name=format!("m{n}{part}") value=value.unwrap_or_default() /> }
    };
    let placed = start.is_some();
    let words = if placed {
        view! {
            <blockquote id=format!("m{n}-quote") tabindex="-1">{quote.clone()}</blockquote>
            {hidden(".quote", Some(quote))}
        }
        .into_any()
    } else {
        quote_fields(n, quote).into_any()
    };
    let comment = tag.map(|tag| tag.comment.clone()).unwrap_or_default();
    let last = if n == 0 {
        ("add_missed".to_owned(), "Add this tag")
    } else {
        (format!("remove:m{n}"), "Remove")
    };
    view! {
        <details class="card missed-tag" id=format!("m{n}-card") data-label=label.clone() data-spans=spans open>
            <summary class="card-head">
                <span class="no">{label.clone()}</span>
                <h3>{name}</h3>
                <span class="done">{tag.map(scored)}</span>
            </summary>
            {hidden("", tag.map(|tag| tag.id.to_string()))}
            {hidden(".start", start.map(|at| at.to_string()))}
            {hidden(".end", end.map(|at| at.to_string()))}
            <div class="words">{words}</div>
            <div class="field">
                <label for=format!("m{n}-code")>"Category"</label>
                <select id=format!("m{n}-code") name=format!("m{n}.code") inner_html=options(tag.map(|tag| tag.code.as_str()), scheme)></select>
            </div>
            {scheme.severity.as_ref().map(|asked| severity(n, tag.and_then(|tag| tag.severity), asked))}
            <div class="field">
                <label for=format!("m{n}-comment")>"Comment, if you like"</label>
                <textarea id=format!("m{n}-comment") name=format!("m{n}.comment") rows="1" inner_html=area(&comment)></textarea>
            </div>
            <p class="row end">
                <button name="intent" value=last.0>{last.1}</button>
            </p>
        </details>
    }
}

/// Words that have no place in the trace yet.
fn quote_fields(n: usize, quote: String) -> impl IntoView {
    view! {
        <div class="field">
            <label for=format!("m{n}-quote")>"Words of the trace, copied exactly"</label>
            <textarea id=format!("m{n}-quote") name=format!("m{n}.quote") rows="1" inner_html=area(&quote)></textarea>
        </div>
        <div class="row field">
            <label for=format!("m{n}-nth")>"If they stand there several times, which one?"</label>
            <input id=format!("m{n}-nth") name=format!("m{n}.nth") type="number" min="1" max="999" placeholder="1" />
        </div>
    }
}

fn severity(n: usize, chosen: Option<f64>, asked: &SeverityScale) -> impl IntoView + use<> {
    let mut html = Html::default();
    let name = format!("m{n}.severity");
    scale(&name, &asked.question, &asked.levels, chosen, &mut html);
    view! { <div id=format!("m{n}-severity") inner_html=html.done()></div> }
}

/// The categories as options, grouped; built as text like the boxes of a candidate.
pub fn options(chosen: Option<&str>, scheme: &Scheme) -> String {
    let mut html = Html::default();
    let option = |code: &str, name: &str, html: &mut Html| {
        html.tag("option")
            .with("value", code)
            .flag("selected", chosen == Some(code))
            .end();
        html.text(name);
        html.close("option");
    };
    html.tag("option").with("value", "").end();
    html.text("Choose a category");
    html.close("option");
    for category in &scheme.categories {
        if category.subcategories.is_empty() {
            option(&category.id, &category.name, &mut html);
            continue;
        }
        html.tag("optgroup").with("label", &category.name).end();
        for sub in &category.subcategories {
            option(&sub.id, &sub.name, &mut html);
        }
        let none = format!("{}, none of these", category.name);
        option(&category.id, &none, &mut html);
        html.close("optgroup");
    }
    html.done()
}
