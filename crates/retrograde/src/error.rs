//! What can go wrong while building or checking layers.

use kalah_database::DatabaseError;
use kalah_index::IndexError;
use kalah_rules::{PositionError, RuleSet};
use thiserror::Error;

/// A build or check that did not come to its end.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The observer asked to stop. What was finished before is kept.
    #[error("stopped on request; everything finished is kept, and the same command goes on from there")]
    Stopped,
    /// A rule set whose layers contain cycles was given to a builder for acyclic layers.
    #[error(
        "under the rules {rules} positions of one layer repeat, so a layer needs a fixpoint, which this builder does not compute"
    )]
    NotAcyclic {
        /// The rules.
        rules: RuleSet,
    },
    /// The memory allowed does not hold one pair of sections and the tables.
    #[error(
        "building needs {needed} bytes of memory for itself, and {limit} are allowed; allow more, or ask for fewer seeds"
    )]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Under these rules a repeated position is worth what lies in each row, so a position has no value of its own.
    #[error(
        "under the rules {rules} a repeated position gives each player his own row, so what a position is worth depends on the moves before it and no layer can hold it; build the layers of a rule set that splits what is left: awari, or oware+cycle=split"
    )]
    HistoryDependent {
        /// The rules.
        rules: RuleSet,
    },
    /// There is no such board.
    #[error(transparent)]
    Board(#[from] PositionError),
    /// There is no such layer.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A layer cannot be read or written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}
