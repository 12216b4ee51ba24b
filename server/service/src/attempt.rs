//! Guessing passwords: failures are counted by name and by address, and too many block for a while.

use crate::error::{Error, Result};
use crate::services::Services;
use domain::refusal::Refusal;
use store::{AnyConnection, Tx};

/// Failures that are free before a name or an address is blocked.
const FREE_FAILURES: i64 = 5;
/// How long the first block lasts; it doubles with every further failure.
const FIRST_BLOCK_MS: i64 = 30_000;
/// How long a block lasts at most.
const LONGEST_BLOCK_MS: i64 = 15 * 60_000;
/// How long the failures of a name count.
const NAME_MEMORY_MS: i64 = 24 * 3_600_000;
/// How long the failures of an address count. A whole clinic may share one, so it forgets sooner.
const ADDRESS_MEMORY_MS: i64 = 3_600_000;

/// Somebody who says a password.
pub(crate) struct Attempt {
    /// Whose failures are counted, and for how long each counts.
    subjects: Vec<(String, i64)>,
}

impl Attempt {
    /// An attempt for this account.
    pub(crate) fn for_name(folded: &str) -> Self {
        Self {
            subjects: vec![(format!("name:{folded}"), NAME_MEMORY_MS)],
        }
    }

    /// The same, coming from this address.
    pub(crate) fn at_address(mut self, address: &str) -> Self {
        self.subjects
            .push((format!("address:{address}"), ADDRESS_MEMORY_MS));
        self
    }

    /// Refuses while the name or the address is blocked: asked before a password is hashed.
    pub(crate) async fn open(&self, app: &Services) -> Result<()> {
        let mut db = app.db.read().await?;
        self.refuse_blocked(&mut db, app.now()).await
    }

    /// Counts a failure and says what the person is told.
    ///
    /// Guesses sent at once are all hashed before the first of them is counted. Once the block stands, wrong and
    /// right ones among them get one answer.
    pub(crate) async fn failed(&self, app: &Services) -> Error {
        match self.count(app).await {
            Ok(()) => Refusal::WrongCredentials.into(),
            Err(error) => error,
        }
    }

    /// Forgets the failures, in the transaction of what the password was said for. Somebody who signs in also
    /// clears their address: the others who share it would pay for their slips.
    pub(crate) async fn succeeded(&self, app: &Services, tx: &mut Tx) -> Result<()> {
        self.refuse_blocked(tx, app.now()).await?;
        for (subject, _) in &self.subjects {
            store::account::forget_failures(tx, subject).await?;
        }
        Ok(())
    }

    async fn count(&self, app: &Services) -> Result<()> {
        let now = app.now();
        let mut tx = app.db.begin().await?;
        for (subject, memory) in &self.subjects {
            // Counting takes the row's lock, so that the block is read as the failure before this one left it.
            let failures =
                store::account::count_failure(&mut tx, subject, now, now - memory).await?;
            if store::account::blocked_until(&mut tx, subject).await? > now {
                return Err(Refusal::TooManyAttempts.into());
            }
            if failures >= FREE_FAILURES {
                let block = block_after(failures);
                store::account::block(&mut tx, subject, now + block).await?;
            }
        }
        tx.commit().await.map_err(store::Error::from)?;
        Ok(())
    }

    async fn refuse_blocked(&self, connection: &mut AnyConnection, now: i64) -> Result<()> {
        for (subject, _) in &self.subjects {
            if store::account::blocked_until(connection, subject).await? > now {
                return Err(Refusal::TooManyAttempts.into());
            }
        }
        Ok(())
    }
}

/// Deletes failures that no longer count.
pub(crate) async fn sweep(connection: &mut AnyConnection, now: i64) -> Result<()> {
    store::account::sweep_failures(connection, now, now - NAME_MEMORY_MS).await?;
    Ok(())
}

fn block_after(failures: i64) -> i64 {
    let doublings = (failures - FREE_FAILURES).clamp(0, 10);
    (FIRST_BLOCK_MS << doublings).min(LONGEST_BLOCK_MS)
}

#[cfg(test)]
mod tests {
    use super::{ADDRESS_MEMORY_MS, Attempt, block_after};
    use crate::testing::{TestServices, services};
    use domain::refusal::Refusal;

    async fn fail(app: &TestServices, attempt: &Attempt, times: usize) -> Refusal {
        let mut last = Refusal::WrongCredentials;
        for _ in 0..times {
            last = attempt.failed(app).await.refusal();
        }
        last
    }

    async fn right(app: &TestServices, attempt: &Attempt) -> Option<Refusal> {
        let mut tx = app.db.begin().await.expect("a transaction");
        let outcome = attempt.succeeded(app, &mut tx).await;
        tx.commit().await.expect("committed");
        outcome.err().map(|error| error.refusal())
    }

    #[tokio::test]
    async fn a_right_guess_among_many_at_once_learns_no_more_than_a_wrong_one() {
        let app = services().await;
        let attempt = Attempt::for_name("ada");
        attempt.open(&app).await.expect("all of them were let in");
        assert_eq!(fail(&app, &attempt, 5).await, Refusal::WrongCredentials);
        assert_eq!(fail(&app, &attempt, 1).await, Refusal::TooManyAttempts);
        assert_eq!(right(&app, &attempt).await, Some(Refusal::TooManyAttempts));
        app.clock.advance(30_000);
        assert_eq!(
            right(&app, &attempt).await,
            None,
            "what came too late did not prolong the block"
        );
    }

    #[tokio::test]
    async fn an_address_is_cleared_by_whoever_signs_in_from_it_and_forgets_within_the_hour() {
        let app = services().await;
        let slips = Attempt::for_name("ada").at_address("clinic");
        fail(&app, &slips, 4).await;
        let bo = Attempt::for_name("bo").at_address("clinic");
        assert_eq!(right(&app, &bo).await, None);
        fail(&app, &bo, 4).await;
        bo.open(&app)
            .await
            .expect("eight failures of one address, but never five in a row");
        app.clock.advance(ADDRESS_MEMORY_MS + 1);
        let cy = Attempt::for_name("cy").at_address("clinic");
        fail(&app, &cy, 4).await;
        cy.open(&app)
            .await
            .expect("those of an hour ago are forgotten");
        fail(&app, &cy, 1).await;
        let refused = Attempt::for_name("di")
            .at_address("clinic")
            .open(&app)
            .await;
        assert_eq!(
            refused.expect_err("five in a row").refusal(),
            Refusal::TooManyAttempts
        );
    }

    #[test]
    fn a_block_doubles_from_half_a_minute_to_a_quarter_of_an_hour() {
        let seconds: Vec<_> = (5..12).map(|n| block_after(n) / 1_000).collect();
        assert_eq!(seconds, [30, 60, 120, 240, 480, 900, 900]);
        assert_eq!(block_after(i64::MAX), 900_000);
    }
}
