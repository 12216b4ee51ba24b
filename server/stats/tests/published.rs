//! Published examples, each by name, against the figures printed there (to the digits printed) or exact fractions.
#![expect(clippy::unwrap_used, reason = "a test that fails says so")]

mod support;

use stats::alpha::{Metric, alpha};
use stats::icc::{Form, icc};
use stats::sample_size::{self, Power};
use stats::{
    Coefficient, Ratings, Weights, brennan_prediger, confusion, conger, difference, fleiss, gwet,
    kalpha, kappa, marginal, percent, rogan_gladen, wilson,
};
use support::{digits, scale, table};

/// Two raters on the scale 1 to 5.
fn pairs(a: &[f64], b: &[f64]) -> Ratings {
    let rows: Vec<_> = a
        .iter()
        .zip(b)
        .map(|(&x, &y)| vec![Some(x), Some(y)])
        .collect();
    Ratings::from_numbers(&scale(1..=5), &rows).unwrap()
}

/// Two figures no further apart than the tolerance.
#[track_caller]
fn close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
}

/// Cohen (1960) kappa and Cohen (1968) weighted kappa, Table 1 of 1968: diagnoses of 200 patients; printed .492 and .348.
/// The standard errors of the weighted one, .0755 and .0597, are those of Fleiss, Cohen & Everitt (1969).
#[test]
fn cohen_1960_1968_fleiss_cohen_everitt_1969() {
    let labels = ["personality disorder", "neurosis", "psychosis"];
    let ratings = table(&labels, &[&[88, 14, 18], &[10, 40, 10], &[2, 6, 12]]);
    let plain = kappa::kappa(&ratings, [0, 1], &Weights::Identity).unwrap();
    close(plain.value, 0.492, 5e-4);
    // disagreement weights 0 1 3 / 1 0 6 / 3 6 0 as agreement
    let disagreement = [[0.0, 1.0, 3.0], [1.0, 0.0, 6.0], [3.0, 6.0, 0.0]];
    let weights = disagreement.map(|row| row.map(|d| 1.0 - d / 6.0).to_vec());
    let weights = Weights::custom(weights.to_vec()).unwrap();
    let weighted = kappa::kappa(&ratings, [0, 1], &weights).unwrap();
    close(weighted.value, 0.348, 5e-4);
    close(weighted.se.unwrap(), 0.0755, 5e-5);
    close(weighted.se0.unwrap(), 0.0597, 5e-5);
}

/// Fleiss (1971), Table 1: 30 patients, six psychiatrists, five diagnoses; printed kappa .430 and mean agreement .5556.
#[test]
fn fleiss_1971() {
    let counts = "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 \
                  00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006";
    let names = [
        "depression",
        "personality",
        "schizophrenia",
        "neurosis",
        "other",
    ];
    let rows: Vec<Vec<Option<&str>>> = counts
        .split_whitespace()
        .map(|row| {
            let times = row.chars().map(|c| c.to_digit(10).unwrap() as usize);
            names
                .iter()
                .zip(times)
                .flat_map(|(&name, n)| vec![Some(name); n])
                .collect()
        })
        .collect();
    let ratings = Ratings::from_words(&names, &rows).unwrap();
    close(percent::agreement(&ratings).unwrap().value, 0.5556, 5e-5);
    let fleiss = fleiss::kappa(&ratings).unwrap();
    close(fleiss.value, 0.430, 5e-4);
    // alpha by its relation to Fleiss' kappa: 1 - (1 - kappa)(1 - 1/(N m))
    let expected = 1.0 - (1.0 - fleiss.value) * (1.0 - 1.0 / 180.0);
    close(
        alpha(&ratings, Metric::Nominal).unwrap().value,
        expected,
        1e-14,
    );
}

/// Fleiss (1981), Statistical Methods for Rates and Proportions, 2nd ed., Table 13.1: printed kappa .68, null standard error
/// .076, z 8.95.
#[test]
fn fleiss_1981() {
    let ratings = table(
        &["psychotic", "neurotic", "organic"],
        &[&[75, 1, 4], &[5, 4, 1], &[0, 0, 10]],
    );
    let estimate = kappa::kappa(&ratings, [0, 1], &Weights::Identity).unwrap();
    close(estimate.value, 0.68, 5e-3);
    close(estimate.se0.unwrap(), 0.076, 5e-4);
    // the printed z divides the rounded figures
    close(estimate.z.unwrap(), 8.95, 0.1);
}

/// Krippendorff (2011), sections C and D: four observers, twelve units; printed .743, .815, .849, .797.
#[test]
fn krippendorff_2011() {
    let ratings = krippendorff_matrix();
    let value = |metric| alpha(&ratings, metric).unwrap().value;
    close(value(Metric::Nominal), 0.743, 5e-4);
    close(value(Metric::Ordinal), 0.815, 5e-4);
    close(value(Metric::Interval), 0.849, 5e-4);
    close(value(Metric::Ratio), 0.797, 5e-4);
    // unit 12 has one value and must drop out
    assert_eq!(alpha(&ratings, Metric::Nominal).unwrap().n_units, 11);
}

fn krippendorff_matrix() -> Ratings {
    digits(
        1..=5,
        "11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 .3..",
    )
}

/// Gwet (2014): the same ratings but for the twelfth subject; printed AC1 .775, Fleiss .761, Brennan-Prediger .773, Conger .763,
/// each with the standard errors .143, .153, .145 of the handbook's software.
#[test]
fn gwet_2014_four_raters() {
    let ratings = digits(
        1..=5,
        "11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 ..3.",
    );
    let ac1 = gwet::ac(&ratings, &Weights::Identity).unwrap();
    close(ac1.value, 0.77544, 5e-6);
    close(ac1.se.unwrap(), 0.143, 5e-4);
    let fleiss = fleiss::kappa(&ratings).unwrap();
    close(fleiss.value, 0.76117, 5e-6);
    close(fleiss.se.unwrap(), 0.153, 5e-4);
    let bp = brennan_prediger::coefficient(&ratings, &Weights::Identity).unwrap();
    close(bp.value, 0.77273, 5e-6);
    close(bp.se.unwrap(), 0.145, 5e-4);
    close(conger::kappa(&ratings).unwrap().value, 0.76282, 5e-6);
}

const HAYES: &str = "112.2 1101. 2333. .00.0 000.0 000.0 102.1 1.20. 222.2 2111. .100. 0000. 1222. 33223 111.1 111.1 212.2 \
    1233. 1101. 000.0 0011. 00.00 2333. 0000. 12.22 0111. 00010 1212. 1122. 112.2 110.0 2121. 22.22 3222. 222.2 223.2 222.2 \
    22.12 2222. 111.1";

/// Hayes & Krippendorff (2007), p. 84: 40 units, five observers; printed ordinal alpha .7598, nominal .4765.
#[test]
fn hayes_krippendorff_2007() {
    let ratings = digits(0..=3, HAYES);
    close(
        alpha(&ratings, Metric::Ordinal).unwrap().value,
        0.7598,
        5e-5,
    );
    close(
        alpha(&ratings, Metric::Nominal).unwrap().value,
        0.4765,
        5e-5,
    );
}

/// The KALPHA macro on the same data: 239 pairs, 4 x 159 / 2 = 318 draws; its interval is about half as wide as that of the
/// bootstrap over items.
#[test]
fn kalpha_macro_on_hayes_krippendorff_2007() {
    let ratings = digits(0..=3, HAYES);
    let macro_ = kalpha::bootstrap(&ratings, Metric::Ordinal, 5000, 1).unwrap();
    assert_eq!((macro_.pairs, macro_.draws), (239, 318));
    close(macro_.ci.low, 0.715, 0.006);
    close(macro_.ci.high, 0.802, 0.006);
    let items =
        &stats::Bootstrap::new(2000, 1).items(&ratings, &[Coefficient::AlphaOrdinal], None)[0];
    let items = items.as_ref().unwrap().percentile.unwrap();
    assert!(items.high - items.low > 2.0 * (macro_.ci.high - macro_.ci.low));
}

/// Shrout & Fleiss (1979), Table 4: six targets, four judges; printed .17 .29 .71 .44 .62 .91.
#[test]
fn shrout_fleiss_1979() {
    let rows = ["9258", "6132", "8468", "7126", "A569", "6247"];
    let rows: Vec<Vec<Option<f64>>> = rows
        .iter()
        .map(|row| row.chars().map(|c| c.to_digit(11).map(f64::from)).collect())
        .collect();
    let ratings = Ratings::from_numbers(&scale(1..=10), &rows).unwrap();
    for (form, printed) in Form::ALL
        .into_iter()
        .zip([0.17, 0.29, 0.71, 0.44, 0.62, 0.91])
    {
        close(icc(&ratings, form).unwrap().value, printed, 5e-3);
    }
    // McGraw & Wong's F interval of ICC(1,1): [-.133, .723]
    let interval = icc(&ratings, Form::OneSingle).unwrap().ci.unwrap();
    close(interval.low, -0.133, 5e-4);
    close(interval.high, 0.723, 5e-4);
}

/// Feinstein & Cicchetti (1990), the first paradox: agreement .85 twice, kappa .70 and .32; specific agreements of Cicchetti &
/// Feinstein (1990) for the second table .91 and .40; prevalence-adjusted kappa (Byrt, Bishop & Carlin 1993) .70 for both.
#[test]
fn feinstein_cicchetti_1990_and_byrt_1993() {
    let balanced = table(&["yes", "no"], &[&[40, 9], &[6, 45]]);
    let skewed = table(&["yes", "no"], &[&[80, 10], &[5, 5]]);
    for (ratings, printed) in [(&balanced, 0.70), (&skewed, 0.32)] {
        close(percent::agreement(ratings).unwrap().value, 0.85, 1e-14);
        close(
            kappa::kappa(ratings, [0, 1], &Weights::Identity)
                .unwrap()
                .value,
            printed,
            5e-3,
        );
        close(brennan_prediger::pabak(ratings).unwrap().value, 0.70, 1e-14);
    }
    close(
        percent::specific(&skewed, [0, 1], 0).unwrap().value,
        160.0 / 175.0,
        1e-15,
    );
    close(
        percent::specific(&skewed, [0, 1], 1).unwrap().value,
        0.40,
        1e-15,
    );
    // and AC1 stays high on the second, as Gwet (2008) argues
    close(
        gwet::ac(&skewed, &Weights::Identity).unwrap().value,
        0.808,
        2e-3,
    );
}

/// Artstein & Poesio (2008), section 2.4: two coders, two acts; printed S .4, pi .341, kappa .348.
#[test]
fn artstein_poesio_2008() {
    let ratings = table(&["statement", "request"], &[&[20, 20], &[10, 50]]);
    close(
        brennan_prediger::coefficient(&ratings, &Weights::Identity)
            .unwrap()
            .value,
        0.4,
        1e-14,
    );
    close(
        fleiss::scott_pi(&ratings, [0, 1]).unwrap().value,
        0.341,
        5e-4,
    );
    close(
        kappa::kappa(&ratings, [0, 1], &Weights::Identity)
            .unwrap()
            .value,
        0.348,
        5e-4,
    );
}

/// Wilson (1927) intervals as printed by Newcombe (1998), Table I, method 3.
#[test]
fn wilson_1927_newcombe_1998() {
    for (r, n, low, high) in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ] {
        let interval = wilson::interval(r, n, 0.95).unwrap();
        close(interval.low, low, 5e-5);
        close(interval.high, high, 5e-5);
    }
}

/// Bland & Altman (1986): peak flow by a large and a mini meter, 17 subjects; printed mean difference -2.1 (large minus mini) and
/// standard deviation 38.8 l/min.
#[test]
fn bland_altman_1986() {
    let large = [
        494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427,
    ];
    let mini = [
        512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451,
    ];
    let rows: Vec<_> = mini
        .iter()
        .zip(large)
        .map(|(&m, l)| vec![Some(f64::from(m)), Some(f64::from(l))])
        .collect();
    let values: Vec<_> = rows
        .iter()
        .map(|row| row.iter().map(|x| x.map(stats::Value::from)).collect())
        .collect();
    let ratings = Ratings::from_values(None, &values).unwrap();
    let limits = difference::bland_altman(&ratings, [0, 1]).unwrap();
    close(limits.value, -2.1, 0.05);
    close(limits.se.unwrap(), 38.8, 0.05);
    let bounds = limits.ci.unwrap();
    close(bounds.low, -2.1 - 1.96 * 38.8, 0.2);
    close(bounds.high, -2.1 + 1.96 * 38.8, 0.2);
}

/// `McNemar` on the approval ratings of Agresti (Categorical Data Analysis): 150 and 86 changed; printed 17.36.
#[test]
fn mcnemar_approval() {
    close(marginal::mcnemar(150, 86).plain.unwrap().chi2, 17.36, 5e-3);
}

/// Stuart (1955): unaided vision of 7477 women, right against left eye; printed 11.96 with 3 degrees of freedom. Bowker's test of
/// the same table: 19.11 with 6.
#[test]
fn stuart_1955_bowker_vision() {
    let table = [
        vec![1520, 266, 124, 66],
        vec![234, 1512, 432, 78],
        vec![117, 362, 1772, 205],
        vec![36, 82, 179, 492],
    ];
    let homogeneity = marginal::stuart_maxwell(&table).unwrap();
    close(homogeneity.chi2, 11.96, 5e-3);
    assert_eq!(homogeneity.df, 3);
    let symmetry = marginal::bowker(&table).unwrap();
    close(symmetry.chi2, 19.11, 5e-3);
    assert_eq!(symmetry.df, 6);
}

/// Cantor (1996) as computed by `N.cohen.kappa` of the R package irr: 117 with the hypotheses in the right order, and with them
/// swapped, as in its help page, 96.
#[test]
fn cantor_1996() {
    assert_eq!(
        sample_size::cantor(0.5, 0.5, 0.85, 0.7, Power::default())
            .unwrap()
            .items,
        117
    );
    assert_eq!(
        sample_size::cantor(0.5, 0.5, 0.7, 0.85, Power::default())
            .unwrap()
            .items,
        96
    );
}

/// Donner & Eliasziw (1992) as computed by the R package `kappaSize`: kappa .4 against .6 at prevalence .3 needs 191 items with two
/// raters and 106 with three; an interval [.3, .5] around .4 needs 397.
#[test]
fn donner_eliasziw_1992() {
    let needed = |raters| {
        sample_size::donner_eliasziw(0.4, 0.6, 0.3, raters, Power::default())
            .unwrap()
            .items
    };
    assert_eq!(needed(2), 191);
    assert_eq!(needed(3), 106);
    assert_eq!(
        sample_size::interval_binary(0.4, 0.3, 0.5, 0.3, 2, 0.05)
            .unwrap()
            .items,
        397
    );
}

/// Flack et al. (1988): margins .2 .25 .55, kappa .6 against .4, one-sided 5 %: 101 items for power .8 and 136 for .9.
#[test]
fn flack_1988() {
    let needed = |power| {
        sample_size::flack(
            &[0.2, 0.25, 0.55],
            0.6,
            0.4,
            Power {
                power,
                ..Power::default()
            },
        )
        .unwrap()
        .items
    };
    assert_eq!((needed(0.8), needed(0.9)), (101, 136));
}

/// Ranks 1 2 2 3 against 1 1 2 3, pair by pair.
#[test]
fn rank_correlations_by_hand() {
    let ratings = pairs(&[1.0, 2.0, 2.0, 3.0], &[1.0, 1.0, 2.0, 3.0]);
    // pairs: (1,2) tied in b; (1,3) (1,4) (2,4) (3,4) concordant; (2,3) tied in a
    let tau = Coefficient::KendallTauB.compute(&ratings).unwrap().value;
    close(tau, 4.0 / (5.0_f64 * 5.0).sqrt(), 1e-15);
    // centred ranks -1.5 0 0 1.5 and -1 -1 .5 1.5: joint 1.5 + 2.25, spreads 4.5 and 4.5
    let rho = Coefficient::Spearman.compute(&ratings).unwrap().value;
    close(rho, 3.75 / 4.5, 1e-15);
}

const V1: ([f64; 10], [f64; 10]) = (
    [1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    [1.0, 2.0, 3.0, 4.0, 4.0, 2.0, 2.0, 3.0, 5.0, 5.0],
);

/// Exact fractions on the scale 1 to 5.
#[test]
fn vector_ten_items() {
    let ratings = pairs(&V1.0, &V1.1);
    let value = |name: &str| {
        name.parse::<Coefficient>()
            .unwrap()
            .compute(&ratings)
            .unwrap()
            .value
    };
    close(value("kappa"), 5.0 / 8.0, 1e-14);
    close(value("kappa_linear"), 62.0 / 77.0, 1e-14);
    close(value("kappa_quadratic"), 34.0 / 37.0, 1e-14);
    close(value("alpha_nominal"), 34.0 / 53.0, 1e-14);
    close(value("alpha_interval"), 682.0 / 739.0, 1e-14);
    close(value("alpha_ordinal"), 1481.0 / 1595.0, 1e-14);
}

/// Categories 3 and 4 are unused: on the declared scale 26/41, where re-indexing the seen categories would give 2/3.
#[test]
fn vector_unused_inner_categories() {
    let ratings = pairs(
        &[1.0, 1.0, 2.0, 2.0, 5.0, 5.0],
        &[1.0, 2.0, 2.0, 2.0, 5.0, 2.0],
    );
    close(
        kappa::kappa(&ratings, [0, 1], &Weights::Quadratic)
            .unwrap()
            .value,
        26.0 / 41.0,
        1e-14,
    );
}

/// Two items have one rating each; three pairs are left.
#[test]
fn vector_with_missing_ratings() {
    let ratings = digits(1..=5, "11 22 .. 4. .. 54 .3");
    let rows = [
        [Some(1.0), Some(1.0)],
        [Some(2.0), Some(2.0)],
        [None, Some(3.0)],
        [Some(4.0), None],
        [Some(5.0), Some(4.0)],
    ];
    let rows: Vec<_> = rows.iter().map(|row| row.to_vec()).collect();
    let same = Ratings::from_numbers(&scale(1..=5), &rows).unwrap();
    for ratings in [ratings, same] {
        let plain = kappa::kappa(&ratings, [0, 1], &Weights::Identity).unwrap();
        assert_eq!(plain.n_units, 3);
        close(plain.value, 4.0 / 7.0, 1e-14);
        close(
            kappa::kappa(&ratings, [0, 1], &Weights::Quadratic)
                .unwrap()
                .value,
            38.0 / 41.0,
            1e-14,
        );
        close(
            alpha(&ratings, Metric::Nominal).unwrap().value,
            8.0 / 13.0,
            1e-14,
        );
        close(
            alpha(&ratings, Metric::Ordinal).unwrap().value,
            94.0 / 99.0,
            1e-14,
        );
    }
}

/// A judge with 8 true and 2 false positives, 4 false and 16 true negatives; its raw rate of 40 % corrects to 13/25.
#[test]
fn vector_judge_and_rogan_gladen() {
    let judge = confusion::Binary {
        tp: 8,
        fp: 2,
        fn_: 4,
        tn: 16,
    };
    close(judge.precision().unwrap().value, 0.8, 1e-15);
    close(judge.recall().unwrap().value, 2.0 / 3.0, 1e-15);
    close(judge.f1().unwrap().value, 8.0 / 11.0, 1e-15);
    close(judge.specificity().unwrap().value, 16.0 / 18.0, 1e-15);
    close(
        rogan_gladen::correct(40, 100, &judge)
            .corrected
            .unwrap()
            .value,
        13.0 / 25.0,
        1e-14,
    );
}

/// One 1 among 3s: observed disagreement 2 over 22 values, expected 2 x 1 x 21 / 21, so alpha is exactly 0 whichever cell it is.
#[test]
fn vector_single_deviation_has_alpha_zero() {
    let ratings = digits(1..=5, "33.33 33333 3333. 1.333 33333");
    close(alpha(&ratings, Metric::Nominal).unwrap().value, 0.0, 1e-14);
}
