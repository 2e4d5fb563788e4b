//! Avalanche: Kalah in which a sowing that ends in a filled pit goes on from there, and nothing is captured.

use crate::sow_table::{LastSeed, SowTable};
use crate::{LayerKind, Leftovers, Next, Pits, Position, SowingGame, Sown};

/// Avalanche on a board of a given number of pits. It has no options.
///
/// ```
/// use kalah_rules::{Avalanche, Next, Position, Row, SowingGame};
/// let start = Row::from_pits(&[4; 6]);
/// let sown = Avalanche::new(6).sow(Position::new(start, start), 1);
/// assert_eq!((sown.mover_gain, sown.next), (5, Next::Pass));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Avalanche {
    table: &'static SowTable,
    pits: u8,
}

impl Avalanche {
    /// Avalanche with `pits` pits a side.
    ///
    /// # Panics
    /// If `pits` is not 1 to 8.
    #[track_caller]
    pub fn new(pits: u8) -> Avalanche {
        assert!((1..=crate::MAX_PITS).contains(&pits), "a board has 1 to 8 pits a side, found {pits}");
        Avalanche { table: SowTable::of(pits), pits }
    }
}

impl SowingGame for Avalanche {
    #[inline]
    fn pits(&self) -> u8 {
        self.pits
    }

    #[inline]
    fn legal(&self, position: Position) -> Pits {
        Pits(if position.opponent.is_empty() { 0 } else { position.mover.occupied() })
    }

    fn sow(&self, position: Position, pit: u8) -> Sown {
        let Position { mut mover, mut opponent } = position;
        let mut sowing = self.table.sowing(pit, mover.pit(pit));
        mover = mover.without(pit);
        let mut gain = 0;
        // Every lap that ends in a filled pit has moved its seeds on or banked one, so the relay comes to an end.
        let again = loop {
            (mover, opponent) = (mover + sowing.mover, opponent + sowing.opponent);
            gain += sowing.banked;
            match sowing.last {
                LastSeed::Store => break true,
                LastSeed::Own(last) => {
                    let seeds = mover.pit(last);
                    if seeds == 1 {
                        break false;
                    }
                    mover = mover.without(last);
                    sowing = self.table.sowing(last, seeds);
                }
                LastSeed::Opponent(last) => {
                    let seeds = opponent.pit(last);
                    if seeds == 1 {
                        break false;
                    }
                    opponent = opponent.without(last);
                    sowing = self.table.sowing_from_opponent(last, seeds);
                }
            }
        };
        let rows = Position::new(mover, opponent);
        let (next, position) = match (mover.is_empty() || opponent.is_empty(), again) {
            (true, _) => (Next::Over, rows),
            (false, true) => (Next::Again, rows),
            (false, false) => (Next::Pass, rows.flipped()),
        };
        Sown { position, mover_gain: gain, opponent_gain: 0, next }
    }

    fn leftovers(&self, over: Position) -> Leftovers {
        Leftovers { mover: over.mover.seeds() as u8, opponent: over.opponent.seeds() as u8 }
    }

    fn layer_kind(&self) -> LayerKind {
        LayerKind::Acyclic
    }

    fn keeps_parity(&self) -> bool {
        true
    }
}
