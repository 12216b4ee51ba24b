//! Connections: many readers and, on SQLite, one writer, so that writers queue here and not in the engine.

use crate::error::{Error, Result};
use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, Transaction};
use std::path::Path;
use std::time::Duration;

/// A transaction; dropped without a commit it rolls back.
pub type Tx = Transaction<'static, Any>;

static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations");

/// Which engine is behind a [`Db`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// One file, one process.
    Sqlite,
    /// A server that several processes share.
    Postgres,
}

/// The database.
#[derive(Clone, Debug)]
pub struct Db {
    read: AnyPool,
    write: AnyPool,
    engine: Engine,
}

impl Db {
    /// Opens the database and applies the migrations.
    ///
    /// # Errors
    /// When the address is not understood, the engine does not answer or a migration fails.
    pub async fn open(url: &str) -> Result<Self> {
        sqlx::any::install_default_drivers();
        let db = if url.starts_with("sqlite:") {
            Self::open_sqlite(url).await?
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            let pool = AnyPoolOptions::new()
                .max_connections(16)
                .acquire_timeout(Duration::from_secs(30))
                .connect(url)
                .await?;
            Self {
                read: pool.clone(),
                write: pool,
                engine: Engine::Postgres,
            }
        } else {
            return Err(Error::UnknownEngine);
        };
        MIGRATIONS.run(&db.write).await?;
        Ok(db)
    }

    async fn open_sqlite(url: &str) -> Result<Self> {
        create_folder_of(url);
        let url = &creating(url);
        let options = |size: u32| {
            AnyPoolOptions::new()
                .max_connections(size)
                .min_connections(1)
                // A writer that waits for a long import must not give up before it is over.
                .acquire_timeout(Duration::from_mins(2))
                .max_lifetime(None)
                .idle_timeout(None)
                // A file does not hang up: asking it before every use would cost a third of a short query.
                .test_before_acquire(false)
                .after_connect(|connection, _| {
                    Box::pin(async move {
                        sqlx::raw_sql(
                            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                             PRAGMA busy_timeout = 30000; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY;",
                        )
                        .execute(connection)
                        .await?;
                        Ok(())
                    })
                })
        };
        let write = options(1).connect(url).await?;
        if url.contains(":memory:") {
            return Ok(Self {
                read: write.clone(),
                write,
                engine: Engine::Sqlite,
            });
        }
        let read = options(4).connect(url).await?;
        Ok(Self {
            read,
            write,
            engine: Engine::Sqlite,
        })
    }

    /// Whether there is a database at this address; of a server only opening it tells.
    pub fn is_there(url: &str) -> bool {
        !url.starts_with("sqlite:") || url.contains(":memory:") || file_of(url).exists()
    }

    /// Which engine this is.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// A connection for reading.
    ///
    /// # Errors
    /// When none is to be had in time.
    pub async fn read(&self) -> Result<PoolConnection<Any>> {
        Ok(self.read.acquire().await?)
    }

    /// Begins a writing transaction. On SQLite it takes the write lock at once: a transaction that
    /// begins by reading and writes later could be refused in the middle.
    ///
    /// # Errors
    /// When no connection is to be had in time.
    pub async fn begin(&self) -> Result<Tx> {
        Ok(match self.engine {
            Engine::Sqlite => self.write.begin_with("BEGIN IMMEDIATE").await?,
            Engine::Postgres => self.write.begin().await?,
        })
    }

    /// Begins a transaction that only reads, so that several queries see one state.
    ///
    /// # Errors
    /// When no connection is to be had in time.
    pub async fn snapshot(&self) -> Result<Tx> {
        Ok(match self.engine {
            Engine::Sqlite => self.read.begin().await?,
            Engine::Postgres => {
                self.read
                    .begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    .await?
            }
        })
    }

    /// Asks the engine for a sign of life.
    ///
    /// # Errors
    /// When it gives none.
    pub async fn ping(&self) -> Result<()> {
        let mut connection = self.read().await?;
        sqlx::query("SELECT 1").execute(&mut *connection).await?;
        Ok(())
    }

    /// Closes every connection, waiting for those in use.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

/// The page cache of a connection in ordinary times, and while an import runs, in KiB.
const CACHE: [&str; 2] = ["PRAGMA cache_size = -16000", "PRAGMA cache_size = -64000"];

impl Db {
    /// Gives the connection a page cache for bulk work, or takes it back: without one SQLite writes and reads the
    /// same index pages over and over once a transaction outgrows the ordinary cache.
    ///
    /// # Errors
    /// When the engine refuses.
    pub async fn widen(&self, connection: &mut sqlx::AnyConnection, wide: bool) -> Result<()> {
        if self.engine == Engine::Sqlite {
            sqlx::raw_sql(CACHE[usize::from(wide)])
                .execute(connection)
                .await?;
        }
        Ok(())
    }
}

/// A file that is not there yet is made, unless the address says otherwise.
fn creating(url: &str) -> String {
    match url.split_once('?') {
        Some((_, query)) if query.contains("mode=") => url.to_owned(),
        Some(_) => format!("{url}&mode=rwc"),
        None if url.contains(":memory:") => url.to_owned(),
        None => format!("{url}?mode=rwc"),
    }
}

/// The file that an address of SQLite names.
fn file_of(url: &str) -> &Path {
    let path = url.trim_start_matches("sqlite:").trim_start_matches("//");
    Path::new(path.split('?').next().unwrap_or_default())
}

/// A fresh installation names a file in a folder that may not exist yet.
fn create_folder_of(url: &str) {
    if let Some(folder) = file_of(url)
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        tracing::warn!(%error, "the folder of the database could not be made");
    }
}

/// Fails unless exactly `expected` rows were touched.
///
/// # Errors
/// [`Error::RowsAffected`] otherwise.
pub fn expect_rows(table: &'static str, found: u64, expected: u64) -> Result<()> {
    if found == expected {
        Ok(())
    } else {
        Err(Error::RowsAffected {
            table,
            expected,
            found,
        })
    }
}

/// Makes an empty database on a PostgreSQL server and returns its address: every test gets its own.
///
/// # Errors
/// When the server refuses.
pub async fn create_database(server: &str, name: &str) -> Result<String> {
    sqlx::any::install_default_drivers();
    let pool = AnyPoolOptions::new()
        .max_connections(1)
        .connect(server)
        .await?;
    // The name is made by the caller from a UUID, so that it needs no quoting.
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}")))
        .execute(&pool)
        .await?;
    pool.close().await;
    let (base, query) = server
        .split_once('?')
        .map_or((server, ""), |(base, query)| (base, query));
    let root = base.rsplit_once('/').map_or(base, |(root, _)| root);
    Ok(if query.is_empty() {
        format!("{root}/{name}")
    } else {
        format!("{root}/{name}?{query}")
    })
}

#[cfg(test)]
mod address_tests {
    use super::creating;

    #[test]
    fn a_plain_path_makes_its_file_and_a_stated_mode_stands() {
        assert_eq!(creating("sqlite:a.db"), "sqlite:a.db?mode=rwc");
        assert_eq!(
            creating("sqlite:a.db?cache=shared"),
            "sqlite:a.db?cache=shared&mode=rwc"
        );
        assert_eq!(creating("sqlite:a.db?mode=ro"), "sqlite:a.db?mode=ro");
        assert_eq!(creating("sqlite::memory:"), "sqlite::memory:");
    }
}
