//! Accounts, sessions, tokens, invitations, members and studies, on the engine under test.

use domain::id::{StudyId, UserId};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::study::{Blinding, StudyState};
use service::invitation::InvitationState;
use service::study::SchemeSource;
use service::testing::{START, TestServices, services};
use service::{Actor, account, audit, invitation, member, session, study};
use std::collections::HashMap;
use tower_sessions::SessionStore;
use tower_sessions::session::{Id, Record};

const PASSWORD: &str = "correct horse battery staple";

async fn person(app: &TestServices, name: &str, admin: bool) -> Actor {
    let operator = Actor::operator();
    account::add(app, &operator, name, name, admin, PASSWORD)
        .await
        .expect("added");
    account::find(app, &operator, name).await.expect("found")
}

async fn stigma(app: &TestServices, actor: &Actor, name: &str) -> StudyId {
    study::create(app, actor, name, SchemeSource::Builtin("stigma".into()))
        .await
        .expect("created")
}

fn refused<T: std::fmt::Debug>(result: service::Result<T>) -> Refusal {
    result.expect_err("refused").refusal()
}

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

fn record(user: &UserId) -> Record {
    let data = HashMap::from([
        ("user".to_owned(), serde_json::json!(user.as_str())),
        ("since".to_owned(), serde_json::json!(START)),
        ("seen".to_owned(), serde_json::json!(START)),
        ("agent".to_owned(), serde_json::json!("Browser")),
    ]);
    let expiry_date =
        time::OffsetDateTime::from_unix_timestamp((START + 3_600_000) / 1_000).expect("in range");
    Record {
        id: Id::default(),
        data,
        expiry_date,
    }
}

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
async fn of_twenty_people_with_one_link_exactly_one_gets_in() {
    let app = services().await;
    let operator = Actor::operator();
    let id = stigma(&app, &operator, "Pilot").await;
    let secret = invitation::create(&app, &operator, Some(&id), Role::Rater, "Dr Lind", 14)
        .await
        .expect("made");
    let tries = (0..20).map(|n| {
        let (app, secret) = (app.app.clone(), secret.clone());
        tokio::spawn(async move {
            invitation::accept(&app, &secret, &format!("p{n}"), "P", PASSWORD).await
        })
    });
    let mut inside = 0;
    for handle in tries.collect::<Vec<_>>() {
        match handle.await.expect("no panic") {
            Ok(_) => inside += 1,
            Err(error) => assert_eq!(error.refusal(), Refusal::InvitationGone),
        }
    }
    assert_eq!(inside, 1);
    let members = member::list(&app, &operator, &id).await.expect("listed");
    assert_eq!(members.len(), 1);
    assert_eq!(
        account::list(&app, &operator).await.expect("listed").len(),
        1,
        "nobody else got an account"
    );
}

#[tokio::test]
async fn an_invitation_expires_is_revoked_and_its_secret_is_never_listed() {
    let app = services().await;
    let operator = Actor::operator();
    let id = stigma(&app, &operator, "Pilot").await;
    let late = invitation::create(&app, &operator, Some(&id), Role::Reader, "Late", 1)
        .await
        .expect("made");
    let gone = invitation::create(&app, &operator, Some(&id), Role::Reader, "Gone", 9)
        .await
        .expect("made");
    let view = invitation::look(&app, &late).await.expect("open");
    assert_eq!(
        (view.role, view.study_name.as_str()),
        (Role::Reader, "Pilot")
    );
    let rows = invitation::list(&app, &operator, Some(&id))
        .await
        .expect("listed");
    assert!(
        !serde_json::to_string(&rows)
            .expect("serialises")
            .contains(&gone)
    );
    let row = rows
        .iter()
        .find(|row| row.display_name == "Gone")
        .expect("listed");
    invitation::revoke(&app, &operator, &row.id)
        .await
        .expect("revoked");
    assert_eq!(
        refused(invitation::look(&app, &gone).await),
        Refusal::InvitationGone
    );
    app.clock.advance(24 * 3_600_000);
    assert_eq!(
        refused(invitation::accept(&app, &late, "late", "Late", PASSWORD).await),
        Refusal::InvitationGone
    );
    let rows = invitation::list(&app, &operator, Some(&id))
        .await
        .expect("listed");
    let states: Vec<_> = rows.iter().map(|row| row.state).collect();
    assert_eq!(states, [InvitationState::Revoked, InvitationState::Expired]);
}

#[tokio::test]
async fn a_signed_in_person_joins_and_an_admin_link_is_for_the_server_only() {
    let app = services().await;
    let operator = Actor::operator();
    let id = stigma(&app, &operator, "Pilot").await;
    let ada = person(&app, "ada", false).await;
    assert_eq!(
        refused(study::overview(&app, &ada, &id).await),
        Refusal::NotFound,
        "no member: it does not exist"
    );
    let secret = invitation::create(&app, &operator, Some(&id), Role::Coordinator, "Ada", 14)
        .await
        .expect("made");
    assert_eq!(
        invitation::join(&app, &ada, &secret).await.expect("joined"),
        Some(id.clone())
    );
    assert_eq!(
        study::roles(&app, &ada, &id).await.expect("member"),
        [Role::Coordinator]
    );
    let wrong = invitation::create(&app, &ada, Some(&id), Role::Admin, "X", 14).await;
    assert_eq!(refused(wrong), Refusal::RoleUnknown);
    assert_eq!(
        refused(invitation::create(&app, &ada, None, Role::Admin, "X", 14).await),
        Refusal::Forbidden
    );
    let root = invitation::create(&app, &operator, None, Role::Admin, "Root", 14)
        .await
        .expect("made");
    assert!(
        invitation::accept(&app, &root, "root", "Root", PASSWORD)
            .await
            .expect("accepted")
            .is_admin
    );
}

#[tokio::test]
async fn a_study_keeps_one_coordinator() {
    let app = services().await;
    let root = person(&app, "root", true).await;
    let id = stigma(&app, &root, "Pilot").await;
    let out = member::set_active(&app, &root, &id, &root.user, Role::Coordinator, false).await;
    assert_eq!(refused(out), Refusal::LastCoordinator);
    let ada = person(&app, "ada", false).await;
    member::add(&app, &root, &id, "ada", Role::Coordinator)
        .await
        .expect("added");
    member::set_active(&app, &ada, &id, &root.user, Role::Coordinator, false)
        .await
        .expect("another remains");
    assert_eq!(
        refused(member::add(&app, &ada, &id, "nobody", Role::Rater).await),
        Refusal::NotFound
    );
}

#[tokio::test]
async fn a_study_is_named_once_found_by_name_and_id_and_has_its_schemes_defaults() {
    let app = services().await;
    let root = person(&app, "root", true).await;
    let id = stigma(&app, &root, "Pilot 1").await;
    let again = study::create(
        &app,
        &root,
        " pilot 1",
        SchemeSource::Builtin("stigma".into()),
    )
    .await;
    assert_eq!(refused(again), Refusal::NameTaken);
    let unknown = study::create(&app, &root, "B", SchemeSource::Builtin("none".into())).await;
    assert_eq!(refused(unknown), Refusal::SchemeUnknown);
    let broken = study::create(&app, &root, "B", SchemeSource::Toml("id = 3".into())).await;
    assert_eq!(refused(broken), Refusal::SchemeBroken);
    for name in ["PILOT 1", id.as_str()] {
        assert_eq!(study::find(&app, &root, name).await.expect("found"), id);
    }
    let view = study::overview(&app, &root, &id).await.expect("seen");
    assert_eq!(
        view.blinding,
        Blinding {
            model: true,
            condition: false,
            judge_severity: false
        }
    );
    assert_eq!(
        (view.state, view.scheme_version, view.blinding_fixed),
        (StudyState::Draft, 1, false)
    );
    assert_eq!(study::list(&app, &root).await.expect("listed").len(), 1);
    assert_eq!(
        study::list(&app, &person(&app, "ada", false).await)
            .await
            .expect("listed")
            .len(),
        0
    );
}

#[tokio::test]
async fn a_study_moves_by_its_states_and_every_step_is_in_the_chain() {
    let app = services().await;
    let root = person(&app, "root", true).await;
    let id = stigma(&app, &root, "Pilot").await;
    let step = |to, reason| study::set_state(&app, &root, &id, to, reason);
    assert_eq!(
        refused(step(StudyState::Reconciling, "").await),
        Refusal::StateStep
    );
    step(StudyState::Collecting, "").await.expect("collecting");
    step(StudyState::SignedOff, "").await.expect("signed off");
    assert_eq!(
        refused(step(StudyState::Reconciling, " ").await),
        Refusal::ReasonNeeded
    );
    step(StudyState::Reconciling, "a rater corrected an entry")
        .await
        .expect("reopened");
    let blinding = Blinding {
        model: false,
        condition: true,
        judge_severity: true,
    };
    study::set_blinding(&app, &root, &id, blinding)
        .await
        .expect("nothing submitted yet");
    assert_eq!(
        study::overview(&app, &root, &id)
            .await
            .expect("seen")
            .blinding,
        blinding
    );
    assert_eq!(
        audit::verify(&app, &root, &id).await.expect("walked"),
        Ok(5)
    );
    let rows = audit::page(
        &app,
        &root,
        &id,
        &audit::AuditFilter::default(),
        i64::MAX,
        2,
    )
    .await
    .expect("read");
    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), [5, 4]);
    assert_eq!(rows[0].action, "study.manage.blinding");
}
