//! The choice of judge, reference, rule and part: a plain form whose answer is an address.

use leptos::prelude::*;
use service::judge::{JudgeView, SplitView};
use service::validation::{Part, Rule, ValidationReport};

use super::says;

/// The form.
pub fn choose(
    report: &ValidationReport,
    judges: &[JudgeView],
    split: Option<SplitView>,
) -> impl IntoView + use<> {
    let judges = judges
        .iter()
        .map(|judge| (judge.id.to_string(), name(judge)))
        .collect();
    let mut against = vec![("final".to_owned(), "The final labels".to_owned())];
    against.extend(
        report
            .raters
            .iter()
            .map(|letter| (letter.clone(), format!("Rater {letter} alone"))),
    );
    let rules = Rule::all().into_iter().map(|rule| {
        let mut words = says::rule(rule);
        if rule == report.scheme_rule {
            words.push_str(" (the manual’s rule)");
        }
        (rule.word(), words)
    });
    let part = split.map(|split| {
        let parts = vec![
            (Part::All.as_str().to_owned(), "All items".to_owned()),
            (
                Part::Dev.as_str().to_owned(),
                format!("Development part, {} %", split.dev_percent),
            ),
            (Part::Test.as_str().to_owned(), "Held-out part".to_owned()),
        ];
        select("part", "Items", parts, report.query.part.as_str()).into_any()
    });
    view! {
        <form method="get" class="filters">
            {select("judge", "Judge", judges, &report.query.judge)}
            {select("against", "Compared with", against, &report.query.against)}
            {select("rule", "A tag is right with", rules.collect(), &report.rule.word())} {part}
            <label class="check">
                <input type="checkbox" name="few_shot" value="yes" checked=report.query.few_shot />
                "Count items from the judge’s prompt"
            </label>
            <button>"Show"</button>
        </form>
    }
}

/// A judge in a list.
pub fn name(judge: &JudgeView) -> String {
    let facts: Vec<&str> = [
        judge.model.as_str(),
        judge.prompt_version.as_str(),
        judge.judged_on.as_str(),
    ]
    .into_iter()
    .filter(|fact| !fact.is_empty())
    .collect();
    if facts.is_empty() {
        judge.name.clone()
    } else {
        format!("{} ({})", judge.name, facts.join(", "))
    }
}

/// A labelled choice in a form that changes nothing.
pub fn select(
    name: &'static str,
    label: &'static str,
    options: Vec<(String, String)>,
    chosen: &str,
) -> impl IntoView + use<> {
    let chosen = chosen.to_owned();
    let option = move |(value, label): (String, String)| {
        let selected = value == chosen;
        view! {
            <option value=value selected=selected>
                {label}
            </option>
        }
    };
    view! {
        <label>
            {label} <select name=name>{options.into_iter().map(option).collect_view()}</select>
        </label>
    }
}
