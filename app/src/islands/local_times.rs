//! Writes every `<time>` of the page in the reader's own zone, and names the zone.

use js_sys::{Date, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

/// Leaves the UTC text where the browser cannot tell its zone.
#[island]
pub fn LocalTimes() -> impl IntoView {
    Effect::new(|_| localise_all());
}

/// Writes the times that are on the page now.
pub fn localise_all() {
    let Ok(times) = document().query_selector_all("time[datetime]:not([title])") else {
        return;
    };
    for at in 0..times.length() {
        if let Some(element) = times
            .get(at)
            .and_then(|node| node.dyn_into::<Element>().ok())
        {
            localise(&element);
        }
    }
}

fn localise(element: &Element) {
    let Some(written) = element.get_attribute("datetime") else {
        return;
    };
    let date = Date::new(&JsValue::from_str(&written));
    if date.get_time().is_nan() {
        return;
    }
    let utc = element.text_content().unwrap_or_default();
    element.set_text_content(Some(&with_zone(&date)));
    let _ = element.set_attribute("title", &utc);
}

/// Date and time as this browser's language writes them, with the zone's name.
fn with_zone(date: &Date) -> String {
    let options = Object::new();
    for (key, value) in [
        ("year", "numeric".into()),
        ("month", "short".into()),
        ("day", "numeric".into()),
        ("hour", "2-digit".into()),
        ("minute", "2-digit".into()),
        ("timeZoneName", "short".into()),
    ] {
        let _ = Reflect::set(&options, &key.into(), &value);
    }
    String::from(date.to_locale_string("default", &options))
}

/// Hour and minute of now, in the reader's zone.
pub fn hour_and_minute(at: f64) -> String {
    let date = Date::new(&JsValue::from_f64(at));
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}
