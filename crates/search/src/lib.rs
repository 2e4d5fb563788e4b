//! Exact search of sowing games beyond the solved layers.
//!
//! A [`Search`] proves values by null-window questions, answered by depth-first proof-number search with alpha-beta below it;
//! an [`Oracle`] answers for positions with few seeds, so that lines of play need not be followed to their ends, and teaches what
//! others are probably worth, which decides where to search first. All values come from proofs under exact keys:
//! neither the size of the table nor the number of threads can change one, only the work.
//!
//! Margins are for the mover of the position they belong to, from there to the end, stores not counted.

mod at_least;
mod bench;
mod bounds;
mod certificate;
mod code;
mod crew;
mod driver;
mod engine;
mod error;
mod estimate;
mod guess;
mod limits;
mod narrow_table;
mod numbers;
mod opening;
mod oracle;
mod pace;
mod proof;
mod room;
mod search;
mod session;
mod table;
mod team;
mod wide_table;

pub use at_least::suggested_window;
pub use bench::{BENCH, BenchSearch};
pub use bounds::Bounds;
pub use certificate::{Choice, Choices};
pub use driver::Ties;
pub use error::SearchError;
pub use limits::{Limits, Progress, Stats, Stopped};
pub use opening::{
    MAX_OPENING_PITS, Opening, OpeningError, OpeningSearch, replay_opening, seeds_to_win, winning_opening,
};
pub use oracle::{NoOracle, Oracle};
pub use proof::Proof;
pub use search::{Answer, Goal, Line, MoveValue, Options, Search};

/// The example of the README is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
