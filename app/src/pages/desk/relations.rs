//! Relations between the parts of a trace: a numbered list, each part with its links, to be corrected by plain controls.

use domain::{
    annotation::{Answer, slice},
    relation::{self, Place, Relation},
    scheme::ItemQuestion,
};
use leptos::prelude::*;
use service::desk::DeskView;

/// One part, or what was split off it, and what it relates to.
struct Part {
    place: Place,
    text: String,
    links: Vec<(Place, String)>,
    joined: bool,
    /// Of a part that nothing was split off: the words at which a new one is to begin.
    splits: Option<String>,
    /// Words of such a boundary that the part does not have.
    lost: Vec<String>,
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
    let places: Vec<Place> = parts.iter().map(|part| part.place).collect();
    let rows = parts
        .iter()
        .enumerate()
        .map(|(at, part)| row(part, &places[..at], question, &name))
        .collect_view();
    // Where something is related, to relate nothing is an answer of its own.
    let none = (!lines.is_empty()).then(|| {
        view! { <input type="hidden" name=name.clone() value=relation::NONE data-keep /> }
    });
    view! {
        <fieldset class="relations">
            <legend>{question.question.clone()}</legend>
            <p class="soft small">
                "Where a step should be two, write the words at which the second begins and save: it is then listed by a letter, to be related like any other."
            </p>
            {none}
            <ol>{rows}</ol>
        </fieldset>
    }
}

fn parts(view: &DeskView, lines: &[String]) -> Vec<Part> {
    let relations: Vec<Relation<'_>> = lines
        .iter()
        .filter_map(|line| relation::parse(line))
        .collect();
    let trace = &view.item.trace;
    let segments = view.item.segments.iter().enumerate();
    segments
        .flat_map(|(at, (_, start, end))| {
            let text = slice(trace, (*start, *end)).unwrap_or_default();
            of_part(at as u32 + 1, text, &relations)
        })
        .collect()
}

/// A part and what was split off it.
fn of_part(number: u32, text: &str, relations: &[Relation<'_>]) -> Vec<Part> {
    let words: Vec<&str> = relations
        .iter()
        .filter_map(|relation| match relation {
            Relation::Split(of, words) if *of == number => Some(*words),
            _ => None,
        })
        .collect();
    let joined = relations.contains(&Relation::Join(number));
    let (begins, lost) = relation::pieces(text, &words);
    let length = text.chars().count() as u32;
    let starts = std::iter::once(0).chain(begins.iter().copied());
    let ends = begins.iter().copied().chain([length]);
    let piece = |(piece, (start, end)): (usize, (u32, u32))| {
        let place = Place {
            part: number,
            piece: piece as u32,
        };
        let links = relations.iter().filter_map(|relation| match relation {
            Relation::Link {
                part,
                label,
                target,
            } if *part == place => Some((*target, (*label).to_owned())),
            _ => None,
        });
        let first = piece == 0;
        Part {
            place,
            text: slice(text, (start, end)).unwrap_or_default().to_owned(),
            links: links.collect(),
            joined: first && joined,
            splits: first.then(|| words.join(" | ")),
            lost: lost
                .iter()
                .filter(|_| first)
                .map(ToString::to_string)
                .collect(),
        }
    };
    starts.zip(ends).enumerate().map(piece).collect()
}

/// One select a target: those that have a relation are in sight, the others under *more*.
fn row(
    part: &Part,
    earlier: &[Place],
    question: &ItemQuestion,
    name: &str,
) -> impl IntoView + use<> {
    let label_of = |target: Place| {
        let mut links = part.links.iter();
        let link = links.find(|(to, _)| *to == target);
        link.map(|(_, label)| label.as_str())
    };
    let targets = std::iter::once(Place::INPUT).chain(earlier.iter().copied());
    let (shown, hidden): (Vec<Place>, Vec<Place>) =
        targets.partition(|target| *target == Place::INPUT || label_of(*target).is_some());
    let choose = |targets: Vec<Place>| {
        targets
            .into_iter()
            .map(|target| select(part.place, target, label_of(target), question, name).into_any())
            .collect_view()
    };
    let place = part.place;
    let number = place.part;
    let more = (!hidden.is_empty()).then(|| {
        view! {
            <details>
                <summary>"Relate it to another step"</summary>
                {choose(hidden)}
            </details>
        }
    });
    let first = part.splits.is_some();
    let join = (first && number > 1).then(|| {
        view! {
            <label class="check">
                <input type="checkbox" name=name.to_owned() value=format!("join {number}") checked=part.joined />
                {format!("Belongs to step {}", number - 1)}
            </label>
        }
    });
    let id = format!("split-{number}");
    let lost = (!part.lost.is_empty()).then(|| {
        let text = format!(
            "These words do not stand in step {number}: {}",
            part.lost.join(" | ")
        );
        view! { <p class="error">{text}</p> }
    });
    let split = part.splits.clone().map(|split| {
        view! {
            <div class="field">
                <label for=id.clone()>"A new step begins at the words"</label>
                <input id=id name=format!("{name}:split:{number}") value=split />
                {lost}
            </div>
        }
    });
    let letter = (!first).then(|| view! { <b>{format!("{place} ")}</b> });
    view! {
        <li value=number.to_string()>
            <p class="read">{letter} {part.text.clone()}</p>
            {choose(shown)}
            {more}
            {join}
            {split}
        </li>
    }
}

fn select(
    part: Place,
    target: Place,
    chosen: Option<&str>,
    question: &ItemQuestion,
    name: &str,
) -> impl IntoView + use<> {
    let label = if target == Place::INPUT {
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
