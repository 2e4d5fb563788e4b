//! Solves sowing games with certainty: solved layers and search behind one type.
//!
//! A [`Solver`] is opened for a rule set, a board and, if there is one, a directory of solved layers. It answers what a
//! position is worth, which moves keep that value, and how a perfect game goes on; an [`Answer`] carries all of it and
//! serialises to the JSON of the program `kalah`.
//!
//! ```
//! use kalah::{Limits, Options, Solver};
//! use kalah::rules::{RuleSet, State};
//!
//! let rules: RuleSet = "kalah-empty".parse()?;
//! let solver = Solver::without_layers(rules, 3, Options::default())?;
//! let state: State = "<3,0,0,0,1,0,0,0,2>".parse()?;
//! let answer = solver.analyse(&state, &Limits::default())?;
//! assert_eq!(answer.worth.value_south.map(|margin| margin.0), Some(-1));
//! assert_eq!(answer.final_totals, Some([1, 2]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod ask;
mod certify;
mod describe;
mod error;
mod layers;
mod limits;
mod line;
mod lookahead;
mod lookup;
pub mod machine;
mod pie;
mod plan;
mod prepare;
mod question;
mod record;
mod session;
mod solutions;
mod solver;
pub mod split;

pub use kalah_certificate as certificate;
pub use kalah_database as database;
pub use kalah_retrograde as retrograde;
pub use kalah_rules as rules;

pub use answer::{Answer, Bound, EndMargin, MoveAnswer, Source, Step, Stopped, Turn, Worth};
pub use certify::{Certified, Proving};
pub use error::SolverError;
pub use kalah_search::{
    BENCH, BenchSearch, Bounds, Goal, MAX_OPENING_PITS, Opening, OpeningError, OpeningSearch, Options, Progress, Proof,
    SearchError, Stats, replay_opening, seeds_to_win, suggested_window, winning_opening,
};
pub use limits::{Checkpoint, Limits};
pub use plan::{
    Rates, estimate_seconds, expected_search, most_layers, suggested_layers, suggested_table, with_threads,
};
pub use prepare::{Built, Costs, Preparation, PreparationObserver, Prepared, Unprepared, WORTH_A_WORD};
pub use record::{Record, RecordError};
pub use session::{Known, Session};
pub use solutions::{Solutions, solution_path};
pub use solver::Solver;

/// The version of this crate, which every answer carries.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A rule set's stable hash as text: 16 hexadecimal digits.
pub fn hash_text(rules: &kalah_rules::RuleSet) -> String {
    format!("{:016x}", rules.hash64())
}

/// The README's example of the library is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
