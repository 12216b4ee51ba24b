//! What the JSON API answers to the wrong person, the wrong page and the wrong version.

use domain::role::Role;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use service::{
    account, member,
    study::{self, SchemeSource},
};

use crate::test_app::TestApp;

/// What a stranger may call: the description, and signing in and out.
const OPEN: [&str; 2] = ["POST /api/v1/session", "DELETE /api/v1/session"];

#[tokio::test]
async fn every_described_operation_answers_a_stranger_401_in_json() {
    let app = TestApp::start().await;
    let text = app.get("/api/v1/openapi.json").await.text().await.unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let mut asked = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let method = method.to_uppercase();
            if OPEN.contains(&format!("{method} {path}").as_str()) {
                continue;
            }
            let address = path.replace(['{', '}'], "");
            let verb = Method::from_bytes(method.as_bytes()).unwrap();
            let call = app.client.request(verb, app.url(&address));
            let call = call.header("content-type", "application/json").body("{}");
            let answer = call.send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{method} {path}");
            let body: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
            assert_eq!(body["error"]["code"], "not_signed_in", "{method} {path}");
            asked += 1;
        }
    }
    assert!(asked > 0, "the description names no operation");
}

#[tokio::test]
async fn a_call_from_another_site_is_refused() {
    let app = TestApp::start().await;
    let call = app.client.post(app.url("/api/v1/studies"));
    let call = call.header("origin", "https://evil.example").body("{}");
    assert_eq!(call.send().await.unwrap().status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_revoked_token_is_nobody() {
    let app = TestApp::start().await;
    let ada = app.person("ada").await;
    let services = &app.services.app;
    let secret = account::create_token(services, &ada, "script", None)
        .await
        .unwrap();
    let ask = || {
        let call = app.browser().get(app.url("/api/v1/tokens"));
        call.bearer_auth(&secret).send()
    };
    let answer = ask().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let tokens: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    let id = tokens[0]["id"].as_str().unwrap();
    account::revoke_token(services, &ada, id).await.unwrap();
    assert_eq!(ask().await.unwrap().status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn saves_are_kept_once_and_never_over_what_was_not_seen() {
    let stage = crate::blindness::Stage::start().await;
    let path = format!("/api/v1/assignments/{}/annotation", stage.of_a);
    let send = |base: i64, id: &str, comment: &str| {
        let annotation = json!({"comment": comment});
        json!({"base_version": base, "save_id": id, "annotation": annotation})
    };
    let first = stage
        .call(&stage.a, "PUT", &path, &send(0, "one", "x"))
        .await;
    assert_eq!(first.0, StatusCode::OK, "{}", first.1);
    let again = stage
        .call(&stage.a, "PUT", &path, &send(0, "one", "x"))
        .await;
    assert_eq!(again.0, StatusCode::OK, "{}", again.1);
    assert_eq!(again.1["version"], first.1["version"]);
    let stale = stage
        .call(&stage.a, "PUT", &path, &send(0, "two", "y"))
        .await;
    assert_eq!(stale.0, StatusCode::CONFLICT, "{}", stale.1);
    assert_eq!(stale.1["current"]["version"], first.1["version"]);
    assert_eq!(stale.1["current"]["annotation"]["comment"], "x");
    let base = first.1["version"].as_i64().unwrap();
    let submit = format!("/api/v1/assignments/{}/submit", stage.of_a);
    let lacking = stage
        .call(&stage.a, "POST", &submit, &send(base, "three", "x"))
        .await;
    assert_eq!(lacking.0, StatusCode::UNPROCESSABLE_ENTITY, "{}", lacking.1);
    assert!(!lacking.1["gaps"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn listings_need_no_parameters() {
    let app = TestApp::start().await;
    let (services, operator) = (&app.services.app, service::Actor::operator());
    let ada = app.person("ada").await;
    let scheme = SchemeSource::Builtin("stigma".to_owned());
    let study = study::create(services, &operator, "Listed", scheme)
        .await
        .unwrap();
    member::add(services, &operator, &study, &ada.name, Role::Coordinator)
        .await
        .unwrap();
    let secret = account::create_token(services, &ada, "script", None)
        .await
        .unwrap();
    let listings = [
        "items",
        "disagreements",
        "audit",
        "members",
        "batches",
        "cross-checks",
        "independence",
        "imports/codes",
    ];
    for listing in listings {
        let address = app.url(&format!("/api/v1/studies/{study}/{listing}"));
        let call = app.browser().get(address).bearer_auth(&secret);
        let answer = call.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{listing}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_in_json_and_never_echoed() {
    let app = TestApp::start().await;
    let ada = app.person("ada").await;
    let services = &app.services.app;
    let secret = account::create_token(services, &ada, "script", None)
        .await
        .unwrap();
    let post = |path: &str, kind: &str, body: String| {
        let call = app.browser().post(app.url(path)).bearer_auth(&secret);
        call.header("content-type", kind).body(body)
    };
    let get = |path: &str| app.browser().get(app.url(path)).bearer_auth(&secret);
    let (json, studies) = ("application/json", "/api/v1/studies");
    let secret_words = "heard_voices";
    let large = format!("{{\"name\": \"{}\"}}", "x".repeat(5 << 20));
    let sent = [
        (
            post(studies, json, format!("{{\"{secret_words}")),
            400,
            "body_invalid",
        ),
        (
            post(studies, "text/plain", secret_words.to_owned()),
            400,
            "body_invalid",
        ),
        (
            post(
                studies,
                json,
                format!("{{\"name\": {{\"{secret_words}\": 1}}}}"),
            ),
            422,
            "input_invalid",
        ),
        (
            app.browser().patch(app.url(studies)).bearer_auth(&secret),
            405,
            "method_unknown",
        ),
        (
            post("/api/v1/session", json, format!("\"{secret_words}\"")),
            422,
            "input_invalid",
        ),
        (post(studies, json, large), 413, "too_large"),
        (
            get(&format!("/api/v1/studies/x/audit?before={secret_words}")),
            422,
            "input_invalid",
        ),
        (
            get(&format!("/api/v1/studies/x/snapshots/{secret_words}")),
            404,
            "not_found",
        ),
    ];
    for (at, (call, status, code)) in sent.into_iter().enumerate() {
        let answer = call.send().await.unwrap();
        assert_eq!(answer.status(), status, "{at}");
        let text = answer.text().await.unwrap();
        let body: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(body["error"]["code"], code, "{at}");
        assert!(!text.contains(secret_words), "{at}: {text}");
    }
}
