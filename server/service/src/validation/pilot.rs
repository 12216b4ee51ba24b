//! The items validated so far, as what a larger sample would be drawn from.

use super::compute::{choose, first_judge, rows_of};
use super::count::{Predictor, Reference};
use super::figure::{Counts, Measure};
use super::ground::{Ground, lowest_tag};
use super::rule::Rule;
use super::{ValidationQuery, severity, verdict};
use crate::plan::Target;
use stats::{Coefficient, Ratings};

/// What is known of each validated item.
pub(crate) struct Pilot {
    counts: Vec<Counts>,
    /// The severities of the first two raters, tag by tag.
    pairs: Vec<Vec<[f64; 2]>>,
    /// The final verdict minus the judge's, where there is one.
    errors: Vec<Option<f64>>,
    declared: Vec<f64>,
}

/// The pilot of the judge that the validation page opens on; nothing without a judge.
pub(crate) fn pilot(ground: &Ground, query: &ValidationQuery) -> Option<Pilot> {
    let judge = first_judge(ground)?;
    let rule = Rule::of_scheme(&ground.scheme.judge_rule);
    let items = choose(ground, judge, query).items;
    let (counts, _) = rows_of(&items, Predictor::Judge(judge), Reference::Final, rule);
    let lowest = lowest_tag(&ground.scheme);
    let mut pilot = Pilot {
        counts,
        pairs: Vec::new(),
        errors: Vec::new(),
        declared: ground
            .scheme
            .severity
            .as_ref()
            .map(domain::scheme::SeverityScale::values)
            .unwrap_or_default(),
    };
    for item in items {
        let of_item = if ground.raters.len() < 2 {
            Vec::new()
        } else {
            severity::pairs(&[item], Predictor::Rater(0), Reference::Rater(1))
        };
        pilot.pairs.push(
            of_item
                .iter()
                .map(|pair| [pair.predicted, pair.reference])
                .collect(),
        );
        let number = |flag: bool| f64::from(u8::from(flag));
        let truth = verdict::of_reference(item, Reference::Final, lowest, lowest).ok();
        pilot.errors.push(
            truth.map(|truth| {
                number(truth) - number(verdict::of_judge(item, judge, lowest, lowest))
            }),
        );
    }
    Some(pilot)
}

impl Pilot {
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// The estimate on a sample of the pilot's items.
    pub(crate) fn estimate(&self, target: Target, drawn: &[usize]) -> Option<f64> {
        let measure = match target {
            Target::Precision => Measure::Precision,
            Target::Recall => Measure::Recall,
            Target::F1 => Measure::F1,
            Target::Kappa => return self.agreement(drawn, Coefficient::KappaQuadratic),
            Target::Alpha => return self.agreement(drawn, Coefficient::AlphaInterval),
            Target::Rate => {
                // The judge's rate on the many other items hardly varies; its mean error on the sample does.
                let known: Vec<f64> = drawn.iter().filter_map(|at| self.errors[*at]).collect();
                return (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64);
            }
        };
        Counts::sum(drawn.iter().map(|at| self.counts[*at])).value(measure)
    }

    fn agreement(&self, drawn: &[usize], coefficient: Coefficient) -> Option<f64> {
        let rows: Vec<Vec<Option<f64>>> = drawn
            .iter()
            .flat_map(|at| &self.pairs[*at])
            .map(|[first, second]| vec![Some(*first), Some(*second)])
            .collect();
        let ratings = Ratings::from_numbers(&self.declared, &rows).ok()?;
        coefficient
            .compute(&ratings)
            .ok()
            .map(|estimate| estimate.value)
    }
}
