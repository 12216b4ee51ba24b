//! Recording what settles a unit.

use domain::{
    id::{StudyId, UnitId},
    refusal::Refusal,
    ruling::{Cause, Outcome},
    scheme::Validity,
};
use leptos::server;
use service::ruling::{self, Confirmed, NewRuling};

use super::act::{Answer, Done, act};

/// Records a ruling and leads to the next unit of the queue, or back to the queue after the last.
#[server(name = RecordRuling, prefix = "/do", endpoint = "ruling/record")]
pub async fn record(
    #[server(default)] study: String,
    #[server(default)] unit: String,
    #[server(default)] expected_ruling_version: String,
    #[server(default)] basis: String,
    #[server(default)] outcome: String,
    #[server(default)] validity: String,
    #[server(default)] code: String,
    #[server(default)] severity: String,
    #[server(default)] cause: String,
    #[server(default)] confidence: String,
    #[server(default)] note: String,
    #[server(default)] agreed_by_raters: String,
    #[server(default)] adopted_from: String,
    #[server(default)] guideline_needs_work: String,
    #[server(default)] span_start: String,
    #[server(default)] span_end: String,
    #[server(default)] merged_into: String,
    #[server(default)] answer: String,
    #[server(default)] next: String,
) -> Answer {
    act(|app, actor| async move {
        let ruling = NewRuling {
            expected_ruling_version: expected_ruling_version
                .parse()
                .map_err(|_| Refusal::InputInvalid)?,
            basis,
            outcome: Outcome::parse(&outcome).ok_or(Refusal::OutcomeMissing)?,
            validity: chosen(&validity, Validity::parse)?,
            code: (!code.is_empty()).then_some(code),
            severity: chosen(&severity, |value| value.parse().ok())?,
            cause: chosen(&cause, Cause::parse)?,
            confidence,
            note,
            agreed_by_raters: !agreed_by_raters.is_empty(),
            adopted_from: (!adopted_from.is_empty()).then_some(adopted_from),
            guideline_needs_work: !guideline_needs_work.is_empty(),
            span: span(&span_start, &span_end)?,
            merged_into: (!merged_into.is_empty()).then(|| UnitId::new(merged_into)),
            answer: values(&answer),
        };
        ruling::record(&app, &actor, &UnitId::new(unit), ruling).await?;
        Ok(onward(&StudyId::new(study), &next))
    })
    .await
}

/// Confirms the units that were ticked, each as `UNIT/BASIS`.
#[server(name = ConfirmUnits, prefix = "/do", endpoint = "ruling/confirm")]
pub async fn confirm(
    #[server(default)] study: String,
    #[server(default)] pick: Vec<String>,
) -> Answer {
    act(|app, actor| async move {
        let seen = |sent: &String| {
            let (unit, basis) = sent.split_once('/').ok_or(Refusal::InputInvalid)?;
            Ok::<_, Refusal>(Confirmed {
                unit: UnitId::new(unit),
                basis: basis.to_owned(),
            })
        };
        let seen = pick.iter().map(seen).collect::<Result<Vec<_>, _>>()?;
        let count = ruling::confirm(&app, &actor, &StudyId::new(study), &seen).await?;
        Ok(Done::here().saying(format!("Confirmed as the raters said: {count}.")))
    })
    .await
}

/// The value of a field that may be left empty.
pub(super) fn chosen<T>(
    sent: &str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, Refusal> {
    if sent.is_empty() {
        Ok(None)
    } else {
        parse(sent).map(Some).ok_or(Refusal::InputInvalid)
    }
}

/// The values of an answer, joined by semicolons.
pub(super) fn values(sent: &str) -> Vec<String> {
    let each = sent.split(';').map(str::trim);
    each.filter(|value| !value.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A span that is left as it is, or both its ends.
pub(super) fn span(start: &str, end: &str) -> Result<Option<(u32, u32)>, Refusal> {
    if start.trim().is_empty() && end.trim().is_empty() {
        return Ok(None);
    }
    let place = |text: &str| text.trim().parse().map_err(|_| Refusal::BadSpan);
    Ok(Some((place(start)?, place(end)?)))
}

fn onward(study: &StudyId, next: &str) -> Done {
    let queue = format!("/studies/{study}/disagreements");
    if next.is_empty() {
        Done::at(queue).saying("The ruling is recorded. It was the last of the queue.")
    } else {
        Done::at(format!("{queue}/{next}")).saying("The ruling is recorded. This is the next one.")
    }
}
