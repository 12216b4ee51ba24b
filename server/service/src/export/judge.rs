//! `judge.csv`

use super::{Context, unwritten};
use crate::error::Result;
use crate::validation::{Bounds, Figure, ValidationReport, all};
use domain::refusal::Refusal;
use formats::write::{Cell, Table, WriteError};
use std::io::Write;
use store::AnyConnection;

pub(super) async fn write<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    table: &mut Table<'_, W>,
) -> Result<()> {
    let ground = context.ground(connection).await?;
    let names: Vec<(String, String)> = ground
        .raters
        .iter()
        .map(|(rater, letter)| (letter.clone(), context.name_of(rater.as_str()).to_owned()))
        .collect();
    let reports = tokio::task::spawn_blocking(move || all(&ground))
        .await
        .map_err(|_| Refusal::Internal)?;
    for report in &reports {
        rows(report, &names, table).map_err(unwritten)?;
    }
    Ok(())
}

/// One figure and where it belongs.
struct Line<'a> {
    rule: &'a str,
    facet: &'a str,
    value: &'a str,
    figure: &'a Figure,
}

fn rows<W: Write>(
    report: &ValidationReport,
    names: &[(String, String)],
    table: &mut Table<'_, W>,
) -> std::result::Result<(), WriteError> {
    let against = names
        .iter()
        .find(|(letter, _)| *letter == report.query.against)
        .map_or(report.query.against.as_str(), |(_, name)| name);
    let front = report.rule.word();
    for cell in &report.grid {
        let rule = cell.rule.word();
        for figure in &cell.figures {
            let line = Line {
                rule: &rule,
                facet: "",
                value: "",
                figure,
            };
            row(report, against, &line, table)?;
        }
    }
    for part in &report.facets {
        for figure in &part.figures {
            let line = Line {
                rule: &front,
                facet: part.facet,
                value: &part.value,
                figure,
            };
            row(report, against, &line, table)?;
        }
    }
    for figure in &report.severity {
        let line = Line {
            rule: "",
            facet: "",
            value: "",
            figure,
        };
        row(report, against, &line, table)?;
    }
    Ok(())
}

fn row<W: Write>(
    report: &ValidationReport,
    against: &str,
    line: &Line<'_>,
    table: &mut Table<'_, W>,
) -> std::result::Result<(), WriteError> {
    let figure = line.figure;
    let count = |number: Option<u64>| Cell::integer(number.map(u64::cast_signed));
    let low = |bounds: &Option<Bounds>| Cell::number(bounds.map(|b| b.low));
    let high = |bounds: &Option<Bounds>| Cell::number(bounds.map(|b| b.high));
    let method = |bounds: &Option<Bounds>| Cell::text(bounds.map(|b| b.method));
    table.row(&[
        Cell::Text(&report.judge),
        Cell::Text(against),
        Cell::Text(line.rule),
        Cell::Text(line.facet),
        Cell::Text(line.value),
        Cell::Text(&figure.name),
        Cell::number(figure.estimate),
        low(&figure.ci),
        high(&figure.ci),
        method(&figure.ci),
        Cell::Integer(figure.n.cast_signed()),
        count(figure.tp),
        count(figure.fp),
        count(figure.fn_),
        Cell::number(figure.coverage),
        Cell::text(figure.undefined.as_deref()),
        low(&figure.other),
        high(&figure.other),
        method(&figure.other),
        Cell::Text(&report.scheme_rule.word()),
        Cell::Integer(report.items.cast_signed()),
        Cell::Integer(report.few_shot_excluded.cast_signed()),
        Cell::Integer(report.failed.cast_signed()),
    ])
}
