//! Why verdicts about boards cannot be remembered.

use kalah_database::JournalError;
use std::borrow::Cow;
use std::path::PathBuf;
use thiserror::Error;

/// Why the file that remembers verdicts cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FairError {
    /// It cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A line is no verdict about a board near the start, or repeats or contradicts another.
    #[error("line {line} of {}: {reason}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line, from 1; line 1 is the title.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

impl FairError {
    /// What to do about it, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            FairError::Journal(error) => error.help(),
            FairError::Line { .. } => {
                "Restore a copy of the file, or remove the line; the board is then settled again.".into()
            }
        }
    }
}
