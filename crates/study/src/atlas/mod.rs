//! The atlas: what the starts of a whole grid of boards are worth, under many rule sets.
//!
//! A [`Cell`] is one start under one rule set; [`grid`] lists the cells of many boards, cheapest first. [`chart`] finds out
//! what there is to know about a cell within limits: a [`Row`]. A [`Table`] is the file that keeps the rows of one rule set;
//! what it holds needs no second computation.
//!
//! ```
//! use kalah_study::atlas::{Cell, Means, Outcome, chart};
//! use kalah_rules::Margin;
//!
//! let cell = Cell { rules: "kalah".parse()?, pits: 3, seeds: 2 };
//! let row = chart(&cell, &Means::default())?;
//! assert!(row.is_exact());
//! assert_eq!((row.value.exact(), row.outcome()), (Some(Margin(4)), Outcome::Win));
//! // The other player takes the better seat after the first turn.
//! assert!(row.pie.and_then(|pie| pie.exact()).is_some_and(|value| value <= Margin(0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod chart;
mod error;
mod json;
mod row;
mod table;
mod text;

pub use cell::{Cell, grid, most_seeds};
pub use chart::{Means, chart};
pub use error::AtlasError;
pub use row::{Line, Outcome, Row, State};
pub use table::Table;
