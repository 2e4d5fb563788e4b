//! For every pit and number of seeds, where the seeds of one lap through the own store fall, computed once a board size.

use crate::{MAX_PITS, Row};
use std::sync::OnceLock;

/// Where the last seed of a sow fell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LastSeed {
    /// In the mover's own pit with this number.
    Own(u8),
    /// In the mover's store.
    Store,
    /// In the opponent's pit with this number, in the opponent's own numbering.
    Opponent(u8),
}

/// What sowing so many seeds from one pit adds everywhere, before any capture; the pit itself must be emptied first.
#[derive(Clone, Copy, Debug)]
pub struct Sowing {
    /// The seeds added to the mover's pits.
    pub mover: Row,
    /// The seeds added to the opponent's pits.
    pub opponent: Row,
    /// Seeds that fall into the mover's store.
    pub banked: u8,
    /// Where the last seed falls.
    pub last: LastSeed,
    /// All bits of the mover's pit in which the last seed falls; none if it falls elsewhere.
    pub(crate) last_pit: u64,
    /// All bits of the opponent's pit that faces it.
    pub(crate) facing_pit: u64,
}

/// The sowings of one board size: 256 for each pit of the mover, then 256 for each pit of the opponent.
#[derive(Debug)]
pub(crate) struct SowTable {
    sowings: Vec<[Sowing; 256]>,
}

impl SowTable {
    /// The table of a board with `pits` pits a side, 1 to 8.
    pub(crate) fn of(pits: u8) -> &'static SowTable {
        static TABLES: [OnceLock<SowTable>; MAX_PITS as usize] = [const { OnceLock::new() }; MAX_PITS as usize];
        TABLES[usize::from(pits) - 1].get_or_init(|| {
            let origins = (1..=pits).map(LastSeed::Own).chain((1..=pits).map(LastSeed::Opponent));
            SowTable { sowings: origins.map(|origin| SowTable::from_seat(pits, origin)).collect() }
        })
    }

    /// What `seeds` seeds sown from pit `pit` (from 1) do.
    #[inline]
    pub(crate) fn sowing(&self, pit: u8, seeds: u8) -> &Sowing {
        &self.sowings[usize::from(pit) - 1][usize::from(seeds)]
    }

    /// What `seeds` seeds do that the mover sows on from the opponent's pit `pit` (from 1), in a relay.
    #[inline]
    pub(crate) fn sowing_from_opponent(&self, pit: u8, seeds: u8) -> &Sowing {
        &self.sowings[self.sowings.len() / 2 + usize::from(pit) - 1][usize::from(seeds)]
    }

    /// All sowings from one pit, each one seed longer than the one before.
    fn from_seat(pits: u8, origin: LastSeed) -> [Sowing; 256] {
        let seat = |last| match last {
            LastSeed::Own(pit) if pit < pits => LastSeed::Own(pit + 1),
            LastSeed::Own(_) => LastSeed::Store,
            LastSeed::Store => LastSeed::Opponent(1),
            LastSeed::Opponent(pit) if pit < pits => LastSeed::Opponent(pit + 1),
            LastSeed::Opponent(_) => LastSeed::Own(1),
        };
        let one = |pit: u8| Row::from_bits(1 << (8 * (pit - 1)));
        let all = |pit: u8| 0xff << (8 * (pit - 1));
        let (mover, opponent) = (Row::EMPTY, Row::EMPTY);
        let nothing = Sowing { mover, opponent, banked: 0, last: origin, last_pit: 0, facing_pit: 0 };
        let mut sowings = [nothing; 256];
        for seeds in 1..256 {
            let mut sowing = sowings[seeds - 1];
            sowing.last = seat(sowing.last);
            match sowing.last {
                LastSeed::Own(pit) => sowing.mover = sowing.mover + one(pit),
                LastSeed::Opponent(pit) => sowing.opponent = sowing.opponent + one(pit),
                LastSeed::Store => sowing.banked += 1,
            }
            (sowing.last_pit, sowing.facing_pit) = match sowing.last {
                LastSeed::Own(pit) => (all(pit), all(pits + 1 - pit)),
                _ => (0, 0),
            };
            sowings[seeds] = sowing;
        }
        sowings
    }
}
