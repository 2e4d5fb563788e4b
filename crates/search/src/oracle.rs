//! The oracle: it knows the values of positions that need no search.

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

    /// Where the value of this position lies, in whatever the oracle counts; [`value_at`](Oracle::value_at) will soon be asked
    /// about it. A place to touch memory early.
    #[inline]
    fn locate(&self, position: Position, seeds: u32) -> u64 {
        let _ = (position, seeds);
        0
    }

    /// As [`value`](Oracle::value) of a position that [`locate`](Oracle::locate) has found at `place`.
    #[inline]
    fn value_at(&self, place: u64, position: Position, seeds: u32) -> Option<Margin> {
        let _ = place;
        self.value(position, seeds)
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
    fn locate(&self, position: Position, seeds: u32) -> u64 {
        (**self).locate(position, seeds)
    }

    #[inline]
    fn value_at(&self, place: u64, position: Position, seeds: u32) -> Option<Margin> {
        (**self).value_at(place, position, seeds)
    }
}
