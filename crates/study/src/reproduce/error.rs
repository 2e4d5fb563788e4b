//! Why claims could not be read or evaluated.

use kalah::SolverError;
use kalah_database::DatabaseError;
use kalah_retrograde::BuildError;
use kalah_rules::PositionError;
use thiserror::Error;

/// Why claims could not be read or evaluated. A claim that turns out false is no error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// A line of the published data is not what it should be.
    #[error("{file}, line {line}: {reason}; correct the line")]
    Data {
        /// The file in `crates/study/data`.
        file: &'static str,
        /// The line, from 1.
        line: usize,
        /// What was expected and found.
        reason: String,
    },
    /// No claim and no source has this name.
    #[error("there is no claim and no source '{name}'{hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What might have been meant, or how to see all.
        hint: String,
    },
    /// A position or line of play could not be evaluated.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// Layers could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl From<PositionError> for ReproduceError {
    fn from(error: PositionError) -> ReproduceError {
        ReproduceError::Solver(error.into())
    }
}

impl From<DatabaseError> for ReproduceError {
    fn from(error: DatabaseError) -> ReproduceError {
        ReproduceError::Solver(error.into())
    }
}
