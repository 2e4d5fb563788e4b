//! Why a journal cannot be read or written.

use crate::ErrorKind;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// Why a [`Journal`](crate::Journal) cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// There is no such file, and it was only to be read.
    #[error("there is no file {}", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// A directory, a pipe or a device is no file of lines.
    #[error("{} is {found}, expected a regular file", file.display())]
    NotAFile {
        /// The path.
        file: PathBuf,
        /// What it is, such as "a directory".
        found: &'static str,
    },
    /// The file has more bytes than are read into memory.
    #[error("{} has {found} bytes, expected at most {}", file.display(), crate::Journal::MAX_BYTES)]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// Its bytes, with those to be written.
        found: u64,
    },
    /// Another process has opened the journal.
    #[error("{} is used by {}", file.display(), crate::error::process(*pid))]
    Locked {
        /// The file.
        file: PathBuf,
        /// The other process, if the system says so.
        pid: Option<u32>,
    },
    /// The file does not begin with a line that has a checksum.
    #[error("{} is not a file that this program keeps: its first line does not end with its checksum", file.display())]
    NotAJournal {
        /// The file.
        file: PathBuf,
    },
    /// The file belongs to something else.
    #[error("{} is about '{found}', expected '{expected}'", file.display())]
    OtherTitle {
        /// The file.
        file: PathBuf,
        /// The title asked for.
        expected: String,
        /// The file's title.
        found: String,
    },
    /// A whole line does not have its checksum.
    #[error("line {line} of {} is damaged: it does not end with its checksum", file.display())]
    BadLine {
        /// The file.
        file: PathBuf,
        /// The line's number, from 1, the title being line 1.
        line: u64,
    },
    /// The text to be appended is more than one line.
    #[error("a line for {} has a line break in it", file.display())]
    LineBreak {
        /// The file.
        file: PathBuf,
    },
    /// There is no room left on the device.
    #[error("the disk is full: there is no room for another line of {}", file.display())]
    DiskFull {
        /// The file.
        file: PathBuf,
    },
    /// The operating system does not allow it.
    #[error("no permission for {doing} {}", file.display())]
    Permission {
        /// The file.
        file: PathBuf,
        /// What was tried, such as "opening".
        doing: &'static str,
    },
    /// Anything else the operating system reports.
    #[error("{doing} {} failed: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What was tried, such as "opening".
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
}

impl JournalError {
    /// What to do about it, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            JournalError::Missing { .. } => "Name a file that exists.",
            JournalError::NotAFile { .. } => "Name a regular file, or a new one.",
            JournalError::TooLarge { .. } => "Move the file away and begin a new one.",
            JournalError::Locked { .. } => "Wait until the other process has finished, or name another file.",
            JournalError::NotAJournal { .. } => "Name another file; this one is left as it is.",
            JournalError::OtherTitle { .. } => "Name the file that belongs to this question, or a new one.",
            JournalError::BadLine { .. } => {
                "Restore a copy of the file, or remove the line if you can do without it; its content is worked out anew."
            }
            JournalError::LineBreak { .. } => "Use names without line breaks.",
            JournalError::DiskFull { .. } => "Make room and start again; all lines before it are kept.",
            JournalError::Permission { .. } => "Change the permissions, or name another file.",
            JournalError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                "Name a file in a directory that exists."
            }
            JournalError::Io { .. } => "Check the device and try again.",
        })
    }

    /// What class of mistake this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            JournalError::Missing { .. } => ErrorKind::Missing,
            JournalError::NotAFile { .. }
            | JournalError::TooLarge { .. }
            | JournalError::NotAJournal { .. }
            | JournalError::LineBreak { .. }
            | JournalError::BadLine { .. } => ErrorKind::Damaged,
            JournalError::OtherTitle { .. } => ErrorKind::Foreign,
            JournalError::Locked { .. } => ErrorKind::Locked,
            JournalError::DiskFull { .. } => ErrorKind::DiskFull,
            JournalError::Permission { .. } => ErrorKind::Permission,
            JournalError::Io { .. } => ErrorKind::Io,
        }
    }

    /// The file that the error is about.
    pub fn file(&self) -> &Path {
        match self {
            JournalError::Missing { file }
            | JournalError::NotAFile { file, .. }
            | JournalError::TooLarge { file, .. }
            | JournalError::Locked { file, .. }
            | JournalError::NotAJournal { file }
            | JournalError::OtherTitle { file, .. }
            | JournalError::BadLine { file, .. }
            | JournalError::LineBreak { file }
            | JournalError::DiskFull { file }
            | JournalError::Permission { file, .. }
            | JournalError::Io { file, .. } => file,
        }
    }

    /// Names the operating system's error; meant for `map_err`.
    pub(crate) fn io(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> JournalError {
        let file = file.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => JournalError::DiskFull { file },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                JournalError::Permission { file, doing }
            }
            _ => JournalError::Io { file, doing, source },
        }
    }
}
