//! `/desk/{assignment}/feedback`: a calibration item beside the reference, or the other raters.

use domain::{annotation::shortest, id::AssignmentId, refusal::Refusal};
use leptos::prelude::*;
use service::{
    Result, round,
    round::{FeedbackRow, FeedbackSaid},
};

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
    let (one, many) = found.scheme.unit_words();
    let sentence = format!(
        "{} of {} agree with {whom} by the study’s rule. This round is for practice and enters no statistic; \
         your judgement of this item stays as you gave it.",
        found.agree,
        words::count(found.compared.cast_signed(), one, many),
    );
    let about = match (
        found.scheme.has_tags(),
        found.scheme.item_questions.is_empty(),
    ) {
        (true, true) => "Tag",
        (true, false) => "Tag or question",
        (false, _) => "Question",
    };
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
                                    <th scope="col">{about}</th>
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

fn says(said: &FeedbackSaid) -> impl IntoView + use<> {
    let parts = [
        said.validity
            .map(|validity| words::validity(validity).to_owned()),
        said.severity.map(shortest),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let tag = (!parts.is_empty()).then(|| view! { <p>{parts.join(", ")}</p> });
    let answer = said
        .answer
        .iter()
        .map(|part| view! { <p>{part.clone()}</p> })
        .collect_view();
    let comment = (!said.comment.is_empty())
        .then(|| view! { <p class="soft small below">{said.comment.clone()}</p> });
    view! {
        {tag}
        {answer}
        {comment}
    }
}

fn row(at: usize, one: &FeedbackRow) -> impl IntoView + use<> {
    let none = || view! { <p class="soft">"Left open"</p> };
    let mine = match &one.mine {
        Some(mine) => says(mine).into_any(),
        None => none().into_any(),
    };
    let theirs = if one.theirs.is_empty() {
        none().into_any()
    } else {
        one.theirs.iter().map(says).collect_view().into_any()
    };
    let (class, text) = match (one.compared, one.differs) {
        (false, _) => ("chip", "Not compared"),
        (true, true) => ("chip warn", "Differs"),
        (true, false) => ("chip good", "Agrees"),
    };
    view! {
        <tr>
            <th scope="row">{format!("{}. {}", at + 1, one.title)}</th>
            <td>{mine}</td>
            <td>{theirs}</td>
            <td>
                <span class=class>{text}</span>
            </td>
        </tr>
    }
}
