//! `/studies/{study}/export`: the study's tables, to take along.

use crate::pages::words;
use domain::role::Action;
use leptos::prelude::*;
use service::{Result, export::ExportFile, snapshot};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    components::{Kind, Notice, TableWrap, Width},
    pages::visit::{Visit, visit},
};

/// Files to download.
#[component]
pub fn ExportPage() -> impl IntoView {
    visit(export)
}

async fn export(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Export).await?;
    let bom = !visit.query("bom").is_empty();
    let named = named(&visit, &open).await?.map(IntoAny::into_any);
    let waiting = waiting(&open).map(IntoAny::into_any);
    let options = options(bom).into_any();
    let files = files(&open, bom).into_any();
    Ok(view! {
        <StudyPage open tab=Tab::Export width=Width::Wide>
            <h1>"Export"</h1>
            <p>
                "These files are written fresh each time and byte for byte the same as long as nothing in the study changes. "
                "Raters stand under their sign-in names; in files that a reader takes they are called rater_1, rater_2 and so on. What raters said of an item leaves only when all of its raters have submitted."
            </p>
            {waiting}
            {named}
            {options}
            {files}
        </StudyPage>
    })
}

/// Says what a table taken now would not yet hold.
fn waiting(open: &Open) -> Option<impl IntoView + use<>> {
    let counts = open.study.counts;
    let judged = counts.assignments - counts.submitted;
    let settled = counts.disputed + counts.stale;
    let waits = words::count(judged, "assigned judgement is", "assigned judgements are");
    let differs = words::count(settled, "disagreement is", "disagreements are");
    let sentence = match (judged > 0, settled > 0) {
        (false, false) => return None,
        (true, false) => format!("{waits} not submitted yet."),
        (false, true) => {
            format!("{differs} not settled; what is not settled has no final value.")
        }
        (true, true) => format!(
            "{waits} not submitted yet, and {differs} not settled; what is not settled has no final value."
        ),
    };
    Some(view! {
        <Notice kind=Kind::Warn>
            <p>{sentence}</p>
        </Notice>
    })
}

/// Says which snapshot the tables are part of.
async fn named(visit: &Visit, open: &Open) -> Result<Option<impl IntoView + use<>>> {
    if !open.may(Action::SnapshotRead) {
        return Ok(None);
    }
    let rows = snapshot::list(&visit.app, &visit.actor, &open.study.id).await?;
    let href = Tab::SignOff.href(&open.study);
    let sentence = match rows.iter().find(|row| row.in_force) {
        Some(row) => format!(
            "These tables are snapshot {}, signed off by {}.",
            row.named.number, row.attested_as
        ),
        None => {
            "The study is open: these tables are no snapshot, and say so in their data dictionary."
                .to_owned()
        }
    };
    Ok(Some(view! {
        <p>{sentence} " " <a href=href>"Sign-off and snapshots"</a></p>
    }))
}

fn options(bom: bool) -> impl IntoView {
    view! {
        <form method="get" class="filters">
            <label class="check">
                <input type="checkbox" name="bom" value="yes" checked=bom />
                "For Excel: mark the files as UTF-8"
            </label>
            <button>"Use"</button>
        </form>
    }
}

fn files(open: &Open, bom: bool) -> impl IntoView + use<> {
    let base = Tab::Export.href(&open.study);
    let query = if bom { "?bom=yes" } else { "" };
    let row = move |file: ExportFile| {
        let (name, href) = (file.name(), format!("{base}/{}{query}", file.name()));
        view! {
            <tr>
                <th scope="row">
                    <a href=href download=name>
                        {name}
                    </a>
                </th>
                <td>{file.describe()}</td>
            </tr>
        }
    };
    let rows = ExportFile::ALL.map(row).collect_view();
    view! {
        <TableWrap label="Files">
            <table>
                <caption>
                    "CSV after RFC 4180, UTF-8. A cell that a spreadsheet would run as a formula begins with an apostrophe; the data dictionary says how to take it off again."
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"File"</th>
                        <th scope="col">"What it holds"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
        <p class="soft small">
            "By script: make an API token under your account and fetch these files with it, or run “consilium export” on the server."
        </p>
    }
}
