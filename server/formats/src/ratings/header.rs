//! Which column is what: told by options, otherwise guessed from names.

use std::collections::HashMap;

use super::columns::is_aside;
use super::record::Record;
use super::{RatingsOptions, Records, cell_problem};
use crate::{Problem, Problems, problem::excerpt};

const ITEM: &[&str] = &[
    "item", "unit", "subject", "case", "document", "doc", "target", "example", "instance", "id",
    "key", "trace", "text",
];
const RATER: &[&str] = &[
    "rater",
    "annotator",
    "coder",
    "observer",
    "reviewer",
    "rater_slot",
    "worker",
    "labeler",
    "labeller",
    "judge",
];
const VALUE: &[&str] = &[
    "score",
    "rating",
    "value",
    "label",
    "category",
    "code",
    "grade",
    "annotation",
    "answer",
    "severity",
];
/// What stands beside a rating in a column of the rater.
const BESIDE: &[&str] = &[
    "comment",
    "note",
    "reason",
    "explanation",
    "confidence",
    "time",
    "date",
];
const CRITERION: &[&str] = &["criterion"];

/// The names of the columns.
pub(super) struct Header {
    pub(super) names: Vec<String>,
    position: HashMap<String, usize>,
}

/// The columns of a long file.
pub(super) struct LongPlan {
    pub(super) item: Vec<usize>,
    pub(super) rater: usize,
    pub(super) value: usize,
    pub(super) aside: Aside,
}

/// The columns of a wide file; without an item column every row is an item.
pub(super) struct WidePlan {
    pub(super) item: Vec<usize>,
    pub(super) raters: Vec<usize>,
    pub(super) aside: Aside,
}

/// Columns beside item, rater and value.
#[derive(Clone, Copy, Default)]
pub(super) struct Aside {
    pub(super) criterion: Option<usize>,
    pub(super) cluster: Option<usize>,
    pub(super) by: Option<usize>,
}

pub(super) enum Plan {
    Long(LongPlan),
    Wide(WidePlan),
    Table,
}

impl Plan {
    /// The choice in words.
    pub(super) fn describe(&self, header: &Header) -> String {
        let names = |columns: &[usize]| {
            columns
                .iter()
                .map(|&i| header.names[i].as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self {
            Self::Long(plan) => {
                format!(
                    "long: item {}; rater {}; value {}",
                    names(&plan.item),
                    header.names[plan.rater],
                    header.names[plan.value]
                )
            }
            Self::Wide(plan) if plan.item.is_empty() => format!(
                "wide: every row an item; raters {}",
                shortened(&names(&plan.raters))
            ),
            Self::Wide(plan) => format!(
                "wide: item {}; raters {}",
                names(&plan.item),
                shortened(&names(&plan.raters))
            ),
            Self::Table => {
                "a table of counts: the first rater in rows, the second in columns".to_owned()
            }
        }
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 200 {
        text.to_owned()
    } else {
        text.chars().take(199).chain(['…']).collect()
    }
}

impl Header {
    pub(super) fn new<R: std::io::BufRead>(records: &Records<R>) -> Self {
        let names: Vec<String> = (0..records.record.len())
            .map(|i| records.record.cell(i).to_owned())
            .collect();
        let mut position = HashMap::with_capacity(names.len());
        for (i, name) in names.iter().enumerate() {
            position.entry(name.clone()).or_insert(i);
        }
        Self { names, position }
    }

    /// Decides what the columns are; problems say what is missing.
    pub(super) fn plan(
        &self,
        options: &RatingsOptions,
        first: Option<&Record>,
        problems: &mut Problems,
    ) -> Option<Plan> {
        let before = problems.count();
        let own = self.own();
        let aside = Aside {
            criterion: options.criterion.as_ref().map_or_else(
                || {
                    own.map_or_else(
                        || self.guess(CRITERION, &[]),
                        |[_, question]| Some(question),
                    )
                },
                |name| self.named(name, problems),
            ),
            cluster: options
                .cluster
                .as_ref()
                .and_then(|name| self.named(name, problems)),
            by: options
                .by
                .as_ref()
                .and_then(|name| self.named(name, problems)),
        };
        let item: Vec<usize> = options
            .item
            .iter()
            .filter_map(|name| self.named(name, problems))
            .chain(
                own.filter(|_| options.item.is_empty())
                    .map(|[unit, _]| unit),
            )
            .collect();
        let plan = if !options.raters.is_empty() {
            self.wide(item, options, aside, problems).map(Plan::Wide)
        } else if options.rater.is_some() || options.value.is_some() {
            self.long(item, options, aside, problems).map(Plan::Long)
        } else if first.is_some_and(|first| self.is_table(first)) {
            Some(Plan::Table)
        } else if self.guess(RATER, &item).is_some() && self.guess(VALUE, &item).is_some() {
            self.long(item, options, aside, problems).map(Plan::Long)
        } else {
            self.wide(item, options, aside, problems).map(Plan::Wide)
        };
        plan.filter(|_| problems.count() == before)
    }

    /// The columns of unit and question of the program's own ratings, of which an item has several units.
    fn own(&self) -> Option<[usize; 2]> {
        let at = |name: &str| self.names.iter().position(|other| other == name);
        at("unit_kind")?;
        Some([at("unit_id")?, at("question")?])
    }

    fn long(
        &self,
        item: Vec<usize>,
        options: &RatingsOptions,
        aside: Aside,
        problems: &mut Problems,
    ) -> Option<LongPlan> {
        let mut find = |told: &Option<String>, known: &[&str], option: &str| {
            if let Some(name) = told {
                return self.named(name, problems);
            }
            let found = self.guess(known, &item);
            if found.is_none() {
                let expected = format!("a column that says the {option}; name it with --{option}");
                problems.add(Problem::new(1, self.list(), expected));
            }
            found
        };
        let rater = find(&options.rater, RATER, "rater")?;
        let value = find(&options.value, VALUE, "value")?;
        let mut item = item;
        if item.is_empty() {
            let taken: Vec<usize> = [Some(rater), Some(value), aside.criterion]
                .into_iter()
                .flatten()
                .collect();
            let Some(guessed) = self.guess(ITEM, &taken) else {
                problems.add(Problem::new(
                    1,
                    self.list(),
                    "a column that names the item; name it with --item",
                ));
                return None;
            };
            item.push(guessed);
        }
        Some(LongPlan {
            item,
            rater,
            value,
            aside,
        })
    }

    fn wide(
        &self,
        mut item: Vec<usize>,
        options: &RatingsOptions,
        aside: Aside,
        problems: &mut Problems,
    ) -> Option<WidePlan> {
        let mut raters: Vec<usize> = options
            .raters
            .iter()
            .filter_map(|name| self.named(name, problems))
            .collect();
        let told = !raters.is_empty();
        if item.is_empty() {
            let taken: Vec<usize> = raters.iter().copied().chain(aside.columns()).collect();
            item.extend(self.guess(ITEM, &taken));
        }
        if !told {
            let free = |i: &usize| !item.contains(i) && !aside.columns().any(|column| column == *i);
            let named: Vec<usize> = (0..self.names.len())
                .filter(free)
                .filter(|&i| is_rater_column(&self.names[i]))
                .collect();
            // Where no column is called as raters are, all are but those that are called otherwise.
            let other: Vec<usize> = (0..self.names.len())
                .filter(free)
                .filter(|&i| !is_aside(&self.names[i]))
                .collect();
            raters = match (named.len(), other.len()) {
                (2.., _) => named,
                (_, 2..) => other,
                _ => (0..self.names.len()).filter(free).collect(),
            };
        }
        if raters.is_empty() {
            problems.add(Problem::new(
                1,
                self.list(),
                "a column for every rater; name them with --raters, or --rater and --value",
            ));
            return None;
        }
        Some(WidePlan {
            item,
            raters,
            aside,
        })
    }

    /// A square table of counts has its first row named as its first column of counts.
    pub(super) fn is_table(&self, first: &Record) -> bool {
        let width = self.names.len();
        width >= 3
            && first.len() == width
            && first.cell(0) == self.names[1]
            && (1..width).all(|i| first.cell(i).parse::<u64>().is_ok())
    }

    /// The column of that name, or the problem that there is none.
    fn named(&self, name: &str, problems: &mut Problems) -> Option<usize> {
        let found = self.position.get(name.trim()).copied();
        if let Some(index) = found
            && let Some(again) = self
                .names
                .iter()
                .skip(index + 1)
                .position(|other| other == name.trim())
        {
            problems.add(cell_problem(
                1,
                index + 1 + again,
                self,
                name,
                "a name that no other column has",
            ));
        }
        if found.is_none() {
            problems.add(Problem::new(
                1,
                self.list(),
                format!("a column named {}", excerpt(name)),
            ));
        }
        found
    }

    /// The first column with one of the names, or with such a name and `_id`, `_name`; earlier names first.
    fn guess(&self, known: &[&str], taken: &[usize]) -> Option<usize> {
        let plain: Vec<String> = self
            .names
            .iter()
            .take(1000)
            .map(|name| name.to_lowercase().replace([' ', '-'], "_"))
            .collect();
        let column = |wanted: String| plain.iter().position(|name| *name == wanted);
        known
            .iter()
            .flat_map(|name| ["", "_id", "_name", "id"].map(|end| format!("{name}{end}")))
            .find_map(|wanted| column(wanted).filter(|index| !taken.contains(index)))
    }

    /// The column that names the item.
    pub(super) fn item(&self, taken: &[usize]) -> Option<usize> {
        self.guess(ITEM, taken)
    }

    /// The column that names the rater.
    pub(super) fn rater(&self, taken: &[usize]) -> Option<usize> {
        self.guess(RATER, taken)
    }

    /// The column that is called as ratings are.
    pub(super) fn value(&self, taken: &[usize]) -> Option<usize> {
        self.guess(VALUE, taken)
    }

    /// Whether the program itself wrote the table.
    pub(super) fn is_own(&self) -> bool {
        self.own().is_some()
    }

    /// Whether a column says what was rated.
    pub(super) fn has_criterion(&self) -> bool {
        self.guess(CRITERION, &[]).is_some()
    }

    fn list(&self) -> String {
        format!(
            "the columns {}",
            excerpt(
                &self
                    .names
                    .iter()
                    .take(20)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        )
    }
}

impl Aside {
    fn columns(self) -> impl Iterator<Item = usize> {
        [self.criterion, self.cluster, self.by]
            .into_iter()
            .flatten()
    }
}

/// `rater1`, `Annotator A`, `coder_2_score` and the like, but not `rater1_comment`.
pub(super) fn is_rater_column(name: &str) -> bool {
    let name = name.to_lowercase();
    RATER.iter().any(|known| name.starts_with(known))
        && !BESIDE.iter().any(|word| name.contains(word))
}
