//! What researchers run on top of the engine: published numbers computed again, an atlas of starts, fair starts, and counts
//! over whole layers.

pub mod atlas;
mod check;
mod checksums;
mod comparison;
pub mod fair;
mod layer_values;
pub mod reproduce;
mod statistics;

pub use checksums::{ChecksumError, LayerChecksum, layer_checksums};
pub use comparison::{Comparison, Difference, compare_layers};
pub use statistics::{Extreme, LayerStatistics, ValueCount, layer_statistics};

/// The README's example is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
