//! The use cases by which units are talked over and the manual grows.

use crate::case::{Case, Denied, case};
use crate::world::World;
use domain::discussion::Offer;
use domain::id::{MessageId, UnitId};
use domain::missed::MatchRule;
use domain::role::Action;
use domain::scheme;
use domain::triage::TriageState;
use service::discussion::NewMessage;
use service::import::{ImportOptions, ImportReport, ImportSource};
use service::manual::{Edit, Revised};
use service::ruling::Confirmed;
use service::triage::{InboxFilter, InboxRow, Picked, Undo};
use service::unit::Page;
use service::{Actor, discussion, exclusion, import, manual, ruling, study, triage, unit};
use std::io::Cursor;

pub fn cases() -> Vec<Case> {
    [discussions(), comments(), manuals()]
        .into_iter()
        .flatten()
        .collect()
}

fn discussions() -> Vec<Case> {
    vec![
        case!(writes DiscussionManage InStudy: discussion::open, |w, a| async {
            discussion::open(&w.app, a, &w.unit().await, "").await
        }),
        case!(writes DiscussionManage InStudy: discussion::assign, |w, a| async {
            discussion::assign(&w.app, a, &w.unit().await, "").await
        }),
        case!(writes DiscussionManage InStudy: discussion::close, |w, a| async {
            discussion::close(&w.app, a, &w.discussed(a).await).await
        }),
        case!(reads Discuss InStudy: discussion::get, |w, a| async {
            discussion::get(&w.app, a, &w.discussed(a).await).await
        }),
        case!(reads Discuss InStudy: discussion::seen, |w, a| async {
            discussion::seen(&w.app, a, &w.discussed(a).await, 0).await
        }),
        case!(writes Discuss InStudy: discussion::post, |w, a| async {
            let message = NewMessage { body: "I see it otherwise.".to_owned(), ..NewMessage::default() };
            discussion::post(&w.app, a, &w.discussed(a).await, message).await
        }),
        case!(writes Accept InStudy: discussion::accept, |w, a| accept(w, a)),
        case!(reads DisagreementRead InStudy: discussion::list, |w, a| {
            discussion::list(&w.app, a, &w.study)
        }),
        case!(reads StudyList OnServer: discussion::mine, |w, a| discussion::mine(&w.app, a)),
        case!(writes Rule InStudy: ruling::confirm, |w, a| confirm(w, a)),
        case!(writes ImportRun InStudy: import::run, |w, a| settle(w, a)),
    ]
}

/// Says yes to what the other rater proposed.
async fn accept(world: &World, actor: &Actor) -> service::Result<bool> {
    let unit = world.discussed(actor).await;
    let other = &world.raters[1];
    let seen = unit::get(&world.app, &Actor::operator(), &unit).await?;
    let id = world.app.id();
    let offer = NewMessage {
        id: id.clone(),
        offer: Some(Offer {
            severity: Some(3.0),
            ..Offer::default()
        }),
        basis: seen.basis,
        ..NewMessage::default()
    };
    let posted = discussion::post(&world.app, other, &unit, offer);
    world.stage(other, posted).await?;
    discussion::accept(&world.app, actor, &unit, &MessageId::new(id)).await
}

/// Confirms a unit on which both raters said the same.
async fn confirm(world: &World, actor: &Actor) -> service::Result<usize> {
    let unit = world.agreed().await;
    let seen = unit::get(&world.app, &Actor::operator(), &unit).await?;
    let confirmed = Confirmed {
        unit,
        basis: seen.basis,
    };
    ruling::confirm(&world.app, actor, &world.study, &[confirmed]).await
}

/// Brings the final value of a unit.
async fn settle(world: &World, actor: &Actor) -> service::Result<ImportReport> {
    let unit = world.unit().await;
    let seen = unit::get(&world.app, &Actor::operator(), &unit).await?;
    let mut db = world.app.db.read().await?;
    let candidates = store::candidate::of_item(&mut db, &seen.row.item, true).await?;
    let key = &candidates[0].source_key;
    let table = format!("candidate,final_severity,final_validity\n{key},3,valid\n");
    drop(db);
    let report = import::run(
        &world.app,
        actor,
        &world.study,
        ImportSource::Reader(Box::new(Cursor::new(table))),
        "final.csv",
        ImportOptions::default(),
        &|_| {},
    )
    .await?;
    assert_eq!(report.new.rulings, 1, "{:?}", report.problems);
    Ok(report)
}

fn comments() -> Vec<Case> {
    vec![
        case!(reads Triage InStudy: triage::inbox, |w, a| {
            async { triage::inbox(&w.app, a, &w.study, &InboxFilter::default(), Page::default()).await }
        }),
        case!(writes Triage InStudy: triage::act, |w, a| async {
            let picked = picked(&comment(w, "").await);
            triage::act(&w.app, a, &w.study, &[picked], TriageState::Resolved, "").await
        }),
        case!(writes Triage InStudy: triage::undo, |w, a| async {
            let picked = picked(&comment(w, "").await);
            let undo = [Undo { picked, state: TriageState::Read }];
            triage::undo(&w.app, a, &w.study, &undo).await
        }),
        case!(writes Triage InStudy: triage::forward, |w, a| async {
            let picked = picked(&comment(w, "asked").await);
            triage::forward(&w.app, a, &w.study, &picked, "").await
        }),
        case!(reads StudyList OnServer: triage::replies, |w, a| triage::replies(&w.app, a)),
        case!(writes Triage InStudy: exclusion::set, |w, a| async {
            let unit = w.unit().await;
            exclusion::set(&w.app, a, &unit, 0, "item_defect", "").await
        }),
    ]
}

/// Something that a rater wrote about a new unit.
async fn comment(world: &World, kind: &str) -> InboxRow {
    let unit = world.unit().await;
    let operator = Actor::operator();
    let item = unit::get(&world.app, &operator, &unit)
        .await
        .unwrap()
        .row
        .item;
    let filter = InboxFilter {
        kind: kind.to_owned(),
        ..InboxFilter::default()
    };
    let page = Page {
        number: 1,
        size: 500,
    };
    let inbox = triage::inbox(&world.app, &operator, &world.study, &filter, page)
        .await
        .unwrap();
    let found = inbox.rows.into_iter().find(|row| row.item == item);
    found.unwrap()
}

fn picked(row: &InboxRow) -> Picked {
    Picked {
        annotation: row.annotation.clone(),
        subject: row.subject.clone(),
        seq: row.seq,
    }
}

fn manuals() -> Vec<Case> {
    vec![
        case!(reads StudyRead InStudy: manual::versions, |w, a| manual::versions(&w.app, a, &w.study)),
        case!(reads StudyRead InStudy: manual::at, |w, a| manual::at(&w.app, a, &w.study, 1)),
        case!(reads StudyRead InStudy: manual::changes, |w, a| {
            manual::changes(&w.app, a, &w.study, 1, 1)
        }),
        case!(reads StudyRead InStudy: manual::missed_match, |w, a| {
            manual::missed_match(&w.app, a, &w.study)
        }),
        case!(writes StudyManage InStudy: manual::set_missed_match, |w, a| {
            manual::set_missed_match(&w.app, a, &w.study, MatchRule::Overlap)
        }),
        case!(writes StudyManage InStudy: manual::edit, |w, a| edit(w, a)),
        case!(writes StudyManage InStudy: manual::revise, |w, a| revise(w, a)),
    ]
}

async fn newest(world: &World) -> i64 {
    let operator = Actor::operator();
    let versions = manual::versions(&world.app, &operator, &world.study).await;
    versions.unwrap()[0].version
}

async fn edit(world: &World, actor: &Actor) -> service::Result<Revised> {
    let edit = Edit::Level {
        value: 3.0,
        definition: world.app.id(),
    };
    let (version, units): (i64, [UnitId; 0]) = (newest(world).await, []);
    manual::edit(
        &world.app,
        actor,
        &world.study,
        version,
        edit,
        "Clearer.",
        &units,
    )
    .await
}

async fn revise(world: &World, actor: &Actor) -> service::Result<Revised> {
    let text = study::scheme_text(&world.app, &Actor::operator(), &world.study).await?;
    let (mut scheme, _) = scheme::parse(&text).unwrap();
    scheme.introduction = world.app.id();
    let text = scheme::write(&scheme).unwrap();
    let version = newest(world).await;
    manual::revise(
        &world.app,
        actor,
        &world.study,
        version,
        &text,
        "Clearer.",
        &[],
    )
    .await
}
