//! What judges made of an item: runs, answers to questions and tags.

use super::super::compare::run_of;
use super::super::problem;
use super::{Importer, Known};
use crate::error::Result;
use domain::annotation::Answer;
use domain::id::{CandidateId, ItemId, JudgeId};
use formats::MOST_PROBLEMS;
use formats::record::{JudgeRecord, TraceRecord};
use store::AnyConnection;
use store::import::{JudgeAnswer, KnownCandidate, KnownRun, NewCandidate, NewRun};

/// How a run is stored that brought no verdict.
const FAILED: &str = "failed";

impl Importer<'_> {
    /// The judge of a record, made when the study has none like it.
    pub(super) async fn judge(
        &mut self,
        connection: &mut AnyConnection,
        judge: &JudgeRecord,
    ) -> Result<JudgeId> {
        let params = if judge.params.is_null() {
            String::new()
        } else {
            judge.params.to_string()
        };
        let text = |part: &Option<String>| part.clone().unwrap_or_default();
        let facts = [
            judge.name.clone(),
            text(&judge.model),
            text(&judge.prompt_version),
            params,
        ];
        if let Some(known) = self.judges.get(&facts) {
            return Ok(known.clone());
        }
        let new = JudgeId::new(self.app.id());
        let id = store::import::judge(
            connection,
            self.study,
            &new,
            facts.each_ref().map(String::as_str),
        )
        .await?;
        self.written.new.judges += u64::from(id == new);
        self.judges.insert(facts, id.clone());
        Ok(id)
    }

    /// What the judge answered about the item; a second import must say the same.
    pub(super) fn answers(
        &mut self,
        known: &mut Known,
        record: &TraceRecord,
        item: &ItemId,
        judge: &JudgeId,
    ) {
        let before = known
            .answers
            .entry((item.clone(), judge.clone()))
            .or_default();
        for said in &record.answers {
            let answer = Answer {
                values: said.values.clone(),
                rationale: said.rationale.clone(),
            };
            match before.get(&said.question) {
                Some(found) if *found == answer => self.written.identical += 1,
                Some(_) => {
                    let expected = "the judge's answer as imported before";
                    let field = Some(said.question.as_str());
                    self.written
                        .problem(problem(record.line, field, "another answer", expected));
                }
                None => {
                    before.insert(said.question.clone(), answer);
                    self.written.new.judge_answers += 1;
                    self.writer.judge_answer(JudgeAnswer {
                        item: item.clone(),
                        judge: judge.clone(),
                        question: said.question.clone(),
                        values: said.values.clone(),
                        rationale: said.rationale.clone(),
                    });
                }
            }
        }
    }

    /// How the judge's run over the item ended. A failed call is no verdict: one that comes later takes its place, and a
    /// failure says nothing against a verdict or a failure that is there.
    pub(super) async fn run(
        &mut self,
        connection: &mut AnyConnection,
        known: &mut Known,
        record: &TraceRecord,
        item: &ItemId,
        judge: &JudgeId,
    ) -> Result<()> {
        let Some((outcome, failure, summary)) = run_of(record.outcome.clone()) else {
            return Ok(());
        };
        let run = KnownRun {
            outcome: outcome.to_owned(),
            failure: failure.clone(),
            summary: summary.clone(),
        };
        let new = NewRun {
            item: item.clone(),
            judge: judge.clone(),
            outcome,
            failure,
            summary,
        };
        let key = (item.clone(), judge.clone());
        match known.runs.get(&key) {
            Some(before) if *before == run || outcome == FAILED => {}
            Some(before) if before.outcome == FAILED => {
                if self.written.repeated.len() < MOST_PROBLEMS {
                    let failed = [record.key.clone(), before.failure.clone()];
                    self.written.repeated.push(failed);
                }
                if !store::import::rejudge(connection, &new).await? {
                    // The failure came with the same block of records and is not written yet.
                    self.writer.flush(connection).await?;
                    store::import::rejudge(connection, &new).await?;
                }
                known.runs.insert(key, run);
                self.written.new.repeated += 1;
                self.touched.insert(item.clone());
            }
            Some(_) => {
                let expected = "the judge's verdict on this trace as imported before";
                self.written.problem(problem(
                    record.line,
                    Some("judge"),
                    "another verdict",
                    expected,
                ));
            }
            None => {
                known.runs.insert(key, run);
                self.written.new.verdicts += 1;
                self.writer.run(new);
            }
        }
        Ok(())
    }

    /// The tags of the judge.
    pub(super) async fn candidates(
        &mut self,
        connection: &mut AnyConnection,
        known: &mut Known,
        record: &mut TraceRecord,
        hashes: Vec<String>,
        (item, is_new): (&ItemId, bool),
        judge: &JudgeId,
    ) -> Result<()> {
        let before = known.candidates.entry(item.clone()).or_default();
        for (candidate, hash) in std::mem::take(&mut record.candidates)
            .into_iter()
            .zip(hashes)
        {
            if let Some(found) = before.get(&candidate.key) {
                if found.content_hash == hash {
                    self.written.identical += 1;
                } else {
                    let expected = "the candidate imported before under this key";
                    self.written.problem(problem(
                        candidate.line,
                        Some("source_key"),
                        "other content",
                        expected,
                    ));
                }
                continue;
            }
            if !is_new {
                let in_use = match known.in_use.get(item) {
                    Some(in_use) => *in_use,
                    None => store::import::in_use(connection, item).await?,
                };
                known.in_use.insert(item.clone(), in_use);
                if in_use {
                    let expected =
                        "only candidates imported before: raters already judge this trace";
                    self.written.problem(problem(
                        candidate.line,
                        Some("source_key"),
                        "a new candidate",
                        expected,
                    ));
                    continue;
                }
                self.touched.insert(item.clone());
            }
            let id = CandidateId::new(self.app.id());
            let ordinal = before.values().map(|c| c.ordinal).max().unwrap_or_default() + 1;
            let kept = KnownCandidate {
                id: id.clone(),
                ordinal,
                content_hash: hash.clone(),
            };
            before.insert(candidate.key.clone(), kept);
            self.written.new.candidates += 1;
            self.writer.candidate(NewCandidate {
                id,
                item: item.clone(),
                judge: judge.clone(),
                ordinal,
                source_key: candidate.key,
                original_code: candidate.code,
                original_name: candidate.code_name.unwrap_or_default(),
                category: candidate.category.unwrap_or_default(),
                subcategory: candidate.subcategory.unwrap_or_default(),
                severity: candidate.severity,
                explanation: candidate.explanation.unwrap_or_default(),
                evidence: candidate.evidence,
                anchor: candidate.anchor,
                spans: candidate
                    .spans
                    .into_iter()
                    .map(|(span, quote)| (span.start(), span.end(), quote))
                    .collect(),
                content_hash: hash,
            });
        }
        Ok(())
    }
}
