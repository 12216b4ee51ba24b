//! Ratings that people gave elsewhere, each of a candidate of the same record.

use serde_json::Value;

use super::item_rating::{self, OF_ITEM};
use crate::{
    Problem, Who,
    json::{Fields, describe},
    problem::excerpt,
    read::Reading,
    record::{ItemRatingRecord, RatingRecord},
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
        let of_item =
            !object.has("candidate") && OF_ITEM.into_iter().any(|field| object.has(field));
        let (line, rater, twice) = if of_item {
            let Some(rating) = item_rating::rating(object, trace, reading) else {
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
    for rating in &ratings {
        let reason = said.iter().find(|said| said.rater == rating.rater);
        if reason.is_some_and(|said| said.not_ratable.is_some()) {
            let expected = "no rating by somebody who says that the item cannot be rated";
            let found = excerpt(&rating.rater);
            reading.problem(Problem::new(rating.line, found, expected).field("ratings"));
        }
    }
    (ratings, said)
}

fn takes(rater: &str, reading: &mut Reading<'_>) -> bool {
    reading.found_rater(rater);
    reading.takes_rating_of(rater)
}

/// Every field of either kind of rating.
pub(super) const KNOWN: &str = "rater, candidate, validity, severity, better, discuss, answers, missed, nothing_missed, missed_count, not_ratable or comment";

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
    let says_better = fields.has("better");
    let better = better(&mut fields, reading);
    let discuss = flag(&mut fields, "discuss", reading);
    let comment = fields
        .text("comment", &mut reading.problems)
        .unwrap_or_default();
    let says = rated || validity.is_some() || says_better || discuss;
    if !says && comment.trim().is_empty() {
        reading.problem(fields.problem(
            "severity",
            "nothing",
            "a validity, a severity or a comment",
        ));
    }
    let line = fields.line;
    refuse(
        &mut fields,
        &OF_ITEM,
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
        better,
        discuss,
        comment,
    })
}

/// The field `better`: codes that fit better, as the scheme's own.
fn better(fields: &mut Fields, reading: &mut Reading<'_>) -> Vec<String> {
    let codes = fields.texts("better", &mut reading.problems);
    codes
        .iter()
        .filter_map(|code| verdict::resolve(fields, "better", code, None, reading))
        .map(|found| found.subcategory.unwrap_or(found.category))
        .collect()
}

/// A field that is true or false; false when absent.
pub(super) fn flag(fields: &mut Fields, name: &str, reading: &mut Reading<'_>) -> bool {
    match fields.value(name) {
        None => false,
        Some(Value::Bool(said)) => said,
        Some(other) => {
            reading.problem(fields.problem(name, describe(&other), "true or false"));
            false
        }
    }
}

/// Fields that belong to the other kind of rating.
pub(super) fn refuse(
    fields: &mut Fields,
    names: &[&str],
    expected: &str,
    reading: &mut Reading<'_>,
) {
    for name in names {
        if fields.value(name).is_some() {
            let expected = format!("this in {expected}");
            reading.problem(fields.problem(name, "a field of the other kind of rating", expected));
        }
    }
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
