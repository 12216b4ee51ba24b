//! How long building, computing and resampling take; ratings of five levels, about two thirds in agreement.

use divan::{Bencher, black_box};
use stats::{Bootstrap, Categories, Coefficient, Ratings, RatingsBuilder, Scale, agreement};

fn main() {
    divan::main();
}

/// Two raters around a common level, by a small linear congruential generator.
fn rows(items: usize) -> Vec<[Option<u32>; 2]> {
    let mut state = 2026_u64;
    let mut below = |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) * n) >> 31
    };
    (0..items)
        .map(|_| {
            let level = below(5).cast_signed();
            let mut near = || {
                Some(
                    (level + [-1, 0, 0, 0, 0, 0, 0, 0, 0, 1][below(10) as usize]).clamp(0, 4)
                        as u32,
                )
            };
            [near(), near()]
        })
        .collect()
}

fn build(rows: &[[Option<u32>; 2]]) -> Ratings {
    let labels: Vec<_> = (1..=5).map(|level| f64::from(level).into()).collect();
    let categories = Categories::declared(&labels).expect("five different levels");
    let mut builder = RatingsBuilder::new(categories, 2);
    for row in rows {
        builder.push(row).expect("codes of the scale");
    }
    builder.finish()
}

#[divan::bench(args = [10_000, 1_000_000])]
fn building(bencher: Bencher, items: usize) {
    let rows = rows(items);
    bencher.bench(|| build(black_box(&rows)));
}

#[divan::bench(args = [10_000, 1_000_000])]
fn full_report(bencher: Bencher, items: usize) {
    let ratings = build(&rows(items));
    bencher.bench(|| agreement::report(black_box(&ratings), Scale::Ratio));
}

#[divan::bench(args = ["kappa_quadratic", "alpha_ordinal", "gwet_ac1"])]
fn one_coefficient(bencher: Bencher, name: &str) {
    let ratings = build(&rows(10_000));
    let coefficient: Coefficient = name.parse().expect("a known name");
    bencher.bench(|| coefficient.compute(black_box(&ratings)));
}

#[divan::bench(args = [1, 2])]
fn thousand_resamples_of_quadratic_kappa(bencher: Bencher, threads: usize) {
    let ratings = build(&rows(10_000));
    let bootstrap = Bootstrap {
        threads,
        ..Bootstrap::new(1000, 1)
    };
    bencher.bench(|| bootstrap.items(black_box(&ratings), &[Coefficient::KappaQuadratic], None));
}

#[divan::bench]
fn thousand_resamples_by_cluster(bencher: Bencher) {
    let ratings = build(&rows(10_000));
    let clusters: Vec<u32> = (0..10_000).map(|item| item / 8).collect();
    let bootstrap = Bootstrap::new(1000, 1);
    bencher.bench(|| {
        bootstrap.clusters(
            black_box(&ratings),
            &clusters,
            &[Coefficient::KappaQuadratic],
            None,
        )
    });
}
