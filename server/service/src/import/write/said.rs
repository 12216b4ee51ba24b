//! What a rater said of an item, in the file and in the study, and whether the two are the same.

use super::Known;
use crate::error::Result;
use crate::services::Services;
use domain::annotation::{Annotation, Answer, Judgement, MissedTag};
use domain::id::{AnnotationId, CandidateId, ItemId, MissedTagId, UserId};
use domain::scheme::{Scheme, Validity};
use formats::record::{AnswerRecord, ItemRatingRecord, MissedRecord, RatingRecord};
use std::collections::{BTreeMap, HashMap};
use store::AnyConnection;
use store::annotation::StoredAnnotation;
use store::import::{ImportedJudgement, KnownRating};

/// What a rater's annotation says of the item as a whole.
#[derive(Clone)]
pub(super) struct Said {
    pub(super) annotation: AnnotationId,
    /// Whether it came from a file.
    pub(super) imported: bool,
    /// Its document without judgements of candidates.
    pub(super) body: Annotation,
    pub(super) not_ratable: Option<String>,
}

impl Said {
    pub(super) fn nothing(annotation: &AnnotationId) -> Self {
        Self {
            annotation: annotation.clone(),
            imported: true,
            body: Annotation::default(),
            not_ratable: None,
        }
    }

    /// Why nothing can be added to it.
    pub(super) fn closed(&self) -> Option<&'static str> {
        if !self.imported {
            Some("no further ratings by somebody who judges this trace here")
        } else if self.not_ratable.is_some() {
            Some("no rating by somebody who says that the item cannot be rated")
        } else {
            None
        }
    }
}

/// What the rater's annotation says of the item as a whole; nothing without an annotation.
pub(super) async fn item_part(
    connection: &mut AnyConnection,
    scheme: &Scheme,
    known: &mut Known,
    (item, rater): (&ItemId, &UserId),
) -> Result<Option<Said>> {
    let key = (item.clone(), rater.clone());
    if !known.said.contains_key(&key) && known.judged.contains(&key) {
        let counts = |found: &StoredAnnotation| ["main", "imported"].contains(&&*found.round);
        let all = store::annotation::latest_of_item(connection, item).await?;
        for found in all.into_iter().filter(counts) {
            let mut said = Said {
                annotation: found.id,
                imported: found.round == "imported",
                body: Annotation {
                    judgements: BTreeMap::new(),
                    ..found.body
                },
                not_ratable: (!found.ratable).then_some(found.not_ratable_reason),
            };
            // What was ticked in another order before answers were put in that of the scheme is the same answer.
            said.body.in_order(scheme);
            let of_rater = (item.clone(), found.rater);
            if !known.grown.contains(&of_rater) {
                known.said.insert(of_rater, said);
            }
        }
    }
    Ok(known.said.get(&key).cloned())
}

/// What a file says of the item as a whole, as the document that the desk edits.
pub(super) fn body_of(app: &Services, rating: &ItemRatingRecord) -> Annotation {
    let answer = |said: &AnswerRecord| {
        let answer = Answer {
            values: said.values.clone(),
            rationale: said.rationale.clone(),
        };
        (said.question.clone(), answer)
    };
    let tag = |found: &MissedRecord| MissedTag {
        id: MissedTagId::new(app.id()),
        code: found.code.clone(),
        severity: found.severity,
        span: found
            .span
            .as_ref()
            .map(|(span, _)| (span.start(), span.end())),
        quote: found
            .span
            .as_ref()
            .map(|(_, quote)| quote.clone())
            .unwrap_or_default(),
        comment: found.comment.clone(),
    };
    Annotation {
        answers: rating.answers.iter().map(answer).collect(),
        missed: rating.missed.iter().map(tag).collect(),
        nothing_missed: rating.nothing_missed,
        missed_count: rating.missed_count,
        comment: rating.comment.clone(),
        ..Annotation::default()
    }
}

/// Whether two annotations say the same of the item; identities of missed tags do not count.
pub(super) fn alike(one: &Said, other: &Said) -> bool {
    let tags = |of: &Said| {
        let tag = |tag: &MissedTag| MissedTag {
            id: MissedTagId::new(""),
            ..tag.clone()
        };
        of.body.missed.iter().map(tag).collect::<Vec<_>>()
    };
    // A question left blank on the desk is not asked again by a file that leaves it out.
    let answers = |of: &Said| {
        let given = of.body.answers.clone().into_iter();
        given
            .filter(|(_, answer)| *answer != Answer::default())
            .collect::<BTreeMap<_, _>>()
    };
    let (a, b) = (&one.body, &other.body);
    answers(one) == answers(other)
        && a.nothing_missed == b.nothing_missed
        && a.missed_count == b.missed_count
        && a.comment == b.comment
        && one.not_ratable == other.not_ratable
        && tags(one) == tags(other)
}

pub(super) fn judgement_of(rating: &RatingRecord, candidate: CandidateId) -> ImportedJudgement {
    ImportedJudgement {
        candidate,
        validity: rating.validity.clone().unwrap_or_default(),
        severity: rating.severity,
        better: rating.better.clone(),
        discuss: rating.discuss,
        comment: rating.comment.clone(),
    }
}

pub(super) fn same(found: &KnownRating, said: &ImportedJudgement) -> bool {
    found.validity == said.validity
        && found.severity == said.severity
        && found.better == said.better
        && found.discuss == said.discuss
        && found.comment == said.comment
}

pub(super) fn known_of(said: &ImportedJudgement, annotation: &AnnotationId) -> KnownRating {
    KnownRating {
        annotation: annotation.clone(),
        imported: true,
        validity: said.validity.clone(),
        severity: said.severity,
        better: said.better.clone(),
        discuss: said.discuss,
        comment: said.comment.clone(),
    }
}

/// All that the annotation says now, for the hash that names it.
pub(super) fn document(
    of_item: &Annotation,
    before: &HashMap<CandidateId, KnownRating>,
    fresh: &[ImportedJudgement],
) -> Annotation {
    let old = before.iter().map(|(id, said)| {
        let judgement = Judgement {
            validity: Validity::parse(&said.validity),
            severity: said.severity,
            better: said.better.clone(),
            comment: said.comment.clone(),
            discuss: said.discuss,
        };
        (id.clone(), judgement)
    });
    let new = fresh.iter().map(|said| {
        let judgement = Judgement {
            validity: Validity::parse(&said.validity),
            severity: said.severity,
            better: said.better.clone(),
            comment: said.comment.clone(),
            discuss: said.discuss,
        };
        (said.candidate.clone(), judgement)
    });
    Annotation {
        judgements: old.chain(new).collect(),
        ..of_item.clone()
    }
}
