//! `/review/{review}`: another rater's judgement, and where one agrees with it.

use domain::annotation::shortest;
use leptos::prelude::*;
use service::{Result, round, round::ReviewLabel};

use super::{
    study::case::case,
    visit::{Visit, visit},
    words,
};
use crate::{
    actions::round::GiveReview,
    components::{Form, Hidden, Kind, Mark, MarkKind, Notice, Page, PostForm, Time, Width},
    html::area,
};

/// One review of a cross-check.
#[component]
pub fn ReviewPage() -> impl IntoView {
    visit(review)
}

async fn review(visit: Visit) -> Result<impl IntoView> {
    let view = round::review(&visit.app, &visit.actor, &visit.param("review")).await?;
    let form = visit.form::<GiveReview>();
    let marks = view.labels.iter().enumerate().flat_map(marks).collect();
    let case = case(&view.item, &view.scheme.display.headings, marks, true).into_any();
    let given = view.done_at.is_some();
    let labels: Vec<AnyView> = view
        .labels
        .iter()
        .enumerate()
        .map(|(at, label)| card(&form, (at, label), given).into_any())
        .collect();
    let comment = (!view.comment.is_empty()).then(|| {
        view! {
            <h2 class="overline">"Their comment on the item"</h2>
            <blockquote>{view.comment.clone()}</blockquote>
        }
    });
    let end = match view.done_at {
        Some(at) => view! {
            <Notice kind=Kind::Good>
                <p>"You gave this review, " <Time at /> "."</p>
            </Notice>
        }
        .into_any(),
        None => view! { <button class="button primary">"Give this review"</button> }.into_any(),
    };
    let sentence = if view.judged {
        "You judged this item, and so did another rater. Say of each of their labels whether you agree. \
         Your own judgement stays as it was; you are not shown it here, so that you read theirs on its own."
    } else {
        "Another rater judged this item, and you did not. Read it first, then say of each of their labels whether you agree. \
         Their judgement stays as it was, and the item can no longer be given to you."
    };
    let id = view.id.clone();
    let title = format!("{}, item {}", view.batch_name, view.position);
    Ok(view! {
        <Page title=title.clone() width=Width::Wide>
            {visit.said()}
            <h1>{title}</h1>
            <p>{sentence}</p>
            <div class="two-panes">
                <div>{case}</div>
                <div>
                    {comment}
                    <PostForm form>
                        <Hidden name="review" value=id />
                        {labels}
                        {end}
                    </PostForm>
                </div>
            </div>
        </Page>
    })
}

fn marks((at, label): (usize, &ReviewLabel)) -> Vec<Mark> {
    let mark = |(start, end, _): &(u32, u32, String)| {
        Some(Mark {
            label: (at + 1).to_string(),
            span: domain::span::Span::new(*start, *end).ok()?,
            kind: MarkKind::Candidate,
            now: false,
        })
    };
    label.spans.iter().filter_map(mark).collect()
}

fn card(form: &Form, (at, label): (usize, &ReviewLabel), given: bool) -> impl IntoView + use<> {
    let parts = [
        label.missed.then(|| "Added by them".to_owned()),
        label
            .validity
            .map(|validity| words::validity(validity).to_owned()),
        label
            .severity
            .map(|value| format!("severity {}", shortest(value))),
        (!label.better.is_empty()).then(|| format!("better: {}", label.better.join(", "))),
    ];
    let mut said: Vec<String> = parts.into_iter().flatten().collect();
    if !said.is_empty() {
        said = vec![said.join(", ")];
    }
    said.extend(label.words.iter().cloned());
    // One thing stands in the sentence, several in a list.
    let said = match said.as_slice() {
        [one] => view! {
            <p>
                "They say: " <b>{one.clone()}</b>
            </p>
        }
        .into_any(),
        [] => view! { <p class="soft">"They say nothing of it."</p> }.into_any(),
        several => {
            let parts = several
                .iter()
                .map(|part| view! { <li>{part.clone()}</li> })
                .collect_view();
            view! {
                <p>"They say:"</p>
                <ul>{parts}</ul>
            }
            .into_any()
        }
    };
    let comment = (!label.comment.is_empty())
        .then(|| view! { <blockquote>{label.comment.clone()}</blockquote> });
    let quotes = label
        .spans
        .iter()
        .map(|(.., words)| view! { <q>{words.clone()}</q> " " })
        .collect_view();
    let verdict = |name: &'static str, text: &'static str, is: bool| {
        let checked = form.ticked(name, &label.label, given && label.agrees == Some(is));
        view! {
            <label class="check">
                <input type="checkbox" name=name value=label.label.clone() checked=checked disabled=given />
                {text}
            </label>
        }
    };
    let verdicts = [
        verdict("agree[]", "I agree", true),
        verdict("disagree[]", "I disagree", false),
    ];
    let id = format!("note-{at}");
    let note = form.nth("notes[]", at, &label.note);
    view! {
        <fieldset class="card">
            <legend>{format!("{}. {}", at + 1, label.title)}</legend>
            <p>{quotes}</p>
            {said}
            {comment}
            <input type="hidden" name="labels[]" value=label.label.clone() />
            {verdicts}
            <div class="field">
                <label for=id.clone()>"Note; needed where you disagree"</label>
                <textarea id=id name="notes[]" rows="2" disabled=given inner_html=area(&note)></textarea>
            </div>
        </fieldset>
    }
}
