//! The demonstration study.

use domain::refusal::Refusal;
use domain::role::Role;
use domain::study::StudyState;
use service::testing::{START, services};
use service::{Actor, account, audit, batch, demo, desk, member, study};

const PASSWORD: &str = "a demonstration only";

#[tokio::test]
async fn the_demonstration_shows_every_page_alive_and_loads_once() {
    let app = services().await;
    let operator = Actor::operator();
    let id = demo::load(&app, PASSWORD).await.unwrap();
    let view = study::overview(&app, &operator, &id).await.unwrap();
    assert_eq!(
        (
            view.counts.items,
            view.counts.judge_failures,
            view.counts.judged_negative
        ),
        (18, 1, 1)
    );
    assert!(
        view.counts.candidates >= 36 && view.counts.unanchored >= 1 && view.counts.disputed >= 3
    );
    assert_eq!(view.state, StudyState::Collecting);
    let progress = batch::list(&app, &operator, &id)
        .await
        .unwrap()
        .remove(0)
        .progress;
    let counts: Vec<_> = progress
        .iter()
        .map(|r| (r.display_name.as_str(), r.done, r.in_progress, r.total))
        .collect();
    // Dr Lind submitted eleven; Dr Okafor nine and one more that could not be rated; each has one half done.
    assert_eq!(counts, [("Dr Lind", 11, 1, 18), ("Dr Okafor", 10, 1, 18)]);
    assert!(
        member::list(&app, &operator, &id)
            .await
            .unwrap()
            .iter()
            .any(|m| m.role == Role::Coordinator)
    );
    let lind = account::sign_in(&app, "dr_lind", PASSWORD, "here")
        .await
        .unwrap();
    let next = desk::my_work(&app, &lind).await.unwrap().studies[0].batches[0]
        .next
        .clone();
    assert!(desk::open(&app, &lind, &next.unwrap()).await.is_ok());
    assert!(
        account::sign_in(&app, "admin", PASSWORD, "here")
            .await
            .unwrap()
            .is_admin
    );
    let (count, last) = chain(&app, &id).await;
    assert!(last <= START, "nothing of it lies in the future");
    assert_eq!(demo::load(&app, PASSWORD).await.unwrap(), id);
    assert_eq!(
        chain(&app, &id).await,
        (count, last),
        "a second load writes nothing"
    );
    assert!(audit::verify(&app, &operator, &id).await.unwrap().is_ok());
}

async fn chain(app: &service::Services, study: &domain::id::StudyId) -> (usize, i64) {
    let mut db = app.db.read().await.unwrap();
    let rows = store::audit::after(&mut db, study.as_str(), 0, 10_000)
        .await
        .unwrap();
    // A rater who opened an item in this test did so at its start.
    let past: Vec<_> = rows.iter().filter(|row| row.at < START).collect();
    (
        past.len(),
        past.iter().map(|row| row.at).max().unwrap_or_default(),
    )
}

#[tokio::test]
async fn an_account_that_is_there_keeps_its_password() {
    let app = services().await;
    account::add(
        &app,
        &Actor::operator(),
        "admin",
        "Mine",
        true,
        "a password of my own",
    )
    .await
    .unwrap();
    demo::load(&app, PASSWORD).await.unwrap();
    assert!(
        account::sign_in(&app, "admin", "a password of my own", "x")
            .await
            .is_ok()
    );
    let wrong = account::sign_in(&app, "admin", PASSWORD, "x").await;
    assert_eq!(wrong.unwrap_err().refusal(), Refusal::WrongCredentials);
}
