//! A refusal with its closed code, or a failure with its cause for the log.

use domain::annotation::AnnotationError;
use domain::assignment::AssignmentError;
use domain::refusal::Refusal;
use domain::ruling::RulingError;
use domain::snapshot::SignOffError;
use domain::study::StudyError;

/// The result of a use case.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a use case did not happen. Either way nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The person may know why.
    #[error("{}", .0.code())]
    Refused(Refusal),
    /// The cause goes to the log, once; the person hears [`Refusal::Internal`].
    #[error(transparent)]
    Internal(#[from] store::Error),
}

impl Error {
    /// What the person is told.
    pub fn refusal(&self) -> Refusal {
        match self {
            Self::Refused(refusal) => *refusal,
            Self::Internal(cause) if cause.is_text_refused() => Refusal::InputInvalid,
            Self::Internal(_) => Refusal::Internal,
        }
    }
}

macro_rules! refused {
    ($($kind:ty),+) => {$(
        impl From<$kind> for Error {
            fn from(refusal: $kind) -> Self {
                Self::Refused(refusal.into())
            }
        }
    )+};
}

refused!(
    Refusal,
    AnnotationError,
    AssignmentError,
    RulingError,
    SignOffError,
    StudyError
);
