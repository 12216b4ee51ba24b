//! The points an expert expects of the answers to a text, and as long as nobody has counted them a form to write them.

use leptos::prelude::*;
use service::item::ItemView;

use crate::{
    actions::item::SetPoints,
    components::{AreaField, Hidden, PostForm},
    pages::visit::Visit,
};

/// The points; nothing for a scheme that does not ask for any.
pub fn points(visit: &Visit, found: &ItemView) -> Option<AnyView> {
    if !found.has_points {
        return None;
    }
    let lines = found.item.options.clone();
    let count = lines.len();
    let list = lines.iter().map(|point| view! { <li>{point.clone()}</li> });
    let list: Vec<_> = list.collect();
    let shown = (!found.points_open && count > 0).then(|| view! { <ol>{list}</ol> });
    let none = (!found.points_open && count == 0).then(|| {
        view! { <p class="soft">"No points were written down for this text."</p> }
    });
    let fixed = (!found.points_open).then(|| {
        view! {
            <p class="soft small">
                "The points are fixed: a rater has opened a statement about this text, or a judge has counted its points."
            </p>
        }
    });
    let form = found.points_open.then(|| {
        let form = visit.form::<SetPoints>();
        let (item, seen) = (found.id.to_string(), lines.join("\n"));
        view! {
            <PostForm form=form.clone()>
                <Hidden name="item" value=item />
                <Hidden name="seen" value=seen.clone() />
                <AreaField
                    form
                    name="points"
                    label="Expected points"
                    hint="One a line, drawn from the text before any statement was read. They hold for every item with the same text."
                    start=seen
                    rows=6
                />
                <button class="button">"Keep these points"</button>
            </PostForm>
        }
    });
    Some(
        view! {
            <section id="points">
                <h2 class="overline">{format!("Points ({count})")}</h2>
                {fixed}
                {none}
                {shown}
                {form}
            </section>
        }
        .into_any(),
    )
}
