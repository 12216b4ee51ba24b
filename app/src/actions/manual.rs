//! Making the next version of a coding manual.

use domain::{
    id::{StudyId, UnitId},
    missed::MatchRule,
    refusal::Refusal,
};
use leptos::server;
use service::manual::{self, Edit, Revised};

use super::{
    act::{Answer, Done, act},
    ruling::chosen,
};

/// Rewords a category, a subcategory or a level, or adds an example: `what` says which.
#[server(name = EditManual, prefix = "/do", endpoint = "manual/edit")]
pub async fn edit(
    #[server(default)] study: String,
    #[server(default)] expected: String,
    #[server(default)] what: String,
    #[server(default)] code: String,
    #[server(default)] definition: String,
    #[server(default)] include: String,
    #[server(default)] exclude: String,
    #[server(default)] remark: String,
    #[server(default)] text: String,
    #[server(default)] severity: String,
    #[server(default)] why: String,
    #[server(default)] note: String,
    #[server(default)] unit: String,
) -> Answer {
    act(|app, actor| async move {
        let number = |value: &str| value.parse::<f64>().ok();
        let edit = match what.as_str() {
            "category" => Edit::Category {
                code,
                definition,
                note: remark,
            },
            "subcategory" => Edit::Subcategory {
                code,
                definition,
                include: lines(&include),
                exclude: lines(&exclude),
            },
            "level" => Edit::Level {
                value: number(&code).ok_or(Refusal::InputInvalid)?,
                definition,
            },
            "example" => Edit::Example {
                code,
                text,
                severity: chosen(&severity, number)?,
                why,
            },
            _ => return Err(Refusal::InputInvalid.into()),
        };
        let study = StudyId::new(study);
        let units: Vec<UnitId> = [unit]
            .into_iter()
            .filter(|unit| !unit.is_empty())
            .map(UnitId::new)
            .collect();
        let expected = expected.parse().map_err(|_| Refusal::InputInvalid)?;
        let made = manual::edit(&app, &actor, &study, expected, edit, &note, &units).await?;
        Ok(onward(&study, made))
    })
    .await
}

/// Makes the next version from the text of a scheme file.
#[server(name = ReviseManual, prefix = "/do", endpoint = "manual/revise")]
pub async fn revise(
    #[server(default)] study: String,
    #[server(default)] expected: String,
    #[server(default)] toml: String,
    #[server(default)] note: String,
) -> Answer {
    act(|app, actor| async move {
        let study = StudyId::new(study);
        let expected = expected.parse().map_err(|_| Refusal::InputInvalid)?;
        let made = manual::revise(&app, &actor, &study, expected, &toml, &note, &[]).await?;
        Ok(onward(&study, made))
    })
    .await
}

/// Says when missed tags of different raters are one unit.
#[server(name = SetMissedMatch, prefix = "/do", endpoint = "manual/set-missed-match")]
pub async fn set_missed_match(
    #[server(default)] study: String,
    #[server(default)] rule: String,
    #[server(default)] share: String,
) -> Answer {
    act(|app, actor| async move {
        let word = if rule == "iou" {
            format!("iou:{}", share.trim())
        } else {
            rule
        };
        let rule = MatchRule::parse(&word).ok_or(Refusal::InputInvalid)?;
        manual::set_missed_match(&app, &actor, &StudyId::new(study), rule).await?;
        Ok(Done::here().saying("The rule is changed, and every missed tag is matched anew."))
    })
    .await
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn onward(study: &StudyId, made: Revised) -> Done {
    let stale = match made.stale {
        0 => "No ruling is touched by it.".to_owned(),
        1 => "One ruling rests on what changed and needs another look.".to_owned(),
        many => format!("{many} rulings rest on what changed and need another look."),
    };
    Done::at(format!("/studies/{study}/scheme/versions")).saying(format!(
        "Version {} counts from now on. {stale}",
        made.version
    ))
}
