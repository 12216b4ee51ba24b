//! `bootstrap` over given resamples, and `kalpha_bootstrap`.

use super::CaseError;
use super::flat::Flat;
use super::input::Input;
use crate::alpha::Metric;
use crate::bootstrap::{self, Resampled};
use crate::categories::Scale;
use crate::coefficient::Coefficient;
use crate::kalpha;
use crate::result::Reason;
use serde_json::Value as Json;

pub(super) fn bootstrap(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let ratings = input.ratings(None)?;
    let coefficient: Coefficient = input
        .text("statistic")?
        .parse()
        .map_err(|message| CaseError::new("statistic", message))?;
    let confidence = input.real_or("confidence", 0.95)?;
    let mut resamples = Vec::new();
    for (i, resample) in input.list("resamples")?.iter().enumerate() {
        let items = resample.as_array().and_then(|items| {
            items
                .iter()
                .map(|item| item.as_u64().map(|n| n as usize))
                .collect::<Option<Vec<_>>>()
        });
        let sound = items.filter(|items| items.iter().all(|&item| item < ratings.n_items()));
        resamples.push(sound.ok_or_else(|| {
            CaseError::new(
                format!("resamples, entry {}", i + 1),
                "expected item numbers from 0",
            )
        })?);
    }
    match bootstrap::given(&ratings, coefficient, &resamples, confidence) {
        Err(reason) => flat.missing("estimate", reason),
        Ok(result) => write(flat, &result),
    }
    Ok(())
}

fn write(flat: &mut Flat, result: &Resampled) {
    flat.number("estimate", result.estimate);
    flat.count("n_undefined", result.n_undefined as u64);
    flat.result("boot.se", result.se.ok_or(Reason::NoResample));
    flat.result("percentile.low", result.percentile.map(|ci| ci.low));
    flat.result("percentile.high", result.percentile.map(|ci| ci.high));
    flat.result("bca.z0", result.bca.map(|bca| bca.z0));
    flat.result("bca.a", result.bca.map(|bca| bca.a));
    flat.result("bca.low", result.bca.map(|bca| bca.interval.low));
    flat.result("bca.high", result.bca.map(|bca| bca.interval.high));
}

/// The minimum alphas the macro reports.
const MINIMA: [f64; 6] = [0.9, 0.8, 0.7, 0.67, 0.6, 0.5];

pub(super) fn kalpha(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let ratings = input.ratings(None)?;
    let metric = match input.scale()? {
        Scale::Nominal => Metric::Nominal,
        Scale::Ordinal => Metric::Ordinal,
        Scale::Interval => Metric::Interval,
        Scale::Ratio => Metric::Ratio,
    };
    let resamples = input
        .get("n_boot")
        .map_or(Ok(10_000), |_| input.count("n_boot"))?;
    if resamples > 10_000_000 {
        return Err(CaseError::new("n_boot", "more than 10 million resamples"));
    }
    let seed = input.get("seed").and_then(Json::as_u64).unwrap_or(1);
    match kalpha::bootstrap(&ratings, metric, resamples as usize, seed) {
        Err(reason) => ["alpha", "kalpha.ci_low", "kalpha.ci_high"]
            .iter()
            .for_each(|name| flat.missing(name, reason)),
        Ok(result) => {
            flat.number("alpha", result.alpha);
            flat.count("kalpha.pairs", result.pairs);
            flat.count("kalpha.draws", result.draws);
            flat.interval("kalpha.ci", Ok(result.ci));
            for minimum in MINIMA {
                flat.number(&format!("kalpha.q.{minimum}"), result.below(minimum));
            }
        }
    }
    Ok(())
}
