//! One rating a row.

use domain::count::count;
use std::io::{self, BufRead};

use super::draft::{Draft, Drafts, MOST_CELLS, item_key, nameless};
use super::header::{Header, LongPlan};
use super::intern::Interner;
use super::record::{Record, Records};
use super::{Criterion, MISSING, RatingsOptions, cell_problem, each_row};
use crate::{Problem, Problems, problem::excerpt};

/// A rating with the line it stands on.
struct Entry {
    item: u32,
    rater: u32,
    value: u32,
    line: u64,
}

#[derive(Default)]
struct LongDraft {
    draft: Draft,
    raters: Interner,
    entries: Vec<Entry>,
}

pub(super) fn read<R: BufRead>(
    records: Records<R>,
    first: Option<Result<(), Problem>>,
    header: &Header,
    plan: &LongPlan,
    options: &RatingsOptions,
    problems: &mut Problems,
) -> io::Result<Vec<Criterion>> {
    let mut drafts: Vec<LongDraft> = Vec::new();
    let mut names = Drafts::default();
    let mut key = String::new();
    each_row(records, first, header, problems, |record, problems| {
        let number = names.of(record, plan.aside.criterion);
        if number == drafts.len() {
            drafts.push(LongDraft::default());
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
    let finished = names.names().into_iter().zip(drafts);
    Ok(finished
        .filter_map(|(name, draft)| finish(draft, name, header, plan, problems))
        .collect())
}

fn take(
    draft: &mut LongDraft,
    record: &Record,
    header: &Header,
    plan: &LongPlan,
    options: &RatingsOptions,
    key: &mut String,
    problems: &mut Problems,
) {
    if let Some(problem) = nameless(record, &plan.item, header) {
        problems.add(problem);
        return;
    }
    let rater = record.cell(plan.rater);
    if rater.is_empty() {
        problems.add(cell_problem(
            record.line,
            plan.rater,
            header,
            "",
            "the name of the rater",
        ));
        return;
    }
    let (item, _) = draft.draft.item(
        item_key(record, &plan.item, key),
        record,
        plan.aside,
        header,
        problems,
    );
    let (rater, _) = draft.raters.number(rater);
    let value = draft
        .draft
        .value(record, plan.value, header, options, problems);
    draft.entries.push(Entry {
        item,
        rater,
        value,
        line: record.line,
    });
}

/// Puts the ratings in their places; a second one in a place is a problem with both lines.
fn finish(
    long: LongDraft,
    name: String,
    header: &Header,
    plan: &LongPlan,
    problems: &mut Problems,
) -> Option<Criterion> {
    let LongDraft {
        draft,
        raters,
        entries,
    } = long;
    let width = raters.len();
    let size = draft.item_lines.len().saturating_mul(width);
    if size > MOST_CELLS {
        let found = format!(
            "{} and {}",
            count(draft.item_lines.len(), "item", "items"),
            count(width, "rater", "raters")
        );
        problems.add(Problem::new(
            1,
            found,
            format!("at most {MOST_CELLS} pairs of an item and a rater"),
        ));
        return None;
    }
    let mut cells = vec![MISSING; size];
    let mut taken = vec![0_u64; size.div_ceil(64)];
    for entry in &entries {
        let place = entry.item as usize * width + entry.rater as usize;
        let bit = 1 << (place % 64);
        if taken[place / 64] & bit > 0 {
            let same = |other: &&Entry| (other.item, other.rater) == (entry.item, entry.rater);
            let before = if problems.list.len() < crate::MOST_PROBLEMS {
                entries.iter().find(same).map_or(0, |other| other.line)
            } else {
                0
            };
            let found = format!(
                "a second rating of item {}",
                excerpt(&draft.items.text(entry.item).replace('\u{1f}', " "))
            );
            let expected = format!(
                "one rating an item and rater; the first by {} is in line {before}",
                excerpt(raters.text(entry.rater))
            );
            problems.add(cell_problem(
                entry.line, plan.rater, header, &found, expected,
            ));
        }
        taken[place / 64] |= bit;
        cells[place] = entry.value;
    }
    Some(draft.finish(name, raters.into_texts(), cells, plan.aside))
}
