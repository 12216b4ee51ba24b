//! The files that are written item by item, all of them in one walk through the study.

use super::page::Pages;
use super::{
    Context, ExportFile, ExportOptions, columns, cross_check, failed, items, labels, ratings,
    traces, unwritten,
};
use crate::error::Result;
use formats::write::{Columns, Table, Written};
use std::io::Write;
use store::AnyConnection;

/// A file on its way.
enum Sheet<'c, W: Write> {
    Table(ExportFile, Box<Table<'c, W>>),
    Traces(W),
}

/// Writes these files and says of each table what was written.
pub(super) async fn walk<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    outs: Vec<(ExportFile, W)>,
    options: ExportOptions,
) -> Result<Vec<(ExportFile, Written)>> {
    let raters = context.raters.len();
    let columns: Vec<Columns> = outs
        .iter()
        .map(|(file, _)| columns::of(*file, raters))
        .collect();
    let mut sheets = Vec::with_capacity(outs.len());
    for ((file, out), columns) in outs.into_iter().zip(&columns) {
        sheets.push(match file {
            ExportFile::Traces => Sheet::Traces(out),
            _ => {
                let table = Table::new(out, columns, options.bom).map_err(unwritten)?;
                Sheet::Table(file, Box::new(table))
            }
        });
    }
    let only_items = |sheet: &Sheet<'_, W>| matches!(sheet, Sheet::Table(ExportFile::Items, _));
    let mut pages = Pages::new(connection, context, !sheets.iter().all(only_items)).await?;
    while let Some(page) = pages.next(connection, context).await? {
        for sheet in &mut sheets {
            match sheet {
                Sheet::Table(ExportFile::Items, table) => items::write(&page, table),
                Sheet::Table(ExportFile::Labels, table) => labels::write(&page, context, table),
                Sheet::Table(ExportFile::CrossCheck, table) => {
                    cross_check::write(connection, context, &page, table).await?;
                    Ok(())
                }
                Sheet::Table(_, table) => ratings::write(&page, context, table),
                Sheet::Traces(out) => {
                    traces::write(connection, context, &page, out).await?;
                    Ok(())
                }
            }
            .map_err(unwritten)?;
        }
    }
    let mut written = Vec::new();
    for sheet in sheets {
        match sheet {
            Sheet::Table(file, table) => written.push((file, table.finish().map_err(unwritten)?.1)),
            Sheet::Traces(mut out) => out.flush().map_err(|cause| failed(&cause))?,
        }
    }
    Ok(written)
}
