//! `/people`: accounts of the server, for administrators.

use domain::{refusal::Refusal, role::Role};
use leptos::prelude::*;
use service::{Result, account, account::UserRow, invitation};

use super::{
    study::members::{Invitations, InviteForm},
    visit::{Visit, visit},
};
use crate::{
    actions::{
        account::SetActive,
        invitation::{Invite, RevokeInvitation},
    },
    components::{Crumb, Hidden, Page, PostForm, TableWrap, Time, Width},
};

/// Accounts, invitations, deactivation.
#[component]
pub fn PeoplePage() -> impl IntoView {
    visit(people)
}

async fn people(visit: Visit) -> Result<impl IntoView> {
    if !visit.actor.is_admin {
        return Err(Refusal::Forbidden.into());
    }
    let users = account::list(&visit.app, &visit.actor).await?;
    let invitations = invitation::list(&visit.app, &visit.actor, None).await?;
    let roles = vec![(
        Role::Admin.as_str().to_owned(),
        "administrator of the server".to_owned(),
    )];
    let (invite, revoke) = (visit.form::<Invite>(), visit.form::<RevokeInvitation>());
    Ok(view! {
        <Page title="People" width=Width::Wide crumbs=vec![Crumb::link("My work", "/"), Crumb::here("People")]>
            {visit.said()}
            <h1>"People"</h1>
            <p>
                "Raters and coordinators are invited on the members’ page of their study. Here you invite administrators and "
                "take away the right to sign in."
            </p>
            {user_table(&visit, users)}
            <div class="fit">
                <InviteForm form=invite study="" roles=roles />
            </div>
            <h2>"Invitations"</h2>
            <Invitations form=revoke rows=invitations />
        </Page>
    })
}

fn user_table(visit: &Visit, users: Vec<UserRow>) -> impl IntoView + use<> {
    let form = visit.form::<SetActive>();
    let row = move |user: UserRow| {
        let (to, verb) = if user.active {
            ("no", "Deactivate")
        } else {
            ("yes", "Activate")
        };
        let class = if user.active { "chip good" } else { "chip" };
        view! {
            <tr>
                <th scope="row">{user.display_name.clone()}</th>
                <td>{user.name.clone()}</td>
                <td>{user.is_admin.then_some("administrator")}</td>
                <td>
                    <Time at=user.created_at />
                </td>
                <td>
                    <span class=class>{if user.active { "Active" } else { "Inactive" }}</span>
                </td>
                <td>
                    <PostForm form=form.clone().repeated()>
                        <Hidden name="user" value=user.id.as_str() />
                        <Hidden name="active" value=to />
                        <button class="button quiet" aria-label=format!("{verb}: {}", user.display_name)>
                            {verb}
                        </button>
                    </PostForm>
                </td>
            </tr>
        }
    };
    view! {
        <TableWrap label="Accounts">
            <table>
                <caption>"Deactivating signs a person out everywhere and deletes nothing."</caption>
                <thead>
                    <tr>
                        <th scope="col">"Name"</th>
                        <th scope="col">"Sign-in name"</th>
                        <th scope="col">"Server role"</th>
                        <th scope="col">"Since"</th>
                        <th scope="col">"State"</th>
                        <th scope="col">
                            <span class="unseen">"Change"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{users.into_iter().map(row).collect_view()}</tbody>
            </table>
        </TableWrap>
    }
}
