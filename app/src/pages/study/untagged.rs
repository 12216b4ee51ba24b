//! What pages about tags say where a scheme has none.

use leptos::prelude::*;

use super::frame::{Open, Tab};
use crate::components::{Kind, Notice};

/// Where what a judge is worth stands instead.
pub fn notice(open: &Open) -> impl IntoView + use<> {
    let agreement = format!("{}?facet=judge", Tab::Agreement.href(&open.study));
    let results = (!open.study.scheme.measures.is_empty()).then(|| {
        view! {
            ", and what the scheme measures, source by source, on "
            <a href=Tab::Results.href(&open.study)>"Results"</a>
        }
    });
    view! {
        <Notice kind=Kind::Info>
            <p>
                "This scheme has no tags, which this page is about. How far a judge agrees with each rater and with the final answers stands on "
                <a href=agreement>"Agreement"</a> " (by judge)" {results} "."
            </p>
        </Notice>
    }
}
