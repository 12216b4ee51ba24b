//! Every route of the server, and the layers around them.

use std::path::Path;

use app::{routes::App, shell::shell};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use leptos_axum::{LeptosRoutes, generate_route_list, render_app_async};
use tower_http::services::ServeDir;

use crate::{
    http::{api, desk, download, health, import, preview, static_files},
    middleware,
    state::AppState,
};

/// The whole server as one service.
pub fn router(state: AppState) -> Router {
    let site = state.site.clone();
    let document = move || shell(site.clone());
    let people = Router::new()
        .nest("/api/v1", api::routes())
        .route("/desk/{assignment}", post(desk::take))
        .route("/schemes/preview", post(preview::show))
        .route(
            "/studies/{study}/agreement/rows.csv",
            get(download::agreement_rows),
        )
        .route("/studies/{study}/corpus/{file}", get(download::corpus_file))
        .route("/studies/{study}/report/{file}", get(download::report_file))
        .route("/studies/{study}/export/{file}", get(download::table))
        .route(
            "/studies/{study}/rounds/disagreements.csv",
            get(download::disagreements),
        )
        .route(
            "/studies/{study}/audit/independence.csv",
            get(download::independence),
        )
        .route(
            "/studies/{study}/sign-off/{number}/content.json",
            get(download::snapshot),
        )
        .route("/studies/{study}/scheme.toml", get(download::scheme))
        .route("/schemes/{file}", get(download::built_in))
        .route(
            "/studies/{study}/import",
            post(import::upload).layer(DefaultBodyLimit::disable()),
        )
        .leptos_routes(&state, generate_route_list(App), document.clone())
        .fallback(render_app_async(document));
    let routes = middleware::know_people(people, &state)
        .merge(static_routes(&state))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready));
    middleware::wrap(routes).with_state(state)
}

fn static_routes(state: &AppState) -> Router<AppState> {
    if state.site_on_disk {
        let dir = Path::new(&*state.site.options.site_root).join("pkg");
        return Router::new().nest_service("/pkg", ServeDir::new(dir));
    }
    Router::new().route("/pkg/{build}/{file}", get(static_files::serve))
}
