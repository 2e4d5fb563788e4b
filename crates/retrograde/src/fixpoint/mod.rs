//! Layers with cycles: the value of every position of a layer in which positions repeat, for games in which a repetition
//! splits the seeds that are left.
//!
//! Where a repeated position is worth 0 ([`Repetition::Split`](kalah_rules::Repetition)), a position is worth `v > 0` if `v` is the
//! most its mover can force in finitely many moves, `−v` if that is the least the opponent can hold them to, and 0 where
//! neither can force anything else. Two builders find these values by different roads.
//!
//! [`plain_layer`] plays every move of every position by the rules, for every game, slow and obviously right: all positions begin at 0,
//! and the value that follows from the successors, the best of *seeds won − successor's value*, is put in its place until
//! nothing changes any more. Why that is right, in whatever order and by however many threads it is done: say that `x` *knows
//! no more than* `y` if `x` is 0, or both have one sign and `y` is at least as far from 0. Moves inside a layer win nothing,
//! so a position gets `v > 0` only from a successor already at `−v` or below, and `−v` only if every successor is at `v` or
//! above: if the successors of one table know no more than those of another, so do the values that follow. The table of zeros
//! knows no more than the true values, hence no table that is ever reached does, also if a thread reads bytes that another is
//! replacing: they only grow in this order, and cannot do so for ever. When nothing changes, the table satisfies the same
//! equations as the true values; a positive entry is then forced in as many moves as it took rounds to appear, so it is not
//! above the true value, and the true values are the least solution. So they are equal.
//!
//! [`level_layer`] is made for Oware and Awari, treats whole rows of positions at a time, and settles each position once, the largest
//! values first. That is right because of the order: when all positions worth more than `v` to either player are settled,
//! a position is worth `v` exactly if a move offers `v` out of the layer or leads to one that the opponent loses by `v` or more, and
//! worth `−v` exactly if no move offers more and every other leads to one that the opponent wins by `v` or more; and both can be
//! said as soon as the positions after the moves are settled, which takes as many rounds as the player needs moves. Positions
//! that no round reaches can be forced by neither. Settling a position earlier or later within a margin gives it the same value, so the
//! order of threads does not matter.

mod frontier;
mod level;
mod plain;
mod proof;
mod tables;

pub(crate) use level::working_bytes;
pub use level::{Levels, Reached, level_layer, level_layer_from};
pub use plain::plain_layer;
pub(crate) use proof::unproved;
pub use tables::RowTables;

/// A solved layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixpoint {
    /// The values of all positions in the order of their ranks: margins for the mover, from there to the end.
    pub values: Vec<i8>,
    /// How often the builder went over the layer, the last time, which found nothing to change, included. May depend on
    /// the number of threads; the values do not.
    pub sweeps: u32,
}
