//! From units to a matrix of ratings, with every unit left out counted under its reason.

use super::answers::Scale;
use super::types::{AgreementQuery, Facet, Question, Stage};
use domain::ruling::Outcome;
use domain::scheme::{Scheme, Validity};
use stats::{Coding, Ratings, RatingsBuilder, RatingsError, Value};
use std::collections::BTreeMap;
use store::result::{RaterValue, UnitValues};

/// The ratings of some units by some raters.
pub(super) struct Prepared {
    /// Units by raters; every unit with a rating, for one alone still counts for how often a category is used.
    pub ratings: Ratings,
    /// The item of each row: what is resampled.
    pub clusters: Vec<u32>,
    /// All values, row by row.
    cells: Vec<Option<f64>>,
    /// Units that are not compared, by reason.
    pub dropped: BTreeMap<&'static str, u64>,
}

impl Prepared {
    /// Each row's values.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<f64>]> {
        self.cells.chunks(self.ratings.n_raters().max(1))
    }
}

/// The declared categories of a question about tags.
pub(super) fn categories(scheme: &Scheme, question: &Question) -> Scale {
    let (values, labels): (Vec<f64>, Vec<String>) = match (question, &scheme.severity) {
        (Question::Severity, Some(scale)) => (
            scale.values(),
            scale
                .levels
                .iter()
                .map(|level| domain::annotation::shortest(level.value))
                .collect(),
        ),
        (Question::Validity, _) => (
            vec![1.0, 2.0, 3.0],
            Validity::ALL
                .iter()
                .map(|validity| validity.as_str().to_owned())
                .collect(),
        ),
        _ => (Vec::new(), Vec::new()),
    };
    Scale {
        values,
        names: labels.clone(),
        labels,
    }
}

/// Prepares units for the raters in these columns; `waiting` are units of which not everything is in.
pub(super) fn prepare(
    units: &[&UnitValues],
    columns: &[usize],
    declared: &[f64],
    query: &AgreementQuery,
    waiting: u64,
) -> Result<Prepared, RatingsError> {
    let (mut cells, mut clusters, mut dropped) = (Vec::new(), Vec::new(), BTreeMap::new());
    if waiting > 0 {
        dropped.insert("not_rated", waiting);
    }
    for unit in units {
        let row = values(unit, columns, query);
        if let Some(reason) = row.left_out {
            *dropped.entry(reason).or_insert(0) += 1;
        }
        if row.answers.iter().any(Option::is_some) {
            cells.extend(row.answers);
            clusters.push(u32::try_from(unit.seq).unwrap_or(u32::MAX));
        }
    }
    Ok(Prepared {
        ratings: counted(&cells, columns.len(), declared)?,
        clusters,
        cells,
        dropped,
    })
}

/// The ratings over the declared scale; values off it are kept beside it.
fn counted(cells: &[Option<f64>], width: usize, declared: &[f64]) -> Result<Ratings, RatingsError> {
    let mut seen: Vec<f64> = Vec::new();
    for value in cells.iter().flatten() {
        if !seen.contains(value) {
            seen.push(*value);
        }
    }
    let number = |values: &[f64]| values.iter().map(|x| Value::Number(*x)).collect::<Vec<_>>();
    let coding = Coding::new(Some(&number(declared)), &number(&seen))?;
    let code = |value: f64| {
        let place = seen.iter().position(|other| *other == value);
        place.map(|place| coding.codes[place])
    };
    let mut builder = RatingsBuilder::new(coding.categories.clone(), width);
    let mut row = Vec::with_capacity(width);
    for values in cells.chunks(width.max(1)) {
        row.clear();
        row.extend(values.iter().map(|value| value.and_then(code)));
        builder.push(&row)?;
    }
    Ok(builder.finish())
}

/// What raters said of a unit.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    /// One value a column.
    pub answers: Vec<Option<f64>>,
    /// Why they are not compared: there are two values at least where this is nothing.
    pub left_out: Option<&'static str>,
}

/// The values of a unit.
pub(super) fn values(unit: &UnitValues, columns: &[usize], query: &AgreementQuery) -> Row {
    let question = &query.question;
    // A judge is compared with what stands in the other column, which is the final answer already where that is meant.
    let stage = if query.facet == Facet::Judge {
        Stage::Raw
    } else {
        query.stage
    };
    let by = |column: &usize| unit.values.iter().find(|value| value.rater == *column);
    let found: Vec<Option<&RaterValue>> = columns.iter().map(by).collect();
    let last = |value: &RaterValue| match (stage, &unit.ruling) {
        (Stage::Reconciled, Some(ruling)) if ruling.outcome != Outcome::Unresolved => RaterValue {
            validity: ruling.validity.or(value.validity),
            severity: ruling.severity,
            ..*value
        },
        _ => *value,
    };
    let row: Vec<Option<RaterValue>> = found
        .iter()
        .map(|value| value.filter(|v| v.ratable).map(last))
        .collect();
    let answer = |value: &RaterValue| match question {
        Question::Validity => value.validity.map(place),
        Question::Severity => value
            .severity
            .filter(|_| value.validity != Some(Validity::Invalid)),
        Question::First | Question::Item(_) => value.severity,
    };
    let seen = |column: &usize| unit.few_shot.contains(column);
    let answers: Vec<Option<f64>> = row
        .iter()
        .zip(columns)
        .map(|(value, column)| value.as_ref().filter(|_| !seen(column)).and_then(answer))
        .collect();
    // An example in a judge's prompt says nothing of the judge, nor how often it uses a value.
    if answers.iter().flatten().count() < 2 && columns.iter().any(seen) {
        return Row {
            answers: vec![None; columns.len()],
            left_out: Some("few_shot"),
        };
    }
    let said = || found.iter().flatten();
    let ratable = said().filter(|value| value.ratable).count();
    let mut rated = row.iter().flatten();
    let invalid = rated.any(|value| value.validity == Some(Validity::Invalid));
    let left_out = match answers.iter().flatten().count() {
        2.. => None,
        _ if ratable < 2 && said().any(|value| !value.ratable) => Some("not_ratable"),
        _ if ratable >= 2 && invalid && *question == Question::Severity => Some("judged_invalid"),
        0 if ratable != 1 => Some("not_rated"),
        _ => Some("rated_once"),
    };
    Row { answers, left_out }
}

fn place(validity: Validity) -> f64 {
    match validity {
        Validity::Valid => 1.0,
        Validity::ValidOtherSubcategory => 2.0,
        Validity::Invalid => 3.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AgreementQuery, Question, Stage};
    use domain::id::UnitId;
    use domain::ruling::Outcome;
    use domain::scheme::Validity::{Invalid, Valid};
    use store::result::{FinalValue, RaterValue, UnitValues};

    fn values(
        unit: &UnitValues,
        columns: &[usize],
        question: Question,
        stage: Stage,
    ) -> Result<Vec<Option<f64>>, &'static str> {
        let query = AgreementQuery {
            stage,
            question,
            ..AgreementQuery::default()
        };
        let row = super::values(unit, columns, &query);
        row.left_out.map_or(Ok(row.answers), Err)
    }

    fn unit(values: Vec<RaterValue>, ruling: Option<FinalValue>) -> UnitValues {
        UnitValues {
            unit: UnitId::new("u"),
            seq: 1,
            category: "1".into(),
            condition: "".into(),
            model: "".into(),
            values,
            few_shot: Vec::new(),
            ruling,
        }
    }

    fn says(rater: usize, severity: f64) -> RaterValue {
        RaterValue {
            rater,
            ratable: true,
            validity: Some(Valid),
            severity: Some(severity),
        }
    }

    #[test]
    fn severity_is_compared_only_where_no_rater_judged_the_tag_invalid() {
        let invalid = RaterValue {
            validity: Some(Invalid),
            ..says(1, 1.0)
        };
        let unit = unit(vec![says(0, 4.0), invalid], None);
        assert_eq!(
            values(&unit, &[0, 1], Question::Severity, Stage::Raw),
            Err("judged_invalid")
        );
        assert_eq!(
            values(&unit, &[0, 1], Question::Validity, Stage::Raw),
            Ok(vec![Some(1.0), Some(3.0)])
        );
    }

    #[test]
    fn disagree_6_and_inception_3809_units_are_left_out_with_their_reason() {
        let raw = |values_: Vec<RaterValue>| {
            values(
                &unit(values_, None),
                &[0, 1],
                Question::Severity,
                Stage::Raw,
            )
        };
        assert_eq!(raw(vec![]), Err("not_rated"));
        assert_eq!(raw(vec![says(0, 2.0)]), Err("rated_once"));
        let report = RaterValue {
            rater: 1,
            ratable: false,
            validity: None,
            severity: None,
        };
        assert_eq!(raw(vec![says(0, 2.0), report]), Err("not_ratable"));
    }

    #[test]
    fn a_unit_of_one_rating_still_counts_for_how_often_a_category_is_used() {
        let units = [
            unit(vec![says(0, 2.0), says(1, 3.0)], None),
            unit(vec![says(2, 5.0)], None),
            unit(vec![], None),
        ];
        let severity = AgreementQuery {
            question: Question::Severity,
            ..AgreementQuery::default()
        };
        let scale = [1.0, 2.0, 3.0, 4.0, 5.0];
        let units: Vec<&UnitValues> = units.iter().collect();
        let found = super::prepare(&units, &[0, 1, 2], &scale, &severity, 0).unwrap();
        assert_eq!(
            (found.ratings.n_items(), found.ratings.n_pairable_items()),
            (2, 1)
        );
        assert_eq!(found.ratings.used_by(2), [0, 0, 0, 0, 1]);
        let left_out: Vec<_> = found.dropped.into_iter().collect();
        assert_eq!(left_out, [("not_rated", 1), ("rated_once", 1)]);
    }

    #[test]
    fn reconciled_agreement_takes_the_final_value_and_raw_never_does() {
        let settled = FinalValue {
            outcome: Outcome::Averaged,
            validity: Some(Valid),
            severity: Some(3.5),
        };
        let unit = unit(vec![says(0, 2.0), says(1, 5.0)], Some(settled));
        assert_eq!(
            values(&unit, &[0, 1], Question::Severity, Stage::Raw),
            Ok(vec![Some(2.0), Some(5.0)])
        );
        assert_eq!(
            values(&unit, &[0, 1], Question::Severity, Stage::Reconciled),
            Ok(vec![Some(3.5), Some(3.5)])
        );
    }

    #[test]
    fn a_principled_disagreement_keeps_both_values_after_reconciliation() {
        let open = FinalValue {
            outcome: Outcome::Unresolved,
            validity: None,
            severity: None,
        };
        let unit = unit(vec![says(0, 2.0), says(1, 5.0)], Some(open));
        assert_eq!(
            values(&unit, &[0, 1], Question::Severity, Stage::Reconciled),
            Ok(vec![Some(2.0), Some(5.0)])
        );
    }
}
