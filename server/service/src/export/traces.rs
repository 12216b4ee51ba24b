//! `traces.jsonl`: the study in the format that our own import reads.

use super::page::Page;
use super::{Context, failed};
use crate::error::Result;
use crate::import::steps::asks_of_steps;
use domain::annotation::{Answer, Judgement, MissedTag, slice};
use domain::id::{ItemId, JudgeId, UserId};
use domain::scheme::{QuestionKind, Scheme};
use domain::span::Span;
use domain::steps::divided;
use formats::record::{
    AnswerRecord, CandidateRecord, ItemRatingRecord, JudgeOutcome, JudgeRecord, MissedRecord,
    RatingRecord, SEGMENT_SEPARATOR, SegmentText, StepRecord, TraceRecord,
};
use formats::write::json_line;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io::Write;
use store::AnyConnection;
use store::annotation::StoredAnnotation;
use store::candidate::StoredCandidate;
use store::export::Run;
use store::item::{SegmentRange, StoredItem};
use store::judge_answer::JudgeAnswer;

/// A page with what only this file tells.
struct Full<'a> {
    page: &'a Page<'a>,
    extras: HashMap<ItemId, Map<String, Value>>,
    answers: HashMap<(ItemId, JudgeId), Vec<JudgeAnswer>>,
}

/// A line for each judge's verdict on an item; what raters said of the item as a whole stands on its first. As in the
/// tables, raters' judgements leave only when every rater of the item is in.
pub(super) async fn write<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    page: &Page<'_>,
    out: &mut W,
) -> Result<()> {
    let full = full(connection, context, page).await?;
    for item in &full.page.items {
        for record in full.records(item, context) {
            writeln!(out, "{}", json_line(&record)).map_err(|cause| failed(&cause))?;
        }
    }
    Ok(())
}

async fn full<'a>(
    connection: &mut AnyConnection,
    context: &Context,
    page: &'a Page<'a>,
) -> Result<Full<'a>> {
    let ends = page.items.first().zip(page.items.last());
    let (after, up_to) = ends.map_or((0, 0), |(first, last)| (first.seq - 1, last.seq));
    let mut answers: HashMap<_, Vec<JudgeAnswer>> = HashMap::new();
    let said = store::judge_answer::of_range(connection, &context.study, after, up_to).await?;
    for answer in said {
        let of = (answer.item.clone(), answer.judge.clone());
        answers.entry(of).or_default().push(answer);
    }
    Ok(Full {
        extras: store::item::extras(connection, &context.study, after, up_to).await?,
        answers,
        page,
    })
}

impl Full<'_> {
    fn records(&self, item: &StoredItem, context: &Context) -> Vec<TraceRecord> {
        let mut bare = bare(item, &context.scheme);
        bare.extra = self.extras.get(&item.id).cloned().unwrap_or_default();
        let candidates = self.page.candidates.get(&item.id);
        let candidates = candidates.map(Vec::as_slice).unwrap_or_default();
        let said = self.annotations(item, context);
        bare.said = said
            .iter()
            .filter_map(|(name, annotation)| of_item(name, annotation, &context.scheme))
            .collect();
        let mut records = Vec::new();
        for judge in self.judges(item, candidates) {
            let mut record = bare.clone();
            bare.said.clear();
            let mut runs = self.page.runs.get(&item.id).into_iter().flatten();
            let run = runs.find(|run| run.judge == judge);
            let of_judge: Vec<&StoredCandidate> = candidates
                .iter()
                .filter(|candidate| candidate.judge == judge)
                .collect();
            record.outcome = outcome(run, !of_judge.is_empty());
            record.judge = self.judge(&judge);
            let answers = self.answers.get(&(item.id.clone(), judge));
            record.answers = answers
                .into_iter()
                .flatten()
                .map(|said| answer(&said.question, &said.answer))
                .collect();
            for (name, annotation) in &said {
                let ratings = of_judge.iter().filter_map(|candidate| {
                    let judgement = annotation.body.judgements.get(&candidate.id)?;
                    rating(name, candidate, judgement)
                });
                record.ratings.extend(ratings);
            }
            record.candidates = of_judge.into_iter().map(tag).collect();
            records.push(record);
        }
        if records.is_empty() {
            records.push(bare);
        }
        records
    }

    /// Each rater's judgement that counts, once all are in.
    fn annotations<'c>(
        &'c self,
        item: &StoredItem,
        context: &'c Context,
    ) -> Vec<(&'c str, &'c StoredAnnotation)> {
        let facts = self.page.facts.get(&item.id);
        let Some(facts) = facts.filter(|facts| facts.all_in()) else {
            return Vec::new();
        };
        let of = |rater: &UserId| facts.annotations.iter().find(|found| found.rater == *rater);
        let raters = context.raters.iter();
        raters
            .filter_map(|(rater, name)| Some((name.as_str(), of(rater)?)))
            .collect()
    }

    /// The judges of an item: those of its candidates in the order of the desk, then those without any.
    fn judges(&self, item: &StoredItem, candidates: &[StoredCandidate]) -> Vec<JudgeId> {
        let mut judges: Vec<JudgeId> = Vec::new();
        let of_candidates = candidates.iter().map(|candidate| &candidate.judge);
        let runs = self.page.runs.get(&item.id).into_iter().flatten();
        for judge in of_candidates.chain(runs.map(|run| &run.judge)) {
            if !judges.contains(judge) {
                judges.push(judge.clone());
            }
        }
        judges
    }

    fn judge(&self, id: &JudgeId) -> JudgeRecord {
        let Some(judge) = self.page.judges.get(id) else {
            return JudgeRecord::unnamed();
        };
        JudgeRecord {
            name: judge.name.clone(),
            model: words(&judge.model),
            prompt_version: words(&judge.prompt_version),
            params: serde_json::from_str(&judge.params).unwrap_or_default(),
        }
    }
}

/// The item before anybody judged it, as a file has it.
pub(crate) fn bare(item: &StoredItem, scheme: &Scheme) -> TraceRecord {
    let (segments, steps) = parts(item, scheme);
    TraceRecord {
        line: 0,
        key: item.source_key.clone(),
        condition: words(&item.condition),
        model: words(&item.model),
        mode: words(&item.mode),
        demographics: item.demographics.clone(),
        vignette: item.vignette.clone(),
        question: item.question.clone(),
        options: item.options.clone(),
        answer: words(&item.answer),
        segments,
        steps,
        source_file: None,
        extra: Map::new(),
        judge: JudgeRecord::unnamed(),
        outcome: JudgeOutcome::Absent,
        candidates: Vec::new(),
        answers: Vec::new(),
        ratings: Vec::new(),
        said: Vec::new(),
    }
}

fn words(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The parts of the trace as a file has them. The trace stands in one piece where an import finds the same steps in it,
/// and with its steps beside it where the parts alone do not make it up: a sentence follows the one before after a blank,
/// and joining parts by line feeds would make another text of it, or one that is divided elsewhere.
fn parts(item: &StoredItem, scheme: &Scheme) -> (Vec<SegmentText>, Vec<StepRecord>) {
    let part = |label: &str, text: &str| SegmentText {
        label: words(label),
        text: text.to_owned(),
    };
    let whole = vec![part("", &item.trace)];
    let of_steps = asks_of_steps(scheme);
    let found = || {
        let steps = divided(&item.trace).into_iter();
        steps.map(|step| (step.label, step.start, step.end))
    };
    let kept = || {
        let ranges = item.segments.iter();
        ranges.map(|range| (range.label.clone(), range.start, range.end))
    };
    if of_steps && kept().eq(found()) {
        return (whole, Vec::new());
    }
    let parts = item.segments.iter().map(|range| {
        let text = slice(&item.trace, (range.start, range.end))?;
        Some(part(&range.label, text))
    });
    let parts: Vec<SegmentText> = parts.collect::<Option<_>>().unwrap_or_default();
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    // One part without a name reads as a trace that nobody has divided yet.
    let tells = !of_steps || parts.len() > 1 || parts.iter().any(|part| part.label.is_some());
    if tells && texts.join(SEGMENT_SEPARATOR) == item.trace {
        return (parts, Vec::new());
    }
    let step = |range: &SegmentRange| {
        Some(StepRecord {
            label: words(&range.label),
            span: Span::new(range.start, range.end).ok()?,
        })
    };
    let steps = item.segments.iter().filter(|_| of_steps).filter_map(step);
    (whole, steps.collect())
}

fn outcome(run: Option<&Run>, tagged: bool) -> JudgeOutcome {
    match run {
        Some(run) if run.outcome == "failed" => JudgeOutcome::Failed {
            kind: run.failure.clone(),
        },
        Some(run) => JudgeOutcome::Judged {
            summary: words(&run.summary),
        },
        None if tagged => JudgeOutcome::Judged { summary: None },
        None => JudgeOutcome::Absent,
    }
}

fn tag(candidate: &StoredCandidate) -> CandidateRecord {
    CandidateRecord {
        line: 0,
        key: candidate.source_key.clone(),
        code: candidate.original_code.clone(),
        code_name: words(&candidate.original_name),
        category: Some(candidate.category.category.clone()),
        subcategory: candidate.category.subcategory.clone(),
        severity: candidate.severity,
        explanation: words(&candidate.explanation),
        evidence: candidate.evidence.clone(),
        anchor: candidate.anchor,
        spans: candidate
            .spans
            .iter()
            .filter_map(|(start, end, quote)| Some((Span::new(*start, *end).ok()?, quote.clone())))
            .collect(),
    }
}

/// A rating that says something.
fn rating(rater: &str, candidate: &StoredCandidate, judgement: &Judgement) -> Option<RatingRecord> {
    let says = judgement.validity.is_some()
        || judgement.severity.is_some()
        || !judgement.better.is_empty()
        || judgement.discuss
        || !judgement.comment.trim().is_empty();
    says.then(|| RatingRecord {
        line: 0,
        rater: rater.to_owned(),
        candidate_key: candidate.source_key.clone(),
        validity: judgement
            .validity
            .map(|validity| validity.as_str().to_owned()),
        severity: judgement.severity,
        better: judgement.better.clone(),
        discuss: judgement.discuss,
        comment: judgement.comment.clone(),
    })
}

/// What the rater says of the item as a whole; nothing where they speak of its candidates only.
fn of_item(
    rater: &str,
    annotation: &StoredAnnotation,
    scheme: &Scheme,
) -> Option<ItemRatingRecord> {
    let body = &annotation.body;
    let says = !annotation.ratable
        || body.nothing_missed
        || body.missed_count.is_some()
        || !(body.missed.is_empty() && body.answers.is_empty() && body.comment.is_empty())
        || body.judgements.is_empty();
    let not_ratable = (!annotation.ratable).then(|| annotation.not_ratable_reason.clone());
    says.then(|| ItemRatingRecord {
        line: 0,
        rater: rater.to_owned(),
        answers: body
            .answers
            .iter()
            .filter(|(question, said)| !said.values.is_empty() || takes_none(question, scheme))
            .map(|(question, said)| answer(question, said))
            .collect(),
        missed: body.missed.iter().map(missed).collect(),
        nothing_missed: body.nothing_missed,
        missed_count: body.missed_count,
        not_ratable,
        comment: body.comment.clone(),
    })
}

/// Whether choosing nothing answers the question.
fn takes_none(question: &str, scheme: &Scheme) -> bool {
    scheme.question(question).is_some_and(|question| {
        matches!(
            question.kind,
            QuestionKind::Multi | QuestionKind::Points | QuestionKind::Relations
        )
    })
}

fn missed(tag: &MissedTag) -> MissedRecord {
    let span = tag
        .span
        .and_then(|(start, end)| Some((Span::new(start, end).ok()?, tag.quote.clone())));
    MissedRecord {
        code: tag.code.clone(),
        severity: tag.severity,
        span,
        comment: tag.comment.clone(),
    }
}

fn answer(question: &str, said: &Answer) -> AnswerRecord {
    AnswerRecord {
        question: question.to_owned(),
        values: said.values.clone(),
        rationale: said.rationale.clone(),
    }
}
