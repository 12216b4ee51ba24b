//! One way into every format: read a whole file, deliver what is sound, report all that is not.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, BufRead},
    ops::ControlFlow,
};

use serde::Serialize;

use crate::{
    CodeBook, Format, MOST_PROBLEMS, Notice, Problem, Problems, Stated, Tree, dual, mindeval, own,
    problem::excerpt,
    rated,
    record::{JudgeRecord, TraceRecord},
    rulings::{self, RulingRecord},
    tagged,
};

/// What the caller asks for beyond the defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Take the ratings of exactly these raters. Without it all are taken but those of `test_annotator`, the partial
    /// third rater of the stigma study's release.
    pub raters: Option<Vec<String>>,
    /// What is known of the file beyond its content.
    pub stated: Stated,
    /// In a table of ratings, these are judges and everybody else is a person. Without it names such as `gpt-4o` or
    /// `judge` are taken for judges.
    pub judges: Option<Vec<String>>,
    /// What a 0 below the scale means, where a format is known to have them.
    pub zeros: ZeroRule,
}

/// What a 0 below the scale means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ZeroRule {
    /// Nothing was given.
    #[default]
    Missing,
    /// It is a value.
    Keep,
    /// Somebody has to say: every one of them is a problem, and nothing is taken until then.
    Report,
}

impl ZeroRule {
    /// The rule of this name: `missing`, `keep` or `report`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "missing" => Some(Self::Missing),
            "keep" => Some(Self::Keep),
            "report" => Some(Self::Report),
            _ => None,
        }
    }
}

/// What a file without problems held.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ReadReport {
    /// Judged traces delivered.
    pub records: u64,
    /// Candidates in them.
    pub candidates: u64,
    /// Ratings in them.
    pub ratings: u64,
    /// Records or rows that repeat an earlier one exactly and were skipped.
    pub identical: u64,
    /// What was left out on purpose; repetitions are listed up to a limit.
    pub left_out: Vec<Notice>,
    /// Final values, of a file that holds them instead of traces.
    #[serde(skip)]
    pub rulings: Vec<RulingRecord>,
}

/// Why a file was not read to its end, or must not be kept.
#[derive(Debug, thiserror::Error)]
pub enum ReadError<E> {
    /// The file has problems; what the sink got must be rolled back.
    #[error("{0}")]
    Problems(Problems),
    /// The input could not be read.
    #[error("the file could not be read")]
    Io(#[from] io::Error),
    /// The sink refused a record.
    #[error("the record could not be kept")]
    Sink(E),
}

/// Reads a file of a known format and hands each sound record to `sink`.
///
/// The sink goes on being called after a problem, so that it can look for problems of its own: the caller rolls back
/// when the result is an error.
///
/// # Errors
/// [`ReadError::Problems`] with everything that is wrong with the file, or the first failure of the input or the sink.
pub fn read<E>(
    format: Format,
    input: impl BufRead,
    book: &dyn CodeBook,
    options: &ReadOptions,
    sink: &mut dyn FnMut(TraceRecord) -> Result<(), E>,
) -> Result<ReadReport, ReadError<E>> {
    collect(book, options, sink, |reading| match format {
        Format::ConsiliumJsonl => own::read(input, reading),
        Format::TaggedTraceJsonl => tagged::read(input, reading),
        Format::DualAnnotationCsv => dual::read(input, reading),
        Format::RatingsTable => rated::table::read(input, reading),
        Format::ArgillaJsonl => rated::argilla::read(input, reading),
        Format::MindevalHumanJson => rated::human::read(input, reading),
        Format::JudgeBenchJson => rated::bench::read_bench(input, reading),
        Format::AltTestJson => rated::bench::read_alt_test(input, reading),
        Format::LabelStudioJson => rated::label_studio::read(input, reading),
        Format::PotatoJsonl => rated::potato::read(input, reading),
        Format::WebannoTsv => rated::webanno::read(input, reading),
        Format::RulingsCsv => rulings::table::read(input, reading),
        Format::ManualJson => rulings::manual::read(input, reading),
        Format::MindevalRun => {
            let found = "one file of a run";
            let expected = "the run as a folder or as a zip archive of it";
            reading.problem(Problem::new(1, found, expected));
            Ok(())
        }
    })
}

fn collect<E>(
    book: &dyn CodeBook,
    options: &ReadOptions,
    sink: &mut dyn FnMut(TraceRecord) -> Result<(), E>,
    pass: impl FnOnce(&mut Reading<'_>) -> Result<(), Stop>,
) -> Result<ReadReport, ReadError<E>> {
    let mut refusal = None;
    let mut keep = |record| match sink(record) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            refusal = Some(error);
            ControlFlow::Break(())
        }
    };
    let mut reading = Reading::new(book, options, &mut keep);
    let end = pass(&mut reading);
    reading.account_for_raters();
    let Reading {
        problems, report, ..
    } = reading;
    match (end, refusal) {
        (Err(Stop::Io(error)), _) => Err(ReadError::Io(error)),
        (_, Some(error)) => Err(ReadError::Sink(error)),
        _ if problems.count() > 0 => Err(ReadError::Problems(problems)),
        _ => Ok(report),
    }
}

/// Reads several files that belong together, as [`read`] reads one.
///
/// # Errors
/// As [`read`].
pub fn read_tree<E>(
    tree: &mut dyn Tree,
    book: &dyn CodeBook,
    options: &ReadOptions,
    sink: &mut dyn FnMut(TraceRecord) -> Result<(), E>,
) -> Result<ReadReport, ReadError<E>> {
    collect(book, options, sink, |reading| mindeval::read(tree, reading))
}

/// Reads a file and keeps nothing.
///
/// # Errors
/// As [`read`], without a sink that could refuse.
pub fn validate(
    format: Format,
    input: impl BufRead,
    book: &dyn CodeBook,
    options: &ReadOptions,
) -> Result<ReadReport, ReadError<std::convert::Infallible>> {
    read(format, input, book, options, &mut |_| Ok(()))
}

/// Why reading ends before the end of the file.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The input failed.
    Io(io::Error),
    /// The sink refused.
    Sink,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What the readers of all formats share while they read.
pub(crate) struct Reading<'a> {
    pub(crate) book: &'a dyn CodeBook,
    pub(crate) problems: Problems,
    options: &'a ReadOptions,
    sink: &'a mut dyn FnMut(TraceRecord) -> ControlFlow<()>,
    report: ReadReport,
    raters: BTreeSet<String>,
    ratings_left_out: BTreeMap<String, u64>,
}

impl<'a> Reading<'a> {
    fn new(
        book: &'a dyn CodeBook,
        options: &'a ReadOptions,
        sink: &'a mut dyn FnMut(TraceRecord) -> ControlFlow<()>,
    ) -> Self {
        let (problems, report) = Default::default();
        Self {
            book,
            problems,
            options,
            sink,
            report,
            raters: BTreeSet::new(),
            ratings_left_out: BTreeMap::new(),
        }
    }

    pub(crate) fn problem(&mut self, problem: Problem) {
        self.problems.add(problem);
    }

    /// Counts a record and hands it on.
    pub(crate) fn deliver(&mut self, mut record: TraceRecord) -> Result<(), Stop> {
        let stated = &self.options.stated;
        record.model = record.model.or_else(|| stated.model.clone());
        record.mode = record.mode.or_else(|| stated.mode.clone());
        if record.judge == JudgeRecord::unnamed() {
            record.judge = stated.judge().unwrap_or(record.judge);
        }
        self.report.records += 1;
        self.report.candidates += record.candidates.len() as u64;
        self.report.ratings += record.ratings.len() as u64;
        self.report.ratings += record
            .said
            .iter()
            .map(|said| said.answers.len() as u64)
            .sum::<u64>();
        match (self.sink)(record) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Sink),
        }
    }

    /// Keeps a final value.
    pub(crate) fn ruling(&mut self, record: RulingRecord) {
        self.report.rulings.push(record);
    }

    /// What is known of the file beyond its content.
    pub(crate) fn stated(&self) -> &'a Stated {
        &self.options.stated
    }

    /// Names something that is left out on purpose.
    pub(crate) fn leave_out(&mut self, notice: Notice) {
        if self.report.left_out.len() < MOST_PROBLEMS {
            self.report.left_out.push(notice);
        }
    }

    /// The one rater whose ratings are wanted: whose a file is that names nobody.
    pub(crate) fn only_rater(&self) -> Option<String> {
        match self.options.raters.as_deref() {
            Some([only]) => Some(only.clone()),
            _ => None,
        }
    }

    /// The names of judges, when the caller gave them.
    pub(crate) fn judges(&self) -> Option<Vec<String>> {
        self.options.judges.clone()
    }

    /// Whether somebody said whose ratings to take.
    pub(crate) fn names_raters(&self) -> bool {
        self.options.raters.is_some()
    }

    /// What a 0 below the scale means.
    pub(crate) fn zeros(&self) -> ZeroRule {
        self.options.zeros
    }

    /// Notes a record that repeats the one of an earlier line.
    pub(crate) fn identical(&mut self, line: u64, subject: String, first: u64) {
        self.report.identical += 1;
        if self.report.left_out.len() < MOST_PROBLEMS {
            self.report.left_out.push(Notice {
                line: Some(line),
                subject,
                reason: format!("the same as line {first}"),
            });
        }
    }

    /// Notes that the file knows a rater, with or without ratings.
    pub(crate) fn found_rater(&mut self, rater: &str) {
        if !self.raters.contains(rater) {
            self.raters.insert(rater.to_owned());
        }
    }

    /// Whether this rater's ratings are wanted; a rating that is not is counted.
    pub(crate) fn takes_rating_of(&mut self, rater: &str) -> bool {
        let wanted = match &self.options.raters {
            Some(asked) => asked.iter().any(|name| name == rater),
            None => rater != dual::PARTIAL_RATER,
        };
        if !wanted {
            *self.ratings_left_out.entry(rater.to_owned()).or_default() += 1;
        }
        wanted
    }

    /// Reports raters whose ratings were left out, and raters asked for that the file does not know.
    fn account_for_raters(&mut self) {
        for (rater, count) in std::mem::take(&mut self.ratings_left_out) {
            let ratings = if count == 1 { "rating" } else { "ratings" };
            let reason =
                format!("{count} {ratings} left out; ask for the rater by name to take them");
            self.report.left_out.push(Notice {
                line: None,
                subject: rater,
                reason,
            });
        }
        let known: Vec<&str> = self.raters.iter().map(String::as_str).collect();
        let expected = if known.is_empty() {
            "no raters: the file has no ratings".to_owned()
        } else {
            format!("raters of the file: {}", known.join(", "))
        };
        for asked in self
            .options
            .raters
            .iter()
            .flatten()
            .filter(|asked| !self.raters.contains(*asked))
        {
            self.problems
                .add(Problem::new(1, excerpt(asked), expected.clone()).field("raters"));
        }
    }
}
