//! The report of a study: everything a reader must know, as data, and the paragraphs that say it.
//!
//! It stands on the labels as they are now. While a study is signed off these are the labels of its snapshot, whose hash
//! the report names; at other times it says that there is none.

mod markup;
mod mitigation;
mod questions;
mod write;

use crate::actor::Actor;
use crate::agreement::{self, StatRow};
use crate::auth::require;
use crate::corpus::{self, Estimate};
use crate::error::Result;
use crate::judge::{self, JudgeView};
use crate::results::{Coverage, ResultRow};
use crate::services::Services;
use crate::study;
use crate::validation::{self, Anchoring, CeilingRow, Facet, Figure, ValidationQuery};
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::Asked;
use questions::{agreements, measures};
use serde::Serialize;

pub use markup::{latex, markdown};
pub use mitigation::{Terms, mitigation, set_terms, terms};
pub use write::{methods, results};

/// What must stand on every report.
pub const STATEMENT: &str = "These results describe how texts of language models were labelled in this study. They do not \
establish that any model is clinically valid or safe, and they are no basis for using one in care.";

/// A sample that was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SampleRow {
    /// Its name.
    pub name: String,
    /// What it was for: `calibration`, `main`, `cross_check` or `imported`.
    pub round: String,
    /// The seed.
    pub seed: i64,
    /// By what it was stratified; empty for a simple one.
    pub stratify: String,
    /// Items.
    pub items: i64,
    /// Raters of each item.
    pub raters_per_item: i64,
    /// On how many of a hundred items raters gave their own tags before they saw the judge's.
    pub hidden_percent: i64,
}

/// Agreement on one question, before and after reconciliation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgreementPart {
    /// The question's word in tables.
    pub question: String,
    /// Its name, as it stands in a sentence.
    pub title: String,
    /// Whether its answers are ordered.
    pub ordered: bool,
    /// What is compared: one, and several.
    pub units: (&'static str, &'static str),
    /// Who is compared: a judge and a rater, or a judge and the final answer; empty for the raters.
    pub between: String,
    /// `raw` or `reconciled`.
    pub stage: &'static str,
    /// The statistics.
    pub statistics: Vec<StatRow>,
}

/// A judge against the final labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgePart {
    /// The judge.
    pub judge: JudgeView,
    /// What counts as a right tag.
    pub rule: String,
    /// Items compared.
    pub items: u64,
    /// Items where it is on record what was missed.
    pub covered: u64,
    /// Precision, recall and F1.
    pub figures: Vec<Figure>,
    /// The same by part.
    pub facets: Vec<Facet>,
    /// Severity.
    pub severity: Vec<Figure>,
    /// Humans against each other, and the judge against each.
    pub ceiling: Vec<CeilingRow>,
    /// Items with the judge's tags hidden at first against the others.
    pub anchoring: Option<Anchoring>,
    /// Items and tags left out, by reason.
    pub left_out: Vec<(String, u64)>,
}

/// A rate of all items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatePart {
    /// The model; empty for all.
    pub model: String,
    /// The severity that a tag must reach.
    pub threshold: f64,
    /// The rate four ways.
    pub estimates: Vec<Estimate>,
}

/// What the judge finds in all items.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CorpusPart {
    /// The judge.
    pub judge: String,
    /// Items judged.
    pub judged: u64,
    /// Items on which it failed.
    pub failed: u64,
    /// Validated items drawn at random and settled.
    pub validated: u64,
    /// Rates of all items and by model.
    pub rates: Vec<RatePart>,
    /// Clean answers, and those of them with stigma in the reasoning.
    pub clean_answers: [u64; 2],
}

/// A study's report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyReport {
    /// The study.
    pub study: String,
    /// The scheme and its version.
    pub scheme: String,
    /// The scheme's version in the study.
    pub scheme_version: i64,
    /// The hash of its text.
    pub scheme_hash: String,
    /// Where the scheme comes from.
    pub citation: String,
    /// Whether the scheme has tags.
    pub of_tags: bool,
    /// The names of its questions about items.
    pub questions: Vec<String>,
    /// What one of the values is called that raters give, and what several are.
    pub units: (&'static str, &'static str),
    /// Items.
    pub items: i64,
    /// Tags that judges proposed to raters.
    pub candidates: i64,
    /// The raters' letters.
    pub raters: Vec<String>,
    /// What raters did not see.
    pub blinded: Vec<&'static str>,
    /// The samples.
    pub samples: Vec<SampleRow>,
    /// Units still in dispute, settled by a ruling, and settled before something changed.
    pub disputed: i64,
    /// Rulings in force.
    pub ruled: i64,
    /// Agreement.
    pub agreement: Vec<AgreementPart>,
    /// Judges beside every rater and beside the final answers, of questions about items.
    pub judged: Vec<AgreementPart>,
    /// The measures that the scheme declares, over the final labels of all items.
    pub measures: Vec<ResultRow>,
    /// How far the questions are settled that these measures rest on.
    pub coverage: Vec<Coverage>,
    /// Validation, one entry a judge that judged validated items.
    pub judges: Vec<JudgePart>,
    /// Results on all items, where there are any.
    pub corpus: Option<CorpusPart>,
    /// The program and its version.
    pub software: &'static str,
    /// The seed of every bootstrap, and its resamples.
    pub bootstrap: (u64, usize),
    /// The hash of the snapshot, or nothing for the labels as they are now.
    pub snapshot: Option<String>,
    /// What the results do not say.
    pub statement: &'static str,
}

/// The report of a study as it stands.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right.
pub async fn get(app: &Services, actor: &Actor, id: &StudyId) -> Result<StudyReport> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::JudgeRead).await?;
    let samples = store::batch::list(&mut db, id).await?;
    let raters = store::result::raters(&mut db, id).await?.len();
    let found = store::study::get(&mut db, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let snapshot = store::snapshot::in_force(&mut db, id).await?;
    drop(db);
    let view = study::overview(app, actor, id).await?;
    let sample = |(batch, items): (store::batch::StoredBatch, i64)| SampleRow {
        name: batch.name,
        round: batch.round,
        seed: batch.seed,
        stratify: batch.stratify,
        items,
        raters_per_item: batch.raters_per_item,
        hidden_percent: batch.hidden_percent,
    };
    let tags = view.scheme.has_tags();
    let blinding = found.blinding;
    let hidden = [
        (blinding.model, "the model"),
        (blinding.condition, "the condition"),
        (
            blinding.judge_severity && view.scheme.severity.is_some(),
            "the judge’s severity",
        ),
    ];
    let (measures, coverage) = measures(app, actor, id).await?;
    Ok(StudyReport {
        study: view.name,
        scheme: view.scheme.title.clone(),
        scheme_version: view.scheme_version,
        scheme_hash: view.scheme_hash,
        citation: view.scheme.citation.clone(),
        of_tags: tags,
        questions: view
            .scheme
            .item_questions
            .iter()
            .filter(|question| question.asked != Asked::Hidden)
            .map(|question| question.title().to_owned())
            .collect(),
        units: view.scheme.unit_words(),
        items: view.counts.items,
        candidates: view.counts.candidates,
        raters: (0..raters).map(agreement::letter).collect(),
        blinded: hidden
            .into_iter()
            .filter_map(|(is, word)| is.then_some(word))
            .collect(),
        samples: samples.into_iter().map(sample).collect(),
        disputed: view.counts.disputed,
        ruled: view.counts.ruled,
        agreement: agreements(app, actor, id, &view.scheme, agreement::Facet::None).await?,
        judged: agreements(app, actor, id, &view.scheme, agreement::Facet::Judge).await?,
        measures,
        coverage,
        // Both are of tags: what a judge answered about items is among the measures and the agreement.
        judges: if tags {
            judges(app, actor, id).await?
        } else {
            Vec::new()
        },
        corpus: if tags {
            corpus_part(app, actor, id).await?
        } else {
            None
        },
        software: concat!("consilium ", env!("CARGO_PKG_VERSION")),
        bootstrap: (agreement::BOOTSTRAP_SEED, agreement::RESAMPLES),
        snapshot: snapshot.map(|head| head.content_hash),
        statement: STATEMENT,
    })
}

async fn judges(app: &Services, actor: &Actor, id: &StudyId) -> Result<Vec<JudgePart>> {
    let mut parts = Vec::new();
    for judge in judge::list(app, actor, id).await? {
        let query = ValidationQuery {
            judge: judge.id.to_string(),
            ..ValidationQuery::default()
        };
        let Some(report) = validation::settled(app, actor, id, &query).await? else {
            continue;
        };
        if report.items == 0 {
            continue;
        }
        let items = [
            ("in_the_prompt", report.few_shot_excluded),
            ("judge_failed", report.failed),
        ];
        let left_out = items.into_iter().map(|(why, n)| (why.to_owned(), n));
        let left_out = left_out.chain(report.dropped.iter().cloned());
        parts.push(JudgePart {
            judge,
            rule: report.rule.word(),
            items: report.items,
            covered: report.covered,
            figures: report.front().to_vec(),
            facets: report.facets.clone(),
            severity: report.severity.clone(),
            ceiling: report.ceiling.clone(),
            anchoring: report.anchoring.clone(),
            left_out: left_out.filter(|(_, count)| *count > 0).collect(),
        });
    }
    Ok(parts)
}

async fn corpus_part(app: &Services, actor: &Actor, id: &StudyId) -> Result<Option<CorpusPart>> {
    let Some(report) = corpus::report(app, actor, id, "").await? else {
        return Ok(None);
    };
    let whole = |rate: &&corpus::Rate| rate.condition.is_empty() && rate.mode.is_empty();
    let part = |rate: &corpus::Rate| RatePart {
        model: rate.model.clone(),
        threshold: rate.threshold,
        estimates: rate.estimates.clone(),
    };
    let clean =
        |table: &corpus::TwoByTwo| [table.neither + table.reasoning_only, table.reasoning_only];
    let sum = |sum: [u64; 2], one: [u64; 2]| [sum[0] + one[0], sum[1] + one[1]];
    Ok(Some(CorpusPart {
        judge: report.judge_name.clone(),
        judged: report.judged,
        failed: report.failed,
        validated: report.validated,
        rates: report.rates.iter().filter(whole).map(part).collect(),
        clean_answers: report.two_by_two.iter().map(clean).fold([0, 0], sum),
    }))
}

/// The report as a file by its name: `report.json`, `report.md`, `report.tex` or `report.txt`.
///
/// # Errors
/// As [`get`]; [`Refusal::NotFound`] for another name.
pub async fn file(app: &Services, actor: &Actor, id: &StudyId, name: &str) -> Result<Vec<u8>> {
    let report = get(app, actor, id).await?;
    let text = match name {
        "report.json" => serde_json::to_string_pretty(&report).map_err(|_| Refusal::Internal)?,
        "report.md" => markdown(&report),
        "report.tex" => latex(&report),
        "report.txt" => format!(
            "{}\n\n{}\n\n{STATEMENT}\n",
            methods(&report),
            results(&report)
        ),
        _ => return Err(Refusal::NotFound.into()),
    };
    Ok(text.into_bytes())
}
