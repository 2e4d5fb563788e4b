//! Dakon and Congkak: sow through the own store and on from every filled pit (relay), until the last seed finds an empty one.

use crate::sow_table::{LastSeed, SowTable};
use crate::{LayerKind, Leftovers, Next, Pits, Position, Row, SowingGame, Sown};

/// What a capture takes when the last seed falls into an own empty pit and the facing pit holds seeds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Take {
    /// The facing pit's seeds and the last seed.
    #[default]
    Both,
    /// The facing pit's seeds; the last seed stays where it fell.
    Facing,
}

/// What the last seed does in an empty pit of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mikul {
    /// Nothing: the turn is over.
    #[default]
    Nothing,
    /// It takes the seeds of the pits on both sides of it in the same row; the last seed stays.
    Neighbours,
    /// The same, but only if there are two such pits and both hold the same number of seeds.
    Equal,
}

/// When a round of Dakon ends. What is left goes to the owner of the row it lies in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RoundEnd {
    /// When the player to move has no seeds.
    #[default]
    MoverStuck,
    /// As soon as either row is empty after a turn's sow, extra moves included.
    RowEmpty,
    /// When no pit holds seeds: a player without seeds passes.
    AllEmpty,
}

/// The points on which sources of Dakon and Congkak differ and the engine lets you choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct DakonRules {
    /// What a capture takes.
    pub take: Take,
    /// Whether the last seed in an own empty pit is banked alone when the facing pit is empty; else it stays.
    pub bank_alone: bool,
    /// What the last seed does in an empty pit of the opponent.
    pub mikul: Mikul,
    /// When the round ends.
    pub end: RoundEnd,
}

/// One round of Dakon, all pits in play, on a board of a given number of pits under given rules.
///
/// Under [`RoundEnd::AllEmpty`] a player without seeds has one move, a pass, which is played as pit 1: it moves nothing.
///
/// ```
/// use kalah_rules::{Dakon, DakonRules, Next, Position, Row, SowingGame};
/// let dakon = Dakon::new(7, DakonRules::default());
/// let start = Row::from_pits(&[7; 7]);
/// // From hole 7 the last of seven seeds makes eight in the other row's hole 6, which are sown on and end in a capture.
/// let sown = dakon.sow(Position::new(start, start), 7);
/// assert_eq!((sown.mover_gain, sown.next), (10, Next::Pass));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dakon {
    table: &'static SowTable,
    rules: DakonRules,
    pits: u8,
}

impl Dakon {
    /// Dakon with `pits` pits a side.
    ///
    /// # Panics
    /// If `pits` is not 1 to 8.
    #[track_caller]
    pub fn new(pits: u8, rules: DakonRules) -> Dakon {
        assert!((1..=crate::MAX_PITS).contains(&pits), "a board has 1 to 8 pits a side, found {pits}");
        Dakon { table: SowTable::of(pits), rules, pits }
    }

    /// The rules it is played by.
    pub fn rules(&self) -> DakonRules {
        self.rules
    }

    /// Whether the mover has nothing to sow and must say so.
    #[inline]
    fn passes(&self, position: Position) -> bool {
        self.rules.end == RoundEnd::AllEmpty && position.mover.is_empty() && !position.opponent.is_empty()
    }

    /// What the last seed takes after it has fallen into an empty pit `last` of the mover.
    #[inline]
    fn capture(&self, rows: &mut Position, last: u8) -> u8 {
        let facing = self.pits + 1 - last;
        let taken = rows.opponent.pit(facing);
        let own = match (taken, self.rules.take) {
            (0, _) if !self.rules.bank_alone => return 0,
            (0, _) | (_, Take::Both) => 1,
            (_, Take::Facing) => 0,
        };
        rows.opponent = rows.opponent.without(facing);
        if own == 1 {
            rows.mover = rows.mover.without(last);
        }
        taken + own
    }

    /// What the last seed takes after it has fallen into an empty pit `last` of the opponent.
    #[inline]
    fn mikul(&self, rows: &mut Position, last: u8) -> u8 {
        let held = |pit: u8| if (1..=self.pits).contains(&pit) { rows.opponent.pit(pit) } else { 0 };
        let (before, after) = (held(last - 1), held(last + 1));
        let takes = match self.rules.mikul {
            Mikul::Nothing => false,
            Mikul::Neighbours => true,
            Mikul::Equal => last > 1 && last < self.pits && before == after,
        };
        if takes {
            if before > 0 {
                rows.opponent = rows.opponent.without(last - 1);
            }
            if after > 0 {
                rows.opponent = rows.opponent.without(last + 1);
            }
            return before + after;
        }
        0
    }
}

impl SowingGame for Dakon {
    #[inline]
    fn pits(&self) -> u8 {
        self.pits
    }

    #[inline]
    fn legal(&self, position: Position) -> Pits {
        match self.rules.end {
            RoundEnd::RowEmpty if position.opponent.is_empty() => Pits(0),
            RoundEnd::AllEmpty if self.passes(position) => Pits(1),
            _ => Pits(position.mover.occupied()),
        }
    }

    fn sow(&self, position: Position, pit: u8) -> Sown {
        if self.passes(position) {
            return Sown { position: position.flipped(), mover_gain: 0, opponent_gain: 0, next: Next::Pass };
        }
        let mut rows = Position::new(position.mover.without(pit), position.opponent);
        let mut sowing = self.table.sowing(pit, position.mover.pit(pit));
        let mut gain = 0;
        // Every lap that ends in a filled pit has moved its seeds on or banked one, so the relay comes to an end.
        let again = loop {
            rows.mover = rows.mover + sowing.mover;
            rows.opponent = rows.opponent + sowing.opponent;
            gain += sowing.banked;
            // One seed in the last pit means that the pit was empty when the seed arrived, also after a whole lap.
            match sowing.last {
                LastSeed::Store => break true,
                LastSeed::Own(last) => match rows.mover.pit(last) {
                    1 => {
                        gain += self.capture(&mut rows, last);
                        break false;
                    }
                    seeds => {
                        rows.mover = rows.mover.without(last);
                        sowing = self.table.sowing(last, seeds);
                    }
                },
                LastSeed::Opponent(last) => match rows.opponent.pit(last) {
                    1 => {
                        gain += self.mikul(&mut rows, last);
                        break false;
                    }
                    seeds => {
                        rows.opponent = rows.opponent.without(last);
                        sowing = self.table.sowing_from_opponent(last, seeds);
                    }
                },
            }
        };
        let next_row: Row = if again { rows.mover } else { rows.opponent };
        let over = match self.rules.end {
            RoundEnd::MoverStuck => next_row.is_empty(),
            RoundEnd::RowEmpty => rows.mover.is_empty() || rows.opponent.is_empty(),
            RoundEnd::AllEmpty => rows == Position::default(),
        };
        let (next, position) = match (over, again) {
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
