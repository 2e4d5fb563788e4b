//! Why a question could not be answered.

use crate::RecordError;
use kalah_database::DatabaseError;
use kalah_rules::{Margin, PositionError, RuleSet};
use kalah_search::SearchError;
use thiserror::Error;

/// Why a question could not be answered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The position or start is none.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The position is on another board than the solver was opened for.
    #[error("the position has {found} pits a side, this solver was opened for {expected}; open one for {found}")]
    OtherBoard {
        /// Pits a side of the solver.
        expected: u8,
        /// Pits a side of the position.
        found: u8,
    },
    /// The solved layers are damaged, for other rules, or cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A checkpoint or a kept solution cannot be read or written, is damaged or about something else.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The search cannot be set up.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The system did not start the threads asked for.
    #[error("{threads} threads cannot be started ({reason}); ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
    /// A line of play did not end at the value it should prove: a layer holds a false number.
    #[error(
        "under {rules} no line of play from {position} keeps the value {value}, so a solved layer holds a false number; \
         check the layers and rebuild what is damaged"
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
