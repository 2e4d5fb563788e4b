//! Why a record cannot be read, written or believed.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a record cannot be read, written or believed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The system refuses.
    #[error("{doing} {} failed: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What was tried, such as "reading".
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// A directory, a pipe or a device is no record.
    #[error("{} is no regular file, expected a record", file.display())]
    NotAFile {
        /// The path.
        file: PathBuf,
    },
    /// The file was cut or changed, or is something else.
    #[error("{} is no record or is damaged: {what}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The file is whole, but the rules, its own statements or the solved layers contradict what it says.
    #[error("{} states what cannot be true: {what}", names(files))]
    False {
        /// The file, or all files of which one must be wrong.
        files: Vec<PathBuf>,
        /// The statement and what contradicts it.
        what: String,
    },
    /// The file is about something else.
    #[error("{} is about {found}, expected {expected}", file.display())]
    Other {
        /// The file.
        file: PathBuf,
        /// What it should be about.
        expected: String,
        /// What it is about.
        found: String,
    },
    /// The stop flag was set while the record was read or checked.
    #[error("reading {} was stopped", file.display())]
    Stopped {
        /// The file.
        file: PathBuf,
    },
}

impl RecordError {
    /// What to do about it: one or more whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            RecordError::Io { .. } if self.is_disk_full() => "Make room on the disk, or name another directory.",
            RecordError::Io { .. } => "Check the permissions of the file and its directory, or name another directory.",
            RecordError::NotAFile { .. } => "Move it away, or name another directory.",
            RecordError::Damaged { .. } => "Remove the file and search again, or restore a copy.",
            RecordError::False { .. } => {
                "Remove the file and search again. If solved layers contradict it, check them with 'kalah verify' first."
            }
            RecordError::Other { .. } => "Name another directory, or remove the file.",
            RecordError::Stopped { .. } => "Start again; nothing was changed.",
        })
    }

    /// Whether the disk is full: what failed can be tried again when there is room.
    pub fn is_disk_full(&self) -> bool {
        match self {
            RecordError::Io { source, .. } => {
                matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            _ => false,
        }
    }

    /// Names the system's error; meant for `map_err`.
    pub(super) fn io(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> RecordError {
        let file = file.to_owned();
        move |source| RecordError::Io { file, doing, source }
    }
}

/// Files as a person reads them.
fn names(files: &[PathBuf]) -> String {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    names.join(" or ")
}
