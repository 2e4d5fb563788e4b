//! The effect of each move of each row, computed once for all positions in which that row is to move.

use crate::rows::all_rows;
use kalah_index::{rank_row, row_seeds, rows};
use kalah_rules::{Kalah, LastSeed, Row, SowingGame};
use std::collections::HashMap;
use std::hash::Hash;

/// A move that takes seeds out of play or into the other row: it leads to a finished layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving {
    /// Rank of the mover's row afterwards among the rows of its seeds.
    pub(super) row: u32,
    /// Seeds of the mover's row afterwards.
    pub(super) seeds: u8,
    /// Seeds banked before any seeds of the other row are captured.
    pub(super) gain: u8,
    /// How the move ends, and which map gives the other row afterwards.
    pub(super) end: LeavingEnd,
}

/// How a leaving move ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeavingEnd {
    /// One seed banked, the last one: an extra move; the other row stays.
    Again,
    /// An extra move after a whole lap. The number is an index into [`RowMoves::patterns`]: what the other row gains.
    AgainAfterLap(u16),
    /// The turn passes. The number is an index into [`RowMoves::patterns`]: what the other row gains.
    Pass(u16),
    /// The last seed falls into an own empty pit. The number is an index into [`RowMoves::captures`].
    Capture(u16),
}

/// A move that stays inside the row: all seeds stay in play and the turn passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Staying {
    /// Rank of the mover's row afterwards.
    pub(super) row: u32,
    /// The pit of the other row, counted from 1, that must be empty for this to happen; 0 if it always does.
    pub(super) if_empty: u8,
}

/// All moves of all rows of a given number of seeds.
#[derive(Debug)]
pub(super) struct RowMoves {
    leaving: Vec<Leaving>,
    leaving_starts: Vec<u32>,
    staying: Vec<Staying>,
    staying_starts: Vec<u32>,
    /// The seeds that moves add to the other row: pit `i` in byte `i − 1`.
    pub(super) patterns: Vec<u64>,
    /// For capturing moves: the seeds they add to the other row, and the pit they then take, counted from 1.
    pub(super) captures: Vec<(u64, u8)>,
}

impl RowMoves {
    /// The moves of all rows of `seeds` seeds.
    pub(super) fn new(kalah: &Kalah, seeds: u32) -> RowMoves {
        let pits = kalah.pits();
        let count = rows(pits, seeds) as usize;
        let mut moves = RowMoves {
            leaving: Vec::with_capacity(3 * count),
            leaving_starts: Vec::with_capacity(count + 1),
            staying: Vec::with_capacity(2 * count),
            staying_starts: Vec::with_capacity(count + 1),
            patterns: Vec::new(),
            captures: Vec::new(),
        };
        let (mut patterns, mut captures) = (HashMap::new(), HashMap::new());
        for row in all_rows(pits, seeds) {
            moves.leaving_starts.push(moves.leaving.len() as u32);
            moves.staying_starts.push(moves.staying.len() as u32);
            for pit in (1..=pits).filter(|&pit| Row::from_bits(row).pit(pit) > 0) {
                moves.add(kalah, row, pit, &mut patterns, &mut captures);
            }
        }
        moves.leaving_starts.push(moves.leaving.len() as u32);
        moves.staying_starts.push(moves.staying.len() as u32);
        moves
    }

    fn add(
        &mut self,
        kalah: &Kalah,
        row: u64,
        pit: u8,
        patterns: &mut HashMap<u64, u16>,
        captures: &mut HashMap<(u64, u8), u16>,
    ) {
        let pits = kalah.pits();
        let sowing = kalah.sowing(pit, Row::from_bits(row).pit(pit));
        let mut after = Row::from_bits(row).without(pit) + sowing.mover;
        let mut gain = sowing.banked;
        let pattern = sowing.opponent.bits();
        let end = match sowing.last {
            LastSeed::Own(own) if after.pit(own) == 1 => {
                let facing = pits + 1 - own;
                if pattern == 0 && !kalah.rules().empty_capture {
                    self.staying.push(Staying { row: rank_row(pits, after.bits()) as u32, if_empty: facing });
                }
                after = after.without(own);
                gain += 1;
                LeavingEnd::Capture(place(captures, &mut self.captures, (pattern, facing)))
            }
            _ if sowing.banked == 0 => {
                self.staying.push(Staying { row: rank_row(pits, after.bits()) as u32, if_empty: 0 });
                return;
            }
            LastSeed::Store if pattern == 0 => LeavingEnd::Again,
            LastSeed::Store => LeavingEnd::AgainAfterLap(place(patterns, &mut self.patterns, pattern)),
            _ => LeavingEnd::Pass(place(patterns, &mut self.patterns, pattern)),
        };
        let seeds = row_seeds(after.bits()) as u8;
        self.leaving.push(Leaving { row: rank_row(pits, after.bits()) as u32, seeds, gain, end });
    }

    /// The leaving moves of the row with this rank.
    #[inline]
    pub(super) fn leaving(&self, row: usize) -> &[Leaving] {
        &self.leaving[self.leaving_starts[row] as usize..self.leaving_starts[row + 1] as usize]
    }

    /// The staying moves of the row with this rank.
    #[inline]
    pub(super) fn staying(&self, row: usize) -> &[Staying] {
        &self.staying[self.staying_starts[row] as usize..self.staying_starts[row + 1] as usize]
    }

    /// Bytes the table takes.
    pub(super) fn bytes(&self) -> usize {
        self.leaving.len() * size_of::<Leaving>()
            + self.staying.len() * size_of::<Staying>()
            + 8 * self.leaving_starts.len()
    }
}

/// The place of `key` in `list`, where it is added if it is new.
fn place<K: Copy + Eq + Hash>(places: &mut HashMap<K, u16>, list: &mut Vec<K>, key: K) -> u16 {
    *places.entry(key).or_insert_with(|| {
        list.push(key);
        (list.len() - 1) as u16
    })
}
