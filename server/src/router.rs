//! Every route of the server, and the layers around them.

use app::{routes::App, shell::shell};
use axum::{Router, routing::get};
use leptos_axum::{LeptosRoutes, generate_route_list, render_app_async};

use crate::{
    http::{health, static_files},
    middleware,
    state::AppState,
};

/// The whole server as one service.
pub fn router(state: AppState) -> Router {
    let site = state.site.clone();
    let document = move || shell(site.clone());
    let people = Router::new()
        .leptos_routes(&state, generate_route_list(App), document.clone())
        .fallback(render_app_async(document));
    let routes = middleware::know_people(people, &state)
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/pkg/{build}/{file}", get(static_files::serve));
    middleware::wrap(routes).with_state(state)
}
