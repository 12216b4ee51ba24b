//! Describing judges, and saying what they saw before.

use domain::{
    id::{JudgeId, StudyId},
    refusal::Refusal,
};
use leptos::server;
use service::judge::{self, Facts};

use super::act::{Answer, Done, act};

/// Writes down what is known of a judge.
#[server(name = DescribeJudge, prefix = "/do", endpoint = "judge/describe")]
pub async fn describe(
    #[server(default)] judge: String,
    #[server(default)] model: String,
    #[server(default)] prompt_version: String,
    #[server(default)] params: String,
    #[server(default)] judged_on: String,
    #[server(default)] note: String,
) -> Answer {
    act(|app, actor| async move {
        let facts = Facts {
            model,
            prompt_version,
            params,
            judged_on,
            note,
        };
        judge::describe(&app, &actor, &JudgeId::new(judge), facts).await?;
        Ok(Done::here().saying("What is known of the judge is kept."))
    })
    .await
}

/// Says which items a judge saw in its prompt.
#[server(name = SetFewShot, prefix = "/do", endpoint = "judge/few-shot")]
pub async fn few_shot(#[server(default)] judge: String, #[server(default)] keys: String) -> Answer {
    act(|app, actor| async move {
        let keys: Vec<String> = keys.lines().map(str::to_owned).collect();
        judge::set_few_shot(&app, &actor, &JudgeId::new(judge), &keys).await?;
        Ok(Done::here()
            .saying("The list is kept. These items are left out of the judge’s validation."))
    })
    .await
}

/// Draws which items prompts may be tuned on.
#[server(name = DrawSplit, prefix = "/do", endpoint = "judge/split")]
pub async fn split(
    #[server(default)] study: String,
    #[server(default)] dev_percent: String,
    #[server(default)] seed: String,
) -> Answer {
    act(|app, actor| async move {
        let number = |text: &str| text.trim().parse().map_err(|_| Refusal::InputInvalid);
        let seed = Some(seed.trim()).filter(|seed| !seed.is_empty());
        let seed = seed.map(number).transpose()?;
        judge::draw_split(
            &app,
            &actor,
            &StudyId::new(study),
            number(&dev_percent)?,
            seed,
        )
        .await?;
        Ok(Done::here().saying("The split is drawn and on record."))
    })
    .await
}
