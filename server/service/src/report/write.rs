//! Paragraphs from the numbers. A number that is undefined is not written around: the sentence says why it is missing.

use super::{CorpusPart, JudgePart, StudyReport};
use crate::agreement::StatRow;
use crate::corpus::Estimate;
use crate::validation::{Anchoring, ArmRow, Figure, Rule};
use std::fmt::Write;

fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn number(count: i64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn percent(value: f64) -> String {
    format!("{:.1}%", value * 100.0)
}

/// What was done.
pub fn methods(report: &StudyReport) -> String {
    let mut text = format!(
        "The study comprised {} with {} proposed by a language-model judge. Labels followed \"{}\", version {}",
        number(report.items, "item", "items"),
        number(report.candidates, "candidate tag", "candidate tags"),
        report.scheme,
        report.scheme_version
    );
    if report.citation.is_empty() {
        text.push('.');
    } else {
        let _ = write!(text, " ({}).", report.citation);
    }
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
            number(sample.items, "item", "items"),
            sample.seed,
            number(sample.raters_per_item, "rater", "raters")
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
    let _ = write!(
        text,
        " Intervals hold 95%; unless stated otherwise they come from {resamples} bootstrap resamples of whole items (seed {seed}), because tags of one trace are not independent. Computations were made with {}, coding manual hash {}, on {}.",
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
        number(part.items.cast_signed(), "item", "items"),
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
                Some(statistic(row, words))
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
    sentences.push(format!(
        "{} settled by a ruling; {} in dispute.",
        number(report.ruled, "tag was", "tags were"),
        number(report.disputed, "tag remains", "tags remain")
    ));
    for part in &report.judges {
        let found: Vec<String> = part.figures.iter().map(figure).collect();
        sentences.push(format!(
            "The judge \"{}\" reached {} (on {} of {} items it is on record whether anything was missed).",
            part.judge.name,
            found.join("; "),
            part.covered,
            part.items
        ));
        sentences.extend(part.anchoring.as_ref().map(anchoring));
    }
    sentences.extend(report.corpus.iter().flat_map(corpus));
    sentences.join(" ")
}

/// Whether seeing the judge's tags made a difference.
fn anchoring(arms: &Anchoring) -> String {
    let row = |row: &ArmRow| {
        let words = match row.name {
            "accepted" => "tags accepted by a rater",
            "same_verdict" => "same verdict of two raters",
            "raters_within_one" => "severities of two raters within one point",
            _ => "a rater's severity within half a point of the judge's",
        };
        let arm = |figure: &Figure| {
            let value = figure
                .estimate
                .map_or_else(|| "undefined".to_owned(), percent);
            format!("{value}, n = {}", figure.n)
        };
        let points = |share: f64| format!("{:+.1}", share * 100.0);
        let difference = match (row.difference, row.ci) {
            (Some(difference), Some(ci)) => format!(
                "{} points [{}, {}]",
                points(difference),
                points(ci.low),
                points(ci.high)
            ),
            (Some(difference), None) => format!("{} points (no interval)", points(difference)),
            (None, _) => "not reported (an arm has none)".to_owned(),
        };
        format!(
            "{words} {} shown and {} hidden, difference {difference}",
            arm(&row.shown),
            arm(&row.hidden)
        )
    };
    let compared = arms.rows.iter().filter(|row| row.name != "found_alone");
    let compared: Vec<String> = compared.map(row).collect();
    let alone = arms.rows.iter().find(|row| row.name == "found_alone");
    let alone = alone.map(|row| {
        figure(&row.hidden).replace("found_alone", "the share that raters had found alone was")
    });
    format!(
        "With the judge's tags shown from the start ({} items) against hidden at first ({} items): {}; of the hidden tags {}.",
        arms.shown,
        arms.hidden,
        compared.join("; "),
        alone.unwrap_or_default()
    )
}

fn statistic(row: &StatRow, words: &str) -> String {
    let share = row.name.ends_with("agreement");
    let value = |value: f64| {
        if share {
            percent(value)
        } else {
            format!("{value:.3}")
        }
    };
    match (row.estimate, row.ci_low.zip(row.ci_high)) {
        (Some(estimate), Some((low, high))) => {
            format!(
                "{words} {} [{}, {}], n = {} tags",
                value(estimate),
                value(low),
                value(high),
                row.n_units
            )
        }
        (Some(estimate), None) => format!(
            "{words} {} (no interval), n = {} tags",
            value(estimate),
            row.n_units
        ),
        (None, _) => {
            let why = row.undefined_reason.as_deref().unwrap_or("undefined");
            format!("{words} undefined ({})", why.replace('_', " "))
        }
    }
}

fn figure(figure: &Figure) -> String {
    let name = if figure.name == "f1" {
        "F1"
    } else {
        &figure.name
    };
    match (figure.estimate, figure.ci) {
        (Some(estimate), Some(ci)) => {
            format!(
                "{name} {} [{}, {}], n = {}",
                percent(estimate),
                percent(ci.low),
                percent(ci.high),
                figure.n
            )
        }
        (Some(estimate), None) => format!(
            "{name} {} (no interval), n = {}",
            percent(estimate),
            figure.n
        ),
        (None, _) => {
            let why = figure.undefined.as_deref().unwrap_or("undefined");
            format!("{name} not reported ({})", why.replace('_', " "))
        }
    }
}

fn corpus(part: &CorpusPart) -> Vec<String> {
    let overall = part.rates.iter().filter(|rate| rate.model.is_empty());
    let rates: Vec<String> = overall
        .map(|rate| {
            let found: Vec<String> = rate.estimates.iter().map(estimate).collect();
            let threshold = rate.threshold;
            format!(
                "stigma at severity {threshold} or more {}",
                found.join(", ")
            )
        })
        .collect();
    if rates.is_empty() {
        return Vec::new();
    }
    let mut sentences = vec![format!(
        "Of {} items with a verdict of the judge ({} failures excluded): {}.",
        part.judged,
        part.failed,
        rates.join("; ")
    )];
    let [clean, hidden] = part.clean_answers;
    if clean > 0 {
        sentences.push(format!(
            "Of {clean} items whose multiple-choice answer was free of stigma, {hidden} ({}) had stigma in the reasoning as judged.",
            percent(hidden as f64 / clean as f64)
        ));
    }
    sentences
}

fn estimate(one: &Estimate) -> String {
    let name = match one.estimator {
        "judged" => "as judged",
        "ppi" => "corrected by PPI++",
        "rogan_gladen" => "corrected by Rogan-Gladen",
        _ => "in the validated sample alone",
    };
    match (one.estimate, one.low.zip(one.high)) {
        (Some(value), Some((low, high))) => format!(
            "{name} {} [{}, {}]",
            percent(value),
            percent(low),
            percent(high)
        ),
        _ => {
            let why = one.undefined.as_deref().unwrap_or("undefined");
            format!("{name} not reported ({})", why.replace('_', " "))
        }
    }
}

/// Both paragraphs and the statement as Markdown.
pub fn markdown(report: &StudyReport) -> String {
    format!(
        "# {}\n\n## Methods\n\n{}\n\n## Results\n\n{}\n\n> {}\n",
        escaped_markdown(&report.study),
        escaped_markdown(&methods(report)),
        escaped_markdown(&results(report)),
        report.statement
    )
}

fn escaped_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Both paragraphs and the statement as LaTeX.
pub fn latex(report: &StudyReport) -> String {
    format!(
        "\\section*{{{}}}\n\n\\subsection*{{Methods}}\n{}\n\n\\subsection*{{Results}}\n{}\n\n\\begin{{quote}}\n{}\n\\end{{quote}}\n",
        escaped_latex(&report.study),
        escaped_latex(&methods(report)),
        escaped_latex(&results(report)),
        escaped_latex(report.statement)
    )
}

fn escaped_latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '"' => out.push_str("''"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escaped_latex, escaped_markdown, list};

    #[test]
    fn nothing_of_a_name_becomes_markup() {
        assert_eq!(
            escaped_latex("50% of \\a_b & {c} ~^#$"),
            "50\\% of \\textbackslash{}a\\_b \\& \\{c\\} \\textasciitilde{}\\textasciicircum{}\\#\\$"
        );
        assert_eq!(
            escaped_markdown("*a* [b](c) <d>"),
            "\\*a\\* \\[b\\](c) \\<d\\>"
        );
    }

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
