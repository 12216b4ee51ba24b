//! Drawing samples and handing them out.

use domain::{
    id::{AssignmentId, StudyId, UserId},
    refusal::Refusal,
};
use leptos::server;
use service::{
    batch::{self, NewBatch, Round, Stratify},
    desk,
};

use super::act::{Answer, Done, act};

/// The fields of a batch as a form sends them.
#[derive(Clone, Debug, Default)]
pub struct Sent {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub round: String,
    /// How many items.
    pub size: String,
    /// The seed; empty for a fresh one.
    pub seed: String,
    /// By what it is stratified.
    pub stratify: String,
    /// Who rates.
    pub raters: Vec<String>,
    /// How many raters an item gets.
    pub raters_per_item: String,
    /// The share of items whose tags of the judge are hidden at first, in percent; empty for none.
    pub hidden_percent: String,
}

impl Sent {
    /// Reads the fields.
    ///
    /// # Errors
    /// [`Refusal::InputInvalid`] when a field is none that the form offers.
    pub fn read(self) -> Result<NewBatch, Refusal> {
        let number = |text: &str| text.trim().parse().map_err(|_| Refusal::InputInvalid);
        let seed = self.seed.trim();
        Ok(NewBatch {
            name: self.name,
            round: if self.round == "calibration" {
                Round::Calibration
            } else {
                Round::Main
            },
            size: number(&self.size)?,
            seed: if seed.is_empty() {
                None
            } else {
                Some(seed.parse().map_err(|_| Refusal::InputInvalid)?)
            },
            stratify: match self.stratify.as_str() {
                "model" => Stratify::Model,
                "condition" => Stratify::Condition,
                "category" => Stratify::Category,
                _ => Stratify::None,
            },
            raters: self.raters.into_iter().map(UserId::new).collect(),
            raters_per_item: number(&self.raters_per_item)?,
            hidden_percent: match self.hidden_percent.trim() {
                "" => 0,
                text => number(text)?,
            },
        })
    }
}

/// Draws a batch and hands it out.
#[server(name = CreateBatch, prefix = "/do", endpoint = "batch/create")]
pub async fn create(
    #[server(default)] study: String,
    #[server(default)] name: String,
    #[server(default)] round: String,
    #[server(default)] size: String,
    #[server(default)] seed: String,
    #[server(default)] stratify: String,
    #[server(default)] raters: Vec<String>,
    #[server(default)] raters_per_item: String,
    #[server(default)] hidden_percent: String,
) -> Answer {
    act(|app, actor| async move {
        let new = Sent {
            name,
            round,
            size,
            seed,
            stratify,
            raters,
            raters_per_item,
            hidden_percent,
        }
        .read()?;
        batch::create(&app, &actor, &StudyId::new(&study), new).await?;
        let page = format!("/studies/{}/batches", StudyId::new(study));
        Ok(Done::at(page)
            .saying("The batch is drawn and handed out. Raters see it at once under “My work”."))
    })
    .await
}

/// Takes back what a rater has not begun.
#[server(name = TakeBack, prefix = "/do", endpoint = "batch/take-back")]
pub async fn take_back(#[server(default)] assignment: String) -> Answer {
    act(|app, actor| async move {
        batch::take_back(&app, &actor, &AssignmentId::new(assignment)).await?;
        Ok(Done::here().saying("The assignment is taken back."))
    })
    .await
}

/// Gives what was handed or taken back to another rater.
#[server(name = Reassign, prefix = "/do", endpoint = "batch/reassign")]
pub async fn reassign(
    #[server(default)] assignment: String,
    #[server(default)] rater: String,
) -> Answer {
    act(|app, actor| async move {
        batch::reassign(
            &app,
            &actor,
            &AssignmentId::new(assignment),
            &UserId::new(rater),
        )
        .await?;
        Ok(Done::here().saying("The item now waits for the other rater."))
    })
    .await
}

/// Opens a submission again for its rater.
#[server(name = ReopenFor, prefix = "/do", endpoint = "batch/reopen")]
pub async fn reopen_for(
    #[server(default)] assignment: String,
    #[server(default)] reason: String,
) -> Answer {
    act(|app, actor| async move {
        desk::reopen_for(&app, &actor, &AssignmentId::new(assignment), &reason).await?;
        Ok(Done::here().saying(
            "The rater can change this judgement again. The earlier one counts until they submit.",
        ))
    })
    .await
}
