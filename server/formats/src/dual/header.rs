//! The line of names: which columns are there, and who the raters are.

use crate::{Problem, input::rows::Row, read::Reading};

/// Two of these names tell the format from other tables.
const SIGNATURE: [&str; 4] = ["tag_item_id", "example_id", "tag_code", "tag_evidence"];

const RATING: &str = "_rating";
const COMMENT: &str = "_comment";

/// Whether a table with these columns is a dual-annotation file, even one that lacks some.
pub(crate) fn recognises(names: &[&str]) -> bool {
    SIGNATURE.iter().filter(|name| names.contains(name)).count() >= 2
}

/// A person, and the columns that are theirs.
pub(super) struct Rater {
    pub(super) name: String,
    pub(super) rating: usize,
    pub(super) comment: Option<usize>,
}

/// Where everything stands; optional columns may be absent.
pub(super) struct Header {
    pub(super) names: Vec<String>,
    pub(super) candidate: usize,
    pub(super) item: usize,
    pub(super) code: usize,
    pub(super) evidence: usize,
    pub(super) trace: usize,
    pub(super) vignette: usize,
    pub(super) question: usize,
    pub(super) code_name: Option<usize>,
    pub(super) explanation: Option<usize>,
    pub(super) model: Option<usize>,
    pub(super) condition: Option<usize>,
    pub(super) answer: Option<usize>,
    pub(super) source_file: Option<usize>,
    pub(super) summary: Option<usize>,
    pub(super) raters: Vec<Rater>,
    /// Columns that are only kept.
    pub(super) others: Vec<usize>,
}

impl Header {
    /// Reads the names; a problem for each that is missing or there twice.
    pub(super) fn new(row: &Row, reading: &mut Reading<'_>) -> Option<Self> {
        let before = reading.problems.count();
        let names = row.names(reading);
        let mut columns = Columns {
            taken: vec![false; names.len()],
            names: &names,
            reading,
        };
        let header = Self {
            candidate: columns.required("tag_item_id"),
            item: columns.required("example_id"),
            code: columns.required("tag_code"),
            evidence: columns.required("tag_evidence"),
            trace: columns.required("reasoning"),
            vignette: columns.required("vignette"),
            question: columns.required("question"),
            code_name: columns.optional("tag_name"),
            explanation: columns.optional("tag_explanation"),
            model: columns.optional("model"),
            condition: columns.optional("condition"),
            answer: columns.optional("answer"),
            source_file: columns.optional("source_file"),
            summary: columns.optional("analysis_summary"),
            raters: columns.raters(),
            others: columns.others(),
            names: names.clone(),
        };
        (reading.problems.count() == before).then_some(header)
    }

    pub(super) fn width(&self) -> usize {
        self.names.len()
    }
}

/// The names while they are being shared out.
struct Columns<'a, 'r> {
    names: &'a [String],
    taken: Vec<bool>,
    reading: &'a mut Reading<'r>,
}

impl Columns<'_, '_> {
    fn optional(&mut self, name: &str) -> Option<usize> {
        let index = self.names.iter().position(|known| known == name)?;
        self.taken[index] = true;
        Some(index)
    }

    /// The column's place; a missing one is a problem, and then the header is not used.
    fn required(&mut self, name: &str) -> usize {
        self.optional(name).unwrap_or_else(|| {
            self.reading.problem(
                Problem::new(1, "no such column", format!("a column named {name}")).field(name),
            );
            0
        })
    }

    fn raters(&mut self) -> Vec<Rater> {
        let mut raters = Vec::new();
        for (rating, column) in self.names.iter().enumerate() {
            let Some(name) = column.strip_suffix(RATING).filter(|name| !name.is_empty()) else {
                continue;
            };
            self.taken[rating] = true;
            let comment = self.optional(&format!("{name}{COMMENT}"));
            self.reading.found_rater(name);
            raters.push(Rater {
                name: name.to_owned(),
                rating,
                comment,
            });
        }
        raters
    }

    fn others(&self) -> Vec<usize> {
        (0..self.names.len())
            .filter(|&index| !self.taken[index])
            .collect()
    }
}
