//! The units of the queue as a table, in the words of the scheme: what has a value is a tag, or an answer about the item.

use domain::{annotation::shortest, role::Action, scheme::Scheme, unit::UnitKind};
use leptos::prelude::*;
use service::unit::{Queue, QueueRow, RaterValue};
use std::sync::Arc;

use super::super::frame::{Open, Tab};
use crate::{
    actions::ruling::ConfirmUnits,
    components::{Empty, Hidden, LevelBadge, PostForm, TableWrap},
    pages::{visit::Visit, words},
};

/// The page of the queue.
pub fn table(visit: &Visit, open: &Open, queue: Queue) -> impl IntoView + use<> {
    let (one, many) = open.study.scheme.unit_words();
    if queue.rows.is_empty() {
        let why = format!(
            "No {one} fits this choice. They appear as soon as all raters of an item have submitted and differ by the study’s rule."
        );
        return view! {
            <Empty title="Nothing here">
                <p>{why}</p>
            </Empty>
        }
        .into_any();
    }
    let base = Tab::Disagreements.href(&open.study);
    let scheme = open.study.scheme.clone();
    let confirmable = open.may(Action::Rule) && queue.rows.iter().any(|row| row.unanimous);
    let row = move |row: QueueRow| queue_row(&base, &scheme, confirmable, row);
    let head =
        confirmable.then(|| view! { <th scope="col"><span class="unseen">"Confirm"</span></th> });
    let (order, what) = (order(&open.study.scheme), capital(one));
    let table = view! {
        <TableWrap label="Disagreements">
            <table class="queue">
                <caption>
                    {order} " A and B are the raters in the order in which they joined."
                </caption>
                <thead>
                    <tr>
                        {head}
                        <th scope="col">{what}</th>
                        <th scope="col">"Item"</th>
                        <th scope="col">"What they said"</th>
                        <th scope="col" class="number">"Apart"</th>
                        <th scope="col">"Differs in"</th>
                        <th scope="col">"State"</th>
                    </tr>
                </thead>
                <tbody>{queue.rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        </TableWrap>
    };
    if !confirmable {
        return table.into_any();
    }
    let form = visit.form::<ConfirmUnits>();
    let study = open.study.id.to_string();
    let hint = format!(
        "{} on which every rater gave the same value can be confirmed together. Where values differ, even by less than the rule’s distance, each is settled by itself.",
        capital(many)
    );
    view! {
        <PostForm form>
            <Hidden name="study" value=study />
            {table}
            <div class="row">
                <p class="hint">{hint}</p>
                <button class="button push">"Confirm the ticked ones"</button>
            </div>
        </PostForm>
    }
    .into_any()
}

/// By what the queue is ordered.
fn order(scheme: &Scheme) -> &'static str {
    match (scheme.has_tags(), scheme.item_questions.is_empty()) {
        (true, true) => {
            "Most distant first: points of severity apart, and 2 more where validity differs, 1 where the category does, a half where discussion was asked for."
        }
        (true, false) => {
            "Most distant first: points apart, and 2 more where the validity of a tag differs, 1 where its category does, a half where discussion was asked for. Answers that differ without being apart by a number count as 1."
        }
        (false, _) => {
            "Most distant first: levels apart on an ordered scale; other answers that differ count as 1, and an item that a rater could not rate as a half."
        }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn queue_row(
    base: &str,
    scheme: &Arc<Scheme>,
    confirmable: bool,
    row: QueueRow,
) -> impl IntoView + use<> {
    let (state, class) = words::unit_state(row.state);
    let kinds: Vec<&str> = row
        .kinds
        .iter()
        .map(|kind| words::difference(kind))
        .collect();
    let outcome = row
        .outcome
        .map(|outcome| format!(", {}", words::outcome(outcome).to_lowercase()));
    let values = said(scheme, &row);
    let (name, below) = if row.unit_kind == UnitKind::Item {
        // Under a scheme of tags and answers the row says which it is.
        let both = scheme.has_tags().then(|| "About the item".to_owned());
        (row.category_name, both)
    } else if row.subcategory_name.is_empty() {
        ("(category only)".to_owned(), Some(row.category_name))
    } else {
        (row.subcategory_name, Some(row.category_name))
    };
    // Answers on no scale are not so and so far apart.
    let apart = if row.answers_differ && row.distance == 0.0 {
        "differ".to_owned()
    } else {
        shortest(row.distance)
    };
    let tick = confirmable.then(|| {
        let label = format!("Confirm {name}, item {}", row.item_key);
        let pick = format!("{}/{}", row.unit, row.basis);
        let tick = row
            .unanimous
            .then(|| view! { <input type="checkbox" name="pick[]" value=pick aria-label=label /> });
        view! { <td>{tick}</td> }
    });
    view! {
        <tr>
            {tick}
            <th scope="row">
                <a href=format!("{base}/{}", row.unit)>{name}</a>
                {below.map(|below| view! { <span class="soft small below">{below}</span> })}
            </th>
            <td class="key">{row.item_key}</td>
            <td>{values}</td>
            <td class="number">{apart}</td>
            <td>{kinds.join(", ")}</td>
            <td>
                <span class=class>{state}</span>
                {outcome}
            </td>
        </tr>
    }
}

fn said(scheme: &Arc<Scheme>, row: &QueueRow) -> impl IntoView + use<> {
    if row.values.is_empty() {
        return "not all in yet".into_any();
    }
    let question = scheme
        .question(&row.code)
        .filter(|_| row.unit_kind == UnitKind::Item);
    let one = |value: &RaterValue| {
        let severity = value
            .severity
            .zip(scheme.severity.clone())
            .filter(|_| question.is_none());
        let answer = question.map(|question| {
            let word = |value: &String| {
                question
                    .level(value)
                    .map_or(value.clone(), |level| level.name.clone())
            };
            value.values.iter().map(word).collect::<Vec<_>>().join(", ")
        });
        let validity = if value.not_ratable {
            Some("cannot be rated")
        } else if value.not_marked {
            Some("not marked")
        } else {
            value
                .validity
                .filter(|validity| *validity != domain::scheme::Validity::Valid)
                .map(words::validity)
        };
        view! {
            <span class="said">
                <b>{value.letter.clone()}</b>
                " "
                {severity.map(|(value, scale)| view! { <LevelBadge value scale compact=true /> })}
                {answer}
                " "
                {validity}
            </span>
        }
    };
    row.values.iter().map(one).collect_view().into_any()
}
