//! Fair starts: boards near a start from which perfect play ends in a draw.
//!
//! A board is near a start if few seeds lie elsewhere, stores included; South moves first. Two questions settle it at most:
//! does South win, and do they lose? [`Settled`] remembers verdicts between runs.
//!
//! ```
//! use kalah_study::fair::{Board, Judge, Verdict, boards};
//! use kalah_rules::State;
//!
//! let near: Vec<Board> = boards(State::start(3, 2)?, 1..=1).collect();
//! assert_eq!(near.len(), 6 * 7); // a seed of any of six pits in any of the other seven pits and stores
//! let judge = Judge { rules: "kalah-empty".parse()?, ..Judge::default() };
//! let settled = judge.judge_all(&near, &|_, _, _| {})?;
//! assert!(settled.iter().any(|verdict| *verdict == Some(Verdict::Fair)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod error;
mod judge;
mod record;
mod settled;

pub use board::{Board, boards, count_boards};
pub use error::FairError;
pub use judge::{Judge, Verdict};
pub use record::Record;
pub use settled::Settled;
