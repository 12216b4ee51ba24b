//! `/studies/{study}/scheme/versions` and `/edit`: how the coding manual grew, and its next version.

use domain::{
    id::UnitId,
    role::Action,
    scheme::{Scheme, diff::Difference},
};
use leptos::prelude::*;
use service::{Result, manual, manual::VersionRow, study, unit};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    actions::manual::{EditManual, ReviseManual},
    components::{AreaField, Form, Hidden, PostForm, SelectField, TextField, Time, Width},
    pages::{
        study::reconcile::codes,
        visit::{Visit, visit},
        words,
    },
};

/// The versions of the manual and what changed between them.
#[component]
pub fn VersionsPage() -> impl IntoView {
    visit(versions)
}

async fn versions(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Scheme).await?;
    let study = &open.study.id;
    let versions = manual::versions(&visit.app, &visit.actor, study).await?;
    let mut rows = Vec::with_capacity(versions.len());
    for version in &versions {
        let changes = if version.version > 1 {
            let from = version.version - 1;
            manual::changes(&visit.app, &visit.actor, study, from, version.version).await?
        } else {
            Vec::new()
        };
        rows.push(version_card(&open, version, &changes).into_any());
    }
    let edit = open.may(Action::StudyManage).then(|| {
        let href = format!("{}/edit", Tab::Scheme.href(&open.study));
        view! {
            <a class="button" href=href>
                "Make the next version"
            </a>
        }
    });
    Ok(view! {
        <StudyPage open tab=Tab::Scheme below="Versions" width=Width::Wide>
            {visit.said()}
            <div class="page-head">
                <h1>"Versions of the coding manual"</h1>
                {edit}
            </div>
            <p>
                "A version is never changed. Rulings turn stale only where their category came to mean something else; judgements keep the version they were made under."
            </p>
            {rows}
        </StudyPage>
    })
}

fn version_card(
    open: &Open,
    version: &VersionRow,
    changes: &[Difference],
) -> impl IntoView + use<> {
    let counts = version.version == open.study.scheme_version;
    let current = counts.then(|| view! { <span class="chip good">"Counts now"</span> });
    let by = if version.by.is_empty() {
        "the operator".to_owned()
    } else {
        version.by.clone()
    };
    let note = if version.version == 1 && version.note.is_empty() {
        "The version the study began with.".to_owned()
    } else {
        version.note.clone()
    };
    let made = (version.annotations > 0).then(|| {
        let count = words::count(
            version.annotations,
            "judgement that counts was made under it",
            "judgements that count were made under it",
        );
        view! { <p class="soft small">{count}</p> }
    });
    let units = version.units.iter().map(|unit| {
        let href = format!("{}/{unit}#discussion", Tab::Disagreements.href(&open.study));
        view! { <li><a href=href>"A tag it grew from"</a></li> }
    });
    let units = (!version.units.is_empty()).then(|| view! { <ul>{units.collect_view()}</ul> });
    let read = format!(
        "{}?version={}",
        Tab::Scheme.href(&open.study),
        version.version
    );
    view! {
        <article class="card stack">
            <div class="card-head">
                <h2>{format!("Version {}", version.version)}</h2>
                {current}
                <span class="push soft small">
                    {by} ", " <Time at=version.at />
                </span>
            </div>
            <p>{note}</p>
            {units}
            {made}
            {changes.iter().map(|change| difference(change).into_any()).collect_view()}
            <p>
                <a href=read>"Read this version"</a>
            </p>
        </article>
    }
}

fn difference(change: &Difference) -> impl IntoView + use<> {
    let part = match change.part {
        "name" => "Name",
        "definition" => "Definition",
        "include" => "Belongs here",
        "exclude" => "Does not belong here",
        "examples" => "Examples",
        "note" => "Remark",
        "level" => "Level",
        "rule" => "Rules",
        "introduction" => "Introduction",
        _ => "The whole entry",
    };
    let head = format!("{} {} · {part}", change.code, change.name);
    let before = (!change.before.is_empty()).then(|| {
        view! {
            <p class="pre">
                <del>{change.before.clone()}</del>
            </p>
        }
    });
    let after = (!change.after.is_empty()).then(|| {
        view! {
            <p class="pre">
                <ins>{change.after.clone()}</ins>
            </p>
        }
    });
    view! {
        <section class="change">
            <h3 class="small">{head}</h3>
            {before}
            {after}
        </section>
    }
}

/// Making the next version.
#[component]
pub fn EditManualPage() -> impl IntoView {
    visit(edit)
}

async fn edit(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Scheme).await?;
    if !open.may(Action::StudyManage) {
        return Err(domain::refusal::Refusal::Forbidden.into());
    }
    let text = study::scheme_text(&visit.app, &visit.actor, &open.study.id).await?;
    let scheme = open.study.scheme.clone();
    let code = visit.query("code");
    let example = if visit.query("example").is_empty() {
        None
    } else {
        let words = words_of(&visit, &open).await?;
        Some(example(&visit, &open, &scheme, words).into_any())
    };
    let one = if code.is_empty() {
        None
    } else {
        reword(&visit, &open, &scheme, &code).map(IntoAny::into_any)
    };
    let whole = whole(&visit, &open, text).into_any();
    let choices: Vec<(String, String)> = codes(&scheme)
        .into_iter()
        .filter(|(code, _)| !code.is_empty())
        .chain(scheme.severity.iter().flat_map(|scale| {
            scale.levels.iter().map(|level| {
                let value = domain::annotation::shortest(level.value);
                (
                    format!("level {value}"),
                    format!("Level {value} · {}", level.name),
                )
            })
        }))
        .collect();
    let option = move |(value, label): (String, String)| {
        let selected = value == code;
        view! {
            <option value=value selected=selected>
                {label}
            </option>
        }
    };
    Ok(view! {
        <StudyPage open=open.clone() tab=Tab::Scheme below="Next version" width=Width::Wide>
            {visit.said()}
            <h1>"The next version of the coding manual"</h1>
            <p>
                "Reword or add; nothing that judgements were made with can be taken away. Say in the note why, so that raters can see what they judged under."
            </p>
            {example}
            <form method="get" class="filters">
                <div class="field">
                    <label for="m-code">"What to reword"</label>
                    <select id="m-code" name="code">
                        {choices.into_iter().map(option).collect_view()}
                    </select>
                </div>
                <button>"Show"</button>
            </form>
            {one}
            {whole}
        </StudyPage>
    })
}

fn hidden(visit: &Visit, open: &Open, what: &'static str) -> impl IntoView + use<> {
    let unit = visit.query("unit");
    view! {
        <Hidden name="study" value=open.study.id.to_string() />
        <Hidden name="expected" value=open.study.scheme_version.to_string() />
        <Hidden name="what" value=what />
        <Hidden name="unit" value=unit />
    }
}

fn last(form: &Form) -> impl IntoView + use<> {
    let form = form.clone();
    view! {
        <TextField form name="note" label="What changes and why" />
        <div class="row end">
            <button class="button primary">"Make this version"</button>
        </div>
    }
}

/// The form for one category, subcategory or level.
fn reword(
    visit: &Visit,
    open: &Open,
    scheme: &Scheme,
    code: &str,
) -> Option<impl IntoView + use<>> {
    let form = visit.form::<EditManual>();
    let area = |name: &'static str, label: &'static str, start: String| {
        let form = form.clone();
        view! { <AreaField form name label start rows=4 /> }.into_any()
    };
    let level = code.strip_prefix("level ").and_then(|value| {
        let value: f64 = value.parse().ok()?;
        scheme.severity.as_ref()?.level(value)
    });
    let (what, sent, title, fields) = if let Some(level) = level {
        let fields = vec![area("definition", "Definition", level.definition.clone())];
        let value = domain::annotation::shortest(level.value);
        ("level", value, level.name.clone(), fields)
    } else if let Some(sub) = scheme.subcategory(code) {
        let fields = vec![
            area("definition", "Definition", sub.definition.clone()),
            area(
                "include",
                "Belongs here, one a line",
                sub.include.join("\n"),
            ),
            area(
                "exclude",
                "Does not belong here, one a line",
                sub.exclude.join("\n"),
            ),
        ];
        ("subcategory", code.to_owned(), sub.name.clone(), fields)
    } else {
        let category = scheme.category(code)?;
        let fields = vec![
            area("definition", "Definition", category.definition.clone()),
            area("remark", "Remark", category.note.clone()),
        ];
        ("category", code.to_owned(), category.name.clone(), fields)
    };
    let head = hidden(visit, open, what).into_any();
    let end = last(&form).into_any();
    let title = format!("{code} {title}");
    Some(view! {
        <PostForm form class="card stack">
            <h2>{title}</h2>
            {head}
            <Hidden name="code" value=sent />
            {fields}
            {end}
        </PostForm>
    })
}

/// The words of the tag that the example is made from; none without one in this study.
async fn words_of(visit: &Visit, open: &Open) -> Result<String> {
    let id = visit.query("unit");
    if id.is_empty() {
        return Ok(String::new());
    }
    let unit = unit::get(&visit.app, &visit.actor, &UnitId::new(id)).await?;
    if unit.study != open.study.id {
        return Err(domain::refusal::Refusal::NotFound.into());
    }
    let moved = unit.ruling.as_ref().and_then(|ruling| ruling.span.clone());
    let spans = moved.map_or(unit.tag.spans, |span| vec![span]);
    let quotes: Vec<String> = spans.into_iter().map(|(.., quote)| quote).collect();
    Ok(quotes.join(" … "))
}

/// A worked example, filled from a settled tag.
fn example(visit: &Visit, open: &Open, scheme: &Scheme, words: String) -> impl IntoView + use<> {
    let form = visit.form::<EditManual>();
    let subs: Vec<(String, String)> = scheme
        .categories
        .iter()
        .flat_map(|category| &category.subcategories)
        .map(|sub| (sub.id.clone(), format!("{} {}", sub.id, sub.name)))
        .collect();
    let head = hidden(visit, open, "example").into_any();
    let end = last(&form).into_any();
    let area = form.clone();
    let why = form.clone();
    let severity = form.clone();
    let start = visit.query("severity");
    let chosen = visit.query("example");
    let select = form.clone();
    view! {
        <PostForm form class="card stack">
            <h2>"A worked example"</h2>
            <p class="hint">
                "Take out whatever could identify a person. An example leaves rulings as they are."
            </p>
            {head}
            <SelectField form=select name="code" label="Of which subcategory" options=subs start=chosen />
            <AreaField form=area name="text" label="The words" start=words />
            <TextField form=severity name="severity" label="Severity (may stay empty)" optional=true start />
            <TextField form=why name="why" label="Why" optional=true />
            {end}
        </PostForm>
    }
}

/// The whole text.
fn whole(visit: &Visit, open: &Open, text: String) -> impl IntoView + use<> {
    let form = visit.form::<ReviseManual>();
    let (area, note) = (form.clone(), form.clone());
    let refused = form.was_refused();
    let study = open.study.id.to_string();
    let expected = open.study.scheme_version.to_string();
    view! {
        <details open=refused>
            <summary>"Edit the whole manual as TOML"</summary>
            <PostForm form class="stack">
                <Hidden name="study" value=study />
                <Hidden name="expected" value=expected />
                <AreaField form=area name="toml" label="Scheme file" start=text rows=24 />
                <TextField form=note name="note" label="What changes and why" />
                <div class="row end">
                    <button class="button">"Make this version"</button>
                </div>
            </PostForm>
        </details>
    }
}
