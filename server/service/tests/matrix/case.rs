//! One use case as the matrix walks it.

use crate::world::World;
use domain::role::Action;
use service::Actor;
use std::pin::Pin;

/// How somebody without the right is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// A member is told, anybody else does not learn that the study exists.
    InStudy,
    /// It is no study's: everybody is told.
    OnServer,
    /// What is not one's own is not there.
    ByOwner,
}

pub type Outcome<'a> = Pin<Box<dyn Future<Output = service::Result<()>> + 'a>>;

/// A use case, the action it authorises, and how it is called.
pub struct Case {
    pub path: &'static str,
    pub action: Action,
    pub denied: Denied,
    /// Whether it leaves an audit row.
    pub writes: bool,
    pub run: for<'a> fn(&'a World, &'a Actor) -> Outcome<'a>,
}

impl Case {
    /// `module::function`.
    pub fn name(&self) -> String {
        self.path.replace(' ', "")
    }
}

/// `case(reads StudyRead InStudy: study::overview, |world, actor| a future of its result)`.
macro_rules! case {
    (@writes reads) => { false };
    (@writes writes) => { true };
    ($does:ident $action:ident $denied:ident: $path:path, |$world:ident, $actor:ident| $call:expr) => {
        Case {
            path: stringify!($path),
            action: Action::$action,
            denied: Denied::$denied,
            writes: case!(@writes $does),
            run: |$world, $actor| Box::pin(async move { $call.await.map(drop) }),
        }
    };
}

pub(crate) use case;
