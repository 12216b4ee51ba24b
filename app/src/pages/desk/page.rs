//! Loading the desk, and taking what its plain form sends.

use domain::{
    form::{self, Intent, Sent},
    id::{AssignmentId, CandidateId},
    refusal::Refusal,
};
use leptos::prelude::*;
use service::{
    Actor, Error, Result, Services,
    desk::{self, DeskView, Save, SubmitOutcome},
};

use super::{Desk, Posted};
use crate::{components::Kind, desk_words::differences};

/// The desk of one assignment. `query` is the address's: `gaps` lists what is missing. What a form sent in vain
/// comes back in `posted`.
///
/// # Errors
/// As [`desk::open`].
pub async fn load(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
    query: &str,
    posted: Option<Posted>,
) -> Result<impl IntoView + use<>> {
    let mut view = desk::open(app, actor, assignment).await?;
    let mut notices = Vec::new();
    let mut way_out = None;
    let mut two_versions = Vec::new();
    if let Some(posted) = posted {
        if posted.refusal == Refusal::Conflict {
            let ids: Vec<CandidateId> = view.candidates.iter().map(|c| c.id.clone()).collect();
            let (mine, theirs) = (&posted.annotation, &view.annotation);
            two_versions = differences(mine, theirs, &ids, &view.scheme);
        }
        let why = match posted.refusal {
            Refusal::ReasonNeeded => "Say in the note why this item cannot be rated.",
            refusal => refusal.message(),
        };
        notices.push((Kind::Bad, why.to_owned()));
        view.annotation = posted.annotation;
        way_out = posted.way_out;
    }
    let said = |word: &str| query.split('&').any(|part| part == word);
    let all = [
        form::Notice::SameTagTwice,
        form::Notice::QuoteNotFound,
        form::Notice::NothingMissedDropped,
    ];
    for notice in all.into_iter().filter(|notice| said(notice.as_str())) {
        notices.push((Kind::Warn, notice.message().to_owned()));
    }
    let (save_id, user, show_gaps) = (app.id(), actor.name.clone(), said("gaps"));
    Ok(view! { <Desk view save_id user show_gaps notices two_versions way_out /> })
}

/// Where a person lands after sending the plain form.
#[derive(Clone, Debug)]
pub enum Landing {
    /// At another address, by redirect.
    Go(String),
    /// At the same desk, which shows what was sent and why it was refused.
    Again(Posted),
}

/// Takes what the plain form sent.
///
/// # Errors
/// As [`desk::open`]; what was written is never the loser of a refusal: it comes back as [`Landing::Again`].
pub async fn post(
    app: &Services,
    actor: &Actor,
    assignment: &AssignmentId,
    pairs: &form::Pairs,
) -> Result<Landing> {
    let view = desk::open(app, actor, assignment).await?;
    let sent = form::parse(pairs, &view.item.trace);
    match carry_out(app, actor, &view, &sent).await {
        Ok(address) => Ok(Landing::Go(address)),
        Err(Error::Refused(refusal)) => Ok(Landing::Again(Posted {
            annotation: sent.annotation,
            refusal,
            way_out: (sent.intent == Intent::CannotRate).then_some((sent.reason, sent.note)),
        })),
        Err(error) => Err(error),
    }
}

async fn carry_out(app: &Services, actor: &Actor, view: &DeskView, sent: &Sent) -> Result<String> {
    let id = &view.assignment;
    let next = |next: Option<AssignmentId>| {
        next.map_or_else(|| "/work".to_owned(), |next| format!("/desk/{next}"))
    };
    let save = || Save {
        base_version: sent.base_version,
        save_id: sent.save_id.clone(),
        annotation: sent.annotation.clone(),
    };
    let keep = async || {
        if view.state.is_open() {
            Ok::<i64, Error>(desk::save(app, actor, id, save()).await?.version)
        } else {
            Ok(view.version)
        }
    };
    match sent.intent {
        Intent::Save => {
            keep().await?;
            Ok(here(id, sent, ""))
        }
        Intent::AddMissed | Intent::Remove => {
            keep().await?;
            Ok(here(id, sent, "#missed-tags"))
        }
        Intent::Submit => match desk::submit(app, actor, id, save()).await? {
            SubmitOutcome::Submitted { next: to, .. } => Ok(next(to)),
            SubmitOutcome::Incomplete { .. } => Ok(format!("/desk/{id}?gaps#errors")),
        },
        Intent::CannotRate => {
            let version = keep().await?;
            let reason = sent.reason.clone();
            Ok(next(
                desk::cannot_rate(app, actor, id, version, reason, sent.note.clone()).await?,
            ))
        }
        Intent::HandBack => {
            keep().await?;
            Ok(next(desk::hand_back(app, actor, id).await?))
        }
        Intent::Reopen => {
            desk::reopen(app, actor, id).await?;
            Ok(format!("/desk/{id}"))
        }
        Intent::Resume => {
            desk::resume(app, actor, id).await?;
            Ok(format!("/desk/{id}"))
        }
    }
}

/// The same desk, told what was put right on the way in.
fn here(id: &AssignmentId, sent: &Sent, fragment: &str) -> String {
    let words: Vec<&str> = sent.notices.iter().map(|notice| notice.as_str()).collect();
    let query = if words.is_empty() {
        String::new()
    } else {
        format!("?{}", words.join("&"))
    };
    format!("/desk/{id}{query}{fragment}")
}
