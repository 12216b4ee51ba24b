//! One item a row, one rater a column.

use std::io::{self, BufRead};

use super::draft::{Draft, Drafts, item_key, nameless};
use super::header::{Header, WidePlan};
use super::record::{Record, Records};
use super::{Criterion, RatingsOptions, cell_problem, each_row};
use crate::{Problem, Problems, problem::excerpt};

#[derive(Default)]
struct WideDraft {
    draft: Draft,
    cells: Vec<u32>,
}

pub(super) fn read<R: BufRead>(
    records: Records<R>,
    first: Option<Result<(), Problem>>,
    header: &Header,
    plan: &WidePlan,
    options: &RatingsOptions,
    problems: &mut Problems,
) -> io::Result<Vec<Criterion>> {
    let mut drafts: Vec<WideDraft> = Vec::new();
    let mut names = Drafts::default();
    let mut key = String::new();
    each_row(records, first, header, problems, |record, problems| {
        let number = names.of(record, plan.aside.criterion);
        if number == drafts.len() {
            drafts.push(WideDraft::default());
        }
        take(
            &mut drafts[number],
            record,
            header,
            plan,
            options,
            &mut key,
            problems,
        );
    })?;
    if drafts.is_empty() {
        let number = names.of(&Record::default(), None);
        drafts.resize_with(number + 1, WideDraft::default);
    }
    let raters: Vec<String> = plan
        .raters
        .iter()
        .map(|&column| header.names[column].clone())
        .collect();
    let finished = names.names().into_iter().zip(drafts);
    Ok(finished
        .map(|(name, wide)| {
            wide.draft
                .finish(name, raters.clone(), wide.cells, plan.aside)
        })
        .collect())
}

fn take(
    wide: &mut WideDraft,
    record: &Record,
    header: &Header,
    plan: &WidePlan,
    options: &RatingsOptions,
    key: &mut String,
    problems: &mut Problems,
) {
    let line;
    let item = if plan.item.is_empty() {
        line = record.line.to_string();
        &line
    } else {
        if let Some(problem) = nameless(record, &plan.item, header) {
            problems.add(problem);
            return;
        }
        item_key(record, &plan.item, key)
    };
    let (number, new) = wide.draft.item(item, record, plan.aside, header, problems);
    if !new {
        let first = wide.draft.item_lines[number as usize];
        let found = format!(
            "a second row of item {}",
            excerpt(&item.replace('\u{1f}', " "))
        );
        let column = plan.item.first().copied().unwrap_or(0);
        problems.add(cell_problem(
            record.line,
            column,
            header,
            &found,
            format!("one row an item; the first is line {first}"),
        ));
        return;
    }
    for &column in &plan.raters {
        let value = wide.draft.value(record, column, header, options, problems);
        wide.cells.push(value);
    }
}
