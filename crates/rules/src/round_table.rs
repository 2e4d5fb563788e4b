//! For every pit and number of seeds, where seeds sown round the pits alone fall, stores left out, once a board size.

use crate::sow_table::LastSeed;
use crate::{MAX_PITS, Row};
use std::sync::OnceLock;

/// What sowing so many seeds from one pit round the pits adds everywhere; the pit itself must be emptied first.
#[derive(Clone, Copy, Debug)]
pub struct RoundSowing {
    /// The seeds added to the mover's pits.
    pub mover: Row,
    /// The seeds added to the opponent's pits.
    pub opponent: Row,
    /// Where the last seed falls; never the store.
    pub last: LastSeed,
}

/// The sowings of one board size: 256 for each pit, with the origin passed over, then as many with the origin sown.
#[derive(Debug)]
pub(crate) struct RoundTable {
    sowings: Vec<[RoundSowing; 256]>,
}

impl RoundTable {
    /// The table of a board with `pits` pits a side, 1 to 8.
    pub(crate) fn of(pits: u8) -> &'static RoundTable {
        static TABLES: [OnceLock<RoundTable>; MAX_PITS as usize] = [const { OnceLock::new() }; MAX_PITS as usize];
        TABLES[usize::from(pits) - 1].get_or_init(|| {
            let kinds = [false, true].into_iter();
            let sowings = kinds.flat_map(|sown| (1..=pits).map(move |pit| RoundTable::from_pit(pits, pit, sown)));
            RoundTable { sowings: sowings.collect() }
        })
    }

    /// What `seeds` seeds sown from pit `pit` (from 1) do on a board with `pits` pits a side.
    #[inline]
    pub(crate) fn sowing(&self, pits: u8, pit: u8, seeds: u8, origin_sown: bool) -> &RoundSowing {
        let kind = if origin_sown { usize::from(pits) } else { 0 };
        &self.sowings[kind + usize::from(pit) - 1][usize::from(seeds)]
    }

    /// All sowings from one pit, each one seed longer than the one before.
    fn from_pit(pits: u8, pit: u8, origin_sown: bool) -> [RoundSowing; 256] {
        let origin = LastSeed::Own(pit);
        let one = |pit: u8| Row::from_bits(1 << (8 * (pit - 1)));
        let mut sowings = [RoundSowing { mover: Row::EMPTY, opponent: Row::EMPTY, last: origin }; 256];
        for seeds in 1..256 {
            let mut sowing = sowings[seeds - 1];
            sowing.last = after(pits, sowing.last);
            if sowing.last == origin && !origin_sown {
                sowing.last = after(pits, sowing.last);
            }
            match sowing.last {
                LastSeed::Own(pit) => sowing.mover = sowing.mover + one(pit),
                LastSeed::Opponent(pit) => sowing.opponent = sowing.opponent + one(pit),
                LastSeed::Store => {}
            }
            sowings[seeds] = sowing;
        }
        sowings
    }
}

/// The pit after this one on the way round a board with `pits` pits a side.
pub(crate) fn after(pits: u8, place: LastSeed) -> LastSeed {
    match place {
        LastSeed::Own(pit) if pit < pits => LastSeed::Own(pit + 1),
        LastSeed::Opponent(pit) if pit < pits => LastSeed::Opponent(pit + 1),
        LastSeed::Own(_) | LastSeed::Store => LastSeed::Opponent(1),
        LastSeed::Opponent(_) => LastSeed::Own(1),
    }
}
