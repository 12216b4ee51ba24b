//! The agreement of a study, as its agreement page and its export have it.

use clap::ValueEnum;
use domain::count::count;
use service::{
    Actor, Error, Services,
    agreement::{self, AgreementQuery, AgreementReport, Facet, Group, Question, StatRow},
    study,
};
use stats::Coefficient;

use super::section::{Bounds, Drawn, Line, Report, Section};
use crate::cli::open::told;

/// Before or after reconciliation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Stage {
    /// What raters said independently
    #[default]
    Raw,
    /// The same with the final value of every ruling in force
    Reconciled,
}

impl From<Stage> for agreement::Stage {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Raw => Self::Raw,
            Stage::Reconciled => Self::Reconciled,
        }
    }
}

/// What is wanted.
pub(super) struct Request {
    pub(super) stage: Stage,
    /// By what units are also counted apart.
    pub(super) by: Option<Facet>,
    /// Only these; all that fit when empty.
    pub(super) statistics: Vec<Coefficient>,
}

/// By what a study's units can be divided.
pub(super) fn facet(word: &str) -> Result<Facet, String> {
    Facet::ALL
        .into_iter()
        .filter(|facet| *facet != Facet::None)
        .find(|facet| facet.as_str() == word)
        .ok_or_else(|| {
            format!(
                "a study is divided by category, condition, model, rater_pair or judge, not by `{word}`"
            )
        })
}

/// Reads the study and reports on every question of its scheme.
pub(super) async fn report(
    app: &Services,
    actor: &Actor,
    name: &str,
    request: &Request,
) -> Result<Report, Box<dyn std::error::Error>> {
    let id = study::find(app, actor, name).await.map_err(|error| {
        let missing = matches!(&error, Error::Refused(domain::refusal::Refusal::NotFound));
        if missing {
            format!("there is neither a file nor a study `{name}`").into()
        } else {
            told(error)
        }
    })?;
    let mut report = Report {
        source: format!(
            "Study {name}, {} values; intervals draw whole items {} times with seed {}.",
            agreement::Stage::from(request.stage).as_str(),
            agreement::RESAMPLES,
            agreement::BOOTSTRAP_SEED
        ),
        sections: Vec::new(),
        warnings: Vec::new(),
    };
    let scheme = study::overview(app, actor, &id).await.map_err(told)?.scheme;
    let mut questions = agreement::with_levels(&scheme);
    // Validity comes first: whether a tag is right, and then how severe it is.
    questions.sort_by_key(|question| *question != Question::Validity);
    for question in questions {
        let ask = |facet| AgreementQuery {
            stage: request.stage.into(),
            question: question.clone(),
            facet,
        };
        let whole = agreement::settled(app, actor, &id, &ask(Facet::None))
            .await
            .map_err(told)?;
        let mut section = section(&whole, whole.groups.first(), request);
        question.as_str().clone_into(&mut section.name);
        warn(&whole, &section, &mut report.warnings);
        if let Some(facet) = request.by.filter(|facet| facet.divides(&question)) {
            let parts = agreement::settled(app, actor, &id, &ask(facet))
                .await
                .map_err(told)?;
            let groups = parts.groups.iter();
            section.by = groups
                .map(|group| self::section(&parts, Some(group), request))
                .collect();
        }
        report.sections.push(section);
    }
    Ok(report)
}

fn section(report: &AgreementReport, group: Option<&Group>, request: &Request) -> Section {
    let wanted = |row: &&StatRow| {
        let named = |coefficient: &Coefficient| coefficient.name() == row.name;
        request.statistics.is_empty() || request.statistics.iter().any(named)
    };
    let rows = group
        .map(|group| group.stats.as_slice())
        .unwrap_or_default();
    let units = rows.first().map_or(0, |row| row.n_units + row.n_dropped);
    Section {
        name: group
            .map(|group| group.facet_value.clone())
            .unwrap_or_default(),
        raters: report
            .raters
            .iter()
            .map(|rater| rater.letter.clone())
            .collect(),
        n_items: units,
        n_missing: None,
        categories: report.labels.clone(),
        scale: if report.question.ordered {
            "ordinal"
        } else {
            "nominal"
        },
        lines: rows.iter().filter(wanted).map(line).collect(),
        by: Vec::new(),
    }
}

fn line(row: &StatRow) -> Line {
    let bounds = row.ci_low.zip(row.ci_high);
    let (reason, interval_reason) = if row.estimate.is_some() {
        (None, row.undefined_reason.clone())
    } else {
        (row.undefined_reason.clone(), None)
    };
    let drawn = |low, high, method: &str| method.starts_with("cluster").then_some([low, high]);
    let percentile = bounds
        .and_then(|(low, high)| drawn(low, high, &row.method))
        .or_else(|| {
            let other = row.other.as_ref()?;
            drawn(other.low, other.high, &other.method)
        });
    Line {
        name: row.name.clone(),
        fits: true,
        estimate: row.estimate,
        reason,
        interval: bounds.map(|(low, high)| Bounds {
            low,
            high,
            method: row.method.clone(),
        }),
        interval_reason,
        n_units: row.n_units,
        n_dropped: row.n_dropped,
        se: row.se,
        se0: row.se0,
        z: row.z,
        p: row.p,
        bootstrap: percentile.map(|percentile| Drawn {
            n_resamples: agreement::RESAMPLES as u64,
            n_undefined: row.undefined_resamples,
            percentile: Some(percentile),
            ..Drawn::default()
        }),
    }
}

/// What is easily misread.
fn warn(report: &AgreementReport, section: &Section, warnings: &mut Vec<String>) {
    let name = &section.name;
    let group = report.groups.first();
    let marginals = group
        .map(|group| group.marginals.as_slice())
        .unwrap_or_default();
    for (rater, used) in marginals {
        let total: u64 = used.iter().sum();
        if total > 1 && used.iter().filter(|&&n| n > 0).count() == 1 {
            warnings.push(format!("{name}: rater {rater} used one category"));
        }
    }
    let unused: Vec<&str> = report
        .labels
        .iter()
        .enumerate()
        .filter(|(at, _)| marginals.iter().all(|(_, used)| used.get(*at) == Some(&0)))
        .map(|(_, label)| label.as_str())
        .collect();
    let used = section.lines.first().map_or(0, |line| line.n_units);
    if !unused.is_empty()
        && used > 0
        && marginals
            .iter()
            .all(|(_, n)| n.len() == report.labels.len())
    {
        warnings.push(format!("{name}: nobody used {}", unused.join(", ")));
    }
    if used < 30 {
        warnings.push(format!(
            "{name}: {} rated by two raters; intervals from fewer than 30 are rough",
            count(used, "unit was", "units were")
        ));
    }
    let lost = |line: &&Line| {
        let drawn = line.bootstrap.as_ref();
        drawn.is_some_and(|drawn| drawn.n_undefined * 20 > drawn.n_resamples)
    };
    let doubtful: Vec<&str> = section
        .lines
        .iter()
        .filter(lost)
        .map(|line| line.name.as_str())
        .collect();
    if !doubtful.is_empty() {
        warnings.push(format!(
            "{name}: more than 5 % of the resamples have no value, the interval is not to be trusted: {}",
            doubtful.join(", ")
        ));
    }
}
