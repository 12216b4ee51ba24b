//! What theory says must hold for any ratings.
#![expect(clippy::unwrap_used, reason = "a test that fails says so")]

use proptest::prelude::*;
use stats::{Bootstrap, Coefficient, Ratings, Scale, Statistic, agreement, percent};

type Rows = Vec<Vec<Option<f64>>>;

const FIVE: [f64; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];

fn rows(raters: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Rows> {
    raters.prop_flat_map(|raters| {
        let cell = prop::option::weighted(0.85, (1..=5_i32).prop_map(f64::from));
        prop::collection::vec(prop::collection::vec(cell, raters), 1..30)
    })
}

fn ratings(rows: &Rows) -> Ratings {
    Ratings::from_numbers(&FIVE, rows).unwrap()
}

fn values(ratings: &Ratings) -> Vec<(&'static str, Result<f64, stats::Reason>)> {
    agreement::report(ratings, Scale::Ratio)
        .into_iter()
        .map(|named| (named.coefficient.name(), value(&named.statistic)))
        .collect()
}

fn value(statistic: &Statistic) -> Result<f64, stats::Reason> {
    statistic
        .as_ref()
        .map(|estimate| estimate.value)
        .map_err(|undefined| undefined.reason)
}

fn same(a: &Result<f64, stats::Reason>, b: &Result<f64, stats::Reason>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-9 * a.abs().max(1.0),
        (a, b) => a.is_err() == b.is_err(),
    }
}

/// Not a function of the declared number of categories.
fn ignores_unused(name: &str) -> bool {
    !(name.starts_with("gwet") || name.starts_with("brennan") || name == "pabak")
}

proptest! {
    #[test]
    fn symmetric_in_two_raters(rows in rows(2..=2)) {
        let swapped: Rows = rows.iter().map(|row| row.iter().rev().copied().collect()).collect();
        for ((name, a), (_, b)) in values(&ratings(&rows)).iter().zip(values(&ratings(&swapped))) {
            let b = if *name == "bias" { b.map(|x| -x) } else { b };
            prop_assert!(same(a, &b), "{name}: {a:?} {b:?}");
        }
    }

    #[test]
    fn row_order_does_not_matter(rows in rows(2..=4), turn in 0..30_usize) {
        let mut other = rows.clone();
        let at = turn % other.len();
        other.rotate_left(at);
        for ((name, a), (_, b)) in values(&ratings(&rows)).iter().zip(values(&ratings(&other))) {
            prop_assert!(same(a, &b), "{name}: {a:?} {b:?}");
        }
    }

    #[test]
    fn unused_categories_do_not_matter_to_kappa_and_alpha(rows in rows(2..=4)) {
        let wide = Ratings::from_numbers(&[-3.0, 1.0, 2.0, 2.5, 3.0, 4.0, 5.0, 90.0], &rows).unwrap();
        for ((name, a), (_, b)) in values(&ratings(&rows)).iter().zip(values(&wide)) {
            prop_assert!(!ignores_unused(name) || same(a, &b), "{name}: {a:?} {b:?}");
        }
    }

    #[test]
    fn estimates_are_finite_and_inside_their_intervals(rows in rows(2..=4)) {
        for named in agreement::report(&ratings(&rows), Scale::Ratio) {
            let Ok(estimate) = named.statistic else { continue };
            let name = named.coefficient.name();
            let numbers = [Some(estimate.value), estimate.se, estimate.se0, estimate.z, estimate.p];
            prop_assert!(numbers.iter().flatten().all(|x| x.is_finite()), "{name}: {estimate:?}");
            if let Ok(interval) = estimate.ci {
                prop_assert!(interval.low <= estimate.value + 1e-12, "{name}: {estimate:?}");
                prop_assert!(estimate.value <= interval.high + 1e-12, "{name}: {estimate:?}");
            }
        }
    }

    #[test]
    fn duplicated_items_keep_every_kappa(rows in rows(2..=4)) {
        let doubled: Rows = rows.iter().chain(&rows).cloned().collect();
        let duplicable = |name: &str| name.contains("kappa") || name.contains("agreement") || name.starts_with("gwet") || name == "scott_pi";
        for ((name, a), (_, b)) in values(&ratings(&rows)).iter().zip(values(&ratings(&doubled))) {
            prop_assert!(!duplicable(name) || same(a, &b), "{name}: {a:?} {b:?}");
        }
    }

    #[test]
    fn one_only_for_identical_ratings(rows in rows(2..=4)) {
        let ratings = ratings(&rows);
        let agreed = percent::agreement(&ratings).is_ok_and(|estimate| estimate.value >= 1.0);
        for name in ["alpha_nominal", "alpha_ordinal", "alpha_interval", "alpha_ratio", "fleiss_kappa"] {
            if let Ok(estimate) = name.parse::<Coefficient>().unwrap().compute(&ratings) {
                prop_assert!(estimate.value <= 1.0);
                prop_assert_eq!(estimate.value >= 1.0, agreed, "{}: {}", name, estimate.value);
            }
        }
    }

    /// Scott's pi is Fleiss' kappa, and Conger's is Cohen's, for two raters without missing ratings; alpha comes from Fleiss.
    #[test]
    fn families_meet(rows in rows(2..=2)) {
        let complete: Rows = rows.into_iter().filter(|row| row.iter().all(Option::is_some)).collect();
        prop_assume!(!complete.is_empty());
        let ratings = ratings(&complete);
        let of = |name: &str| value(&name.parse::<Coefficient>().unwrap().compute(&ratings));
        prop_assert!(same(&of("scott_pi"), &of("fleiss_kappa")));
        prop_assert!(same(&of("conger_kappa"), &of("kappa")));
        let n = 2.0 * complete.len() as f64;
        prop_assert!(same(&of("alpha_nominal"), &of("fleiss_kappa").map(|k| 1.0 - (1.0 - k) * (1.0 - 1.0 / n))));
    }

    /// Interval alpha and the intraclass correlations do not see a shift, however large.
    #[test]
    fn offset_costs_no_digits(rows in rows(2..=4)) {
        let far = |x: f64| x + 1e8;
        let shifted: Rows = rows.iter().map(|row| row.iter().map(|cell| cell.map(far)).collect()).collect();
        let other = Ratings::from_numbers(&FIVE.map(far), &shifted).unwrap();
        for ((name, a), (_, b)) in values(&ratings(&rows)).iter().zip(values(&other)) {
            prop_assert!(*name == "alpha_ratio" || same(a, &b), "{name}: {a:?} {b:?}");
        }
    }

    #[test]
    fn threads_do_not_change_a_bootstrap(rows in rows(2..=3), seed in any::<u64>(), threads in 2..5_usize) {
        let ratings = ratings(&rows);
        let clusters: Vec<u32> = (0..rows.len() as u32).map(|i| i / 2).collect();
        let names = [Coefficient::PercentAgreement, Coefficient::AlphaOrdinal];
        let one = Bootstrap { threads: 1, ..Bootstrap::new(40, seed) };
        let many = Bootstrap { threads, ..one };
        prop_assert_eq!(one.items(&ratings, &names, None), many.items(&ratings, &names, None));
        prop_assert_eq!(one.clusters(&ratings, &clusters, &names, None), many.clusters(&ratings, &clusters, &names, None));
    }

    #[test]
    fn wilson_contains_the_share(n in 1..500_u64, part in 0.0..=1.0_f64) {
        let k = (part * n as f64) as u64;
        let interval = stats::wilson::interval(k, n, 0.95).unwrap();
        let share = k as f64 / n as f64;
        prop_assert!((0.0..=share).contains(&interval.low) && (share..=1.0).contains(&interval.high));
    }
}
