//! `/studies/{study}/import`: a file in, and what became of it.

use domain::refusal::Refusal;
use http::{HeaderName, HeaderValue};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use service::{
    Result,
    import::{self, CodeRow, ImportReport, Progress as Bytes},
};
use std::sync::Arc;

use super::frame::{Open, StudyPage, Tab};
use crate::{
    components::{Form, Kind, Notice, TableWrap, Time, Width},
    context::imports::{Import, State},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// How often the page of a running import asks again, in seconds.
const AGAIN: HeaderValue = HeaderValue::from_static("1");

/// Import judged traces.
#[component]
pub fn ImportPage() -> impl IntoView {
    visit(import)
}

async fn import(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Import).await?;
    let asked = visit.query("import");
    let found = visit
        .imports()
        .and_then(|imports| imports.find(&asked, &open.study.id, &visit.actor.user));
    let gone = (!asked.is_empty() && found.is_none()).then(gone);
    let running = found
        .as_ref()
        .is_some_and(|import| matches!(import.state(), State::Running(_)));
    if running && let Some(response) = use_context::<ResponseOptions>() {
        response.insert_header(HeaderName::from_static("refresh"), AGAIN);
    }
    let outcome = found.map(|import| outcome(&open, &import).into_any());
    let codes = import::codes(&visit.app, &visit.actor, &open.study.id).await?;
    let codes = (!running && !codes.is_empty()).then(|| kept_codes(&codes).into_any());
    let form = (!running).then(|| upload(&visit.form_to(&action(&open)), &open).into_any());
    let folder = (!running).then(|| folder(&open).into_any());
    Ok(view! {
        <StudyPage open tab=Tab::Import width=Width::Wide>
            {visit.said()}
            <h1>"Import"</h1>
            {gone}
            {outcome}
            {form}
            {folder}
            {codes}
        </StudyPage>
    })
}

fn action(open: &Open) -> String {
    format!("/studies/{}/import", open.study.id)
}

fn gone() -> impl IntoView {
    view! {
        <Notice kind=Kind::Info>
            <p>
                "The report of that import is no longer here: reports are kept in memory by the server process that ran the import. "
                "What was imported stands on the overview."
            </p>
        </Notice>
    }
}

fn upload(form: &Form, open: &Open) -> impl IntoView + use<> {
    let action = action(open);
    let id = form.id("");
    view! {
        <form method="post" action=action enctype="multipart/form-data" id=id class="card fit">
            <h2>"Choose a file"</h2>
            <p class="soft">
                "A file is checked whole before anything is written. If one thing is wrong with it, nothing is kept and "
                "you get the list of all problems with line and column. The same file can be sent again: what is there "
                "already is recognised and left alone."
            </p>
            <div class="field">
                <label for="import-file">"File"</label>
                <p class="hint" id="import-file-hint">
                    "Judged traces as JSON lines (our own format or tagged traces), a table of tags with two people’s ratings or a table of "
                    "ratings item by item as CSV, runs of MindEval, annotations from Argilla, Label Studio, Potato or INCEpTION, "
                    "or final values that were settled elsewhere, which become your rulings. "
                    "The format is recognised by the content. UTF-8 only. Whole folders of JSON lines go as a zip archive, or below."
                </p>
                <input
                    id="import-file"
                    type="file"
                    name="file"
                    required
                    accept=".jsonl,.ndjson,.json,.csv,.tsv,.zip,text/csv,application/json,application/zip"
                    aria-describedby="import-file-hint"
                />
            </div>
            <label class="check">
                <input type="checkbox" name="dry_run" value="on" />
                "Only check, write nothing"
            </label>
            <details>
                <summary>"Raters in the file"</summary>
                <div class="field">
                    <label for="import-raters">"Take only the ratings of these raters"</label>
                    <p class="hint" id="import-raters-hint">
                        "For a table that already holds people’s ratings. Names as in the column heads, separated by commas. "
                        "Left empty, the complete raters are taken and partial ones are left out."
                    </p>
                    <input id="import-raters" name="raters" aria-describedby="import-raters-hint" />
                </div>
                <div class="field">
                    <label for="import-judges">"These are judges"</label>
                    <p class="hint" id="import-judges-hint">
                        "For a table of ratings: the names of language models among its raters, separated by commas. "
                        "Left empty, names such as gpt-4o or judge-a are taken for judges."
                    </p>
                    <input id="import-judges" name="judges" aria-describedby="import-judges-hint" />
                </div>
                <div class="field">
                    <label for="import-zeros">"A 0 below the scale"</label>
                    <p class="hint" id="import-zeros-hint">
                        "Argilla’s files have zeros where the scale begins at 1."
                    </p>
                    <select id="import-zeros" name="zeros" aria-describedby="import-zeros-hint">
                        <option value="missing">"says that nothing was given"</option>
                        <option value="keep">"is a value"</option>
                        <option value="report">"is a problem: list every one, write nothing"</option>
                    </select>
                </div>
            </details>
            <details>
                <summary>"Codes of other taxonomies"</summary>
                <div class="field">
                    <label for="import-remap">"Take these codes as"</label>
                    <p class="hint" id="import-remap-hint">
                        "One a line: the code of the file, an equals sign, the code of the scheme. Codes not named here are taken as in "
                        "earlier imports, and otherwise as the scheme’s own table says."
                    </p>
                    <textarea id="import-remap" name="remap" rows="3" aria-describedby="import-remap-hint"></textarea>
                </div>
                <label class="check">
                    <input type="checkbox" name="follow_scheme" value="on" />
                    "Follow the scheme’s table where earlier imports took a code elsewhere"
                </label>
            </details>
            <details>
                <summary>"Final values over rulings"</summary>
                <p class="soft">
                    "A final value that differs from a ruling is refused and listed. Nobody brings rulings on items they were given to rate."
                </p>
                <label class="check">
                    <input type="checkbox" name="replace" value="on" />
                    "Put the file’s values on top: the rulings that are there stay as earlier versions"
                </label>
            </details>
            <button class="button primary">"Import"</button>
        </form>
    }
}

/// Where imports took the codes of other taxonomies.
fn kept_codes(codes: &[CodeRow]) -> impl IntoView + use<> {
    let row = |row: &CodeRow| {
        let by = if row.stated {
            "said at the import of"
        } else {
            "the scheme’s table, at the import of"
        };
        let differs = row
            .scheme_says
            .as_ref()
            .map(|code| format!("; the scheme’s table now says {code}"));
        view! {
            <tr>
                <th scope="row">{row.code.clone()}</th>
                <td>{row.name.clone()}</td>
                <td>{row.to.clone()} " " {row.to_name.clone()}</td>
                <td>
                    {by} " " {row.file_name.clone()} " on " <Time at=row.at /> {differs}
                </td>
            </tr>
        }
    };
    let rows = codes.iter().map(row).collect_view();
    view! {
        <h2>"Codes of other taxonomies"</h2>
        <TableWrap label="Codes of other taxonomies">
            <table>
                <caption>"How this study took codes that are not the scheme’s own. The next import does the same."</caption>
                <thead>
                    <tr>
                        <th scope="col">"In files"</th>
                        <th scope="col">"Name beside it"</th>
                        <th scope="col">"Taken as"</th>
                        <th scope="col">"Since"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

/// A field for a folder; where a browser cannot choose one, it takes several files.
const FOLDER: &str = "<input id=\"import-folder\" type=\"file\" name=\"file\" webkitdirectory multiple required \
aria-describedby=\"import-folder-hint\">";

fn folder(open: &Open) -> impl IntoView + use<> {
    let action = action(open);
    view! {
        <form method="post" action=action enctype="multipart/form-data" class="card fit">
            <h2>"Or a whole folder"</h2>
            <div class="field">
                <label for="import-folder">"Folder of results"</label>
                <p class="hint" id="import-folder-hint">
                    "A run of MindEval, or several, is taken as it is; of any other folder every .jsonl file in it and below, all or none. Names of folders such as "
                    <code>"model=NAME&setting=VALUE"</code> " or " <code>"NAME_MODE_Tagged"</code>
                    " say which model wrote the traces and how it was asked, where the records do not."
                </p>
                <div inner_html=FOLDER></div>
            </div>
            <label class="check">
                <input type="checkbox" name="dry_run" value="on" />
                "Only check, write nothing"
            </label>
            <button class="button primary">"Import the folder"</button>
        </form>
    }
}

fn outcome(open: &Open, import: &Arc<Import>) -> impl IntoView + use<> {
    match import.state() {
        State::Running(progress) => running(import, progress).into_any(),
        State::Finished(report) => finished(open, import, &report).into_any(),
        State::Refused(refusal) => refused(refusal).into_any(),
    }
}

fn running(import: &Import, progress: Bytes) -> impl IntoView + use<> {
    let percent = (progress.bytes * 100)
        .checked_div(progress.total)
        .unwrap_or(0);
    let pass = if percent < 50 { "checking" } else { "writing" };
    view! {
        <section class="card" aria-live="polite">
            <h2>{format!("Importing {}", import.file_name)}</h2>
            <p>
                <progress max="100" value=percent aria-label="Progress of the import"></progress>
                {format!(" {percent} %, {pass}")}
            </p>
            <p class="soft">
                "This page follows by itself. You can leave it: the import goes on, and the overview lists it when it is done."
            </p>
        </section>
    }
}

fn refused(refusal: Refusal) -> impl IntoView {
    view! {
        <Notice kind=Kind::Bad>
            <h2>"Nothing was imported"</h2>
            <p>{refusal.message()}</p>
        </Notice>
    }
}

fn finished(open: &Open, import: &Import, report: &ImportReport) -> impl IntoView + use<> {
    if report.problems.is_empty() {
        return success(open, import, report).into_any();
    }
    let shown = report.problems.len() as u64;
    let count = words::count(
        (shown + report.more_problems).cast_signed(),
        "problem",
        "problems",
    );
    let more = (report.more_problems > 0).then(|| {
        format!(
            "The first {shown} are listed. Put them right and send the file again to see the rest."
        )
    });
    let title = format!("{} has {count}. Nothing was written.", import.file_name);
    let recognised = recognised(report);
    view! {
        <Notice kind=Kind::Bad>
            <h2>{title}</h2>
            <p>{recognised}</p>
            <p>{more}</p>
        </Notice>
        {problems(report)}
    }
    .into_any()
}

fn recognised(report: &ImportReport) -> String {
    if report.format.is_empty() {
        "The format was not recognised.".into()
    } else {
        format!("Read as {}.", report.format)
    }
}

fn success(open: &Open, import: &Import, report: &ImportReport) -> impl IntoView + use<> {
    let new = report.new;
    let nothing = new.is_nothing();
    let title = match (import.dry_run, nothing) {
        (true, _) => format!("{} can be imported", import.file_name),
        (false, true) => format!("{} holds nothing new", import.file_name),
        (false, false) => format!("{} is imported", import.file_name),
    };
    let verb = if import.dry_run {
        "would be new"
    } else {
        "new"
    };
    // Files bring either things to judge or final values, so that one of the two would always be four noughts.
    let brought = if new.rulings > 0 {
        words::count(new.rulings.cast_signed(), "ruling", "rulings")
    } else {
        format!(
            "{}, {} and {}",
            words::count(new.items.cast_signed(), "item", "items"),
            words::count(new.candidates.cast_signed(), "tag", "tags"),
            words::count(new.ratings.cast_signed(), "rating", "ratings"),
        )
    };
    let already = words::number(report.identical.cast_signed());
    let sentence = format!("{brought} {verb}; {already} were there already.");
    let further = new.further();
    let further = (!further.is_empty()).then(|| {
        let line = format!("Beside these {verb}: {}.", further.join(", "));
        view! { <p>{line}</p> }
    });
    let answers = (new.answers > 0).then(|| {
        let counted = words::count(new.answers.cast_signed(), "answer", "answers");
        format!("{counted} without reasoning {verb}: counted in the corpus, with nothing to tag.")
    });
    let answers = answers.map(|text| view! { <p>{text}</p> });
    let href = Tab::Overview.href(&open.study);
    let next = (!import.dry_run && !nothing).then(|| {
        view! {
            <p>
                <a href=href>"To the next step"</a>
            </p>
        }
    });
    let notices = report.notices.iter().map(|notice| {
        let line = notice.line.map(|line| format!("Line {line}: "));
        view! { <li>{line} {notice.subject.clone()} ": " {notice.reason.clone()}</li> }
    });
    let notices = (!report.notices.is_empty()).then(|| {
        let list = notices.collect_view();
        view! {
            <Notice kind=Kind::Warn>
                <h2>"Left out, or to know"</h2>
                <ul>{list}</ul>
            </Notice>
        }
    });
    let recognised = recognised(report);
    view! {
        <Notice kind=Kind::Good>
            <h2>{title}</h2>
            <p>{sentence}</p>
            {further}
            {answers}
            <p class="small">{recognised}</p>
            {next}
        </Notice>
        {notices}
    }
}

fn problems(report: &ImportReport) -> impl IntoView + use<> {
    let row = |problem: &import::Problem| {
        let column = problem.column.as_ref().map(|column| format!(":{column}"));
        view! {
            <tr>
                <th scope="row" class="number">
                    {problem.line}
                    {column}
                </th>
                <td>
                    <code>{problem.field.clone()}</code>
                </td>
                <td>{problem.found.clone()}</td>
                <td>{problem.expected.clone()}</td>
            </tr>
        }
    };
    let rows = report.problems.iter().map(row).collect_view();
    view! {
        <TableWrap label="Problems of the file">
            <table>
                <caption>
                    "Lines count from 1 as an editor shows them. The column of a table is a spreadsheet’s letter."
                </caption>
                <thead>
                    <tr>
                        <th scope="col" class="number">"Line:column"</th>
                        <th scope="col">"Field"</th>
                        <th scope="col">"Found"</th>
                        <th scope="col">"Expected"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}
