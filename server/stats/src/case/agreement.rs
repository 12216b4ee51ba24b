//! `agreement`: every coefficient that fits the matrix.

use super::CaseError;
use super::flat::Flat;
use super::input::Input;
use crate::agreement::{fitting, report};
use crate::categories::Scale;
use crate::coefficient::Coefficient;
use crate::confusion::Confusion;
use crate::icc::{self, Form, complete_items};
use crate::ratings::Ratings;
use crate::weights::Weights;
use crate::{difference, kappa, light, percent};
use serde_json::json;

/// Larger tables are not written out.
const MAX_TABLE: usize = 256;

pub(super) fn answer(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let (ratings, scale) = (input.ratings(None)?, input.scale()?);
    let weights = input.weights(ratings.categories())?;
    counts(&ratings, flat);
    for named in report(&ratings, scale) {
        flat.statistic(named.coefficient.name(), &named.statistic);
    }
    if fitting(&ratings, scale)
        .iter()
        .any(|coefficient| matches!(coefficient, Coefficient::Icc(_)))
    {
        flat.count("icc.n", complete_items(ratings.sample()));
        mean_bounds(&ratings, flat);
    }
    match ratings.n_raters() {
        2 => two_raters(&ratings, scale, weights.as_ref(), flat),
        n if n > 2 => pairs(&ratings, scale, weights.as_ref(), flat),
        _ => {}
    }
    Ok(())
}

fn counts(ratings: &Ratings, flat: &mut Flat) {
    flat.count("n_items", ratings.n_items() as u64);
    flat.count("n_raters", ratings.n_raters() as u64);
    flat.count("n_missing", ratings.n_missing());
    flat.count("off_scale_count", ratings.off_scale_count());
    flat.count("n_pairable_items", ratings.n_pairable_items());
}

/// Each bound of ICC(2,k) for itself: one may exist without the other.
fn mean_bounds(ratings: &Ratings, flat: &mut Flat) {
    let single = icc::icc(ratings, Form::TwoSingle).and_then(|estimate| Ok(estimate.ci?));
    if let Ok(bounds) = single {
        let raters = ratings.n_raters() as f64;
        flat.result("icc2_k.ci_low", icc::of_mean(bounds.low, raters));
        flat.result("icc2_k.ci_high", icc::of_mean(bounds.high, raters));
    }
}

fn two_raters(ratings: &Ratings, scale: Scale, weights: Option<&Weights>, flat: &mut Flat) {
    let pair = [0, 1];
    flat.count("n_pairs", ratings.n_pairable_items());
    if ratings.categories().len() <= MAX_TABLE
        && let Ok(confusion) = Confusion::new(ratings, pair)
    {
        flat.json("confusion", json!(confusion.counts));
        for (k, label) in ratings.categories().labels().iter().enumerate() {
            flat.value(
                &format!("specific_agreement.{label}"),
                &percent::specific(ratings, pair, k),
            );
        }
    }
    flat.result("kappa.max", kappa::maximum(ratings, pair));
    let ordered = scale >= Scale::Ordinal;
    for (name, weights) in [
        ("kappa", Weights::Identity),
        ("kappa_linear", Weights::Linear),
        ("kappa_quadratic", Weights::Quadratic),
    ] {
        if ordered || weights == Weights::Identity {
            flat.result(
                &format!("{name}.pe"),
                kappa::expected_agreement(ratings, pair, &weights),
            );
        }
    }
    if let Some(weights) = weights {
        flat.statistic("kappa_custom", &kappa::kappa(ratings, pair, weights));
        flat.result(
            "kappa_custom.pe",
            kappa::expected_agreement(ratings, pair, weights),
        );
    }
    if ordered && ratings.categories().is_numeric() {
        match difference::bland_altman(ratings, pair) {
            Ok(limits) => {
                flat.number("bland_altman.sd", limits.se.unwrap_or(0.0));
                flat.result("bland_altman.low", limits.ci.map(|ci| ci.low));
                flat.result("bland_altman.high", limits.ci.map(|ci| ci.high));
            }
            Err(undefined) => ["sd", "low", "high"]
                .iter()
                .for_each(|part| flat.missing(&format!("bland_altman.{part}"), undefined.reason)),
        }
    }
}

fn pairs(ratings: &Ratings, scale: Scale, custom: Option<&Weights>, flat: &mut Flat) {
    let mut families = vec![("pairwise_kappa", Weights::Identity)];
    if scale >= Scale::Ordinal {
        families.push(("pairwise_kappa_quadratic", Weights::Quadratic));
    }
    families.extend(custom.map(|weights| ("pairwise_kappa_custom", weights.clone())));
    for (name, weights) in families {
        for pair in light::pairwise(ratings, &weights) {
            let [i, j] = pair.raters;
            flat.value(&format!("{name}.{}-{}", i + 1, j + 1), &pair.kappa);
        }
    }
}
