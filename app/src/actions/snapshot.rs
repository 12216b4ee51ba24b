//! Signing a study off.

use domain::{id::StudyId, snapshot::LeftOut};
use leptos::server;
use service::snapshot::{self, Group, SignOff};

use super::act::{Answer, Done, act};

/// Freezes the labels and signs the study off. `leave` names single units as `STATE:UNIT`, `all` whole states; the
/// reason is that of the state.
#[server(name = SignStudyOff, prefix = "/do", endpoint = "snapshot/sign")]
pub async fn sign_off(
    #[server(default)] study: String,
    #[server(default)] name: String,
    #[server(default)] statement: String,
    #[server(default)] basis: String,
    #[server(default)] leave: Vec<String>,
    #[server(default)] all: Vec<String>,
    #[server(default)] reason_open: String,
    #[server(default)] reason_disputed: String,
    #[server(default)] reason_in_discussion: String,
    #[server(default)] reason_stale: String,
) -> Answer {
    act(|app, actor| async move {
        let reason = |state: &str| match state {
            "open" => reason_open.clone(),
            "disputed" => reason_disputed.clone(),
            "in_discussion" => reason_in_discussion.clone(),
            _ => reason_stale.clone(),
        };
        let single = |sent: String| {
            let (state, unit) = sent.split_once(':').unwrap_or_default();
            LeftOut {
                unit: unit.to_owned(),
                reason: reason(state),
            }
        };
        let new = SignOff {
            name,
            statement,
            basis,
            left_out: leave.into_iter().map(single).collect(),
            groups: all
                .into_iter()
                .map(|state| Group {
                    reason: reason(&state),
                    state,
                })
                .collect(),
        };
        let made = snapshot::sign_off(&app, &actor, &StudyId::new(study), new).await?;
        Ok(Done::here().saying(format!("Signed off as snapshot {}.", made.named.number)))
    })
    .await
}
