//! The description of the API, made from the handlers.

use utoipa::{
    Modify, OpenApi,
    openapi::{
        OpenApi as Document,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::extract::Json;
use super::{
    annotation, batch, discussion, export, import, manual, member, result, round, session,
    snapshot, study, token, triage,
};

#[derive(OpenApi)]
#[openapi(
    info(title = "Consilium", description = "Everything that the pages do, as JSON. Refusals are `{\"error\":{\"code\",\"message\"}}`."),
    paths(
        session::show, session::create, session::remove, session::extend,
        token::list, token::create, token::revoke,
        study::list, study::create, study::show, study::set_blinding, study::set_state, study::audit,
        study::items, study::item,
        import::run, import::codes,
        member::list, member::add, member::invitations, member::invite,
        batch::list, batch::plan, batch::create, batch::assignments, batch::take_back,
        annotation::my_work, annotation::open, annotation::read, annotation::save, annotation::submit,
        annotation::cannot_rate, annotation::hand_back, annotation::resume, annotation::reopen,
        result::queue, result::unit, result::rule, result::agreement, result::agreement_rows,
        discussion::mine, discussion::list, discussion::show, discussion::open, discussion::close, discussion::post,
        discussion::accept, discussion::assign, discussion::confirm, discussion::exclude,
        triage::inbox, triage::act, triage::undo, triage::forward,
        manual::versions, manual::at, manual::changes, manual::revise, manual::set_missed_match,
        round::calibration, round::calibrate, round::my_feedback, round::feedback, round::disagreements, round::plan_check,
        round::create_check, round::my_checks, round::review, round::give, round::independence,
        snapshot::readiness, snapshot::list, snapshot::sign_off, snapshot::show, snapshot::content, snapshot::compare,
        export::file,
    ),
    modifiers(&Credentials),
    security(("token" = []), ("session" = []))
)]
struct Api;

struct Credentials;

impl Modify for Credentials {
    fn modify(&self, document: &mut Document) {
        let components = document.components.get_or_insert_with(Default::default);
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("consilium")));
        components.add_security_scheme("session", cookie);
    }
}

/// `GET /api/v1/openapi.json`
pub async fn document() -> Json<Document> {
    Json(Api::openapi())
}
