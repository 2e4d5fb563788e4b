//! Published numbers, and whether they can be found again.
//!
//! A [`Claim`] is one number that somebody published, with its source, rules, board and what it is about. They are data:
//! `crates/study/data` holds them as printed, misprints included, and they are compiled into the program. An
//! [`Evaluator`] computes each of them anew by a way of its own: values by search and solved layers, game graphs by a plain
//! second implementation of the rules that counts every node, sizes by their formulas, lines of play by replay. A
//! [`Report`] says what was found. A claim marked as a misprint carries the correct number: the computation must find that
//! number, or the report calls the claim refuted. [`Settled`] remembers findings between runs.
//!
//! ```
//! use kalah_study::reproduce::{Evaluator, Means, Unwatched, Verdict, claims, run, select};
//!
//! let claims = claims()?;
//! let wanted = select(&claims, &["irving2000-t2-2-5".to_owned(), "irving2000-t9-4-3".to_owned()])?;
//! let reports = run(&Evaluator::new(Means::default()), &wanted, &Unwatched)?;
//! assert_eq!((reports[0].verdict, reports[0].ours.as_deref()), (Verdict::Misprint, Some("106,260")));
//! assert_eq!((reports[1].verdict, reports[1].ours.as_deref()), (Verdict::Reproduced, Some("+8")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod chain;
mod claim;
mod data;
mod error;
mod evaluate;
mod evaluator;
mod fair;
mod finding;
mod formula;
mod graph;
mod histogram;
mod line;
mod number;
mod page;
mod perft;
mod quantity;
mod report;
mod run;
mod state;
mod value;

pub use claim::{Claim, Correct, Cost, Kind, Source};
pub use data::{claims, select, sources};
pub use error::ReproduceError;
pub use evaluator::{Evaluator, Means};
pub use number::{Decimal, Letter, Number, Relation, Rounding};
pub use page::{page, summary};
pub use quantity::{GraphKind, Quantity};
pub use report::{Report, Verdict};
pub use run::{Unwatched, Watch, run};
pub use state::Settled;
