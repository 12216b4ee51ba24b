//! What the browser needs of a scheme to know what is still to do: no definitions, and little code to read it.

use domain::scheme::{
    Asked, CandidateQuestions, ItemQuestion, Level, MissedQuestions, Scheme, SeverityScale,
    Validity, ValidityLevel,
};
use serde::{Deserialize, Serialize};

/// The rules, as plain tuples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// Whether candidates are judged: value, key and name of each answer.
    validity: Vec<(String, String, String)>,
    /// Values of the levels; none where the scheme has no scale.
    levels: Vec<f64>,
    /// Whether severity is required of an invalid tag.
    severity_when_invalid: bool,
    /// Whether missed tags are asked for, and whether they need a span.
    missed: (bool, bool),
    /// Each question: its name, whether it is required, below and above which values it needs a reason.
    questions: Vec<(String, bool, [Option<f64>; 2])>,
}

impl Rules {
    /// What of a scheme matters to the desk.
    pub fn of(scheme: &Scheme) -> Self {
        let answers = scheme
            .candidates
            .validity
            .iter()
            .filter(|_| scheme.candidates.asked);
        let answer = |level: &ValidityLevel| {
            (
                level.value.as_str().to_owned(),
                level.key.clone(),
                level.name.clone(),
            )
        };
        let question = |q: &ItemQuestion| {
            let reasons = [q.rationale_below, q.rationale_above];
            (q.id.clone(), q.asked == Asked::Required, reasons)
        };
        Self {
            validity: answers.map(answer).collect(),
            levels: scheme
                .severity
                .as_ref()
                .map(SeverityScale::values)
                .unwrap_or_default(),
            severity_when_invalid: scheme.candidates.severity_when_invalid == Asked::Required,
            missed: (scheme.missed.asked, scheme.missed.span == Asked::Required),
            questions: scheme.item_questions.iter().map(question).collect(),
        }
    }

    /// A scheme that asks the same, so that the browser counts what is missing with the server's own rule.
    pub fn scheme(&self) -> Scheme {
        let answer = |(value, key, name): &(String, String, String)| {
            Some(ValidityLevel {
                value: Validity::parse(value)?,
                key: key.clone(),
                name: name.clone(),
                definition: String::new(),
            })
        };
        Scheme {
            candidates: CandidateQuestions {
                asked: !self.validity.is_empty(),
                severity_when_invalid: required(self.severity_when_invalid),
                validity: self.validity.iter().filter_map(answer).collect(),
                ..CandidateQuestions::default()
            },
            severity: (!self.levels.is_empty()).then(|| SeverityScale {
                question: String::new(),
                halves: domain::scheme::Halves::default(),
                levels: self.levels.iter().copied().map(nameless).collect(),
            }),
            missed: MissedQuestions {
                asked: self.missed.0,
                span: required(self.missed.1),
                ..MissedQuestions::default()
            },
            item_questions: self.questions.iter().map(wordless).collect(),
            ..Scheme::default()
        }
    }
}

fn required(yes: bool) -> Asked {
    if yes {
        Asked::Required
    } else {
        Asked::Optional
    }
}

fn nameless(value: f64) -> Level {
    Level {
        value,
        ..Level::default()
    }
}

fn wordless((id, needed, [below, above]): &(String, bool, [Option<f64>; 2])) -> ItemQuestion {
    ItemQuestion {
        id: id.clone(),
        asked: required(*needed),
        rationale_below: *below,
        rationale_above: *above,
        ..ItemQuestion::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        annotation::{Annotation, Frame, Judgement},
        id::CandidateId,
    };
    use std::collections::BTreeMap;

    #[test]
    fn the_browser_finds_the_same_gaps_as_the_server() {
        let stigma = domain::scheme::parse(domain::scheme::builtin("stigma").unwrap())
            .unwrap()
            .0;
        let mut asking = stigma.clone();
        asking.item_questions.push(ItemQuestion {
            id: "tone".into(),
            kind: domain::scheme::QuestionKind::Ordinal,
            rationale_below: Some(2.0),
            rationale_above: Some(4.0),
            ..ItemQuestion::default()
        });
        asking.candidates.severity_when_invalid = Asked::Required;
        let candidates = ["a", "b"].map(CandidateId::new);
        let invalid = Judgement {
            validity: Some(Validity::Invalid),
            ..Judgement::default()
        };
        let started = Annotation {
            judgements: BTreeMap::from([(candidates[0].clone(), invalid)]),
            ..Annotation::default()
        };
        for scheme in [&stigma, &asking] {
            let slim = Rules::of(scheme).scheme();
            for annotation in [&Annotation::default(), &started] {
                let gaps = |scheme| {
                    annotation.gaps(Frame {
                        scheme,
                        candidates: &candidates,
                        trace: "",
                    })
                };
                assert_eq!(gaps(&slim), gaps(scheme));
                assert!(!gaps(scheme).is_empty());
            }
        }
    }
}
