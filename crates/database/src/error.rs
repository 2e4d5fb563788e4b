//! Everything that can go wrong with a database: what was expected, what was found, and the way out.

use crate::JournalError;
use kalah_index::IndexError;
use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Why a database, or one of its files, cannot answer or cannot be written.
///
/// The text says what is wrong: the file, what was expected, what was found. [`DatabaseError::help`] says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The database directory does not exist.
    #[error("there is no database directory {}", directory.display())]
    MissingDirectory {
        /// The directory asked for.
        directory: PathBuf,
    },
    /// The layer's file does not exist.
    #[error("the layer of {seeds} seeds is missing: there is no file {}, the directory has {present}", file.display())]
    MissingLayer {
        /// The file that should hold it.
        file: PathBuf,
        /// Seeds of the layer.
        seeds: u32,
        /// What the directory has instead, for people.
        present: String,
    },
    /// A file is named nearly like a layer file, so nothing would ever read it.
    #[error("{} has no layer's name, expected {expected}", file.display())]
    WrongName {
        /// The file.
        file: PathBuf,
        /// The name that its content should have, or what such names look like.
        expected: String,
    },
    /// A directory, a pipe or a device is no layer file.
    #[error("{} is {found}, expected a regular file", file.display())]
    NotAFile {
        /// The path.
        file: PathBuf,
        /// What it is, such as "a directory".
        found: &'static str,
    },
    /// The file does not begin like a layer file.
    #[error("{} is not a layer file: it does not begin with the eight magic bytes", file.display())]
    NotALayer {
        /// The file.
        file: PathBuf,
    },
    /// The file was written in a format this program does not know.
    #[error("{} has format version {found}, this program reads up to version {newest}", file.display())]
    NewerVersion {
        /// The file.
        file: PathBuf,
        /// The newest version this program reads.
        newest: u32,
        /// The file's version.
        found: u32,
    },
    /// The file's values are coded in a way this program does not read.
    #[error(
        "{} has codec number {found}, this program reads 0 (raw), 1 (packed) and 3 (compressed)",
        file.display()
    )]
    UnknownCodec {
        /// The file.
        file: PathBuf,
        /// The codec's number.
        found: u8,
    },
    /// The file is for another rule set.
    #[error("{} is for the rule set {found}, expected {expected}", file.display())]
    OtherRules {
        /// The file.
        file: PathBuf,
        /// The rule set asked for, with its hash when the names alone do not differ.
        expected: String,
        /// The file's rule set.
        found: String,
    },
    /// The file is for another board.
    #[error("{} is for {found} pits a side, expected {expected}", file.display())]
    OtherPits {
        /// The file.
        file: PathBuf,
        /// Pits a side asked for.
        expected: u8,
        /// The file's.
        found: u8,
    },
    /// The file holds another layer.
    #[error("{} is the layer of {found} seeds, expected {expected}", file.display())]
    OtherSeeds {
        /// The file.
        file: PathBuf,
        /// Seeds of the layer asked for.
        expected: u32,
        /// The file's.
        found: u32,
    },
    /// The file is shorter or longer than it says itself.
    #[error(
        "{} is {}: expected {expected} bytes, found {found}",
        file.display(), if found < expected { "cut short" } else { "too long" }
    )]
    WrongLength {
        /// The file.
        file: PathBuf,
        /// Bytes it should have, or at least needs.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// The header or the block index does not have its checksum, or contradicts itself.
    #[error("the header of {} is damaged: {what}", file.display())]
    HeaderDamaged {
        /// The file.
        file: PathBuf,
        /// What was expected and found.
        what: String,
    },
    /// A block does not have its checksum or cannot be decoded.
    #[error(
        "block {block} of {} is damaged (ranks {} to {}): {what}",
        file.display(), ranks.start, ranks.end.saturating_sub(1)
    )]
    BlockDamaged {
        /// The file.
        file: PathBuf,
        /// The block's number, from 0.
        block: u64,
        /// The ranks that lie in the block; of a tile, from its first to its last.
        ranks: Range<u64>,
        /// What was expected and found.
        what: String,
    },
    /// Another process builds in the directory.
    #[error("{} is locked by {}", file.display(), process(*pid))]
    Locked {
        /// The lock file.
        file: PathBuf,
        /// The other process, if it could be read.
        pid: Option<u32>,
    },
    /// There is no room left on the device.
    #[error("the disk is full: writing {} found no room", file.display())]
    DiskFull {
        /// The file being written.
        file: PathBuf,
    },
    /// The operating system does not allow it.
    #[error("no permission for {doing} {}", file.display())]
    Permission {
        /// The file or directory.
        file: PathBuf,
        /// What was tried, such as "writing".
        doing: &'static str,
    },
    /// A layer was to be finished before all its sections were written.
    #[error("{} cannot be finished: section {section} of the layer has not been written", file.display())]
    Unfinished {
        /// The unfinished file.
        file: PathBuf,
        /// The first missing section, by its place in the order of ranks.
        section: usize,
    },
    /// A value was written that no position of the layer can have.
    #[error("{} cannot be finished: rank {rank} was given the impossible value {found}", file.display())]
    ImpossibleValue {
        /// The unfinished file.
        file: PathBuf,
        /// The position's rank.
        rank: u64,
        /// Its value.
        found: i8,
    },
    /// A journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is no such layer on any board.
    #[error(transparent)]
    NoSuchLayer(#[from] IndexError),
    /// Anything else the operating system reports.
    #[error("{doing} {} failed: {source}", file.display())]
    Io {
        /// The file or directory.
        file: PathBuf,
        /// What was tried, such as "writing".
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
}

/// The class of a [`DatabaseError`], for exit codes and machine-readable answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A directory, layer or section is not there.
    Missing,
    /// A file is there but broken, cut or no layer file at all.
    Damaged,
    /// A sound file for other rules, another board or another layer.
    Foreign,
    /// A file from a newer program, or from one before the first release.
    Newer,
    /// Another process builds there.
    Locked,
    /// No room on the device.
    DiskFull,
    /// Not allowed.
    Permission,
    /// Pits or seeds beyond what any layer can have.
    NoSuchLayer,
    /// Any other failure of the operating system.
    Io,
}

impl DatabaseError {
    /// What to do about it, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            DatabaseError::MissingDirectory { .. } => "Build the layers first, or name the right directory.",
            DatabaseError::MissingLayer { .. } => "Build the missing layers, or restore a copy of their files.",
            DatabaseError::WrongName { .. } => {
                "Give the file the name that belongs to its content, or move it out of the directory."
            }
            DatabaseError::NotAFile { .. } => "Move it out of the directory, or name another file.",
            DatabaseError::NotALayer { .. } => "Move the file out of the directory, or name another directory.",
            DatabaseError::NewerVersion { .. } => "Use a newer program, or build the layer again.",
            DatabaseError::UnknownCodec { .. } => {
                "Build the layer again, or convert it to raw with the program that wrote it."
            }
            DatabaseError::OtherRules { found, .. } => {
                return Cow::Owned(format!("Ask for {found}, or use another directory."));
            }
            DatabaseError::OtherPits { .. } | DatabaseError::OtherSeeds { .. } => {
                "Build the layer again, or restore a copy of its file."
            }
            DatabaseError::WrongLength { .. }
            | DatabaseError::HeaderDamaged { .. }
            | DatabaseError::BlockDamaged { .. } => {
                "Remove the file and build the layer again, or restore a copy of the file."
            }
            DatabaseError::Locked { .. } => "Wait until the other process has finished, or stop it.",
            DatabaseError::DiskFull { .. } => {
                "Make room and start again; finished layers and finished sections of a layer are kept."
            }
            DatabaseError::Permission { .. } => "Change the permissions, or name another directory.",
            DatabaseError::Unfinished { .. } => "Write the section first.",
            DatabaseError::ImpossibleValue { .. } => "The code that computed the value is at fault: please report it.",
            DatabaseError::Journal(error) => return error.help(),
            DatabaseError::NoSuchLayer(error) => return error.help(),
            DatabaseError::Io { .. } => "Check the device and try again.",
        })
    }

    /// What class of mistake this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            DatabaseError::MissingDirectory { .. }
            | DatabaseError::MissingLayer { .. }
            | DatabaseError::Unfinished { .. } => ErrorKind::Missing,
            DatabaseError::WrongName { .. }
            | DatabaseError::NotAFile { .. }
            | DatabaseError::NotALayer { .. }
            | DatabaseError::WrongLength { .. }
            | DatabaseError::HeaderDamaged { .. }
            | DatabaseError::ImpossibleValue { .. }
            | DatabaseError::BlockDamaged { .. } => ErrorKind::Damaged,
            DatabaseError::OtherRules { .. } | DatabaseError::OtherPits { .. } | DatabaseError::OtherSeeds { .. } => {
                ErrorKind::Foreign
            }
            DatabaseError::NewerVersion { .. } | DatabaseError::UnknownCodec { .. } => ErrorKind::Newer,
            DatabaseError::Locked { .. } => ErrorKind::Locked,
            DatabaseError::DiskFull { .. } => ErrorKind::DiskFull,
            DatabaseError::Permission { .. } => ErrorKind::Permission,
            DatabaseError::Journal(error) => error.kind(),
            DatabaseError::NoSuchLayer(_) => ErrorKind::NoSuchLayer,
            DatabaseError::Io { .. } => ErrorKind::Io,
        }
    }

    /// The file or directory the error is about, if it is about one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            DatabaseError::MissingDirectory { directory: file }
            | DatabaseError::MissingLayer { file, .. }
            | DatabaseError::WrongName { file, .. }
            | DatabaseError::NotAFile { file, .. }
            | DatabaseError::NotALayer { file }
            | DatabaseError::NewerVersion { file, .. }
            | DatabaseError::UnknownCodec { file, .. }
            | DatabaseError::OtherRules { file, .. }
            | DatabaseError::OtherPits { file, .. }
            | DatabaseError::OtherSeeds { file, .. }
            | DatabaseError::WrongLength { file, .. }
            | DatabaseError::HeaderDamaged { file, .. }
            | DatabaseError::BlockDamaged { file, .. }
            | DatabaseError::Locked { file, .. }
            | DatabaseError::DiskFull { file }
            | DatabaseError::Permission { file, .. }
            | DatabaseError::Unfinished { file, .. }
            | DatabaseError::ImpossibleValue { file, .. }
            | DatabaseError::Io { file, .. } => Some(file),
            DatabaseError::Journal(error) => Some(error.file()),
            DatabaseError::NoSuchLayer(_) => None,
        }
    }

    /// Names the operating system's error; meant for `map_err`.
    pub(crate) fn io(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> DatabaseError {
        let file = file.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => DatabaseError::DiskFull { file },
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                DatabaseError::Permission { file, doing }
            }
            _ => DatabaseError::Io { file, doing, source },
        }
    }
}

/// A process, for people.
pub(crate) fn process(pid: Option<u32>) -> String {
    pid.map_or("another process".to_owned(), |pid| format!("process {pid}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_errors_get_their_names() {
        let name = |kind: io::ErrorKind| DatabaseError::io(Path::new("f"), "writing")(kind.into());
        assert!(matches!(name(io::ErrorKind::StorageFull), DatabaseError::DiskFull { .. }));
        assert!(matches!(name(io::ErrorKind::QuotaExceeded), DatabaseError::DiskFull { .. }));
        let denied = name(io::ErrorKind::PermissionDenied);
        assert_eq!(denied.to_string(), "no permission for writing f");
        assert_eq!(denied.help(), "Change the permissions, or name another directory.");
        assert_eq!(name(io::ErrorKind::ReadOnlyFilesystem).kind(), ErrorKind::Permission);
        assert_eq!(name(io::ErrorKind::BrokenPipe).kind(), ErrorKind::Io);
        assert_eq!(name(io::ErrorKind::StorageFull).file(), Some(Path::new("f")));
    }
}
