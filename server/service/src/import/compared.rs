//! Runs of a further judge over items that are there: compared with the labels, and never shown to raters.

use super::book::Book;
use super::compare::{Prepared, run_of};
use super::remap::Table;
use super::source::{self, Chunk, Pass};
use super::{ImportOptions, ImportReport, ImportSource, New, Tell, problem, refused, unmapped};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::judge::{Facts, checked, done};
use crate::services::Services;
use crate::study::scheme_in;
use domain::id::{ItemId, JudgeId, StudyId};
use domain::role::Action;
use formats::{MOST_PROBLEMS, Problem, ReadOptions};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Arc;
use store::AnyConnection;
use store::judge::NewRun;

/// Imports the runs of one further judge. Its name, with model, prompt version and parameters, makes its identity; every
/// trace of the file must be an item of the study. With any problem nothing is written.
///
/// # Errors
/// [`domain::refusal::Refusal::Forbidden`] without the right, [`domain::refusal::Refusal::NameInvalid`], as [`crate::judge::describe`] for the facts.
pub async fn compared(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    source: ImportSource,
    (name, facts): (&str, Facts),
    options: ImportOptions,
    progress: Tell<'_>,
) -> Result<ImportReport> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::JudgeManage).await?;
    let name = crate::name::to_read(name)?;
    let facts = checked(facts)?;
    let (scheme, _) = scheme_in(&mut db, study).await?;
    let table = match Table::open(&mut db, study, &scheme, &options.remap).await? {
        Ok(table) => table,
        Err(problems) => return Ok(unmapped(problems)),
    };
    drop(db);
    let pass = Pass {
        book: Arc::new(Book::new(scheme, table)),
        options: ReadOptions {
            raters: None,
            judges: options.judges,
            zeros: options.zeros,
            stated: options.stated,
        },
        format: options.format,
    };
    let file = match source::check(source, &pass, progress).await {
        Ok(file) => file,
        Err((format, end)) => return Ok(refused(format, end)),
    };
    let mut report = ImportReport {
        format: file.format.as_str().to_owned(),
        notices: pass.book.table.notices(),
        ..ImportReport::default()
    };
    if file.format.brings_rulings() {
        let expected = "judged traces: final values are no runs of a judge";
        report
            .problems
            .push(problem(1, None, "final values", expected));
        return Ok(report);
    }
    let mut tx = app.db.begin().await?;
    store::audit::lock(&mut tx, study.as_str()).await?;
    let identity = [&*name, &facts.model, &facts.prompt_version, &facts.params];
    let judge = store::import::judge(&mut tx, study, &JudgeId::new(app.id()), identity).await?;
    let by = (app.now(), actor.user.as_str());
    store::judge::set_facts(&mut tx, &judge, &facts, by).await?;
    let mut runs = Runs {
        study,
        judge: &judge,
        report: &mut report,
    };
    let mut reading = source::stream(file, &pass);
    while let Some(Chunk {
        records,
        progress: now,
    }) = reading.chunks.recv().await
    {
        runs.chunk(&mut tx, records).await?;
        progress(now);
    }
    if let Err(end) = reading.end().await {
        report.problems.extend(refused(None, end).problems);
    }
    if !report.problems.is_empty() || options.dry_run {
        tx.rollback().await.map_err(store::Error::from)?;
        return Ok(report);
    }
    let details = json!({"runs": report.new.items, "repeated": report.new.repeated, "tags": report.new.candidates});
    done(app, tx, actor, study, ("compared", judge.as_str()), details).await?;
    Ok(report)
}

/// How a run is stored that brought no verdict; such a run has no tags, so this alone makes its hash.
const FAILED: &str = "failed";

struct Runs<'a> {
    study: &'a StudyId,
    judge: &'a JudgeId,
    report: &'a mut ImportReport,
}

impl Runs<'_> {
    async fn chunk(&mut self, tx: &mut AnyConnection, records: Vec<Prepared>) -> Result<()> {
        let keys: Vec<&str> = records.iter().map(|one| one.record.key.as_str()).collect();
        let items = store::import::items(tx, self.study, &keys).await?;
        let ids: Vec<&ItemId> = items.values().map(|(id, _)| id).collect();
        let known: HashMap<ItemId, String> = store::judge::known_runs(tx, self.judge, &ids)
            .await?
            .into_iter()
            .collect();
        let mut new = Vec::new();
        let failed = hex::encode(Sha256::digest(FAILED));
        for one in records {
            let line = one.record.line;
            match items.get(&one.record.key) {
                Some((item, hash)) if *hash == one.item_hash => {
                    let Some(run) = run(item, one) else { continue };
                    match known.get(item) {
                        None => {
                            self.report.new.add(&run);
                            new.push(run);
                        }
                        Some(hash) if *hash == run.content_hash => self.report.identical += 1,
                        // A failed call is no verdict, so it says nothing against one, and one takes its place.
                        Some(_) if run.outcome == FAILED => {}
                        Some(hash) if *hash == failed => {
                            store::judge::drop_failed(tx, self.judge, item).await?;
                            self.report.new.repeated += 1;
                            self.report.new.candidates += run.tags.len() as u64;
                            new.push(run);
                        }
                        Some(_) => self.problem(problem(
                            line,
                            Some("judge"),
                            "another verdict",
                            "the judge's verdict on this trace as imported before",
                        )),
                    }
                }
                Some(_) => self.problem(problem(
                    line,
                    None,
                    "a trace with other content than the item of its key",
                    "a trace of the study",
                )),
                None => self.problem(problem(
                    line,
                    None,
                    "a trace that the study does not have",
                    "a trace of the study: judges are compared on the same items",
                )),
            }
        }
        Ok(store::judge::add_runs(tx, self.judge, new).await?)
    }

    fn problem(&mut self, problem: Problem) {
        if self.report.problems.len() < MOST_PROBLEMS {
            self.report.problems.push(problem);
        } else {
            self.report.more_problems += 1;
        }
    }
}

impl New {
    fn add(&mut self, run: &NewRun) {
        self.items += 1;
        self.candidates += run.tags.len() as u64;
    }
}

fn run(item: &ItemId, one: Prepared) -> Option<NewRun> {
    let (outcome, failure, _) = run_of(one.record.outcome)?;
    let mut digest = Sha256::new();
    digest.update(outcome);
    for hash in &one.candidate_hashes {
        digest.update(hash);
    }
    let tag = |candidate: formats::record::CandidateRecord| {
        let spans = candidate
            .spans
            .iter()
            .map(|(span, _)| (span.start(), span.end()));
        (
            candidate.category.unwrap_or_default(),
            candidate.subcategory.unwrap_or_default(),
            candidate.severity,
            spans.collect(),
        )
    };
    Some(NewRun {
        item: item.clone(),
        outcome,
        failure,
        content_hash: hex::encode(digest.finalize()),
        tags: one.record.candidates.into_iter().map(tag).collect(),
    })
}
