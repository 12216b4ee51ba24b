//! The use cases, a few lines each.

use crate::case::{Case, Denied, case};
use crate::world::{PASSWORD, World, one, session_of};
use domain::id::StudyId;
use domain::role::{Action, Role};
use domain::ruling::Outcome;
use domain::scheme::Validity;
use domain::study::{Blinding, StudyState};
use service::agreement::{AgreementQuery, Question};
use service::audit::AuditFilter;
use service::export::{ExportFile, ExportOptions};
use service::item::{Division, ItemFilter, ItemPage};
use service::round::{Given, NewCheck};
use service::ruling::NewRuling;
use service::study::SchemeSource;
use service::unit::{Page, QueueFilter};
use service::validation::ValidationQuery;
use service::{
    Actor, account, agreement, audit, batch, corpus, desk, export, import, independence,
    invitation, item, judge, member, plan, report, results, retention, round, ruling, session,
    snapshot, study, unit, validation,
};
use tower_sessions::SessionStore;

pub fn all() -> Vec<Case> {
    let groups = [
        accounts(),
        invitations(),
        studies(),
        members(),
        imports(),
        batches(),
        desk(),
        snapshots(),
        rounds(),
        results(),
        judges(),
        crate::reconciling::cases(),
    ];
    groups.into_iter().flatten().collect()
}

pub fn accounts() -> Vec<Case> {
    vec![
        case!(reads UserManage OnServer: account::find, |w, a| account::find(&w.app, a, "rater a")),
        case!(reads UserManage OnServer: account::list, |w, a| account::list(&w.app, a)),
        case!(writes UserManage OnServer: account::add, |w, a| async {
            account::add(&w.app, a, &w.app.id(), "Somebody", false, PASSWORD).await
        }),
        case!(writes UserManage OnServer: account::set_active, |w, a| async {
            account::set_active(&w.app, a, &w.newcomer().await.user, false).await
        }),
        case!(writes OwnAccount OnServer: account::change_password, |w, a| {
            account::change_password(&w.app, a, PASSWORD, "a brand new passphrase", None)
        }),
        case!(reads OwnAccount OnServer: account::sessions, |w, a| account::sessions(&w.app, a, None)),
        case!(writes OwnAccount OnServer: account::revoke_session, |w, a| async {
            let mut record = session_of(a);
            let store = session::Store::new(w.app.app.clone());
            store.create(&mut record).await.unwrap();
            account::revoke_session(&w.app, a, &session::key(&record.id)).await
        }),
        case!(writes OwnAccount OnServer: account::create_token, |w, a| {
            account::create_token(&w.app, a, "script", None)
        }),
        case!(reads OwnAccount OnServer: account::tokens, |w, a| account::tokens(&w.app, a)),
        case!(writes OwnAccount OnServer: account::revoke_token, |w, a| {
            revoke_token(w, a)
        }),
    ]
}

/// A token that is there before the count of audit rows would need its owner to make it, so the row is the store's.
async fn revoke_token(world: &World, actor: &Actor) -> service::Result<()> {
    let token = store::token::Token {
        id: world.app.id(),
        name: "script".to_owned(),
        created_at: world.app.now(),
        last_used_at: None,
        expires_at: None,
    };
    let mut tx = world.app.db.begin().await?;
    let hash = account::hash_of_secret(&token.id);
    store::token::insert(&mut tx, &actor.user, &token, &hash).await?;
    tx.commit().await.unwrap();
    account::revoke_token(&world.app, actor, &token.id).await
}

pub fn invitations() -> Vec<Case> {
    vec![
        case!(writes MemberManage InStudy: invitation::create, |w, a| {
            invitation::create(&w.app, a, Some(&w.study), Role::Rater, "Dr Lind", 14)
        }),
        case!(writes UserManage OnServer: invitation::create, |w, a| {
            invitation::create(&w.app, a, None, Role::Admin, "Root", 14)
        }),
        case!(reads MemberManage InStudy: invitation::list, |w, a| {
            invitation::list(&w.app, a, Some(&w.study))
        }),
        case!(reads UserManage OnServer: invitation::list, |w, a| invitation::list(&w.app, a, None)),
        case!(writes MemberManage InStudy: invitation::revoke, |w, a| async {
            invitation::revoke(&w.app, a, &invited(w, Some(&w.study)).await.0).await
        }),
        case!(writes UserManage OnServer: invitation::revoke, |w, a| async {
            invitation::revoke(&w.app, a, &invited(w, None).await.0).await
        }),
        // Whoever holds the link may come in: that is what it is for.
        case!(writes OwnAccount OnServer: invitation::join, |w, a| async {
            invitation::join(&w.app, a, &invited(w, Some(&w.study)).await.1).await
        }),
    ]
}

/// A new invitation by the command line and its secret.
async fn invited(world: &World, study: Option<&StudyId>) -> (String, String) {
    let operator = Actor::operator();
    let role = if study.is_some() {
        Role::Rater
    } else {
        Role::Admin
    };
    let name = world.app.id();
    let secret = invitation::create(&world.app, &operator, study, role, &name, 14)
        .await
        .unwrap();
    let rows = invitation::list(&world.app, &operator, study)
        .await
        .unwrap();
    let row = rows.into_iter().find(|row| row.display_name == name);
    (row.unwrap().id, secret)
}

pub fn studies() -> Vec<Case> {
    vec![
        case!(writes StudyCreate OnServer: study::create, |w, a| async {
            study::create(&w.app, a, &w.app.id(), SchemeSource::Builtin("stigma".into())).await
        }),
        case!(reads StudyList OnServer: study::list, |w, a| study::list(&w.app, a)),
        case!(reads StudyRead InStudy: study::find, |w, a| study::find(&w.app, a, "study")),
        case!(reads StudyRead InStudy: study::overview, |w, a| study::overview(&w.app, a, &w.study)),
        case!(reads StudyRead InStudy: study::roles, |w, a| study::roles(&w.app, a, &w.study)),
        case!(reads StudyRead InStudy: study::scheme_text, |w, a| {
            study::scheme_text(&w.app, a, &w.study)
        }),
        case!(writes StudyManage InStudy: study::set_blinding, |w, a| {
            let to = Blinding { model: false, condition: true, judge_severity: a.is_admin };
            study::set_blinding(&w.app, a, &w.study, to)
        }),
        case!(writes StudyManage InStudy: study::set_state, |w, a| {
            let to = if a.is_admin { StudyState::Reconciling } else { StudyState::Collecting };
            study::set_state(&w.app, a, &w.study, to, "")
        }),
    ]
}

pub fn members() -> Vec<Case> {
    vec![
        case!(reads MemberManage InStudy: member::list, |w, a| member::list(&w.app, a, &w.study)),
        case!(writes MemberManage InStudy: member::add, |w, a| async {
            member::add(&w.app, a, &w.study, &w.newcomer().await.name, Role::Reader).await
        }),
        case!(writes MemberManage InStudy: member::set_active, |w, a| {
            member::set_active(&w.app, a, &w.study, &w.raters[0].user, Role::Rater, a.is_admin)
        }),
        case!(reads AuditRead InStudy: audit::page, |w, a| async {
            audit::page(&w.app, a, &w.study, &AuditFilter::default(), i64::MAX, 10).await
        }),
        case!(reads AuditRead InStudy: audit::actors, |w, a| audit::actors(&w.app, a, &w.study)),
        case!(reads AuditRead InStudy: audit::verify, |w, a| audit::verify(&w.app, a, &w.study)),
    ]
}

pub fn imports() -> Vec<Case> {
    vec![
        case!(reads ImportRun InStudy: study::may_import, |w, a| {
            study::may_import(&w.app, a, &w.study)
        }),
        case!(writes ImportRun InStudy: import::run, |w, a| async {
            w.import(a, &w.app.id()).await
        }),
        case!(reads ImportRun InStudy: import::codes, |w, a| import::codes(&w.app, a, &w.study)),
        case!(writes ImportRun InStudy: folder::run, |w, a| async {
            w.import_folder(a).await
        }),
        case!(reads ImportRun InStudy: folder::trial, |w, a| async {
            w.try_folder(a).await
        }),
        case!(reads ItemRead InStudy: item::list, |w, a| {
            item::list(&w.app, a, &w.study, ItemFilter::default(), ItemPage::default())
        }),
        case!(reads ItemRead InStudy: item::get, |w, a| async {
            item::get(&w.app, a, &w.item().await).await
        }),
        case!(writes ImportRun InStudy: item::divide, |w, a| async {
            let item = w.item().await;
            let seen = item::get(&w.app, &Actor::operator(), &item).await?.item.segments.len();
            item::divide(&w.app, a, &item, seen, &Division::Anew).await
        }),
        case!(writes ImportRun InStudy: item::set_points, |w, a| async {
            let item = w.item_with_points().await;
            item::set_points(&w.app, a, &item, &[], &["Sleep improved.".to_owned()]).await
        }),
    ]
}

pub fn batches() -> Vec<Case> {
    vec![
        case!(reads BatchManage InStudy: batch::plan, |w, a| async {
            w.item().await;
            batch::plan(&w.app, a, &w.study, one(&[&w.raters[0]])).await
        }),
        case!(writes BatchManage InStudy: batch::create, |w, a| async {
            w.item().await;
            batch::create(&w.app, a, &w.study, one(&[&w.raters[0]])).await
        }),
        case!(reads ProgressRead InStudy: batch::list, |w, a| batch::list(&w.app, a, &w.study)),
        case!(reads ProgressRead InStudy: batch::assignments, |w, a| async {
            batch::assignments(&w.app, a, &w.batch(&[&w.raters[0]]).await).await
        }),
        case!(writes BatchManage InStudy: batch::take_back, |w, a| async {
            let batch = w.batch(&[&w.raters[0]]).await;
            batch::take_back(&w.app, a, &w.first_of(&batch).await.0).await
        }),
        case!(writes BatchManage InStudy: batch::reassign, |w, a| async {
            let batch = w.batch(&[&w.raters[0]]).await;
            let id = w.first_of(&batch).await.0;
            batch::take_back(&w.app, &Actor::operator(), &id).await?;
            batch::reassign(&w.app, a, &id, &w.raters[1].user).await
        }),
        case!(writes BatchManage InStudy: desk::reopen_for, |w, a| async {
            let id = w.submitted(a).await;
            desk::reopen_for(&w.app, a, &id, "asked for").await
        }),
    ]
}

pub fn desk() -> Vec<Case> {
    vec![
        case!(reads StudyList OnServer: desk::my_work, |w, a| desk::my_work(&w.app, a)),
        case!(writes Annotate ByOwner: desk::open, |w, a| async {
            desk::open(&w.app, a, &w.assignment(a).await.1).await
        }),
        case!(writes Annotate ByOwner: desk::save, |w, a| async {
            let (owner, id) = w.assignment(a).await;
            let view = w.open(&owner, &id).await;
            desk::save(&w.app, a, &id, w.save(&view, 2.0)).await
        }),
        case!(writes Annotate ByOwner: desk::submit, |w, a| async {
            let (owner, id) = w.assignment(a).await;
            let view = w.open(&owner, &id).await;
            desk::submit(&w.app, a, &id, w.save(&view, 2.0)).await
        }),
        case!(writes Annotate ByOwner: desk::cannot_rate, |w, a| async {
            let (owner, id) = w.assignment(a).await;
            let version = w.open(&owner, &id).await.version;
            let reason = "language".to_owned();
            desk::cannot_rate(&w.app, a, &id, version, reason, String::new()).await
        }),
        case!(writes Annotate ByOwner: desk::hand_back, |w, a| async {
            desk::hand_back(&w.app, a, &w.assignment(a).await.1).await
        }),
        case!(writes Annotate ByOwner: desk::resume, |w, a| resume(w, a)),
        case!(writes Annotate ByOwner: desk::reopen, |w, a| reopen(w, a)),
    ]
}

/// Takes up what its rater handed back.
async fn resume(world: &World, actor: &Actor) -> service::Result<i64> {
    let (owner, id) = world.assignment(actor).await;
    let handed_back = desk::hand_back(&world.app, &owner, &id);
    world.stage(&owner, handed_back).await?;
    desk::resume(&world.app, actor, &id).await
}

/// Opens again what its rater submitted.
async fn reopen(world: &World, actor: &Actor) -> service::Result<i64> {
    let id = world.submitted(actor).await;
    desk::reopen(&world.app, actor, &id).await
}

pub fn snapshots() -> Vec<Case> {
    vec![
        case!(reads SnapshotRead InStudy: snapshot::readiness, |w, a| {
            snapshot::readiness(&w.app, a, &w.study)
        }),
        case!(writes SignOff InStudy: snapshot::sign_off, |w, a| async {
            w.unit().await;
            let signed = snapshot::sign_off(&w.app, a, &w.study, w.sign_off().await).await?;
            w.reopen().await;
            Ok::<_, service::Error>(signed)
        }),
        case!(reads SnapshotRead InStudy: snapshot::list, |w, a| {
            snapshot::list(&w.app, a, &w.study)
        }),
        case!(reads SnapshotRead InStudy: snapshot::get, |w, a| async {
            snapshot::get(&w.app, a, &w.study, w.snapshot().await).await
        }),
        case!(reads SnapshotRead InStudy: snapshot::content, |w, a| async {
            snapshot::content(&w.app, a, &w.study, w.snapshot().await).await
        }),
        case!(reads SnapshotRead InStudy: snapshot::labels, |w, a| {
            snapshot::labels(&w.app, a, &w.study, None)
        }),
        case!(reads SnapshotRead InStudy: snapshot::compare, |w, a| async {
            snapshot::compare(&w.app, a, &w.study, w.snapshot().await, None).await
        }),
    ]
}

pub fn rounds() -> Vec<Case> {
    vec![
        case!(reads StudyList OnServer: round::my_checks, |w, a| round::my_checks(&w.app, a)),
        case!(reads StudyList OnServer: round::my_feedback, |w, a| round::my_feedback(&w.app, a)),
        case!(reads BatchManage InStudy: round::plan_check, |w, a| async {
            w.unit().await;
            round::plan_check(&w.app, a, &w.study, check()).await
        }),
        case!(writes BatchManage InStudy: round::create_check, |w, a| async {
            w.unit().await;
            round::create_check(&w.app, a, &w.study, check()).await
        }),
        case!(writes Review ByOwner: round::review, |w, a| async {
            round::review(&w.app, a, &w.review(a).await.1).await
        }),
        case!(writes Review ByOwner: round::give, |w, a| async {
            let (owner, id) = w.review(a).await;
            let view = w.stage(&owner, round::review(&w.app, &owner, &id)).await?;
            let given = view.labels.into_iter().map(|label| Given {
                label: label.label,
                agrees: true,
                note: String::new(),
            });
            round::give(&w.app, a, &id, given.collect()).await
        }),
        case!(writes Review ByOwner: round::feedback, |w, a| async {
            round::feedback(&w.app, a, &w.calibrated(a).await.0).await
        }),
        case!(reads AgreementRead InStudy: round::disagreements, |w, a| {
            round::disagreements(&w.app, a, &w.study)
        }),
        case!(reads AgreementRead InStudy: round::disagreements_csv, |w, a| {
            round::disagreements_csv(&w.app, a, &w.study)
        }),
        case!(writes BatchManage InStudy: round::calibrate, |w, a| async {
            let batch = w.calibrated(a).await.1;
            round::calibrate(&w.app, a, &batch, None, Some(0.8)).await
        }),
        case!(reads AgreementRead InStudy: round::calibration, |w, a| async {
            round::calibration(&w.app, a, &w.calibrated(a).await.1).await
        }),
        case!(reads AuditRead InStudy: independence::report, |w, a| {
            independence::report(&w.app, a, &w.study, 0)
        }),
        case!(reads AuditRead InStudy: independence::csv, |w, a| {
            independence::csv(&w.app, a, &w.study)
        }),
    ]
}

/// A cross-check of everything.
fn check() -> NewCheck {
    NewCheck {
        name: "Check".to_owned(),
        per_model: 1_000,
        seed: Some(1),
    }
}

pub fn results() -> Vec<Case> {
    vec![
        case!(reads DisagreementRead InStudy: unit::queue, |w, a| async {
            unit::queue(&w.app, a, &w.study, &QueueFilter::default(), Page::default()).await
        }),
        case!(reads DisagreementRead InStudy: unit::get, |w, a| async {
            unit::get(&w.app, a, &w.unit().await).await
        }),
        case!(writes Rule InStudy: ruling::record, |w, a| rule(w, a)),
        case!(reads AgreementRead InStudy: agreement::report, |w, a| async {
            agreement::report(&w.app, a, &w.study, &AgreementQuery::default()).await
        }),
        case!(reads AgreementRead InStudy: agreement::reports, |w, a| async {
            agreement::reports(&w.app, a, &w.study, &[AgreementQuery::default()]).await
        }),
        case!(reads AgreementRead InStudy: agreement::estimates, |w, a| async {
            agreement::estimates(&w.app, a, &w.study, &[AgreementQuery::default()]).await
        }),
        case!(reads AgreementRead InStudy: agreement::settled, |w, a| async {
            agreement::settled(&w.app, a, &w.study, &AgreementQuery::default()).await
        }),
        case!(reads AgreementRead InStudy: retention::report, |w, a| async {
            retention::report(&w.app, a, &w.study, Question::Severity).await
        }),
        case!(reads AgreementRead InStudy: agreement::rows, |w, a| async {
            agreement::rows(&w.app, a, &w.study, &AgreementQuery::default(), None).await
        }),
        case!(reads AgreementRead InStudy: results::report, |w, a| async {
            results::report(&w.app, a, &w.study).await
        }),
        case!(writes ExportRun InStudy: export::write_dir, |w, a| async {
            let folder = tempfile::tempdir().unwrap();
            export::write_dir(&w.app, a, &w.study, folder.path(), ExportOptions::default()).await
        }),
        case!(writes ExportRun InStudy: export::to_file, |w, a| {
            export::to_file(&w.app, a, &w.study, ExportFile::Labels, ExportOptions::default())
        }),
    ]
}

async fn rule(world: &World, actor: &Actor) -> service::Result<()> {
    let unit = world.unit().await;
    let seen = unit::get(&world.app, &Actor::operator(), &unit).await?;
    let new = NewRuling {
        expected_ruling_version: seen.ruling_version,
        basis: seen.basis,
        outcome: Outcome::Adjudicator,
        validity: Some(Validity::Valid),
        code: None,
        severity: Some(3.0),
        cause: None,
        confidence: String::new(),
        note: "Settled.".to_owned(),
        agreed_by_raters: false,
        adopted_from: None,
        guideline_needs_work: false,
        span: None,
        merged_into: None,
        answer: Vec::new(),
    };
    ruling::record(&world.app, actor, &unit, new)
        .await
        .map(drop)
}

pub fn judges() -> Vec<Case> {
    vec![
        case!(reads JudgeRead InStudy: judge::list, |w, a| judge::list(&w.app, a, &w.study)),
        case!(reads JudgeRead InStudy: judge::split, |w, a| judge::split(&w.app, a, &w.study)),
        case!(writes JudgeManage InStudy: judge::draw_split, |w, a| {
            judge::draw_split(&w.app, a, &w.study, 50, None)
        }),
        case!(writes JudgeManage InStudy: judge::describe, |w, a| async {
            judge::describe(&w.app, a, &w.judge().await, judge::Facts::default()).await
        }),
        case!(reads JudgeManage InStudy: judge::few_shot, |w, a| async {
            judge::few_shot(&w.app, a, &w.judge().await).await
        }),
        case!(reads JudgeManage InStudy: judge::few_shot_of_files, |w, a| {
            judge::few_shot_of_files(&w.app, a, &w.study)
        }),
        case!(writes JudgeManage InStudy: judge::set_few_shot, |w, a| async {
            judge::set_few_shot(&w.app, a, &w.judge().await, &[]).await
        }),
        case!(writes JudgeManage InStudy: import::compared, |w, a| async {
            w.compare(a, &w.app.id()).await
        }),
        case!(reads JudgeRead InStudy: corpus::report, |w, a| corpus::report(&w.app, a, &w.study, "")),
        case!(reads JudgeRead InStudy: corpus::file, |w, a| async {
            w.item().await;
            corpus::file(&w.app, a, &w.study, "", "rates.csv").await
        }),
        case!(reads JudgeRead InStudy: corpus::answers_alone, |w, a| corpus::answers_alone(&w.app, a, &w.study)),
        case!(reads ItemRead InStudy: corpus::examples, |w, a| async {
            let judge = w.judge().await;
            corpus::examples(&w.app, a, &w.study, (&judge, ""), [false, true]).await
        }),
        case!(reads JudgeRead InStudy: plan::simulate, |w, a| async {
            plan::simulate(&w.app, a, &w.study, plan::Target::F1, 0.1).await
        }),
        case!(reads JudgeRead InStudy: report::get, |w, a| report::get(&w.app, a, &w.study)),
        case!(reads JudgeRead InStudy: report::file, |w, a| {
            report::file(&w.app, a, &w.study, "report.md")
        }),
        case!(reads JudgeRead InStudy: report::terms, |w, a| report::terms(&w.app, a, &w.study)),
        case!(writes JudgeManage InStudy: report::set_terms, |w, a| {
            report::set_terms(&w.app, a, &w.study, report::Terms::default())
        }),
        case!(writes ExportRun InStudy: report::mitigation, |w, a| async {
            let terms = report::Terms { licence: "CC0".to_owned(), training: true, ..report::Terms::default() };
            report::set_terms(&w.app, &Actor::operator(), &w.study, terms).await?;
            report::mitigation(&w.app, a, &w.study).await
        }),
        case!(reads JudgeRead InStudy: validation::report, |w, a| async {
            w.unit().await;
            validation::report(&w.app, a, &w.study, &ValidationQuery::default()).await
        }),
        case!(reads JudgeRead InStudy: validation::settled, |w, a| async {
            w.unit().await;
            validation::settled(&w.app, a, &w.study, &ValidationQuery::default()).await
        }),
        case!(reads JudgeRead InStudy: validation::compare, |w, a| async {
            let judge = w.judge().await;
            let pair = [judge.as_str(), judge.as_str()];
            validation::compare(&w.app, a, &w.study, pair, &ValidationQuery::default()).await
        }),
    ]
}
