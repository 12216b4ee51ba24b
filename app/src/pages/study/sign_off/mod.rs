//! `/studies/{study}/sign-off`: what stands in the way, signing, and the snapshots so far.

mod form;
pub(super) mod manifest;
mod one;

use domain::{role::Action, study::StudyState};
use leptos::prelude::*;
use service::{Result, snapshot, snapshot::SnapshotRow};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    actions::study::SetState,
    components::{Empty, Hidden, Kind, Notice, PostForm, TableWrap, TextField, Time, Width},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

pub use one::SnapshotPage;

/// Sign-off of a study.
#[component]
pub fn SignOffPage() -> impl IntoView {
    visit(sign_off)
}

async fn sign_off(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::SignOff).await?;
    let rows = snapshot::list(&visit.app, &visit.actor, &open.study.id).await?;
    let state = open.study.state;
    let now = match rows.iter().find(|row| row.in_force) {
        Some(row) => signed(&visit, &open, row).into_any(),
        None if state == StudyState::Draft => not_yet().into_any(),
        None => {
            let ready = snapshot::readiness(&visit.app, &visit.actor, &open.study.id).await?;
            form::to_sign(&visit, &open, &ready, rows.first()).into_any()
        }
    };
    let list = list(&open, &rows).into_any();
    Ok(view! {
        <StudyPage open tab=Tab::SignOff width=Width::Wide>
            {visit.said()}
            <h1>"Sign-off"</h1>
            <p>
                "Signing off freezes every label with the rules that produced it, and names the whole by a fingerprint. "
                "Tables and statistics then say which snapshot they are part of. Afterwards a change needs a reason and makes a new snapshot; "
                "the earlier ones stay as they are."
            </p>
            {now}
            {list}
        </StudyPage>
    })
}

fn not_yet() -> impl IntoView {
    view! {
        <Empty title="There is nothing to sign yet">
            <p>"A study can be signed off once raters have been given items."</p>
        </Empty>
    }
}

fn signed(visit: &Visit, open: &Open, row: &SnapshotRow) -> impl IntoView + use<> {
    let base = Tab::SignOff.href(&open.study);
    let number = row.named.number;
    let (name, at, hash) = (
        row.attested_as.clone(),
        row.signed_at,
        row.named.content_hash.clone(),
    );
    let again = open.may(Action::StudyManage).then(|| {
        let form = visit.form::<SetState>();
        let id = open.study.id.to_string();
        view! {
            <h2>"Open the study again"</h2>
            <PostForm form=form.clone() class="card">
                <Hidden name="study" value=id />
                <Hidden name="to" value=StudyState::Reconciling.as_str() />
                <p>
                    "Judgements and rulings can change again. The snapshot stays, with your reason beside it; the next sign-off makes another one."
                </p>
                <TextField form name="reason" label="Why it is opened again" />
                <button>"Open the study again"</button>
            </PostForm>
        }
    });
    view! {
        <Notice kind=Kind::Good>
            <p>
                "Signed off by " <b>{name}</b> ", " <Time at /> ": "
                <a href=format!("{base}/{number}")>{format!("snapshot {number}")}</a>
            </p>
            <p class="small">
                <code>{hash}</code>
            </p>
        </Notice>
        {again}
    }
}

fn list(open: &Open, rows: &[SnapshotRow]) -> impl IntoView + use<> {
    if rows.is_empty() {
        return ().into_any();
    }
    let base = Tab::SignOff.href(&open.study);
    let row = |row: &SnapshotRow| snapshot_row(&base, row).into_any();
    let rows = rows.iter().map(row).collect_view();
    view! {
        <h2>"Snapshots"</h2>
        <TableWrap label="Snapshots">
            <table>
                <caption>"The latest first. The same labels under the same rules have the same fingerprint."</caption>
                <thead>
                    <tr>
                        <th scope="col">"Snapshot"</th>
                        <th scope="col">"Signed by"</th>
                        <th scope="col">"When"</th>
                        <th scope="col" class="number">"Labels"</th>
                        <th scope="col">"Fingerprint"</th>
                        <th scope="col">"Since"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
    .into_any()
}

fn snapshot_row(base: &str, row: &SnapshotRow) -> impl IntoView + use<> {
    let number = row.named.number;
    let since = match &row.reopened {
        None if row.in_force => view! { <span class="chip good">"In force"</span> }.into_any(),
        None => ().into_any(),
        Some(reopened) => {
            let (by, reason, at) = (reopened.by.clone(), reopened.reason.clone(), reopened.at);
            view! {
                "Opened again by "
                {by}
                ", "
                <Time at />
                ": "
                {reason}
            }
            .into_any()
        }
    };
    let hash = row
        .named
        .content_hash
        .get(..12)
        .unwrap_or_default()
        .to_owned();
    let changes = row.reopened.is_some().then(|| {
        view! {
            <a class="below small" href=format!("{base}/{number}?against=now")>
                "What changed"
            </a>
        }
    });
    view! {
        <tr>
            <th scope="row">
                <a href=format!("{base}/{number}")>{format!("Snapshot {number}")}</a>
                {changes}
            </th>
            <td>{row.attested_as.clone()}</td>
            <td>
                <Time at=row.signed_at />
            </td>
            <td class="number">{words::number(row.labels)}</td>
            <td>
                <code class="small">{hash}</code>
            </td>
            <td>{since}</td>
        </tr>
    }
}
