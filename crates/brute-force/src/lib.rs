//! For tests only: true values of small games, found without any of the code that is to be checked.
#![doc = include_str!("../README.md")]

mod boards;
mod minimax;
mod starts;

pub use boards::positions;
pub use minimax::{Minimax, start_value};
pub use starts::{Needs, SmallStart, small_starts};
