//! Positions of a sowing game to numbers and back. Knows no game: rows, sections and layers only.
//!
//! A *row* is one player's pits as a word, pit `i` in byte `i − 1`. All rows of `s` seeds on `m` pits are numbered
//! ([`rank_row`]); a *section* is one split of a layer's seeds between the two rows; a *layer* ([`Layer`]) is all
//! positions with the same number of seeds in pits, numbered without gaps.
//!
//! ```
//! use kalah_index::Layer;
//! let layer = Layer::new(6, 24)?;
//! assert_eq!(layer.positions(), 417_225_900);
//! let (mover, opponent) = layer.unrank(123_456_789);
//! assert_eq!(layer.rank(mover, opponent), 123_456_789);
//! # Ok::<(), kalah_index::IndexError>(())
//! ```

mod binomial;
mod layer;
mod row;

pub use binomial::binomial;
pub use layer::{IndexError, Layer, Section};
pub use row::{first_row, next_row, rank_row, row_seeds, rows, unrank_row};

/// The most pits a row can have.
pub const MAX_PITS: u8 = 8;

/// The most seeds a layer can have: margins of up to 127 seeds fit one signed byte.
pub const MAX_LAYER: u32 = 127;

/// The example of the README is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
