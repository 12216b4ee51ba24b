//! `/studies/{study}/corpus/examples`: items behind a number of the corpus.

use domain::id::JudgeId;
use leptos::prelude::*;
use service::{Result, corpus, corpus::ExampleRow};

use crate::{
    components::{Empty, TableWrap, Width},
    pages::study::frame::{StudyPage, Tab},
    pages::visit::{Visit, visit},
};

/// Items whose answer and reasoning say one thing or the other.
#[component]
pub fn ExamplesPage() -> impl IntoView {
    visit(page)
}

async fn page(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Items).await?;
    let (judge, model) = (JudgeId::new(visit.query("judge")), visit.query("model"));
    let [answer, reasoning] = ["answer", "reasoning"].map(|name| visit.query(name) == "stigma");
    let study = &open.study.id;
    let of = (&judge, model.as_str());
    let found = corpus::examples(&visit.app, &visit.actor, study, of, [answer, reasoning]).await?;
    let says = |stigma: bool| if stigma { "stigmatising" } else { "clean" };
    let heading = format!(
        "{}: {} answer, {} reasoning",
        corpus::chart::named(&model),
        says(answer),
        says(reasoning)
    );
    let items = Tab::Items.href(&open.study);
    let content = if found.is_empty() {
        view! {
            <Empty title="No such item">
                <p>"No item of this model says both."</p>
            </Empty>
        }
        .into_any()
    } else {
        table(&items, &found).into_any()
    };
    Ok(view! {
        <StudyPage open tab=Tab::Corpus below="Examples" width=Width::Wide>
            <h1>{heading}</h1>
            <p class="soft">"The first fifty, in the order of import. Reasoning as the judge sees it."</p>
            {content}
        </StudyPage>
    })
}

fn table(items: &str, found: &[ExampleRow]) -> impl IntoView + use<> {
    let row = |row: &ExampleRow| {
        let href = format!("{items}/{}", row.item);
        view! {
            <tr>
                <th scope="row">
                    <a href=href>{row.key.clone()}</a>
                </th>
                <td>{row.condition.clone()}</td>
                <td>{corpus::chart::mode_name(&row.mode)}</td>
                <td>{row.question.clone()}</td>
                <td>{row.answer.clone()}</td>
            </tr>
        }
    };
    let rows = found.iter().map(row).collect_view();
    view! {
        <TableWrap label="Examples">
            <table>
                <caption class="unseen">"Examples"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Item"</th>
                        <th scope="col">"Condition"</th>
                        <th scope="col">"Asked"</th>
                        <th scope="col">"Question"</th>
                        <th scope="col">"Answer"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}
