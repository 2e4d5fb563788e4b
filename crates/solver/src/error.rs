//! Why a question could not be answered, and what to do about it.

use crate::RecordError;
use kalah_database::DatabaseError;
use kalah_retrograde::BuildError;
use kalah_rules::{Margin, PositionError, RuleSet};
use kalah_search::SearchError;
use std::borrow::Cow;
use std::path::PathBuf;
use thiserror::Error;

/// Why a question could not be answered. The message says what is wrong, [`help`](SolverError::help) what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The position or start cannot be used.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The position is on another board than the solver was opened for.
    #[error("the position has {found} pits a side, but the solver was opened for boards of {expected}")]
    OtherBoard {
        /// Pits a side of the solver.
        expected: u8,
        /// Pits a side of the position.
        found: u8,
    },
    /// The solved layers are damaged, for other rules, or cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Layers cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Layers would take more memory than may be used.
    #[error("building {what} takes {} of memory, but only {} may be used", gib(*needed), gib(*free))]
    NoMemory {
        /// Which layers.
        what: String,
        /// Bytes that the build takes for itself.
        needed: u64,
        /// Bytes that are free or allowed.
        free: u64,
    },
    /// Layers would take more room than the disk has.
    #[error("building {what} takes {} on the disk of {}, but only {} are free", gib(*needed), directory.display(), gib(*free))]
    NoDisk {
        /// Which layers.
        what: String,
        /// Where they should be kept.
        directory: PathBuf,
        /// Bytes that their files take.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// A checkpoint or a kept solution cannot be read or written, is damaged or about something else.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The search cannot be set up.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The system did not start the threads asked for.
    #[error("the system does not start {threads} threads ({reason})")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
    /// A line of play did not end at the value it should prove: a layer or a kept solution holds a false number.
    #[error(
        "under {rules} no line of play from {position} keeps the value {value}, so a layer or solution holds a false number"
    )]
    Contradiction {
        /// The rules.
        rules: RuleSet,
        /// Where the line begins.
        position: String,
        /// The value that was claimed for the mover.
        value: Margin,
    },
}

impl SolverError {
    /// What to do about it, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            SolverError::Position(error) => error.help(),
            SolverError::Database(error) => error.help(),
            SolverError::Build(error) => error.help(),
            SolverError::Record(error) => error.help(),
            SolverError::Search(error) => error.help(),
            SolverError::OtherBoard { found, .. } => format!("Open a solver for {found} pits a side.").into(),
            SolverError::NoMemory { .. } => {
                "Ask for fewer seeds, free some memory, or allow more with --memory.".into()
            }
            SolverError::NoDisk { .. } => {
                "Ask for fewer seeds, make room, or choose another disk with --database.".into()
            }
            SolverError::Threads { .. } => "Ask for fewer threads with --threads.".into(),
            SolverError::Contradiction { .. } => {
                "Find the damaged layer with 'kalah verify --values' and build it again; remove the solution and solve again."
                    .into()
            }
        }
    }
}

/// A number of bytes for people.
fn gib(bytes: u64) -> String {
    match bytes {
        0..=1023 => format!("{bytes} bytes"),
        1024..=1_048_575 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        1_048_576..=1_073_741_823 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}
