//! `cross_check.csv`

use super::page::Page;
use super::{Context, unwritten};
use crate::error::Result;
use crate::round::{TAGS, question_of};
use crate::source::rfc3339;
use crate::unit::question::identity;
use domain::id::ItemId;
use domain::unit::UnitKind;
use formats::write::{Cell, Columns, Table};
use std::collections::HashMap;
use std::io::Write;
use store::AnyConnection;
use store::item::StoredItem;
use store::round::Reviewed;
use store::unit::ItemFacts;

pub(super) fn columns() -> Columns {
    Columns::new()
        .text("item_id", "The item.")
        .text("item_key", "Its key in the file it came from.")
        .text("model", "The model that wrote the trace.")
        .text("cross_check", "The cross-check's name.")
        .text("reviewer", "Who read the label.")
        .text("rater", "Whose label it is.")
        .text(
            "unit_id",
            "What the label is of: a candidate or the answer to a question as in labels.csv, a missed tag as in \
             ratings_long.csv.",
        )
        .text("unit_kind", "What the unit is.")
        .one_of(["candidate", "missed", "item"])
        .text("question", "tags, or the question about the item that the label answers.")
        .text("agrees", "Whether the reviewer agrees with the label.")
        .one_of(["yes", "no"])
        .text("note", "What the reviewer wrote of it.")
        .time("reviewed_at", "When the review was given.")
        .integer(
            "annotation_version",
            "The version of the rater's annotation that was read, counted from 1.",
        )
}

/// The verdicts of the reviews that are given. Like all that is said of an item they leave only when every rater of it is
/// in, and with a snapshot only those that were given before it.
pub(super) async fn write<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    page: &Page<'_>,
    table: &mut Table<'_, W>,
) -> Result<()> {
    let ends = page.items.first().zip(page.items.last());
    let Some((after, up_to)) = ends.map(|(first, last)| (first.seq - 1, last.seq)) else {
        return Ok(());
    };
    let reviews = store::round::reviewed(connection, &context.study, after, up_to).await?;
    let items: HashMap<&ItemId, &StoredItem> =
        page.items.iter().map(|item| (&item.id, item)).collect();
    for review in &reviews {
        let at = review.done_at;
        let at = at.filter(|at| {
            let frozen = context.frozen.as_ref();
            frozen.is_none_or(|head| *at <= head.signed_at)
        });
        let facts = page.facts.get(&review.item);
        let (Some(at), Some(item)) = (at, items.get(&review.item)) else {
            continue;
        };
        if facts.is_some_and(ItemFacts::all_in) {
            rows(context, page, (item, review), &rfc3339(at), table)?;
        }
    }
    Ok(())
}

fn rows<W: Write>(
    context: &Context,
    page: &Page<'_>,
    (item, review): (&StoredItem, &Reviewed),
    at: &str,
    table: &mut Table<'_, W>,
) -> Result<()> {
    let candidates = page.candidates.get(&item.id);
    for verdict in &review.verdicts {
        let question = question_of(&verdict.label);
        let unit = question.map(|question| identity(&item.id, question));
        let proposed = || {
            let mut of_item = candidates.into_iter().flatten();
            of_item.any(|candidate| candidate.id.as_str() == verdict.label)
        };
        let kind = match question {
            Some(_) => UnitKind::Item,
            None if proposed() => UnitKind::Candidate,
            None => UnitKind::Missed,
        };
        let cells = [
            Cell::Text(item.id.as_str()),
            Cell::Text(&item.source_key),
            Cell::Text(&item.model),
            Cell::Text(&review.batch_name),
            Cell::Text(context.name_of(review.reviewer.as_str())),
            Cell::Text(context.name_of(review.rater.as_str())),
            Cell::Text(unit.as_ref().map_or(&verdict.label, |unit| unit.as_str())),
            Cell::Text(kind.as_str()),
            Cell::Text(question.unwrap_or(TAGS)),
            Cell::Text(if verdict.agrees { "yes" } else { "no" }),
            Cell::Text(&verdict.note),
            Cell::Time(at),
            Cell::Integer(review.version),
        ];
        table.row(&cells).map_err(unwritten)?;
    }
    Ok(())
}
