//! A judge beside people, and the bootstrap, on data whose answer can be worked out.
#![expect(clippy::float_cmp, reason = "these figures are exact")]
#![expect(clippy::unwrap_used, reason = "a test that fails says so")]

use stats::alt_test::{AltTest, Score};
use stats::confusion::Binary;
use stats::{Coefficient, Ratings, Reason, bootstrap, ppi, rogan_gladen};

/// Humans 1 and 2 and the judge say the same, human 3 always something else.
fn panel(items: u32) -> Ratings {
    let row = |i: u32| {
        let right = f64::from(i % 2);
        vec![Some(right), Some(right), Some(1.0 - right), Some(right)]
    };
    let rows: Vec<_> = (0..items).map(row).collect();
    Ratings::from_numbers(&[0.0, 1.0], &rows).unwrap()
}

/// Against human 3 the judge wins every item (d = -1); against 1 and 2 every item is a tie (d = 0), which is below any epsilon.
#[test]
fn judge_that_agrees_with_the_majority() {
    for score in [Score::Accuracy, Score::NegRmse] {
        let outcome = AltTest::new(0.1, score).run(&panel(40), 3);
        let verdict = outcome.verdict.unwrap();
        assert_eq!(
            (verdict.winning_rate, verdict.advantage, verdict.passed),
            (1.0, 1.0, true)
        );
        let third = outcome.humans[2].test.unwrap();
        assert_eq!(
            (third.judge_wins, third.human_wins, third.p),
            (1.0, 0.0, 0.0)
        );
    }
}

/// With epsilon 0 a tie is no win: only human 3 can be replaced, one of three.
#[test]
fn ties_do_not_win_without_a_cost() {
    let verdict = AltTest::new(0.0, Score::Accuracy)
        .run(&panel(40), 3)
        .verdict
        .unwrap();
    assert_eq!((verdict.winning_rate, verdict.passed), (1.0 / 3.0, false));
}

#[test]
fn too_little_for_the_alternative_annotator_test() {
    let test = AltTest::new(0.1, Score::Accuracy);
    let few = test.run(&panel(29), 3);
    assert_eq!(
        (few.humans[0].n_items, few.verdict),
        (29, Err(Reason::TooFewItems))
    );
    let rows: Vec<_> = (0..40).map(|i| vec![Some(f64::from(i % 2)); 2]).collect();
    let one = Ratings::from_numbers(&[0.0, 1.0], &rows).unwrap();
    assert_eq!(test.run(&one, 1).verdict, Err(Reason::TooFewRaters));
    assert_eq!(test.run(&one, 9).verdict, Err(Reason::TooFewRaters));
}

/// A judge that is always right leaves no rectifier: the mean and error are those of the unlabelled items alone.
#[test]
fn perfect_judge_in_prediction_powered_inference() {
    let gold = [0.0, 1.0, 1.0, 0.0];
    let unlabelled = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mean = ppi::mean(&gold, &gold, &unlabelled, 0.95).unwrap();
    assert_eq!(mean.ppi.value, 3.0 / 8.0);
    assert!((mean.ppi.se - (3.0 / 8.0 * 5.0 / 8.0 / 8.0_f64).sqrt()).abs() < 1e-15);
}

/// A constant judge says nothing: PPI++ gives it no weight and falls back to the gold labels.
#[test]
fn constant_judge_in_prediction_powered_inference() {
    let mean = ppi::mean(&[0.0, 1.0, 1.0], &[1.0; 3], &[1.0; 9], 0.95).unwrap();
    assert_eq!(mean.lambda, 0.0);
    assert_eq!(
        (mean.ppi_pp.value, mean.ppi_pp.se),
        (mean.classical.value, mean.classical.se)
    );
    assert_eq!(
        ppi::mean(&[], &[], &[1.0], 0.95).unwrap_err(),
        Reason::NoItems
    );
}

#[test]
fn rogan_gladen_cannot_correct() {
    let binary = |tp, fn_, tn, fp| Binary { tp, fp, fn_, tn };
    let reason = |binary| {
        rogan_gladen::correct(10, 100, &binary)
            .corrected
            .unwrap_err()
    };
    assert_eq!(reason(binary(5, 5, 5, 5)), Reason::JudgeNotInformative);
    assert_eq!(reason(binary(0, 0, 5, 5)), Reason::NoValidationPositive);
    assert_eq!(reason(binary(5, 5, 0, 0)), Reason::NoValidationNegative);
    // 10 % positive where one in five negatives is called positive: less than none, kept as the raw value
    let clipped = rogan_gladen::correct(10, 100, &binary(9, 1, 8, 2))
        .corrected
        .unwrap();
    assert!(clipped.raw < 0.0);
    assert_eq!((clipped.value, clipped.ci.low), (0.0, 0.0));
}

/// Two resamples, of agreement 0 and 1: linear interpolation puts the bounds at .025 and .975; one more has no pair at all.
#[test]
fn given_resamples() {
    let rows = [
        vec![Some(1.0), Some(1.0)],
        vec![Some(1.0), Some(2.0)],
        vec![Some(1.0), None],
    ];
    let ratings = Ratings::from_numbers(&[1.0, 2.0], &rows).unwrap();
    let resamples = [vec![0, 0, 0], vec![1, 1, 1], vec![2, 2, 2]];
    let result =
        bootstrap::given(&ratings, Coefficient::PercentAgreement, &resamples, 0.95).unwrap();
    let interval = result.percentile.unwrap();
    assert!((interval.low - 0.025).abs() < 1e-15 && (interval.high - 0.975).abs() < 1e-15);
    assert_eq!((result.n_resamples, result.n_undefined), (3, 1));
    assert!(result.is_doubtful());
    let outside = bootstrap::given(&ratings, Coefficient::PercentAgreement, &[vec![3]], 0.95);
    assert_eq!(outside, Err(Reason::OutOfRange));
}
