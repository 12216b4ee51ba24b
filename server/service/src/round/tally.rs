//! Disagreements of a cross-check, counted: absolute numbers, because such samples are small.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use formats::write::{Cell, Columns, Table};
use serde::Serialize;
use std::collections::BTreeMap;
use store::round::Tally;

/// One model, or all of them together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelRow {
    /// The model; empty for all together.
    pub model: String,
    /// Items drawn.
    pub items: u64,
    /// Items of which every review is given.
    pub items_done: u64,
    /// Of these, items in which a reviewer disagrees with a label.
    pub items_disagreed: u64,
    /// Reviews drawn.
    pub reviews: u64,
    /// Reviews given.
    pub reviews_done: u64,
    /// Of these, reviews with a disagreement.
    pub reviews_disagreed: u64,
    /// Labels that were read in them.
    pub labels: u64,
    /// Of these, labels that the reviewer disagrees with.
    pub labels_disagreed: u64,
}

/// The disagreements of a study's cross-checks, model by model, and all together last.
///
/// # Errors
/// [`Refusal::Forbidden`] for a rater, who must not learn how others answered.
pub async fn disagreements(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
) -> Result<Vec<ModelRow>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::AgreementRead).await?;
    Ok(count(&store::round::tallies(&mut db, study).await?))
}

fn count(tallies: &[Tally]) -> Vec<ModelRow> {
    let mut models: BTreeMap<&str, BTreeMap<&str, Vec<&Tally>>> = BTreeMap::new();
    for tally in tallies {
        let items = models.entry(&tally.model).or_default();
        items.entry(&tally.item).or_default().push(tally);
    }
    let mut rows = Vec::with_capacity(models.len() + 1);
    let mut all = ModelRow::default();
    for (model, items) in models {
        let mut row = ModelRow {
            model: model.to_owned(),
            ..ModelRow::default()
        };
        for reviews in items.values() {
            row.item(reviews);
            all.item(reviews);
        }
        rows.push(row);
    }
    if !rows.is_empty() {
        rows.push(all);
    }
    rows
}

impl ModelRow {
    fn item(&mut self, reviews: &[&Tally]) {
        let given: Vec<&&Tally> = reviews.iter().filter(|review| review.done).collect();
        let disagreed = given
            .iter()
            .filter(|review| review.disagreements > 0)
            .count();
        self.items += 1;
        self.reviews += reviews.len() as u64;
        self.reviews_done += given.len() as u64;
        self.reviews_disagreed += disagreed as u64;
        if given.len() == reviews.len() {
            self.items_done += 1;
            self.items_disagreed += u64::from(disagreed > 0);
        }
        let sum = |of: fn(&Tally) -> i64| given.iter().map(|r| of(r).unsigned_abs()).sum::<u64>();
        self.labels += sum(|review| review.labels);
        self.labels_disagreed += sum(|review| review.disagreements);
    }
}

/// The same as CSV.
///
/// # Errors
/// As [`disagreements`].
pub async fn disagreements_csv(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<u8>> {
    let rows = disagreements(app, actor, study).await?;
    let columns = Columns::new()
        .text("model", "The model; empty for all together.")
        .integer("items", "Items drawn.")
        .integer("items_done", "Items of which every review is given.")
        .integer(
            "items_disagreed",
            "Of these, items in which a reviewer disagrees with a label.",
        )
        .integer("reviews", "Reviews drawn.")
        .integer("reviews_done", "Reviews given.")
        .integer(
            "reviews_disagreed",
            "Of these, reviews with a disagreement.",
        )
        .integer("labels", "Labels that were read in them.")
        .integer(
            "labels_disagreed",
            "Of these, labels that the reviewer disagrees with.",
        );
    let mut table = Table::new(Vec::new(), &columns, false).map_err(|_| Refusal::Internal)?;
    for row in &rows {
        let mut cells = vec![Cell::Text(&row.model)];
        let counts = [
            row.items,
            row.items_done,
            row.items_disagreed,
            row.reviews,
            row.reviews_done,
            row.reviews_disagreed,
            row.labels,
            row.labels_disagreed,
        ];
        cells.extend(counts.map(|count| Cell::Integer(count as i64)));
        table.row(&cells).map_err(|_| Refusal::Internal)?;
    }
    Ok(table.finish().map_err(|_| Refusal::Internal)?.0)
}

#[cfg(test)]
mod tests {
    use super::count;
    use store::round::Tally;

    fn tally(model: &str, item: &str, done: bool, disagreements: i64) -> Tally {
        Tally {
            item: item.into(),
            model: model.into(),
            done,
            labels: if done { 3 } else { 0 },
            disagreements,
        }
    }

    #[test]
    fn an_item_is_counted_once_however_many_of_its_reviewers_disagree() {
        let rows = count(&[
            tally("a", "1", true, 2),
            tally("a", "1", true, 1),
            tally("a", "2", true, 0),
            tally("a", "2", true, 0),
            tally("b", "3", true, 1),
            tally("b", "3", false, 0),
        ]);
        let short: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row.model.as_str(),
                    (row.items, row.items_done, row.items_disagreed),
                    (row.reviews_done, row.reviews_disagreed),
                    (row.labels, row.labels_disagreed),
                )
            })
            .collect();
        assert_eq!(
            short,
            [
                ("a", (2, 2, 1), (4, 2), (12, 3)),
                // One reviewer is still missing: the item is not counted, the review is.
                ("b", (1, 0, 0), (1, 1), (3, 1)),
                ("", (3, 2, 1), (5, 3), (15, 4)),
            ]
        );
        assert_eq!(count(&[]), []);
    }
}
