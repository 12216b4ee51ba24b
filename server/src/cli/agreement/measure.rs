//! From a file of ratings to coefficients, by criterion and group.

use formats::ratings::{Criterion, MISSING, RatingsFile};
use stats::bootstrap::Resampled;
use stats::{
    Bootstrap, Coding, Coefficient, Interval, Ratings, RatingsBuilder, Reason, Scale, Statistic,
    Value, agreement,
};

use super::warnings;

/// With more raters the kappas of all pairs are left out.
const MOST_RATERS_FOR_PAIRS: usize = 40;

/// What is wanted.
pub(super) struct Request {
    pub(super) scale: Option<Scale>,
    /// Only these; all that fit when empty.
    pub(super) statistics: Vec<Coefficient>,
    pub(super) categories: Vec<Value>,
    /// Number of resamples and seed.
    pub(super) bootstrap: Option<(usize, u64)>,
}

/// What is reported.
pub(super) struct Report {
    pub(super) columns: String,
    pub(super) criteria: Vec<Measured>,
    pub(super) warnings: Vec<String>,
}

/// The coefficients of one criterion, or of one group of its items.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) raters: Vec<String>,
    pub(super) n_items: usize,
    pub(super) n_missing: u64,
    pub(super) categories: Vec<String>,
    pub(super) scale: Scale,
    pub(super) rows: Vec<Row>,
    pub(super) by: Vec<Measured>,
}

/// One coefficient.
pub(super) struct Row {
    pub(super) coefficient: Coefficient,
    pub(super) statistic: Statistic,
    /// Whether it belongs to the scale that was asked for; the others are only for programs.
    pub(super) fits: bool,
    pub(super) resampled: Option<Result<Resampled, Reason>>,
}

impl Row {
    /// The interval to show: the bootstrap's when there is one, otherwise the closed formula's.
    pub(super) fn interval(&self) -> Result<Interval, Reason> {
        match (&self.resampled, &self.statistic) {
            (Some(Ok(resampled)), _) => resampled
                .bca
                .map(|bca| bca.interval)
                .or(resampled.percentile),
            (Some(Err(reason)), _) => Err(*reason),
            (None, Ok(estimate)) => estimate.ci,
            (None, Err(undefined)) => Err(undefined.reason),
        }
    }
}

/// Measures every criterion.
pub(super) fn measure(file: RatingsFile, request: &Request) -> Result<Report, String> {
    let mut report = Report {
        columns: file.columns,
        criteria: Vec::new(),
        warnings: Vec::new(),
    };
    for criterion in file.criteria {
        let criterion = without_empty_raters(criterion, &mut report.warnings);
        let ratings = ratings(&criterion, request, None).map_err(|error| error.to_string())?;
        warnings::look(&criterion, &ratings, request, &mut report.warnings);
        let mut measured = measured(&criterion, &ratings, request, None, &mut report.warnings);
        if let Some((groups, of_item)) = &criterion.by {
            for (number, group) in groups.iter().enumerate() {
                let own: Vec<usize> = (0..criterion.n_items)
                    .filter(|&i| of_item[i] as usize == number)
                    .collect();
                let part = self::ratings(&criterion, request, Some(&own))
                    .map_err(|error| error.to_string())?;
                let mut of_group =
                    self::measured(&criterion, &part, request, Some(&own), &mut report.warnings);
                group.clone_into(&mut of_group.name);
                measured.by.push(of_group);
            }
        }
        report.criteria.push(measured);
    }
    Ok(report)
}

/// A rater without any rating would only stand in the way of the others.
fn without_empty_raters(mut criterion: Criterion, warnings: &mut Vec<String>) -> Criterion {
    let width = criterion.raters.len();
    let mut rated = vec![false; width];
    for row in criterion.cells.chunks(width.max(1)) {
        rated
            .iter_mut()
            .zip(row)
            .for_each(|(rated, &cell)| *rated |= cell != MISSING);
    }
    if rated.iter().all(|&rated| rated) || criterion.cells.is_empty() {
        return criterion;
    }
    let mut place = 0;
    criterion.cells.retain(|_| {
        place += 1;
        rated[(place - 1) % width]
    });
    let (kept, left): (Vec<_>, Vec<_>) = criterion
        .raters
        .into_iter()
        .zip(&rated)
        .partition(|(_, rated)| **rated);
    criterion.raters = kept.into_iter().map(|(name, _)| name).collect();
    for (name, _) in left {
        warnings.push(warnings::about(
            &criterion.name,
            &format!("rater {name} has no rating and is left out"),
        ));
    }
    criterion
}

/// The matrix of all items, or of some.
fn ratings(
    criterion: &Criterion,
    request: &Request,
    items: Option<&[usize]>,
) -> Result<Ratings, stats::RatingsError> {
    let seen: Vec<Value> = criterion
        .values
        .iter()
        .map(|value| value.as_str().into())
        .collect();
    let declared = (!request.categories.is_empty()).then_some(&request.categories[..]);
    let coding = Coding::new(declared, &seen)?;
    let width = criterion.raters.len();
    let mut builder = RatingsBuilder::new(coding.categories, width);
    let mut row = vec![None; width];
    let all = 0..criterion.n_items;
    let mut push = |item: usize| {
        for (code, &cell) in row.iter_mut().zip(&criterion.cells[item * width..]) {
            *code = (cell != MISSING).then(|| coding.codes[cell as usize]);
            builder.count_off_scale(u64::from(
                cell != MISSING && coding.off_scale[cell as usize],
            ));
        }
        builder.push(&row)
    };
    match items {
        Some(items) => items.iter().try_for_each(|&item| push(item))?,
        None => all.into_iter().try_for_each(&mut push)?,
    }
    Ok(builder.finish())
}

fn measured(
    criterion: &Criterion,
    ratings: &Ratings,
    request: &Request,
    items: Option<&[usize]>,
    warnings: &mut Vec<String>,
) -> Measured {
    let numeric = ratings.categories().is_numeric();
    let scale = request.scale.unwrap_or(if numeric {
        Scale::Ordinal
    } else {
        Scale::Nominal
    });
    let shown = agreement::fitting(ratings, scale);
    let wanted = wanted(ratings, request, if numeric { Scale::Ratio } else { scale });
    let mut resampled = resample(criterion, ratings, request, items, &wanted).into_iter();
    let rows: Vec<Row> = wanted
        .into_iter()
        .map(|coefficient| Row {
            coefficient,
            statistic: coefficient.compute(ratings),
            fits: shown.contains(&coefficient) || !request.statistics.is_empty(),
            resampled: resampled.next(),
        })
        .collect();
    warnings::resamples(&criterion.name, &rows, warnings);
    Measured {
        name: criterion.name.clone(),
        raters: criterion.raters.clone(),
        n_items: ratings.n_items(),
        n_missing: ratings.n_missing(),
        categories: ratings.categories().labels().to_vec(),
        scale,
        rows,
        by: Vec::new(),
    }
}

/// What was asked for by name, otherwise all that fit the scale.
fn wanted(ratings: &Ratings, request: &Request, scale: Scale) -> Vec<Coefficient> {
    if !request.statistics.is_empty() {
        return request.statistics.clone();
    }
    let light = |c: &Coefficient| {
        matches!(
            c,
            Coefficient::LightKappa | Coefficient::LightKappaQuadratic
        )
    };
    agreement::fitting(ratings, scale)
        .into_iter()
        .filter(|coefficient| ratings.n_raters() <= MOST_RATERS_FOR_PAIRS || !light(coefficient))
        .collect()
}

/// All coefficients on the same resamples; nothing when no bootstrap is wanted.
fn resample(
    criterion: &Criterion,
    ratings: &Ratings,
    request: &Request,
    items: Option<&[usize]>,
    wanted: &[Coefficient],
) -> Vec<Result<Resampled, Reason>> {
    let Some((resamples, seed)) = request.bootstrap else {
        return Vec::new();
    };
    let bootstrap = Bootstrap::new(resamples, seed);
    match (&criterion.clusters, items) {
        (None, _) => bootstrap.items(ratings, wanted, None),
        (Some(clusters), None) => bootstrap
            .clusters(ratings, clusters, wanted, None)
            .unwrap_or_default(),
        (Some(clusters), Some(items)) => {
            let own: Vec<u32> = items.iter().map(|&item| clusters[item]).collect();
            bootstrap
                .clusters(ratings, &own, wanted, None)
                .unwrap_or_default()
        }
    }
}
