//! `classification`, `mcnemar` and `marginal`.

use super::CaseError;
use super::flat::Flat;
use super::input::{Input, as_value};
use crate::categories::label;
use crate::confusion::{Binary, Confusion};
use crate::marginal::{self, ChiSquared};
use crate::ratings::Ratings;
use crate::result::Reason;
use serde_json::json;

pub(super) fn answer(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let ratings = input.ratings(None)?;
    let confusion = table(&ratings, 2)?;
    flat.count("n_pairs", confusion.n);
    flat.json("confusion", json!(confusion.counts));
    let accuracy = confusion.accuracy();
    flat.with_interval("accuracy", &accuracy);
    for name in ["micro_f1", "micro_precision", "micro_recall"] {
        flat.value(name, &accuracy);
    }
    for (k, name) in ratings.categories().labels().iter().enumerate() {
        let class = confusion.class(k);
        flat.with_interval(&format!("precision.{name}"), &class.precision());
        flat.with_interval(&format!("recall.{name}"), &class.recall());
        flat.value(&format!("f1.{name}"), &class.f1());
        flat.count(&format!("support.{name}"), confusion.support(k));
    }
    let averages = confusion.averages();
    flat.result("macro_precision", averages.map(|a| a.macro_precision));
    flat.result("macro_recall", averages.map(|a| a.macro_recall));
    flat.result("macro_f1", averages.map(|a| a.macro_f1));
    flat.result("weighted_f1", averages.map(|a| a.weighted_f1));
    flat.result("balanced_accuracy", averages.map(|a| a.balanced_accuracy));
    flat.value("mcc", &confusion.mcc());
    if let Some(json) = input.get("positive") {
        let positive = as_value(json, &[])
            .map_err(|found| CaseError::new("positive", format!("found {found}")))?;
        let name = positive
            .map(|value| label(&value, ratings.categories().is_numeric()))
            .unwrap_or_default();
        let class = ratings
            .categories()
            .labels()
            .iter()
            .position(|known| *known == name);
        let class = class.ok_or_else(|| CaseError::new("positive", "not one of the categories"))?;
        binary(&confusion.class(class), flat);
    }
    Ok(())
}

fn binary(class: &Binary, flat: &mut Flat) {
    for (name, count) in [
        ("tp", class.tp),
        ("fp", class.fp),
        ("fn", class.fn_),
        ("tn", class.tn),
    ] {
        flat.count(name, count);
    }
    flat.with_interval("precision", &class.precision());
    flat.with_interval("recall", &class.recall());
    flat.with_interval("specificity", &class.specificity());
    flat.with_interval("npv", &class.negative_predictive_value());
    flat.value("f1", &class.f1());
}

fn table(ratings: &Ratings, columns: usize) -> Result<Confusion, CaseError> {
    if ratings.n_raters() != columns && ratings.n_items() > 0 {
        return Err(CaseError::new(
            "ratings",
            format!("expected {columns} columns, found {}", ratings.n_raters()),
        ));
    }
    let empty = || Confusion {
        counts: vec![vec![0; ratings.categories().len()]; ratings.categories().len()],
        n: 0,
        dropped: Vec::new(),
    };
    match Confusion::new(ratings, [0, 1]) {
        Ok(confusion) => Ok(confusion),
        Err(Reason::TooFewRaters) => Ok(empty()),
        Err(reason) => Err(CaseError::new("categories", reason.sentence())),
    }
}

pub(super) fn mcnemar(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let ratings = input.ratings(None)?;
    if ratings.n_raters() != 3 && ratings.n_items() > 0 {
        return Err(CaseError::new(
            "ratings",
            format!(
                "expected 3 columns (gold, judge A, judge B), found {}",
                ratings.n_raters()
            ),
        ));
    }
    // [A wrong, A right][B wrong, B right]
    let mut counts = [[0_u64; 2]; 2];
    for item in 0..ratings.n_items() {
        if let (Some(gold), Some(a), Some(b)) = (
            ratings.code(item, 0),
            ratings.code(item, 1),
            ratings.code(item, 2),
        ) {
            counts[usize::from(a == gold)][usize::from(b == gold)] += 1;
        }
    }
    let (b, c) = (counts[1][0], counts[0][1]);
    let test = marginal::mcnemar(b, c);
    flat.count("both_right", counts[1][1]);
    flat.count("both_wrong", counts[0][0]);
    flat.count("mcnemar.b", b);
    flat.count("mcnemar.c", c);
    flat.number("mcnemar.exact_p", test.exact_p);
    flat.number("mcnemar.mid_p", test.mid_p);
    flat.result("mcnemar.chi2", test.plain.map(|t| t.chi2));
    flat.result("mcnemar.p", test.plain.map(|t| t.p));
    flat.result("mcnemar.chi2_cc", test.corrected.map(|t| t.chi2));
    flat.result("mcnemar.p_cc", test.corrected.map(|t| t.p));
    Ok(())
}

pub(super) fn marginal(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let confusion = table(&input.ratings(None)?, 2)?;
    flat.count("n_pairs", confusion.n);
    let mut test = |name: &str, result: Result<ChiSquared, Reason>| {
        flat.result(&format!("{name}.chi2"), result.map(|t| t.chi2));
        flat.result(&format!("{name}.p"), result.map(|t| t.p));
        flat.result(&format!("{name}.df"), result.map(|t| t.df as f64));
    };
    test("bowker", marginal::bowker(&confusion.counts));
    test(
        "stuart_maxwell",
        marginal::stuart_maxwell(&confusion.counts),
    );
    Ok(())
}
