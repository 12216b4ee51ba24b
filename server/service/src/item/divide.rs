//! Where the steps of a trace begin and end, corrected by staff before anybody has judged it. The text never changes.

use super::begin;
use crate::actor::Actor;
use crate::error::Result;
use crate::services::{Audit, Services};
use domain::annotation::slice;
use domain::id::ItemId;
use domain::refusal::Refusal;
use domain::relation;
use domain::role::Action;
use domain::scheme::{QuestionKind, Scheme};
use domain::steps::divided;
use serde_json::json;
use store::AnyConnection;
use store::item::SegmentRange;

/// How the steps of a trace are to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Division {
    /// The step of this number, counted from 1, belongs to the one before it.
    Join(usize),
    /// A new step begins at the first place of these words in the step of this number.
    Split(usize, String),
    /// Divided anew: by tags and subtitles, or by sentence.
    Anew,
}

/// Changes the steps of an item. `seen` is how many steps there were when the change was chosen.
///
/// # Errors
/// [`Refusal::AlreadyStarted`] once a rater has opened the item or a judge has related its steps: what they said counts
/// them as they were; [`Refusal::Conflict`] when the steps changed since; [`Refusal::QuoteDiffers`] for words that do not
/// stand in the step; [`Refusal::StudyClosed`].
pub async fn divide(
    app: &Services,
    actor: &Actor,
    item: &ItemId,
    seen: usize,
    change: &Division,
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let (found, scheme) = begin(&mut tx, actor, item).await?;
    if !is_free(&mut tx, item, &scheme).await? {
        return Err(Refusal::AlreadyStarted.into());
    }
    if found.segments.len() != seen {
        return Err(Refusal::Conflict.into());
    }
    let (segments, verb) = match change {
        Division::Join(step) => (joined(found.segments, *step)?, "join_steps"),
        Division::Split(step, words) => (
            split(&found.trace, found.segments, *step, words)?,
            "split_step",
        ),
        Division::Anew => (anew(&found.trace), "divide_anew"),
    };
    store::item::set_segments(&mut tx, item, &segments).await?;
    store::study::bump_revision(&mut tx, &found.study).await?;
    let audit = Audit {
        study: Some(&found.study),
        action: Action::ImportRun,
        verb,
        subject: item.as_str(),
        details: json!({"steps": segments.len()}),
    };
    app.commit(tx, actor, audit).await?;
    Ok(())
}

/// Whether nobody has said anything that counts the steps.
pub(super) async fn is_free(
    connection: &mut AnyConnection,
    item: &ItemId,
    scheme: &Scheme,
) -> Result<bool> {
    if store::item::is_opened(connection, item).await? {
        return Ok(false);
    }
    let relates = |question: &str| {
        let asked = scheme.question(question);
        asked.is_some_and(|question| question.kind == QuestionKind::Relations)
    };
    let answers = store::judge_answer::of_item(connection, item).await?;
    Ok(!answers.iter().any(|answer| relates(&answer.question)))
}

fn joined(
    mut segments: Vec<SegmentRange>,
    step: usize,
) -> std::result::Result<Vec<SegmentRange>, Refusal> {
    if step < 2 || step > segments.len() {
        return Err(Refusal::InputInvalid);
    }
    let second = segments.remove(step - 1);
    segments[step - 2].end = second.end;
    Ok(segments)
}

fn split(
    trace: &str,
    mut segments: Vec<SegmentRange>,
    step: usize,
    words: &str,
) -> std::result::Result<Vec<SegmentRange>, Refusal> {
    let at = step.checked_sub(1).ok_or(Refusal::InputInvalid)?;
    let whole = segments.get(at).ok_or(Refusal::InputInvalid)?.clone();
    let words = words.trim();
    if words.is_empty() {
        return Err(Refusal::InputInvalid);
    }
    let text = slice(trace, (whole.start, whole.end)).ok_or(Refusal::BadSpan)?;
    let (begins, _) = relation::pieces(text, &[words]);
    let begins = begins.first().ok_or(Refusal::QuoteDiffers)?;
    let before: String = text.chars().take(*begins as usize).collect();
    let first = before.trim_end().chars().count() as u32;
    let start = whole.start + begins;
    let new = SegmentRange {
        label: String::new(),
        start,
        end: whole.end,
    };
    segments[at].end = whole.start + first;
    segments.insert(at + 1, new);
    Ok(segments)
}

fn anew(trace: &str) -> Vec<SegmentRange> {
    let steps = divided(trace).into_iter().map(|step| SegmentRange {
        label: step.label,
        start: step.start,
        end: step.end,
    });
    steps.collect()
}

#[cfg(test)]
mod tests {
    use super::{anew, joined, split};
    use domain::annotation::slice;
    use domain::refusal::Refusal;
    use store::item::SegmentRange;

    const TEXT: &str = "Ärger first. Then calm, but no sleep.";

    fn words(segments: &[SegmentRange]) -> Vec<&str> {
        let text = |part: &SegmentRange| slice(TEXT, (part.start, part.end)).expect("a span");
        segments.iter().map(text).collect()
    }

    #[test]
    fn a_step_is_split_at_words_and_joined_again() {
        let two = anew(TEXT);
        assert_eq!(words(&two), ["Ärger first.", "Then calm, but no sleep."]);
        let three = split(TEXT, two.clone(), 2, " but no ").expect("they stand there");
        assert_eq!(
            words(&three),
            ["Ärger first.", "Then calm,", "but no sleep."]
        );
        assert_eq!(joined(three, 3), Ok(two));
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let two = anew(TEXT);
        assert_eq!(
            split(TEXT, two.clone(), 1, "calm"),
            Err(Refusal::QuoteDiffers)
        );
        assert_eq!(
            split(TEXT, two.clone(), 3, "calm"),
            Err(Refusal::InputInvalid)
        );
        assert_eq!(
            split(TEXT, two.clone(), 0, "calm"),
            Err(Refusal::InputInvalid)
        );
        assert_eq!(
            split(TEXT, two.clone(), 1, "Ärger"),
            Err(Refusal::QuoteDiffers),
            "a step that begins where the whole does is no new one"
        );
        assert_eq!(joined(two.clone(), 1), Err(Refusal::InputInvalid));
        assert_eq!(joined(two, 3), Err(Refusal::InputInvalid));
    }
}
