//! `/account`: password, sessions and API tokens of the person who looks.

use leptos::prelude::*;
use service::{
    Result, account,
    account::{SessionRow, TokenRow},
};

use super::visit::{Visit, visit};
use crate::{
    actions::account::{ChangePassword, CreateToken, RevokeSession, RevokeToken},
    components::{Empty, Hidden, Page, PostForm, SelectField, TableWrap, TextField, Time},
};

/// One's own account.
#[component]
pub fn AccountPage() -> impl IntoView {
    visit(own_account)
}

async fn own_account(visit: Visit) -> Result<impl IntoView> {
    let current = visit.session_key();
    let sessions = account::sessions(&visit.app, &visit.actor, current.as_deref()).await?;
    let tokens = account::tokens(&visit.app, &visit.actor).await?;
    Ok(view! {
        <Page title="My account">
            {visit.said()}
            <h1>"My account"</h1>
            <dl class="pairs">
                <dt>"Name"</dt>
                <dd>{visit.actor.display_name.clone()}</dd>
                <dt>"Sign-in name"</dt>
                <dd>{visit.actor.name.clone()}</dd>
            </dl>
            {password(&visit)}
            {sessions_table(&visit, sessions)}
            {tokens_table(&visit, tokens)}
            {new_token(&visit)}
        </Page>
    })
}

fn password(visit: &Visit) -> impl IntoView + use<> {
    let form = visit.form::<ChangePassword>();
    view! {
        <h2>"Change my password"</h2>
        <PostForm form=form.clone() class="card fit">
            <TextField
                form=form.clone()
                name="old_password"
                label="The password you use now"
                kind="password"
                autocomplete="current-password"
            />
            <TextField
                form=form.clone()
                name="password"
                label="The new password"
                kind="password"
                hint="At least 12 characters."
                autocomplete="new-password"
            />
            <TextField
                form
                name="password_again"
                label="The new password again"
                kind="password"
                autocomplete="new-password"
            />
            <button class="button primary">"Change the password"</button>
        </PostForm>
    }
}

fn sessions_table(visit: &Visit, sessions: Vec<SessionRow>) -> impl IntoView + use<> {
    let form = visit.form::<RevokeSession>();
    let row = move |session: SessionRow| {
        let end = if session.current {
            view! { <span class="chip now">"This browser"</span> }.into_any()
        } else {
            view! {
                <PostForm form=form.clone().repeated()>
                    <Hidden name="id" value=session.id />
                    <button class="button quiet">"Sign out"</button>
                </PostForm>
            }
            .into_any()
        };
        view! {
            <tr>
                <th scope="row">{browser(&session.user_agent)}</th>
                <td>
                    <Time at=session.created_at />
                </td>
                <td>
                    <Time at=session.last_seen_at />
                </td>
                <td>{end}</td>
            </tr>
        }
    };
    view! {
        <h2>"Where I am signed in"</h2>
        <TableWrap label="Where I am signed in">
            <table>
                <caption>"Sign out what you do not recognise, then change your password."</caption>
                <thead>
                    <tr>
                        <th scope="col">"Browser"</th>
                        <th scope="col">"Signed in"</th>
                        <th scope="col">"Last seen"</th>
                        <th scope="col">
                            <span class="unseen">"Sign out"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{sessions.into_iter().map(row).collect_view()}</tbody>
            </table>
        </TableWrap>
    }
}

/// What people call a browser that calls itself `agent`.
fn browser(agent: &str) -> String {
    let names = [
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    let systems = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ];
    let find = |table: &[(&str, &'static str)]| {
        table
            .iter()
            .find(|(mark, _)| agent.contains(mark))
            .map(|(_, name)| *name)
    };
    match (find(&names), find(&systems)) {
        (Some(name), Some(system)) => format!("{name} on {system}"),
        (Some(name), None) => name.into(),
        _ => "Another program".into(),
    }
}

fn tokens_table(visit: &Visit, tokens: Vec<TokenRow>) -> impl IntoView + use<> {
    let form = visit.form::<RevokeToken>();
    let row = move |token: TokenRow| {
        view! {
            <tr>
                <th scope="row">{token.name}</th>
                <td>
                    <Time at=token.created_at />
                </td>
                <td>{token.last_used_at.map_or_else(|| "never".into_any(), |at| view! { <Time at /> }.into_any())}</td>
                <td>{token.expires_at.map_or_else(|| "never".into_any(), |at| view! { <Time at /> }.into_any())}</td>
                <td>
                    <PostForm form=form.clone().repeated()>
                        <Hidden name="id" value=token.id />
                        <button class="button quiet">"Revoke"</button>
                    </PostForm>
                </td>
            </tr>
        }
    };
    let table = if tokens.is_empty() {
        view! {
            <Empty title="No API tokens">
                <p>"A token lets a script on your own computer import, export and read with your rights."</p>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <TableWrap label="API tokens">
                <table>
                    <caption>"Programs send a token in the header “Authorization: Bearer …”."</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Name"</th>
                            <th scope="col">"Made"</th>
                            <th scope="col">"Last used"</th>
                            <th scope="col">"Expires"</th>
                            <th scope="col">
                                <span class="unseen">"Revoke"</span>
                            </th>
                        </tr>
                    </thead>
                    <tbody>{tokens.into_iter().map(row).collect_view()}</tbody>
                </table>
            </TableWrap>
        }
        .into_any()
    };
    view! {
        <h2>"API tokens"</h2>
        {table}
    }
}

fn new_token(visit: &Visit) -> impl IntoView + use<> {
    let form = visit.form::<CreateToken>();
    let days = [
        ("30", "After 30 days"),
        ("90", "After 90 days"),
        ("365", "After a year"),
        ("", "Never"),
    ];
    let options = days
        .map(|(value, text)| (value.to_owned(), text.to_owned()))
        .to_vec();
    view! {
        <PostForm form=form.clone() class="card fit">
            <h3>"Make a token"</h3>
            <TextField form=form.clone() name="name" label="What it is for" hint="For example: export script" />
            <SelectField form name="days" label="When it expires" options start="90" />
            <button>"Make the token"</button>
        </PostForm>
    }
}

#[cfg(test)]
mod tests {
    use super::browser;

    #[test]
    fn browsers_are_told_apart_by_their_most_particular_mark() {
        let edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0";
        assert_eq!(browser(edge), "Edge on Windows");
        let phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1 Version/17.5 Safari/604.1";
        assert_eq!(browser(phone), "Safari on iPhone");
        assert_eq!(browser("curl/8.7.1"), "Another program");
    }
}
