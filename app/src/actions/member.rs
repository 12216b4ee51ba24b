//! Who takes part in a study.

use domain::{
    id::{StudyId, UserId},
    refusal::Refusal,
    role::Role,
};
use leptos::server;
use service::member;

use super::act::{Answer, Done, act};

/// Gives somebody who has an account a role.
#[server(name = AddMember, prefix = "/do", endpoint = "member/add")]
pub async fn add(
    #[server(default)] study: String,
    #[server(default)] name: String,
    #[server(default)] role: String,
) -> Answer {
    act(|app, actor| async move {
        let role = Role::parse(&role).ok_or(Refusal::RoleUnknown)?;
        member::add(&app, &actor, &StudyId::new(study), &name, role).await?;
        Ok(Done::here().saying("The member is added."))
    })
    .await
}

/// Takes a role from somebody, or gives it back.
#[server(name = SetMember, prefix = "/do", endpoint = "member/set-active")]
pub async fn set_active(
    #[server(default)] study: String,
    #[server(default)] user: String,
    #[server(default)] role: String,
    #[server(default)] active: String,
) -> Answer {
    act(|app, actor| async move {
        let role = Role::parse(&role).ok_or(Refusal::RoleUnknown)?;
        let (study, user) = (StudyId::new(study), UserId::new(user));
        member::set_active(&app, &actor, &study, &user, role, active == "yes").await?;
        Ok(Done::here().saying(if active == "yes" {
            "The role is given back."
        } else {
            "The role is taken away."
        }))
    })
    .await
}
