//! The points an expert expects of an answer, written down by staff before anybody has read one.

use super::begin;
use crate::actor::Actor;
use crate::error::Result;
use crate::services::{Audit, Services};
use domain::id::ItemId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::{QuestionKind, Scheme};
use serde_json::json;
use std::collections::HashSet;
use store::AnyConnection;

/// The most points of one text.
pub const MOST_POINTS: usize = 60;
/// The most characters of a point.
pub const LONGEST_POINT: usize = 1_000;

/// Sets the points that are expected of the answers to one text: of the item and of every other item of the study with the
/// same vignette, since several models answered it. `seen` are the points that were there when the new ones were written.
///
/// What an import says of these items is compared with what the file said, not with these points: importing the file again
/// leaves them as they are.
///
/// # Errors
/// [`Refusal::InputInvalid`] under a scheme that does not ask for points, and for a point that is too long, written twice or
/// one of too many; [`Refusal::AlreadyStarted`] once a rater has opened one of the items or a judge has answered by the
/// points' numbers; [`Refusal::Conflict`] when they changed since; [`Refusal::StudyClosed`].
pub async fn set_points(
    app: &Services,
    actor: &Actor,
    item: &ItemId,
    seen: &[String],
    points: &[String],
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let (found, scheme) = begin(&mut tx, actor, item).await?;
    if !asks_for_points(&scheme) {
        return Err(Refusal::InputInvalid.into());
    }
    let points = tidy(points)?;
    let items = store::item::with_same_vignette(&mut tx, item).await?;
    for one in &items {
        if !are_free(&mut tx, one, &scheme).await? {
            return Err(Refusal::AlreadyStarted.into());
        }
    }
    if found.options != seen {
        return Err(Refusal::Conflict.into());
    }
    for one in &items {
        store::item::set_options(&mut tx, one, &points).await?;
    }
    store::study::bump_revision(&mut tx, &found.study).await?;
    let audit = Audit {
        study: Some(&found.study),
        action: Action::ImportRun,
        verb: "set_points",
        subject: item.as_str(),
        details: json!({"points": points.len(), "items": items.len()}),
    };
    app.commit(tx, actor, audit).await?;
    Ok(())
}

/// Whether the scheme asks which points an answer makes.
pub(super) fn asks_for_points(scheme: &Scheme) -> bool {
    let mut questions = scheme.item_questions.iter();
    questions.any(|question| question.kind == QuestionKind::Points)
}

/// Whether nobody has said anything that counts the points of the item.
pub(super) async fn are_free(
    connection: &mut AnyConnection,
    item: &ItemId,
    scheme: &Scheme,
) -> Result<bool> {
    if store::item::is_opened(connection, item).await? {
        return Ok(false);
    }
    let counts = |question: &str| {
        let asked = scheme.question(question);
        asked.is_some_and(|question| question.kind == QuestionKind::Points)
    };
    let answers = store::judge_answer::of_item(connection, item).await?;
    Ok(!answers.iter().any(|answer| counts(&answer.question)))
}

/// The points without the white space around them and without empty lines.
fn tidy(points: &[String]) -> std::result::Result<Vec<String>, Refusal> {
    let trimmed = points.iter().map(|point| point.trim());
    let points: Vec<String> = trimmed
        .filter(|point| !point.is_empty())
        .map(str::to_owned)
        .collect();
    let mut known = HashSet::new();
    let fits = |point: &String| point.chars().count() <= LONGEST_POINT;
    if points.len() > MOST_POINTS
        || !points
            .iter()
            .all(|point| fits(point) && known.insert(point))
    {
        return Err(Refusal::InputInvalid);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_POINT, MOST_POINTS, tidy};
    use domain::refusal::Refusal;

    #[test]
    fn points_are_lines_that_differ() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            tidy(&lines("  Mortality fell.\n\nSleep did not.\r\n")),
            Ok(vec![
                "Mortality fell.".to_owned(),
                "Sleep did not.".to_owned()
            ])
        );
        assert_eq!(tidy(&lines("\n \n")), Ok(Vec::new()), "none is a list too");
        assert_eq!(tidy(&lines("One.\n One. ")), Err(Refusal::InputInvalid));
        let long = "é".repeat(LONGEST_POINT);
        assert!(tidy(std::slice::from_ref(&long)).is_ok());
        assert_eq!(tidy(&[long + "é"]), Err(Refusal::InputInvalid));
        let many: Vec<String> = (0..=MOST_POINTS).map(|at| at.to_string()).collect();
        assert!(tidy(&many[1..]).is_ok());
        assert_eq!(tidy(&many), Err(Refusal::InputInvalid));
    }
}
