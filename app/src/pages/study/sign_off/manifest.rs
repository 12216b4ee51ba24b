//! The rules that produced a snapshot, in words where there are some and as they are where not.

use leptos::prelude::*;
use serde_json::Value;

use crate::components::TableWrap;

/// How a final value came about, as in `labels.csv`.
pub fn outcome(word: &str) -> &'static str {
    match word {
        "agreed" => "Raters agreed",
        "consensus" => "Consensus",
        "averaged" => "Both kept, averaged",
        "adjudicator" => "Adjudicator’s ruling",
        "unresolved" => "Principled disagreement, no final value",
        "single" => "One rating only",
        "not_ratable" => "Could not be rated",
        "stale" => "Left out: changed since settled",
        "disputed" => "Left out: not settled",
        "open" => "Left out: waiting for raters",
        _ => "Other",
    }
}

/// Whether a unit is retained, or why not.
pub fn standing(word: &str) -> &'static str {
    match word {
        "retained" => "Retained",
        "below_threshold" => "Below the threshold of severity",
        "invalid" => "The tag is wrong",
        "excluded" => "Taken out with a reason",
        _ => "No final severity",
    }
}

/// Counts of labels, and everything else under its own name.
pub fn manifest(manifest: &Value) -> impl IntoView + use<> {
    let counts = |which: &str, says: fn(&str) -> &'static str| {
        let rows = manifest["counts"][which].as_object();
        let row = |(word, count): (&String, &Value)| {
            view! {
                <tr>
                    <th scope="row">{says(word)}</th>
                    <td class="number">{count.to_string()}</td>
                </tr>
            }
        };
        rows.map(|rows| rows.iter().map(row).collect_view())
    };
    let outcomes = counts("outcomes", outcome);
    let standings = counts("standings", standing);
    let left_out = left_out(manifest);
    let rest = rest(manifest);
    view! {
        <div class="columns">
            {table("How final values came about", outcomes)} {table("The retained set", standings)}
        </div>
        {left_out}
        <h2>"Under which rules"</h2>
        {rest}
    }
}

fn table(title: &'static str, rows: impl IntoView + 'static) -> impl IntoView {
    view! {
        <TableWrap label=title>
            <table>
                <caption>{title}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Label"</th>
                        <th scope="col" class="number">"Tags"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn left_out(manifest: &Value) -> impl IntoView + use<> {
    let list = manifest["left_out"].as_array().cloned().unwrap_or_default();
    let row = |one: Value| {
        let text = |field: &str| one[field].as_str().unwrap_or_default().to_owned();
        view! {
            <tr>
                <th scope="row">
                    <code class="small">{text("unit")}</code>
                </th>
                <td>{text("reason")}</td>
            </tr>
        }
    };
    (!list.is_empty()).then(|| {
        view! {
            <h2>"Left out although not settled"</h2>
            <TableWrap label="Left out although not settled">
                <table>
                    <caption class="unseen">"What was left out, and why"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Tag"</th>
                            <th scope="col">"Why"</th>
                        </tr>
                    </thead>
                    <tbody>{list.into_iter().map(row).collect_view()}</tbody>
                </table>
            </TableWrap>
        }
    })
}

fn rest(manifest: &Value) -> impl IntoView + use<> {
    const NAMES: [(&str, &str); 6] = [
        ("software", "Software"),
        ("scheme", "Coding manual in force"),
        ("scheme_versions", "Versions judged under"),
        ("rules", "Rules"),
        ("blinding", "Hidden from raters"),
        ("batches", "Samples"),
    ];
    let row = |(field, title): (&str, &'static str)| {
        let text = match &manifest[field] {
            Value::String(text) => text.clone(),
            value => format!("{value:#}"),
        };
        view! {
            <tr>
                <th scope="row">{title}</th>
                <td>
                    <pre class="small">{text}</pre>
                </td>
            </tr>
        }
    };
    let rows = NAMES.into_iter().map(row).collect_view();
    view! {
        <TableWrap label="Rules of the snapshot">
            <table>
                <caption class="unseen">"Rules of the snapshot"</caption>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}
