//! The final value of a unit and how it was reached: the one place where it is decided.

use domain::id::{ItemId, UnitId, UserId};
use domain::retention::Standing;
use domain::ruling::{Outcome, Value};
use domain::scheme::{Scheme, Validity};
use domain::unit::{UnitKind, UnitState, agreed_value};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use store::ruling::Ruling;
use store::snapshot::{Labelled, Ruled};
use store::unit::{Answer, Said, Unit};

use super::SnapshotRef;

/// The final value of a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settled {
    pub validity: Option<Validity>,
    pub category: String,
    pub subcategory: String,
    pub severity: Option<f64>,
    pub outcome: &'static str,
    /// It is what the raters themselves said: all of them alike, or the only one there is.
    pub said: bool,
}

/// One label with what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// The unit: a candidate or a missed tag.
    pub unit_id: UnitId,
    /// What it is.
    pub unit_kind: UnitKind,
    /// Its item.
    pub item_id: ItemId,
    /// The item's key in its file.
    pub item_key: String,
    /// The item's condition.
    pub condition: String,
    /// The item's model.
    pub model: String,
    /// The hash of the item's trace.
    pub trace_sha256: String,
    /// The candidate's key in its file; empty for a missed tag.
    pub source_key: String,
    /// The judge that proposed it; empty for a missed tag.
    pub judge: String,
    /// The severity that the judge proposed.
    pub judge_severity: Option<f64>,
    /// The category it was proposed or added under.
    pub category: String,
    /// The subcategory; may be empty.
    pub subcategory: String,
    /// Where it stands.
    pub state: UnitState,
    /// How the final value was reached, or why there is none; as in `labels.csv`.
    pub outcome: String,
    /// The final validity.
    pub final_validity: Option<Validity>,
    /// The final category.
    pub final_category: String,
    /// The final subcategory.
    pub final_subcategory: String,
    /// The final severity.
    pub final_severity: Option<f64>,
    /// The version of the ruling in force; 0 without one.
    pub ruling_version: i64,
    /// The code of the reason for which staff took it out; empty when they did not.
    pub excluded: String,
    /// Whether it is in the retained set, or why not.
    pub standing: Standing,
    /// What each rater said, in the raters' order; empty until every annotation of the item is in.
    pub ratings: Vec<Rating>,
}

/// What one rater said of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The rater.
    pub rater: UserId,
    /// `judged`, `not_ratable`, or `not_marked` for a missed tag that the rater did not add.
    pub answer: String,
    /// Whether the tag is right.
    pub validity: Option<Validity>,
    /// How severe it is.
    pub severity: Option<f64>,
    /// Codes that fit better.
    pub better: Vec<String>,
}

/// The labels of a study, as they are now or in a snapshot.
#[derive(Clone, Debug)]
pub struct Labels {
    /// The snapshot that they are part of; nothing while the study is open.
    pub snapshot: Option<SnapshotRef>,
    /// The scheme under which they count.
    pub scheme: Arc<Scheme>,
    /// Its version in the study.
    pub scheme_version: i64,
    /// The labels, item by item.
    pub labels: Vec<Label>,
}

impl Label {
    /// The label of a unit under a scheme.
    pub(crate) fn of(labelled: Labelled, scheme: &Scheme) -> Self {
        let settled = settled(&labelled.unit, labelled.ruling.as_ref(), scheme);
        let unit = labelled.unit;
        let standing = Standing::of(
            &scheme.retention,
            settled.validity,
            settled.severity,
            !labelled.excluded.is_empty(),
        );
        Self {
            unit_id: unit.id,
            unit_kind: unit.kind,
            item_id: unit.item,
            item_key: labelled.item_key,
            condition: labelled.condition,
            model: labelled.model,
            trace_sha256: labelled.trace_sha256,
            source_key: labelled.source_key,
            judge: labelled.judge,
            judge_severity: labelled.judge_severity,
            category: unit.category,
            subcategory: unit.subcategory,
            state: unit.state,
            outcome: settled.outcome.to_owned(),
            final_validity: settled.validity,
            final_category: settled.category,
            final_subcategory: settled.subcategory,
            final_severity: settled.severity,
            ruling_version: labelled.ruling.map_or(0, |ruling| ruling.version),
            excluded: labelled.excluded,
            standing,
            ratings: unit.said.into_iter().map(rating).collect(),
        }
    }
}

fn rating(said: Said) -> Rating {
    let answer = match said.answer {
        Answer::Plain => "judged",
        Answer::NotRatable => "not_ratable",
        Answer::NotMarked => "not_marked",
    };
    Rating {
        rater: said.rater,
        answer: answer.to_owned(),
        validity: said.validity,
        severity: said.severity,
        better: said.better,
    }
}

/// What of a ruling makes a final value.
pub(crate) fn ruled_by(ruling: &Ruling) -> Ruled {
    Ruled {
        version: ruling.version,
        outcome: ruling.outcome,
        validity: ruling.validity,
        category: ruling.category.clone(),
        subcategory: ruling.subcategory.clone(),
        severity: ruling.severity,
    }
}

/// Whether a unit has the only rater of its item behind it, and the scheme takes what they say for the label. Whoever left the
/// unit empty beside another rater, or could not rate the item, is a rater of it too.
pub(crate) fn is_single(scheme: &Scheme, ratings: i64, said: &[Said]) -> bool {
    scheme.single_rater_labels && ratings == 1 && said.len() == 1
}

/// The final value: the ruling's while it stands, or what the raters agree on.
pub(crate) fn settled(unit: &Unit, ruling: Option<&Ruled>, scheme: &Scheme) -> Settled {
    let none = |outcome| Settled {
        outcome,
        ..Settled::default()
    };
    let not_ratable = || {
        unit.said
            .iter()
            .any(|said| said.answer == Answer::NotRatable)
    };
    match (unit.state, ruling) {
        // Only a missed tag that was folded into another unit is ruled and has no value.
        (UnitState::Ruled, Some(ruling))
            if unit.kind == UnitKind::Missed
                && ruling.outcome != Outcome::Unresolved
                && ruling.validity.is_none()
                && ruling.severity.is_none() =>
        {
            none("merged")
        }
        (UnitState::Ruled, Some(ruling)) if ruling.outcome != Outcome::Unresolved => {
            ruled(unit, ruling)
        }
        (UnitState::Ruled, _) => none("unresolved"),
        (UnitState::Agreed, _) => agreed(unit, scheme),
        (UnitState::Disputed | UnitState::InDiscussion, _) => none("disputed"),
        (UnitState::Stale, _) => none("stale"),
        (UnitState::Open, _) if not_ratable() => none("not_ratable"),
        (UnitState::Open, _) => none("open"),
    }
}

fn ruled(unit: &Unit, ruling: &Ruled) -> Settled {
    let invalid = ruling.validity == Some(Validity::Invalid);
    let own = ruling.category.is_empty();
    let (category, subcategory) = match (own, invalid) {
        (true, true) => ("", ""),
        (true, false) => (&*unit.category, &*unit.subcategory),
        (false, _) => (&*ruling.category, &*ruling.subcategory),
    };
    Settled {
        validity: ruling.validity,
        category: category.to_owned(),
        subcategory: subcategory.to_owned(),
        severity: ruling.severity,
        outcome: ruling.outcome.as_str(),
        said: false,
    }
}

fn agreed(unit: &Unit, scheme: &Scheme) -> Settled {
    let alone = unit.ratings < 2;
    if alone && !is_single(scheme, unit.ratings, &unit.said) {
        return Settled {
            outcome: "single",
            ..Settled::default()
        };
    }
    let spoke = |said: &&Said| {
        said.answer == Answer::Plain
            && (said.validity.is_some() || said.severity.is_some() || !said.better.is_empty())
    };
    let own: Vec<&Said> = unit.said.iter().filter(spoke).collect();
    let values: Vec<Value> = own
        .iter()
        .map(|said| Value {
            validity: said.validity,
            severity: said.severity,
        })
        .collect();
    let value = agreed_value(&values);
    let invalid = value.validity == Some(Validity::Invalid);
    // Where all name one and the same better subcategory it is the final one; else only the category is sure.
    let better = own
        .first()
        .filter(|first| first.better.len() == 1 && own.iter().all(|o| o.better == first.better));
    let (category, subcategory) = match value.validity {
        Some(Validity::Invalid) => ("", ""),
        Some(Validity::ValidOtherSubcategory) => {
            (&*unit.category, better.map_or("", |own| &*own.better[0]))
        }
        _ => (&*unit.category, &*unit.subcategory),
    };
    Settled {
        validity: value.validity,
        category: category.to_owned(),
        subcategory: subcategory.to_owned(),
        severity: value.severity.filter(|_| !invalid),
        outcome: if alone { "single" } else { "agreed" },
        said: true,
    }
}
