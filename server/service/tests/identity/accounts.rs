//! Signing in, passwords and administrators.

use crate::{PASSWORD, person, refused};
use domain::refusal::Refusal;
use service::testing::services;
use service::{Actor, account};

#[tokio::test]
async fn a_name_is_taken_once_without_regard_to_case() {
    let app = services().await;
    person(&app, "Ada", false).await;
    let again = account::add(&app, &Actor::operator(), "ADA", "Ada", false, PASSWORD).await;
    assert_eq!(refused(again), Refusal::NameTaken);
    let short = account::add(&app, &Actor::operator(), "bo", "Bo", false, "elevenchars").await;
    assert_eq!(refused(short), Refusal::PasswordTooShort);
}

#[tokio::test]
async fn signing_in_needs_the_right_password_of_an_active_account() {
    let app = services().await;
    let ada = person(&app, "Ada", false).await;
    assert_eq!(
        account::sign_in(&app, " ada ", PASSWORD, "a")
            .await
            .expect("signed in"),
        ada
    );
    assert_eq!(
        refused(account::sign_in(&app, "ada", "wrong password", "a").await),
        Refusal::WrongCredentials
    );
    assert_eq!(
        refused(account::sign_in(&app, "nobody", PASSWORD, "a").await),
        Refusal::WrongCredentials
    );
    account::set_active(&app, &Actor::operator(), &ada.user, false)
        .await
        .expect("closed");
    assert_eq!(
        refused(account::sign_in(&app, "ada", PASSWORD, "a").await),
        Refusal::WrongCredentials
    );
    assert_eq!(
        account::by_session(&app, &ada.user).await.expect("asked"),
        None
    );
}

#[tokio::test]
async fn five_failures_block_a_name_and_an_address_and_the_block_doubles_and_ends() {
    let app = services().await;
    person(&app, "ada", false).await;
    for _ in 0..5 {
        assert_eq!(
            refused(account::sign_in(&app, "ada", "wrong password", "x").await),
            Refusal::WrongCredentials
        );
    }
    assert_eq!(
        refused(account::sign_in(&app, "ada", PASSWORD, "y").await),
        Refusal::TooManyAttempts
    );
    assert_eq!(
        refused(account::sign_in(&app, "bo", PASSWORD, "x").await),
        Refusal::TooManyAttempts
    );
    app.clock.advance(30_001);
    assert_eq!(
        refused(account::sign_in(&app, "ada", "wrong password", "y").await),
        Refusal::WrongCredentials
    );
    app.clock.advance(30_001);
    assert_eq!(
        refused(account::sign_in(&app, "ada", PASSWORD, "y").await),
        Refusal::TooManyAttempts
    );
    app.clock.advance(30_001);
    account::sign_in(&app, "ada", PASSWORD, "y")
        .await
        .expect("the second block is over after a minute");
    assert_eq!(
        refused(account::sign_in(&app, "ada", "wrong password", "y").await),
        Refusal::WrongCredentials
    );
    account::sign_in(&app, "ada", PASSWORD, "y")
        .await
        .expect("a success forgets the failures");
}

#[tokio::test]
async fn the_last_administrator_stays() {
    let app = services().await;
    let root = person(&app, "root", true).await;
    assert_eq!(
        refused(account::set_active(&app, &root, &root.user, false).await),
        Refusal::LastAdmin
    );
    let second = person(&app, "second", true).await;
    account::set_active(&app, &second, &root.user, false)
        .await
        .expect("another remains");
    assert_eq!(
        refused(account::list(&app, &person(&app, "ada", false).await).await),
        Refusal::Forbidden
    );
}

#[tokio::test]
async fn of_twenty_guesses_at_once_five_are_answered() {
    let app = services().await;
    person(&app, "ada", false).await;
    let guesses = (0..20).map(|n| {
        let app = app.app.clone();
        tokio::spawn(async move {
            account::sign_in(&app, "ada", &format!("guess number {n}"), "x").await
        })
    });
    let mut wrong = 0;
    for guess in guesses.collect::<Vec<_>>() {
        match refused(guess.await.expect("no panic")) {
            Refusal::WrongCredentials => wrong += 1,
            other => assert_eq!(other, Refusal::TooManyAttempts),
        }
    }
    assert_eq!(wrong, 5);
}

#[tokio::test]
async fn the_old_password_cannot_be_guessed_from_within_either() {
    let app = services().await;
    let ada = person(&app, "ada", false).await;
    let change = |old: &'static str| {
        account::change_password(&app, &ada, old, "a brand new passphrase", None)
    };
    for _ in 0..5 {
        assert_eq!(
            refused(change("a wrong password").await),
            Refusal::WrongCredentials
        );
    }
    assert_eq!(refused(change(PASSWORD).await), Refusal::TooManyAttempts);
    app.clock.advance(30_000);
    change(PASSWORD).await.expect("the block is over");
}

#[tokio::test]
async fn two_administrators_who_close_each_other_at_once_leave_one() {
    let app = services().await;
    for round in 0..5 {
        let one = person(&app, &format!("one{round}"), true).await;
        let two = person(&app, &format!("two{round}"), true).await;
        let (first, second) = tokio::join!(
            account::set_active(&app, &one, &two.user, false),
            account::set_active(&app, &two, &one.user, false),
        );
        let mut left = Vec::new();
        for (outcome, survivor) in [(first, one), (second, two)] {
            match outcome {
                Ok(()) => left.push(survivor),
                Err(error) => assert_eq!(error.refusal(), Refusal::LastAdmin),
            }
        }
        assert_eq!(left.len(), 1, "round {round}");
        // The next round begins without an administrator but its own.
        let mut tx = app.db.begin().await.expect("a transaction");
        store::account::set_active(&mut tx, &left[0].user, false)
            .await
            .expect("closed");
        tx.commit().await.expect("committed");
    }
}
