//! `alt_test`, `ppi` and `rogan_gladen`.

use super::CaseError;
use super::flat::Flat;
use super::input::Input;
use crate::alt_test::AltTest;
use crate::confusion::Binary;
use crate::ppi::{self, Inferred};
use crate::result::Reason;
use crate::rogan_gladen;

pub(super) fn alt_test(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let ratings = input.ratings(Some("judge"))?;
    let score = input
        .text("metric")?
        .parse()
        .map_err(|message| CaseError::new("metric", message))?;
    let test = AltTest {
        q: input.real_or("q", 0.05)?,
        min_items: input.real_or("min_items", 30.0)?.max(0.0) as u64,
        ..AltTest::new(input.real("epsilon")?, score)
    };
    let judge = ratings.n_raters().saturating_sub(1);
    let outcome = test.run(&ratings, judge);
    for human in &outcome.humans {
        let name = |field: &str| format!("alt.{field}.{}", human.rater + 1);
        flat.count(&name("n"), human.n_items);
        flat.result(&name("rho"), human.test.map(|t| t.judge_wins));
        flat.result(&name("rho_human"), human.test.map(|t| t.human_wins));
        flat.result(&name("p"), human.test.map(|t| t.p));
        if let Ok(test) = human.test {
            flat.count(&name("reject"), u64::from(test.rejected));
        }
    }
    flat.count("alt.n_annotators", outcome.n_tested as u64);
    flat.result(
        "alt.omega",
        outcome.verdict.map(|verdict| verdict.winning_rate),
    );
    flat.result("alt.rho", outcome.verdict.map(|verdict| verdict.advantage));
    flat.result(
        "alt.pass",
        outcome
            .verdict
            .map(|verdict| f64::from(u8::from(verdict.passed))),
    );
    Ok(())
}

pub(super) fn ppi(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let (gold, judge) = (input.numbers("gold")?, input.numbers("judge")?);
    if gold.len() != judge.len() {
        return Err(CaseError::new(
            "judge",
            format!("has {} values for {} gold labels", judge.len(), gold.len()),
        ));
    }
    let confidence = input.real_or("confidence", 0.95)?;
    let (gold, judge): (Vec<f64>, Vec<f64>) = gold
        .into_iter()
        .zip(judge)
        .filter_map(|(y, f)| y.zip(f))
        .unzip();
    let unlabelled: Vec<f64> = input
        .numbers("judge_unlabeled")?
        .into_iter()
        .flatten()
        .collect();
    flat.count("n", gold.len() as u64);
    flat.count("N", unlabelled.len() as u64);
    match ppi::mean(&gold, &judge, &unlabelled, confidence) {
        Ok(mean) => {
            flat.number("naive.estimate", mean.naive);
            inferred(flat, "classical", &mean.classical);
            inferred(flat, "ppi", &mean.ppi);
            inferred(flat, "ppi_pp", &mean.ppi_pp);
            flat.number("ppi_pp.lambda", mean.lambda);
        }
        Err(Reason::OutOfRange) => {
            return Err(CaseError::new(
                "confidence",
                "expected a number between 0 and 1",
            ));
        }
        Err(reason) => ["naive", "classical", "ppi", "ppi_pp"]
            .iter()
            .for_each(|name| flat.missing(&format!("{name}.estimate"), reason)),
    }
    Ok(())
}

fn inferred(flat: &mut Flat, name: &str, value: &Inferred) {
    flat.number(&format!("{name}.estimate"), value.value);
    flat.number(&format!("{name}.se"), value.se);
    flat.interval(&format!("{name}.ci"), Ok(value.ci));
}

pub(super) fn rogan_gladen(input: &Input, flat: &mut Flat) -> Result<(), CaseError> {
    let validation = Binary {
        tp: input.count("tp")?,
        fn_: input.count("fn")?,
        tn: input.count("tn")?,
        fp: input.count("fp")?,
    };
    let rg = rogan_gladen::correct(
        input.count("judge_positive")?,
        input.count("judge_total")?,
        &validation,
    );
    flat.result("apparent", rg.apparent);
    flat.result("sensitivity", rg.sensitivity);
    flat.result("specificity", rg.specificity);
    flat.result("rg.raw", rg.corrected.map(|c| c.raw));
    flat.result("rg.estimate", rg.corrected.map(|c| c.value));
    flat.result("rg.se", rg.corrected.map(|c| c.se));
    flat.interval("rg.ci", rg.corrected.map(|c| c.ci));
    Ok(())
}
