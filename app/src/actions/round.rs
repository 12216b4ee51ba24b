//! Calibration and cross-check.

use domain::{
    id::{BatchId, StudyId, UserId},
    refusal::Refusal,
};
use leptos::server;
use service::round::{self, Given, NewCheck};

use super::act::{Answer, Done, act};

/// Draws a cross-check.
#[server(name = CreateCheck, prefix = "/do", endpoint = "round/cross-check")]
pub async fn create_check(
    #[server(default)] study: String,
    #[server(default)] name: String,
    #[server(default)] size: String,
    #[server(default)] seed: String,
) -> Answer {
    act(|app, actor| async move {
        let new = NewCheck {
            name,
            per_model: size.trim().parse().map_err(|_| Refusal::InputInvalid)?,
            seed: number(&seed)?,
        };
        round::create_check(&app, &actor, &StudyId::new(study), new).await?;
        Ok(Done::here().saying("The cross-check is drawn. Raters see it under “My work”."))
    })
    .await
}

/// Says what a calibration is measured against.
#[server(name = Calibrate, prefix = "/do", endpoint = "round/calibrate")]
pub async fn calibrate(
    #[server(default)] batch: String,
    #[server(default)] reference: String,
    #[server(default)] percent: String,
) -> Answer {
    act(|app, actor| async move {
        let reference = (!reference.is_empty()).then(|| UserId::new(reference));
        let share = number::<f64>(&percent)?.map(|percent| percent / 100.0);
        round::calibrate(&app, &actor, &BatchId::new(batch), reference, share).await?;
        Ok(Done::here().saying("The calibration is measured like this from now on."))
    })
    .await
}

/// Gives a review: a verdict and a note for each label, in the order of the page.
#[server(name = GiveReview, prefix = "/do", endpoint = "round/give")]
pub async fn give(
    #[server(default)] review: String,
    #[server(default)] labels: Vec<String>,
    #[server(default)] agree: Vec<String>,
    #[server(default)] disagree: Vec<String>,
    #[server(default)] notes: Vec<String>,
) -> Answer {
    act(|app, actor| async move {
        let verdict = |(label, note): (String, String)| match (
            agree.contains(&label),
            disagree.contains(&label),
        ) {
            (true, false) => Ok(Given {
                label,
                agrees: true,
                note,
            }),
            (false, true) => Ok(Given {
                label,
                agrees: false,
                note,
            }),
            _ => Err(Refusal::Incomplete),
        };
        let notes = notes.into_iter().chain(std::iter::repeat(String::new()));
        let given = labels.into_iter().zip(notes).map(verdict);
        let given = given.collect::<Result<Vec<_>, _>>()?;
        let done = match round::give(&app, &actor, &review, given).await? {
            Some(next) => Done::at(format!("/review/{next}")),
            None => Done::at("/work"),
        };
        Ok(done.saying("Your review is kept."))
    })
    .await
}

/// A number that may be left empty.
fn number<T: std::str::FromStr>(text: &str) -> Result<Option<T>, Refusal> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| Refusal::InputInvalid)
}
