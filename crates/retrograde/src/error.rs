//! What can go wrong while building or checking layers, and the way out of it.

use kalah_database::DatabaseError;
use kalah_index::IndexError;
use kalah_rules::{PositionError, RuleSet};
use std::borrow::Cow;
use thiserror::Error;

/// A build or check that did not come to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The observer asked to stop. What was finished before is kept.
    #[error("the build was stopped before its end")]
    Stopped,
    /// A rule set whose layers contain cycles was given to a builder for acyclic layers.
    #[error("under the rules {rules} positions of one layer repeat, which this builder cannot solve")]
    NotAcyclic {
        /// The rules.
        rules: RuleSet,
    },
    /// The memory allowed does not hold one pair of sections and the tables.
    #[error("building needs {needed} bytes of memory for itself, and {limit} are allowed")]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// Under these rules a repeated position is worth what lies in each row, so a position has no value of its own.
    #[error(
        "under the rules {rules} no layer can be built: a repeated position gives each player their own row, so what a \
         position is worth depends on the moves before it"
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

impl BuildError {
    /// The way out, in whole sentences.
    pub fn help(&self) -> Cow<'static, str> {
        match self {
            BuildError::Stopped => "Everything finished is kept. The same command goes on from there.".into(),
            BuildError::NotAcyclic { .. } => "Build these layers with the default builder.".into(),
            BuildError::Memory { .. } => "Allow more memory, or ask for fewer seeds.".into(),
            BuildError::HistoryDependent { .. } => {
                "Build the layers of rules that split what is left at a repetition: awari, or oware+cycle=split.".into()
            }
            BuildError::Board(error) => error.help(),
            BuildError::Index(_) => "Ask for a smaller board or fewer seeds.".into(),
            BuildError::Database(error) => error.help(),
        }
    }
}
