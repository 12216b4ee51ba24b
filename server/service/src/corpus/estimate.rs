//! A rate three ways: as judged, corrected by the validated sample, and from that sample alone.

use serde::Serialize;
use stats::Reason;
use stats::confusion::Binary;

/// Fewer validated items than this give no corrected rate: normal theory has nothing to stand on.
pub(crate) const FEWEST: usize = 20;

/// One way to a rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// `judged`, `ppi`, `rogan_gladen` or `validated`.
    pub estimator: &'static str,
    /// The rate.
    pub estimate: Option<f64>,
    /// Lower bound of the 95 % interval, not below 0.
    pub low: Option<f64>,
    /// Upper bound, not above 1.
    pub high: Option<f64>,
    /// Items judged.
    pub n_judged: u64,
    /// Items validated.
    pub n_validated: u64,
    /// Why there is none.
    pub undefined: Option<String>,
}

/// A part of the items, within which validated items are a random sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stratum {
    /// Items judged, the validated ones included.
    pub judged: u64,
    /// Of these, items that the judge finds positive.
    pub positive: u64,
    /// Validated items: the final verdict and the judge's.
    pub gold: Vec<(bool, bool)>,
}

/// Whether the validated items can stand for the others, and why not.
pub(crate) type Sampled = Result<(), &'static str>;

/// The rate of some items, in strata whose validated items are random samples. `accuracy` is the judge against the
/// final verdicts on all validated items of the study.
pub(crate) fn estimates(strata: &[Stratum], sampled: Sampled, accuracy: &Binary) -> Vec<Estimate> {
    let judged: u64 = strata.iter().map(|stratum| stratum.judged).sum();
    let positive: u64 = strata.iter().map(|stratum| stratum.positive).sum();
    let gold: usize = strata.iter().map(|stratum| stratum.gold.len()).sum();
    let empty = |estimator| Estimate {
        estimator,
        estimate: None,
        low: None,
        high: None,
        n_judged: judged,
        n_validated: gold as u64,
        undefined: None,
    };
    let of = |estimator, found: Result<(f64, f64, f64), &str>| match found {
        Err(reason) => Estimate {
            undefined: Some(reason.to_owned()),
            ..empty(estimator)
        },
        Ok((value, low, high)) => Estimate {
            estimate: Some(value.clamp(0.0, 1.0)),
            low: Some(low.clamp(0.0, 1.0)),
            high: Some(high.clamp(0.0, 1.0)),
            ..empty(estimator)
        },
    };
    let enough = sampled.and(match gold {
        0 => Err("not_validated"),
        n if n < FEWEST => Err("too_few_validated"),
        _ => Ok(()),
    });
    let validated = accuracy.tp + accuracy.fp + accuracy.fn_ + accuracy.tn;
    let rogan_gladen = sampled.and_then(|()| match validated {
        0 => Err("not_validated"),
        n if n < FEWEST as u64 => Err("too_few_validated"),
        _ => corrected(positive, judged, accuracy),
    });
    vec![
        of("judged", share(positive, judged)),
        of("ppi", enough.and_then(|()| powered(strata))),
        Estimate {
            n_validated: validated,
            ..of("rogan_gladen", rogan_gladen)
        },
        of("validated", enough.and_then(|()| alone(strata))),
    ]
}

type Found = Result<(f64, f64, f64), &'static str>;

fn share(part: u64, whole: u64) -> Found {
    let ci = stats::wilson::interval(part, whole, 0.95).map_err(Reason::code)?;
    Ok((part as f64 / whole as f64, ci.low, ci.high))
}

fn corrected(positive: u64, judged: u64, accuracy: &Binary) -> Found {
    let found = stats::rogan_gladen::correct(positive, judged, accuracy);
    let found = found.corrected.map_err(Reason::code)?;
    Ok((found.value, found.ci.low, found.ci.high))
}

/// Strata weigh as much as the items they hold; one that holds items and too few validated ones says nothing.
fn weighed(strata: &[Stratum], of: impl Fn(&Stratum) -> Result<(f64, f64), &'static str>) -> Found {
    let all: u64 = strata.iter().map(|stratum| stratum.judged).sum();
    let (mut value, mut variance) = (0.0, 0.0);
    for stratum in strata.iter().filter(|stratum| stratum.judged > 0) {
        if stratum.gold.len() < 2 {
            return Err("stratum_not_validated");
        }
        let weight = stratum.judged as f64 / all as f64;
        let (mean, se) = of(stratum)?;
        value += weight * mean;
        variance += (weight * se).powi(2);
    }
    let half = 1.959_963_984_540_054 * variance.sqrt();
    Ok((value, value - half, value + half))
}

/// PPI++: the judge's rate on the other items, set right by its mean error on the validated ones.
fn powered(strata: &[Stratum]) -> Found {
    let errors = strata.iter().flat_map(|stratum| &stratum.gold);
    if errors.filter(|(truth, judge)| truth != judge).count() == 0 {
        // Without an error the variance of the errors is nought, and the interval would promise too much.
        return Err("no_error_observed");
    }
    weighed(strata, |stratum| {
        let number = |flag: bool| f64::from(u8::from(flag));
        let truth: Vec<f64> = stratum
            .gold
            .iter()
            .map(|(truth, _)| number(*truth))
            .collect();
        let judge: Vec<f64> = stratum
            .gold
            .iter()
            .map(|(_, judge)| number(*judge))
            .collect();
        let gold_positive = stratum.gold.iter().filter(|(_, judge)| *judge).count() as u64;
        let others = stratum.judged.saturating_sub(stratum.gold.len() as u64) as usize;
        let positive = stratum.positive.saturating_sub(gold_positive) as usize;
        if others == 0 {
            return Err("all_validated");
        }
        let mut unlabelled = vec![0.0; others];
        for value in unlabelled.iter_mut().take(positive) {
            *value = 1.0;
        }
        let found = stats::ppi::mean(&truth, &judge, &unlabelled, 0.95).map_err(Reason::code)?;
        Ok((found.ppi_pp.value, found.ppi_pp.se))
    })
}

/// The validated sample alone.
fn alone(strata: &[Stratum]) -> Found {
    let truths = |stratum: &Stratum| stratum.gold.iter().filter(|(truth, _)| *truth).count() as u64;
    if let [only] = strata {
        return share(truths(only), only.gold.len() as u64);
    }
    weighed(strata, |stratum| {
        let n = stratum.gold.len() as f64;
        let p = truths(stratum) as f64 / n;
        Ok((p, (p * (1.0 - p) / n).sqrt()))
    })
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Stratum, estimates};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use stats::confusion::Binary;

    fn find<'a>(all: &'a [Estimate], estimator: &str) -> &'a Estimate {
        all.iter()
            .find(|one| one.estimator == estimator)
            .expect("there")
    }

    fn accuracy(gold: &[(bool, bool)]) -> Binary {
        let count = |wanted: (bool, bool)| gold.iter().filter(|one| **one == wanted).count() as u64;
        Binary {
            tp: count((true, true)),
            fp: count((false, true)),
            fn_: count((true, false)),
            tn: count((false, false)),
        }
    }

    /// A corpus of 4,000 items of which 30 % are truly stigmatising, a judge that finds 80 % of these and is wrong on
    /// 15 % of the others, and a random sample of 200 that experts validate. The judge alone says 34.5 %.
    fn study(seed: u64) -> Vec<Estimate> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut chance = |p: f64| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 <= p;
        let mut whole = Stratum::default();
        for at in 0..4_000 {
            let truth = chance(0.3);
            let judge = chance(if truth { 0.8 } else { 0.15 });
            whole.judged += 1;
            whole.positive += u64::from(judge);
            // The items are exchangeable, so the first 200 are a random sample.
            if at < 200 {
                whole.gold.push((truth, judge));
            }
        }
        let accuracy = accuracy(&whole.gold);
        estimates(&[whole], Ok(()), &accuracy)
    }

    #[test]
    fn corrected_intervals_cover_the_truth_and_the_judge_alone_does_not() {
        let mut covered = [0; 4];
        for seed in 0..400 {
            let found = study(seed);
            for (count, estimator) in
                covered
                    .iter_mut()
                    .zip(["judged", "ppi", "rogan_gladen", "validated"])
            {
                let one = find(&found, estimator);
                let inside = one.low.expect("low") <= 0.3 && 0.3 <= one.high.expect("high");
                *count += u32::from(inside);
            }
        }
        let [judged, corrected @ ..] = covered;
        // 400 intervals that cover with 95 % cover 380 times with a standard deviation of 4.4; a nominal coverage one
        // point lower by normal approximation still lies within this band of five.
        for count in corrected {
            assert!((358..=399).contains(&count), "{covered:?}");
        }
        assert!(
            judged < 20,
            "the judge alone is biased by 4.5 points: {covered:?}"
        );
    }

    #[test]
    fn ppi_is_the_judges_rate_set_right_by_its_mean_error() {
        // 1,000 items, 400 positive by the judge; of 40 validated 16 are positive by the judge, 4 of them wrongly, and
        // none is overlooked. By hand with weight 1: 384 of 960 others is .4; the mean error is -.1; corrected .3.
        let gold: Vec<_> = (0..40).map(|at| (at < 12, at < 16)).collect();
        let stratum = Stratum {
            judged: 1_000,
            positive: 400,
            gold: gold.clone(),
        };
        let found = estimates(&[stratum], Ok(()), &accuracy(&gold));
        let ppi = find(&found, "ppi").estimate.expect("a rate");
        // The gold items' own judge rate is .4 as well, so the weight of the judge cancels.
        assert!((ppi - 0.3).abs() < 1e-12, "{ppi}");
        // Se = 1, Sp = 24/28; (.4 + 6/7 - 1) / (6/7) = .3.
        let corrected = find(&found, "rogan_gladen").estimate.expect("a rate");
        assert!((corrected - 0.3).abs() < 1e-12, "{corrected}");
        assert_eq!(find(&found, "validated").estimate, Some(0.3));
        assert_eq!(find(&found, "judged").estimate, Some(0.4));
    }

    #[test]
    fn strata_weigh_by_what_they_hold_and_not_by_what_was_drawn() {
        // Half of the sample comes from a tenth of the items, where all are positive; nobody else is.
        let gold = |truth| {
            (0..20)
                .map(|at| (truth, (at == 0) != truth))
                .collect::<Vec<_>>()
        };
        let small = Stratum {
            judged: 100,
            positive: 95,
            gold: gold(true),
        };
        let large = Stratum {
            judged: 900,
            positive: 45,
            gold: gold(false),
        };
        let all = [gold(true), gold(false)].concat();
        let found = estimates(&[small, large], Ok(()), &accuracy(&all));
        assert!((find(&found, "validated").estimate.expect("a rate") - 0.1).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_corrected_says_why() {
        let reason = |strata: &[Stratum], sampled, estimator| {
            let gold: Vec<_> = strata.iter().flat_map(|s| s.gold.clone()).collect();
            find(&estimates(strata, sampled, &accuracy(&gold)), estimator)
                .undefined
                .clone()
        };
        let of = |gold: Vec<(bool, bool)>| Stratum {
            judged: 500,
            positive: 100,
            gold,
        };
        let perfect = of((0..40).map(|at| (at < 8, at < 8)).collect());
        let few = of(vec![(true, true), (false, false), (true, false)]);
        let says = |text: &str| Some(text.to_owned());
        assert_eq!(
            reason(&[of(Vec::new())], Ok(()), "ppi"),
            says("not_validated")
        );
        assert_eq!(
            reason(std::slice::from_ref(&few), Ok(()), "ppi"),
            says("too_few_validated")
        );
        assert_eq!(
            reason(std::slice::from_ref(&few), Ok(()), "rogan_gladen"),
            says("too_few_validated")
        );
        assert_eq!(
            reason(std::slice::from_ref(&perfect), Ok(()), "ppi"),
            says("no_error_observed")
        );
        assert_eq!(
            reason(
                std::slice::from_ref(&perfect),
                Err("validation_not_random"),
                "validated"
            ),
            says("validation_not_random")
        );
        let positives = of((0..40).map(|at| (true, at < 30)).collect());
        assert_eq!(
            reason(&[positives], Ok(()), "rogan_gladen"),
            says("no_validation_negative")
        );
        let unseen = of(vec![(true, true)]);
        let mixed = of((0..40).map(|at| (at < 8, at < 9)).collect());
        assert_eq!(
            reason(&[mixed, unseen], Ok(()), "ppi"),
            says("stratum_not_validated")
        );
        assert_eq!(reason(&[of(Vec::new())], Ok(()), "judged"), None);
    }
}
