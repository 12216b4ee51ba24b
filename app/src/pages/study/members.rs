//! `/studies/{study}/members`: who takes part, and inviting more.

use domain::{id::StudyId, role::Role};
use leptos::prelude::*;
use service::{
    Result, invitation,
    invitation::{InvitationRow, InvitationState},
    member,
    member::MemberRow,
};

use super::frame::{StudyPage, Tab};
use crate::{
    actions::{
        invitation::{Invite, RevokeInvitation},
        member::{AddMember, SetMember},
    },
    components::{Empty, Form, Hidden, PostForm, SelectField, TableWrap, TextField, Time, Width},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// Members of a study.
#[component]
pub fn MembersPage() -> impl IntoView {
    visit(members)
}

async fn members(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Members).await?;
    let study = open.study.id.clone();
    let members = member::list(&visit.app, &visit.actor, &study).await?;
    let invitations = invitation::list(&visit.app, &visit.actor, Some(&study)).await?;
    Ok(view! {
        <StudyPage open tab=Tab::Members width=Width::Wide>
            {visit.said()}
            <h1>"Members"</h1>
            <p>
                "Raters appear as A, B, C in the order in which they joined. Their names are shown, and written into exports, only to those who run or settle the study; a reader finds rater_1 and rater_2. "
                "Taking a role away deletes nothing: judgements and rulings stay and keep their author."
            </p>
            {member_table(&visit, &study, members)}
            <div class="columns">
                {invite(&visit, &study)} {add(&visit, &study)}
            </div>
            {invitation_table(&visit, invitations)}
            {roles()}
        </StudyPage>
    })
}

/// The roles that people can be given in a study.
const ROLES: [Role; 4] = [
    Role::Rater,
    Role::Coordinator,
    Role::Adjudicator,
    Role::Reader,
];

fn role_options() -> Vec<(String, String)> {
    ROLES
        .iter()
        .map(|role| (role.as_str().to_owned(), words::role(*role).to_owned()))
        .collect()
}

fn member_table(visit: &Visit, study: &StudyId, members: Vec<MemberRow>) -> impl IntoView + use<> {
    let form = visit.form::<SetMember>();
    let study = study.clone();
    let mut letters = ('A'..='Z').map(|letter| format!("Rater {letter}"));
    let row = move |member: MemberRow| {
        let label = if member.role == Role::Rater {
            letters.next()
        } else {
            None
        };
        let (to, verb) = if member.active {
            ("no", "Take the role away")
        } else {
            ("yes", "Give it back")
        };
        let state = if !member.can_sign_in {
            view! { <span class="chip">"From an imported file, cannot sign in"</span> }.into_any()
        } else if member.active {
            view! { <span class="chip good">"Active"</span> }.into_any()
        } else {
            view! { <span class="chip">"Inactive"</span> }.into_any()
        };
        let study = study.as_str().to_owned();
        let of_whom = format!("{verb}: {}", member.display_name);
        view! {
            <tr>
                <th scope="row">{member.display_name}</th>
                <td>{member.name}</td>
                <td>{words::role(member.role)}</td>
                <td>{label}</td>
                <td>{state}</td>
                <td>
                    <PostForm form=form.clone().repeated()>
                        <Hidden name="study" value=study />
                        <Hidden name="user" value=member.user.as_str() />
                        <Hidden name="role" value=member.role.as_str() />
                        <Hidden name="active" value=to />
                        <button class="button quiet" aria-label=of_whom>
                            {verb}
                        </button>
                    </PostForm>
                </td>
            </tr>
        }
    };
    view! {
        <TableWrap label="Members">
            <table>
                <caption class="unseen">"Members and their roles"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Name"</th>
                        <th scope="col">"Sign-in name"</th>
                        <th scope="col">"Role"</th>
                        <th scope="col">"Shown as"</th>
                        <th scope="col">"State"</th>
                        <th scope="col">
                            <span class="unseen">"Change"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{members.into_iter().map(row).collect_view()}</tbody>
            </table>
        </TableWrap>
    }
}

fn invite(visit: &Visit, study: &StudyId) -> impl IntoView + use<> {
    let form = visit.form::<Invite>();
    view! { <InviteForm form study=study.as_str() roles=role_options() /> }
}

/// Makes a one-time link.
#[component]
pub fn InviteForm(
    /// The form.
    form: Form,
    /// Into which study; empty for the server.
    #[prop(into)]
    study: String,
    /// What one can be invited as.
    roles: Vec<(String, String)>,
) -> impl IntoView {
    let days = [("3", "3 days"), ("14", "14 days"), ("30", "30 days")];
    let days = days
        .map(|(value, text)| (value.to_owned(), text.to_owned()))
        .to_vec();
    let start = roles
        .first()
        .map(|(value, _)| value.clone())
        .unwrap_or_default();
    view! {
        <PostForm form=form.clone() class="card">
            <h2>"Invite by a link"</h2>
            <p class="soft">
                "The link works once and is shown once. Send it by a channel you trust: whoever opens it first takes the role."
            </p>
            <Hidden name="study" value=study />
            <TextField form=form.clone() name="display_name" label="Name of the person" hint="For example: Dr. Ada Lindqvist" />
            <SelectField form=form.clone() name="role" label="Role" options=roles start=start />
            <SelectField form name="days" label="The link works for" options=days start="14" />
            <button class="button primary">"Make the link"</button>
        </PostForm>
    }
}

fn add(visit: &Visit, study: &StudyId) -> impl IntoView + use<> {
    let form = visit.form::<AddMember>();
    let study = study.as_str().to_owned();
    view! {
        <PostForm form=form.clone() class="card">
            <h2>"Add somebody who has an account"</h2>
            <Hidden name="study" value=study />
            <TextField form=form.clone() name="name" label="Their sign-in name" />
            <SelectField form name="role" label="Role" options=role_options() start="rater" />
            <button>"Add"</button>
        </PostForm>
    }
}

fn invitation_table(visit: &Visit, invitations: Vec<InvitationRow>) -> impl IntoView + use<> {
    let form = visit.form::<RevokeInvitation>();
    view! {
        <h2>"Invitations"</h2>
        <Invitations form rows=invitations />
    }
}

/// Invitations and what became of them.
#[component]
pub fn Invitations(
    /// The form that revokes one.
    form: Form,
    /// The invitations.
    rows: Vec<InvitationRow>,
) -> impl IntoView {
    if rows.is_empty() {
        return view! {
            <Empty title="No invitation yet">
                <p>"Links that you make are listed here until they are used, and after."</p>
            </Empty>
        }
        .into_any();
    }
    let row = move |row: InvitationRow| {
        let (state, class) = match row.state {
            InvitationState::Open => ("Open", "chip now"),
            InvitationState::Used => ("Used", "chip good"),
            InvitationState::Revoked => ("Revoked", "chip"),
            InvitationState::Expired => ("Expired", "chip warn"),
        };
        let of_whom = format!("Revoke: {}", row.display_name);
        let revoke = (row.state == InvitationState::Open).then(|| {
            view! {
                <PostForm form=form.clone().repeated()>
                    <Hidden name="id" value=row.id.clone() />
                    <button class="button quiet" aria-label=of_whom>
                        "Revoke"
                    </button>
                </PostForm>
            }
        });
        view! {
            <tr>
                <th scope="row">{row.display_name.clone()}</th>
                <td>{words::role(row.role)}</td>
                <td>
                    <Time at=row.created_at />
                </td>
                <td>
                    <Time at=row.expires_at />
                </td>
                <td>
                    <span class=class>{state}</span>
                </td>
                <td>{revoke}</td>
            </tr>
        }
    };
    view! {
        <TableWrap label="Invitations">
            <table>
                <caption>"The links themselves are not kept, only their fingerprint."</caption>
                <thead>
                    <tr>
                        <th scope="col">"For"</th>
                        <th scope="col">"Role"</th>
                        <th scope="col">"Made"</th>
                        <th scope="col">"Expires"</th>
                        <th scope="col">"State"</th>
                        <th scope="col">
                            <span class="unseen">"Revoke"</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        </TableWrap>
    }
    .into_any()
}

fn roles() -> impl IntoView {
    let role = |role: Role| {
        view! {
            <dt>{words::role(role)}</dt>
            <dd>{words::role_means(role)}</dd>
        }
    };
    view! {
        <h2>"What each role may do"</h2>
        <dl class="pairs">{ROLES.map(role).collect_view()}</dl>
    }
}
