//! Maps of the opponent's row: which row it becomes when a move adds seeds to it or takes seeds from it.

use crate::rows::all_rows;
use crate::steps::Steps;
use kalah_index::{rank_row, rows};
use kalah_rules::{Kalah, Row, SowingGame};
use std::ops::Range;

/// For every row Y of a given number of seeds, the rank of Y + pattern.
pub(super) fn spill_map(pits: u8, seeds: u32, pattern: u64) -> Steps {
    Steps::new(all_rows(pits, seeds).enumerate().map(|(rank, row)| (rank as u32, rank_row(pits, row + pattern) as u32)))
}

/// For every row Y of a given number of seeds: the row it becomes when pit `facing` of Y + pattern is captured, grouped by
/// the number of seeds captured.
#[derive(Debug, Default)]
pub(super) struct CaptureMap(Vec<(u32, Steps)>);

impl CaptureMap {
    /// The map for captures of at least `least` seeds, 0 or 1.
    pub(super) fn new(pits: u8, seeds: u32, pattern: u64, facing: u8, least: u32) -> CaptureMap {
        let mut groups: Vec<Vec<(u32, u32)>> = Vec::new();
        for (rank, row) in all_rows(pits, seeds).enumerate() {
            let grown = Row::from_bits(row + pattern);
            let taken = usize::from(grown.pit(facing));
            if groups.len() <= taken {
                groups.resize_with(taken + 1, Vec::new);
            }
            groups[taken].push((rank as u32, rank_row(pits, grown.without(facing).bits()) as u32));
        }
        let groups = groups.into_iter().map(|group| Steps::new(group.into_iter()));
        CaptureMap::of((0..).zip(groups).filter(|&(taken, _)| taken >= least))
    }

    fn of(groups: impl Iterator<Item = (u32, Steps)>) -> CaptureMap {
        CaptureMap(groups.filter(|(_, steps)| !steps.is_empty()).collect())
    }

    /// The part of the map that concerns waiting rows with ranks in `lines`, counted from its start.
    pub(super) fn within(&self, lines: &Range<usize>) -> CaptureMap {
        CaptureMap::of(self.0.iter().map(|(taken, steps)| (*taken, steps.within(lines))))
    }

    /// Pairs of the number of seeds taken and the steps of the rows that lose that many.
    pub(super) fn taking(&self) -> impl Iterator<Item = (u32, &Steps)> {
        self.0.iter().map(|(taken, steps)| (*taken, steps))
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|(_, steps)| steps.bytes()).sum()
    }
}

/// The moves of all rows of a given number of seeds that stay inside the row. Each has the pit of the other row that must be
/// empty for it (0: none), and the row it leads to.
#[derive(Debug)]
pub(super) struct StayingMap(pub(super) Vec<(u8, Steps)>);

impl StayingMap {
    pub(super) fn new(kalah: &Kalah, seeds: u32) -> StayingMap {
        let pits = kalah.pits();
        let mut map = StayingMap(Vec::new());
        // Moves from the same pit with as many seeds all keep the order of the rows.
        for pit in 1..pits {
            for sown in 1..=pits - pit {
                let target = pit + sown;
                let facing = pits + 1 - target;
                let sowing = kalah.sowing(pit, sown);
                let (mut always, mut if_empty) = (Vec::new(), Vec::new());
                for (rank, row) in all_rows(pits, seeds).enumerate().map(|(rank, row)| (rank, Row::from_bits(row))) {
                    if row.pit(pit) == sown {
                        let after = row.without(pit) + sowing.mover;
                        let captures = row.pit(target) == 0;
                        if captures && kalah.rules().empty_capture {
                            continue;
                        }
                        let pair = (rank as u32, rank_row(pits, after.bits()) as u32);
                        if captures { &mut if_empty } else { &mut always }.push(pair);
                    }
                }
                map.0.push((0, Steps::new(always.into_iter())));
                map.0.push((facing, Steps::new(if_empty.into_iter())));
            }
        }
        map.0.retain(|(_, steps)| !steps.is_empty());
        map
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|(_, steps)| steps.bytes()).sum()
    }
}

/// For every pit (from 1, place 0 unused) a line of all ones where the pit of the row is empty and zero elsewhere.
pub(super) fn empty_masks(pits: u8, seeds: u32) -> Vec<Vec<i8>> {
    let mut masks = vec![Vec::with_capacity(rows(pits, seeds) as usize); usize::from(pits) + 1];
    for row in all_rows(pits, seeds) {
        for pit in 1..=pits {
            masks[usize::from(pit)].push(if Row::from_bits(row).pit(pit) == 0 { -1 } else { 0 });
        }
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_keep_every_pair_whole_or_cut() {
        for (seeds, pattern) in [(9, 0x01), (9, 0x0101), (7, 0x0001_0101_0101), (0, 0x01)] {
            let expected: Vec<(u32, u32)> = all_rows(6, seeds)
                .enumerate()
                .map(|(rank, row)| (rank as u32, rank_row(6, row + pattern) as u32))
                .collect();
            let steps = spill_map(6, seeds, pattern);
            let mut pairs: Vec<(u32, u32)> = steps.pairs().collect();
            pairs.sort_unstable();
            assert_eq!(pairs, expected);
            for range in [0..expected.len(), 3..expected.len().min(130), 100..100] {
                let range = range.start.min(expected.len())..range.end.min(expected.len());
                let mut part: Vec<(u32, u32)> = steps.within(&range).pairs().collect();
                part.sort_unstable();
                let wanted: Vec<(u32, u32)> =
                    expected[range.clone()].iter().map(|&(to, from)| (to - range.start as u32, from)).collect();
                assert_eq!(part, wanted);
            }
        }
    }
}
