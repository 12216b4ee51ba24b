//! Accounts, sessions, tokens, invitations, members and studies, on the engine under test.

mod accounts;
mod invitations;
mod sessions;
mod studies;

use domain::id::{StudyId, UserId};
use domain::refusal::Refusal;
use service::study::SchemeSource;
use service::testing::{START, TestServices};
use service::{Actor, account, study};
use std::collections::HashMap;
use tower_sessions::session::{Id, Record};

const PASSWORD: &str = "correct horse battery staple";

async fn person(app: &TestServices, name: &str, admin: bool) -> Actor {
    let operator = Actor::operator();
    account::add(app, &operator, name, name, admin, PASSWORD)
        .await
        .expect("added");
    account::find(app, &operator, name).await.expect("found")
}

async fn stigma(app: &TestServices, actor: &Actor, name: &str) -> StudyId {
    study::create(app, actor, name, SchemeSource::Builtin("stigma".into()))
        .await
        .expect("created")
}

fn refused<T: std::fmt::Debug>(result: service::Result<T>) -> Refusal {
    result.expect_err("refused").refusal()
}

fn record(user: &UserId) -> Record {
    let data = HashMap::from([
        ("user".to_owned(), serde_json::json!(user.as_str())),
        ("since".to_owned(), serde_json::json!(START)),
        ("seen".to_owned(), serde_json::json!(START)),
        ("agent".to_owned(), serde_json::json!("Browser")),
    ]);
    let expiry_date =
        time::OffsetDateTime::from_unix_timestamp((START + 3_600_000) / 1_000).expect("in range");
    Record {
        id: Id::default(),
        data,
        expiry_date,
    }
}
