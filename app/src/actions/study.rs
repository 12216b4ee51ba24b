//! Making and running a study.

use domain::{
    id::StudyId,
    refusal::Refusal,
    study::{Blinding, StudyState},
};
use leptos::server;
use service::study::{self, SchemeSource};

use super::act::{Answer, Done, act};

/// Makes a study with a built-in scheme, or with one typed or pasted as TOML.
#[server(name = CreateStudy, prefix = "/do", endpoint = "study/create")]
pub async fn create(
    #[server(default)] name: String,
    #[server(default)] scheme: String,
    #[server(default)] toml: String,
) -> Answer {
    act(|app, actor| async move {
        let source = if scheme == "own" {
            SchemeSource::Toml(toml)
        } else {
            SchemeSource::Builtin(scheme)
        };
        let id = study::create(&app, &actor, &name, source).await?;
        Ok(Done::at(format!("/studies/{id}"))
            .saying("The study is made. Its next step stands below."))
    })
    .await
}

/// Says what raters do not see.
#[server(name = SetBlinding, prefix = "/do", endpoint = "study/set-blinding")]
pub async fn set_blinding(
    #[server(default)] study: String,
    #[server(default)] model: String,
    #[server(default)] condition: String,
    #[server(default)] judge_severity: String,
) -> Answer {
    act(|app, actor| async move {
        let [model, condition, judge_severity] =
            [model, condition, judge_severity].map(|sent| !sent.is_empty());
        study::set_blinding(
            &app,
            &actor,
            &StudyId::new(study),
            Blinding {
                model,
                condition,
                judge_severity,
            },
        )
        .await?;
        Ok(Done::here().saying("Blinding is changed for everything that raters open from now on."))
    })
    .await
}

/// Takes the study one step on, or back with a reason.
#[server(name = SetState, prefix = "/do", endpoint = "study/set-state")]
pub async fn set_state(
    #[server(default)] study: String,
    #[server(default)] to: String,
    #[server(default)] reason: String,
) -> Answer {
    act(|app, actor| async move {
        let to = StudyState::parse(&to).ok_or(Refusal::InputInvalid)?;
        study::set_state(&app, &actor, &StudyId::new(study), to, &reason).await?;
        Ok(Done::here().saying("The state of the study is changed."))
    })
    .await
}
