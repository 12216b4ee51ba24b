//! What agreement is computed from, as it was when a snapshot was made.

use crate::agreement::{Ground, letter};
use crate::error::Result;
use crate::study::scheme_of;
use store::AnyConnection;
use store::snapshot::Head;

/// Reads the ground of a snapshot's agreement.
pub(crate) async fn ground(connection: &mut AnyConnection, head: &Head) -> Result<Ground> {
    let raters = store::snapshot::raters(connection, head).await?;
    let members = store::unit::raters(connection, &head.study).await?;
    let letters = raters
        .iter()
        .enumerate()
        .map(|(at, (rater, _))| {
            let place = members.iter().position(|member| member.user == *rater);
            letter(place.unwrap_or(members.len() + at))
        })
        .collect();
    Ok(Ground {
        scheme: scheme_of(connection, &head.scheme_hash).await?,
        scheme_version: head.scheme_version,
        values: store::snapshot::values(connection, head, &raters).await?,
        raters,
        letters,
        judges: 0,
        scale: None,
    })
}
