//! Builds layers of solved positions by retrograde analysis, and checks them by another road.
//!
//! [`build`] brings a database directory up to a number of seeds with one of two builders that write the same bytes: the
//! [`sweep`], which treats whole rows of positions at a time, and the [`mod@reference`] builder, which plays every move
//! of every position by the rules. Layers in which positions repeat have two builders of their own, see [`fixpoint`].
//! [`verify_values`] re-derives finished values from their successors.
//!
//! ```
//! use kalah_retrograde::{BuildOptions, Unwatched, build, verify_values};
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! let rules = "kalah".parse()?;
//! let report = build(directory, &rules, 3, 6, &BuildOptions::default(), &Unwatched)?;
//! assert_eq!(report.layers.len(), 7); // 0 to 6 seeds
//! assert_eq!(verify_values(directory, &rules, 3, 0..=6, None, &Unwatched)?.wrong, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod error;
pub mod fixpoint;
mod kernel;
mod layers;
mod method;
mod observer;
mod options;
mod pattern;
pub mod reference;
mod rows;
mod scatter;
mod solved_files;
mod steps;
pub mod sweep;
mod verify;
mod write;

pub use build::{BuildPlan, BuildReport, build, plan};
pub use error::BuildError;
pub use layers::{LayersInMemory, SolvedLayers};
pub use observer::{LayerPlan, LayerReport, Observer, Unwatched};
pub use options::{BuildOptions, Builder, stamp};
pub use verify::{ValuesReport, WrongValue, verify_values};

/// The example of the README is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
