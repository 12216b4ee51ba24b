//! The terms under which validated traces may leave a study.

use domain::id::StudyId;
use leptos::server;
use service::report::{self, Terms};

use super::act::{Answer, Done, act};

/// Writes down the terms.
#[server(name = SetTerms, prefix = "/do", endpoint = "report/terms")]
pub async fn terms(
    #[server(default)] study: String,
    #[server(default)] licence: String,
    #[server(default)] training: String,
    #[server(default)] few_shot: String,
    #[server(default)] comments: String,
) -> Answer {
    act(|app, actor| async move {
        let [training, few_shot, comments] =
            [training, few_shot, comments].map(|sent| !sent.is_empty());
        let terms = Terms {
            version: 0,
            licence,
            training,
            few_shot,
            comments,
        };
        report::set_terms(&app, &actor, &StudyId::new(study), terms).await?;
        Ok(Done::here().saying("The terms are kept. They travel with every trace."))
    })
    .await
}
