//! Validated traces to train or prompt with, under terms that somebody wrote down first.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::{Error, Result};
use crate::services::{Audit, Services};
use crate::validation::{self, Item, Reference, Stand, verdict};
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::Scheme;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufWriter, Write};
use store::item::StoredItem;
use tempfile::NamedTempFile;

pub use store::terms::Terms;

/// The longest licence.
const LICENCE_LIMIT: usize = 20_000;

/// The terms under which validated traces may leave the study.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right.
pub async fn terms(app: &Services, actor: &Actor, id: &StudyId) -> Result<Option<Terms>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, id, Action::JudgeRead).await?;
    Ok(store::terms::get(&mut db, id).await?)
}

/// Writes down the terms; earlier ones stay on record.
///
/// # Errors
/// [`Refusal::TextTooLong`]; [`Refusal::TermsMissing`] for a use without a licence.
pub async fn set_terms(app: &Services, actor: &Actor, id: &StudyId, new: Terms) -> Result<()> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, id, Action::JudgeManage).await?;
    store::audit::lock(&mut tx, id.as_str()).await?;
    let licence = new.licence.trim().to_owned();
    if licence.chars().count() > LICENCE_LIMIT {
        return Err(Refusal::TextTooLong.into());
    }
    if licence.is_empty() && (new.training || new.few_shot || new.comments) {
        return Err(Refusal::TermsMissing.into());
    }
    let before = store::terms::get(&mut tx, id).await?;
    let terms = Terms {
        version: before.map_or(0, |terms| terms.version) + 1,
        licence,
        ..new
    };
    store::terms::add(&mut tx, id, &terms, (app.now(), actor.user.as_str())).await?;
    let details = json!({"version": terms.version, "training": terms.training, "few_shot": terms.few_shot, "comments": terms.comments});
    crate::judge::done(app, tx, actor, id, ("terms", id.as_str()), details).await
}

/// Validated traces with their final tags, one a line, in a temporary file. Raters' comments go along only where the terms
/// say so; nobody's name does.
///
/// # Errors
/// [`Refusal::TermsMissing`] until a licence and a use are written down.
pub async fn mitigation(app: &Services, actor: &Actor, id: &StudyId) -> Result<NamedTempFile> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::ExportRun).await?;
    let terms = store::terms::get(&mut db, id).await?;
    let terms =
        terms.filter(|terms| !terms.licence.is_empty() && (terms.training || terms.few_shot));
    let terms = terms.ok_or(Refusal::TermsMissing)?;
    let ground = validation::ground(&mut db, id).await?;
    let mut comments: HashMap<String, Vec<String>> = HashMap::new();
    if terms.comments {
        for (unit, comment) in store::terms::comments(&mut db, id).await? {
            comments.entry(unit).or_default().push(comment);
        }
    }
    let file = NamedTempFile::new().map_err(|cause| failed(&cause))?;
    let mut out = BufWriter::new(file.reopen().map_err(|cause| failed(&cause))?);
    let lowest = validation::lowest_tag(&ground.scheme);
    let mut written = 0;
    for item in &ground.items {
        let Ok(stigma) = verdict::of_reference(item, Reference::Final, lowest, lowest) else {
            continue;
        };
        let found = store::item::after(&mut db, id, item.at.seq - 1, 1).await?;
        let Some(stored) = found.first().filter(|stored| stored.id == item.at.id) else {
            continue;
        };
        let record = record(&ground.scheme, item, stored, (stigma, &comments, &terms));
        writeln!(out, "{record}").map_err(|cause| failed(&cause))?;
        written += 1;
    }
    out.flush().map_err(|cause| failed(&cause))?;
    drop(db);
    let tx = app.db.begin().await?;
    let details = json!({"file": "mitigation.jsonl", "traces": written, "terms": terms.version});
    let audit = Audit {
        study: Some(id),
        action: Action::ExportRun,
        verb: "mitigation",
        subject: id.as_str(),
        details,
    };
    app.commit(tx, actor, audit).await?;
    Ok(file)
}

fn record(
    scheme: &Scheme,
    item: &Item,
    stored: &StoredItem,
    (stigma, comments, terms): (bool, &HashMap<String, Vec<String>>, &Terms),
) -> Value {
    let text: Vec<char> = stored.trace.chars().collect();
    let quote = |(start, end): &(u32, u32)| -> Value {
        let words: String = text
            .get(*start as usize..*end as usize)
            .unwrap_or_default()
            .iter()
            .collect();
        json!({"start": start, "end": end, "quote": words})
    };
    let tags: Vec<Value> = item
        .units
        .iter()
        .filter_map(|unit| {
            let Stand::Yes(tag) = &unit.last.stand else {
                return None;
            };
            let spans: Vec<Value> = tag.spans.iter().map(quote).collect();
            Some(json!({
                "category": tag.category,
                "category_name": scheme.name_of(&tag.category),
                "subcategory": tag.subcategory.as_deref().filter(|code| !code.is_empty()),
                "severity": tag.severity,
                "proposed_by": if unit.judge.is_some() { "judge" } else { "rater" },
                "spans": spans,
                "rationale": comments.get(&unit.id).cloned().unwrap_or_default(),
            }))
        })
        .collect();
    json!({
        "key": stored.source_key,
        "condition": stored.condition,
        "model": stored.model,
        "mode": stored.mode,
        "vignette": stored.vignette,
        "question": stored.question,
        "options": stored.options,
        "answer": stored.answer,
        "trace": stored.trace,
        "stigma": stigma,
        "tags": tags,
        "scheme": {"id": scheme.id, "version": scheme.version},
        "terms": {
            "licence": terms.licence,
            "training": terms.training,
            "few_shot": terms.few_shot,
            "comments": terms.comments,
        },
    })
}

fn failed(cause: &std::io::Error) -> Error {
    tracing::error!(%cause, "an export could not be written");
    Refusal::Internal.into()
}
