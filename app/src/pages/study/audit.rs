//! `/studies/{study}/audit`: who did what, and whether the record is whole.

use domain::role::Action;
use leptos::prelude::*;
use service::{
    Result, audit,
    audit::{AuditFilter, AuditRow},
};

use super::frame::{StudyPage, Tab};
use crate::{
    components::{Empty, Kind, Notice, TableWrap, Time, Width},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// How many entries a page shows.
const PAGE: i64 = 100;

/// The audit log of a study.
#[component]
pub fn AuditPage() -> impl IntoView {
    visit(log)
}

async fn log(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Audit).await?;
    let study = open.study.id.clone();
    let filter = AuditFilter {
        action: visit.query("action"),
        actor: visit.query("actor"),
        subject: visit.query("subject"),
    };
    let before = visit.query("before").parse().unwrap_or(i64::MAX);
    let rows = audit::page(&visit.app, &visit.actor, &study, &filter, before, PAGE).await?;
    let people = audit::actors(&visit.app, &visit.actor, &study).await?;
    let independence = format!("{}/independence", Tab::Audit.href(&open.study));
    let chain = audit::verify(&visit.app, &visit.actor, &study).await?;
    let older = (rows.len() as i64 == PAGE)
        .then(|| rows.last().map(|row| row.seq))
        .flatten();
    let older = older.map(|seq| {
        let filter = form_urlencoded::Serializer::new(String::new())
            .append_pair("action", &filter.action)
            .append_pair("actor", &filter.actor)
            .append_pair("before", &seq.to_string())
            .finish();
        view! {
            <p>
                <a class="button" href=format!("?{filter}")>
                    "Older entries"
                </a>
            </p>
        }
    });
    Ok(view! {
        <StudyPage open tab=Tab::Audit width=Width::Wide>
            <h1>"Audit"</h1>
            <p>
                "Every change leaves one entry. Each entry carries the fingerprint of the one before, so an entry that was "
                "altered or removed later is noticed. No clinical text is kept here."
            </p>
            <p>
                <a href=independence>"Independence report: who opened, saved and submitted when"</a>
            </p>
            {whole(chain)}
            {filters(&filter, people)}
            {table(rows)}
            {older}
        </StudyPage>
    })
}

fn whole(chain: std::result::Result<i64, audit::BrokenAt>) -> impl IntoView {
    match chain {
        Ok(entries) => view! {
            <Notice kind=Kind::Good>
                <p>{format!("The chain is whole: {} checked just now.", words::count(entries, "entry", "entries"))}</p>
            </Notice>
        }
        .into_any(),
        Err(broken) => view! {
            <Notice kind=Kind::Bad>
                <h2>"The chain is broken"</h2>
                <p>
                    {format!(
                        "Entry {} does not carry the fingerprint of the entry before it. Something was changed outside of Consilium; tell your administrator.",
                        broken.seq,
                    )}
                </p>
            </Notice>
        }
        .into_any(),
    }
}

fn filters(filter: &AuditFilter, people: Vec<(String, String)>) -> impl IntoView + use<> {
    let chosen = filter.action.clone();
    let option = |action: &Action| {
        let word = action.as_str();
        let selected = chosen == word;
        view! {
            <option value=word selected=selected>
                {name_of(*action)}
            </option>
        }
    };
    let by = filter.actor.clone();
    let person = |(id, name): (String, String)| {
        let selected = id == by;
        view! {
            <option value=id selected=selected>
                {name}
            </option>
        }
    };
    view! {
        <form method="get" class="filters">
            <div class="field">
                <label for="audit-action">"What"</label>
                <select id="audit-action" name="action">
                    <option value="">"Everything"</option>
                    {Action::ALL.iter().filter(|action| leaves_entries(**action)).map(option).collect_view()}
                </select>
            </div>
            <div class="field">
                <label for="audit-actor">"By"</label>
                <select id="audit-actor" name="actor">
                    <option value="">"Anybody"</option>
                    {people.into_iter().map(person).collect_view()}
                </select>
            </div>
            <button>"Show"</button>
        </form>
    }
}

/// Whether an action changes something; reading leaves no entry.
fn leaves_entries(action: Action) -> bool {
    !action.as_str().ends_with(".read")
        && action != Action::StudyList
        && action != Action::OwnAccount
}

/// What an entry's word names, as people read it.
fn says(word: &str) -> &'static str {
    let within = |action: &&Action| {
        let rest = word.strip_prefix(action.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    // A word that no action has is one of a version to come.
    Action::ALL
        .iter()
        .find(within)
        .map_or("Other", |action| name_of(*action))
}

fn name_of(action: Action) -> &'static str {
    match action {
        Action::StudyCreate => "Study made",
        Action::StudyManage => "Settings and state",
        Action::MemberManage => "Members and invitations",
        Action::ImportRun => "Imports",
        Action::BatchManage => "Batches and assignments",
        Action::Annotate => "Judgements",
        Action::Rule => "Rulings",
        Action::Review => "Cross-checks and feedback",
        Action::Discuss => "Messages in discussions",
        Action::Accept => "Proposals accepted",
        Action::DiscussionManage => "Discussions opened and closed",
        Action::Triage => "Comments answered, units taken out",
        Action::JudgeManage => "Judges and terms of release",
        Action::SignOff => "Sign-offs",
        Action::ExportRun => "Exports",
        Action::UserManage => "Accounts",
        Action::OwnAccount => "Own account",
        Action::StudyList
        | Action::StudyRead
        | Action::ItemRead
        | Action::ProgressRead
        | Action::DisagreementRead
        | Action::AgreementRead
        | Action::JudgeRead
        | Action::SnapshotRead
        | Action::AuditRead => "Reading",
    }
}

fn table(rows: Vec<AuditRow>) -> impl IntoView {
    if rows.is_empty() {
        return view! {
            <Empty title="No entry">
                <p>"Nothing was recorded that fits these filters."</p>
            </Empty>
        }
        .into_any();
    }
    let row = |row: AuditRow| {
        let details = if row.details == "{}" {
            String::new()
        } else {
            row.details
        };
        view! {
            <tr>
                <td class="number">{row.seq}</td>
                <td>
                    <Time at=row.at />
                </td>
                <td>{row.actor_name}</td>
                <th scope="row">
                    {says(&row.action)} " " <code class="small">{row.action.clone()}</code>
                </th>
                <td>
                    <code class="small">{row.subject}</code>
                </td>
                <td>
                    <code class="small">{details}</code>
                </td>
            </tr>
        }
    };
    view! {
        <TableWrap label="Audit log">
            <table>
                <caption>"Newest first."</caption>
                <thead>
                    <tr>
                        <th scope="col" class="number">"No."</th>
                        <th scope="col">"When"</th>
                        <th scope="col">"Who"</th>
                        <th scope="col">"What"</th>
                        <th scope="col">"To which"</th>
                        <th scope="col">"Details"</th>
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        </TableWrap>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::{Action, leaves_entries, name_of, says};

    #[test]
    fn every_entry_has_a_name_of_its_own() {
        let actions = Action::ALL.iter().filter(|action| leaves_entries(**action));
        let mut names: Vec<_> = actions.map(|action| name_of(*action)).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(!names.contains(&"Reading"));
        assert_eq!(says("discussion.write.post"), "Messages in discussions");
        assert_eq!(
            says("triage.write.done"),
            "Comments answered, units taken out"
        );
        assert_eq!(says("judge.manage"), "Judges and terms of release");
        assert_eq!(says("discussion.writes"), "Other");
    }
}
