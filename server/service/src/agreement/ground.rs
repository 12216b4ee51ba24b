//! What a report is computed from, read in one state of the database.

use super::answers::Scale;
use super::letter;
use super::matrix::categories;
use super::types::Question;
use crate::error::Result;
use crate::results::Ask;
use crate::study;
use domain::id::{StudyId, UserId};
use domain::refusal::Refusal;
use domain::scheme::Scheme;
use std::sync::Arc;
use store::AnyConnection;
use store::result::Values;
use store::snapshot::Head;

/// All that a report is computed from.
pub(crate) struct Ground {
    pub scheme: Arc<Scheme>,
    pub scheme_version: i64,
    /// Those who have submitted.
    pub raters: Vec<(UserId, String)>,
    /// Their letters: those of the queue and of rulings, which name every rater of the study. For a question about the
    /// item the judges and the final answer follow, which have a column each.
    pub letters: Vec<String>,
    /// How many judges have columns.
    pub judges: usize,
    pub values: Values,
    /// The possible answers to a question about the item; those of tags follow from the scheme.
    pub scale: Option<Scale>,
}

impl Ground {
    /// The possible answers to a question.
    pub fn scale(&self, question: &Question) -> Scale {
        let own = self.scale.clone();
        own.unwrap_or_else(|| categories(&self.scheme, question))
    }

    /// What is asked of the answers to questions about items.
    pub fn ask<'a>(&'a self, study: &'a StudyId, frozen: Option<&'a Head>) -> Ask<'a> {
        Ask {
            study,
            scheme: &self.scheme,
            raters: &self.raters,
            frozen,
        }
    }
}

/// Everything but the values.
pub(crate) async fn bare(connection: &mut AnyConnection, id: &StudyId) -> Result<Ground> {
    store::study::get(connection, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let (scheme, scheme_version) = study::scheme_in(connection, id).await?;
    let raters = store::result::raters(connection, id).await?;
    let members = store::unit::raters(connection, id).await?;
    let place = |rater: &UserId| members.iter().position(|member| member.user == *rater);
    let letters = raters
        .iter()
        .enumerate()
        .map(|(at, (rater, _))| letter(place(rater).unwrap_or(members.len() + at)))
        .collect();
    Ok(Ground {
        scheme,
        scheme_version,
        raters,
        letters,
        judges: 0,
        values: Values::default(),
        scale: None,
    })
}

/// The ground of a study's agreement; conditions and models only where `places` asks for them.
pub(crate) async fn ground(
    connection: &mut AnyConnection,
    id: &StudyId,
    places: bool,
) -> Result<Ground> {
    let mut ground = bare(connection, id).await?;
    ground.values = store::result::values(connection, id, &ground.raters, places).await?;
    Ok(ground)
}
