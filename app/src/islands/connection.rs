//! Says in words when the browser has lost the network.

use leptos::{ev, prelude::*};

/// Empty while online, so that nobody is told what they expect; announced politely otherwise.
#[island]
pub fn Connection() -> impl IntoView {
    let online = RwSignal::new(true);
    Effect::new(move |_| {
        online.set(window().navigator().on_line());
        for (event, state) in [("online", true), ("offline", false)] {
            let handle = window_event_listener(ev::Custom::<ev::Event>::new(event), move |_| {
                online.set(state);
            });
            on_cleanup(move || handle.remove());
        }
    });
    view! {
        <p class="connection" role="status">
            {move || (!online.get()).then_some("Offline: changes wait until the network is back")}
        </p>
    }
}
