//! Items.

use domain::{id::ItemId, refusal::Refusal};
use leptos::server;
use service::item::{self, Division};

use super::act::{Answer, Done, act};

/// Changes where the steps of a trace begin and end: `join` or `split` the step, or divide all of it `anew`.
#[server(name = DivideItem, prefix = "/do", endpoint = "item/divide")]
pub async fn divide(
    #[server(default)] item: String,
    #[server(default)] seen: String,
    #[server(default)] step: String,
    #[server(default)] change: String,
    #[server(default)] words: String,
) -> Answer {
    act(|app, actor| async move {
        let number = |text: &str| text.parse::<usize>().map_err(|_| Refusal::InputInvalid);
        let change = match change.as_str() {
            "join" => Division::Join(number(&step)?),
            "split" => Division::Split(number(&step)?, words),
            "anew" => Division::Anew,
            _ => return Err(Refusal::InputInvalid.into()),
        };
        item::divide(&app, &actor, &ItemId::new(item), number(&seen)?, &change).await?;
        Ok(Done::here().saying("The steps are changed."))
    })
    .await
}

/// Sets the points that are expected of the answers to the item's text, one a line.
#[server(name = SetPoints, prefix = "/do", endpoint = "item/set_points")]
pub async fn set_points(
    #[server(default)] item: String,
    #[server(default)] seen: String,
    #[server(default)] points: String,
) -> Answer {
    act(|app, actor| async move {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        item::set_points(
            &app,
            &actor,
            &ItemId::new(item),
            &lines(&seen),
            &lines(&points),
        )
        .await?;
        Ok(Done::here().saying("The expected points are kept."))
    })
    .await
}
