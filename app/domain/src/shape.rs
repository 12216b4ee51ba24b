//! What an item has that answers may point to: the steps of its trace and its options.

use crate::annotation::{Annotation, NO_POINTS, slice};
use crate::relation::{Place, Relation, parse, pieces};
use crate::scheme::{ItemQuestion, QuestionKind, Scheme};

/// What an item has that answers may point to.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// The trace.
    pub trace: &'a str,
    /// Where its steps begin and end, in code points.
    pub steps: &'a [(u32, u32)],
    /// How many options the item has.
    pub points: usize,
}

/// What an answer points to and the item does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The item has no point of this number.
    NoSuchPoint(usize),
    /// The trace has no step of this number.
    NoSuchStep(u32),
    /// Nothing was split off that could have this letter.
    NoSuchPiece(Place),
    /// The words at which a new step is to begin do not stand in this step.
    NoSuchWords(u32),
    /// Two relations of the same two steps.
    Twice(Place, Place),
}

/// Whether answers to the question point into the item.
pub fn points_into(kind: QuestionKind) -> bool {
    matches!(kind, QuestionKind::Points | QuestionKind::Relations)
}

/// The first thing of an answer that the item does not have.
pub fn misfit(question: &ItemQuestion, values: &[String], shape: Shape<'_>) -> Option<Misfit> {
    match question.kind {
        QuestionKind::Points => values.iter().find_map(|value| {
            let point = value.parse().unwrap_or(0);
            let there = value == NO_POINTS || (1..=shape.points).contains(&point);
            (!there).then_some(Misfit::NoSuchPoint(point))
        }),
        QuestionKind::Relations => of_lines(values, shape),
        _ => None,
    }
}

/// What the answers of an annotation point to and the item does not have, question by question.
pub fn misfits<'a>(
    annotation: &'a Annotation,
    scheme: &'a Scheme,
    shape: Shape<'a>,
) -> impl Iterator<Item = (&'a str, Misfit)> {
    scheme.item_questions.iter().filter_map(move |question| {
        let answer = annotation.answers.get(&question.id)?;
        let found = misfit(question, &answer.values, shape)?;
        Some((question.id.as_str(), found))
    })
}

fn of_lines(lines: &[String], shape: Shape<'_>) -> Option<Misfit> {
    let all: Vec<Relation<'_>> = lines.iter().filter_map(|line| parse(line)).collect();
    let splits_of = |step: u32| -> Vec<&str> {
        let splits = all.iter().filter_map(|relation| match relation {
            Relation::Split(of, words) if *of == step => Some(*words),
            _ => None,
        });
        splits.collect()
    };
    let no_step = |step: u32| step == 0 || step as usize > shape.steps.len();
    let no_place = |place: Place| {
        if place == Place::INPUT {
            None
        } else if no_step(place.part) {
            Some(Misfit::NoSuchStep(place.part))
        } else {
            let there = splits_of(place.part).len();
            (place.piece as usize > there).then_some(Misfit::NoSuchPiece(place))
        }
    };
    all.iter().enumerate().find_map(|(at, relation)| match *relation {
        Relation::Link { part, target, .. } => {
            let same = |other: &Relation<'_>| {
                matches!(*other, Relation::Link { part: p, target: t, .. } if (p, t) == (part, target))
            };
            let twice = all[..at].iter().any(same);
            no_place(part)
                .or_else(|| no_place(target))
                .or(twice.then_some(Misfit::Twice(part, target)))
        }
        Relation::Join(step) => no_step(step).then_some(Misfit::NoSuchStep(step)),
        Relation::Split(step, _) if no_step(step) => Some(Misfit::NoSuchStep(step)),
        Relation::Split(step, _) => {
            let text = slice(shape.trace, shape.steps[step as usize - 1]).unwrap_or_default();
            let (_, lost) = pieces(text, &splits_of(step));
            (!lost.is_empty()).then_some(Misfit::NoSuchWords(step))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Misfit, Shape, misfit};
    use crate::relation::Place;
    use crate::scheme::{ItemQuestion, QuestionKind};

    const SHAPE: Shape<'_> = Shape {
        trace: "He sleeps badly. So he is tired, so he rests. It fits.",
        steps: &[(0, 16), (17, 45), (46, 54)],
        points: 2,
    };

    fn found(kind: QuestionKind, values: &[&str]) -> Option<Misfit> {
        let question = ItemQuestion {
            kind,
            ..ItemQuestion::default()
        };
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        misfit(&question, &values, SHAPE)
    }

    #[test]
    fn what_the_steps_of_a_trace_do_not_have_is_found() {
        let found = |lines: &[&str]| found(QuestionKind::Relations, lines);
        let sound = [
            "3 SUPPORTS 2",
            "join 3",
            "split 2 so he rests",
            "2b REFINES 2",
        ];
        assert_eq!(found(&sound), None);
        assert_eq!(found(&["none"]), None);
        assert_eq!(found(&["9 SUPPORTS 1"]), Some(Misfit::NoSuchStep(9)));
        assert_eq!(found(&["join 4"]), Some(Misfit::NoSuchStep(4)));
        assert_eq!(found(&["split 4 It"]), Some(Misfit::NoSuchStep(4)));
        let piece = |piece| Misfit::NoSuchPiece(Place { part: 2, piece });
        assert_eq!(found(&["2b REFINES 1"]), Some(piece(1)));
        assert_eq!(
            found(&["split 2 so he rests", "3 REFINES 2c"]),
            Some(piece(2))
        );
        // They stand in step 3.
        assert_eq!(found(&["split 2 It fits"]), Some(Misfit::NoSuchWords(2)));
        assert_eq!(
            found(&["2 ENTAILS 1", "2 CONTRADICTS 1"]),
            Some(Misfit::Twice(Place::of(2), Place::of(1)))
        );
    }

    #[test]
    fn a_point_that_the_item_does_not_have_is_found() {
        let found = |points: &[&str]| found(QuestionKind::Points, points);
        assert_eq!(found(&["1", "2"]), None);
        assert_eq!(found(&["none"]), None);
        assert_eq!(found(&["2", "3"]), Some(Misfit::NoSuchPoint(3)));
    }
}
