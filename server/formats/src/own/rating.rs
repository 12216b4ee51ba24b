//! Ratings that people gave elsewhere, each of a candidate of the same record.

use serde_json::Value;

use crate::{
    Problem, Who, answer,
    json::{Fields, describe},
    problem::excerpt,
    read::Reading,
    record::{ItemRatingRecord, MissedRecord, RatingRecord},
    verdict,
};

/// The ratings of candidates and those of the item.
type Both = (Vec<RatingRecord>, Vec<ItemRatingRecord>);

/// The field `ratings`, without raters that are not asked for. A rating that names no candidate is of the item.
pub(super) fn ratings(
    fields: &mut Fields,
    candidates: &[String],
    trace: &str,
    reading: &mut Reading<'_>,
) -> Both {
    let (mut ratings, mut said): Both = Default::default();
    for object in fields.objects("ratings", &mut reading.problems) {
        let name = object.name("rater");
        let of_item = !object.has("candidate")
            && ["answers", "missed", "nothing_missed"]
                .into_iter()
                .any(|field| object.has(field));
        let (line, rater, twice) = if of_item {
            let Some(rating) = of_the_item(object, trace, reading) else {
                continue;
            };
            let twice = said.iter().any(|other| other.rater == rating.rater);
            let found = (
                rating.line,
                rating.rater.clone(),
                twice.then_some("one judgement of the item by each rater"),
            );
            if takes(&rating.rater, reading) {
                said.push(rating);
            }
            found
        } else {
            let Some(rating) = rating(object, candidates, reading) else {
                continue;
            };
            let same = |r: &RatingRecord| {
                (&r.rater, &r.candidate_key) == (&rating.rater, &rating.candidate_key)
            };
            let twice = ratings.iter().any(same);
            let found = (
                rating.line,
                rating.rater.clone(),
                twice.then_some("one rating of a candidate by each rater"),
            );
            if takes(&rating.rater, reading) {
                ratings.push(rating);
            }
            found
        };
        if let Some(expected) = twice {
            reading.problem(Problem::new(line, excerpt(&rater), expected).field(name));
        }
    }
    (ratings, said)
}

fn takes(rater: &str, reading: &mut Reading<'_>) -> bool {
    reading.found_rater(rater);
    reading.takes_rating_of(rater)
}

fn of_the_item(
    mut fields: Fields,
    trace: &str,
    reading: &mut Reading<'_>,
) -> Option<ItemRatingRecord> {
    let rater = fields.required("rater", "the name of the rater", &mut reading.problems);
    let answers = answer::answers(&mut fields, reading);
    let objects = fields.objects("missed", &mut reading.problems);
    let missed = objects
        .into_iter()
        .filter_map(|object| missed(object, trace, reading))
        .collect::<Vec<_>>();
    let nothing_missed = match fields.value("nothing_missed") {
        None | Some(Value::Bool(false)) => false,
        Some(Value::Bool(true)) => {
            if !missed.is_empty() {
                reading.problem(fields.problem(
                    "nothing_missed",
                    "true beside missed tags",
                    "one of them",
                ));
            }
            true
        }
        Some(other) => {
            reading.problem(fields.problem("nothing_missed", describe(&other), "true or false"));
            false
        }
    };
    let comment = fields
        .text("comment", &mut reading.problems)
        .unwrap_or_default();
    let line = fields.line;
    refuse(
        &mut fields,
        &["candidate", "validity", "severity"],
        "a rating of a candidate, which it must name",
        reading,
    );
    fields.refuse_rest(KNOWN, &mut reading.problems);
    Some(ItemRatingRecord {
        line,
        rater: rater?,
        answers,
        missed,
        nothing_missed,
        comment,
    })
}

/// Fields that belong to the other kind of rating.
fn refuse(fields: &mut Fields, names: &[&str], expected: &str, reading: &mut Reading<'_>) {
    for name in names {
        if fields.value(name).is_some() {
            let expected = format!("this in {expected}");
            reading.problem(fields.problem(name, "a field of the other kind of rating", expected));
        }
    }
}

/// A missed tag: a code, and the words it stands on where the file has them.
fn missed(mut fields: Fields, trace: &str, reading: &mut Reading<'_>) -> Option<MissedRecord> {
    let expected = reading.book.codes_expected();
    let code = fields.required("category", &expected, &mut reading.problems);
    let resolved =
        code.and_then(|code| verdict::resolve(&fields, "category", &code, None, reading));
    let severity = verdict::severity(&mut fields, Who::Rater, reading);
    let evidence = fields.words("evidence", &mut reading.problems);
    let span = evidence.and_then(|quote| {
        let found = domain::span::anchor(trace, &quote);
        let span = found
            .spans
            .first()
            .copied()
            .and_then(|span| Some((span, span.slice(trace).ok()?.to_owned())));
        if span.is_none() {
            reading.problem(fields.problem(
                "evidence",
                excerpt(&quote),
                "words that stand in the trace",
            ));
        }
        span
    });
    let comment = fields
        .text("comment", &mut reading.problems)
        .unwrap_or_default();
    fields.refuse_rest(
        "category, severity, evidence or comment",
        &mut reading.problems,
    );
    let resolved = resolved?;
    Some(MissedRecord {
        code: resolved.subcategory.unwrap_or(resolved.category),
        severity,
        span,
        comment,
    })
}

const KNOWN: &str =
    "rater, candidate, validity, severity, answers, missed, nothing_missed or comment";

fn rating(
    mut fields: Fields,
    candidates: &[String],
    reading: &mut Reading<'_>,
) -> Option<RatingRecord> {
    let rater = fields.required("rater", "the name of the rater", &mut reading.problems);
    let candidate_key = candidate(&mut fields, candidates, reading);
    let validity = fields.words("validity", &mut reading.problems);
    if let Some(word) = validity
        .as_deref()
        .filter(|word| !reading.book.validity_ok(word))
    {
        reading.problem(fields.problem(
            "validity",
            excerpt(word),
            reading.book.validity_expected(),
        ));
    }
    let rated = fields.has("severity");
    let severity = verdict::severity(&mut fields, Who::Rater, reading);
    let comment = fields
        .text("comment", &mut reading.problems)
        .unwrap_or_default();
    if !rated && validity.is_none() && comment.trim().is_empty() {
        reading.problem(fields.problem(
            "severity",
            "nothing",
            "a validity, a severity or a comment",
        ));
    }
    let line = fields.line;
    refuse(
        &mut fields,
        &["answers", "missed", "nothing_missed"],
        "a rating of the item, which names no candidate",
        reading,
    );
    fields.refuse_rest(KNOWN, &mut reading.problems);
    Some(RatingRecord {
        line,
        rater: rater?,
        candidate_key: candidate_key?,
        validity,
        severity,
        comment,
    })
}

/// The candidate by its key, or by its place in the list.
fn candidate(
    fields: &mut Fields,
    candidates: &[String],
    reading: &mut Reading<'_>,
) -> Option<String> {
    let value = fields.value("candidate").unwrap_or_default();
    let known = match &value {
        Value::String(key) => candidates.iter().find(|candidate| *candidate == key),
        Value::Number(place) => place
            .as_u64()
            .and_then(|place| candidates.get(place as usize)),
        _ => None,
    };
    if known.is_none() {
        let found = value.as_str().map_or_else(|| describe(&value), excerpt);
        reading.problem(fields.problem(
            "candidate",
            found,
            "the key of a candidate of this record, or its place in the list counted from 0",
        ));
    }
    known.cloned()
}
