//! The steps of a trace: a numbered list, and as long as nobody has counted them the controls that join and split.

use domain::annotation::slice;
use leptos::prelude::*;
use service::item::ItemView;

use crate::{
    actions::item::DivideItem,
    components::{Hidden, PostForm},
    pages::visit::Visit,
};

/// The list; nothing for a scheme that is not about steps.
pub fn steps(visit: &Visit, found: &ItemView) -> Option<AnyView> {
    if !found.has_steps {
        return None;
    }
    let count = found.item.segments.len();
    let divisible = found.divisible;
    let rows = found.item.segments.iter().enumerate().map(|(at, part)| {
        let (label, start, end) = part;
        let text = slice(&found.item.trace, (*start, *end)).unwrap_or_default();
        let label = (!label.is_empty()).then(|| view! { <b>{format!("{label} ")}</b> });
        let change = divisible.then(|| change(visit, found, at + 1).into_any());
        view! {
            <li>
                <p class="read">{label} {text.to_owned()}</p>
                {change}
            </li>
        }
        .into_any()
    });
    let rows: Vec<AnyView> = rows.collect();
    let anew = divisible.then(|| {
        let form = visit.form::<DivideItem>().repeated();
        let id = found.id.to_string();
        view! {
            <PostForm form>
                <Hidden name="item" value=id />
                <Hidden name="seen" value=count.to_string() />
                <button class="button" name="change" value="anew">
                    "Divide anew, by subtitles or sentences"
                </button>
            </PostForm>
        }
    });
    let fixed = (!divisible).then(|| {
        view! {
            <p class="soft small">
                "The steps are fixed: a rater has opened the item, or a judge has related them by number. Raters can still join and split steps for themselves."
            </p>
        }
    });
    Some(
        view! {
            <section id="steps">
                <h2 class="overline">{format!("Steps ({count})")}</h2>
                {fixed}
                <ol class="relations">{rows}</ol>
                {anew}
            </section>
        }
        .into_any(),
    )
}

/// Joins a step to the one before it, or splits it at words.
fn change(visit: &Visit, found: &ItemView, step: usize) -> impl IntoView + use<> {
    let form = visit.form::<DivideItem>().repeated();
    let (item, seen) = (found.id.to_string(), found.item.segments.len().to_string());
    let id = format!("words-{step}");
    let join = (step > 1).then(|| {
        view! {
            <button class="button" name="change" value="join">
                {format!("Join with step {}", step - 1)}
            </button>
        }
    });
    view! {
        <PostForm form>
            <Hidden name="item" value=item />
            <Hidden name="seen" value=seen />
            <Hidden name="step" value=step.to_string() />
            <div class="field">
                <label for=id.clone()>{format!("Split step {step} at the words")}</label>
                <input id=id name="words" />
            </div>
            <p>
                <button class="button" name="change" value="split">
                    {format!("Split step {step}")}
                </button>
                " "
                {join}
            </p>
        </PostForm>
    }
}
