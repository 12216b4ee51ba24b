//! Throw-away databases for tests, on the engine that the environment names.

use crate::actor::Actor;
use crate::services::Services;
use crate::snapshot::{self, Group, SignOff, SnapshotRow};
use crate::source::{CountingRandom, FixedClock};
use domain::id::{StudyId, UserId};
use std::sync::Arc;
use store::Db;
use tempfile::TempDir;

/// Services on a database of their own; dropped with it.
pub struct TestServices {
    /// The services.
    pub app: Services,
    /// Their clock.
    pub clock: Arc<FixedClock>,
    _folder: Option<TempDir>,
}

impl std::ops::Deref for TestServices {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.app
    }
}

/// The start of every test's time: 2026-01-05 09:00 UTC.
pub const START: i64 = 1_767_603_600_000;

/// Opens a fresh database: on PostgreSQL when `CONSILIUM_TEST_DATABASE_URL` names a server, else on SQLite.
///
/// # Panics
/// When no database can be had; a test cannot go on without one.
pub async fn services() -> TestServices {
    let (url, folder) = fresh_url().await;
    let db = Db::open(&url).await.expect("a fresh database opens");
    let clock = FixedClock::at(START);
    let app = Services::with(db, clock.clone(), Arc::new(CountingRandom::default()));
    TestServices {
        app,
        clock,
        _folder: folder,
    }
}

/// The address of a fresh, empty database on the engine under test, and the folder that holds it.
///
/// # Panics
/// When it cannot be made.
pub async fn fresh_url() -> (String, Option<TempDir>) {
    if let Ok(server) = std::env::var("CONSILIUM_TEST_DATABASE_URL") {
        return (
            store::db::create_database(&server, &uuid_name())
                .await
                .expect("a database is created"),
            None,
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!(
        "sqlite://{}?mode=rwc",
        folder.path().join("test.db").display()
    );
    (url, Some(folder))
}

/// A sign-off by name that leaves out all that is not settled.
pub fn leaving_all_out() -> SignOff {
    let group = |state: &str| Group {
        state: state.to_owned(),
        reason: "not finished".to_owned(),
    };
    SignOff {
        name: "Dr Ada Lind".to_owned(),
        groups: ["open", "disputed", "in_discussion", "stale"]
            .map(group)
            .to_vec(),
        ..SignOff::default()
    }
}

/// Signs a study off as it stands.
///
/// # Panics
/// When it cannot be.
pub async fn sign_off(app: &Services, who: &Actor, study: &StudyId) -> SnapshotRow {
    let ready = snapshot::readiness(app, who, study).await;
    let new = SignOff {
        basis: ready.expect("readable").basis,
        ..leaving_all_out()
    };
    snapshot::sign_off(app, who, study, new)
        .await
        .expect("signed off")
}

fn uuid_name() -> String {
    format!("t{}", uuid::Uuid::new_v4().simple())
}

/// A person with an account that nobody signs in to: hashing a password is slow and no part of most tests.
///
/// # Panics
/// When the name is taken; a test cannot go on without its people.
pub async fn person(app: &Services, name: &str) -> Actor {
    let user = store::account::User {
        id: UserId::new(app.id()),
        name: name.to_owned(),
        display_name: format!("Dr {name}"),
        password_hash: "none".to_owned(),
        is_admin: false,
        active: true,
        created_at: app.now(),
    };
    let mut tx = app.db.begin().await.expect("a transaction begins");
    let inserted = store::account::insert(&mut tx, &user, &name.to_lowercase()).await;
    assert!(inserted.expect("an account is inserted"));
    tx.commit().await.expect("an account is kept");
    let found = crate::account::find(app, &Actor::operator(), name).await;
    found.expect("an account is found")
}

#[cfg(test)]
mod tests {
    use crate::{Actor, Audit};
    use domain::role::Action;
    use store::audit;

    #[tokio::test]
    async fn a_committed_use_case_leaves_one_chained_audit_row() {
        let app = super::services().await;
        for verb in ["one", "two"] {
            let tx = app.db.begin().await.expect("a transaction");
            let details = serde_json::json!({});
            let audit = Audit {
                study: None,
                action: Action::UserManage,
                verb,
                subject: "x",
                details,
            };
            app.commit(tx, &Actor::operator(), audit)
                .await
                .expect("committed");
        }
        let mut db = app.db.read().await.expect("a connection");
        let rows = audit::after(&mut db, "", 0, 10).await.expect("rows");
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].previous, rows[0].hash);
        assert_eq!(rows[1].action, "user.manage.two");
        assert_eq!(
            audit::head(&mut db, "").await.expect("head"),
            (2, rows[1].hash.clone())
        );
    }
}
