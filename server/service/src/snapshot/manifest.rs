//! All of a snapshot's content but the labels: which rules produced them, and what was left out.

use super::Label;
use crate::error::Result;
use domain::id::StudyId;
use domain::retention::Standing;
use domain::scheme::Scheme;
use domain::snapshot::LeftOut;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use store::AnyConnection;
use store::study::Study;

/// The program that made a snapshot.
pub(super) const SOFTWARE: &str = concat!("consilium ", env!("CARGO_PKG_VERSION"));

/// The shape of the content; it changes when a field does.
const FORMAT: i64 = 1;

/// Counts the labels as they pass.
#[derive(Debug, Default)]
pub(super) struct Counts {
    outcomes: BTreeMap<String, i64>,
    standings: BTreeMap<&'static str, i64>,
}

impl Counts {
    pub(super) fn add(&mut self, label: &Label) {
        *self.outcomes.entry(label.outcome.clone()).or_default() += 1;
        *self.standings.entry(label.standing.as_str()).or_default() += 1;
    }
}

/// The manifest of a study that is being signed off.
pub(super) async fn manifest(
    connection: &mut AnyConnection,
    study: &Study,
    (scheme, scheme_hash): (&Scheme, &str),
    left_out: &[LeftOut],
    counts: &Counts,
) -> Result<Value> {
    let versions: Vec<Value> = store::snapshot::counting(connection, &study.id)
        .await?
        .into_iter()
        .map(|(version, hash, annotations)| {
            json!({"version": version, "hash": hash, "annotations": annotations})
        })
        .collect();
    let standings: BTreeMap<&str, i64> = Standing::ALL
        .into_iter()
        .map(|standing| {
            let word = standing.as_str();
            (
                word,
                counts.standings.get(word).copied().unwrap_or_default(),
            )
        })
        .collect();
    Ok(json!({
        "format": FORMAT,
        "software": SOFTWARE,
        "study": {"id": study.id, "name": study.name},
        "blinding": study.blinding,
        "scheme": {"id": scheme.id, "hash": scheme_hash, "version": study.scheme_version},
        "scheme_versions": versions,
        "rules": {
            "disagreement": scheme.disagreement,
            "retention": scheme.retention,
            "judge": scheme.judge_rule,
            "missed_tags": store::manual::missed_match(connection, &study.id).await?,
        },
        "batches": batches(connection, &study.id).await?,
        "left_out": left_out,
        "counts": {"outcomes": counts.outcomes, "standings": standings},
    }))
}

/// The samples that were drawn, with their seeds.
async fn batches(connection: &mut AnyConnection, study: &StudyId) -> Result<Vec<Value>> {
    let batches = store::batch::list(connection, study).await?;
    let batch = |(batch, items): (store::batch::StoredBatch, i64)| {
        json!({
            "id": batch.id, "round": batch.round, "seed": batch.seed, "stratify": batch.stratify, "items": items,
            "raters_per_item": batch.raters_per_item,
        })
    };
    Ok(batches.into_iter().map(batch).collect())
}
