//! Gwet's linearised standard error, shared by AC1/AC2, Brennan-Prediger and Fleiss' kappa.

use crate::categories::Categories;
use crate::dist::{t_of, t_two_sided};
use crate::percent::pairable;
use crate::ratings::{Sample, rated};
use crate::result::{Estimate, Interval, Method, Reason, Statistic, Undefined};
use crate::weights::{Distance, Weights};

/// A variance below this share of one is rounding noise of a variance that is exactly zero.
const ZERO_VARIANCE: f64 = 1e-28;

/// What a coefficient of this family says about chance.
pub(crate) struct Chance {
    /// Expected disagreement 1 - `P_e`.
    pub disagreement: f64,
    /// Per category the term whose mean over an item's ratings is that item's share in `P_e`; none when `P_e` does not depend
    /// on the data.
    pub per_category: Option<Vec<f64>>,
}

/// Mean over rated items of the share of each category, and the number of rated items.
pub(crate) fn prevalence(sample: Sample<'_>) -> (Vec<f64>, u64) {
    let mut pi = vec![0.0; sample.ratings.categories().len()];
    let mut n = 0;
    for (codes, count) in sample.patterns() {
        let r = rated(codes).count();
        if r > 0 {
            n += count;
            rated(codes).for_each(|k| pi[k] += count as f64 / r as f64);
        }
    }
    for share in &mut pi {
        *share /= n.max(1) as f64;
    }
    (pi, n)
}

/// Chance disagreement from the prevalence of the categories, or why there is none.
pub(crate) type ChanceModel = fn(&Categories, &Distance<'_>, &[f64]) -> Result<Chance, Reason>;

/// The coefficient alone.
pub(crate) fn value(
    sample: Sample<'_>,
    weights: &Weights,
    model: ChanceModel,
) -> Result<f64, Reason> {
    Fit::new(sample, weights, model).map(|fit| fit.value)
}

/// The coefficient with its standard error, t interval (upper bound clipped at 1) and two-sided p value.
pub(crate) fn estimate(sample: Sample<'_>, weights: &Weights, model: ChanceModel) -> Statistic {
    let (n, dropped) = pairable(sample);
    let fit = match Fit::new(sample, weights, model) {
        Ok(fit) => fit,
        Err(reason) => return Err(Undefined::new(reason, n, dropped)),
    };
    let mut estimate = Estimate::plain(fit.value, n, dropped);
    if fit.n_rated < 2 {
        estimate.ci = Err(Reason::TooFewItems);
        return Ok(estimate);
    }
    let (df, se) = ((fit.n_rated - 1) as f64, fit.standard_error(sample));
    estimate.se = Some(se);
    if se > 0.0 {
        let half = t_of(0.95, df) * se;
        estimate.p = Some(t_two_sided(fit.value / se, df));
        estimate.ci = Ok(Interval {
            low: fit.value - half,
            high: (fit.value + half).min(1.0),
            method: Method::StudentT,
        });
    } else {
        let perfect = fit.observed <= 0.0;
        estimate.ci = Err(if perfect {
            Reason::PerfectAgreement
        } else {
            Reason::ZeroStandardError
        });
    }
    Ok(estimate)
}

struct Fit<'a> {
    distance: Distance<'a>,
    chance: Chance,
    n_rated: u64,
    n_pairable: u64,
    observed: f64,
    value: f64,
}

impl<'a> Fit<'a> {
    fn new(sample: Sample<'a>, weights: &'a Weights, model: ChanceModel) -> Result<Self, Reason> {
        let distance = Distance::new(weights, sample.ratings.categories())?;
        let (mut sum, mut n_pairable) = (0.0, 0);
        for (codes, count) in sample.patterns() {
            if rated(codes).nth(1).is_some() {
                sum += count as f64 * item_disagreement(&distance, codes);
                n_pairable += count;
            }
        }
        if n_pairable == 0 {
            return Err(Reason::NoPairs);
        }
        let (pi, n_rated) = prevalence(sample);
        let chance = model(sample.ratings.categories(), &distance, &pi)?;
        let observed = sum / n_pairable as f64;
        let value = 1.0 - observed / chance.disagreement;
        Ok(Self {
            distance,
            chance,
            n_rated,
            n_pairable,
            observed,
            value,
        })
    }

    /// Gwet KL (2014), Handbook of Inter-Rater Reliability, 4th ed., ch. 5, written in disagreements: the contribution of item
    /// i is `(n/n') (1 - d_i/D_e) - 2 (1 - kappa) (P_e,i - P_e)/D_e`, the first part 0 if not pairable.
    fn standard_error(&self, sample: Sample<'_>) -> f64 {
        let n = self.n_rated as f64;
        let inflation = n / self.n_pairable as f64;
        let chance = &self.chance;
        let centre = chance.per_category.as_ref().map_or(0.0, |terms| {
            let (pi, _) = prevalence(sample);
            pi.iter().zip(terms).map(|(share, term)| share * term).sum()
        });
        let mut variance = 0.0;
        for (codes, count) in sample.patterns() {
            let r = rated(codes).count();
            if r == 0 {
                continue;
            }
            let kappa = if r >= 2 {
                inflation * (1.0 - item_disagreement(&self.distance, codes) / chance.disagreement)
            } else {
                0.0
            };
            let expected = chance.per_category.as_ref().map_or(0.0, |terms| {
                rated(codes).map(|k| terms[k]).sum::<f64>() / r as f64 - centre
            });
            let deviation =
                kappa - 2.0 * (1.0 - self.value) * expected / chance.disagreement - self.value;
            variance += count as f64 * deviation * deviation;
        }
        variance /= n * (n - 1.0);
        if variance < ZERO_VARIANCE {
            0.0
        } else {
            variance.sqrt()
        }
    }
}

/// Mean disagreement over the ordered pairs of ratings of one item.
fn item_disagreement(distance: &Distance<'_>, codes: &[u32]) -> f64 {
    let r = rated(codes).count();
    let sum: f64 = rated(codes)
        .map(|k| rated(codes).map(|l| distance.between(k, l)).sum::<f64>())
        .sum();
    sum / (r * (r - 1)) as f64
}
