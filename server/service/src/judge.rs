//! Judges: who judged with which prompt, how often they failed, what they saw before, and which items are held out.

use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::{Audit, Services};
use domain::id::{JudgeId, StudyId};
use domain::refusal::Refusal;
use domain::role::Action;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::AnyConnection;
use store::judge::{RunCount, Split};

pub use store::judge::Facts;

/// The longest text about a judge.
const TEXT_LIMIT: usize = 2_000;

/// A judge with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgeView {
    /// Its identity.
    pub id: JudgeId,
    /// What it is called.
    pub name: String,
    /// The language model behind it.
    pub model: String,
    /// The version of its prompt.
    pub prompt_version: String,
    /// Its parameters.
    pub params: String,
    /// When it judged.
    pub judged_on: String,
    /// A remark.
    pub note: String,
    /// Items with a verdict.
    pub judged: u64,
    /// Items without, by kind of failure.
    pub failures: Vec<(String, u64)>,
    /// Items that it saw in its prompt.
    pub few_shot: u64,
    /// Whether its tags are compared only, and never shown to raters.
    pub compared: bool,
}

/// The split between items to tune on and items held out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SplitView {
    /// Counted from 1.
    pub version: i64,
    /// The seed.
    pub seed: i64,
    /// The share of the development part, in percent.
    pub dev_percent: i64,
    /// Epoch milliseconds.
    pub created_at: i64,
}

/// Whether an item belongs to the development part: SHA-256 of "SEED:KEY", its first eight bytes as a number, modulo 1000,
/// below the share in thousandths. Items that come later are assigned by the same rule, and none ever changes sides.
pub(crate) fn in_dev(split: &Split, key: &str) -> bool {
    let digest = Sha256::digest(format!("{}:{key}", split.seed));
    let number = digest
        .iter()
        .take(8)
        .fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
    number % 1_000 < split.dev_share.cast_unsigned()
}

/// The judges of a study.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right.
pub async fn list(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<JudgeView>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::JudgeRead).await?;
    let found = store::study::get(&mut db, study)
        .await?
        .ok_or(Refusal::NotFound)?;
    // Runs are counted over the whole corpus: once for each state of the study.
    let kept = match app.judges.get(study, found.revision) {
        Some(kept) => kept,
        None => {
            let views = views(&mut db, study).await?;
            app.judges.put(study.clone(), found.revision, views)
        }
    };
    Ok(kept.to_vec())
}

/// The judges of a study, for whoever has asked for the right already.
pub(crate) async fn views(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> store::Result<Vec<JudgeView>> {
    let counts = store::judge::run_counts(connection, study).await?;
    let judges = store::judge::list(connection, study).await?;
    Ok(judges
        .into_iter()
        .map(|judge| view(judge, &counts))
        .collect())
}

fn view(judge: store::judge::Judge, counts: &[RunCount]) -> JudgeView {
    let own = || counts.iter().filter(|count| count.judge == judge.id);
    let number = |count: i64| count.cast_unsigned();
    JudgeView {
        judged: own()
            .filter(|c| c.outcome == "judged")
            .map(|c| number(c.count))
            .sum(),
        failures: own()
            .filter(|c| c.outcome == "failed")
            .map(|c| (c.failure.clone(), number(c.count)))
            .collect(),
        few_shot: number(judge.few_shot),
        compared: own().next().is_some() && own().all(|count| count.compared),
        id: judge.id,
        name: judge.name,
        model: judge.model,
        prompt_version: judge.prompt_version,
        params: judge.params,
        judged_on: judge.judged_on,
        note: judge.note,
    }
}

/// The split in force.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right.
pub async fn split(app: &Services, actor: &Actor, study: &StudyId) -> Result<Option<SplitView>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::JudgeRead).await?;
    let split = store::judge::split(&mut db, study).await?;
    Ok(split.map(|split| SplitView {
        version: split.version,
        seed: split.seed,
        dev_percent: split.dev_share / 10,
        created_at: split.created_at,
    }))
}

/// Writes down what is known of a judge.
///
/// # Errors
/// [`Refusal::NotFound`] for a judge that is none or of a study one has no part in, [`Refusal::TextTooLong`],
/// [`Refusal::InputInvalid`] for a date that is none.
pub async fn describe(app: &Services, actor: &Actor, judge: &JudgeId, facts: Facts) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let study = study_of(&mut tx, judge).await?;
    require(&mut tx, actor, &study, Action::JudgeManage).await?;
    let facts = checked(facts)?;
    let by = (app.now(), actor.user.as_str());
    store::judge::set_facts(&mut tx, judge, &facts, by).await?;
    let details = json!({"model": facts.model, "prompt_version": facts.prompt_version, "judged_on": facts.judged_on});
    done(
        app,
        tx,
        actor,
        &study,
        ("describe", judge.as_str()),
        details,
    )
    .await
}

/// Facts that can be kept.
pub(crate) fn checked(facts: Facts) -> Result<Facts> {
    let [model, prompt_version, params, judged_on, note] = [
        facts.model,
        facts.prompt_version,
        facts.params,
        facts.judged_on,
        facts.note,
    ]
    .map(|text| text.trim().to_owned());
    let all = [&model, &prompt_version, &params, &note];
    if all.iter().any(|text| text.chars().count() > TEXT_LIMIT) {
        return Err(Refusal::TextTooLong.into());
    }
    if !judged_on.is_empty() && !is_date(&judged_on) {
        return Err(Refusal::InputInvalid.into());
    }
    Ok(Facts {
        model,
        prompt_version,
        params,
        judged_on,
        note,
    })
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |at: usize, length: usize| {
        let part = parts.get(at).filter(|part| part.len() == length)?;
        part.parse::<i32>().ok()
    };
    let month = |number: i32| time::Month::try_from(u8::try_from(number).ok()?).ok();
    let date = || {
        let (year, month, day) = (number(0, 4)?, month(number(1, 2)?)?, number(2, 2)?);
        time::Date::from_calendar_date(year, month, u8::try_from(day).ok()?).ok()
    };
    parts.len() == 3 && date().is_some()
}

/// The keys of the items that a judge saw in its prompt.
///
/// # Errors
/// As [`describe`].
pub async fn few_shot(app: &Services, actor: &Actor, judge: &JudgeId) -> Result<Vec<String>> {
    let mut db = app.db.snapshot().await?;
    let study = study_of(&mut db, judge).await?;
    require(&mut db, actor, &study, Action::JudgeManage).await?;
    Ok(store::judge::few_shot_keys(&mut db, judge).await?)
}

/// The keys of the items that their file calls examples in judges' prompts (`in_judge_few_shot`): they are left out for every
/// judge, and only another file could say otherwise.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right.
pub async fn few_shot_of_files(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
) -> Result<Vec<String>> {
    let mut db = app.db.snapshot().await?;
    require(&mut db, actor, study, Action::JudgeManage).await?;
    let items = store::judge::few_shot_of_files(&mut db, study).await?;
    Ok(items.into_iter().map(|(_, key)| key).collect())
}

/// Says which items a judge saw in its prompt, by their keys; the list replaces the one before.
///
/// # Errors
/// [`Refusal::ItemKeyUnknown`] when a key is none of the study's; then nothing changes.
pub async fn set_few_shot(
    app: &Services,
    actor: &Actor,
    judge: &JudgeId,
    keys: &[String],
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let study = study_of(&mut tx, judge).await?;
    require(&mut tx, actor, &study, Action::JudgeManage).await?;
    let mut wanted: Vec<&str> = keys
        .iter()
        .map(|key| key.trim())
        .filter(|key| !key.is_empty())
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut items = Vec::with_capacity(wanted.len());
    for block in wanted.chunks(128) {
        let found = store::import::items(&mut tx, &study, block).await?;
        items.extend(found.into_values().map(|(item, _)| item));
    }
    if items.len() < wanted.len() {
        return Err(Refusal::ItemKeyUnknown.into());
    }
    items.sort_unstable();
    store::judge::set_few_shot(&mut tx, judge, &items).await?;
    let details = json!({"items": items.len()});
    done(
        app,
        tx,
        actor,
        &study,
        ("few_shot", judge.as_str()),
        details,
    )
    .await
}

/// Draws a new split. Earlier ones stay on record.
///
/// # Errors
/// [`Refusal::InputInvalid`] for a share outside 1 to 99 percent.
pub async fn draw_split(
    app: &Services,
    actor: &Actor,
    study: &StudyId,
    dev_percent: i64,
    seed: Option<i64>,
) -> Result<()> {
    let mut tx = app.db.begin().await?;
    require(&mut tx, actor, study, Action::JudgeManage).await?;
    if !(1..=99).contains(&dev_percent) {
        return Err(Refusal::InputInvalid.into());
    }
    store::audit::lock(&mut tx, study.as_str()).await?;
    let before = store::judge::split(&mut tx, study).await?;
    let split = Split {
        version: before.map_or(0, |split| split.version) + 1,
        seed: seed.unwrap_or_else(|| app.seed()),
        dev_share: dev_percent * 10,
        created_at: app.now(),
    };
    store::judge::add_split(&mut tx, study, &split, actor.user.as_str()).await?;
    let details = json!({"seed": split.seed, "dev_percent": dev_percent, "version": split.version});
    done(app, tx, actor, study, ("split", study.as_str()), details).await
}

async fn study_of(connection: &mut AnyConnection, judge: &JudgeId) -> Result<StudyId> {
    let study = store::judge::study_of(connection, judge).await?;
    Ok(study.ok_or(Refusal::NotFound)?)
}

pub(crate) async fn done(
    app: &Services,
    mut tx: store::Tx,
    actor: &Actor,
    study: &StudyId,
    (verb, subject): (&str, &str),
    details: serde_json::Value,
) -> Result<()> {
    store::study::bump_revision(&mut tx, study).await?;
    let audit = Audit {
        study: Some(study),
        action: Action::JudgeManage,
        verb,
        subject,
        details,
    };
    app.commit(tx, actor, audit).await
}

#[cfg(test)]
mod tests {
    use super::{in_dev, is_date};
    use store::judge::Split;

    #[test]
    fn a_split_is_the_same_every_time_and_gives_its_share() {
        let split = |seed| Split {
            version: 1,
            seed,
            dev_share: 300,
            created_at: 0,
        };
        let dev = |seed| {
            (0..5_000)
                .filter(|n| in_dev(&split(seed), &format!("item-{n}")))
                .collect::<Vec<_>>()
        };
        // 5,000 draws at 0.3 have a standard deviation of 32.4; five of them are 162.
        assert!((1_338..1_662).contains(&dev(1).len()), "{}", dev(1).len());
        assert_eq!(dev(1), dev(1));
        assert_ne!(dev(1), dev(2));
    }

    #[test]
    fn a_date_is_a_day_of_the_calendar() {
        assert!(is_date("2026-02-28"));
        for other in [
            "2026-02-29",
            "2026-2-8",
            "yesterday",
            "2026-02-28-01",
            "2026-13-01",
        ] {
            assert!(!is_date(other), "{other}");
        }
    }
}
