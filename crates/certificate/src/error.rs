//! Why a certificate cannot be made, read or written, why a proof is not accepted, and the way out.

use kalah_database::DatabaseError;
use kalah_rules::{Margin, PositionError, State};
use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why a certificate cannot be made, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// What it says can be true of no position.
    #[error("{what}")]
    Impossible {
        /// What is impossible.
        what: String,
    },
    /// The file does not begin like a certificate.
    #[error(
        "{} is no certificate: it does not begin with the eight magic bytes",
        file.display()
    )]
    NotACertificate {
        /// The file.
        file: PathBuf,
    },
    /// The file was written in a format this program does not know.
    #[error("{} has format version {found}, this program reads version {newest}", file.display())]
    NewerVersion {
        /// The file.
        file: PathBuf,
        /// The newest version this program reads.
        newest: u32,
        /// The file's.
        found: u32,
    },
    /// The file is shorter or longer than it says itself.
    #[error(
        "{} is {}: expected {expected} bytes, found {found}",
        file.display(), if found < expected { "cut short" } else { "too long" }
    )]
    Length {
        /// The file.
        file: PathBuf,
        /// Bytes it should have, or at least needs.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// The file does not have its checksum, or says what cannot be.
    #[error("{} is damaged: {what}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What was expected and found.
        what: String,
    },
    /// It is no file, but a directory, a pipe or a device.
    #[error("{} is not a regular file", file.display())]
    NotAFile {
        /// What was named.
        file: PathBuf,
    },
    /// The disk is full. A certificate that was there before is still there.
    #[error("there is no room on the disk for {}", file.display())]
    DiskFull {
        /// The file.
        file: PathBuf,
    },
    /// The operating system reports another failure.
    #[error("{doing} {} failed: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// Whoever waited did not want to wait longer.
    #[error("the work on the certificate was stopped before its end")]
    Stopped,
}

impl CertificateError {
    /// The way out, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            CertificateError::Impossible { .. } => "The program that made the proof is at fault. Make the proof again.",
            CertificateError::NotACertificate { .. } | CertificateError::NotAFile { .. } => {
                "Name a file that 'kalah certify' wrote."
            }
            CertificateError::NewerVersion { .. } => "Use a newer program.",
            CertificateError::Length { .. } | CertificateError::Damaged { .. } => {
                "Restore a copy of the file, or certify again."
            }
            CertificateError::DiskFull { .. } => {
                "Make room, or name a file on another disk. A certificate that was there before is unchanged."
            }
            CertificateError::Io { .. } => "Check the path, its permissions and the device.",
            CertificateError::Stopped => "Allow more time, or wait. Files that were there before are unchanged.",
        })
    }

    /// Names the operating system's error; meant for `map_err`.
    pub(crate) fn io(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> CertificateError {
        let file = file.to_owned();
        move |source| match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => CertificateError::DiskFull { file },
            _ => CertificateError::Io { file, doing, source },
        }
    }
}

/// Why a certificate was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A lemma's move is against the rules.
    #[error("the proof has the mover of {position} sow pit {pit}, which the rules do not allow")]
    Illegal {
        /// The position.
        position: State,
        /// The pit.
        pit: u8,
    },
    /// A finished game, a layer or the number of seeds says otherwise.
    #[error("the proof needs {position} to be worth {needed} for its mover, but it is {found}")]
    False {
        /// The position.
        position: State,
        /// What it should be worth, for people: `+2 or more`.
        needed: String,
        /// What it is worth.
        found: Margin,
    },
    /// No lemma says what is needed.
    #[error("the proof has a gap: nothing shows that the mover of {position} gets {needed} or more")]
    Gap {
        /// The position.
        position: State,
        /// What its mover should get at least.
        needed: Margin,
    },
    /// The layers given are for others.
    #[error("the proof relies on layers for {expected}, these are for {found}")]
    OtherLayers {
        /// Rules and board of the proof.
        expected: String,
        /// Rules and board of the layers.
        found: String,
    },
    /// Layers that the proof relies on are not there.
    #[error(
        "the proof relies on all layers of {expected} with up to {} seeds, {found} of {needed} are there",
        needed.saturating_sub(1)
    )]
    MissingLayers {
        /// Rules and board of the proof.
        expected: String,
        /// Layers it relies on.
        needed: u32,
        /// Layers that are there.
        found: u32,
    },
    /// A layer cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// There are no such boards.
    #[error(transparent)]
    Board(#[from] PositionError),
    /// Lemmas could rest on themselves.
    #[error("under {rules} a position can come again, so lemmas could rest on themselves and prove nothing")]
    Cyclic {
        /// The rules.
        rules: String,
    },
    /// Whoever waited did not want to wait longer.
    #[error("the check was stopped before its end, so nothing is known of the proof")]
    Stopped,
}

impl Refusal {
    /// The way out, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            Refusal::Illegal { .. } | Refusal::False { .. } | Refusal::Gap { .. } => {
                "Do not believe this proof. Certify again, or ask whoever made it.".into()
            }
            Refusal::OtherLayers { expected, .. } => format!("Name a directory with layers for {expected}.").into(),
            Refusal::MissingLayers { .. } => "Build the missing layers, or name the directory that holds them.".into(),
            Refusal::Database(error) => error.help(),
            Refusal::Board(error) => error.help(),
            Refusal::Cyclic { .. } => "Look the position up in solved layers instead.".into(),
            Refusal::Stopped => "Allow more time, or wait.".into(),
        }
    }

    /// Whether the proof is false or has a gap; otherwise it could not be checked at all.
    pub fn is_refuted(&self) -> bool {
        matches!(self, Refusal::Illegal { .. } | Refusal::False { .. } | Refusal::Gap { .. } | Refusal::Cyclic { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_other_failures() {
        let full = CertificateError::io(Path::new("proof"), "writing")(ErrorKind::StorageFull.into());
        assert!(matches!(full, CertificateError::DiskFull { .. }), "{full}");
        assert!(full.help().contains("unchanged"));
        let other = CertificateError::io(Path::new("proof"), "writing")(ErrorKind::PermissionDenied.into());
        assert!(matches!(other, CertificateError::Io { .. }), "{other}");
    }
}
