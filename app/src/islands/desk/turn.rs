//! Turning to the next item without loading a page: its `<main>` is fetched and takes the place of this one.
//! Whatever is not as expected falls back to loading the page.

use leptos::prelude::{document, window};
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, DomParser, Element, SupportedType};

use super::{
    dom::{by_id, find, find_all},
    rules::Rules,
};
use crate::islands::{http, local_times};

/// The props of the desk's island, as the server wrote them.
#[derive(Deserialize)]
pub struct Props {
    pub assignment: String,
    pub user: String,
    pub rules: Rules,
}

/// Shows the desk at `address`; what its island needs, or nothing when the page is being loaded instead.
pub async fn turn_to(address: &str) -> Option<Props> {
    let props = swap(address).await;
    if props.is_none() {
        let _ = window().location().assign(address);
    }
    props
}

async fn swap(address: &str) -> Option<Props> {
    let reply = http::send("GET", address, None, false).await.ok()?;
    if reply.status != 200 {
        return None;
    }
    let next = DomParser::new()
        .ok()?
        .parse_from_string(&reply.body, SupportedType::TextHtml)
        .ok()?;
    let main = next.query_selector("main").ok()??;
    // The form must be that of the address: a sign-in page or a refusal is loaded, not swapped in.
    let action = find(&main, "#desk")?.get_attribute("action")?;
    let island = find_all(&main, "leptos-island")
        .into_iter()
        .find_map(|island| island.get_attribute("data-props"))?;
    let props: Props = serde_json::from_str(&island).ok()?;
    if action != address || !address.ends_with(&props.assignment) {
        return None;
    }
    let old = document().query_selector("main").ok()??;
    old.replace_with_with_node_1(&main).ok()?;
    take_over(&next, ".site-right .progress");
    take_over(&next, ".crumbs");
    document().set_title(&next.title());
    let _ = window()
        .history()
        .ok()?
        .push_state_with_url(&JsValue::NULL, "", Some(address));
    if let Some(state) = by_id("save-state") {
        state.set_text_content(None);
    }
    window().scroll_to_with_x_and_y(0.0, 0.0);
    local_times::localise_all();
    Some(props)
}

/// Replaces what the selector finds by the same of another document.
fn take_over(next: &Document, selector: &str) {
    let old = document().query_selector(selector).ok().flatten();
    let new = next.query_selector(selector).ok().flatten();
    if let (Some(old), Some(new)) = (old, new) {
        let _ = old.replace_with_with_node_1(new.unchecked_ref::<Element>());
    }
}
