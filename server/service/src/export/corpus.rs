//! `corpus.csv`

use super::{Context, unwritten};
use crate::corpus;
use crate::error::Result;
use formats::write::Table;
use std::io::Write;
use store::AnyConnection;

/// Every judge that raters saw the tags of, one after the other.
pub(super) async fn write<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    table: &mut Table<'_, W>,
) -> Result<()> {
    // Rates are of items with a tag.
    if !context.scheme.has_tags() {
        return Ok(());
    }
    let judges = crate::judge::views(connection, &context.study).await?;
    for judge in judges.iter().filter(|judge| !judge.compared) {
        let ground = context.ground(connection).await?;
        let frozen = context.frozen.as_ref();
        let report = corpus::read_on(
            connection,
            ground,
            &context.study,
            judge.id.as_str(),
            frozen,
        )
        .await?;
        if let Some(report) = report {
            corpus::table::rates(&report, table).map_err(unwritten)?;
        }
    }
    Ok(())
}
