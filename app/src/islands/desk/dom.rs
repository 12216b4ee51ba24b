//! Short names for what the desk asks of the browser.

use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Element, Event, EventTarget, HtmlElement, Storage};

/// The element of this `id`.
pub fn by_id(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// The first match inside `root`.
pub fn find(root: &Element, selector: &str) -> Option<HtmlElement> {
    root.query_selector(selector).ok()??.dyn_into().ok()
}

/// Every match inside `root`, in order.
pub fn find_all(root: &Element, selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = root.query_selector_all(selector) else {
        return Vec::new();
    };
    (0..list.length())
        .filter_map(|at| list.get(at)?.dyn_into().ok())
        .collect()
}

/// Listens for as long as the page lives.
pub fn on(target: &EventTarget, name: &str, act: impl FnMut(Event) + 'static) {
    let closure = Closure::<dyn FnMut(Event)>::new(act);
    let _ = target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref());
    closure.forget();
}

/// Runs once after `milliseconds`; the number cancels it.
pub fn after(milliseconds: i32, act: impl FnOnce() + 'static) -> i32 {
    let closure = Closure::once_into_js(act);
    window()
        .set_timeout_with_callback_and_timeout_and_arguments_0(
            closure.unchecked_ref(),
            milliseconds,
        )
        .unwrap_or(0)
}

/// Replaces the text of an element, if it changed.
pub fn write(element: &Element, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

/// Sets or takes away an attribute.
pub fn mark(element: &Element, name: &str, value: Option<&str>) {
    let _ = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}

/// The element an event happened on.
pub fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The nearest ancestor (or the element itself) that matches.
pub fn closest(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok()?
}

/// Storage that outlives the page; absent where the browser forbids it.
pub fn storage() -> Option<Storage> {
    window().local_storage().ok()?
}

/// An identity that no other save has. `crypto.randomUUID` is missing on plain HTTP, where clinics may run this.
pub fn fresh_id() -> String {
    let part = || (js_sys::Math::random() * 4_294_967_296.0) as u32;
    format!(
        "{:x}-{:08x}{:08x}{:08x}",
        js_sys::Date::now() as u64,
        part(),
        part(),
        part()
    )
}

/// Reads a field or a choice of a JavaScript object.
pub fn property(object: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}
