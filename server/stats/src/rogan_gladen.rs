//! Rogan-Gladen: a prevalence corrected for the judge's sensitivity and specificity.

use crate::confusion::Binary;
use crate::dist::z_of;
use crate::result::{Interval, Method, Reason};

/// The judge's rate, its accuracy on the validation sample, and the corrected prevalence.
///
/// ```
/// let validation = stats::confusion::Binary { tp: 8, fp: 2, fn_: 4, tn: 16 };
/// let rg = stats::rogan_gladen::correct(40, 100, &validation);
/// assert!((rg.corrected.expect("informative").value - 0.52).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoganGladen {
    /// Share the judge calls positive.
    pub apparent: Result<f64, Reason>,
    /// Sensitivity in the validation sample.
    pub sensitivity: Result<f64, Reason>,
    /// Specificity in the validation sample.
    pub specificity: Result<f64, Reason>,
    /// The corrected prevalence.
    pub corrected: Result<Corrected, Reason>,
}

/// A corrected prevalence.
///
/// ```
/// let validation = stats::confusion::Binary { tp: 9, fp: 5, fn_: 1, tn: 5 };
/// let corrected = stats::rogan_gladen::correct(10, 100, &validation).corrected.expect("informative");
/// assert!(corrected.raw < 0.0 && corrected.value == 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrected {
    /// Before clipping to [0, 1].
    pub raw: f64,
    /// Clipped to [0, 1].
    pub value: f64,
    /// Standard error.
    pub se: f64,
    /// 95 % interval, clipped to [0, 1].
    pub ci: Interval,
}

/// Corrects a judge's rate: p = (AP + Sp - 1)/(Se + Sp - 1).
///
/// var = [AP(1-AP)/N + p^2 Se(1-Se)/n1 + (1-p)^2 Sp(1-Sp)/n0]/(Se + Sp - 1)^2. Sensitivity and specificity must carry over from the
/// validation sample to the target. Rogan & Gladen (1978), Am. J. Epidemiol. 107:71-76.
///
/// The fields carry [`Reason::NoItems`] without judged items, [`Reason::NoValidationPositive`] or
/// [`Reason::NoValidationNegative`] without a validation class, [`Reason::JudgeNotInformative`] when Se + Sp <= 1,
/// [`Reason::OutOfRange`] for more positives than items.
///
/// ```
/// let guess = stats::confusion::Binary { tp: 20, fn_: 20, tn: 50, fp: 50 };
/// let rg = stats::rogan_gladen::correct(400, 1000, &guess);
/// assert_eq!(rg.corrected, Err(stats::Reason::JudgeNotInformative));
/// ```
pub fn correct(judge_positive: u64, judge_total: u64, validation: &Binary) -> RoganGladen {
    let share = |part: u64, whole: u64, reason: Reason| {
        if whole == 0 {
            Err(reason)
        } else {
            Ok(part as f64 / whole as f64)
        }
    };
    let (positives, negatives) = (
        validation.tp + validation.fn_,
        validation.tn + validation.fp,
    );
    let apparent = if judge_positive > judge_total {
        Err(Reason::OutOfRange)
    } else {
        share(judge_positive, judge_total, Reason::NoItems)
    };
    let sensitivity = share(validation.tp, positives, Reason::NoValidationPositive);
    let specificity = share(validation.tn, negatives, Reason::NoValidationNegative);
    let corrected = match (apparent, sensitivity, specificity) {
        (Ok(ap), Ok(se), Ok(sp)) => {
            // in counts, so that a judge at chance is not informative whatever the rounding
            let youden = i128::from(validation.tp) * i128::from(negatives)
                - i128::from(validation.fp) * i128::from(positives);
            if youden <= 0 {
                Err(Reason::JudgeNotInformative)
            } else {
                Ok(Corrected::new(
                    ap,
                    judge_total,
                    (se, positives),
                    (sp, negatives),
                ))
            }
        }
        (Err(reason), ..) | (_, Err(reason), _) | (.., Err(reason)) => Err(reason),
    };
    RoganGladen {
        apparent,
        sensitivity,
        specificity,
        corrected,
    }
}

impl Corrected {
    fn new(ap: f64, total: u64, (se, n1): (f64, u64), (sp, n0): (f64, u64)) -> Self {
        let informedness = se + sp - 1.0;
        let raw = (ap + sp - 1.0) / informedness;
        let p = raw.clamp(0.0, 1.0);
        let variance = ap * (1.0 - ap) / total as f64
            + p * p * se * (1.0 - se) / n1 as f64
            + (1.0 - p).powi(2) * sp * (1.0 - sp) / n0 as f64;
        let error = variance.sqrt() / informedness;
        let half = z_of(0.95) * error;
        let ci = Interval {
            low: (p - half).max(0.0),
            high: (p + half).min(1.0),
            method: Method::Wald,
        };
        Self {
            raw,
            value: p,
            se: error,
            ci,
        }
    }
}
