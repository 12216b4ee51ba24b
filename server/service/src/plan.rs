//! How many items to validate: the width of an interval at a size, simulated by drawing from the items validated so far.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::kept::Kept;
use crate::services::Services;
use crate::validation::{self, Ground, Pilot, ValidationQuery};
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

/// Sizes that are looked at.
const SIZES: [usize; 12] = [25, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1_200, 1_600];
/// Samples drawn of each size.
const RUNS: u64 = 200;
/// A pilot of fewer items says nothing of the rest.
const FEWEST: usize = 10;
/// The largest size that is ever named.
const MOST: f64 = 100_000.0;

/// What is to be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The judge's precision.
    Precision,
    /// The judge's recall.
    Recall,
    /// The judge's F1.
    #[default]
    F1,
    /// Quadratically weighted kappa between the first two raters.
    Kappa,
    /// Interval alpha between the first two raters.
    Alpha,
    /// The corrected rate of stigma.
    Rate,
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 6] = [
        Self::F1,
        Self::Precision,
        Self::Recall,
        Self::Kappa,
        Self::Alpha,
        Self::Rate,
    ];

    /// The word in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F1 => "f1",
            Self::Kappa => "kappa",
            Self::Alpha => "alpha",
            Self::Rate => "rate",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.as_str() == word)
    }
}

/// The width to expect at a size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Validated items.
    pub items: usize,
    /// The width of the 95 % interval.
    pub width: f64,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// What is to be known.
    pub target: Target,
    /// The width wanted.
    pub wanted: f64,
    /// Items validated so far.
    pub pilot: usize,
    /// The width to expect with as many items as are validated now.
    pub now: Option<f64>,
    /// The widths at some sizes.
    pub steps: Vec<Step>,
    /// The items needed.
    pub needed: Option<u64>,
    /// The seed of the simulation.
    pub seed: u64,
    /// Why there is no plan.
    pub undefined: Option<&'static str>,
}

/// How many items it takes for an interval of this width.
///
/// # Errors
/// [`Refusal::InputInvalid`] for a width that is none.
pub async fn simulate(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    target: Target,
    wanted: f64,
) -> Result<Plan> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::JudgeRead).await?;
    if !(wanted > 0.0 && wanted < 2.0) {
        return Err(Refusal::InputInvalid.into());
    }
    let study = store::study::get(&mut db, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let key = (id.clone(), target);
    if let Some(kept) = app.plans.get(&key, study.revision) {
        return Ok(kept.wanting(wanted));
    }
    let ground = validation::ground(&mut db, id).await?;
    drop(db);
    let plan = tokio::task::spawn_blocking(move || computed(&ground, target)).await;
    let plan = plan.map_err(|_| Refusal::Internal)?;
    Ok(app.plans.put(key, study.revision, plan).wanting(wanted))
}

/// The widths to expect by study and target, whatever width is wanted.
pub type Cache = Kept<(StudyId, Target), Plan>;

impl Plan {
    /// The same plan with the items that this width needs.
    fn wanting(&self, wanted: f64) -> Self {
        let mut plan = Self {
            wanted,
            ..self.clone()
        };
        if plan.undefined.is_none() {
            plan.needed = needed(&plan.steps, wanted);
            plan.undefined = plan.needed.is_none().then_some("not_estimable");
        }
        plan
    }
}

/// The widths to expect.
fn computed(ground: &Ground, target: Target) -> Plan {
    let query = ValidationQuery::default();
    let pilot = validation::pilot(ground, &query);
    let size = pilot.as_ref().map_or(0, Pilot::len);
    let mut plan = Plan {
        target,
        wanted: 0.0,
        pilot: size,
        now: None,
        steps: Vec::new(),
        needed: None,
        seed: crate::agreement::BOOTSTRAP_SEED,
        undefined: None,
    };
    let Some(pilot) = pilot.filter(|_| size >= FEWEST) else {
        plan.undefined = Some("pilot_too_small");
        return plan;
    };
    let width = |items: usize| width(&pilot, target, items, plan.seed);
    plan.now = width(size);
    plan.steps = SIZES
        .into_iter()
        .filter_map(|items| {
            Some(Step {
                items,
                width: width(items)?,
            })
        })
        .collect();
    plan
}

/// The sampling error shrinks with the root of the size; the constant is the mean over the sizes looked at, which leaves
/// the noise of any single one behind.
fn needed(steps: &[Step], wanted: f64) -> Option<u64> {
    let large: Vec<f64> = steps
        .iter()
        .filter(|step| step.items >= 100)
        .map(|step| step.width * (step.items as f64).sqrt())
        .collect();
    let constant = large.iter().sum::<f64>() / large.len() as f64;
    let items = (constant / wanted).powi(2).ceil();
    (items.is_finite() && items > 0.0 && items < MOST).then_some(items as u64)
}

/// The width of an interval at a size: that of the normal interval with the spread of the estimates over samples of this
/// size, drawn with replacement from the pilot.
fn width(pilot: &Pilot, target: Target, items: usize, seed: u64) -> Option<f64> {
    let mut estimates = Vec::with_capacity(RUNS as usize);
    for run in 0..RUNS {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(run);
        let draw = |_| {
            let place = (u128::from(random.next_u64()) * pilot.len() as u128) >> 64;
            place as usize
        };
        let drawn: Vec<usize> = (0..items).map(draw).collect();
        estimates.extend(pilot.estimate(target, &drawn));
    }
    if estimates.len() * 20 < RUNS as usize * 19 {
        return None;
    }
    let n = estimates.len() as f64;
    let mean = estimates.iter().sum::<f64>() / n;
    let variance = estimates.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let width = 2.0 * 1.959_963_984_540_054 * variance.sqrt();
    (width > 0.0).then_some(width)
}

#[cfg(test)]
mod tests {
    use super::{Step, needed};

    #[test]
    fn four_times_the_items_halve_the_width() {
        // Widths of exactly 2 / root(n): a tenth needs 400 items, a twentieth 1,600.
        let step = |items: usize| Step {
            items,
            width: 2.0 / (items as f64).sqrt(),
        };
        let steps: Vec<Step> = [25, 100, 400, 1_600].into_iter().map(step).collect();
        assert_eq!(needed(&steps, 0.1001), Some(400));
        assert_eq!(needed(&steps, 0.0501), Some(1_594));
        assert_eq!(needed(&[], 0.1), None);
    }
}
