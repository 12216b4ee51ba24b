//! Ratings that people gave elsewhere, each of a candidate of the same record.

use serde_json::Value;

use crate::{
    Problem, Who,
    json::{Fields, describe},
    problem::excerpt,
    read::Reading,
    record::RatingRecord,
    verdict,
};

/// The field `ratings`, without raters that are not asked for.
pub(super) fn ratings(
    fields: &mut Fields,
    candidates: &[String],
    reading: &mut Reading<'_>,
) -> Vec<RatingRecord> {
    let mut ratings: Vec<RatingRecord> = Vec::new();
    for object in fields.objects("ratings", &mut reading.problems) {
        let name = object.name("rater");
        let Some(rating) = rating(object, candidates, reading) else {
            continue;
        };
        let earlier = ratings
            .iter()
            .any(|r| (&r.rater, &r.candidate_key) == (&rating.rater, &rating.candidate_key));
        if earlier {
            reading.problem(
                Problem::new(
                    rating.line,
                    excerpt(&rating.rater),
                    "one rating of a candidate by each rater",
                )
                .field(name),
            );
        }
        reading.found_rater(&rating.rater);
        if reading.takes_rating_of(&rating.rater) {
            ratings.push(rating);
        }
    }
    ratings
}

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
    fields.refuse_rest(
        "rater, candidate, validity, severity or comment",
        &mut reading.problems,
    );
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
