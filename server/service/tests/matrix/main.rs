//! Who may do what: every use case walked with every role, on the engine under test.
//!
//! A use case is one line in [`cases`]. Two tests watch that none is left out: one reads the table of
//! actions, the other the signatures of the crate.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where its stage cannot be set"
)]

mod case;
mod cases;
mod points;
mod reconciling;
mod world;

use case::{Case, Denied};
use domain::refusal::Refusal;
use domain::role::{Action, Role, may};
use service::{account, session, study};
use std::collections::BTreeSet;
use std::path::Path;
use tower_sessions::SessionStore;
use world::{Who, World};

/// What the table of actions says: nothing when it is allowed, else what the person is told.
fn refusals(case: &Case, who: Who) -> &'static [Refusal] {
    let roles: &[Role] = match who {
        Who::Member(role) => &[role],
        Who::Removed | Who::Stranger => &[],
    };
    if may(roles, case.action) {
        return &[];
    }
    match (case.denied, who) {
        (Denied::OnServer, _) | (Denied::InStudy, Who::Member(_)) => &[Refusal::Forbidden],
        // Somebody else's assignment is not there, whatever else one may do in the study.
        (Denied::ByOwner | Denied::InStudy, _) => &[Refusal::NotFound],
    }
}

async fn walk(cases: &[Case]) {
    for case in cases {
        let world = World::new().await;
        for who in Who::ALL {
            let actor = world.actor(who);
            let before = world.audit_rows_of(&actor).await;
            let outcome = (case.run)(&world, &actor).await;
            let rows = world.audit_rows_of(&actor).await - before;
            let expected = refusals(case, who);
            let place = format!("{} by {who:?}", case.name());
            match outcome {
                Ok(()) => {
                    assert!(expected.is_empty(), "{place} is allowed");
                    assert_eq!(rows, i64::from(case.writes), "audit rows of {place}");
                }
                Err(error) => {
                    let refusal = error.refusal();
                    assert!(
                        expected.contains(&refusal),
                        "{place}: {error:?}, not {expected:?}"
                    );
                    assert_eq!(rows, 0, "{place} was refused and left an audit row");
                }
            }
        }
    }
}

#[tokio::test]
async fn accounts_and_invitations() {
    walk(&cases::accounts()).await;
    walk(&cases::invitations()).await;
}

#[tokio::test]
async fn studies_members_and_the_audit_log() {
    walk(&cases::studies()).await;
    walk(&cases::members()).await;
}

#[tokio::test]
async fn imports_items_and_batches() {
    walk(&cases::imports()).await;
    walk(&cases::batches()).await;
}

#[tokio::test]
async fn the_desk() {
    walk(&cases::desk()).await;
}

#[tokio::test]
async fn sign_off_and_snapshots() {
    walk(&cases::snapshots()).await;
}

#[tokio::test]
async fn rounds_and_independence() {
    walk(&cases::rounds()).await;
}

#[tokio::test]
async fn units_rulings_agreement_and_exports() {
    walk(&cases::results()).await;
}

#[tokio::test]
async fn judges_and_their_validation() {
    walk(&cases::judges()).await;
}

#[tokio::test]
async fn discussions_triage_and_the_manual() {
    walk(&reconciling::cases()).await;
}

#[tokio::test]
async fn whoever_is_signed_out_is_nobody() {
    let world = World::new().await;
    let actor = world.actor(Who::Member(Role::Rater));
    let store = session::Store::new(world.app.app.clone());
    let mut record = world::session_of(&actor);
    store.create(&mut record).await.unwrap();
    let secret = account::create_token(&world.app, &actor, "script", None)
        .await
        .unwrap();
    assert_eq!(
        account::by_token(&world.app, &secret).await.unwrap(),
        Some(actor.clone())
    );

    let operator = service::Actor::operator();
    account::set_active(&world.app, &operator, &actor.user, false)
        .await
        .unwrap();
    assert_eq!(store.load(&record.id).await.unwrap(), None);
    for nobody in [
        account::by_session(&world.app, &actor.user).await,
        account::by_session(&world.app, &operator.user).await,
        account::by_token(&world.app, &secret).await,
        account::by_token(&world.app, "").await,
    ] {
        assert_eq!(nobody.unwrap(), None);
    }
}

#[tokio::test]
async fn how_many_units_differ_is_told_to_whoever_may_see_which() {
    let world = World::new().await;
    world.unit().await;
    for role in Role::ALL {
        let actor = world.actor(Who::Member(role));
        let view = study::overview(&world.app, &actor, &world.study)
            .await
            .unwrap();
        // Both candidates got 1 from one rater and 5 from the other.
        let told = if may(&[role], Action::DisagreementRead) {
            2
        } else {
            0
        };
        assert_eq!(view.counts.disputed, told, "{role:?}");
        assert_eq!(view.counts.candidates, 2);
    }
}

#[test]
fn every_action_has_a_case() {
    let cases = cases::all();
    for action in Action::ALL {
        assert!(
            cases.iter().any(|case| case.action == *action),
            "no case for {}",
            action.as_str()
        );
    }
}

/// Functions that take an actor without being a use case.
const NO_USE_CASES: [&str; 2] = ["auth::require", "services::commit"];

#[test]
fn every_use_case_that_takes_an_actor_has_a_case() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    collect(&source, None, &mut found);
    for name in NO_USE_CASES {
        assert!(found.remove(name), "{name} is not there any more");
    }
    let cases = cases::all().iter().map(Case::name).collect();
    assert_eq!(found, cases);
}

/// The public asynchronous functions below a folder that take an actor, as `module::function`.
fn collect(folder: &Path, module: Option<&str>, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let module = module.unwrap_or(&stem);
        if path.is_dir() {
            collect(&path, Some(module), found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for function in text.split("pub async fn ").skip(1) {
            let (name, rest) = function.split_once(['(', '<']).unwrap();
            let (parameters, _) = rest.split_once('{').unwrap();
            if parameters.contains("actor: &Actor") {
                found.insert(format!("{module}::{name}"));
            }
        }
    }
}
