//! Pages and static files as a browser without script gets them.

use reqwest::StatusCode;
use server::assets::PKG_DIR;

use crate::test_app::{TestApp, header};

#[tokio::test]
async fn a_page_is_complete_without_script() {
    let app = TestApp::start().await;
    let page = app.get("/sign-in").await;
    assert_eq!(page.status(), StatusCode::OK);
    let html = page.text().await.unwrap();
    assert!(html.contains("<h1>Sign in</h1>"), "{html}");
    assert!(
        html.contains("<title>Sign in · Consilium</title>"),
        "{html}"
    );
    assert!(
        html.contains(&format!("href=\"/{PKG_DIR}/consilium.css\"")),
        "{html}"
    );
}

#[tokio::test]
async fn an_unknown_address_is_a_page_with_status_404() {
    let app = TestApp::start().await;
    let page = app.get("/no/such/page").await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
    assert!(header(&page, "content-security-policy").contains("'nonce-"));
    assert!(page.text().await.unwrap().contains("There is nothing here"));
}

#[tokio::test]
async fn static_files_are_immutable_under_their_own_hash_only() {
    let app = TestApp::start().await;
    let css = app.get(&format!("/{PKG_DIR}/consilium.css")).await;
    assert_eq!(css.status(), StatusCode::OK);
    assert_eq!(header(&css, "content-type"), "text/css; charset=utf-8");
    assert_eq!(
        header(&css, "cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert!(css.text().await.unwrap().contains("--paper"));

    let other = app.get("/pkg/anotherbuild/consilium.css").await;
    assert_eq!(other.status(), StatusCode::NOT_FOUND);
    assert_eq!(header(&other, "cache-control"), "no-store");
}
