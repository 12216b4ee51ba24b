//! `/`: what waits for the person who looks.

use domain::id::AssignmentId;
use domain::role::{Action, Role, may};
use leptos::prelude::*;
use service::{
    Result, desk,
    desk::{MyBatch, MyStudy},
    discussion,
    round::{self, MyCheck, MyFeedback},
    study,
    study::StudyRow,
    triage,
};

use super::{
    visit::{Visit, visit},
    words,
};
use crate::components::{Empty, Kind, Notice, Page, Progress, TableWrap, Time};

/// A rater's batches, and the studies one helps to run.
#[component]
pub fn WorkPage() -> impl IntoView {
    visit(my_work)
}

async fn my_work(visit: Visit) -> Result<impl IntoView> {
    let mine = desk::my_work(&visit.app, &visit.actor).await?;
    let studies = study::list(&visit.app, &visit.actor).await?;
    let is_staff =
        |row: &StudyRow| visit.actor.is_admin || row.roles.iter().any(|role| *role != Role::Rater);
    let mut everywhere: Vec<Role> = studies.iter().flat_map(|row| row.roles.clone()).collect();
    if visit.actor.is_admin {
        everywhere.push(Role::Admin);
    }
    let may_create = may(&everywhere, Action::StudyCreate);
    let staff: Vec<StudyRow> = studies
        .iter()
        .filter(|row| is_staff(row))
        .cloned()
        .collect();
    let nothing = (mine.studies.is_empty() && staff.is_empty()).then(|| nothing_yet(may_create));
    let tools = view! {
        <div class="row">
            {visit.actor.is_admin.then(|| view! { <a class="button" href="/people">"People"</a> })}
            {may_create.then(|| view! { <a class="button" href="/studies/new">"New study"</a> })}
        </div>
    };
    let talks = discussion::mine(&visit.app, &visit.actor).await?;
    let replies = triage::replies(&visit.app, &visit.actor).await?;
    let talks = (!talks.is_empty()).then(|| discussions(talks));
    let replies = (!replies.is_empty()).then(|| answers(replies));
    let checks = round::my_checks(&visit.app, &visit.actor).await?;
    let given = round::my_feedback(&visit.app, &visit.actor).await?;
    let rounds = rounds(checks, given);
    let rating = mine.studies.into_iter().map(rated_study).collect_view();
    Ok(view! {
        <Page title="My work">
            {visit.said()}
            <div class="page-head">
                <h1>"My work"</h1>
                {tools}
            </div>
            {nothing}
            {rating}
            {talks}
            {replies}
            {rounds}
            {(!staff.is_empty()).then(|| staff_table(staff))}
        </Page>
    })
}

fn nothing_yet(may_create: bool) -> impl IntoView {
    if may_create {
        view! {
            <Empty title="No study yet">
                <p>"A study holds the traces to be judged, the coding manual, the raters and what they find."</p>
                <p>
                    <a class="button primary" href="/studies/new">
                        "Make the first study"
                    </a>
                </p>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <Empty title="Nothing waits for you">
                <p>"You are not a member of any study yet. Open the invitation link that your coordinator sends you."</p>
            </Empty>
        }
        .into_any()
    }
}

fn rated_study(study: MyStudy) -> impl IntoView {
    let note = (!study.content_note.is_empty()).then(|| {
        let note = study.content_note.clone();
        view! {
            <Notice kind=Kind::Info>
                <p>{note}</p>
            </Notice>
        }
    });
    let none = study.batches.is_empty().then(|| {
        view! {
            <Empty title="No batch for you yet">
                <p>"The coordinator has not drawn a sample for you. There is nothing you need to do."</p>
            </Empty>
        }
    });
    let manual = format!("/studies/{}/scheme", study.study);
    view! {
        <section>
            <div class="page-head">
                <h2>{study.name.clone()}</h2>
                <a href=manual>"Coding manual"</a>
            </div>
            {note}
            {none}
            <div class="columns">{study.batches.into_iter().map(batch_card).collect_view()}</div>
        </section>
    }
}

fn batch_card(batch: MyBatch) -> impl IntoView {
    let left = batch.total.saturating_sub(batch.done);
    let begun = batch.done + batch.in_progress > 0;
    let go = match &batch.next {
        Some(next) => {
            let label = if begun { "Continue" } else { "Begin" };
            view! {
                <a class="button primary" href=format!("/desk/{next}")>
                    {label}
                </a>
            }
            .into_any()
        }
        None if left == 0 && batch.handed_back == 0 => {
            view! { <p class="chip good">"Done. Thank you."</p> }.into_any()
        }
        None => view! { <p class="chip">"Nothing to do here now"</p> }.into_any(),
    };
    view! {
        <article class="card stack">
            <div class="card-head">
                <h3>{batch.name.clone()}</h3>
                <span class="push"></span>
                <Progress done=batch.done total=batch.total unit="items" />
            </div>
            <ul class="facts">
                <li>{format!("{left} need you")}</li>
                {(batch.in_progress > 0).then(|| view! { <li>{format!("{} begun", batch.in_progress)}</li> })}
                <li>{format!("{} done", batch.done)}</li>

            </ul>
            {go}
            {handed_back(&batch)}
        </article>
    }
}

/// What the rater handed back: the draft is kept, and they can take it up again unless somebody else has it.
fn handed_back(batch: &MyBatch) -> impl IntoView + use<> {
    let item = |(assignment, place): &(AssignmentId, i64)| {
        view! {
            <li>
                <a href=format!("/desk/{assignment}")>{format!("Item {place}")}</a>
            </li>
        }
    };
    let items = batch.can_resume.iter().map(item).collect_view();
    (!batch.can_resume.is_empty()).then(|| {
        view! {
            <div>
                <h4>"Handed back by you"</h4>
                <p class="soft small">"Your draft is kept. Open an item to take it up again."</p>
                <ul>{items}</ul>
            </div>
        }
    })
}

/// Units of my items that are talked over: what asks for me, nothing of what was said.
fn discussions(rows: Vec<discussion::Row>) -> impl IntoView {
    let row = |row: discussion::Row| {
        let state = match (row.open, row.unread) {
            (false, _) => view! { <span class="chip good">"Settled or closed"</span> }.into_any(),
            (true, 0) => view! { <span class="chip">"Nothing new"</span> }.into_any(),
            (true, n) => {
                view! { <span class="chip now">{words::count(n, "new message", "new messages")}</span> }
                    .into_any()
            }
        };
        view! {
            <tr>
                <th scope="row">
                    <a href=format!("/discussions/{}", row.unit)>{row.tag}</a>
                </th>
                <td class="key">{row.item_key}</td>
                <td>{row.study_name}</td>
                <td class="number">{words::number(row.messages)}</td>
                <td>{state}</td>
            </tr>
        }
    };
    view! {
        <section id="discussions">
            <h2>"Discussions"</h2>
            <TableWrap label="Discussions">
                <table>
                    <caption>"What you said of items you rated, talked over with the other rater and staff once all judgements were in."</caption>
                    <thead>
                        <tr>
                            <th scope="col">"About"</th>
                            <th scope="col">"Item"</th>
                            <th scope="col">"Study"</th>
                            <th scope="col" class="number">
                                "Messages"
                            </th>
                            <th scope="col">"State"</th>
                        </tr>
                    </thead>
                    <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
                </table>
            </TableWrap>
        </section>
    }
}

/// What staff answered to my comments.
fn answers(replies: Vec<triage::Reply>) -> impl IntoView {
    let reply = |reply: triage::Reply| {
        view! {
            <li>
                <a href=format!("/desk/{}", reply.assignment)>{format!("Item {}", reply.item_key)}</a>
                ": "
                {reply.answer}
                " "
                <span class="soft small">
                    <Time at=reply.at />
                </span>
            </li>
        }
    };
    view! {
        <section id="answers">
            <h2>"Answers to your comments"</h2>
            <ul>{replies.into_iter().map(reply).collect_view()}</ul>
        </section>
    }
}

/// Cross-checks to review, and calibration items with feedback.
fn rounds(checks: Vec<MyCheck>, given: Vec<MyFeedback>) -> impl IntoView {
    let check = |check: MyCheck| {
        let go = check.next.map(|next| {
            view! {
                <a class="button primary" href=format!("/review/{next}")>
                    "Review the next"
                </a>
            }
        });
        view! {
            <article class="card stack">
                <div class="card-head">
                    <h3>{format!("{}: {}", check.study_name, check.name)}</h3>
                    <span class="push"></span>
                    <Progress done=check.done total=check.total unit="reviews" />
                </div>
                {go}
            </article>
        }
    };
    let item = |one: MyFeedback| {
        view! {
            <li>
                <a href=format!("/desk/{}/feedback", one.assignment)>{format!("{}, item {}", one.batch_name, one.position)}</a>
            </li>
        }
    };
    let checks = (!checks.is_empty()).then(|| {
        view! {
            <section>
                <h2>"Cross-checks"</h2>
                <div class="columns">{checks.into_iter().map(check).collect_view()}</div>
            </section>
        }
    });
    let given = (!given.is_empty()).then(|| {
        view! {
            <section>
                <h2>"Feedback on calibration"</h2>
                <ul>{given.into_iter().map(item).collect_view()}</ul>
            </section>
        }
    });
    view! {
        {checks}
        {given}
    }
}

fn staff_table(studies: Vec<StudyRow>) -> impl IntoView {
    let row = |study: StudyRow| {
        let roles: Vec<&str> = study.roles.iter().map(|role| words::role(*role)).collect();
        view! {
            <tr>
                <th scope="row">
                    <a href=format!("/studies/{}", study.id)>{study.name}</a>
                </th>
                <td>{words::study_state(study.state)}</td>
                <td>{study.scheme_title}</td>
                <td>{roles.join(", ")}</td>
                <td class="number">{words::number(study.items)}</td>
                <td>
                    <Progress
                        done=study.submitted.unsigned_abs()
                        total=study.expected.unsigned_abs()
                        unit="judgements"
                    />
                </td>
            </tr>
        }
    };
    view! {
        <h2>"Studies I help to run"</h2>
        <TableWrap label="Studies I help to run">
            <table>
                <caption>"Progress counts submitted judgements of all raters against those assigned."</caption>
                <thead>
                    <tr>
                        <th scope="col">"Study"</th>
                        <th scope="col">"State"</th>
                        <th scope="col">"Coding manual"</th>
                        <th scope="col">"My roles"</th>
                        <th scope="col" class="number">
                            "Items"
                        </th>
                        <th scope="col">"Judgements"</th>
                    </tr>
                </thead>
                <tbody>{studies.into_iter().map(row).collect_view()}</tbody>
            </table>
        </TableWrap>
    }
}
