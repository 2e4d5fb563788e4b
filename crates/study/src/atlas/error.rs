//! Why a table of the atlas cannot be used.

use kalah::SolverError;
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a table of the atlas cannot be read or written, or a cell not be charted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// The file or its directory cannot be read or written.
    #[error("{doing} {} failed: {source}", file.display())]
    Io {
        /// Which file.
        file: PathBuf,
        /// What was tried, such as "reading".
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// A directory, a pipe or a device stands where the table should be.
    #[error("{} is not a regular file", file.display())]
    NotAFile {
        /// The path.
        file: PathBuf,
    },
    /// Another process writes the same table.
    #[error("{} is being written by another process", file.display())]
    Locked {
        /// Which file.
        file: PathBuf,
    },
    /// The file is something else, or a table without checksums.
    #[error("line 1 of {} is not the head of a table: expected the columns '{expected}', found '{found}'", file.display())]
    Columns {
        /// Which file.
        file: PathBuf,
        /// The columns of a table.
        expected: String,
        /// What the first line says.
        found: String,
    },
    /// A line is no row of the table, is damaged, or does not agree with the others.
    #[error("line {line} of {}: {fault}", file.display())]
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

impl AtlasError {
    /// What to do about it, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            AtlasError::Io { .. } if self.is_disk_full() => "Make room and start again; all lines before it are kept.",
            AtlasError::Io { .. } | AtlasError::NotAFile { .. } => {
                "Choose another directory for the atlas with --output."
            }
            AtlasError::Locked { .. } => {
                "Wait until the other process has finished, or choose another directory with --output."
            }
            AtlasError::Columns { .. } => {
                "Move the file away, or choose another directory with --output; its starts are then worked out again."
            }
            AtlasError::Line { .. } => {
                "Restore a copy of the file, or remove the line; the start is then worked out again."
            }
            AtlasError::Solver(error) => return error.help(),
        })
    }

    /// Whether there is no room left on the device.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, AtlasError::Io { source, .. }
            if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded))
    }
}
