//! Why a certificate cannot be made, read or written, and why a proof is not accepted.

use kalah_database::DatabaseError;
use kalah_rules::{Margin, PositionError, State};
use std::io;
use std::path::{Path, PathBuf};

/// Why a certificate cannot be made, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// What it says can be true of no position.
    #[error("{what}; whoever made the proof is at fault")]
    Impossible {
        /// What is impossible.
        what: String,
    },
    /// The file does not begin like a certificate.
    #[error(
        "{} is no certificate: it does not begin with the eight magic bytes; name a file that 'kalah certify' wrote",
        file.display()
    )]
    NotACertificate {
        /// The file.
        file: PathBuf,
    },
    /// The file was written in a format this program does not know.
    #[error("{} has format version {found}, this program reads version {newest}; use a newer program", file.display())]
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
        "{} is {}: expected {expected} bytes, found {found}; restore a copy or certify again",
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
    #[error("{} is damaged: {what}; restore a copy or certify again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What was expected and found.
        what: String,
    },
    /// The operating system reports a failure.
    #[error("{doing} {} failed: {source}; check the path, its permissions and the room on the disk", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
}

impl CertificateError {
    /// Names the operating system's error; meant for `map_err`.
    pub(crate) fn io(file: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> CertificateError {
        let file = file.to_owned();
        move |source| CertificateError::Io { file, doing, source }
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
    #[error("the proof relies on layers for {expected}, these are for {found}; name the directory of the right ones")]
    OtherLayers {
        /// Rules and board of the proof.
        expected: String,
        /// Rules and board of the layers.
        found: String,
    },
    /// Layers that the proof relies on are not there.
    #[error(
        "the proof relies on all layers of {expected} with up to {} seeds, {found} of {needed} are there; build the missing layers",
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
    #[error(
        "under {rules} positions can come again, so lemmas prove nothing; look the position up in solved layers instead"
    )]
    Cyclic {
        /// The rules.
        rules: String,
    },
}

impl Refusal {
    /// Whether the proof is false or has a gap; otherwise it could not be checked at all.
    pub fn is_refuted(&self) -> bool {
        matches!(self, Refusal::Illegal { .. } | Refusal::False { .. } | Refusal::Gap { .. } | Refusal::Cyclic { .. })
    }
}
