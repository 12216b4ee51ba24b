//! Imports that run or have just run on this process: their progress, and their report.
//!
//! A report names what was found in a file, so it is kept in memory for the page that asked and nowhere else.

use domain::id::{StudyId, UserId};
use domain::refusal::Refusal;
use service::import::{ImportReport, Progress};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How many imports are remembered; the oldest finished one goes first.
const KEPT: usize = 40;

/// The imports of this process.
#[derive(Clone, Debug, Default)]
pub struct Imports(Arc<Mutex<VecDeque<Arc<Import>>>>);

/// One import.
#[derive(Debug)]
pub struct Import {
    /// Names it in addresses.
    pub id: String,
    /// Into which study.
    pub study: StudyId,
    /// Who asked for it; nobody else sees its report.
    pub user: UserId,
    /// The file's name.
    pub file_name: String,
    /// Whether it only says what would be written.
    pub dry_run: bool,
    state: Mutex<State>,
}

/// How far an import is.
#[derive(Clone, Debug)]
pub enum State {
    /// It runs.
    Running(Progress),
    /// It came to its end.
    Finished(Arc<ImportReport>),
    /// It was refused as a whole.
    Refused(Refusal),
}

impl Imports {
    /// Remembers a new import.
    pub fn add(
        &self,
        id: String,
        study: StudyId,
        user: UserId,
        file_name: String,
        dry_run: bool,
    ) -> Arc<Import> {
        let state = Mutex::new(State::Running(Progress::default()));
        let import = Arc::new(Import {
            id,
            study,
            user,
            file_name,
            dry_run,
            state,
        });
        let mut kept = held(&self.0);
        kept.push_back(import.clone());
        if kept.len() > KEPT
            && let Some(oldest) = kept
                .iter()
                .position(|import| !matches!(import.state(), State::Running(_)))
        {
            kept.remove(oldest);
        }
        import
    }

    /// The import of this name that this person asked for in this study.
    pub fn find(&self, id: &str, study: &StudyId, user: &UserId) -> Option<Arc<Import>> {
        let kept = held(&self.0);
        kept.iter()
            .find(|import| import.id == id && import.study == *study && import.user == *user)
            .cloned()
    }
}

impl Import {
    /// How far it is.
    pub fn state(&self) -> State {
        held(&self.state).clone()
    }

    /// Says how far it is.
    pub fn tell(&self, state: State) {
        *held(&self.state) = state;
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(imports: &Imports, id: &str) -> Arc<Import> {
        imports.add(
            id.into(),
            StudyId::new("s"),
            UserId::new("u"),
            "f".into(),
            false,
        )
    }

    #[test]
    fn an_import_is_found_by_whoever_asked_for_it_and_by_nobody_else() {
        let imports = Imports::default();
        start(&imports, "1");
        assert!(
            imports
                .find("1", &StudyId::new("s"), &UserId::new("u"))
                .is_some()
        );
        assert!(
            imports
                .find("1", &StudyId::new("s"), &UserId::new("v"))
                .is_none()
        );
        assert!(
            imports
                .find("1", &StudyId::new("t"), &UserId::new("u"))
                .is_none()
        );
    }

    #[test]
    fn finished_imports_are_forgotten_before_running_ones() {
        let imports = Imports::default();
        start(&imports, "running");
        start(&imports, "finished").tell(State::Refused(Refusal::StudyClosed));
        for at in 0..KEPT {
            start(&imports, &at.to_string());
        }
        let found = |id: &str| {
            imports
                .find(id, &StudyId::new("s"), &UserId::new("u"))
                .is_some()
        };
        assert!(found("running") && !found("finished"));
    }
}
