//! Passwords: argon2id with the parameters that OWASP gives (19 MiB, two passes, one lane), on blocking threads.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use domain::refusal::Refusal;
use std::sync::LazyLock;
use tokio::sync::Semaphore;

/// How many are hashed at once: a flood of sign-ins must not take every core from the raters.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

/// What an unknown name is verified against, so that it costs what a known one does.
static DUMMY: LazyLock<String> =
    LazyLock::new(|| hash(b"nobody's password", b"a fixed salt for nobody").unwrap_or_default());

fn argon2() -> Argon2<'static> {
    Argon2::new(
        Algorithm::Argon2id,
        Version::V0x13,
        Params::new(19 * 1024, 2, 1, None).unwrap_or_default(),
    )
}

fn hash(password: &[u8], salt: &[u8]) -> Option<String> {
    let hash: PasswordHash = argon2().hash_password_with_salt(password, salt).ok()?;
    Some(hash.to_string())
}

/// Checks the length that a new password needs.
pub(crate) fn check(password: &str) -> Result<(), Refusal> {
    match password.chars().count() {
        0..12 => Err(Refusal::PasswordTooShort),
        12..=1000 => Ok(()),
        _ => Err(Refusal::PasswordTooLong),
    }
}

/// Hashes a new password with this salt.
pub(crate) async fn hashed(password: &str, salt: [u8; 16]) -> Result<String, Refusal> {
    check(password)?;
    let password = password.to_owned();
    let _turn = AT_ONCE.acquire().await.map_err(|_| Refusal::Internal)?;
    tokio::task::spawn_blocking(move || hash(password.as_bytes(), &salt))
        .await
        .ok()
        .flatten()
        .ok_or(Refusal::Internal)
}

/// Whether the password is the one of this hash; an absent hash costs the same and is never right.
pub(crate) async fn verified(password: &str, stored: Option<String>) -> Result<bool, Refusal> {
    let password = password.to_owned();
    let _turn = AT_ONCE.acquire().await.map_err(|_| Refusal::Internal)?;
    tokio::task::spawn_blocking(move || verify(&password, stored.as_deref()))
        .await
        .map_err(|_| Refusal::Internal)
}

fn verify(password: &str, stored: Option<&str>) -> bool {
    let known = stored.filter(|stored| !stored.is_empty());
    let against = known.unwrap_or(&DUMMY);
    let right = PasswordHash::new(against)
        .is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok());
    right && known.is_some()
}

#[cfg(test)]
mod tests {
    use super::{DUMMY, check, hashed, verified, verify};
    use domain::refusal::Refusal;

    #[tokio::test]
    async fn a_password_is_verified_and_its_hash_names_owasps_parameters() {
        let stored = hashed("a long passphrase", [7; 16]).await.expect("hashed");
        assert!(
            stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{stored}"
        );
        assert_eq!(
            verified("a long passphrase", Some(stored.clone())).await,
            Ok(true)
        );
        assert_eq!(
            verified("a wrong passphrase", Some(stored)).await,
            Ok(false)
        );
    }

    #[test]
    fn an_unknown_name_is_hashed_too_and_never_let_in() {
        assert!(DUMMY.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(!verify("nobody's password", None));
        assert!(
            !verify("nobody's password", Some("")),
            "an imported rater has no password"
        );
    }

    #[test]
    fn a_password_has_twelve_to_a_thousand_characters() {
        assert_eq!(check(&"ü".repeat(11)), Err(Refusal::PasswordTooShort));
        assert_eq!(check(&"ü".repeat(12)), Ok(()));
        assert_eq!(check(&"x".repeat(1001)), Err(Refusal::PasswordTooLong));
    }
}
