//! Kalah: sow through the own store, move again when the last seed falls there, capture from an own empty pit.

use crate::sow_table::{LastSeed, SowTable, Sowing};
use crate::{GameEnd, KalahRules, LayerKind, Leftover, Leftovers, Pits, Position, Row, SowingGame, Sown};

/// Kalah on a board of a given number of pits under given rules.
///
/// ```
/// use kalah_rules::{Kalah, KalahRules, Next, Position, Row, SowingGame};
/// let kalah = Kalah::new(3, KalahRules::default());
/// // The only seed of the mover falls into their empty pit 3; it faces pit 1, which holds 2.
/// let sown = kalah.sow(Position::new(Row::from_pits(&[0, 1, 0]), Row::from_pits(&[2, 0, 0])), 2);
/// assert_eq!((sown.mover_gain, sown.next), (3, Next::Over));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Kalah {
    table: &'static SowTable,
    rules: KalahRules,
    pits: u8,
}

impl Kalah {
    /// Kalah with `pits` pits a side.
    ///
    /// # Panics
    /// If `pits` is not 1 to 8.
    #[track_caller]
    pub fn new(pits: u8, rules: KalahRules) -> Kalah {
        assert!((1..=crate::MAX_PITS).contains(&pits), "a board has 1 to 8 pits a side, found {pits}");
        Kalah { table: SowTable::of(pits), rules, pits }
    }

    /// Where `seeds` seeds sown from pit `pit` (from 1) fall, whatever lies in the pits.
    ///
    /// # Panics
    /// If the board has no such pit.
    #[inline]
    pub fn sowing(&self, pit: u8, seeds: u8) -> &'static Sowing {
        self.table.sowing(pit, seeds)
    }

    /// The rules it is played by.
    pub fn rules(&self) -> KalahRules {
        self.rules
    }
}

impl SowingGame for Kalah {
    #[inline]
    fn pits(&self) -> u8 {
        self.pits
    }

    #[inline]
    fn legal(&self, position: Position) -> Pits {
        match self.rules.end {
            GameEnd::RowEmpty if position.opponent.is_empty() => Pits(0),
            _ => Pits(position.mover.occupied()),
        }
    }

    #[inline]
    fn sow(&self, position: Position, pit: u8) -> Sown {
        let sowing = self.table.sowing(pit, position.mover.pit(pit));
        let mover = position.mover.without(pit) + sowing.mover;
        let opponent = position.opponent + sowing.opponent;
        let again = matches!(sowing.last, LastSeed::Store);
        // One seed in the last pit means that the pit was empty when the seed arrived, also after a whole lap. No branch
        // hangs on it: which sows capture, no processor foresees.
        let alone = Row::from_bits(mover.bits() & sowing.last_pit).seeds() == 1;
        let taken = Row::from_bits(opponent.bits() & sowing.facing_pit).seeds() as u8;
        let captures = alone & ((taken > 0) | self.rules.empty_capture);
        let emptied = u64::from(captures).wrapping_neg();
        let mover = Row::from_bits(mover.bits() & !(sowing.last_pit & emptied));
        let opponent = Row::from_bits(opponent.bits() & !(sowing.facing_pit & emptied));
        let gain = sowing.banked + if captures { taken + 1 } else { 0 };
        let over = match self.rules.end {
            GameEnd::RowEmpty => mover.is_empty() || opponent.is_empty(),
            GameEnd::MoverStuck => (if again { mover } else { opponent }).is_empty(),
        };
        Sown::after(Position::new(mover, opponent), gain, again, over)
    }

    fn leftovers(&self, over: Position) -> Leftovers {
        let (mover, opponent) = (over.mover.seeds() as u8, over.opponent.seeds() as u8);
        match self.rules.leftover {
            Leftover::Owner => Leftovers { mover, opponent },
            // Only one row can hold seeds once the game is over, so the other player is the one who went out.
            Leftover::Out => Leftovers { mover: opponent, opponent: mover },
            Leftover::Last => Leftovers { mover: mover + opponent, opponent: 0 },
            Leftover::Nobody => Leftovers::default(),
        }
    }

    fn layer_kind(&self) -> LayerKind {
        LayerKind::Acyclic
    }

    fn keeps_parity(&self) -> bool {
        self.rules.leftover != Leftover::Nobody
    }
}
