//! Two judges, or two versions of a prompt, on the same items.

use super::compute::{choose, rows_of};
use super::count::{Predictor, Reference, took_part};
use super::figure::{Bounds, Counts, Figure, Intervals, Measure, resample};
use super::ground::{Ground, Item, ground, lowest_tag};
use super::rule::Rule;
use super::{ValidationQuery, verdict};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use serde::Serialize;

/// The second judge's figure minus the first one's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The figure's name.
    pub name: &'static str,
    /// The difference.
    pub estimate: Option<f64>,
    /// Its interval: the same items are drawn for both judges.
    pub ci: Option<Bounds>,
}

/// A test with its p value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Test {
    /// The statistic, where it is defined.
    pub chi2: Option<f64>,
    /// Degrees of freedom.
    pub df: Option<u64>,
    /// The p value.
    pub p: Option<f64>,
    /// Why there is none.
    pub undefined: Option<String>,
}

/// Two judges on the same items, against the final labels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The judges' names.
    pub judges: [String; 2],
    /// The rule.
    pub rule: Rule,
    /// Items that both judged.
    pub items: u64,
    /// Precision, recall and F1 of each.
    pub figures: [Vec<Figure>; 2],
    /// Second minus first.
    pub differences: Vec<Difference>,
    /// Items on which only the first, and only the second, gives the right verdict at the lowest severity of a tag.
    pub discordant: [u64; 2],
    /// Items whose final verdict is known.
    pub verdicts: u64,
    /// `McNemar`'s test on these: exact.
    pub mcnemar: Test,
    /// Stuart and Maxwell's test on the levels of the items' most severe tags.
    pub stuart_maxwell: Test,
}

/// Compares two judges of a study under the query's rule, part and choice about few-shot items.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right, [`Refusal::NotFound`] for a judge that the study does not have.
pub async fn compare(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    judges: [&str; 2],
    query: &ValidationQuery,
) -> Result<Comparison> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, id, Action::JudgeRead).await?;
    let ground = ground(&mut db, id).await?;
    drop(db);
    let place = |wanted: &str| {
        ground
            .judges
            .iter()
            .position(|judge| judge.id.as_str() == wanted)
            .ok_or(Refusal::NotFound)
    };
    let places = [place(judges[0])?, place(judges[1])?];
    let query = query.clone();
    let compared = tokio::task::spawn_blocking(move || computed(&ground, places, &query)).await;
    Ok(compared.map_err(|_| Refusal::Internal)?)
}

fn computed(ground: &Ground, judges: [usize; 2], query: &ValidationQuery) -> Comparison {
    let rule = Rule::parse(&query.rule).unwrap_or(Rule::of_scheme(&ground.scheme.judge_rule));
    let second = choose(ground, judges[1], query).items;
    let both = |item: &&Item| {
        took_part(item, Predictor::Judge(judges[1]))
            && second.iter().any(|other| std::ptr::eq(*other, *item))
    };
    let items: Vec<&Item> = choose(ground, judges[0], query)
        .items
        .into_iter()
        .filter(both)
        .collect();
    let of = |judge: usize| rows_of(&items, Predictor::Judge(judge), Reference::Final, rule);
    let (first, second) = (of(judges[0]), of(judges[1]));
    let lowest = lowest_tag(&ground.scheme);
    let (verdicts, discordant) = verdicts(&items, judges, lowest);
    let mcnemar = stats::marginal::mcnemar(discordant[0], discordant[1]);
    let chi2 = mcnemar.corrected.ok();
    Comparison {
        judges: judges.map(|at| ground.judges[at].name.clone()),
        rule,
        items: items.len() as u64,
        differences: differences(&first.0, &second.0),
        figures: [first.1, second.1],
        discordant,
        verdicts,
        mcnemar: Test {
            chi2: chi2.map(|test| test.chi2),
            df: chi2.map(|test| test.df),
            p: (verdicts > 0).then_some(mcnemar.exact_p),
            undefined: (verdicts == 0).then(|| "no_items".to_owned()),
        },
        stuart_maxwell: stuart_maxwell(ground, &items, judges),
    }
}

fn differences(first: &[Counts], second: &[Counts]) -> Vec<Difference> {
    let rows: Vec<Vec<Counts>> = first
        .iter()
        .zip(second)
        .map(|(a, b)| vec![*a, *b])
        .collect();
    let difference = |sums: &[Counts], at: usize| {
        let measure = Measure::ALL[at];
        Some(sums[1].value(measure)? - sums[0].value(measure)?)
    };
    let whole = [first, second].map(|rows| Counts::sum(rows.iter().copied()));
    resample(&rows, Measure::ALL.len(), Intervals::Now, difference)
        .into_iter()
        .enumerate()
        .map(|(at, interval)| {
            let estimate = difference(&whole, at);
            Difference {
                name: Measure::ALL[at].as_str(),
                estimate,
                ci: interval
                    .filter(|_| estimate.is_some())
                    .map(|(low, high)| Bounds {
                        low,
                        high,
                        method: "cluster_bootstrap_percentile",
                    }),
            }
        })
        .collect()
}

fn verdicts(items: &[&Item], judges: [usize; 2], lowest: f64) -> (u64, [u64; 2]) {
    let (mut known, mut discordant) = (0, [0, 0]);
    for item in items {
        let Ok(truth) = verdict::of_reference(item, Reference::Final, lowest, lowest) else {
            continue;
        };
        known += 1;
        let right = judges.map(|judge| verdict::of_judge(item, judge, lowest, lowest) == truth);
        match right {
            [true, false] => discordant[0] += 1,
            [false, true] => discordant[1] += 1,
            _ => {}
        }
    }
    (known, discordant)
}

fn stuart_maxwell(ground: &Ground, items: &[&Item], judges: [usize; 2]) -> Test {
    let levels = ground
        .scheme
        .severity
        .as_ref()
        .map_or(0, |scale| scale.levels.len());
    let values = ground
        .scheme
        .severity
        .as_ref()
        .map(domain::scheme::SeverityScale::values);
    let values = values.unwrap_or_default();
    let mut table = vec![vec![0; levels + 1]; levels + 1];
    for item in items {
        // 0 for an item without a tag, else the highest level that its most severe tag reaches.
        let [row, column] = judges.map(|judge| {
            let reached = |level: &&f64| verdict::of_judge(item, judge, **level, values[0]);
            values.iter().filter(reached).count()
        });
        table[row][column] += 1;
    }
    match stats::marginal::stuart_maxwell(&table) {
        Ok(test) => Test {
            chi2: Some(test.chi2),
            df: Some(test.df),
            p: Some(test.p),
            undefined: None,
        },
        Err(why) => Test {
            chi2: None,
            df: None,
            p: None,
            undefined: Some(why.code().to_owned()),
        },
    }
}
