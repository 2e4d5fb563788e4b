//! Fair starts: boards near a start from which perfect play ends in a draw.
//!
//! A board is near a start if few seeds lie elsewhere, stores included; South moves first. Two questions settle it at most:
//! does South win, and do they lose? [`Settled`] remembers verdicts between runs.
//!
//! ```
//! use kalah_study::fair::{Judge, Verdict, boards};
//! use kalah_rules::State;
//! use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
//!
//! let near = boards(State::start(3, 2)?, 1..=1);
//! assert_eq!(near.clone().count(), 6 * 7); // a seed of any of six pits in any of the other seven pits and stores
//! let judge = Judge { rules: "kalah-empty".parse()?, ..Judge::default() };
//! let fair = AtomicUsize::new(0);
//! judge.judge_all(near, &|_, verdict, _| {
//!     fair.fetch_add(usize::from(verdict == Verdict::Fair), Relaxed);
//! })?;
//! assert!(fair.into_inner() > 0);
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
