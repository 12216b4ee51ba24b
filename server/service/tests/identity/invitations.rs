//! Invitations.

use crate::{PASSWORD, person, refused, stigma};
use domain::refusal::Refusal;
use domain::role::Role;
use service::invitation::InvitationState;
use service::testing::services;
use service::{Actor, account, invitation, member, study};

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
