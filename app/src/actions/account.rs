//! Signing in and out, and what people do with their own account.

use domain::{id::UserId, refusal::Refusal};
use leptos::server;
use service::account;

use super::act::{Answer, Done, act, act_as_anyone, stored};
use crate::context::{path, session};

/// Signs in and leads to where the person wanted to go.
#[server(name = SignIn, prefix = "/do", endpoint = "account/sign-in")]
pub async fn sign_in(
    #[server(default)] name: String,
    #[server(default)] password: String,
    #[server(default)] to: String,
) -> Answer {
    act_as_anyone(|ask| async move {
        let actor = account::sign_in(&ask.app, &name, &password, &ask.remote()).await?;
        stored(session::sign_in(&ask.session, &actor, ask.app.now(), ask.agent()).await)?;
        Ok(Done::at(path::local(&to).unwrap_or("/")))
    })
    .await
}

/// Ends the session.
#[server(name = SignOut, prefix = "", endpoint = "sign-out")]
pub async fn sign_out() -> Answer {
    act_as_anyone(|ask| async move {
        stored(ask.session.flush().await)?;
        Ok(Done::at("/sign-in").saying("You are signed out."))
    })
    .await
}

/// Changes one's own password.
#[server(name = ChangePassword, prefix = "/do", endpoint = "account/change-password")]
pub async fn change_password(
    #[server(default)] old_password: String,
    #[server(default)] password: String,
    #[server(default)] password_again: String,
) -> Answer {
    act_as_anyone(|ask| async move {
        if password != password_again {
            return Err(Refusal::PasswordsDiffer.into());
        }
        let keep = session::key(&ask.session);
        account::change_password(
            &ask.app,
            ask.actor()?,
            &old_password,
            &password,
            keep.as_deref(),
        )
        .await?;
        Ok(Done::here().saying("Your password is changed, and every other browser is signed out."))
    })
    .await
}

/// Ends another session of one's own.
#[server(name = RevokeSession, prefix = "/do", endpoint = "account/revoke-session")]
pub async fn revoke_session(#[server(default)] id: String) -> Answer {
    act(|app, actor| async move {
        account::revoke_session(&app, &actor, &id).await?;
        Ok(Done::here().saying("That session is signed out."))
    })
    .await
}

/// Makes an API token that carries one's own rights.
#[server(name = CreateToken, prefix = "/do", endpoint = "account/create-token")]
pub async fn create_token(
    #[server(default)] name: String,
    #[server(default)] days: String,
) -> Answer {
    act(|app, actor| async move {
        let days = if days.is_empty() {
            None
        } else {
            Some(days.parse().map_err(|_| Refusal::InputInvalid)?)
        };
        let secret = account::create_token(&app, &actor, &name, days).await?;
        Ok(Done::here()
            .saying("The token is made. Whoever has it can do what you can do.")
            .showing(secret))
    })
    .await
}

/// Makes an API token worthless.
#[server(name = RevokeToken, prefix = "/do", endpoint = "account/revoke-token")]
pub async fn revoke_token(#[server(default)] id: String) -> Answer {
    act(|app, actor| async move {
        account::revoke_token(&app, &actor, &id).await?;
        Ok(Done::here().saying("The token is revoked."))
    })
    .await
}

/// Lets an account sign in, or no longer.
#[server(name = SetActive, prefix = "/do", endpoint = "account/set-active")]
pub async fn set_active(
    #[server(default)] user: String,
    #[server(default)] active: String,
) -> Answer {
    act(|app, actor| async move {
        let active = active == "yes";
        account::set_active(&app, &actor, &UserId::new(user), active).await?;
        Ok(Done::here().saying(if active {
            "The account can sign in again."
        } else {
            "The account can no longer sign in."
        }))
    })
    .await
}
