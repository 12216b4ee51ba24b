//! Paragraphs from the numbers. A number that is undefined is not written around: the sentence says why it is missing.

mod figures;

use super::{JudgePart, StudyReport};
use crate::results::Coverage;
use crate::validation::Rule;
use domain::count::count;
use std::fmt::Write;

fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn percent(value: f64) -> String {
    format!("{:.1}%", value * 100.0)
}

/// What was studied, and under which scheme.
fn subject(report: &StudyReport) -> String {
    let mut text = format!(
        "The study comprised {}",
        count(report.items, "item", "items")
    );
    if report.of_tags {
        let tags = count(report.candidates, "candidate tag", "candidate tags");
        let _ = write!(text, " with {tags} proposed by a language-model judge");
    }
    if !report.questions.is_empty() {
        let count = count(
            report.questions.len() as i64,
            "question about the item as a whole",
            "questions about the item as a whole",
        );
        let named: Vec<String> = report
            .questions
            .iter()
            .map(|q| format!("\"{q}\""))
            .collect();
        let and = if report.of_tags {
            ", and"
        } else {
            "; raters answered"
        };
        let _ = write!(text, "{and} {count}: {}", list(&named));
    }
    let _ = write!(
        text,
        ". Labels followed \"{}\", version {}",
        report.scheme, report.scheme_version
    );
    if report.citation.is_empty() {
        text.push('.');
    } else {
        let _ = write!(text, " ({}).", report.citation);
    }
    text
}

/// What was done.
pub fn methods(report: &StudyReport) -> String {
    let mut text = subject(report);
    for sample in report
        .samples
        .iter()
        .filter(|sample| sample.round == "main")
    {
        let how = if sample.stratify.is_empty() {
            "A simple random sample".to_owned()
        } else {
            format!("A random sample stratified by {}", sample.stratify)
        };
        let _ = write!(
            text,
            " {how} of {} (seed {}) was judged independently by {} per item.",
            count(sample.items, "item", "items"),
            sample.seed,
            count(sample.raters_per_item, "rater", "raters")
        );
        if sample.hidden_percent > 0 {
            let _ = write!(
                text,
                " On a random {}% of these items (same seed) raters first gave their own tags, which were then fixed, before they saw and judged those of the judge.",
                sample.hidden_percent
            );
        }
    }
    let calibration = report
        .samples
        .iter()
        .filter(|sample| sample.round == "calibration")
        .count();
    if calibration > 0 {
        text.push_str(" Calibration rounds preceded and enter no statistic.");
    }
    if report
        .samples
        .iter()
        .any(|sample| sample.round == "imported")
    {
        text.push_str(" Ratings made elsewhere were imported as they were.");
    }
    if !report.blinded.is_empty() {
        let words: Vec<String> = report
            .blinded
            .iter()
            .map(|word| (*word).to_owned())
            .collect();
        let _ = write!(text, " Raters did not see {}.", list(&words));
    }
    text.push_str(" No rater saw another's judgement before both were in; disagreements were settled afterwards without changing the independent judgements.");
    for part in &report.judges {
        text.push_str(&judge_method(part));
    }
    let (seed, resamples) = report.bootstrap;
    let why = if report.of_tags {
        "tags of one trace are not independent"
    } else {
        "what belongs to one item is not independent"
    };
    let _ = write!(
        text,
        " Intervals hold 95%; unless stated otherwise they come from {resamples} bootstrap resamples of whole items (seed {seed}), because {why}. Computations were made with {}, coding manual hash {}, on {}.",
        report.software,
        report.scheme_hash.get(..12).unwrap_or(&report.scheme_hash),
        report.snapshot.as_ref().map_or_else(
            || "the labels as they stood when this report was made (no snapshot)".to_owned(),
            |hash| format!("snapshot {hash}")
        )
    );
    text
}

fn judge_method(part: &JudgePart) -> String {
    let judge = &part.judge;
    let facts: Vec<String> = [
        (&judge.model, "model "),
        (&judge.prompt_version, "prompt "),
        (&judge.params, "parameters "),
        (&judge.judged_on, "run on "),
    ]
    .into_iter()
    .filter(|(fact, _)| !fact.is_empty())
    .map(|(fact, word)| format!("{word}{fact}"))
    .collect();
    let facts = if facts.is_empty() {
        String::new()
    } else {
        format!(" ({})", facts.join(", "))
    };
    let mut text = format!(
        " The judge \"{}\"{facts} was validated against the final labels on {}; a tag counted as correct with {}.",
        judge.name,
        count(part.items, "item", "items"),
        Rule::parse(&part.rule).map_or_else(|| part.rule.clone(), rule)
    );
    let excluded: Vec<String> = part
        .left_out
        .iter()
        .map(|(why, count)| format!("{count} {}", why.replace('_', " ")))
        .collect();
    if !excluded.is_empty() {
        let _ = write!(text, " Left out: {}.", list(&excluded));
    }
    text
}

fn rule(rule: Rule) -> String {
    use crate::validation::{CategoryRule, SeverityRule};
    let category = match rule.category {
        CategoryRule::Exact => "the same subcategory",
        CategoryRule::TopLevel => "the same top-level category",
        CategoryRule::Any => "any category",
    };
    let severity = match rule.severity {
        SeverityRule::Exact => "the same severity",
        SeverityRule::WithinHalf => "a severity within half a point",
        SeverityRule::WithinOne => "a severity within one point",
        SeverityRule::Ignored => "any severity",
    };
    format!("{category} and {severity}")
}

/// What was found.
pub fn results(report: &StudyReport) -> String {
    let mut sentences = Vec::new();
    for part in &report.agreement {
        let names: &[(&str, &str)] = if part.ordered {
            &[
                ("kappa_quadratic", "quadratically weighted kappa"),
                ("alpha_ordinal", "ordinal Krippendorff's alpha"),
                ("within1_agreement", "agreement within one point"),
            ]
        } else {
            &[
                ("percent_agreement", "percent agreement"),
                ("kappa", "kappa"),
            ]
        };
        let found: Vec<String> = names
            .iter()
            .filter_map(|(name, words)| {
                let row = part.statistics.iter().find(|row| row.name == *name)?;
                Some(figures::statistic(row, words, part.units))
            })
            .collect();
        if !found.is_empty() {
            let when = if part.stage == "raw" {
                "Before reconciliation"
            } else {
                "After reconciliation"
            };
            sentences.push(format!(
                "{when}, agreement on {} was: {}.",
                part.title,
                found.join("; ")
            ));
        }
    }
    let (one, many) = report.units;
    sentences.push(format!(
        "{} settled by a ruling; {} in dispute.",
        count(report.ruled, &format!("{one} was"), &format!("{many} were")),
        count(
            report.disputed,
            &format!("{one} remains"),
            &format!("{many} remain")
        )
    ));
    let measures: Vec<String> = report.measures.iter().map(figures::measure).collect();
    if !measures.is_empty() {
        let found = measures.join("; ");
        sentences.push(format!("Over the final labels: {found}."));
    }
    sentences.extend(report.coverage.iter().filter_map(Coverage::warning));
    for part in &report.judges {
        let found: Vec<String> = part.figures.iter().map(figures::figure).collect();
        sentences.push(format!(
            "The judge \"{}\" reached {} (on {} of {} it is on record whether anything was missed).",
            part.judge.name,
            found.join("; "),
            part.covered,
            count(part.items, "item", "items")
        ));
        sentences.extend(part.anchoring.as_ref().map(figures::anchoring));
    }
    sentences.extend(report.corpus.iter().flat_map(figures::corpus));
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn a_list_reads_as_one() {
        let words =
            |words: &[&str]| list(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            [words(&["a"]), words(&["a", "b"]), words(&["a", "b", "c"])],
            ["a", "a and b", "a, b and c"]
        );
    }
}
