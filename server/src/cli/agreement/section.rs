//! What every form of the report is written from: one line a statistic, in sections.

use stats::{Coefficient, Reason};

use super::measure::{Measured, Report as Measures, Row};

/// What is reported.
pub(super) struct Report {
    /// What was read.
    pub(super) source: String,
    pub(super) sections: Vec<Section>,
    pub(super) warnings: Vec<String>,
}

/// The statistics of one criterion, or of one group of its items.
pub(super) struct Section {
    pub(super) name: String,
    pub(super) raters: Vec<String>,
    pub(super) n_items: u64,
    pub(super) n_missing: Option<u64>,
    pub(super) categories: Vec<String>,
    pub(super) scale: &'static str,
    pub(super) lines: Vec<Line>,
    pub(super) by: Vec<Section>,
}

/// One statistic with all that travels with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) name: String,
    /// Whether it belongs to the scale that was asked for; the others are only for programs.
    pub(super) fits: bool,
    pub(super) estimate: Option<f64>,
    /// Why there is no estimate.
    pub(super) reason: Option<String>,
    pub(super) interval: Option<Bounds>,
    /// Why there is no interval.
    pub(super) interval_reason: Option<String>,
    pub(super) n_units: u64,
    pub(super) n_dropped: u64,
    pub(super) se: Option<f64>,
    pub(super) se0: Option<f64>,
    pub(super) z: Option<f64>,
    pub(super) p: Option<f64>,
    pub(super) bootstrap: Option<Drawn>,
}

/// An interval and how it was made.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) method: String,
}

/// What the resamples said.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn {
    pub(super) n_resamples: u64,
    pub(super) n_undefined: u64,
    pub(super) se: Option<f64>,
    pub(super) percentile: Option<[f64; 2]>,
    pub(super) bca: Option<[f64; 2]>,
}

impl Line {
    /// Why there is no estimate or no interval, for a reader.
    pub(super) fn why(&self) -> &str {
        let code = self.reason.as_ref().or(self.interval_reason.as_ref());
        code.map_or("", |code| sentence(code))
    }

    /// When the statistic is the right one; empty for those that are part of another.
    pub(super) fn advice(&self) -> &'static str {
        self.name.parse().map_or("", Coefficient::advice)
    }
}

fn sentence(code: &str) -> &str {
    match code {
        "more_than_two_raters" => "it is for two raters; see --by rater_pair",
        "interval_not_estimable" => "no interval can be estimated from these",
        "no_interval" => "it has no interval",
        _ => Reason::ALL
            .iter()
            .find(|reason| reason.code() == code)
            .map_or(code, |reason| reason.sentence()),
    }
}

impl From<Measures> for Report {
    fn from(measures: Measures) -> Self {
        Self {
            source: format!("Read as {}.", measures.columns),
            sections: measures.criteria.into_iter().map(Section::from).collect(),
            warnings: measures.warnings,
        }
    }
}

impl From<Measured> for Section {
    fn from(measured: Measured) -> Self {
        Self {
            name: measured.name,
            raters: measured.raters,
            n_items: measured.n_items as u64,
            n_missing: Some(measured.n_missing),
            categories: measured.categories,
            scale: measured.scale.code(),
            lines: measured.rows.iter().map(Line::from).collect(),
            by: measured.by.into_iter().map(Self::from).collect(),
        }
    }
}

impl From<&Row> for Line {
    fn from(row: &Row) -> Self {
        let interval = row.interval();
        let line = Self {
            name: row.coefficient.name().to_owned(),
            fits: row.fits,
            interval: interval.ok().map(|bounds| Bounds {
                low: bounds.low,
                high: bounds.high,
                method: bounds.method.code().to_owned(),
            }),
            interval_reason: interval.err().map(|reason| reason.code().to_owned()),
            bootstrap: row.resampled.as_ref().and_then(|drawn| {
                let drawn = drawn.as_ref().ok()?;
                let pair = |bounds: stats::Interval| [bounds.low, bounds.high];
                Some(Drawn {
                    n_resamples: drawn.n_resamples as u64,
                    n_undefined: drawn.n_undefined as u64,
                    se: drawn.se,
                    percentile: drawn.percentile.ok().map(pair),
                    bca: drawn.bca.ok().map(|bca| pair(bca.interval)),
                })
            }),
            ..Self::default()
        };
        match &row.statistic {
            Ok(estimate) => Self {
                estimate: Some(estimate.value),
                n_units: estimate.n_units,
                n_dropped: estimate.n_dropped(),
                se: estimate.se,
                se0: estimate.se0,
                z: estimate.z,
                p: estimate.p,
                ..line
            },
            Err(undefined) => Self {
                reason: Some(undefined.reason.code().to_owned()),
                n_units: undefined.n_units,
                n_dropped: undefined.n_dropped(),
                ..line
            },
        }
    }
}
