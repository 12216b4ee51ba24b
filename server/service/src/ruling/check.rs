//! What no outcome excuses.

use super::NewRuling;
use crate::error::Result;
use domain::annotation::{COMMENT_LIMIT, slice};
use domain::refusal::Refusal;
use domain::ruling::Outcome;
use domain::scheme::Scheme;
use domain::unit::UnitKind;
use store::AnyConnection;
use store::unit::Listed;

/// Only a missed tag is folded, into another unit of its item that was not folded itself.
pub(super) async fn merge_allowed(
    tx: &mut AnyConnection,
    listed: &Listed,
    new: &NewRuling,
) -> Result<()> {
    let Some(into) = &new.merged_into else {
        return Ok(());
    };
    let other = store::unit::queue_row(tx, into)
        .await?
        .ok_or(Refusal::InputInvalid)?;
    let history = store::ruling::history(tx, into).await?;
    let folded = history.first().is_some_and(|r| !r.merged_into.is_empty());
    let fits = listed.unit.kind == UnitKind::Missed
        && other.unit.kind != UnitKind::Item
        && other.unit.item == listed.unit.item
        && *into != listed.unit.id
        && !folded
        && matches!(new.outcome, Outcome::Consensus | Outcome::Adjudicator);
    if fits {
        Ok(())
    } else {
        Err(Refusal::InputInvalid.into())
    }
}

/// The words under the final span, where it is another one.
pub(super) fn moved(new: &NewRuling, trace: &str) -> Result<Option<(u32, u32, String)>> {
    let Some(span) = new.span else {
        return Ok(None);
    };
    let quote = slice(trace, span).ok_or(Refusal::BadSpan)?;
    Ok(Some((span.0, span.1, quote.to_owned())))
}

/// What no outcome excuses.
pub(super) fn check(new: &NewRuling, scheme: &Scheme, listed: &Listed) -> Result<()> {
    let question = super::question::of(listed, scheme)?;
    if let Some(question) = question {
        super::question::check(new, question)?;
    }
    let on_scale = |value| {
        scheme
            .severity
            .as_ref()
            .is_some_and(|scale| scale.allows(value, scale.halves.ruling))
    };
    if question.is_none() && new.severity.is_some_and(|value| !on_scale(value)) {
        return Err(Refusal::AnnotationInvalid.into());
    }
    if !["", "low", "medium", "high"].contains(&new.confidence.as_str()) {
        return Err(Refusal::InputInvalid.into());
    }
    if new.note.chars().count() > COMMENT_LIMIT {
        return Err(Refusal::TextTooLong.into());
    }
    Ok(())
}
