//! Why claims could not be read or evaluated.

use kalah::SolverError;
use kalah_database::{DatabaseError, JournalError};
use kalah_retrograde::BuildError;
use kalah_rules::PositionError;
use std::borrow::Cow;
use std::path::PathBuf;
use thiserror::Error;

/// Why claims could not be read or evaluated. A claim that turns out false is no error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// A line of the published data is not what it should be.
    #[error("{file}, line {line}: {reason}")]
    Data {
        /// The file in `crates/study/data`.
        file: &'static str,
        /// The line, from 1.
        line: usize,
        /// What was expected and found.
        reason: String,
    },
    /// No claim and no source has this name.
    #[error("there is no claim and no source '{name}'")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Up to three claims whose names are similar.
        near: Vec<String>,
    },
    /// The file that remembers what is settled cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A line of that file contradicts or repeats another, or is no report.
    #[error("line {line} of {}: {reason}", file.display())]
    State {
        /// The file.
        file: PathBuf,
        /// The line, from 1; line 1 is the title.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A position or line of play could not be evaluated.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// Layers could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl ReproduceError {
    /// What to do about it, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            ReproduceError::Data { .. } => "Correct the line and build the program again.".into(),
            ReproduceError::Unknown { near, .. } => match near.split_last() {
                None => "'kalah reproduce --list' shows all claims.".into(),
                Some((only, [])) => format!("Did you mean {only}?").into(),
                Some((last, others)) => format!("Did you mean {} or {last}?", others.join(", ")).into(),
            },
            ReproduceError::Journal(error) => error.help(),
            ReproduceError::State { .. } => {
                "Restore a copy of the file, or remove the line; the claim is then evaluated again.".into()
            }
            ReproduceError::Solver(error) => error.help(),
            ReproduceError::Build(error) => error.help(),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_read_as_a_sentence() {
        let help = |near: &[&str]| {
            let near = near.iter().map(|&name| name.to_owned()).collect();
            ReproduceError::Unknown { name: "x; é".to_owned(), near }.help().into_owned()
        };
        assert_eq!(help(&[]), "'kalah reproduce --list' shows all claims.");
        assert_eq!(help(&["a"]), "Did you mean a?");
        assert_eq!(help(&["a", "b"]), "Did you mean a or b?");
        assert_eq!(help(&["a", "b", "c"]), "Did you mean a, b or c?");
    }
}
