//! `results.csv`

use super::{Context, unwritten};
use crate::error::Result;
use crate::results;
use formats::write::{Cell, Table};
use std::io::Write;
use store::AnyConnection;

pub(super) async fn write<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    table: &mut Table<'_, W>,
) -> Result<()> {
    let rows = results::rows(connection, context.into()).await?;
    for row in rows {
        table
            .row(&[
                Cell::Text(&context.scheme.id),
                Cell::Text(&row.source),
                Cell::Text(&row.facet),
                Cell::Text(&row.facet_value),
                Cell::Text(&row.statistic),
                Cell::number(row.estimate),
                Cell::number(row.ci_low),
                Cell::number(row.ci_high),
                Cell::Integer(row.n as i64),
            ])
            .map_err(unwritten)?;
    }
    Ok(())
}
