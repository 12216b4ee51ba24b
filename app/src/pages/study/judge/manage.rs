//! What is known of each judge, what it saw before, which items are held out, and further judges.

use leptos::prelude::*;
use service::judge::{JudgeView, SplitView};
use service::validation::ValidationReport;
use std::collections::BTreeSet;

use super::choose::name;
use crate::{
    actions::judge::{DescribeJudge, DrawSplit, SetFewShot},
    components::{AreaField, Hidden, PostForm, TableWrap, TextField},
    pages::study::frame::{Open, Tab},
    pages::{visit::Visit, words},
};

/// Everything about judges that can be changed.
pub fn manage(
    visit: &Visit,
    open: &Open,
    report: &ValidationReport,
    judges: &[JudgeView],
    split: Option<SplitView>,
    keys: &[Vec<String>; 2],
) -> impl IntoView + use<> {
    let judge = judges
        .iter()
        .find(|judge| judge.id.as_str() == report.query.judge)
        .cloned();
    let forms = judge.map(|judge| {
        view! {
            {describe(visit, &judge).into_any()}
            {few_shot(visit, &judge, keys).into_any()}
        }
    });
    view! {
        <h2>"Judges of this study"</h2>
        {table(judges)}
        <div class="no-print">
            {forms}
            {draw(visit, open, split).into_any()}
            {further(visit, open).into_any()}
        </div>
    }
}

fn table(judges: &[JudgeView]) -> impl IntoView + use<> {
    let row = |judge: &JudgeView| {
        let failed: Vec<String> = judge
            .failures
            .iter()
            .map(|(kind, count)| format!("{count} × {kind}"))
            .collect();
        let failed = if failed.is_empty() {
            "none".to_owned()
        } else {
            failed.join(", ")
        };
        view! {
            <tr>
                <th scope="row">{judge.name.clone()}</th>
                <td>{judge.model.clone()}</td>
                <td>{judge.prompt_version.clone()}</td>
                <td>{judge.params.clone()}</td>
                <td>{judge.judged_on.clone()}</td>
                <td class="number">{judge.judged}</td>
                <td>{failed}</td>
                <td class="number">{judge.few_shot}</td>
                <td>{if judge.compared { "compared only" } else { "shown to raters" }}</td>
            </tr>
        }
    };
    let rows = judges.iter().map(row).collect_view();
    view! {
        <TableWrap label="Judges">
            <table>
                <caption>"A failure is no verdict: such an item counts neither way."</caption>
                <thead>
                    <tr>
                        <th scope="col">"Judge"</th>
                        <th scope="col">"Model"</th>
                        <th scope="col">"Prompt"</th>
                        <th scope="col">"Parameters"</th>
                        <th scope="col">"Date"</th>
                        <th scope="col" class="number">"Judged"</th>
                        <th scope="col">"Failures"</th>
                        <th scope="col" class="number">"In its prompt"</th>
                        <th scope="col">"What it said is"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn describe(visit: &Visit, judge: &JudgeView) -> impl IntoView + use<> {
    let form = visit.form::<DescribeJudge>();
    let summary = format!("Describe {}", name(judge));
    let judge = judge.clone();
    let id = judge.id.to_string();
    view! {
        <details>
            <summary>{summary}</summary>
            <PostForm form=form.clone() class="card fit">
                <Hidden name="judge" value=id />
                <TextField form=form.clone() name="model" label="Language model" start=judge.model optional=true />
                <TextField
                    form=form.clone()
                    name="prompt_version"
                    label="Version of its prompt"
                    start=judge.prompt_version
                    optional=true
                />
                <TextField form=form.clone() name="params" label="Parameters" start=judge.params optional=true />
                <TextField
                    form=form.clone()
                    name="judged_on"
                    label="Date on which it judged"
                    hint="As year-month-day, for example 2026-03-01"
                    start=judge.judged_on
                    optional=true
                />
                <AreaField form=form.clone() name="note" label="Remark" start=judge.note />
                <button>"Keep"</button>
            </PostForm>
        </details>
    }
}

/// What stood in the judge's prompt: as people say of it, and as the items' files say of every judge.
fn few_shot(
    visit: &Visit,
    judge: &JudgeView,
    [keys, of_files]: &[Vec<String>; 2],
) -> impl IntoView + use<> {
    let form = visit.form::<SetFewShot>();
    let all: BTreeSet<&String> = keys.iter().chain(of_files).collect();
    let summary = format!("Items in the prompt of {}: {}", judge.name, all.len());
    let of_files = (!of_files.is_empty()).then(|| {
        let count = words::count(of_files.len(), "item", "items");
        let keys = of_files.iter().map(|key| view! { <li>{key.clone()}</li> });
        view! {
            <p>
                {count}
                " as their file says (in_judge_few_shot), for every judge and whatever the list below holds. Answers of judges to these are left out:"
            </p>
            <ul>{keys.collect_view()}</ul>
        }
    });
    let keys = keys.join("\n");
    let id = judge.id.to_string();
    view! {
        <details>
            <summary>{summary}</summary>
            {of_files}
            <PostForm form=form.clone() class="card fit">
                <Hidden name="judge" value=id />
                <AreaField
                    form=form.clone()
                    name="keys"
                    label="Keys of the items, one a line"
                    hint="Items that stood in the judge’s prompt as examples. It has seen their labels, so they are left out of its validation. The list replaces the one before."
                    start=keys
                    rows=8
                />
                <button>"Keep the list"</button>
            </PostForm>
        </details>
    }
}

fn draw(visit: &Visit, open: &Open, split: Option<SplitView>) -> impl IntoView + use<> {
    let form = visit.form::<DrawSplit>();
    let study = open.study.id.to_string();
    let now = split.map_or_else(
        || "No items are held out: a prompt tuned on these items would be validated by what it was tuned on.".to_owned(),
        |split| {
            format!(
                "Version {}, seed {}: {} % of the items for development, the rest held out. An item’s side follows from the seed and its key, so it never changes.",
                split.version, split.seed, split.dev_percent
            )
        },
    );
    view! {
        <details>
            <summary>"Items to tune prompts on, and items held out"</summary>
            <PostForm form=form.clone() class="card fit">
                <Hidden name="study" value=study />
                <p>{now}</p>
                <TextField form=form.clone() name="dev_percent" label="Development part, in percent" kind="number" start="50" min="1" max="99" />
                <TextField form=form.clone() name="seed" label="Seed" hint="Empty for a fresh one" optional=true />
                <button>"Draw a new split"</button>
            </PostForm>
        </details>
    }
}

/// The form is the one of an import, with a judge named beside the file.
fn further(visit: &Visit, open: &Open) -> impl IntoView + use<> {
    let action = Tab::Import.href(&open.study);
    let form = visit.form_to(&action);
    view! {
        <details>
            <summary>"Bring the runs of a further judge"</summary>
            <form method="post" action=action enctype="multipart/form-data" class="card fit">
                <p>
                    "The same traces, judged by another model or with another prompt. Its tags are compared with the labels that are there; raters never see them."
                </p>
                <TextField form=form.clone() name="compare_as" label="What this judge is called" />
                <TextField form=form.clone() name="judge_model" label="Language model" optional=true />
                <TextField form=form.clone() name="prompt_version" label="Version of its prompt" optional=true />
                <TextField form=form.clone() name="judged_on" label="Date on which it judged" hint="As year-month-day" optional=true />
                <p class="field">
                    <label for="runs-file">"Judged traces"</label>
                    <input id="runs-file" type="file" name="file" required />
                </p>
                <button>"Bring and compare"</button>
            </form>
        </details>
    }
}
