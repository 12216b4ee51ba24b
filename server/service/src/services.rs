//! What every use case stands on.

use crate::actor::Actor;
use crate::error::Result;
use crate::source::{Clock, Random, SystemClock, SystemRandom, new_id};
use domain::id::StudyId;
use domain::role::Action;
use std::sync::Arc;
use store::{Db, Tx};

/// What every use case stands on: the database, the clock and the source of randomness.
#[derive(Clone)]
pub struct Services {
    /// The database.
    pub db: Db,
    /// Where the time comes from.
    pub clock: Arc<dyn Clock>,
    /// Where secrets, ids and seeds come from.
    pub random: Arc<dyn Random>,
    /// Reports that were computed already.
    pub results: Arc<crate::agreement::Cache>,
    /// Validations of judges that were computed already.
    pub validated: Arc<crate::validation::Cache>,
    /// Results on all items that were computed already.
    pub corpora: Arc<crate::corpus::Cache>,
    /// Widths of intervals that were simulated already.
    pub plans: Arc<crate::plan::Cache>,
    /// What studies hold of items and judges' tags, counted already.
    pub holdings: Arc<crate::kept::Kept<StudyId, store::study::Holdings>>,
    /// Judges with the numbers of their runs, counted already.
    pub judges: Arc<crate::kept::Kept<StudyId, Vec<crate::judge::JudgeView>>>,
    /// Examples found already.
    pub examples: Arc<crate::corpus::Examples>,
    /// The same for retained sets.
    pub retained: Arc<crate::retention::Cache>,
    /// Drafts on their way to the database.
    pub drafts: Arc<crate::desk::Lanes>,
}

/// What a use case leaves in the audit log.
#[derive(Clone, Debug)]
pub struct Audit<'a> {
    /// The study, where there is one.
    pub study: Option<&'a StudyId>,
    /// What was done.
    pub action: Action,
    /// Which kind of it, for example `submit`; joined to the action's word by a dot.
    pub verb: &'a str,
    /// The id of what it was done to.
    pub subject: &'a str,
    /// More about it. Never clinical text.
    pub details: serde_json::Value,
}

impl Services {
    /// Services on this database with the machine's clock and generator.
    pub fn new(db: Db) -> Self {
        Self::with(db, Arc::new(SystemClock), Arc::new(SystemRandom))
    }

    /// Services on this database with a clock and a generator of one's own.
    pub fn with(db: Db, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self {
            db,
            clock,
            random,
            results: Arc::default(),
            validated: Arc::default(),
            corpora: Arc::default(),
            plans: Arc::default(),
            holdings: Arc::default(),
            judges: Arc::default(),
            examples: Arc::default(),
            retained: Arc::default(),
            drafts: Arc::default(),
        }
    }

    /// Epoch milliseconds, UTC.
    pub fn now(&self) -> i64 {
        self.clock.now()
    }

    /// A new time-ordered identity.
    pub fn id(&self) -> String {
        new_id(&*self.clock, &*self.random)
    }

    /// An unguessable secret of 256 bits, in hex.
    pub fn secret(&self) -> String {
        let mut bytes = [0u8; 32];
        self.random.fill(&mut bytes);
        hex::encode(bytes)
    }

    /// A seed that people can write down: positive and below 2^31.
    pub fn seed(&self) -> i64 {
        let mut bytes = [0u8; 4];
        self.random.fill(&mut bytes);
        i64::from(u32::from_be_bytes(bytes) >> 1)
    }

    /// Writes the audit row of a use case and commits: the two belong together.
    ///
    /// # Errors
    /// When the database fails; then nothing was written.
    pub async fn commit(&self, mut tx: Tx, actor: &Actor, audit: Audit<'_>) -> Result<()> {
        let action = format!("{}.{}", audit.action.as_str(), audit.verb);
        let details = audit.details.to_string();
        let entry = store::audit::Entry {
            at: self.now(),
            actor: actor.user.as_str(),
            action: &action,
            subject: audit.subject,
            details: &details,
        };
        let study = audit.study.map_or("", StudyId::as_str);
        store::audit::append(&mut tx, study, &[entry]).await?;
        tx.commit().await.map_err(store::Error::from)?;
        Ok(())
    }
}
