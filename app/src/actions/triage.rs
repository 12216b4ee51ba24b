//! Looking through what raters wrote.

use crate::pages::words;
use domain::{
    id::{AnnotationId, StudyId, UnitId},
    refusal::Refusal,
    triage::TriageState,
};
use leptos::server;
use service::{
    exclusion,
    triage::{self, Picked, Undo},
};

use super::act::{Answer, Done, act};

/// Does one thing with every comment that was picked: `read`, `unread`, `resolved`, `guideline`, or `answered` with the
/// answer. A pick is `ANNOTATION/SUBJECT/SEQ`.
#[server(name = ActOnComments, prefix = "/do", endpoint = "triage/act")]
pub async fn act_on(
    #[server(default)] study: String,
    #[server(default)] pick: Vec<String>,
    #[server(default)] state: String,
    #[server(default)] answer: String,
) -> Answer {
    act(|app, actor| async move {
        let state = TriageState::parse(&state).ok_or(Refusal::InputInvalid)?;
        let picked = pick
            .iter()
            .map(|sent| picked(sent))
            .collect::<Result<Vec<_>, _>>()?;
        let answer = if state == TriageState::Answered {
            answer
        } else {
            String::new()
        };
        let study = StudyId::new(study);
        let undo = triage::act(&app, &actor, &study, &picked, state, &answer).await?;
        Ok(Done::at(back(&study, &undo)).saying(done(undo.len(), state)))
    })
    .await
}

/// Takes a step back. What it undoes stands as `ANNOTATION/SUBJECT/SEQ/STATE`.
#[server(name = UndoTriage, prefix = "/do", endpoint = "triage/undo")]
pub async fn undo(
    #[server(default)] study: String,
    #[server(default)] step: Vec<String>,
) -> Answer {
    act(|app, actor| async move {
        let undo = step
            .iter()
            .map(|sent| undone(sent))
            .collect::<Result<Vec<_>, _>>()?;
        let study = StudyId::new(study);
        triage::undo(&app, &actor, &study, &undo).await?;
        Ok(Done::at(format!("/studies/{study}/comments")).saying("Taken back."))
    })
    .await
}

/// Sends a comment on a tag to the raters as a discussion.
#[server(name = ForwardComment, prefix = "/do", endpoint = "triage/forward")]
pub async fn forward(
    #[server(default)] study: String,
    #[server(default)] pick: String,
    #[server(default)] remark: String,
) -> Answer {
    act(|app, actor| async move {
        let study = StudyId::new(study);
        let unit = triage::forward(&app, &actor, &study, &picked(&pick)?, &remark).await?;
        Ok(
            Done::at(format!("/studies/{study}/disagreements/{unit}#discussion"))
                .saying("The discussion is open. The raters of the item see it under My work."),
        )
    })
    .await
}

/// Takes a unit out of the results, or puts it back with an empty reason.
#[server(name = SetExclusion, prefix = "/do", endpoint = "exclusion/set")]
pub async fn exclude(
    #[server(default)] unit: String,
    #[server(default)] expected: String,
    #[server(default)] reason: String,
    #[server(default)] note: String,
) -> Answer {
    act(|app, actor| async move {
        let expected = expected.parse().map_err(|_| Refusal::InputInvalid)?;
        exclusion::set(&app, &actor, &UnitId::new(unit), expected, &reason, &note).await?;
        Ok(Done::here().saying(if reason.is_empty() {
            "The unit counts again."
        } else {
            "The unit is taken out of the results. Its judgements stay as they are."
        }))
    })
    .await
}

fn picked(sent: &str) -> Result<Picked, Refusal> {
    let mut parts = sent.split('/');
    let (Some(annotation), Some(subject), Some(seq)) = (parts.next(), parts.next(), parts.next())
    else {
        return Err(Refusal::InputInvalid);
    };
    Ok(Picked {
        annotation: AnnotationId::new(annotation),
        subject: subject.to_owned(),
        seq: seq.parse().map_err(|_| Refusal::InputInvalid)?,
    })
}

fn undone(sent: &str) -> Result<Undo, Refusal> {
    let (pick, state) = sent.rsplit_once('/').ok_or(Refusal::InputInvalid)?;
    Ok(Undo {
        picked: picked(pick)?,
        state: TriageState::parse(state).ok_or(Refusal::InputInvalid)?,
    })
}

/// The inbox, with what takes the step back: identities and states, nothing that anybody wrote.
fn back(study: &StudyId, undo: &[Undo]) -> String {
    // A long address is refused by some proxies; so many comments are taken back one by one.
    const MOST: usize = 20;
    let mut query = form_urlencoded::Serializer::new(String::new());
    for one in undo.iter().take(if undo.len() > MOST { 0 } else { MOST }) {
        let Picked {
            annotation,
            subject,
            seq,
        } = &one.picked;
        let step = format!("{annotation}/{subject}/{seq}/{}", one.state.as_str());
        query.append_pair("undo", &step);
    }
    format!("/studies/{study}/comments?{}", query.finish())
}

fn done(count: usize, state: TriageState) -> String {
    let what = match state {
        TriageState::Unread => "marked as unread",
        TriageState::Read => "marked as read",
        TriageState::Answered => "answered",
        TriageState::Resolved => "resolved",
        TriageState::Forwarded => "forwarded",
        TriageState::Guideline => "kept for the coding manual",
    };
    format!(
        "{} {what}.",
        words::count(count, "comment is", "comments are")
    )
}
