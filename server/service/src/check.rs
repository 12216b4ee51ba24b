//! The integrity check: everything derived is derived again and compared, and nothing is changed.

use crate::audit::walk;
use crate::error::Result;
use crate::services::Services;
use crate::snapshot::write_content;
use crate::study::scheme_in;
use crate::unit::{Meaning, Measure, derive};
use domain::annotation::slice;
use domain::id::StudyId;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io::Write;
use store::AnyConnection;
use store::annotation::{StoredAnnotation, content_hash};
use store::candidate::StoredCandidate;
use store::item::StoredItem;
use store::unit::ItemFacts;

/// How many items are held at a time.
const STEP: i64 = 200;

/// Something that does not hold. It names rows, never their content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// The study; empty for the server as a whole.
    pub study: String,
    /// Which rule is broken.
    pub code: &'static str,
    /// The id of the row that breaks it.
    pub subject: String,
}

/// Checks every study: traces against their hashes, spans against their quotes, annotations against theirs, units and
/// rulings against what they are derived from, states against rows, snapshots against their hashes, and the chains of the audit log.
///
/// # Errors
/// When the database fails.
pub async fn run(app: &Services) -> Result<Vec<Finding>> {
    let mut db = app.db.snapshot().await?;
    let mut found = Findings(Vec::new());
    for rule in store::check::RULES {
        for (study, subject) in store::check::broken(&mut db, *rule).await? {
            found.0.push(Finding {
                study,
                code: rule.code,
                subject,
            });
        }
    }
    let studies = store::check::studies(&mut db).await?;
    for study in [String::new()].into_iter().chain(studies) {
        if let Err(broken) = walk(&mut db, &study).await? {
            found.add(&study, "audit_chain", &broken.seq.to_string());
        }
        if !study.is_empty()
            && found
                .0
                .iter()
                .all(|f| f.study != study || f.code != "scheme_missing")
        {
            let study = StudyId::new(study);
            items(&mut db, &study, &mut found).await?;
            snapshots(&mut db, &study, &mut found).await?;
        }
    }
    found.0.sort();
    Ok(found.0)
}

struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, study: &str, code: &'static str, subject: &str) {
        self.0.push(Finding {
            study: study.to_owned(),
            code,
            subject: subject.to_owned(),
        });
    }
}

async fn items(db: &mut AnyConnection, study: &StudyId, found: &mut Findings) -> Result<()> {
    let (scheme, _) = scheme_in(db, study).await?;
    let measure = Measure {
        scheme: &scheme,
        meaning: &Meaning::of(&scheme),
    };
    let mut after = 0;
    loop {
        let page = store::item::after(db, study, after, STEP).await?;
        let Some(up_to) = page.last().map(|item| item.seq) else {
            return Ok(());
        };
        let lengths: HashMap<_, _> = store::check::trace_lengths(db, study.as_str(), after, up_to)
            .await?
            .into_iter()
            .collect();
        for item in &page {
            trace(item, lengths.get(item.id.as_str()).copied(), found);
        }
        let texts: HashMap<&str, &str> = page
            .iter()
            .map(|item| (item.id.as_str(), item.trace.as_str()))
            .collect();
        for candidate in store::candidate::of_range(db, study, after, up_to).await? {
            spans(
                study,
                &candidate,
                texts
                    .get(candidate.item.as_str())
                    .copied()
                    .unwrap_or_default(),
                found,
            );
        }
        for annotation in store::annotation::latest_of_range(db, study, after, up_to).await? {
            said(
                study,
                &annotation,
                texts
                    .get(annotation.item.as_str())
                    .copied()
                    .unwrap_or_default(),
                found,
            );
        }
        for facts in store::unit::facts(db, study, after + 1, up_to).await? {
            units(study, &facts, measure, found);
        }
        after = up_to;
    }
}

/// An output that hashes what passes and keeps nothing.
struct Hashed(Sha256);

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The content of each snapshot against its hash.
async fn snapshots(db: &mut AnyConnection, study: &StudyId, found: &mut Findings) -> Result<()> {
    for head in store::snapshot::list(db, study).await? {
        let mut hashed = Hashed(Sha256::new());
        write_content(db, &head, &mut hashed).await?;
        if hex::encode(hashed.0.finalize()) != head.content_hash {
            found.add(study.as_str(), "snapshot_content", head.id.as_str());
        }
    }
    Ok(())
}

fn trace(item: &StoredItem, length: Option<i64>, found: &mut Findings) {
    let study = item.study.as_str();
    let characters = item.trace.chars().count();
    if hex::encode(Sha256::digest(&item.trace)) != item.trace_sha256 {
        found.add(study, "trace_hash", item.id.as_str());
    }
    if length != i64::try_from(characters).ok() {
        found.add(study, "trace_length", item.id.as_str());
    }
    if item
        .segments
        .iter()
        .any(|part| part.start > part.end || part.end as usize > characters)
    {
        found.add(study, "segment_bounds", item.id.as_str());
    }
}

fn spans(study: &StudyId, candidate: &StoredCandidate, trace: &str, found: &mut Findings) {
    for (start, end, quote) in &candidate.spans {
        if let Some(code) = span(trace, (*start, *end), quote) {
            found.add(study.as_str(), code, candidate.id.as_str());
        }
    }
}

fn span(trace: &str, at: (u32, u32), quote: &str) -> Option<&'static str> {
    match slice(trace, at) {
        None => Some("span_bounds"),
        Some(text) => (text != quote).then_some("span_quote"),
    }
}

fn said(study: &StudyId, annotation: &StoredAnnotation, trace: &str, found: &mut Findings) {
    for tag in &annotation.body.missed {
        if let Some(code) = tag.span.and_then(|at| span(trace, at, &tag.quote)) {
            found.add(study.as_str(), code, tag.id.as_str());
        }
    }
    let reason = (!annotation.ratable).then_some(annotation.not_ratable_reason.as_str());
    if content_hash(&annotation.body, reason) != annotation.content_hash {
        found.add(study.as_str(), "annotation_content", annotation.id.as_str());
    }
}

fn units(study: &StudyId, facts: &ItemFacts, measure: Measure<'_>, found: &mut Findings) {
    let derived = derive(facts, measure);
    for unit in &derived {
        match facts.units.iter().find(|(kept, _)| kept.id == unit.id) {
            None => found.add(study.as_str(), "unit_missing", unit.id.as_str()),
            Some((kept, _)) if kept != unit => {
                found.add(study.as_str(), "unit_differs", unit.id.as_str());
            }
            Some(_) => {}
        }
    }
    for (kept, _) in &facts.units {
        if derived.iter().all(|unit| unit.id != kept.id) {
            found.add(study.as_str(), "unit_left_over", kept.id.as_str());
        }
    }
}
