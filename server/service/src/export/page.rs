//! A page of items with all that its tables need.

use super::Context;
use crate::error::Result;
use domain::id::{ItemId, JudgeId, RulingId, UnitId};
use domain::scheme::QuestionKind;
use std::collections::HashMap;
use store::AnyConnection;
use store::candidate::StoredCandidate;
use store::export::{Judge, Run};
use store::item::StoredItem;
use store::ruling::Ruling;
use store::unit::ItemFacts;

/// Items a page: enough to spare queries, few enough to hold.
const ITEMS: i64 = 500;

/// Walks through a study in the order of its items.
pub(super) struct Pages {
    after: i64,
    judges: HashMap<JudgeId, Judge>,
    /// Whether a page tells what was said of its items: the table of items does without.
    said: bool,
}

/// Some items with their candidates, what was said of them, and the rulings in force.
pub(super) struct Page<'a> {
    pub judges: &'a HashMap<JudgeId, Judge>,
    pub items: Vec<StoredItem>,
    pub candidates: HashMap<ItemId, Vec<StoredCandidate>>,
    pub runs: HashMap<ItemId, Vec<Run>>,
    pub facts: HashMap<ItemId, ItemFacts>,
    pub rulings: HashMap<UnitId, Ruling>,
    pub answers: HashMap<RulingId, Vec<String>>,
    /// The relations that the first judge of an item drew, by question.
    pub relations: HashMap<(ItemId, String), Vec<String>>,
}

impl Page<'_> {
    /// The relations that the item's first judge drew.
    pub fn lines(&self, item: &ItemId, question: &str) -> &[String] {
        let key = (item.clone(), question.to_owned());
        self.relations.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// What judges drew, where the scheme asks for relations.
async fn relations(
    connection: &mut AnyConnection,
    context: &Context,
    after: i64,
    up_to: i64,
) -> Result<HashMap<(ItemId, String), Vec<String>>> {
    let asked = context.scheme.item_questions.iter();
    let asked: Vec<&str> = asked
        .filter(|question| question.kind == QuestionKind::Relations)
        .map(|question| question.id.as_str())
        .collect();
    if asked.is_empty() {
        return Ok(HashMap::new());
    }
    let mut said = store::judge_answer::of_range(connection, &context.study, after, up_to).await?;
    said.retain(|said| asked.contains(&said.question.as_str()));
    // The first by name, as results have it.
    said.sort_by(|one, other| other.name.cmp(&one.name));
    let lines = said
        .into_iter()
        .map(|said| ((said.item, said.question), said.answer.values));
    Ok(lines.collect())
}

impl Pages {
    pub async fn new(
        connection: &mut AnyConnection,
        context: &Context,
        said: bool,
    ) -> Result<Self> {
        Ok(Self {
            after: 0,
            judges: store::export::judges(connection, &context.study).await?,
            // Which tags a snapshot has is told by what was said of them.
            said: said || context.frozen.is_some(),
        })
    }

    pub async fn next(
        &mut self,
        connection: &mut AnyConnection,
        context: &Context,
    ) -> Result<Option<Page<'_>>> {
        let study = &context.study;
        let mut items = store::item::after(connection, study, self.after, ITEMS).await?;
        if let Some(head) = &context.frozen {
            items.retain(|item| item.seq <= head.last_seq);
        }
        let Some(last) = items.last() else {
            return Ok(None);
        };
        let (after, up_to) = (self.after, last.seq);
        self.after = up_to;
        let mut candidates: HashMap<ItemId, Vec<StoredCandidate>> = HashMap::new();
        for candidate in store::candidate::of_range(connection, study, after, up_to).await? {
            candidates
                .entry(candidate.item.clone())
                .or_default()
                .push(candidate);
        }
        let (facts, rulings) = match &context.frozen {
            Some(head) => (
                store::snapshot::facts(connection, head, after, up_to).await?,
                store::snapshot::rulings(connection, head, after, up_to).await?,
            ),
            None if self.said => (
                store::unit::facts(connection, study, after + 1, up_to).await?,
                store::export::rulings(connection, study, after, up_to).await?,
            ),
            None => (Vec::new(), HashMap::new()),
        };
        let answers = if self.said {
            store::ruled_answer::of_range(connection, study, after, up_to).await?
        } else {
            HashMap::new()
        };
        if context.frozen.is_some() {
            for facts in facts.iter().filter(|facts| !facts.units.is_empty()) {
                // A tag that a judge proposed later is no part of the snapshot.
                let then = |candidate: &StoredCandidate| {
                    facts.candidates.iter().any(|(id, ..)| *id == candidate.id)
                };
                if let Some(list) = candidates.get_mut(&facts.item) {
                    list.retain(then);
                }
            }
        }
        let relations = relations(connection, context, after, up_to).await?;
        Ok(Some(Page {
            relations,
            judges: &self.judges,
            candidates,
            runs: store::export::runs(connection, study, after, up_to).await?,
            facts: facts
                .into_iter()
                .map(|facts| (facts.item.clone(), facts))
                .collect(),
            rulings,
            answers,
            items,
        }))
    }
}
