//! What the search asks about positions it need not search.

use kalah_rules::{Margin, Position};

/// Knows the value of positions with few seeds: the solved layers, seen from the search.
///
/// Every answer must be the exact value under the rules of the game that is searched; the search believes it.
pub trait Oracle: Sync {
    /// The value of `position` for its mover, from here to the end; `None` if it is not known after all.
    ///
    /// `seeds` are the seeds in the position's pits, always fewer than [`reach`](Oracle::reach). The search never asks
    /// about positions in which the game is over.
    fn value(&self, position: Position, seeds: u32) -> Option<Margin>;

    /// The search asks only about positions with fewer seeds than this.
    fn reach(&self) -> u32;

    /// Told that [`value`](Oracle::value) will soon be asked about this position. A place to touch memory early.
    #[inline]
    fn prefetch(&self, position: Position, seeds: u32) {
        let _ = (position, seeds);
    }
}

/// The oracle that knows nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoOracle;

impl Oracle for NoOracle {
    fn value(&self, _position: Position, _seeds: u32) -> Option<Margin> {
        None
    }

    fn reach(&self) -> u32 {
        0
    }
}

impl<O: Oracle + ?Sized> Oracle for &O {
    #[inline]
    fn value(&self, position: Position, seeds: u32) -> Option<Margin> {
        (**self).value(position, seeds)
    }

    #[inline]
    fn reach(&self) -> u32 {
        (**self).reach()
    }

    #[inline]
    fn prefetch(&self, position: Position, seeds: u32) {
        (**self).prefetch(position, seeds);
    }
}
