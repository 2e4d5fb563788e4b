//! One null-window question about a start, split into many that processes can answer each on its own.
//!
//! [`WorkList::split`] unfolds the tree of play from a root until there are enough positions to hand out: a work list.
//! [`Solver::prove_each`](crate::Solver::prove_each) answers its sub-problems, each with a [`TaskResult`]. [`merge`] takes the
//! results back to the root. Lists and results are text, one JSON object a line, so that files can go from machine to machine.
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
//! let lines = results.into_iter().map(|result| Evidence { from: "memory".to_owned(), result }).collect::<Vec<_>>();
//! let merged = merge(&[("a list".to_owned(), list)], &lines)?;
//! assert!(merged.bounds.lower >= Margin(6)); // the value is +6
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod list;
mod merge;
mod result;
mod tree;
mod work;

pub use error::SplitError;
pub use list::{Task, WorkList};
pub use merge::{Evidence, Merged, NextStep, Round, merge};
pub use result::{TaskResult, read_results};
