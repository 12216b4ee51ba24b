//! What can go wrong below the use cases.

/// The result of a storage operation.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong below the use cases. Never shown to a person; logged once.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The driver or the engine failed.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A migration could not be applied.
    #[error("migration: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// What is stored breaks a rule of the domain.
    #[error("inconsistent row in {table}, column {column}, id {id}")]
    Inconsistent {
        /// Which table.
        table: &'static str,
        /// Which column.
        column: &'static str,
        /// Which row.
        id: String,
    },
    /// A write touched another number of rows than it must.
    #[error("{table}: {found} rows changed instead of {expected}")]
    RowsAffected {
        /// Which table.
        table: &'static str,
        /// How many must change.
        expected: u64,
        /// How many did.
        found: u64,
    },
    /// The database URL names no engine of ours.
    #[error("the database address must begin with sqlite: or postgres:")]
    UnknownEngine,
}

impl Error {
    /// A row that breaks a rule of the domain.
    pub fn inconsistent(table: &'static str, column: &'static str, id: &str) -> Self {
        Self::Inconsistent {
            table,
            column,
            id: id.to_owned(),
        }
    }

    /// Whether the database cannot hold a text that it was given: PostgreSQL has no NUL.
    pub fn is_text_refused(&self) -> bool {
        // 22021: character_not_in_repertoire
        matches!(self, Self::Database(sqlx::Error::Database(inner)) if inner.code().as_deref() == Some("22021"))
    }

    /// Whether a uniqueness rule of the database refused the write.
    pub fn is_unique_violation(&self) -> bool {
        matches!(self, Self::Database(sqlx::Error::Database(inner)) if inner.is_unique_violation())
    }
}
