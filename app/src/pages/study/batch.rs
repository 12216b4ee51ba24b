//! `/studies/{study}/batches/{batch}`: every assignment of one batch.

use domain::{assignment::AssignmentState, id::BatchId, refusal::Refusal, role::Role};
use leptos::prelude::*;
use service::{Result, batch, batch::AssignmentRow, member};

use super::frame::{StudyPage, Tab};
use crate::{
    actions::batch::{Reassign, ReopenFor, TakeBack},
    components::{Form, Hidden, PostForm, TableWrap, Width},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// The assignments of a batch.
#[component]
pub fn BatchPage() -> impl IntoView {
    visit(assignments)
}

/// What can be done with an assignment.
#[derive(Clone)]
struct Forms {
    take_back: Form,
    reassign: Form,
    reopen: Form,
    /// Who could take an item over.
    raters: Vec<(String, String)>,
}

async fn assignments(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Batches).await?;
    let id = BatchId::new(visit.param("batch"));
    let batches = batch::list(&visit.app, &visit.actor, &open.study.id).await?;
    let batch = batches
        .into_iter()
        .find(|batch| batch.id == id)
        .ok_or(Refusal::NotFound)?;
    let rows = batch::assignments(&visit.app, &visit.actor, &id).await?;
    let members = member::list(&visit.app, &visit.actor, &open.study.id).await?;
    let raters = members
        .into_iter()
        .filter(|m| m.role == Role::Rater && m.active && m.can_sign_in);
    let forms = Forms {
        take_back: visit.form::<TakeBack>(),
        reassign: visit.form::<Reassign>(),
        reopen: visit.form::<ReopenFor>(),
        raters: raters
            .map(|m| (m.user.to_string(), m.display_name))
            .collect(),
    };
    let rows = rows
        .into_iter()
        .map(|row| assignment(&forms, row).into_any())
        .collect_view();
    Ok(view! {
        <StudyPage open tab=Tab::Batches below=batch.name.clone() width=Width::Wide>
            {visit.said()}
            <h1>{batch.name.clone()}</h1>
            <TableWrap label="Assignments">
                <table>
                    <caption>
                        "What has not been begun can be taken back. What was handed or taken back can go to another rater."
                    </caption>
                    <thead>
                        <tr>
                            <th scope="col">"Item"</th>
                            <th scope="col">"Rater"</th>
                            <th scope="col">"State"</th>
                            <th scope="col">"Change"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
        </StudyPage>
    })
}

fn assignment(forms: &Forms, row: AssignmentRow) -> impl IntoView + use<> {
    let class = match row.state {
        AssignmentState::Submitted => "chip good",
        AssignmentState::InProgress | AssignmentState::Reopened => "chip now",
        AssignmentState::NotRatable => "chip warn",
        AssignmentState::NotStarted | AssignmentState::Withdrawn => "chip",
    };
    let change = match row.state {
        AssignmentState::NotStarted => take_back(forms, &row).into_any(),
        AssignmentState::Withdrawn => reassign(forms, &row).into_any(),
        AssignmentState::Submitted | AssignmentState::NotRatable => reopen(forms, &row).into_any(),
        AssignmentState::InProgress | AssignmentState::Reopened => ().into_any(),
    };
    let hidden = row
        .judge_hidden
        .then(|| view! { <span class="soft small">"judge hidden at first"</span> });
    view! {
        <tr>
            <th scope="row">{row.item_key} {hidden}</th>
            <td>{row.rater_name}</td>
            <td>
                <span class=class>{words::assignment_state(row.state)}</span>
            </td>
            <td>{change}</td>
        </tr>
    }
}

fn take_back(forms: &Forms, row: &AssignmentRow) -> impl IntoView + use<> {
    let id = row.id.to_string();
    let label = format!("Take back {} from {}", row.item_key, row.rater_name);
    view! {
        <PostForm form=forms.take_back.clone().repeated()>
            <Hidden name="assignment" value=id />
            <button class="button quiet" aria-label=label>
                "Take back"
            </button>
        </PostForm>
    }
}

fn reassign(forms: &Forms, row: &AssignmentRow) -> impl IntoView + use<> {
    let id = row.id.to_string();
    let rater = row.rater.to_string();
    let others = forms
        .raters
        .iter()
        .filter(|(user, _)| *user != rater)
        .cloned();
    let others = others
        .map(|(user, name)| view! { <option value=user>{name}</option> })
        .collect_view();
    let label = format!("Who takes over {}", row.item_key);
    view! {
        <PostForm form=forms.reassign.clone().repeated() class="row">
            <Hidden name="assignment" value=id />
            <select name="rater" aria-label=label>
                {others}
            </select>
            <button>"Give it to them"</button>
        </PostForm>
    }
}

fn reopen(forms: &Forms, row: &AssignmentRow) -> impl IntoView + use<> {
    let form = forms
        .reopen
        .clone()
        .only_for("assignment", row.id.as_str())
        .repeated();
    let (id, start) = (row.id.to_string(), form.value("reason", ""));
    let open = form.was_refused();
    let error = form
        .error("reason")
        .map(|text| view! { <p class="error">{text}</p> });
    let label = format!(
        "Why {} is opened again for {}",
        row.item_key, row.rater_name
    );
    view! {
        <details open=open>
            <summary>"Open it again"</summary>
            {error}
            <PostForm form class="row">
                <Hidden name="assignment" value=id />
                <input name="reason" required aria-label=label placeholder="Reason" value=start />
                <button>"Open again"</button>
            </PostForm>
        </details>
    }
}
