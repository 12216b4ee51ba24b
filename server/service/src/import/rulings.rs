//! Final values that were settled elsewhere become rulings of whoever imports them.
//!
//! Nothing is compared with a rater's judgement before it is known that the importer did not rate the item and that
//! every annotation is in, so that no report says what somebody may not see.

use super::book::Book;
use super::{File, ImportReport, problem};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::{Error, Result};
use crate::ruling::{Bench, NewRuling, Prepared};
use crate::services::{Audit, Services};
use domain::count::count;
use domain::id::{RulingId, StudyId, UnitId};
use domain::role::Action;
use domain::ruling::Outcome;
use domain::unit::UnitState;
use formats::rulings::{Part, RulingRecord};
use formats::{MOST_PROBLEMS, Notice, Problem};
use serde_json::{Value, json};
use std::sync::Arc;
use store::unit::Listed;
use store::{AnyConnection, Tx};

mod find;
mod propose;

use find::{Found, Units};
use propose::Reached;

/// How much of a file's name a note repeats.
const LONGEST_NAME: usize = 100;

/// What is asked for.
pub(super) struct Asked<'a> {
    pub(super) study: &'a StudyId,
    pub(super) file: &'a File<'a>,
    /// New versions go on top of rulings that say something else.
    pub(super) replace: bool,
    pub(super) book: &'a Arc<Book>,
}

/// A ruling that was written, for the audit log.
pub(super) struct Taken {
    ruling: RulingId,
    details: Value,
}

/// Rules on every unit of the file, in the caller's transaction; nothing, and problems in the report, when one of them
/// cannot be.
pub(super) async fn take(
    app: &Services,
    tx: &mut Tx,
    actor: &Actor,
    asked: &Asked<'_>,
    records: &[RulingRecord],
    report: &mut ImportReport,
) -> Result<Option<Vec<Taken>>> {
    require(tx, actor, asked.study, Action::Rule).await?;
    if actor.is_operator() {
        let expected = "the name of the coordinator who answers for the rulings (--by NAME)";
        let nobody = problem(1, Some("by"), "the command line", expected);
        report.problems.push(nobody);
        return Ok(None);
    }
    let units = Units::of(tx, asked.study, records).await?;
    let bench = Bench::open(tx, asked.study).await?;
    let (mut taken, mut unsaid) = (Vec::new(), 0_u64);
    for record in records {
        let unit = match units.find(record) {
            Found::Unit(unit) => unit,
            Found::Elsewhere if record.published => {
                let notice = Notice {
                    line: Some(record.line),
                    subject: find::name(record),
                    reason: "not in this study".to_owned(),
                };
                note(report, notice);
                continue;
            }
            Found::Elsewhere => {
                let expected = "a unit of this study";
                wrong(
                    report,
                    record.problem(Part::Key, find::name(record), expected),
                );
                continue;
            }
            Found::Several => {
                let expected = "the key of its item beside it: several have this one";
                wrong(
                    report,
                    record.problem(Part::Key, find::name(record), expected),
                );
                continue;
            }
        };
        let one = One {
            app,
            actor,
            asked,
            bench: &bench,
            record,
        };
        match one.rule(tx, &unit).await? {
            Ruled::Problem(problem) => wrong(report, problem),
            Ruled::Identical => report.identical += 1,
            Ruled::New { ruling, stated } => {
                report.new.rulings += 1;
                unsaid += u64::from(!stated);
                taken.push(ruling);
            }
        }
    }
    if unsaid > 0 {
        note(
            report,
            Notice {
                line: None,
                subject: count(unsaid, "value", "values"),
                reason: "not the mean of the ratings, and the file does not say how they were reached: taken as consensus"
                    .to_owned(),
            },
        );
    }
    Ok(report.problems.is_empty().then_some(taken))
}

/// Writes which rulings the import brought, and the audit row.
pub(super) async fn keep(
    app: &Services,
    mut tx: Tx,
    actor: &Actor,
    (study, id, file): (&StudyId, &str, &File<'_>),
    taken: &[Taken],
) -> Result<()> {
    let rulings: Vec<RulingId> = taken.iter().map(|one| one.ruling.clone()).collect();
    store::import::keep_rulings(&mut tx, id, &rulings).await?;
    let each: Vec<&Value> = taken.iter().map(|one| &one.details).collect();
    let audit = Audit {
        study: Some(study),
        action: Action::Rule,
        verb: "import",
        subject: id,
        details: json!({"sha256": file.sha256, "rulings": each}),
    };
    app.commit(tx, actor, audit).await
}

fn wrong(report: &mut ImportReport, problem: Problem) {
    if report.problems.len() < MOST_PROBLEMS {
        report.problems.push(problem);
    } else {
        report.more_problems += 1;
    }
}

fn note(report: &mut ImportReport, notice: Notice) {
    if report.notices.len() < MOST_PROBLEMS {
        report.notices.push(notice);
    }
}

/// What came of one record.
enum Ruled {
    Problem(Problem),
    /// The ruling in force says the same.
    Identical,
    New {
        ruling: Taken,
        /// The file says how it was reached, or the ratings do.
        stated: bool,
    },
}

/// One record on its way to a ruling.
struct One<'a> {
    app: &'a Services,
    actor: &'a Actor,
    asked: &'a Asked<'a>,
    bench: &'a Bench,
    record: &'a RulingRecord,
}

impl One<'_> {
    async fn rule(&self, tx: &mut AnyConnection, unit: &UnitId) -> Result<Ruled> {
        let listed = match self.open_to(tx, unit).await? {
            Ok(listed) => listed,
            Err(problem) => return Ok(Ruled::Problem(problem)),
        };
        let (reached, new) = match self.proposed(&listed) {
            Ok(proposed) => proposed,
            Err(problem) => return Ok(Ruled::Problem(problem)),
        };
        let history = store::ruling::history(tx, unit).await?;
        let version = history.first().map_or(0, |ruling| ruling.version);
        let new = NewRuling {
            expected_ruling_version: version,
            basis: listed.unit.basis.clone(),
            ..new
        };
        let prepared = self
            .bench
            .prepare(tx, self.app, self.actor, unit, &new)
            .await;
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(Error::Refused(refusal)) => {
                let found = "a value that cannot be ruled";
                let problem = self.record.problem(Part::Value, found, refusal.message());
                return Ok(Ruled::Problem(problem));
            }
            Err(other) => return Err(other),
        };
        if let Some(latest) = history.first() {
            let answer = store::ruled_answer::of(tx, &latest.id).await?;
            if says_the_same(latest, &answer, &prepared) && latest.basis == listed.unit.basis {
                return Ok(Ruled::Identical);
            }
            if !self.asked.replace {
                let imported = store::import::is_imported(tx, &latest.id).await?;
                return Ok(Ruled::Problem(self.there(latest, imported)));
            }
        }
        let (ruling, _) = self.bench.write(tx, self.app, prepared).await?;
        Ok(Ruled::New {
            stated: reached != Reached::Unsaid,
            ruling: Taken {
                details: json!({"unit": unit, "version": ruling.version, "outcome": ruling.outcome}),
                ruling: ruling.id,
            },
        })
    }

    /// The unit, when the importer may rule on it now; asked in this order, so that no answer tells of a judgement.
    async fn open_to(
        &self,
        tx: &mut AnyConnection,
        unit: &UnitId,
    ) -> Result<std::result::Result<Listed, Problem>> {
        let wrong =
            |found: &str, expected: &str| Err(self.record.problem(Part::Key, found, expected));
        let Some(listed) = store::unit::queue_row(tx, unit).await? else {
            return Ok(wrong(
                "a unit that nobody judged",
                "one that all its raters judged",
            ));
        };
        if store::ruling::rated_item_of(tx, unit, self.actor.user.as_str()).await? {
            let expected =
                "somebody else to import it: a rater of an item does not bring its rulings";
            return Ok(wrong("an item that you were given to rate", expected));
        }
        if !store::unit::all_in(tx, &listed.unit.item).await? {
            return Ok(wrong(
                "a unit that not all its raters have judged",
                "one that all its raters judged",
            ));
        }
        if listed.unit.said.len() < 2 {
            return Ok(wrong("a unit of one rater", "one that two raters judged"));
        }
        if listed.unit.state == UnitState::InDiscussion && !self.asked.replace {
            let expected = "a closed discussion, or the leave to replace";
            return Ok(wrong("a unit that is being discussed", expected));
        }
        Ok(Ok(listed))
    }

    fn note(&self) -> String {
        let name: String = self.asked.file.name.chars().take(LONGEST_NAME).collect();
        let from = if name.is_empty() {
            "Imported.".to_owned()
        } else {
            format!("Imported from {name}.")
        };
        format!("{from} {}", self.record.note).trim().to_owned()
    }

    /// The problem that there is a ruling already.
    fn there(&self, latest: &store::ruling::Ruling, imported: bool) -> Problem {
        let whose = if imported {
            "brought by an earlier import"
        } else {
            "made here"
        };
        let value = latest.severity.map(domain::annotation::shortest);
        let found = format!(
            "another value than the ruling {whose} ({}{}{})",
            latest.outcome.as_str(),
            if value.is_some() { ", " } else { "" },
            value.unwrap_or_default(),
        );
        let expected = "the value of that ruling, on judgements that have not changed since, or the leave to replace";
        self.record.problem(Part::Value, found, expected)
    }
}

/// Whether a ruling says what the prepared one would; the words of a note do not make it another.
fn says_the_same(latest: &store::ruling::Ruling, answer: &[String], new: &Prepared) -> bool {
    let ruling = &new.ruling;
    let same_value = (
        latest.outcome,
        latest.validity,
        latest.severity,
        latest.cause,
    ) == (
        ruling.outcome,
        ruling.validity,
        ruling.severity,
        ruling.cause,
    );
    same_value
        && (&latest.category, &latest.subcategory) == (&ruling.category, &ruling.subcategory)
        && latest.merged_into.is_empty()
        && latest.span.is_none()
        && (ruling.outcome == Outcome::Unresolved || answer == new.answer)
}
