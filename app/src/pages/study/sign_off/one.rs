//! `/studies/{study}/sign-off/{number}`: one snapshot, its files, and what changed against another.

use domain::{annotation::shortest, refusal::Refusal, role::Action};
use leptos::prelude::*;
use service::{
    Result,
    export::ExportFile,
    snapshot,
    snapshot::{Change, Comparison, FieldChange, Label, SnapshotRow, SnapshotView},
};

use super::super::frame::{Open, StudyPage, Tab};
use super::manifest;
use crate::{
    components::{Empty, Kind, Notice, TableWrap, Time, Width},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// One snapshot.
#[component]
pub fn SnapshotPage() -> impl IntoView {
    visit(one)
}

async fn one(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::SignOff).await?;
    let study = open.study.id.clone();
    let number = |text: &str| text.parse::<i64>().map_err(|_| Refusal::NotFound);
    let this = number(&visit.param("number"))?;
    let shown = snapshot::get(&visit.app, &visit.actor, &study, this).await?;
    let others = snapshot::list(&visit.app, &visit.actor, &study).await?;
    let against = visit.query("against");
    let compared = match against.as_str() {
        "" => None,
        "now" => Some(snapshot::compare(&visit.app, &visit.actor, &study, this, None).await?),
        other => {
            let other = number(other)?;
            let (from, to) = (this.min(other), this.max(other));
            Some(snapshot::compare(&visit.app, &visit.actor, &study, from, Some(to)).await?)
        }
    };
    let head = head(&shown).into_any();
    let choose = choose(&shown.row, &others, &against).into_any();
    let changes = compared.map(|compared| changes(&compared).into_any());
    let files = open
        .may(Action::ExportRun)
        .then(|| files(&open, this).into_any());
    let rules = manifest::manifest(&shown.manifest).into_any();
    Ok(view! {
        <StudyPage open tab=Tab::SignOff below=format!("Snapshot {this}") width=Width::Wide>
            <h1>{format!("Snapshot {this}")}</h1>
            {head}
            {choose}
            {changes}
            {files}
            {rules}
        </StudyPage>
    })
}

fn head(shown: &SnapshotView) -> impl IntoView + use<> {
    let row = &shown.row;
    let (name, account, at) = (
        row.attested_as.clone(),
        row.signed_by.clone(),
        row.signed_at,
    );
    let statement = (!row.statement.is_empty())
        .then(|| view! { <blockquote>{row.statement.clone()}</blockquote> });
    let labels = words::count(row.labels, "label", "labels");
    let hash = row.named.content_hash.clone();
    let reopened = row.reopened.clone().map(|reopened| {
        view! {
            <Notice kind=Kind::Warn>
                <p>
                    "The study was opened again by " {reopened.by} ", " <Time at=reopened.at /> ": " {reopened.reason}
                </p>
            </Notice>
        }
    });
    view! {
        <p>
            {labels} ", signed off as " <b>{name}</b> " with the account of " {account} ", " <Time at /> "."
        </p>
        {statement}
        <p class="small">
            "SHA-256 of its content: " <code>{hash}</code>
        </p>
        {reopened}
    }
}

fn choose(this: &SnapshotRow, others: &[SnapshotRow], chosen: &str) -> impl IntoView + use<> {
    let option = |value: String, text: String| {
        let selected = value == chosen;
        view! {
            <option value=value selected=selected>
                {text}
            </option>
        }
    };
    let options = others
        .iter()
        .filter(|other| other.named.number != this.named.number)
        .map(|other| {
            let number = other.named.number;
            option(number.to_string(), format!("Snapshot {number}"))
        })
        .collect_view();
    let now = option("now".into(), "The study as it is now".into());
    view! {
        <form method="get" class="filters">
            <div class="field">
                <label for="against">"Compare with"</label>
                <select id="against" name="against">
                    {now}
                    {options}
                </select>
            </div>
            <button>"Compare"</button>
        </form>
    }
}

fn changes(compared: &Comparison) -> impl IntoView + use<> {
    let to = compared.to.as_ref().map_or_else(
        || "the study as it is now".to_owned(),
        |to| format!("snapshot {}", to.number),
    );
    let title = format!("From snapshot {} to {to}", compared.from.number);
    let rule = |change: &FieldChange| view! { <li>{format!("Changed rule: {}", field(&change.field))}</li> };
    let rules = compared.rules.iter().map(rule).collect_view();
    let sentence = format!(
        "{}, {} are the same.",
        words::count(
            compared.different.cast_signed(),
            "label differs",
            "labels differ"
        ),
        words::number(compared.same.cast_signed()),
    );
    let more = compared.different as usize - compared.changes.len();
    let more = (more > 0).then(|| {
        let text = format!("{} more are not listed.", words::number(more as i64));
        view! { <p class="soft">{text}</p> }
    });
    let table = if compared.changes.is_empty() {
        view! {
            <Empty title="No label differs">
                <p>"Everything has the same final value, and every rater the same judgement, in both."</p>
            </Empty>
        }
        .into_any()
    } else {
        table(&compared.changes).into_any()
    };
    view! {
        <h2>{title}</h2>
        <p>{sentence}</p>
        <ul>{rules}</ul>
        {table}
        {more}
    }
}

fn table(changes: &[Change]) -> impl IntoView + use<> {
    let row = |change: &Change| {
        let fields: Vec<&str> = change.fields.iter().map(|one| field(&one.field)).collect();
        let what = match change.kind {
            "added" => "New".to_owned(),
            "removed" => "Gone".to_owned(),
            _ => fields.join(", "),
        };
        view! {
            <tr>
                <th scope="row">
                    {change.item_key.clone()} <code class="below small">{change.unit.to_string()}</code>
                </th>
                <td>{says(change.before.as_ref())}</td>
                <td>{says(change.after.as_ref())}</td>
                <td>{what}</td>
            </tr>
        }
    };
    let rows = changes.iter().map(row).collect_view();
    view! {
        <TableWrap label="Labels that differ">
            <table>
                <caption class="unseen">"Labels that differ"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Tag"</th>
                        <th scope="col">"Before"</th>
                        <th scope="col">"After"</th>
                        <th scope="col">"What changed"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

/// A final value in a line.
fn says(label: Option<&Label>) -> String {
    let Some(label) = label else {
        return "not there".into();
    };
    let severity = label.final_severity.map(shortest);
    let validity = label.final_validity.map(words::validity);
    let parts = [
        validity.map(str::to_owned),
        severity,
        Some(manifest::outcome(&label.outcome).to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn field(name: &str) -> &str {
    match name {
        "final_severity" => "final severity",
        "final_validity" => "final validity",
        "final_category" | "final_subcategory" => "final category",
        "ratings" => "a rater’s judgement",
        "ruling_version" => "the ruling",
        "outcome" => "how it was settled",
        "standing" => "the retained set",
        "left_out" => "what is left out",
        "trace_sha256" => "the trace",
        "scheme" | "scheme_hash" | "scheme_versions" => "the coding manual",
        other => other,
    }
}

fn files(open: &Open, number: i64) -> impl IntoView + use<> {
    let export = Tab::Export.href(&open.study);
    let content = format!("{}/{number}/content.json", Tab::SignOff.href(&open.study));
    let file = move |file: ExportFile| {
        let name = file.name();
        view! {
            <li>
                <a href=format!("{export}/{name}?snapshot={number}") download=name>
                    {name}
                </a>
            </li>
        }
    };
    view! {
        <h2>"Its files"</h2>
        <p>
            "The tables as they were when it was signed. The content is the document whose SHA-256 stands above: compute it yourself to check."
        </p>
        <ul>
            {ExportFile::ALL.map(file).collect_view()}
            <li>
                <a href=content download=format!("snapshot-{number}.json")>
                    {format!("snapshot-{number}.json")}
                </a>
                ", the content"
            </li>
        </ul>
    }
}
