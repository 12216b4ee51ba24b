//! Signing in, out and over time, as a browser without script does it.

use reqwest::StatusCode;
use service::account;

use crate::test_app::{PASSWORD, TestApp, header};

#[tokio::test]
async fn a_stranger_is_sent_to_sign_in_and_comes_back() {
    let app = TestApp::start().await;
    app.person("ada").await;
    let away = app.get("/account?x=1").await;
    assert_eq!(away.status(), StatusCode::SEE_OTHER);
    assert_eq!(header(&away, "location"), "/sign-in?to=%2Faccount%3Fx%3D1");
    let page = app
        .get("/sign-in?to=%2Faccount%3Fx%3D1")
        .await
        .text()
        .await
        .unwrap();
    assert!(page.contains("value=\"/account?x=1\""), "{page}");
    let fields = [
        ("name", "ada"),
        ("password", PASSWORD),
        ("to", "/account?x=1"),
    ];
    let back = app.post("/sign-in", "/do/account/sign-in", &fields).await;
    assert_eq!(
        (back.status(), header(&back, "location")),
        (StatusCode::SEE_OTHER, "/account?x=1")
    );
    let cookie = header(&back, "set-cookie");
    assert!(
        cookie.starts_with("consilium=")
            && cookie.contains("HttpOnly")
            && cookie.contains("SameSite=Strict")
    );
    assert!(
        !cookie.contains("Secure"),
        "a loopback server is reached without TLS"
    );
    assert_eq!(app.get("/account").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn nobody_is_sent_to_another_server() {
    let app = TestApp::start().await;
    app.person("ada").await;
    for to in [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/a\r\nx: y",
    ] {
        let fields = [("name", "ada"), ("password", PASSWORD), ("to", to)];
        let back = app.post("/sign-in", "/do/account/sign-in", &fields).await;
        assert_eq!(header(&back, "location"), "/", "{to:?}");
    }
}

#[tokio::test]
async fn a_refused_form_says_why_once_and_keeps_what_was_typed_but_no_password() {
    let app = TestApp::start().await;
    let fields = [
        ("name", "nobody <b>"),
        ("password", "some password typed"),
        ("to", "/account"),
    ];
    let back = app
        .post("/sign-in?to=%2Faccount", "/do/account/sign-in", &fields)
        .await;
    assert_eq!(header(&back, "location"), "/sign-in?to=%2Faccount");
    let page = app
        .get("/sign-in?to=%2Faccount")
        .await
        .text()
        .await
        .unwrap();
    assert!(page.contains("Name or password is wrong."), "{page}");
    assert!(page.contains("value=\"nobody &lt;b&gt;\""), "{page}");
    assert!(!page.contains("some password typed"));
    let again = app.get("/sign-in").await.text().await.unwrap();
    assert!(!again.contains("Name or password is wrong."));
}

#[tokio::test]
async fn signing_in_renews_the_session_id() {
    let app = TestApp::start().await;
    app.person("ada").await;
    let refused = app
        .post("/sign-in", "/do/account/sign-in", &[("name", "ada")])
        .await;
    let planted = header(&refused, "set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let signed_in = app.sign_in("ada").await;
    assert!(!header(&signed_in, "set-cookie").starts_with(&planted));
    let thief = app
        .browser()
        .get(app.url("/account"))
        .header("cookie", planted)
        .send()
        .await
        .unwrap();
    assert_eq!(thief.status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn signing_out_ends_the_session_for_whoever_copied_its_cookie() {
    let app = TestApp::start().await;
    app.person("ada").await;
    let signed_in = app.sign_in("ada").await;
    let copied = header(&signed_in, "set-cookie")
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let out = app.post("/account", "/sign-out", &[]).await;
    assert_eq!(header(&out, "location"), "/sign-in");
    let thief = app
        .browser()
        .get(app.url("/account"))
        .header("cookie", copied)
        .send()
        .await
        .unwrap();
    assert_eq!(thief.status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_session_lives_while_it_is_used_and_ends_when_it_is_not() {
    const HOUR: i64 = 3_600_000;
    let app = TestApp::start().await;
    app.person("ada").await;
    app.sign_in("ada").await;
    for _ in 0..3 {
        app.services.clock.advance(11 * HOUR);
        assert_eq!(app.get("/account").await.status(), StatusCode::OK);
    }
    app.services.clock.advance(12 * HOUR);
    assert_eq!(app.get("/account").await.status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_session_ends_after_a_week_however_much_it_is_used() {
    const HOUR: i64 = 3_600_000;
    let app = TestApp::start().await;
    app.person("ada").await;
    app.sign_in("ada").await;
    let mut hours = 0;
    while app.get("/account").await.status() == StatusCode::OK {
        app.services.clock.advance(6 * HOUR);
        hours += 6;
        assert!(hours <= 7 * 24, "still signed in after {hours} hours");
    }
    assert_eq!(hours, 7 * 24);
}

#[tokio::test]
async fn a_closed_account_is_out_at_once() {
    let app = TestApp::start().await;
    let ada = app.person("ada").await;
    app.sign_in("ada").await;
    account::set_active(
        &app.services.app,
        &service::Actor::operator(),
        &ada.user,
        false,
    )
    .await
    .unwrap();
    assert_eq!(app.get("/account").await.status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_token_signs_a_program_in_and_a_wrong_one_is_refused() {
    let app = TestApp::start().await;
    let ada = app.person("ada").await;
    let secret = account::create_token(&app.services.app, &ada, "script", None)
        .await
        .unwrap();
    let get = |secret: &str| {
        app.browser()
            .get(app.url("/account"))
            .bearer_auth(secret)
            .send()
    };
    let page = get(&secret).await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    assert_eq!(header(&page, "set-cookie"), "");
    let refused = get("consilium_wrong").await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    assert!(refused.text().await.unwrap().contains("\"not_signed_in\""));
}

#[tokio::test]
async fn a_person_sees_their_sessions_and_ends_one() {
    let app = TestApp::start().await;
    app.person("ada").await;
    let other = app.browser();
    let fields = [("name", "ada"), ("password", PASSWORD)];
    other
        .post(app.url("/do/account/sign-in"))
        .form(&fields)
        .send()
        .await
        .unwrap();
    app.sign_in("ada").await;
    let page = app.get("/account").await.text().await.unwrap();
    assert!(page.contains("This browser"), "{page}");
    let (_, rest) = page
        .split_once("action=\"/do/account/revoke-session\"")
        .unwrap();
    let id = rest
        .split("name=\"id\" value=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let back = app
        .post("/account", "/do/account/revoke-session", &[("id", id)])
        .await;
    assert_eq!(header(&back, "location"), "/account");
    assert_eq!(
        other
            .get(app.url("/account"))
            .send()
            .await
            .unwrap()
            .status(),
        StatusCode::SEE_OTHER
    );
    let page = app.get("/account").await.text().await.unwrap();
    assert!(page.contains("That session is signed out.") && !page.contains("revoke-session"));
}
