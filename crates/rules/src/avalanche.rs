//! Avalanche: Kalah in which a sow that ends in a filled pit goes on from there, and nothing is captured.

use crate::dakon::PackedRelay;
use crate::sow_table::SowTable;
use crate::{LayerKind, Leftovers, Pits, Position, RoundEnd, SowingGame, Sown, relay};

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
        let mut board = PackedRelay::new(self.table, self.pits, position);
        let last = relay::sow(&mut board, pit);
        board.sown(last, RoundEnd::RowEmpty)
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
