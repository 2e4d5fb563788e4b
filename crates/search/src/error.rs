//! What a search can refuse.

use thiserror::Error;

/// A search that cannot be set up or a position it cannot take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SearchError {
    /// Positions of this game can repeat, so a plain search proves nothing.
    #[error(
        "positions of this game can repeat, so it cannot be searched; look its positions up in solved layers instead"
    )]
    Cyclic,
    /// The position has more seeds in its pits than the table was made for.
    #[error(
        "the position has {found} seeds in its pits, this search was set up for at most {most}; set one up for more"
    )]
    TooManySeeds {
        /// Seeds in the position's pits.
        found: u32,
        /// The most the table's keys can tell apart.
        most: u32,
    },
    /// More seeds than a board holds.
    #[error("a board holds at most {} seeds in its pits, found {found}", kalah_rules::MAX_SEEDS)]
    Seeds {
        /// Seeds asked for.
        found: u32,
    },
    /// The table does not fit into memory.
    #[error("there is no memory for a table of {bytes} bytes; ask for a smaller one")]
    Memory {
        /// The size asked for.
        bytes: usize,
    },
    /// The system did not start a thread.
    #[error("the system refused to start a search thread; use fewer threads")]
    Thread,
    /// A proof that no position of the game can have: it was damaged, or belongs to another game.
    #[error(
        "the proof cannot be true of any position of this game: it is damaged or was made for other rules; search without it"
    )]
    Proof,
}
