//! Lists that say where the waiting row goes when the other player's move adds to it or takes from it.

use crate::rows::all_rows;
use kalah_index::{rank_row, rows};
use kalah_rules::Row;
use std::ops::Range;

/// For every row Y of so many seeds, the rank of Y + pattern.
pub(super) fn spill_map(pits: u8, seeds: u32, pattern: u64) -> Vec<u32> {
    all_rows(pits, seeds).map(|row| rank_row(pits, row + pattern) as u32).collect()
}

/// For every row Y of so many seeds, where it goes when `facing` of Y + pattern is taken, grouped by what is taken.
#[derive(Debug)]
pub(super) struct CaptureMap {
    /// By the number of seeds taken.
    groups: Vec<CaptureGroup>,
}

/// The rows that lose the same number of seeds.
#[derive(Debug, Default)]
pub(super) struct CaptureGroup {
    /// Ranks of the rows before, rising.
    pub(super) to: Vec<u32>,
    /// Ranks of the rows afterwards.
    pub(super) from: Vec<u32>,
}

impl CaptureMap {
    pub(super) fn new(pits: u8, seeds: u32, pattern: u64, facing: u8) -> CaptureMap {
        let mut groups = Vec::new();
        for (rank, row) in all_rows(pits, seeds).enumerate() {
            let grown = Row::from_bits(row + pattern);
            let taken = usize::from(grown.pit(facing));
            if groups.len() <= taken {
                groups.resize_with(taken + 1, CaptureGroup::default);
            }
            groups[taken].to.push(rank as u32);
            groups[taken].from.push(rank_row(pits, grown.without(facing).bits()) as u32);
        }
        CaptureMap { groups }
    }

    /// The groups, by the number of seeds taken.
    pub(super) fn groups(&self) -> &[CaptureGroup] {
        &self.groups
    }

    /// For each group, which of its entries concern rows with ranks in `lines`.
    pub(super) fn within(&self, lines: &Range<usize>) -> Vec<Range<usize>> {
        let before = |to: &[u32], end: usize| to.partition_point(|&rank| (rank as usize) < end);
        self.groups.iter().map(|group| before(&group.to, lines.start)..before(&group.to, lines.end)).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.groups.iter().map(|group| 8 * group.to.len()).sum()
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
