//! What protects every route.

use reqwest::StatusCode;

use crate::test_app::{TestApp, header};

#[tokio::test]
async fn a_page_carries_the_security_headers() {
    let app = TestApp::start().await;
    let page = app.get("/sign-in").await;
    let policy = header(&page, "content-security-policy");
    assert!(policy.contains("script-src 'nonce-") && policy.contains("frame-ancestors 'none'"));
    assert!(!policy.contains("unsafe-inline"));
    assert_eq!(header(&page, "cache-control"), "no-store");
    assert_eq!(header(&page, "x-content-type-options"), "nosniff");
    assert_eq!(header(&page, "referrer-policy"), "same-origin");
    assert_eq!(header(&page, "cross-origin-opener-policy"), "same-origin");
    assert!(header(&page, "permissions-policy").contains("camera=()"));
}

#[tokio::test]
async fn two_answers_never_share_a_nonce_or_a_request_id() {
    let app = TestApp::start().await;
    let (first, second) = (app.get("/sign-in").await, app.get("/sign-in").await);
    for name in ["content-security-policy", "x-request-id"] {
        assert!(!header(&first, name).is_empty());
        assert_ne!(header(&first, name), header(&second, name));
    }
}

#[tokio::test]
async fn a_write_from_another_site_is_refused_before_any_handler() {
    let app = TestApp::start().await;
    let post = app
        .client
        .post(app.url("/"))
        .header("origin", "https://evil.example");
    assert_eq!(post.send().await.unwrap().status(), StatusCode::FORBIDDEN);
    // Our own page gets past the guard, to a route that does not take posts.
    let post = app.client.post(app.url("/")).header("origin", &app.base);
    assert_eq!(
        post.send().await.unwrap().status(),
        StatusCode::METHOD_NOT_ALLOWED
    );
}

#[tokio::test]
async fn health_and_readiness_answer() {
    let app = TestApp::start().await;
    assert_eq!(app.get("/healthz").await.status(), StatusCode::OK);
    assert_eq!(app.get("/readyz").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_server_asked_to_stop_ends_without_error() {
    let app = TestApp::start().await;
    app.get("/healthz").await;
    app.stop().await.unwrap();
}

#[tokio::test]
async fn fields_that_are_no_arguments_are_the_senders_error() {
    let app = TestApp::start().await;
    for action in ["ruling/confirm", "batch/create", "triage/act"] {
        let post = app.client.post(app.url(&format!("/do/{action}")));
        let post = post
            .header("origin", &app.base)
            .header("content-type", "application/x-www-form-urlencoded");
        let sent = post
            .body("study=x&pick=1&raters=1&of=1")
            .send()
            .await
            .unwrap();
        assert_eq!(sent.status(), 422, "{action}");
    }
}

#[tokio::test]
async fn lines_of_json_leave_as_what_they_are() {
    let app = TestApp::start().await;
    let operator = service::Actor::operator();
    let source = service::study::SchemeSource::Builtin("stigma".into());
    let services = &app.services.app;
    let id = service::study::create(services, &operator, "Lines", source)
        .await
        .unwrap();
    let ada = app.person("ada").await;
    let role = domain::role::Role::Coordinator;
    service::member::add(services, &operator, &id, &ada.name, role)
        .await
        .unwrap();
    app.sign_in("ada").await;
    let file = app
        .get(&format!("/api/v1/studies/{id}/exports/traces.jsonl"))
        .await;
    assert_eq!(file.headers()["content-type"], "application/x-ndjson");
}

/// Tries a wrong password for somebody new from each of these addresses, as a proxy would pass them on.
async fn guesses(app: &TestApp, from: &[&str]) -> Vec<StatusCode> {
    let mut answers = Vec::new();
    for (at, address) in from.iter().enumerate() {
        let call = app.browser().post(app.url("/api/v1/session"));
        let sent =
            serde_json::json!({"name": format!("nobody{at}"), "password": "a wrong passphrase"});
        let call = call
            .header("content-type", "application/json")
            .header("x-forwarded-for", *address)
            .body(sent.to_string());
        answers.push(call.send().await.unwrap().status());
    }
    answers
}

#[tokio::test]
async fn whom_nobody_trusts_cannot_choose_an_address_and_behind_a_trusted_proxy_each_has_their_own()
{
    let changing = [
        "203.0.113.1",
        "203.0.113.2",
        "203.0.113.3",
        "203.0.113.4",
        "203.0.113.5",
        "203.0.113.6",
    ];
    let (wrong, blocked) = (StatusCode::UNAUTHORIZED, StatusCode::TOO_MANY_REQUESTS);
    let alone = TestApp::start().await;
    assert_eq!(guesses(&alone, &changing).await[5], blocked);
    let elsewhere = TestApp::behind(&["10.0.0.0/8"]).await;
    assert_eq!(guesses(&elsewhere, &changing).await[5], blocked);

    let behind = TestApp::behind(&["127.0.0.1"]).await;
    assert_eq!(guesses(&behind, &changing).await, [wrong; 6]);
    // What a client writes itself stands before what the proxy adds.
    let spoofed = changing.map(|address| format!("{address}, 198.51.100.7"));
    let spoofed: Vec<&str> = spoofed.iter().map(String::as_str).collect();
    assert_eq!(guesses(&behind, &spoofed).await[5], blocked);
    assert_eq!(guesses(&behind, &["198.51.100.8"]).await, [wrong]);
}
