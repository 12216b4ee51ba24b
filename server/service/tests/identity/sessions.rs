//! Sessions and tokens.

use crate::{PASSWORD, person, record, refused};
use domain::refusal::Refusal;
use service::testing::{START, fresh_url, services};
use service::{Actor, Db, Services, account, session};
use tower_sessions::SessionStore;

#[tokio::test]
async fn a_session_is_kept_listed_revoked_and_expires() {
    let app = services().await;
    let ada = person(&app, "ada", false).await;
    let store = session::Store::new(app.app.clone());
    let (mut one, mut two) = (record(&ada.user), record(&ada.user));
    store.create(&mut one).await.expect("created");
    store.create(&mut two).await.expect("created");
    assert_eq!(
        store.load(&one.id).await.expect("loaded"),
        Some(one.clone())
    );

    let current = session::key(&one.id);
    let rows = account::sessions(&app, &ada, Some(&current))
        .await
        .expect("listed");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows.iter().filter(|row| row.current).count(), 1);
    assert!(
        rows.iter().all(|row| row.id != one.id.to_string()),
        "the secret itself is not stored"
    );

    let bo = person(&app, "bo", false).await;
    assert_eq!(
        refused(account::revoke_session(&app, &bo, &current).await),
        Refusal::NotFound
    );
    account::revoke_session(&app, &ada, &current)
        .await
        .expect("revoked");
    assert_eq!(store.load(&one.id).await.expect("loaded"), None);
    store.save(&one).await.expect("a late save");
    assert_eq!(
        store.load(&one.id).await.expect("loaded"),
        None,
        "a revoked session does not come back"
    );

    app.clock.advance(3_600_001);
    assert_eq!(store.load(&two.id).await.expect("loaded"), None);
    assert_eq!(store.sweep().await.expect("swept"), 1);
}

#[tokio::test]
async fn a_password_change_ends_the_other_sessions() {
    let app = services().await;
    let ada = person(&app, "ada", false).await;
    let store = session::Store::new(app.app.clone());
    let (mut here, mut elsewhere) = (record(&ada.user), record(&ada.user));
    store.create(&mut here).await.expect("created");
    store.create(&mut elsewhere).await.expect("created");
    let keep = session::key(&here.id);
    let wrong = account::change_password(
        &app,
        &ada,
        "not the old one",
        "a brand new passphrase",
        Some(&keep),
    )
    .await;
    assert_eq!(refused(wrong), Refusal::WrongCredentials);
    account::change_password(&app, &ada, PASSWORD, "a brand new passphrase", Some(&keep))
        .await
        .expect("changed");
    assert!(store.load(&here.id).await.expect("loaded").is_some());
    assert!(store.load(&elsewhere.id).await.expect("loaded").is_none());
    account::sign_in(&app, "ada", "a brand new passphrase", "a")
        .await
        .expect("the new one works");
}

#[tokio::test]
async fn a_token_carries_its_owner_until_it_ends() {
    let app = services().await;
    let ada = person(&app, "ada", false).await;
    let secret = account::create_token(&app, &ada, "script", Some(1))
        .await
        .expect("made");
    assert_eq!(
        account::by_token(&app, &secret).await.expect("asked"),
        Some(ada.clone())
    );
    let altered = format!("{}x", &secret[..secret.len() - 1]);
    assert_eq!(
        account::by_token(&app, &altered).await.expect("asked"),
        None
    );
    let row = account::tokens(&app, &ada).await.expect("listed").remove(0);
    assert_eq!(row.last_used_at, Some(START));
    let bo = person(&app, "bo", false).await;
    assert_eq!(
        refused(account::revoke_token(&app, &bo, &row.id).await),
        Refusal::NotFound
    );
    app.clock.advance(24 * 3_600_000);
    assert_eq!(
        account::by_token(&app, &secret).await.expect("asked"),
        None,
        "it ended after a day"
    );
    let forever = account::create_token(&app, &ada, "other", None)
        .await
        .expect("made");
    let row = account::tokens(&app, &ada).await.expect("listed").remove(1);
    account::revoke_token(&app, &ada, &row.id)
        .await
        .expect("revoked");
    assert_eq!(
        account::by_token(&app, &forever).await.expect("asked"),
        None
    );
}

#[tokio::test]
async fn expired_sessions_are_swept_when_somebody_signs_in() {
    let app = services().await;
    let ada = person(&app, "ada", false).await;
    let store = session::Store::new(app.app.clone());
    store.create(&mut record(&ada.user)).await.expect("created");
    app.clock.advance(3_600_000);
    account::sign_in(&app, "ada", PASSWORD, "x")
        .await
        .expect("signed in");
    let mut db = app.db.read().await.expect("a connection");
    assert_eq!(
        store::testing::rows(&mut db, "sessions")
            .await
            .expect("counted"),
        0
    );
}

#[tokio::test]
async fn what_one_server_revokes_is_gone_on_the_other_at_once() {
    let (url, _folder) = fresh_url().await;
    let here = Services::new(Db::open(&url).await.expect("opens"));
    let there = Services::new(Db::open(&url).await.expect("opens twice"));
    let operator = Actor::operator();
    account::add(&here, &operator, "ada", "Ada", false, PASSWORD)
        .await
        .expect("added");
    let ada = account::sign_in(&there, "ada", PASSWORD, "x")
        .await
        .expect("signed in there");
    let mut record = record(&ada.user);
    record.expiry_date =
        time::OffsetDateTime::from_unix_timestamp(here.now() / 1_000 + 3_600).expect("in range");
    let (first, second) = (
        session::Store::new(here.clone()),
        session::Store::new(there.clone()),
    );
    first.create(&mut record).await.expect("created");
    assert!(second.load(&record.id).await.expect("loaded").is_some());
    let token = account::create_token(&here, &ada, "script", None)
        .await
        .expect("made");
    assert!(
        account::by_token(&there, &token)
            .await
            .expect("asked")
            .is_some()
    );

    account::revoke_session(&here, &ada, &session::key(&record.id))
        .await
        .expect("revoked");
    assert_eq!(second.load(&record.id).await.expect("loaded"), None);
    account::set_active(&here, &operator, &ada.user, false)
        .await
        .expect("closed");
    assert_eq!(
        account::by_token(&there, &token).await.expect("asked"),
        None
    );
}
