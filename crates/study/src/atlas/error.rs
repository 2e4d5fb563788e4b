//! Why a table of the atlas cannot be used.

use kalah::SolverError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a table of the atlas cannot be read or written, or a cell not be charted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// The file or its directory cannot be read or written.
    #[error("{doing} {} failed: {source}; choose another directory for the atlas", file.display())]
    Io {
        /// Which file.
        file: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// Another process writes the same table.
    #[error("{} is being written by another process; wait for it or choose another directory for the atlas", file.display())]
    Locked {
        /// Which file.
        file: PathBuf,
    },
    /// A line is no row of the table.
    #[error("{}, line {line}: {fault}; mend or delete the line, or choose another directory for the atlas", file.display())]
    Line {
        /// Which file.
        file: PathBuf,
        /// Which of its lines, from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// The question could not be asked.
    #[error(transparent)]
    Solver(#[from] SolverError),
}
