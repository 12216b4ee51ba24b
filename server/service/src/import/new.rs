//! What an import wrote, or would have written.

use domain::count::count;
use serde::Serialize;
use std::ops::AddAssign;

/// What an import wrote, or would have written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct New {
    /// Items.
    pub items: u64,
    /// Texts of items that had come without one.
    pub texts: u64,
    /// Candidates.
    pub candidates: u64,
    /// What judges made of an item, failures included.
    pub verdicts: u64,
    /// Verdicts in the place of a call of a judge that had failed.
    pub repeated: u64,
    /// Answers of judges to questions about items.
    pub judge_answers: u64,
    /// Judgements of candidates and answers to questions about items that people gave.
    pub ratings: u64,
    /// Tags that people found and judges missed: spans of annotations made elsewhere are among them.
    pub missed: u64,
    /// How often a person could not rate an item.
    pub not_ratable: u64,
    /// Rulings.
    pub rulings: u64,
    /// Answers of models without any reasoning.
    pub answers: u64,
    /// Judges that the study did not have.
    pub judges: u64,
    /// Raters that the study did not have.
    pub raters: u64,
}

impl New {
    /// Whether there is nothing.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// What there is beside items, candidates, ratings, rulings and answers without reasoning, in words.
    #[must_use]
    pub fn further(&self) -> Vec<String> {
        let further = [
            (
                self.texts,
                "text of an item that had none",
                "texts of items that had none",
            ),
            (self.verdicts, "verdict of a judge", "verdicts of judges"),
            (
                self.repeated,
                "verdict where the judge's call had failed",
                "verdicts where the judge's call had failed",
            ),
            (self.judge_answers, "answer of a judge", "answers of judges"),
            (self.missed, "missed tag", "missed tags"),
            (
                self.not_ratable,
                "item that a rater could not rate",
                "items that a rater could not rate",
            ),
            (self.judges, "judge", "judges"),
            (self.raters, "rater", "raters"),
        ];
        let found = further.into_iter().filter(|(n, ..)| *n > 0);
        found.map(|(n, one, many)| count(n, one, many)).collect()
    }
}

impl AddAssign for New {
    fn add_assign(&mut self, other: Self) {
        self.items += other.items;
        self.texts += other.texts;
        self.repeated += other.repeated;
        self.candidates += other.candidates;
        self.verdicts += other.verdicts;
        self.judge_answers += other.judge_answers;
        self.ratings += other.ratings;
        self.missed += other.missed;
        self.not_ratable += other.not_ratable;
        self.rulings += other.rulings;
        self.answers += other.answers;
        self.judges += other.judges;
        self.raters += other.raters;
    }
}
