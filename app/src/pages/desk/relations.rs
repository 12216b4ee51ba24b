//! Relations between the parts of a trace: a numbered list, each part with its links, to be corrected by plain controls.

use domain::{
    annotation::{Answer, slice},
    relation::{self, Relation},
    scheme::ItemQuestion,
};
use leptos::prelude::*;
use service::desk::DeskView;

/// One part and what it relates to.
struct Part {
    number: u32,
    text: String,
    links: Vec<(u32, String)>,
    joined: bool,
    splits: Vec<String>,
}

/// The list. Until the rater has said anything, the judge's labels are what stands in it.
pub fn relations(
    question: &ItemQuestion,
    answer: &Answer,
    view: &DeskView,
) -> impl IntoView + use<> {
    let judge = view
        .judge_answers
        .iter()
        .find(|said| said.question == question.id);
    let lines: &[String] = if answer.values.is_empty() {
        judge.map_or(&[], |said| &said.values)
    } else {
        &answer.values
    };
    let name = format!("q:{}", question.id);
    let parts = parts(view, lines);
    let rows = parts
        .iter()
        .map(|part| row(part, question, &name))
        .collect_view();
    view! {
        <fieldset class="relations">
            <legend>{question.question.clone()}</legend>
            <ol>{rows}</ol>
        </fieldset>
    }
}

fn parts(view: &DeskView, lines: &[String]) -> Vec<Part> {
    let trace = &view.item.trace;
    let part = |(at, (_, start, end)): (usize, &(String, u32, u32))| {
        let number = at as u32 + 1;
        let mut part = Part {
            number,
            text: slice(trace, (*start, *end)).unwrap_or_default().to_owned(),
            links: Vec::new(),
            joined: false,
            splits: Vec::new(),
        };
        for line in lines {
            match relation::parse(line) {
                Some(Relation::Link {
                    part: of,
                    label,
                    target,
                }) if of == number => {
                    part.links.push((target, label.to_owned()));
                }
                Some(Relation::Join(of)) if of == number => part.joined = true,
                Some(Relation::Split(of, words)) if of == number => {
                    part.splits.push(words.to_owned());
                }
                _ => {}
            }
        }
        part
    };
    view.item.segments.iter().enumerate().map(part).collect()
}

/// One select a target: those that have a relation are in sight, the others under *more*.
fn row(part: &Part, question: &ItemQuestion, name: &str) -> impl IntoView + use<> {
    let label_of = |target: u32| {
        part.links
            .iter()
            .find(|(to, _)| *to == target)
            .map(|(_, label)| label.as_str())
    };
    let (shown, hidden): (Vec<u32>, Vec<u32>) =
        (0..part.number).partition(|target| *target == 0 || label_of(*target).is_some());
    let choose = |targets: Vec<u32>| {
        targets
            .into_iter()
            .map(|target| select(part.number, target, label_of(target), question, name).into_any())
            .collect_view()
    };
    let (number, split) = (part.number, part.splits.join(" | "));
    let more = (!hidden.is_empty()).then(|| {
        view! {
            <details>
                <summary>"Relate it to another step"</summary>
                {choose(hidden)}
            </details>
        }
    });
    let join = (number > 1).then(|| {
        view! {
            <label class="check">
                <input type="checkbox" name=name.to_owned() value=format!("join {number}") checked=part.joined />
                {format!("Belongs to step {}", number - 1)}
            </label>
        }
    });
    let id = format!("split-{number}");
    view! {
        <li value=number.to_string()>
            <p class="read">{part.text.clone()}</p>
            {choose(shown)}
            {more}
            {join}
            <div class="field">
                <label for=id.clone()>"A new step begins at the words"</label>
                <input id=id name=format!("{name}:split:{number}") value=split />
            </div>
        </li>
    }
}

fn select(
    part: u32,
    target: u32,
    chosen: Option<&str>,
    question: &ItemQuestion,
    name: &str,
) -> impl IntoView + use<> {
    let label = if target == 0 {
        format!("Step {part} and the task")
    } else {
        format!("Step {part} and step {target}")
    };
    let option = |level: &domain::scheme::Level| {
        let word = level.word();
        view! {
            <option value=relation::link(part, word, target) selected=chosen == Some(word) title=level.definition.clone()>
                {level.name.clone()}
            </option>
        }
    };
    let options = question.levels.iter().map(option).collect_view();
    let id = format!("relation-{part}-{target}");
    view! {
        <div class="row">
            <label for=id.clone()>{label}</label>
            <select id=id name=name.to_owned()>
                <option value="">"No relation"</option>
                {options}
            </select>
        </div>
    }
}
