//! `/studies/{study}/items`: what is judged.

use leptos::prelude::*;
use service::{
    Result, item,
    item::{ItemFilter, ItemPage, ItemRow},
};

use super::frame::{StudyPage, Tab};
use crate::{
    components::{Empty, TableWrap, Width},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// How many items a page shows.
const LIMIT: u32 = 100;

/// The items of a study.
#[component]
pub fn ItemsPage() -> impl IntoView {
    visit(items)
}

async fn items(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Items).await?;
    let filter = ItemFilter {
        key: visit.query("key"),
        condition: visit.query("condition"),
        model: visit.query("model"),
    };
    let page = ItemPage {
        after: visit.query("after").parse().unwrap_or(0),
        limit: LIMIT,
    };
    let found = item::list(
        &visit.app,
        &visit.actor,
        &open.study.id,
        filter.clone(),
        page,
    )
    .await?;
    let base = Tab::Items.href(&open.study);
    let heading = words::count(found.total.cast_signed(), "item", "items");
    let next = found.next.map(|after| {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("key", &filter.key)
            .append_pair("condition", &filter.condition)
            .append_pair("model", &filter.model)
            .append_pair("after", &after.to_string())
            .finish();
        view! {
            <p>
                <a class="button" rel="next" href=format!("?{query}")>
                    "Next page"
                </a>
            </p>
        }
    });
    let none = open.study.counts.items == 0;
    let import = Tab::Import.href(&open.study);
    let list = if found.rows.is_empty() {
        empty(none, import).into_any()
    } else {
        table(&base, found.rows).into_any()
    };
    let filters = (!none).then(|| filters(&filter).into_any());
    Ok(view! {
        <StudyPage open tab=Tab::Items width=Width::Wide>
            <h1>"Items"</h1>
            <p class="soft">{heading}</p>
            {filters}
            {list}
            {next}
        </StudyPage>
    })
}

fn empty(none: bool, import: String) -> impl IntoView {
    if none {
        view! {
            <Empty title="Nothing to judge yet">
                <p>"Items come from a file of judged traces."</p>
                <p>
                    <a class="button primary" href=import>
                        "Import a file"
                    </a>
                </p>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <Empty title="No item fits">
                <p>"Change or empty the filters."</p>
            </Empty>
        }
        .into_any()
    }
}

fn filters(filter: &ItemFilter) -> impl IntoView + use<> {
    let fields = [
        ("key", "Key contains", filter.key.clone()),
        ("condition", "Condition", filter.condition.clone()),
        ("model", "Model", filter.model.clone()),
    ];
    let field = |(name, label, value): (&'static str, &'static str, String)| {
        let id = format!("items-{name}");
        view! {
            <div class="field">
                <label for=id.clone()>{label}</label>
                <input id=id name=name value=value />
            </div>
        }
    };
    view! {
        <form method="get" class="filters">
            {fields.map(field)} <button>"Show"</button>
        </form>
    }
}

fn table(base: &str, rows: Vec<ItemRow>) -> impl IntoView + use<> {
    let row = |row: ItemRow| {
        let warn = row
            .judge_failed
            .then(|| view! { <span class="chip warn">"Judge failed"</span> });
        let unanchored = (row.unanchored > 0).then(|| {
            let text = format!("{} without a place", row.unanchored);
            view! { <span class="chip warn">{text}</span> }
        });
        view! {
            <tr>
                <td class="number">{row.seq}</td>
                <th scope="row">
                    <a href=format!("{base}/{}", row.id)>{row.key}</a>
                </th>
                <td>{row.condition}</td>
                <td>{row.model}</td>
                <td class="number">{row.candidates}</td>
                <td>{warn} " " {unanchored}</td>
                <td class="number">{format!("{} of {}", row.done, row.assigned)}</td>
            </tr>
        }
    };
    let rows = rows.into_iter().map(row).collect_view();
    view! {
        <TableWrap label="Items">
            <table>
                <caption>"In the order of import. Raters see condition and model only where the settings allow it."</caption>
                <thead>
                    <tr>
                        <th scope="col" class="number">"No."</th>
                        <th scope="col">"Key"</th>
                        <th scope="col">"Condition"</th>
                        <th scope="col">"Model"</th>
                        <th scope="col" class="number">"Tags"</th>
                        <th scope="col">"To note"</th>
                        <th scope="col" class="number">"Raters done"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}
