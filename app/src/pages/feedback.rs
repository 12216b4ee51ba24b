//! `/desk/{assignment}/feedback`: a calibration item beside the reference, or the other raters.

use domain::{annotation::shortest, id::AssignmentId, refusal::Refusal, scheme::Validity};
use leptos::prelude::*;
use service::{Result, round, round::FeedbackRow};

use super::{
    study::case::case,
    visit::{Visit, visit},
    words,
};
use crate::components::{Empty, Mark, MarkKind, Page, TableWrap, Width};

/// Feedback on a calibration item.
#[component]
pub fn FeedbackPage() -> impl IntoView {
    visit(feedback)
}

async fn feedback(visit: Visit) -> Result<impl IntoView> {
    let id = AssignmentId::new(visit.param("assignment"));
    let found = match round::feedback(&visit.app, &visit.actor, &id).await {
        Err(failure) if failure.refusal() == Refusal::NotAllIn => return Ok(waiting().into_any()),
        found => found?,
    };
    let marks = found.rows.iter().enumerate().flat_map(marks).collect();
    let case = case(&found.item, &found.scheme.display.headings, marks, true).into_any();
    let whom = if found.by_reference {
        "the reference"
    } else {
        "the other raters"
    };
    let sentence = format!(
        "{} of {} agree with {whom} by the study’s rule. This round is for practice and enters no statistic; \
         your judgement of this item stays as you gave it.",
        found.agree,
        words::count(found.rows.len(), "tag", "tags"),
    );
    let rows: Vec<AnyView> = found
        .rows
        .iter()
        .enumerate()
        .map(|(at, one)| row(at, one).into_any())
        .collect();
    Ok(view! {
        <Page title="Calibration feedback" width=Width::Wide>
            <h1>"Calibration feedback"</h1>
            <p>{sentence}</p>
            <div class="two-panes">
                <div>{case}</div>
                <div>
                    <TableWrap label="Your judgement and theirs">
                        <table>
                            <caption class="unseen">"Your judgement and theirs"</caption>
                            <thead>
                                <tr>
                                    <th scope="col">"Tag"</th>
                                    <th scope="col">"You"</th>
                                    <th scope="col">{whom}</th>
                                    <th scope="col">"By the rule"</th>
                                </tr>
                            </thead>
                            <tbody>{rows}</tbody>
                        </table>
                    </TableWrap>
                </div>
            </div>
        </Page>
    }
    .into_any())
}

fn waiting() -> impl IntoView {
    view! {
        <Page title="Calibration feedback">
            <Empty title="Not everybody has finished this item">
                <p>"Feedback comes when you and those you are compared with have all submitted it. Nothing is shown before."</p>
            </Empty>
        </Page>
    }
}

fn marks((at, row): (usize, &FeedbackRow)) -> Vec<Mark> {
    let mark = |(start, end, _): &(u32, u32, String)| {
        Some(Mark {
            label: (at + 1).to_string(),
            span: domain::span::Span::new(*start, *end).ok()?,
            kind: MarkKind::Candidate,
            now: false,
        })
    };
    row.spans.iter().filter_map(mark).collect()
}

fn says(validity: Option<Validity>, severity: Option<f64>) -> String {
    let parts = [
        validity.map(|validity| words::validity(validity).to_owned()),
        severity.map(shortest),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn row(at: usize, one: &FeedbackRow) -> impl IntoView + use<> {
    let theirs = one
        .theirs
        .iter()
        .map(|(validity, severity, comment)| {
            let comment = (!comment.is_empty())
                .then(|| view! { <span class="soft small below">{comment.clone()}</span> });
            view! {
                <p>
                    {says(*validity, *severity)} {comment}
                </p>
            }
        })
        .collect_view();
    let (class, text) = if one.differs {
        ("chip warn", "Differs")
    } else {
        ("chip good", "Agrees")
    };
    view! {
        <tr>
            <th scope="row">{format!("{}. {}", at + 1, one.title)}</th>
            <td>{says(one.mine.0, one.mine.1)}</td>
            <td>{theirs}</td>
            <td>
                <span class=class>{text}</span>
            </td>
        </tr>
    }
}
