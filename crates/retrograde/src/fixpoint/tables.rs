//! What each move of each row does in Oware and Awari, worked out once for all positions in which that row is to move.

use crate::rows::all_rows;
use crate::steps::Steps;
use kalah_index::{rank_row, row_seeds, rows};
use kalah_rules::{LastSeed, Oware, Row, Slam, SowingGame};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// A move of a row, whatever the other row is.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowMove {
    /// Rank of the mover's row afterwards among the rows of its seeds.
    pub(super) row: u32,
    /// Seeds of the mover's row afterwards.
    pub(super) seeds: u8,
    /// What happens to the other row: the place in [`RoundTables`]' list of spills; [`STAYS`] if nothing does.
    pub(super) spill: u16,
}

/// The spill of a move that stays inside its row.
pub(super) const STAYS: u16 = u16::MAX;

/// What a move adds to the other row, and the pit of that row in which its last seed falls (0: in none).
type Spill = (u64, u8);

/// All moves of all rows of so many seeds.
#[derive(Debug, Default)]
pub(super) struct RowMoves {
    moves: Vec<RowMove>,
    starts: Vec<u32>,
    /// All spills that occur, each once.
    spills: Vec<u16>,
}

impl RowMoves {
    /// The moves of the row with this rank.
    #[inline]
    pub(super) fn of(&self, row: usize) -> &[RowMove] {
        &self.moves[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// No rank: the move leaves the layer.
pub(super) const LEFT: u32 = u32::MAX;

/// Where all rows of so many seeds go under one spill.
#[derive(Debug, Default)]
pub(super) struct SpillMap {
    /// Rows that lose nothing.
    pub(super) stay: Steps,
    /// The same once more, rank by rank: the rank afterwards, or [`LEFT`] of a row that loses seeds.
    pub(super) ahead: Vec<u32>,
    /// And backwards: the rank before, or [`LEFT`] where no row comes from.
    pub(super) back: Vec<u32>,
    /// Rows that lose so many seeds to a capture.
    pub(super) lose: Vec<(u8, Steps)>,
    /// Rows that would lose all seeds, where the rules then have more to say than the row can know.
    pub(super) special: Vec<u32>,
}

/// Everything about rows that building the layers of one game needs. Kept from layer to layer.
#[derive(Debug)]
pub struct RoundTables {
    pub(super) oware: Oware,
    spills: Vec<Spill>,
    places: HashMap<Spill, u16>,
    /// By seeds.
    moves: Vec<RowMoves>,
    /// By the waiting row's seeds, then by spill.
    maps: Vec<Vec<Option<SpillMap>>>,
}

impl RoundTables {
    /// Empty tables for this game, or `None` if a sowing depends on more than its own row, as where full pits are passed over.
    pub fn new(oware: Oware) -> Option<RoundTables> {
        let rows_suffice = !oware.rules().full_skipped;
        rows_suffice.then(|| RoundTables {
            oware,
            spills: Vec::new(),
            places: HashMap::new(),
            moves: Vec::new(),
            maps: Vec::new(),
        })
    }

    /// Bytes the tables take now.
    pub(crate) fn bytes(&self) -> u64 {
        let moves = self.moves.iter().map(|moves| moves.moves.len() * size_of::<RowMove>() + 4 * moves.starts.len());
        let maps = self.maps.iter().flatten().flatten().map(|map| {
            let lost: usize = map.lose.iter().map(|(_, steps)| steps.bytes()).sum();
            map.stay.bytes() + lost + 4 * (map.ahead.len() + map.back.len() + map.special.len())
        });
        moves.chain(maps).sum::<usize>() as u64
    }

    /// Adds what the layer of `seeds` seeds needs.
    pub(super) fn prepare(&mut self, seeds: u32) {
        while self.moves.len() <= seeds as usize {
            let moves = self.row_moves(self.moves.len() as u32);
            self.moves.push(moves);
        }
        // The waiting row holds what the mover's does not.
        let missing: Vec<(u32, u16)> = (0..seeds)
            .flat_map(|waiting| {
                self.moves[(seeds - waiting) as usize].spills.iter().map(move |&spill| (waiting, spill))
            })
            .filter(|&(waiting, spill)| self.known(waiting, spill).is_none())
            .collect();
        let this = &*self;
        let made: Vec<_> = missing
            .into_par_iter()
            .map(|(waiting, spill)| ((waiting, spill), this.spill_map(waiting, this.spills[usize::from(spill)])))
            .collect();
        for ((waiting, spill), map) in made {
            let (waiting, spill) = (waiting as usize, usize::from(spill));
            self.maps.resize_with(self.maps.len().max(waiting + 1), Vec::new);
            let maps = &mut self.maps[waiting];
            maps.resize_with(maps.len().max(spill + 1), || None);
            maps[spill] = Some(map);
        }
    }

    /// The moves of rows of `seeds` seeds.
    pub(super) fn moves(&self, seeds: u32) -> &RowMoves {
        &self.moves[seeds as usize]
    }

    fn known(&self, seeds: u32, spill: u16) -> Option<&SpillMap> {
        self.maps.get(seeds as usize)?.get(usize::from(spill))?.as_ref()
    }

    /// Where waiting rows of `seeds` seeds go under a spill that some row of the prepared layer makes.
    #[inline]
    pub(super) fn map(&self, seeds: u32, spill: u16) -> &SpillMap {
        self.known(seeds, spill).expect("prepared for every row of the layer")
    }

    fn row_moves(&mut self, seeds: u32) -> RowMoves {
        let pits = self.oware.pits();
        let mut moves = RowMoves { starts: vec![0], ..RowMoves::default() };
        for row in all_rows(pits, seeds).map(Row::from_bits) {
            for pit in (1..=pits).filter(|&pit| row.pit(pit) > 0) {
                let sowing = self.oware.sowing(pit, row.pit(pit));
                let after = (row.without(pit) + sowing.mover).bits();
                let last = if let LastSeed::Opponent(last) = sowing.last { last } else { 0 };
                let spill = match sowing.opponent.bits() {
                    0 => STAYS,
                    pattern => {
                        let place = self.places.entry((pattern, last)).or_insert_with(|| {
                            self.spills.push((pattern, last));
                            (self.spills.len() - 1) as u16
                        });
                        *place
                    }
                };
                if spill != STAYS && !moves.spills.contains(&spill) {
                    moves.spills.push(spill);
                }
                moves.moves.push(RowMove { row: rank_row(pits, after) as u32, seeds: row_seeds(after) as u8, spill });
            }
            moves.starts.push(moves.moves.len() as u32);
        }
        debug_assert_eq!(moves.starts.len() as u64, rows(pits, seeds) + 1);
        moves
    }

    fn spill_map(&self, seeds: u32, (pattern, last): Spill) -> SpillMap {
        let pits = self.oware.pits();
        let slam_rule = self.oware.rules().slam;
        // Rows that lose the same seeds keep their order.
        let mut groups: BTreeMap<(u8, u64), Vec<(u32, u32)>> = BTreeMap::new();
        let mut special = Vec::new();
        for (rank, row) in all_rows(pits, seeds).enumerate() {
            let grown = Row::from_bits(row + pattern);
            let (mut left, mut lost) = (grown, 0);
            for pit in (1..=last).rev() {
                match grown.pit(pit) {
                    held @ 2..=3 => {
                        left = left.without(pit);
                        lost += held;
                    }
                    _ => break,
                }
            }
            if left.is_empty() {
                match slam_rule {
                    Slam::Nothing => (left, lost) = (grown, 0),
                    Slam::Takes => {}
                    Slam::Illegal | Slam::Forfeit | Slam::UnlessForced => {
                        special.push(rank as u32);
                        continue;
                    }
                }
            }
            let taken = grown.bits() - left.bits();
            groups.entry((lost, taken)).or_default().push((rank as u32, rank_row(pits, left.bits()) as u32));
        }
        let grown_seeds = seeds + row_seeds(pattern);
        let mut map = SpillMap {
            special,
            ahead: vec![LEFT; rows(pits, seeds) as usize],
            back: vec![LEFT; rows(pits, grown_seeds) as usize],
            ..SpillMap::default()
        };
        for ((lost, _), pairs) in groups {
            let steps = Steps::new(pairs.iter().copied());
            if lost > 0 {
                map.lose.push((lost, steps));
                continue;
            }
            map.stay = steps;
            for (before, after) in pairs {
                map.ahead[before as usize] = after;
                map.back[after as usize] = before;
            }
        }
        map
    }
}
