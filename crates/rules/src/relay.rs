//! Sows that go on from every filled pit (*relay*), and what the last seed does: the one place for Dakon, Congkak and Avalanche.
//!
//! Every board that is sown in this way implements [`Board`]: packed rows for the engine, a board that tells what happens, boards
//! with burnt pits, and large boards.

use crate::{DakonRules, LastSeed, Mikul, RoundEnd, Take};

/// A board in the middle of a move. Pits are named as the mover sees them.
pub trait Board {
    /// Pits a side.
    fn pits(&self) -> u8;

    /// Lifts the seeds of a pit and sows them on, into the mover's store and past the other. Where the last one fell.
    fn lap(&mut self, from: LastSeed) -> LastSeed;

    /// The seeds in a pit; not asked of the store.
    fn held(&self, pit: LastSeed) -> u32;

    /// Brings the seeds of a pit into the mover's store. How many there were.
    fn take(&mut self, pit: LastSeed) -> u32;
}

/// The capture of the last seed of a Dakon sow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    /// Nothing: it fell into the store, or into an opponent's pit where that captures nothing.
    Nothing,
    /// So many seeds of the facing pit, and the last seed too if `both`.
    Facing {
        /// Seeds of the facing pit.
        taken: u32,
        /// Whether the last seed was taken with them.
        both: bool,
    },
    /// The facing pit is empty; the last seed was banked alone if `banked`, else it stays.
    Alone {
        /// Whether it was banked.
        banked: bool,
    },
    /// So many seeds of the pits on both sides of an opponent's empty pit; 0 where both are empty.
    Neighbours {
        /// Seeds of both pits.
        taken: u32,
    },
}

/// Sows from the mover's pit `pit`, and on from every pit that already held seeds. Where the last seed came to rest: in the store,
/// which gives an extra move, or in a pit that was empty.
#[inline]
pub fn sow(board: &mut impl Board, pit: u8) -> LastSeed {
    let mut last = board.lap(LastSeed::Own(pit));
    // One seed in the last pit means that the pit was empty when the seed arrived, also after a whole lap. Every lap that goes on
    // has moved its seeds forward or banked one, so the relay comes to an end.
    while last != LastSeed::Store && board.held(last) > 1 {
        last = board.lap(last);
    }
    last
}

/// Captures what the last seed of a Dakon sow captures where it came to rest.
#[inline]
pub fn capture(board: &mut impl Board, rules: &DakonRules, last: LastSeed) -> Capture {
    match last {
        LastSeed::Store => Capture::Nothing,
        LastSeed::Own(pit) => {
            let taken = board.take(LastSeed::Opponent(board.pits() + 1 - pit));
            let both = if taken > 0 { rules.take == Take::Both } else { rules.bank_alone };
            if both {
                board.take(last);
            }
            if taken > 0 { Capture::Facing { taken, both } } else { Capture::Alone { banked: both } }
        }
        LastSeed::Opponent(pit) => {
            let before = (pit > 1).then(|| LastSeed::Opponent(pit - 1));
            let after = (pit < board.pits()).then_some(LastSeed::Opponent(pit + 1));
            let takes = match (rules.mikul, before, after) {
                (Mikul::Nothing, ..) => false,
                (Mikul::Neighbours, ..) => true,
                (Mikul::Equal, Some(before), Some(after)) => board.held(before) == board.held(after),
                (Mikul::Equal, ..) => false,
            };
            if !takes {
                return Capture::Nothing;
            }
            let mut taken = 0;
            for pit in [before, after].into_iter().flatten() {
                taken += board.take(pit);
            }
            Capture::Neighbours { taken }
        }
    }
}

impl RoundEnd {
    /// Whether a round is over: whether the row of the player to move is empty, and whether the other row is.
    #[inline]
    pub fn is_over(self, to_move_empty: bool, other_empty: bool) -> bool {
        match self {
            RoundEnd::MoverStuck => to_move_empty,
            RoundEnd::RowEmpty => to_move_empty || other_empty,
            RoundEnd::AllEmpty => to_move_empty && other_empty,
        }
    }
}
