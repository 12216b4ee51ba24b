//! An item whose tags of the judge are hidden at first: what the rater is told, and what they gave before they saw them.

use domain::{annotation::MissedTag, own::Step, scheme::Scheme};
use leptos::prelude::*;

use crate::{
    components::{Kind, Notice, Time},
    desk_words::scored,
};
use service::desk::{DeskView, OwnTags};

/// What the section of own tags says.
pub struct Words {
    pub nothing: &'static str,
    pub looked: &'static str,
    pub add: &'static str,
    pub new: &'static str,
    pub ask: &'static str,
    pub help: &'static str,
}

/// The words for tags that the judge missed, or for a rater's own where nothing of the judge is shown.
pub fn words(step: Step) -> Words {
    if step == Step::Own {
        return Words {
            nothing: "Nothing found",
            looked: "I looked, and there is nothing to tag",
            add: "Add a tag",
            new: "A tag of your own",
            ask: "What do you find in these words?",
            help: "To add a tag of your own, select words with the mouse; or go to the trace with Tab, move with the arrow keys, extend with Shift and press Enter.",
        };
    }
    Words {
        nothing: "Nothing missed",
        looked: "I looked, and the judge marked all there is",
        add: "Add a missed tag",
        new: "A missed tag",
        ask: "What did the judge miss in these words?",
        help: "To add a missed tag, select words with the mouse; or go to the trace with Tab, move with the arrow keys, extend with Shift and press Enter.",
    }
}

/// What is asked first, or what was given first.
pub fn given(view: &DeskView) -> impl IntoView + use<> {
    match (view.step, &view.own) {
        (Step::Own, _) => view! {
            <Notice kind=Kind::Info>
                <p>
                    "On this item you judge first. Mark every tag that you find in the trace, or say that there is nothing to tag. When you submit, your tags are fixed; then you see those of the judge, and judge them."
                </p>
            </Notice>
        }
        .into_any(),
        (_, Some(own)) => fixed(own, &view.scheme).into_any(),
        _ => ().into_any(),
    }
}

fn fixed(own: &OwnTags, scheme: &Scheme) -> impl IntoView + use<> {
    let row = |tag: &MissedTag| {
        let name = scheme.name_of(&tag.code).unwrap_or_default().to_owned();
        let quote =
            (!tag.quote.is_empty()).then(|| view! { <blockquote>{tag.quote.clone()}</blockquote> });
        view! {
            <li>
                <b>{name}</b>
                " "
                {scored(tag)}
                {quote}
            </li>
        }
    };
    let tags = if own.tags.is_empty() {
        view! { <p>"You found nothing to tag."</p> }.into_any()
    } else {
        view! { <ul>{own.tags.iter().map(row).collect_view()}</ul> }.into_any()
    };
    view! {
        <section class="card" aria-labelledby="own-tags">
            <h2 class="overline" id="own-tags">
                "Your own tags"
            </h2>
            {tags}
            <p class="soft small">
                "Given " <Time at=own.submitted_at /> " before you saw the judge’s. They stay as they are."
            </p>
        </section>
    }
}
