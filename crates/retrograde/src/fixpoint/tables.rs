//! The effect of each move of each row in Oware and Awari, computed once for all positions in which that row is to move.

use crate::rows::all_rows;
use crate::steps::Steps;
use kalah_index::{Layer, rank_row, row_seeds, rows};
use kalah_rules::{LastSeed, Oware, Row, Slam, SowingGame};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A move of a row, whatever the other row is.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowMove {
    /// Rank of the mover's row afterwards among the rows of its seeds.
    pub(super) row: u32,
    /// Seeds of the mover's row afterwards.
    pub(super) seeds: u8,
    /// What happens to the other row: the place in [`RowTables`]' list of spills; [`STAYS`] if nothing does.
    pub(super) spill: u16,
}

/// The spill of a move that stays inside its row.
pub(super) const STAYS: u16 = u16::MAX;

/// The seeds that a move adds to the other row, and the pit of that row in which its last seed falls (0: in none).
type Spill = (u64, u8);

/// All moves of all rows of a given number of seeds.
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

/// For rows of a given number of seeds: the rows from which a move makes them.
#[derive(Debug, Default)]
pub(super) struct RowOrigins {
    /// Seeds and rank of the rows before, side by side for each row afterwards.
    rows: Vec<(u8, u32)>,
    starts: Vec<u32>,
}

impl RowOrigins {
    /// The rows, as seeds and rank, from which a move makes the row with this rank.
    #[inline]
    pub(super) fn of(&self, row: usize) -> &[(u8, u32)] {
        &self.rows[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// For all rows of a given number of seeds: the rows they become under one spill.
#[derive(Debug, Default)]
pub(super) struct SpillMap {
    /// For rows that lose nothing, indexed by the rank afterwards: the rank before. Meaningless for rows that no row becomes.
    pub(super) back: Vec<u32>,
    /// One bit for every rank afterwards, set if some row becomes it.
    pub(super) grown: Vec<u64>,
    /// Rows that lose so many seeds to a capture.
    pub(super) lose: Vec<(u8, Steps)>,
    /// Rows that would lose all seeds. What happens then depends on more than the row, so the rules are asked.
    pub(super) special: Vec<u32>,
}

/// Everything about rows that building the layers of one game needs. Kept from layer to layer.
#[derive(Debug)]
pub struct RowTables {
    pub(super) oware: Oware,
    spills: Vec<Spill>,
    places: HashMap<Spill, u16>,
    /// By seeds.
    moves: Vec<RowMoves>,
    /// By the seeds of the row after a move; only of moves that the layer prepared last can have.
    origins: Vec<RowOrigins>,
    /// By the waiting row's seeds, then by spill.
    maps: Vec<Vec<Option<SpillMap>>>,
}

impl RowTables {
    /// Empty tables for this game, or `None` if a sowing depends on more than its own row, as where full pits are passed over.
    pub fn new(oware: Oware) -> Option<RowTables> {
        let rows_suffice = !oware.rules().full_skipped;
        rows_suffice.then(|| RowTables {
            oware,
            spills: Vec::new(),
            places: HashMap::new(),
            moves: Vec::new(),
            origins: Vec::new(),
            maps: Vec::new(),
        })
    }

    /// Bytes the tables take now.
    pub(crate) fn bytes(&self) -> u64 {
        let moves = self.moves.iter().map(|moves| moves.moves.len() * size_of::<RowMove>() + 4 * moves.starts.len());
        let maps = self.maps.iter().flatten().flatten().map(|map| {
            let lost: usize = map.lose.iter().map(|(_, steps)| steps.bytes()).sum();
            lost + 4 * (map.back.len() + map.special.len()) + 8 * map.grown.len()
        });
        let origins =
            self.origins.iter().map(|origins| origins.rows.len() * size_of::<(u8, u32)>() + 4 * origins.starts.len());
        moves.chain(origins).chain(maps).sum::<usize>() as u64
    }

    /// Bytes the tables take at most once everything up to this layer was built.
    pub(crate) fn most_bytes(&self, layer: &Layer) -> u64 {
        let oware = &self.oware;
        let (pits, seeds) = (oware.pits(), layer.seeds());
        let count = |seeds: u32| rows(pits, seeds);
        let moves: u64 = (0..=seeds).map(|seeds| (20 * u64::from(pits) + 8) * (count(seeds) + 1)).sum();
        let mut spills = HashSet::new();
        let mut maps = 0;
        // The more the mover has, the more spills there are for the rest.
        for waiting in (0..seeds).rev() {
            let sown = (seeds - waiting) as u8;
            for sowing in (1..=pits).map(|pit| oware.sowing(pit, sown)).filter(|sowing| !sowing.opponent.is_empty()) {
                let last = if let LastSeed::Opponent(last) = sowing.last { last } else { 0 };
                spills.insert((sowing.opponent.bits(), last));
            }
            let grown = spills.iter().map(|&(pattern, ..)| 5 * count(waiting + row_seeds(pattern)));
            maps += grown.sum::<u64>() + spills.len() as u64 * (8 * count(waiting) + size_of::<SpillMap>() as u64);
        }
        moves + maps
    }

    /// Adds what the layer of `seeds` seeds needs.
    pub(super) fn prepare(&mut self, seeds: u32) {
        while self.moves.len() <= seeds as usize {
            let moves = self.row_moves(self.moves.len() as u32);
            self.moves.push(moves);
        }
        self.origins = (0..=seeds).map(|kept| self.row_origins(kept, seeds)).collect();
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

    /// From where rows of `seeds` seeds come in the prepared layer.
    pub(super) fn origins(&self, seeds: usize) -> &RowOrigins {
        &self.origins[seeds]
    }

    /// From where rows of `kept` seeds come, if the rows before have `most` seeds at most.
    fn row_origins(&self, kept: u32, most: u32) -> RowOrigins {
        let mut starts = vec![0; rows(self.oware.pits(), kept) as usize + 1];
        let moves = |seeds: u32| {
            let rows = 0..rows(self.oware.pits(), seeds) as usize;
            let all = rows.flat_map(move |row| self.moves[seeds as usize].of(row).iter().map(move |step| (row, step)));
            all.filter(move |(_, step)| u32::from(step.seeds) == kept)
        };
        (kept..=most).flat_map(moves).for_each(|(_, step)| starts[step.row as usize + 1] += 1);
        (1..starts.len()).for_each(|row| starts[row] += starts[row - 1]);
        let mut origins = vec![(0, 0); starts.last().map_or(0, |&end| end as usize)];
        let mut next = starts.clone();
        for seeds in kept..=most {
            for (row, step) in moves(seeds) {
                let place = &mut next[step.row as usize];
                origins[*place as usize] = (seeds as u8, row as u32);
                *place += 1;
            }
        }
        RowOrigins { rows: origins, starts }
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
            back: vec![0; rows(pits, grown_seeds) as usize],
            grown: vec![0; rows(pits, grown_seeds).div_ceil(64) as usize],
            ..SpillMap::default()
        };
        for ((lost, _), pairs) in groups {
            if lost > 0 {
                map.lose.push((lost, Steps::new(pairs.into_iter())));
                continue;
            }
            for (before, after) in pairs {
                map.back[after as usize] = before;
                map.grown[after as usize / 64] |= 1 << (after % 64);
            }
        }
        map
    }
}
