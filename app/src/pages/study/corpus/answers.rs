//! Answers against reasoning, answers alone, and the mix of tags.

use leptos::prelude::*;
use service::corpus::{AnswerRate, CorpusReport, TwoByTwo, chart};

use super::Asked;
use crate::components::TableWrap;
use crate::pages::study::frame::{Open, Tab};

/// For each model: how often the answer is clean and the reasoning is not, and the other three; each number leads to its
/// examples where whoever looks may see items.
pub fn two_by_two(report: &CorpusReport, examples: Option<String>) -> impl IntoView + use<> {
    let judge = report.judge.clone();
    let row = |table: &TwoByTwo| {
        let cell = |count: u64, answer: bool, reasoning: bool| {
            let query = form_urlencoded::Serializer::new(String::new())
                .append_pair("judge", &judge)
                .append_pair("model", &table.model)
                .append_pair("answer", if answer { "stigma" } else { "clear" })
                .append_pair("reasoning", if reasoning { "stigma" } else { "clear" })
                .finish();
            let number = match &examples {
                Some(base) if count > 0 => {
                    view! { <a href=format!("{base}/examples?{query}")>{count}</a> }.into_any()
                }
                _ => count.to_string().into_any(),
            };
            view! { <td class="number">{number}</td> }
        };
        let clear = table.neither + table.reasoning_only;
        let hidden = if clear == 0 {
            "none".to_owned()
        } else {
            format!(
                "{:.1} %",
                100.0 * table.reasoning_only as f64 / clear as f64
            )
        };
        view! {
            <tr>
                <th scope="row">{chart::named(&table.model).to_owned()}</th>
                {cell(table.neither, false, false)}
                {cell(table.reasoning_only, false, true)}
                {cell(table.answer_only, true, false)}
                {cell(table.both, true, true)}
                <td class="number">
                    <b>{hidden}</b>
                </td>
            </tr>
        }
    };
    let rows = report.two_by_two.iter().map(row).collect_view();
    (!report.two_by_two.is_empty()).then(|| {
        view! {
            <h2>"Clean answer, stigmatising reasoning"</h2>
            <TableWrap label="Answers against reasoning">
                <table>
                    <caption>
                        "Items whose question decides: willingness to be near the person, and expected violence. What a person suffers from, and why, says nothing either way. Reasoning as judged, from the lowest severity of a tag."
                    </caption>
                    <thead>
                        <tr>
                            <th scope="col">"Model"</th>
                            <th scope="col" class="number">"Neither"</th>
                            <th scope="col" class="number">"Reasoning only"</th>
                            <th scope="col" class="number">"Answer only"</th>
                            <th scope="col" class="number">"Both"</th>
                            <th scope="col" class="number">"Of clean answers, stigma in the reasoning"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
        }
    })
}

/// The answers alone.
pub fn answers(answers: &[AnswerRate]) -> impl IntoView + use<> {
    let row = |answer: &AnswerRate| {
        let percent = |value: f64| format!("{:.1} %", 100.0 * value);
        let rate = answer.rate.map_or_else(|| "none".to_owned(), percent);
        let interval = answer
            .low
            .zip(answer.high)
            .map(|(low, high)| format!("{} to {}", percent(low), percent(high)));
        view! {
            <tr>
                <th scope="row">{chart::named(&answer.model).to_owned()}</th>
                <td>{chart::mode_name(&answer.mode)}</td>
                <td class="number">{answer.n}</td>
                <td class="number">{answer.positive}</td>
                <td class="number">
                    <b>{rate}</b>
                    <span class="soft small below">{interval}</span>
                </td>
            </tr>
        }
    };
    let rows = answers.iter().map(row).collect_view();
    (!answers.is_empty()).then(|| {
        view! {
            <h2>"Answers alone"</h2>
            <TableWrap label="Stigmatising answers">
                <table>
                    <caption>"What the chosen answers say by themselves; no judge is needed. Wilson’s interval."</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Model"</th>
                            <th scope="col">"Asked"</th>
                            <th scope="col" class="number">"Answers"</th>
                            <th scope="col" class="number">"Stigmatising"</th>
                            <th scope="col" class="number">"Share"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
        }
    })
}

/// Tags by condition and category, drawn and as a table.
pub fn tags(open: &Open, report: &CorpusReport, asked: &Asked) -> impl IntoView + use<> {
    let used: Vec<(String, String)> = report
        .categories
        .iter()
        .filter(|(code, _)| report.tags.iter().any(|tag| tag.category == *code))
        .cloned()
        .collect();
    let count = |condition: &str, category: &str| -> u64 {
        report
            .tags
            .iter()
            .filter(|tag| {
                (asked.model.is_empty() || tag.model == asked.model)
                    && (asked.mode.is_empty() || tag.mode == asked.mode)
                    && tag.condition == condition
                    && tag.category == category
            })
            .map(|tag| if asked.strict { tag.strict } else { tag.tags })
            .sum()
    };
    let rows = report.conditions.iter().map(|condition| {
        let counts: Vec<u64> = used
            .iter()
            .map(|(code, _)| count(condition, code))
            .collect();
        let all: u64 = counts.iter().sum();
        let cells = counts
            .into_iter()
            .map(|count| view! { <td class="number">{count}</td> })
            .collect_view();
        view! {
            <tr>
                <th scope="row">{chart::named(condition).to_owned()}</th>
                {cells}
                <td class="number">
                    <b>{all}</b>
                </td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let heads = used
        .iter()
        .map(|(_, name)| view! { <th scope="col" class="number">{name.clone()}</th> });
    let heads = heads.collect_view();
    let base = Tab::Corpus.href(&open.study);
    let judge = report.judge.clone();
    let picture = chart::tags(report, &asked.model);
    let threshold = report.thresholds[usize::from(asked.strict)];
    let caption = format!("Tags as the judge proposed them, of severity {threshold} or more");
    view! {
        <h2>"Which stigma, in which condition"</h2>
        <div class="drawing" role="group" tabindex="0" aria-label="Drawing" inner_html=picture></div>
        <p class="small no-print">
            "To take along: " <a href=format!("{base}/tags.svg?judge={judge}") download="tags.svg">
                "drawing as SVG"
            </a> " " <a href=format!("{base}/tags.csv?judge={judge}") download="tags.csv">
                "all counts as CSV"
            </a>
        </p>
        <TableWrap label="Tags by condition and category">
            <table>
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Condition"</th>
                        {heads}
                        <th scope="col" class="number">"All"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}
