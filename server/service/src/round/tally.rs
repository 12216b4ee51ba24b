//! Disagreements of a cross-check, counted: absolute numbers, because such samples are small.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::{ItemId, StudyId};
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::Scheme;
use formats::write::{Cell, Columns, Table};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use store::round::{Reviewed, Verdict};

/// What the labels of tags are called beside the questions about items.
pub(crate) const TAGS: &str = "tags";

/// The question about the item that a label answers; nothing for a tag.
pub(crate) fn question_of(label: &str) -> Option<&str> {
    label.strip_prefix("q:")
}

/// One model, or all of them together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ModelRow {
    /// The model; empty for all together.
    pub model: String,
    /// All labels together.
    #[serde(flatten)]
    pub counts: CheckCounts,
    /// The same of tags and of each question about the item alone, as far as a review has read a label of it.
    pub questions: Vec<QuestionRow>,
}

/// The labels of tags, or of one question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QuestionRow {
    /// `tags`, or the question about the item.
    pub question: String,
    /// What people call it.
    pub title: String,
    /// Its labels: items and reviews are those in which one was read.
    #[serde(flatten)]
    pub counts: CheckCounts,
}

/// What came of reviews.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CheckCounts {
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

/// Which labels are counted.
#[derive(Clone, Copy)]
enum Which<'a> {
    All,
    /// The answers to this question, or without one the tags.
    About(Option<&'a str>),
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
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::AgreementRead).await?;
    let (scheme, _) = crate::study::scheme_in(&mut db, study).await?;
    let reviews = store::round::reviewed(&mut db, study, 0, i64::MAX).await?;
    Ok(count(&reviews, &scheme))
}

fn count(reviews: &[Reviewed], scheme: &Scheme) -> Vec<ModelRow> {
    let mut models: BTreeMap<&str, BTreeMap<&ItemId, Vec<&Reviewed>>> = BTreeMap::new();
    for review in reviews {
        let items = models.entry(&review.model).or_default();
        items.entry(&review.item).or_default().push(review);
    }
    let read = questions(reviews, scheme);
    let row = |model: &str, items: &[&Vec<&Reviewed>]| {
        let of = |question: &(Option<&str>, String)| QuestionRow {
            question: question.0.unwrap_or(TAGS).to_owned(),
            title: question.1.clone(),
            counts: CheckCounts::of(items, Which::About(question.0)),
        };
        let with_labels = |row: &QuestionRow| row.counts.labels > 0;
        ModelRow {
            model: model.to_owned(),
            counts: CheckCounts::of(items, Which::All),
            questions: read.iter().map(of).filter(with_labels).collect(),
        }
    };
    let mut rows: Vec<ModelRow> = models
        .iter()
        .map(|(model, items)| row(model, &items.values().collect::<Vec<_>>()))
        .collect();
    if !rows.is_empty() {
        let all: Vec<_> = models.values().flat_map(BTreeMap::values).collect();
        rows.push(row("", &all));
    }
    rows
}

/// What reviews have read, tags first, then questions in the order of the scheme, each with its name.
fn questions<'a>(reviews: &'a [Reviewed], scheme: &Scheme) -> Vec<(Option<&'a str>, String)> {
    let verdicts = reviews.iter().flat_map(|review| &review.verdicts);
    let read: BTreeSet<Option<&str>> = verdicts.map(|it| question_of(&it.label)).collect();
    let mut all: Vec<_> = read
        .into_iter()
        .map(|question| {
            let asked = scheme.item_questions.iter();
            let at = question.and_then(|id| asked.clone().position(|asked| asked.id == id));
            let title = match (question, at) {
                (None, _) => "Tags".to_owned(),
                (Some(_), Some(at)) => scheme.item_questions[at].title().to_owned(),
                (Some(id), None) => id.to_owned(),
            };
            ((question.is_some(), at.is_none(), at), (question, title))
        })
        .collect();
    all.sort();
    all.into_iter().map(|(_, question)| question).collect()
}

impl CheckCounts {
    /// Items, each with its reviews: all that were drawn, or those in which such a label was read.
    fn of(items: &[&Vec<&Reviewed>], which: Which<'_>) -> Self {
        let mut counts = Self::default();
        for reviews in items {
            counts.item(reviews, which);
        }
        counts
    }

    fn item(&mut self, reviews: &[&Reviewed], which: Which<'_>) {
        let is = |it: &Verdict| match which {
            Which::All => true,
            Which::About(question) => question_of(&it.label) == question,
        };
        // That an item was drawn is known before any label of it is read.
        let mine =
            |review: &&&Reviewed| matches!(which, Which::All) || review.verdicts.iter().any(is);
        let counted: Vec<_> = reviews.iter().filter(mine).collect();
        if counted.is_empty() {
            return;
        }
        let disagreements = |review: &Reviewed| {
            let of = review.verdicts.iter().filter(|it| is(it) && !it.agrees);
            of.count() as u64
        };
        let given = counted.iter().filter(|review| review.done_at.is_some());
        let disagreed = given.clone().filter(|it| disagreements(it) > 0).count() as u64;
        self.items += 1;
        self.reviews += counted.len() as u64;
        self.reviews_done += given.clone().count() as u64;
        self.reviews_disagreed += disagreed;
        // While one of its reviewers is missing, an item is not counted.
        if reviews.iter().all(|review| review.done_at.is_some()) {
            self.items_done += 1;
            self.items_disagreed += u64::from(disagreed > 0);
        }
        for review in given {
            self.labels += review.verdicts.iter().filter(|it| is(it)).count() as u64;
            self.labels_disagreed += disagreements(review);
        }
    }
}

/// The same as CSV: of each model all labels together, then tags and each question alone.
///
/// # Errors
/// As [`disagreements`].
pub async fn disagreements_csv(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<u8>> {
    let rows = disagreements(app, actor, study).await?;
    let columns = Columns::new()
        .text("model", "The model; empty for all together.")
        .integer("items", "Items drawn; of a question, items in which a label of it was read.")
        .integer("items_done", "Of these, items of which every review is given.")
        .integer(
            "items_disagreed",
            "Of these, items in which a reviewer disagrees with a label.",
        )
        .integer("reviews", "Reviews drawn; of a question, reviews in which a label of it was read.")
        .integer("reviews_done", "Of these, reviews given.")
        .integer(
            "reviews_disagreed",
            "Of these, reviews with a disagreement.",
        )
        .integer("labels", "Labels that were read in them.")
        .integer(
            "labels_disagreed",
            "Of these, labels that the reviewer disagrees with.",
        )
        .text(
            "question",
            "tags, or the question about the item whose labels are counted; empty for all labels together.",
        );
    let mut table = Table::new(Vec::new(), &columns, false).map_err(|_| Refusal::Internal)?;
    for row in &rows {
        let mut write = |question: &str, of: &CheckCounts| {
            let counts = [
                of.items,
                of.items_done,
                of.items_disagreed,
                of.reviews,
                of.reviews_done,
                of.reviews_disagreed,
                of.labels,
                of.labels_disagreed,
            ];
            let mut cells = vec![Cell::Text(&row.model)];
            cells.extend(counts.map(|count| Cell::Integer(count.cast_signed())));
            cells.push(Cell::Text(question));
            table.row(&cells).map_err(|_| Refusal::Internal)
        };
        write("", &row.counts)?;
        for one in &row.questions {
            write(&one.question, &one.counts)?;
        }
    }
    Ok(table.finish().map_err(|_| Refusal::Internal)?.0)
}

#[cfg(test)]
mod tests {
    use super::{CheckCounts, count};
    use domain::id::{ItemId, UserId};
    use domain::scheme::{Scheme, builtin, parse};
    use store::round::{Reviewed, Verdict};

    fn scheme(name: &str) -> Scheme {
        parse(builtin(name).expect("built in")).expect("sound").0
    }

    /// A review of these labels, of which the first so many are disagreed with; nothing where it is not given.
    fn review(model: &str, item: &str, given: Option<(&[&str], usize)>) -> Reviewed {
        let (labels, disagreements) = given.unwrap_or_default();
        let verdict = |(at, label): (usize, &&str)| Verdict {
            label: (*label).into(),
            agrees: at >= disagreements,
            note: String::new(),
        };
        Reviewed {
            id: String::new(),
            item: ItemId::new(item),
            model: model.into(),
            batch_name: String::new(),
            reviewer: UserId::new("r"),
            rater: UserId::new("s"),
            version: 1,
            done_at: given.map(|_| 1),
            verdicts: labels.iter().enumerate().map(verdict).collect(),
        }
    }

    type Short = ((u64, u64, u64), (u64, u64, u64), (u64, u64));

    fn short(of: &CheckCounts) -> Short {
        (
            (of.items, of.items_done, of.items_disagreed),
            (of.reviews, of.reviews_done, of.reviews_disagreed),
            (of.labels, of.labels_disagreed),
        )
    }

    #[test]
    fn an_item_is_counted_once_however_many_of_its_reviewers_disagree() {
        let three = |disagreements| Some((&["x", "y", "z"][..], disagreements));
        let rows = count(
            &[
                review("a", "1", three(2)),
                review("a", "1", three(1)),
                review("a", "2", three(0)),
                review("a", "2", three(0)),
                review("b", "3", three(1)),
                review("b", "3", None),
            ],
            &scheme("stigma"),
        );
        let all: Vec<_> = rows
            .iter()
            .map(|row| (row.model.as_str(), short(&row.counts)))
            .collect();
        assert_eq!(
            all,
            [
                ("a", ((2, 2, 1), (4, 4, 2), (12, 3))),
                // One reviewer is still missing: the item is not counted, the review is.
                ("b", ((1, 0, 0), (2, 1, 1), (3, 1))),
                ("", ((3, 2, 1), (6, 5, 3), (15, 4))),
            ]
        );
        assert_eq!(rows[0].questions[0].question, "tags");
        assert_eq!(
            rows[0].questions[0].counts, rows[0].counts,
            "there is nothing else"
        );
        assert_eq!(count(&[], &scheme("stigma")), []);
    }

    // All labels of an item were mixed: a table of one question could not be read off.
    #[test]
    fn each_question_has_counts_of_its_own() {
        let both = ["q:points", "q:score"];
        let score = ["q:score", "q:points"];
        let rows = count(
            &[
                review("a", "1", Some((&both[..], 1))),
                review("a", "2", Some((&score[..], 1))),
                review("a", "3", Some((&score[..1], 0))),
                review("b", "4", Some((&score[..], 2))),
                review("b", "5", None),
            ],
            &scheme("psrs-main-results"),
        );
        let of = |at: usize| {
            let questions = rows[at].questions.iter();
            questions
                .map(|q| (q.question.as_str(), short(&q.counts)))
                .collect::<Vec<_>>()
        };
        // In the order of the scheme. Points were not answered for item 3.
        assert_eq!(
            of(0),
            [
                ("score", ((3, 3, 1), (3, 3, 1), (3, 1))),
                ("points", ((2, 2, 1), (2, 2, 1), (2, 1))),
            ]
        );
        assert_eq!(of(1)[0], ("score", ((1, 1, 1), (1, 1, 1), (1, 1))));
        assert_eq!(of(2)[0], ("score", ((4, 4, 2), (4, 4, 2), (4, 2))));
        assert_eq!(short(&rows[0].counts), ((3, 3, 2), (3, 3, 2), (5, 2)));
        assert_eq!(short(&rows[1].counts), ((2, 1, 1), (2, 1, 1), (2, 2)));
    }
}
