//! Dakon and Congkak: sow through the own store and on from every filled pit, until the last seed finds the store or an empty pit.

use crate::sow_table::{LastSeed, SowTable};
use crate::{LayerKind, Leftovers, Next, Pits, Position, SowingGame, Sown, relay};

/// What a capture takes when the last seed falls into an own empty pit and the facing pit holds seeds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Take {
    /// The facing pit's seeds and the last seed.
    #[default]
    Both,
    /// The facing pit's seeds; the last seed stays where it fell.
    Facing,
}

/// The capture of a last seed that falls into an empty pit of the opponent.
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

/// When a round of Dakon ends. Leftover seeds go to the owner of their row.
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
    /// The capture of a last seed that falls into an empty pit of the opponent.
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
/// // From pit 7 the last of seven seeds makes eight in the other row's pit 6, which are sown on and end in a capture.
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
}

/// Two packed rows in the middle of a relay, sown by the table.
pub(crate) struct PackedRelay {
    table: &'static SowTable,
    /// The rows as the mover sees them.
    pub(crate) rows: Position,
    pits: u8,
    /// Seeds that came into the mover's store.
    pub(crate) gain: u8,
}

impl PackedRelay {
    /// The rows before the sow, on a board of `pits` pits a side.
    #[inline]
    pub(crate) fn new(table: &'static SowTable, pits: u8, rows: Position) -> PackedRelay {
        PackedRelay { table, rows, pits, gain: 0 }
    }

    /// The result of the sow that led to these rows.
    #[inline]
    pub(crate) fn sown(self, last: LastSeed, end: RoundEnd) -> Sown {
        let again = last == LastSeed::Store;
        let (to_move, other) = match again {
            true => (self.rows.mover, self.rows.opponent),
            false => (self.rows.opponent, self.rows.mover),
        };
        Sown::after(self.rows, self.gain, again, end.is_over(to_move.is_empty(), other.is_empty()))
    }
}

impl relay::Board for PackedRelay {
    #[inline]
    fn pits(&self) -> u8 {
        self.pits
    }

    #[inline]
    fn lap(&mut self, from: LastSeed) -> LastSeed {
        let sowing = match from {
            LastSeed::Own(pit) => {
                let seeds = self.rows.mover.pit(pit);
                self.rows.mover = self.rows.mover.without(pit);
                self.table.sowing(pit, seeds)
            }
            LastSeed::Opponent(pit) => {
                let seeds = self.rows.opponent.pit(pit);
                self.rows.opponent = self.rows.opponent.without(pit);
                self.table.sowing_from_opponent(pit, seeds)
            }
            LastSeed::Store => return from,
        };
        self.rows.mover = self.rows.mover + sowing.mover;
        self.rows.opponent = self.rows.opponent + sowing.opponent;
        self.gain += sowing.banked;
        sowing.last
    }

    #[inline]
    fn held(&self, pit: LastSeed) -> u32 {
        match pit {
            LastSeed::Own(pit) => u32::from(self.rows.mover.pit(pit)),
            LastSeed::Opponent(pit) => u32::from(self.rows.opponent.pit(pit)),
            LastSeed::Store => 0,
        }
    }

    #[inline]
    fn take(&mut self, pit: LastSeed) -> u32 {
        let held = self.held(pit);
        match pit {
            LastSeed::Own(pit) => self.rows.mover = self.rows.mover.without(pit),
            LastSeed::Opponent(pit) => self.rows.opponent = self.rows.opponent.without(pit),
            LastSeed::Store => {}
        }
        self.gain += held as u8;
        held
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
        let mut board = PackedRelay::new(self.table, self.pits, position);
        let last = relay::sow(&mut board, pit);
        relay::capture(&mut board, &self.rules, last);
        board.sown(last, self.rules.end)
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
