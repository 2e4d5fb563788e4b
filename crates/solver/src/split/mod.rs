//! One null-window question about a start, split into many that processes can answer each on its own.
//!
//! [`WorkList::split`] unfolds the tree of play from a root until there are enough positions to hand out: a work list.
//! [`Solver::prove_each`](crate::Solver::prove_each) answers its sub-problems, each with a [`TaskResult`]. [`merge`] takes the
//! results back to the root.
//!
//! # The files
//!
//! Both files are text, so that they can go from machine to machine. A work list has one JSON object per line; the first line
//! holds a checksum of itself. A file of results is a [`Journal`](crate::database::Journal) with the title [`RESULTS_TITLE`]: every
//! line is a JSON object followed by a space and the line's checksum, so a changed digit is noticed and named by its line.
//!
//! # What is believed
//!
//! A work list is not believed: when it is read, it is worked out again from its root and must come out the same.
//!
//! A result is believed if nothing contradicts it: its position and window must be those of a sub-problem, its bounds
//! must answer the question and be possible for the position, no line of its file may answer the same question, and no
//! other result or rule may exclude it. Whoever writes a false bound with a right checksum, and leaves no other result that
//! contradicts it, is believed. [`claims`] turns results into questions whose answers tell; `kalah merge --check`
//! proves a sample of them again.
//!
//! ```
//! use kalah::split::{Evidence, WorkList, merge};
//! use kalah::{Limits, Options, Solver};
//! use kalah_rules::{Margin, RuleSet, State};
//! use std::ops::ControlFlow;
//!
//! let rules: RuleSet = "kalah".parse()?;
//! let list = WorkList::split(rules, &State::start(4, 2)?, Margin(6), 10, None)?;
//! let solver = Solver::without_layers(rules, 4, Options { table_bytes: 1 << 20, threads: 1 })?;
//! let mut results = Vec::new();
//! solver.prove_each(list.tasks(), &Limits::default(), |result| {
//!     results.push(result);
//!     ControlFlow::Continue(())
//! })?;
//! let evidence = results.into_iter().map(|result| Evidence { from: "memory".to_owned(), result }).collect::<Vec<_>>();
//! let merged = merge(&[("a list".to_owned(), list)], &evidence)?;
//! assert!(merged.bounds.lower >= Margin(6)); // the value is +6
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod claim;
mod error;
mod list;
mod merge;
mod result;
mod tree;
mod work;

pub use claim::{Claim, claims};
pub use error::SplitError;
pub use list::{Task, WorkList};
pub use merge::{Evidence, Merged, NextStep, Round, merge};
pub use result::{RESULTS_TITLE, TaskResult, read_results};
