//! What each move of each row does in Oware and Awari, worked out once for all positions in which that row is to move.

use super::kernel::Steps;
use crate::rows::all_rows;
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

/// Where all rows of so many seeds go under one spill.
#[derive(Debug, Default)]
pub(super) struct SpillMap {
    /// Rows that lose nothing.
    pub(super) stay: Steps,
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
    maps: HashMap<(u32, u16), SpillMap>,
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
            maps: HashMap::new(),
        })
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
            .filter(|key| !self.maps.contains_key(key))
            .collect();
        let this = &*self;
        let made: Vec<_> = missing
            .into_par_iter()
            .map(|(waiting, spill)| ((waiting, spill), this.spill_map(waiting, this.spills[usize::from(spill)])))
            .collect();
        self.maps.extend(made);
    }

    /// The moves of rows of `seeds` seeds.
    pub(super) fn moves(&self, seeds: u32) -> &RowMoves {
        &self.moves[seeds as usize]
    }

    /// Where waiting rows of `seeds` seeds go under a spill.
    pub(super) fn map(&self, seeds: u32, spill: u16) -> &SpillMap {
        &self.maps[&(seeds, spill)]
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
        let mut map = SpillMap { special, ..SpillMap::default() };
        for ((lost, _), pairs) in groups {
            let steps = Steps::new(&pairs);
            if lost == 0 { map.stay = steps } else { map.lose.push((lost, steps)) }
        }
        map
    }
}
