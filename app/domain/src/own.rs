//! Items on which the judge's tags are hidden at first: the rater marks what they find themselves, and then judges what
//! the judge found. The first step is fixed when the second begins.

use crate::annotation::{Annotation, AnnotationError, Judgement, MissedTag};
use crate::id::CandidateId;
use crate::scheme::{CategoryRef, Scheme, Validity};
use serde::{Deserialize, Serialize};

/// What a rater is asked at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Everything at once: the judge's tags are shown from the start.
    #[default]
    Whole,
    /// Their own tags; nothing of the judge is shown.
    Own,
    /// The judge's tags; their own are fixed.
    Judge,
}

/// A tag of the judge, as far as it tells whether a rater found the same.
#[derive(Clone, Copy, Debug)]
pub struct Proposed<'a> {
    /// Which candidate.
    pub id: &'a CandidateId,
    /// Under which category.
    pub category: &'a CategoryRef,
    /// On which words.
    pub spans: &'a [(u32, u32)],
}

impl Step {
    /// The step that is next, or the last one taken.
    pub fn of(judge_hidden: bool, own_given: bool) -> Self {
        match (judge_hidden, own_given) {
            (false, _) => Self::Whole,
            (true, false) => Self::Own,
            (true, true) => Self::Judge,
        }
    }

    /// The part of a scheme that this step asks.
    pub fn scheme(self, scheme: &Scheme) -> Scheme {
        let mut asked = scheme.clone();
        match self {
            Self::Whole => {}
            Self::Own => {
                asked.candidates.asked = false;
                asked.missed.count = false;
                "Your own tags".clone_into(&mut asked.missed.question);
            }
            Self::Judge => {
                asked.missed.asked = false;
                asked.item_questions.clear();
            }
        }
        asked
    }

    /// Checks that nothing is said that this step does not ask; the rest is [`Annotation::check`] under its scheme.
    ///
    /// # Errors
    /// [`AnnotationError::UnknownAnswer`] when own tags are sent once they are fixed.
    pub fn check(self, annotation: &Annotation) -> Result<(), AnnotationError> {
        let own = !annotation.missed.is_empty()
            || annotation.nothing_missed
            || annotation.missed_count.is_some();
        if self == Self::Judge && own {
            return Err(AnnotationError::UnknownAnswer);
        }
        Ok(())
    }
}

/// Whether tags can be hidden under a scheme: raters must be asked for tags of their own and about the judge's.
pub fn can_hide(scheme: &Scheme) -> bool {
    scheme.candidates.asked && scheme.missed.asked
}

/// Both steps as one judgement: what was said of the judge's tags, and of the rater's own those that the judge missed.
/// An own tag is not missed when the rater finds a tag of its category in one of the judge's on words that it shares.
pub fn whole(
    own: &Annotation,
    second: &Annotation,
    proposed: &[Proposed<'_>],
    scheme: &Scheme,
) -> Annotation {
    let found = |tag: &MissedTag| {
        proposed.iter().any(|candidate| {
            second
                .judgements
                .get(candidate.id)
                .is_some_and(|judgement| accepted(judgement, candidate, tag, scheme))
        })
    };
    let missed: Vec<MissedTag> = own
        .missed
        .iter()
        .filter(|tag| !found(tag))
        .cloned()
        .collect();
    Annotation {
        judgements: second.judgements.clone(),
        nothing_missed: missed.is_empty(),
        missed,
        missed_count: None,
        answers: own.answers.clone(),
        comment: second.comment.clone(),
    }
}

/// Whether an own tag is of the candidate's category and on words that it shares; without words on either side the
/// category decides.
pub fn same(candidate: &Proposed<'_>, tag: &MissedTag, scheme: &Scheme) -> bool {
    is_of(tag, &candidate.category.category, scheme) && meets(candidate.spans, tag.span)
}

fn accepted(
    judgement: &Judgement,
    candidate: &Proposed<'_>,
    tag: &MissedTag,
    scheme: &Scheme,
) -> bool {
    let kept = judgement.validity != Some(Validity::Invalid)
        && is_of(tag, &candidate.category.category, scheme);
    let named = || {
        let better = judgement.better.iter().filter_map(|code| scheme.find(code));
        better
            .into_iter()
            .any(|better| is_of(tag, &better.category, scheme))
    };
    (kept || named()) && meets(candidate.spans, tag.span)
}

fn is_of(tag: &MissedTag, category: &str, scheme: &Scheme) -> bool {
    scheme
        .find(&tag.code)
        .is_some_and(|found| found.category == category)
}

fn meets(spans: &[(u32, u32)], own: Option<(u32, u32)>) -> bool {
    own.is_none_or(|(start, end)| {
        spans.is_empty() || spans.iter().any(|(from, to)| *from < end && start < *to)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotation::{Frame, Gap};
    use crate::id::MissedTagId;
    use std::collections::BTreeMap;

    fn stigma() -> Scheme {
        crate::scheme::parse(crate::scheme::builtin("stigma").unwrap())
            .unwrap()
            .0
    }

    fn tag(id: &str, code: &str, span: (u32, u32)) -> MissedTag {
        MissedTag {
            id: MissedTagId::new(id),
            code: code.into(),
            severity: Some(3.0),
            span: Some(span),
            quote: String::new(),
            comment: String::new(),
        }
    }

    fn judged(validity: Validity, better: &[&str]) -> Judgement {
        Judgement {
            validity: Some(validity),
            severity: Some(3.0),
            better: better.iter().map(|code| (*code).to_owned()).collect(),
            ..Judgement::default()
        }
    }

    #[test]
    fn each_step_asks_its_part_and_no_other() {
        let (scheme, candidate) = (stigma(), [CandidateId::new("c")]);
        let gaps = |step: Step, candidates| {
            Annotation::default().gaps(Frame {
                scheme: &step.scheme(&scheme),
                candidates,
                trace: "",
            })
        };
        assert_eq!(gaps(Step::Own, &[]), [Gap::Missed]);
        assert!(
            gaps(Step::Judge, &candidate)
                .iter()
                .all(|gap| gap.candidate() == Some(&candidate[0]))
        );
        assert_eq!(gaps(Step::Judge, &candidate).len(), 2);
        assert_eq!(gaps(Step::Whole, &candidate).len(), 3);
        assert_eq!(
            [(false, false), (false, true), (true, false), (true, true)]
                .map(|(hidden, given)| Step::of(hidden, given)),
            [Step::Whole, Step::Whole, Step::Own, Step::Judge]
        );
    }

    #[test]
    fn own_tags_are_refused_once_they_are_fixed() {
        let nothing = Annotation {
            nothing_missed: true,
            ..Annotation::default()
        };
        let one = Annotation {
            missed: vec![tag("a", "1.1", (0, 1))],
            ..Annotation::default()
        };
        for sent in [&nothing, &one] {
            assert_eq!(Step::Own.check(sent), Ok(()));
            assert_eq!(Step::Judge.check(sent), Err(AnnotationError::UnknownAnswer));
        }
        assert_eq!(Step::Judge.check(&Annotation::default()), Ok(()));
    }

    /// The judge has 1.1 on 0..10 and 2.1 on 20..30. Of the own tags, a is of category 1 on words that the first shares;
    /// b of category 1 elsewhere; c of category 2 on words that the second shares; d of category 3 on the first's words.
    #[test]
    fn an_own_tag_is_missed_unless_the_rater_finds_it_in_one_of_the_judges() {
        let scheme = stigma();
        let ids = ["first", "second"].map(CandidateId::new);
        let categories = ["1.1", "2.1"].map(|code| scheme.find(code).unwrap());
        let spans = [[(0, 10)], [(20, 30)]];
        let proposed = [0, 1].map(|at| Proposed {
            id: &ids[at],
            category: &categories[at],
            spans: &spans[at],
        });
        let own = Annotation {
            missed: vec![
                tag("a", "1.2", (9, 12)),
                tag("b", "1.1", (10, 12)),
                tag("c", "2.1", (25, 26)),
                tag("d", "3.1", (0, 10)),
            ],
            ..Annotation::default()
        };
        let missed = |first: Judgement, second: Judgement| {
            let second = Annotation {
                judgements: BTreeMap::from([(ids[0].clone(), first), (ids[1].clone(), second)]),
                comment: "after".into(),
                ..Annotation::default()
            };
            let whole = whole(&own, &second, &proposed, &scheme);
            assert_eq!(
                (whole.comment.as_str(), whole.judgements.len()),
                ("after", 2)
            );
            assert_eq!(whole.nothing_missed, whole.missed.is_empty());
            let ids: Vec<String> = whole.missed.iter().map(|tag| tag.id.to_string()).collect();
            ids.join("")
        };
        let valid = || judged(Validity::Valid, &[]);
        assert_eq!(missed(valid(), valid()), "bd");
        let other = judged(Validity::ValidOtherSubcategory, &[]);
        assert_eq!(missed(other, valid()), "bd");
        // Whoever calls the judge's tag invalid keeps their own, unless they name its category in its place.
        assert_eq!(missed(judged(Validity::Invalid, &[]), valid()), "abd");
        assert_eq!(missed(judged(Validity::Invalid, &["3.1"]), valid()), "ab");
    }

    #[test]
    fn found_alone_means_category_and_words() {
        let scheme = stigma();
        let (id, category) = (CandidateId::new("c"), scheme.find("1.1").unwrap());
        let at = |spans: &'static [(u32, u32)]| Proposed {
            id: &id,
            category: &category,
            spans,
        };
        assert!(same(
            &at(&[(0, 4), (8, 9)]),
            &tag("a", "1.2", (8, 12)),
            &scheme
        ));
        assert!(!same(&at(&[(0, 4)]), &tag("a", "1.2", (4, 6)), &scheme));
        assert!(!same(&at(&[(0, 4)]), &tag("a", "2.1", (0, 4)), &scheme));
        assert!(same(&at(&[]), &tag("a", "1", (4, 6)), &scheme));
    }
}
