//! Talking a unit over.

use domain::{
    discussion::Offer,
    id::{MessageId, UnitId},
    refusal::Refusal,
    scheme::Validity,
};
use leptos::server;
use service::discussion::{self, NewMessage};

use super::{
    act::{Answer, Done, act},
    ruling::{chosen, span, values},
};

/// Opens the discussion of a unit, perhaps with a first remark.
#[server(name = OpenDiscussion, prefix = "/do", endpoint = "discussion/open")]
pub async fn open(#[server(default)] unit: String, #[server(default)] remark: String) -> Answer {
    act(|app, actor| async move {
        discussion::open(&app, &actor, &UnitId::new(unit), &remark).await?;
        Ok(Done::here()
            .saying("The discussion is open. The raters of the item see it under My work."))
    })
    .await
}

/// Writes a remark, a quotation, a proposal, or several of them together.
#[server(name = PostMessage, prefix = "/do", endpoint = "discussion/post")]
pub async fn post(
    #[server(default)] unit: String,
    #[server(default)] id: String,
    #[server(default)] body: String,
    #[server(default)] span_start: String,
    #[server(default)] span_end: String,
    #[server(default)] validity: String,
    #[server(default)] severity: String,
    #[server(default)] code: String,
    #[server(default)] answer: String,
    #[server(default)] basis: String,
) -> Answer {
    act(|app, actor| async move {
        let offer = offer(&validity, &severity, code, &answer)?;
        let said = if offer.is_some() {
            "Your proposal stands. It is the consensus when every rater of the item accepts it."
        } else {
            "Written."
        };
        let new = NewMessage {
            id,
            body,
            span: span(&span_start, &span_end)?,
            offer,
            basis,
        };
        discussion::post(&app, &actor, &UnitId::new(unit), new).await?;
        Ok(Done::here().saying(said))
    })
    .await
}

fn offer(
    validity: &str,
    severity: &str,
    code: String,
    answer: &str,
) -> Result<Option<Offer>, Refusal> {
    let validity = chosen(validity, Validity::parse)?;
    let severity = chosen(severity, |value| value.parse().ok())?;
    let answer = values(answer);
    let any = validity.is_some() || severity.is_some() || !answer.is_empty();
    Ok(any.then_some(Offer {
        validity,
        severity,
        code,
        answer,
    }))
}

/// Says yes to a proposal.
#[server(name = AcceptProposal, prefix = "/do", endpoint = "discussion/accept")]
pub async fn accept(
    #[server(default)] unit: String,
    #[server(default)] proposal: String,
) -> Answer {
    act(|app, actor| async move {
        let settled =
            discussion::accept(&app, &actor, &UnitId::new(unit), &MessageId::new(proposal)).await?;
        Ok(Done::here().saying(if settled {
            "Accepted. All raters of the item agree, so the consensus is recorded."
        } else {
            "Accepted. The other raters of the item have not accepted it yet."
        }))
    })
    .await
}

/// Asks somebody to settle the unit.
#[server(name = AssignDiscussion, prefix = "/do", endpoint = "discussion/assign")]
pub async fn assign(#[server(default)] unit: String, #[server(default)] to: String) -> Answer {
    act(|app, actor| async move {
        discussion::assign(&app, &actor, &UnitId::new(unit), &to).await?;
        Ok(Done::here().saying(if to.is_empty() {
            "Nobody in particular is asked to settle this any more."
        } else {
            "Asked. They find it among the disagreements that wait for them."
        }))
    })
    .await
}

/// Closes a discussion.
#[server(name = CloseDiscussion, prefix = "/do", endpoint = "discussion/close")]
pub async fn close(#[server(default)] unit: String) -> Answer {
    act(|app, actor| async move {
        discussion::close(&app, &actor, &UnitId::new(unit)).await?;
        Ok(Done::here().saying("The discussion is closed. What was said stays readable."))
    })
    .await
}
