//! The words that the desk says of an annotation, on the server and in the browser alike.

use domain::{
    annotation::{Annotation, Gap, Judgement, MissedTag, shortest},
    id::{CandidateId, MissedTagId},
    scheme::{Scheme, Validity},
};

/// Reasons for which an item cannot be rated: the code that is stored and what people read.
pub const NOT_RATABLE: [(&str, &str); 5] = [
    ("text_damaged", "The text is cut off or damaged"),
    ("not_understandable", "The text cannot be understood"),
    ("wrong_material", "This does not belong in the study"),
    ("known_case", "I know this case from elsewhere"),
    ("other", "Another reason"),
];

/// What the head of a card says of its judgement: `Valid · 3`.
pub fn judged(judgement: Option<&Judgement>, scheme: &Scheme) -> String {
    let validity = judgement.and_then(|j| j.validity);
    let severity = judgement.and_then(|j| j.severity);
    let words = [
        validity.map(|v| validity_name(v, scheme)),
        severity.map(shortest),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    if words.is_empty() {
        "not judged".into()
    } else {
        words.join(" · ")
    }
}

/// What the head of a missed tag says: its severity, or that it is missing.
pub fn scored(tag: &MissedTag) -> String {
    tag.severity.map_or_else(|| "no severity".into(), shortest)
}

/// What the scheme calls a validity.
pub fn validity_name(validity: Validity, scheme: &Scheme) -> String {
    let level = scheme
        .candidates
        .validity
        .iter()
        .find(|level| level.value == validity);
    level.map_or_else(|| validity.as_str().to_owned(), |level| level.name.clone())
}

/// `2 tags and 1 question to go`.
pub fn to_go(gaps: &[Gap]) -> String {
    let mut tags: Vec<&str> = Vec::new();
    let mut questions = 0;
    for gap in gaps {
        let tag = match gap {
            Gap::Validity { candidate } | Gap::Severity { candidate } => candidate.as_str(),
            Gap::MissedCategory { tag } | Gap::MissedSeverity { tag } | Gap::MissedSpan { tag } => {
                tag.as_str()
            }
            Gap::Missed | Gap::Answer { .. } | Gap::Rationale { .. } | Gap::Relations { .. } => {
                questions += 1;
                continue;
            }
        };
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    match (counted(tags.len(), "tag"), counted(questions, "question")) {
        (Some(tags), Some(questions)) => format!("{tags} and {questions} to go"),
        (Some(one), None) | (None, Some(one)) => format!("{one} to go"),
        (None, None) => "Ready to submit".into(),
    }
}

fn counted(count: usize, noun: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{count} {noun}s")),
    }
}

/// A gap as a sentence, and the `id` of the control that closes it.
pub fn gap_line(
    gap: &Gap,
    candidates: &[CandidateId],
    annotation: &Annotation,
) -> (String, String) {
    let number = |id: &CandidateId| {
        candidates
            .iter()
            .position(|c| c == id)
            .map_or(0, |at| at + 1)
    };
    let row = |id: &MissedTagId| {
        annotation
            .missed
            .iter()
            .position(|tag| &tag.id == id)
            .map_or(0, |at| at + 1)
    };
    match gap {
        Gap::Validity { candidate } => {
            of_tag(number(candidate), "say whether it is right", "validity")
        }
        Gap::Severity { candidate } => of_tag(number(candidate), "choose a severity", "severity"),
        Gap::MissedCategory { tag } => of_missed(row(tag), "choose a category", "code"),
        Gap::MissedSeverity { tag } => of_missed(row(tag), "choose a severity", "severity"),
        Gap::MissedSpan { tag } => {
            of_missed(row(tag), "quote words that stand in the trace", "quote")
        }
        Gap::Missed => (
            "Add the tags that are missing, or say that there are none".into(),
            "nothing-missed".into(),
        ),
        Gap::Answer { question } => (
            "Answer the question about the item".into(),
            format!("q-{question}"),
        ),
        Gap::Rationale { question } => (
            "Give a reason for this answer".into(),
            format!("why-{question}"),
        ),
        Gap::Relations { question } => (
            "Relate steps and words that are there".into(),
            format!("q-{question}"),
        ),
    }
}

fn of_tag(n: usize, what: &str, part: &str) -> (String, String) {
    (format!("Tag {n}: {what}"), format!("c{n}-{part}"))
}

fn of_missed(n: usize, what: &str, part: &str) -> (String, String) {
    (format!("Missed tag +{n}: {what}"), format!("m{n}-{part}"))
}

/// One field in which two versions of an annotation differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which field.
    pub field: String,
    /// What stands here.
    pub mine: String,
    /// What stands on the server.
    pub theirs: String,
}

/// Every field in which two versions differ, in the order of the desk.
pub fn differences(
    mine: &Annotation,
    theirs: &Annotation,
    candidates: &[CandidateId],
    scheme: &Scheme,
) -> Vec<Difference> {
    let (mine, theirs) = (
        lines(mine, candidates, scheme),
        lines(theirs, candidates, scheme),
    );
    let mut fields: Vec<&String> = mine.iter().map(|(field, _)| field).collect();
    for (field, _) in &theirs {
        if !fields.contains(&field) {
            fields.push(field);
        }
    }
    let value = |lines: &[(String, String)], field: &str| {
        lines
            .iter()
            .find(|(name, _)| name == field)
            .map_or_else(|| "–".to_owned(), |(_, value)| value.clone())
    };
    fields
        .into_iter()
        .map(|field| Difference {
            field: field.clone(),
            mine: value(&mine, field),
            theirs: value(&theirs, field),
        })
        .filter(|difference| difference.mine != difference.theirs)
        .collect()
}

/// Everything that was answered, field by field.
fn lines(
    annotation: &Annotation,
    candidates: &[CandidateId],
    scheme: &Scheme,
) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    for (at, candidate) in candidates.iter().enumerate() {
        if let Some(judgement) = annotation.judgements.get(candidate) {
            lines.extend(judgement_lines(at + 1, judgement, scheme));
        }
    }
    lines.extend(annotation.missed.iter().map(missed_line));
    let yes = |is: bool| if is { "yes".into() } else { String::new() };
    let count = annotation.missed_count.map(|n| n.to_string());
    lines.push(("Nothing missed".into(), yes(annotation.nothing_missed)));
    lines.push(("Categories missed".into(), count.unwrap_or_default()));
    for (id, answer) in &annotation.answers {
        lines.push((format!("Question {id}"), answer.values.join(", ")));
        lines.push((format!("Question {id}: reason"), answer.rationale.clone()));
    }
    lines.push(("Comment on the item".into(), annotation.comment.clone()));
    lines.retain(|(_, value)| !value.is_empty());
    lines
}

fn judgement_lines(n: usize, judgement: &Judgement, scheme: &Scheme) -> [(String, String); 5] {
    let validity = judgement
        .validity
        .map(|v| validity_name(v, scheme))
        .unwrap_or_default();
    let discuss = if judgement.discuss {
        "yes".into()
    } else {
        String::new()
    };
    [
        ("right?", validity),
        (
            "severity",
            judgement.severity.map(shortest).unwrap_or_default(),
        ),
        ("better category", judgement.better.join(", ")),
        ("comment", judgement.comment.clone()),
        ("to discuss", discuss),
    ]
    .map(|(what, value)| (format!("Tag {n}: {what}"), value))
}

fn missed_line(tag: &MissedTag) -> (String, String) {
    let code = if tag.code.is_empty() {
        "no category"
    } else {
        &tag.code
    };
    let severity = tag
        .severity
        .map(|value| format!(", severity {}", shortest(value)));
    let comment = (!tag.comment.is_empty()).then(|| format!(": {}", tag.comment));
    let value = format!(
        "{code}{}{}",
        severity.unwrap_or_default(),
        comment.unwrap_or_default()
    );
    (format!("Missed tag on “{}”", tag.quote), value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn id(text: &str) -> CandidateId {
        CandidateId::new(text)
    }

    #[test]
    fn a_tag_with_two_gaps_is_one_tag_to_go() {
        let gaps = [
            Gap::Validity { candidate: id("a") },
            Gap::Severity { candidate: id("a") },
            Gap::MissedSeverity {
                tag: MissedTagId::new("m"),
            },
            Gap::Missed,
        ];
        assert_eq!(to_go(&gaps), "2 tags and 1 question to go");
        assert_eq!(to_go(&gaps[..2]), "1 tag to go");
        assert_eq!(to_go(&[]), "Ready to submit");
    }

    #[test]
    fn a_gap_names_the_number_on_the_card_and_points_at_its_control() {
        let candidates = [id("a"), id("b")];
        let (text, target) = gap_line(
            &Gap::Severity { candidate: id("b") },
            &candidates,
            &Annotation::default(),
        );
        assert_eq!(
            (text.as_str(), target.as_str()),
            ("Tag 2: choose a severity", "c2-severity")
        );
    }

    // Fault row 15 (cloud-annotations #55): both versions are shown, field by field.
    #[test]
    fn only_what_differs_is_shown_whichever_side_has_it() {
        let scheme = domain::scheme::parse(domain::scheme::builtin("stigma").expect("built in"))
            .expect("valid")
            .0;
        let judged = |severity: f64, comment: &str| {
            let judgement = Judgement {
                severity: Some(severity),
                comment: comment.into(),
                ..Judgement::default()
            };
            Annotation {
                judgements: BTreeMap::from([(id("a"), judgement)]),
                ..Annotation::default()
            }
        };
        let mine = Annotation {
            nothing_missed: true,
            ..judged(3.0, "same")
        };
        let found = differences(&mine, &judged(4.0, "same"), &[id("a")], &scheme);
        let found: Vec<_> = found
            .iter()
            .map(|d| (d.field.as_str(), d.mine.as_str(), d.theirs.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("Tag 1: severity", "3", "4"),
                ("Nothing missed", "yes", "–")
            ]
        );
    }
}
