//! The raters that a file names: accounts without a password, so that nobody can sign in as them.

use crate::error::Result;
use crate::name;
use crate::services::Services;
use domain::id::{StudyId, UserId};
use domain::refusal::Refusal;
use domain::role::Role;
use std::collections::HashMap;
use store::AnyConnection;
use store::account::User;

/// The raters met so far.
#[derive(Default)]
pub(super) struct People {
    by_name: HashMap<String, UserId>,
    /// How many of them the study did not have.
    pub(super) new: u64,
}

impl People {
    /// The account of this name, made when there is none, as a rater of the study; nothing when it is no name.
    pub(super) async fn rater(
        &mut self,
        app: &Services,
        connection: &mut AnyConnection,
        study: &StudyId,
        named: &str,
    ) -> Result<Option<UserId>> {
        if let Some(known) = self.by_name.get(named) {
            return Ok(Some(known.clone()));
        }
        let sound = match name::of_account(named) {
            Ok(sound) => sound,
            Err(Refusal::NameInvalid) => return Ok(None),
            Err(refusal) => return Err(refusal.into()),
        };
        let folded = name::folded(&sound);
        let user = match store::account::by_name(connection, &folded).await? {
            Some(user) => user.id,
            None => make(app, connection, sound, &folded).await?,
        };
        let roles = store::member::roles(connection, study, &user).await?;
        let is_new = !roles.unwrap_or_default().contains(&Role::Rater);
        self.new += u64::from(is_new);
        store::member::put(connection, study, &user, Role::Rater, app.now()).await?;
        self.by_name.insert(named.to_owned(), user.clone());
        Ok(Some(user))
    }
}

async fn make(
    app: &Services,
    connection: &mut AnyConnection,
    named: String,
    folded: &str,
) -> Result<UserId> {
    let id = UserId::new(app.id());
    let user = User {
        id: id.clone(),
        display_name: named.clone(),
        name: named,
        password_hash: String::new(),
        is_admin: false,
        active: true,
        created_at: app.now(),
    };
    store::account::insert(connection, &user, folded).await?;
    Ok(id)
}
