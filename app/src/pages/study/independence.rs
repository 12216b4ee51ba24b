//! `/studies/{study}/audit/independence`: when each rater opened, saved and submitted, and what they were shown when.

use domain::independence::Finding;
use leptos::prelude::*;
use service::{
    Result,
    independence::{self, ItemRecord, RaterRecord},
};

use super::frame::{StudyPage, Tab};
use crate::{
    components::{Kind, Notice, TableWrap, Time, Width},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// The independence report.
#[component]
pub fn IndependencePage() -> impl IntoView {
    visit(report)
}

async fn report(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Audit).await?;
    let after = visit.query("after").parse().unwrap_or(0);
    let found = independence::report(&visit.app, &visit.actor, &open.study.id, after).await?;
    let chain = if found.chain_whole {
        view! {
            <Notice kind=Kind::Good>
                <p>"The audit log is whole: the times below are those it recorded."</p>
            </Notice>
        }
    } else {
        view! {
            <Notice kind=Kind::Bad>
                <p>"The audit log was changed outside of Consilium: its times cannot be believed."</p>
            </Notice>
        }
    };
    let counts = found.findings.iter().filter(|(_, count)| *count > 0);
    let counts = counts
        .map(|(finding, count)| {
            let (text, class) = says(*finding);
            view! { <li><span class=class>{words::number(count.cast_signed())}</span> " " {text}</li> }
        })
        .collect_view();
    let rows: Vec<AnyView> = found.items.iter().map(|one| item(one).into_any()).collect();
    let csv = format!("{}/independence.csv", Tab::Audit.href(&open.study));
    let next = found.next.map(|next| {
        view! {
            <p>
                <a class="button" href=format!("?after={next}")>
                    "More items"
                </a>
            </p>
        }
    });
    Ok(view! {
        <StudyPage open tab=Tab::Audit below="Independence" width=Width::Wide>
            <h1>"Independence"</h1>
            <p>
                "A rater is shown another’s judgement of an item in three places only: calibration feedback, cross-checks and discussions. "
                "Each is closed until every judgement of the item is in, by the query itself, and notes when it was first opened. "
                "What a desk sends before that holds nothing of anybody else."
            </p>
            {chain}
            <ul>{counts}</ul>
            <p>
                <a class="button" href=csv download>
                    "Download as CSV"
                </a>
            </p>
            <TableWrap label="How each item was judged">
                <table>
                    <caption>"First opening, save and submission of each rater, and when they were first shown another’s judgement."</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Item"</th>
                            <th scope="col">"Rater"</th>
                            <th scope="col">"Opened"</th>
                            <th scope="col">"Saved"</th>
                            <th scope="col">"Submitted"</th>
                            <th scope="col">"Changed"</th>
                            <th scope="col">"Shown another’s"</th>
                        </tr>
                    </thead>
                    {rows}
                </table>
            </TableWrap>
            {next}
        </StudyPage>
    })
}

fn says(finding: Finding) -> (&'static str, &'static str) {
    match finding {
        Finding::SeenBefore => (
            "with a judgement shown before all were in: this must not be",
            "chip bad",
        ),
        Finding::Unlogged => ("where log and tables differ", "chip bad"),
        Finding::ChangedAfter => ("changed after another’s judgement was shown", "chip warn"),
        Finding::Waiting => ("waiting for a rater", "chip"),
        Finding::Imported => ("judged elsewhere and imported", "chip"),
        Finding::Independent => ("judged independently", "chip good"),
    }
}

fn item(one: &ItemRecord) -> impl IntoView + use<> {
    let count = one.raters.len().max(1);
    let (text, class) = says(one.finding);
    let key = one.item_key.clone();
    let head = move || {
        view! {
            <th scope="rowgroup" rowspan=count>
                {key.clone()}
                <span class="below">
                    <span class=class>{text}</span>
                </span>
            </th>
        }
    };
    let rows: Vec<AnyView> = one
        .raters
        .iter()
        .enumerate()
        .map(|(at, rater)| {
            let first = (at == 0).then(&head);
            view! { <tr>{first} {cells(rater)}</tr> }.into_any()
        })
        .collect();
    view! { <tbody>{rows}</tbody> }
}

fn cells(rater: &RaterRecord) -> impl IntoView + use<> {
    let time = |at: Option<i64>| view! { <td>{at.map(|at| view! { <Time at /> })}</td> };
    let place = match rater.shown_in.as_str() {
        "" => "",
        "calibration" => "in calibration feedback",
        "cross_check" => "in a cross-check",
        _ => "in a discussion",
    };
    let name = if rater.imported {
        format!("{} (imported)", rater.letter)
    } else {
        rater.letter.clone()
    };
    view! {
        <td>{name}</td>
        {time(rater.opened)}
        {time(rater.saved)}
        {time(rater.submitted)}
        {time(rater.changed)}
        <td>
            {rater.shown.map(|at| view! { <Time at /> })}
            " "
            {place}
        </td>
    }
}
