//! Inviting people, and accepting.

use domain::{id::StudyId, refusal::Refusal, role::Role};
use leptos::server;
use service::invitation;

use super::act::{Answer, Done, act, act_as_anyone, stored};
use crate::context::session;

/// Makes a one-time link into a study, or onto the server when no study is named.
#[server(name = Invite, prefix = "/do", endpoint = "invitation/create")]
pub async fn invite(
    #[server(default)] study: String,
    #[server(default)] role: String,
    #[server(default)] display_name: String,
    #[server(default)] days: String,
) -> Answer {
    act_as_anyone(|ask| async move {
        let role = Role::parse(&role).ok_or(Refusal::RoleUnknown)?;
        let days = days.parse().map_err(|_| Refusal::InputInvalid)?;
        let study = (!study.is_empty()).then(|| StudyId::new(study));
        let secret = invitation::create(
            &ask.app,
            ask.actor()?,
            study.as_ref(),
            role,
            &display_name,
            days,
        )
        .await?;
        let link = format!("{}/invitation/{secret}", ask.origin());
        Ok(Done::here()
            .saying("The invitation is made. Send this link to the person; it works once.")
            .showing(link))
    })
    .await
}

/// Makes an invitation worthless.
#[server(name = RevokeInvitation, prefix = "/do", endpoint = "invitation/revoke")]
pub async fn revoke(#[server(default)] id: String) -> Answer {
    act(|app, actor| async move {
        invitation::revoke(&app, &actor, &id).await?;
        Ok(Done::here().saying("The invitation is revoked."))
    })
    .await
}

/// Makes an account from an invitation and signs it in.
#[server(name = AcceptInvitation, prefix = "/do", endpoint = "invitation/accept")]
pub async fn accept(
    #[server(default)] secret: String,
    #[server(default)] name: String,
    #[server(default)] display_name: String,
    #[server(default)] password: String,
    #[server(default)] password_again: String,
) -> Answer {
    act_as_anyone(|ask| async move {
        if password != password_again {
            return Err(Refusal::PasswordsDiffer.into());
        }
        let actor = invitation::accept(&ask.app, &secret, &name, &display_name, &password).await?;
        stored(session::sign_in(&ask.session, &actor, ask.app.now(), ask.agent()).await)?;
        Ok(Done::at("/").saying("Welcome. Your account is made and you are signed in."))
    })
    .await
}

/// Joins a study with the account in use.
#[server(name = JoinStudy, prefix = "/do", endpoint = "invitation/join")]
pub async fn join(#[server(default)] secret: String) -> Answer {
    act(|app, actor| async move {
        invitation::join(&app, &actor, &secret).await?;
        Ok(Done::at("/").saying("You have joined the study."))
    })
    .await
}
