//! Who is asking.

use domain::id::UserId;

/// Who is asking: a signed-in person, the owner of a token, or the operator at the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The account.
    pub user: UserId,
    /// The name they sign in with.
    pub name: String,
    /// The name people read.
    pub display_name: String,
    /// Whether they hold the server-wide role of administrator.
    pub is_admin: bool,
}

impl Actor {
    /// Whoever runs the command line on the server: they hold the database file, so every right.
    pub fn operator() -> Self {
        Self {
            user: UserId::new("operator"),
            name: "operator".into(),
            display_name: "Operator".into(),
            is_admin: true,
        }
    }

    /// Whether this is the command line rather than an account.
    pub fn is_operator(&self) -> bool {
        self.user.as_str() == "operator"
    }
}
