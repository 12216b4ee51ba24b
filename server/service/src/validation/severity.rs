//! How the judge's severities lie against those of the reference: agreement, bias, calibration, and the ceiling that
//! two humans set.

use super::count::{Predictor, Reference, took_part};
use super::figure::{Bounds, Figure, Intervals, RESAMPLES};
use super::ground::{Item, Stand};
use domain::scheme::Scheme;
use serde::Serialize;
use stats::alt_test::{AltTest, Score};
use stats::{Bootstrap, Coefficient, Ratings};

/// Severities of the same tag by two sides.
pub(crate) struct SeverityPair {
    /// The place of its item: tags of one item are not independent.
    pub seq: u32,
    pub reference: f64,
    pub predicted: f64,
}

/// One bar of the reliability curve: what the reference says where the judge gave this severity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The judge's severity.
    pub severity: f64,
    /// Tags with it that could be compared.
    pub tags: u64,
    /// Of these, tags that the reference does not have.
    pub rejected: u64,
    /// Tags with a severity on both sides.
    pub n: u64,
    /// Their mean severity in the reference.
    pub mean: Option<f64>,
    /// Their standard deviation in the reference.
    pub sd: Option<f64>,
}

/// The alternative-annotator test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AltReport {
    /// How much worse than a human the judge may be for its lower cost.
    pub epsilon: f64,
    /// Each rater: letter, items, how often the judge and how often the rater came nearer to the others, p, rejected.
    pub raters: Vec<AltRater>,
    /// The share of raters against whom the judge holds, and its average advantage.
    pub winning_rate: Option<f64>,
    /// How often the judge comes as near to the other raters as the rater left out.
    pub advantage: Option<f64>,
    /// Whether the winning rate is at least one half.
    pub passed: Option<bool>,
    /// Two raters only: each is scored against one other person, so the test explores and does not decide.
    pub exploratory: bool,
    /// Why there is no verdict.
    pub undefined: Option<String>,
}

/// One rater in the alternative-annotator test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AltRater {
    /// The letter.
    pub letter: String,
    /// Tags rated by the rater, another one and the judge.
    pub n: u64,
    /// The share on which the judge comes as near to the others as this rater.
    pub judge_wins: Option<f64>,
    /// The share on which this rater comes as near as the judge.
    pub human_wins: Option<f64>,
    /// The p value.
    pub p: Option<f64>,
    /// Whether the judge holds after correction.
    pub rejected: bool,
}

/// The statistics of severities.
pub(crate) const STATISTICS: [Coefficient; 6] = [
    Coefficient::PercentAgreement,
    Coefficient::Within1Agreement,
    Coefficient::KappaLinear,
    Coefficient::KappaQuadratic,
    Coefficient::Bias,
    Coefficient::Mae,
];

fn severity_of(item: &Item, at: usize, predictor: Predictor) -> Option<f64> {
    let unit = &item.units[at];
    match predictor {
        Predictor::Judge(judge) => unit
            .judge
            .filter(|own| *own == judge)
            .and(unit.tag.severity),
        Predictor::Rater(rater) => unit.raters[rater].severity,
    }
}

/// Severities of the tags that both sides scored.
pub(crate) fn pairs(
    items: &[&Item],
    predictor: Predictor,
    reference: Reference,
) -> Vec<SeverityPair> {
    let of_item = |item: &&Item| {
        let seq = u32::try_from(item.at.seq).unwrap_or(u32::MAX);
        let pair = |at: usize| {
            Some(SeverityPair {
                seq,
                reference: reference.severity(&item.units[at])?,
                predicted: severity_of(item, at, predictor)?,
            })
        };
        (0..item.units.len()).filter_map(pair).collect::<Vec<_>>()
    };
    items
        .iter()
        .filter(|item| took_part(item, predictor))
        .flat_map(of_item)
        .collect()
}

fn matrix(scheme: &Scheme, pairs: &[SeverityPair]) -> Option<(Ratings, Vec<u32>)> {
    let declared = scheme.severity.as_ref()?.values();
    let rows: Vec<Vec<Option<f64>>> = pairs
        .iter()
        .map(|pair| vec![Some(pair.reference), Some(pair.predicted)])
        .collect();
    let ratings = Ratings::from_numbers(&declared, &rows).ok()?;
    Some((ratings, pairs.iter().map(|pair| pair.seq).collect()))
}

/// These statistics of the pairs, and the limits of agreement.
pub(crate) fn figures(
    scheme: &Scheme,
    pairs: &[SeverityPair],
    statistics: &[Coefficient],
    intervals: Intervals,
) -> Vec<Figure> {
    let n = pairs.len() as u64;
    let Some((ratings, clusters)) = matrix(scheme, pairs).filter(|_| n > 0) else {
        return statistics
            .iter()
            .map(|statistic| undefined(statistic.name(), "no_pairs", 0))
            .collect();
    };
    let resampled = match intervals {
        Intervals::Later => Vec::new(),
        Intervals::Now => Bootstrap {
            bca: false,
            ..Bootstrap::new(RESAMPLES, crate::agreement::BOOTSTRAP_SEED)
        }
        .clusters(&ratings, &clusters, statistics, None)
        .unwrap_or_default(),
    };
    statistics
        .iter()
        .enumerate()
        .map(|(at, statistic)| match statistic.compute(&ratings) {
            Err(why) => undefined(statistic.name(), why.reason.code(), n),
            Ok(estimate) => {
                let by_item = resampled
                    .get(at)
                    .and_then(|r| r.as_ref().ok())
                    .filter(|r| !r.is_doubtful())
                    .and_then(|r| r.percentile.as_ref().ok())
                    .map(bounds);
                let closed = estimate.ci.as_ref().ok().map(bounds);
                let ci = by_item.or(closed);
                Figure {
                    estimate: Some(estimate.value),
                    ci,
                    other: closed.filter(|other| ci.is_some_and(|ci| ci.method != other.method)),
                    undefined: None,
                    ..undefined(statistic.name(), "", n)
                }
            }
        })
        .collect()
}

/// Bias with the limits of agreement in place of an interval: 95 % of single differences lie between them.
pub(crate) fn bland_altman(scheme: &Scheme, pairs: &[SeverityPair]) -> Figure {
    let name = "limits_of_agreement";
    let n = pairs.len() as u64;
    let Some((ratings, _)) = matrix(scheme, pairs).filter(|_| n > 0) else {
        return undefined(name, "no_pairs", 0);
    };
    match stats::difference::bland_altman(&ratings, [0, 1]) {
        Err(why) => undefined(name, why.reason.code(), n),
        Ok(estimate) => Figure {
            estimate: Some(estimate.value),
            ci: estimate.ci.as_ref().ok().map(bounds),
            undefined: None,
            ..undefined(name, "", n)
        },
    }
}

fn bounds(interval: &stats::Interval) -> Bounds {
    Bounds {
        low: interval.low,
        high: interval.high,
        method: interval.method.code(),
    }
}

pub(crate) fn undefined(name: &str, reason: &str, n: u64) -> Figure {
    Figure {
        name: name.to_owned(),
        estimate: None,
        ci: None,
        other: None,
        n,
        tp: None,
        fp: None,
        fn_: None,
        coverage: None,
        undefined: Some(reason.to_owned()),
    }
}

/// What the reference says at each severity that the judge gave.
pub(crate) fn reliability(items: &[&Item], judge: usize, reference: Reference) -> Vec<Bin> {
    let mut tags: Vec<(f64, bool, Option<f64>)> = Vec::new();
    for item in items {
        for unit in item.units.iter().filter(|unit| unit.judge == Some(judge)) {
            let (Some(severity), false) = (
                unit.tag.severity,
                matches!(reference.of(unit), Stand::Unknown(_)),
            ) else {
                continue;
            };
            let rejected = matches!(reference.of(unit), Stand::No);
            tags.push((severity, rejected, reference.severity(unit)));
        }
    }
    tags.sort_by(|a, b| a.0.total_cmp(&b.0));
    tags.chunk_by(|a, b| a.0 == b.0)
        .map(|bin| {
            let scored: Vec<f64> = bin.iter().filter_map(|(_, _, said)| *said).collect();
            let n = scored.len() as f64;
            let mean = (n > 0.0).then(|| scored.iter().sum::<f64>() / n);
            let spread = |mean: f64| scored.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
            Bin {
                severity: bin[0].0,
                tags: bin.len() as u64,
                rejected: bin.iter().filter(|(_, rejected, _)| *rejected).count() as u64,
                n: scored.len() as u64,
                mean,
                sd: mean
                    .filter(|_| n > 1.0)
                    .map(|mean| (spread(mean) / (n - 1.0)).sqrt()),
            }
        })
        .collect()
}

/// Experts may cost this much more than the judge before it stands in for them.
const EPSILON: f64 = 0.2;

/// Whether the judge could stand in for a rater. A tag that a rater judged invalid takes the lowest level.
pub(crate) fn alt_test(
    scheme: &Scheme,
    letters: &[&str],
    items: &[&Item],
    judge: usize,
) -> AltReport {
    let lowest = scheme
        .severity
        .as_ref()
        .and_then(domain::scheme::SeverityScale::lowest);
    let mut rows: Vec<Vec<Option<f64>>> = Vec::new();
    for item in items {
        for unit in item.units.iter().filter(|unit| unit.judge == Some(judge)) {
            let said = unit
                .raters
                .iter()
                .map(|said| if said.invalid { lowest } else { said.severity });
            rows.push(said.chain([unit.tag.severity]).collect());
        }
    }
    let mut report = AltReport {
        epsilon: EPSILON,
        raters: Vec::new(),
        winning_rate: None,
        advantage: None,
        passed: None,
        exploratory: letters.len() == 2,
        undefined: None,
    };
    let declared = scheme
        .severity
        .as_ref()
        .map(domain::scheme::SeverityScale::values);
    let ratings = declared.and_then(|declared| Ratings::from_numbers(&declared, &rows).ok());
    let Some(ratings) = ratings.filter(|_| !rows.is_empty()) else {
        report.undefined = Some("no_pairs".to_owned());
        return report;
    };
    let outcome = AltTest::new(EPSILON, Score::NegRmse).run(&ratings, letters.len());
    report.raters = outcome
        .humans
        .iter()
        .map(|human| AltRater {
            letter: letters
                .get(human.rater)
                .copied()
                .unwrap_or_default()
                .to_owned(),
            n: human.n_items,
            judge_wins: human.test.ok().map(|test| test.judge_wins),
            human_wins: human.test.ok().map(|test| test.human_wins),
            p: human.test.ok().map(|test| test.p),
            rejected: human.test.is_ok_and(|test| test.rejected),
        })
        .collect();
    match outcome.verdict {
        Err(why) => report.undefined = Some(why.code().to_owned()),
        Ok(verdict) => {
            report.winning_rate = Some(verdict.winning_rate);
            report.advantage = Some(verdict.advantage);
            report.passed = Some(verdict.passed);
        }
    }
    report
}
