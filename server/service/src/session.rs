//! The store of tower-sessions over our own table.

use crate::account::hash_of_secret;
use crate::services::Services;
use async_trait::async_trait;
use domain::id::UserId;
use std::fmt;
use store::session as table;
use time::OffsetDateTime;
use tower_sessions::SessionStore;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error, Result};

/// Sessions in the database, found by the hash of the cookie's secret.
#[derive(Clone)]
pub struct Store(Services);

impl Store {
    /// A store on these services.
    pub fn new(app: Services) -> Self {
        Self(app)
    }

    /// Deletes sessions and failed sign-ins that no longer count.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sweep(&self) -> crate::Result<u64> {
        let now = self.0.now();
        let mut tx = self.0.db.begin().await?;
        let swept = table::sweep(&mut tx, now).await?;
        crate::attempt::sweep(&mut tx, now).await?;
        tx.commit().await.map_err(store::Error::from)?;
        Ok(swept)
    }

    fn row(&self, record: &Record) -> Result<table::Session> {
        let number = |key: &str| record.data.get(key).and_then(serde_json::Value::as_i64);
        let text = |key: &str| record.data.get(key).and_then(serde_json::Value::as_str);
        let now = self.0.now();
        Ok(table::Session {
            id: key(&record.id),
            user: text("user").map(UserId::new),
            data: serde_json::to_string(&record.data)
                .map_err(|error| Error::Encode(error.to_string()))?,
            created_at: number("since").unwrap_or(now),
            last_seen_at: number("seen").unwrap_or(now),
            expires_at: millis(record.expiry_date),
            user_agent: text("agent").unwrap_or_default().to_owned(),
        })
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Store")
    }
}

/// The key under which a session is stored; also what a person's list of sessions names it by.
pub fn key(id: &Id) -> String {
    hash_of_secret(&id.to_string())
}

#[async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> Result<()> {
        // 128 random bits do not collide; a new session is simply written.
        let row = self.row(record)?;
        let mut tx = self.0.db.begin().await.map_err(backend)?;
        table::put(&mut tx, &row).await.map_err(backend)?;
        tx.commit()
            .await
            .map_err(|error| Error::Backend(error.to_string()))
    }

    async fn save(&self, record: &Record) -> Result<()> {
        let row = self.row(record)?;
        let mut tx = self.0.db.begin().await.map_err(backend)?;
        // A session that was revoked while its request ran stays revoked.
        table::update(&mut tx, &row).await.map_err(backend)?;
        tx.commit()
            .await
            .map_err(|error| Error::Backend(error.to_string()))
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let mut db = self.0.db.read().await.map_err(backend)?;
        let Some(row) = table::get(&mut db, &key(id), self.0.now())
            .await
            .map_err(backend)?
        else {
            return Ok(None);
        };
        let data =
            serde_json::from_str(&row.data).map_err(|error| Error::Decode(error.to_string()))?;
        Ok(Some(Record {
            id: *id,
            data,
            expiry_date: from_millis(row.expires_at),
        }))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        let mut tx = self.0.db.begin().await.map_err(backend)?;
        table::delete(&mut tx, &key(id)).await.map_err(backend)?;
        tx.commit()
            .await
            .map_err(|error| Error::Backend(error.to_string()))
    }
}

fn backend(error: store::Error) -> Error {
    Error::Backend(error.to_string())
}

fn millis(at: OffsetDateTime) -> i64 {
    i64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX)
}

fn from_millis(millis: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
