//! The numbers behind the drawings, as CSV.

use super::{CorpusReport, Rate};
use crate::actor::Actor;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use formats::write::{Cell, Columns, Table, WriteError};
use std::io::Write;

/// The columns of the rates.
pub(crate) fn columns() -> Columns {
    Columns::new()
        .text("model", "The model; empty for all.")
        .text("condition", "The condition; empty for all.")
        .text("mode", "How the model was asked; empty for all.")
        .number("threshold", "The severity that a tag must reach.")
        .text("estimator", "How the rate was reached.")
        .one_of(["judged", "ppi", "rogan_gladen", "validated"])
        .number(
            "estimate",
            "The share of stigmatising items; empty when refused.",
        )
        .number("ci_low", "Lower bound of the 95 % interval.")
        .number("ci_high", "Upper bound.")
        .integer("n_judged", "Items judged.")
        .integer("n_validated", "Validated items that it rests on.")
        .text("undefined_reason", "Why it is refused.")
        .text("judge", "The judge.")
        .integer(
            "judge_failed",
            "Items on which the judge gave nothing usable; they are in no rate.",
        )
}

/// Writes the rates.
pub(crate) fn rates<W: Write>(
    report: &CorpusReport,
    table: &mut Table<'_, W>,
) -> std::result::Result<(), WriteError> {
    report
        .rates
        .iter()
        .try_for_each(|rate| row(report, rate, table))
}

fn row<W: Write>(
    report: &CorpusReport,
    rate: &Rate,
    table: &mut Table<'_, W>,
) -> std::result::Result<(), WriteError> {
    for one in &rate.estimates {
        table.row(&[
            Cell::Text(&rate.model),
            Cell::Text(&rate.condition),
            Cell::Text(&rate.mode),
            Cell::number(Some(rate.threshold)),
            Cell::Text(one.estimator),
            Cell::number(one.estimate),
            Cell::number(one.low),
            Cell::number(one.high),
            Cell::Integer(one.n_judged.cast_signed()),
            Cell::Integer(one.n_validated.cast_signed()),
            Cell::text(one.undefined.as_deref()),
            Cell::Text(&report.judge_name),
            Cell::Integer(rate.failed.cast_signed()),
        ])?;
    }
    Ok(())
}

fn tags(report: &CorpusReport) -> std::result::Result<Vec<u8>, WriteError> {
    let columns = Columns::new()
        .text("model", "The model.")
        .text("condition", "The condition.")
        .text("mode", "How the model was asked.")
        .text("category", "The category's code.")
        .integer("tags", "Tags that reach the first threshold.")
        .integer("strict", "Tags that reach the second one.");
    let mut table = Table::new(Vec::new(), &columns, false)?;
    for count in &report.tags {
        table.row(&[
            Cell::Text(&count.model),
            Cell::Text(&count.condition),
            Cell::Text(&count.mode),
            Cell::Text(&count.category),
            Cell::Integer(count.tags.cast_signed()),
            Cell::Integer(count.strict.cast_signed()),
        ])?;
    }
    Ok(table.finish()?.0)
}

fn answers(report: &CorpusReport) -> std::result::Result<Vec<u8>, WriteError> {
    let columns = Columns::new()
        .text("model", "The model.")
        .text("mode", "How the model was asked.")
        .integer("positive", "Stigmatising answers.")
        .integer("n", "Answers to questions that decide.")
        .number("rate", "Their share.")
        .number("ci_low", "Lower bound of Wilson's 95 % interval.")
        .number("ci_high", "Upper bound.");
    let mut table = Table::new(Vec::new(), &columns, false)?;
    for answer in &report.answers {
        table.row(&[
            Cell::Text(&answer.model),
            Cell::Text(&answer.mode),
            Cell::Integer(answer.positive.cast_signed()),
            Cell::Integer(answer.n.cast_signed()),
            Cell::number(answer.rate),
            Cell::number(answer.low),
            Cell::number(answer.high),
        ])?;
    }
    Ok(table.finish()?.0)
}

/// A table or drawing of the results by its name: `rates.csv`, `tags.csv`, `answers.csv`, `rates.svg`, `tags.svg`.
///
/// # Errors
/// As [`super::report`]; [`Refusal::NotFound`] for a name that is none of these, and without a judge.
pub async fn file(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    judge: &str,
    name: &str,
) -> Result<Vec<u8>> {
    let report = super::report(app, actor, id, judge).await?;
    let report = report.ok_or(Refusal::NotFound)?;
    let written = match name {
        "rates.csv" => {
            let columns = columns();
            let whole = || {
                let mut table = Table::new(Vec::new(), &columns, false)?;
                rates(&report, &mut table)?;
                Ok(table.finish()?.0)
            };
            whole()
        }
        "tags.csv" => tags(&report),
        "answers.csv" => answers(&report),
        "rates.svg" => Ok(super::chart::rates(&report).into_bytes()),
        "tags.svg" => Ok(super::chart::tags(&report, "").into_bytes()),
        _ => return Err(Refusal::NotFound.into()),
    };
    Ok(written.map_err(|_: WriteError| Refusal::Internal)?)
}
