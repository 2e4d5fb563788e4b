//! All positions with the same number of seeds in pits, cut into sections and numbered without gaps.

use crate::{MAX_LAYER, MAX_PITS, binomial, rank_row, rows, unrank_row};
use std::fmt;
use std::ops::Range;

/// A layer that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexError {
    /// Pits a side not 1 to 8.
    Pits(u8),
    /// More seeds than a layer can have.
    Seeds(u32),
    /// The layer has more positions than 64 bits can count.
    TooLarge {
        /// Pits a side.
        pits: u8,
        /// Seeds in pits.
        seeds: u32,
    },
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexError::Pits(pits) => write!(f, "a board has 1 to {MAX_PITS} pits a side, found {pits}"),
            IndexError::Seeds(seeds) => write!(f, "a layer has at most {MAX_LAYER} seeds, found {seeds}"),
            IndexError::TooLarge { pits, seeds } => {
                write!(f, "the layer of {seeds} seeds on {pits} pits has more positions than 64 bits can count")
            }
        }
    }
}

impl std::error::Error for IndexError {}

/// One split of a layer's seeds between the two rows, and whose turn it is: a matrix of positions.
///
/// *Low* is the row with fewer seeds. Position (`low`, `high`) has the rank
/// `first + rank(low) · high_rows + rank(high)`, so the longer row runs fastest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section {
    /// Seeds of the row with fewer seeds.
    pub low: u32,
    /// Seeds of the other row; at least `low`.
    pub high: u32,
    /// Whether the mover owns the low row. Always true when both rows hold as many.
    pub low_moves: bool,
    /// Rank of the section's first position in its layer.
    pub first: u64,
    /// Number of low rows.
    pub low_rows: u64,
    /// Number of high rows.
    pub high_rows: u64,
}

impl Section {
    /// How many positions the section has.
    #[inline]
    pub fn positions(&self) -> u64 {
        self.low_rows * self.high_rows
    }

    /// The ranks of the section's positions in its layer.
    #[inline]
    pub fn ranks(&self) -> Range<u64> {
        self.first..self.first + self.positions()
    }
}

/// All positions with `seeds` seeds in the pits of a board with `pits` pits a side, numbered from 0.
///
/// The order: sections by the seeds of the low row, from 0 to half; of each, first the positions in which the low row's
/// owner is to move, then those in which the high row's owner is; an even split has only the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    pits: u8,
    seeds: u32,
    positions: u64,
    /// By the mover's seeds.
    sections: Vec<Section>,
}

impl Layer {
    /// The layer of `seeds` seeds on a board with `pits` pits a side.
    ///
    /// # Errors
    /// If there is no such board, or the layer has too many seeds or positions.
    pub fn new(pits: u8, seeds: u32) -> Result<Layer, IndexError> {
        if !(1..=MAX_PITS).contains(&pits) {
            return Err(IndexError::Pits(pits));
        }
        if seeds > MAX_LAYER {
            return Err(IndexError::Seeds(seeds));
        }
        let positions = binomial(u64::from(seeds) + 2 * u64::from(pits) - 1, 2 * u64::from(pits) - 1)
            .ok_or(IndexError::TooLarge { pits, seeds })?;
        let mut sections = vec![None; seeds as usize + 1];
        let mut first = 0;
        for low in 0..=seeds / 2 {
            let high = seeds - low;
            let (low_rows, high_rows) = (rows(pits, low), rows(pits, high));
            for low_moves in [true, false] {
                if low_moves || low < high {
                    let section = Section { low, high, low_moves, first, low_rows, high_rows };
                    first += section.positions();
                    sections[if low_moves { low } else { high } as usize] = Some(section);
                }
            }
        }
        debug_assert_eq!(first, positions);
        Ok(Layer { pits, seeds, positions, sections: sections.into_iter().flatten().collect() })
    }

    /// Pits a side.
    pub fn pits(&self) -> u8 {
        self.pits
    }

    /// Seeds in pits.
    pub fn seeds(&self) -> u32 {
        self.seeds
    }

    /// How many positions the layer has: `C(seeds + 2·pits − 1, 2·pits − 1)`.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The section in which the mover's row holds `mover_seeds` seeds.
    ///
    /// # Panics
    /// If the layer has fewer seeds.
    #[inline]
    #[track_caller]
    pub fn section(&self, mover_seeds: u32) -> &Section {
        &self.sections[mover_seeds as usize]
    }

    /// All sections in the order of their ranks.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        (0..=self.seeds / 2).flat_map(|low| {
            let high = self.seeds - low;
            let second = (low < high).then(|| &self.sections[high as usize]);
            std::iter::once(&self.sections[low as usize]).chain(second)
        })
    }

    /// The number of the position with these rows; pit `i` is byte `i − 1`.
    ///
    /// The rows must hold the layer's seeds together and none beyond the board's pits: anything else gives a
    /// meaningless number or a panic.
    #[inline]
    pub fn rank(&self, mover: u64, opponent: u64) -> u64 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let mover_seeds = (mover.wrapping_mul(ONES) >> 56) as usize;
        let section = &self.sections[mover_seeds];
        let (low, high) = if section.low_moves { (mover, opponent) } else { (opponent, mover) };
        section.first + rank_row(self.pits, low) * section.high_rows + rank_row(self.pits, high)
    }

    /// The rows `(mover, opponent)` of the position with this number.
    ///
    /// # Panics
    /// If there is no such position.
    #[track_caller]
    pub fn unrank(&self, rank: u64) -> (u64, u64) {
        assert!(rank < self.positions, "layer {} has no position {rank}", self.seeds);
        let section =
            self.sections().find(|section| section.ranks().contains(&rank)).expect("sections cover the layer");
        let inside = rank - section.first;
        let low = unrank_row(self.pits, section.low, inside / section.high_rows);
        let high = unrank_row(self.pits, section.high, inside % section.high_rows);
        if section.low_moves { (low, high) } else { (high, low) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_rank_of_small_layers_comes_back() {
        for pits in 1..=8 {
            for seeds in 0..=(if pits < 5 { 8 } else { 5 }) {
                let layer = Layer::new(pits, seeds).unwrap();
                for rank in 0..layer.positions() {
                    let (mover, opponent) = layer.unrank(rank);
                    assert_eq!(layer.rank(mover, opponent), rank, "{pits} pits, {seeds} seeds");
                }
                assert_eq!(layer.sections().map(Section::positions).sum::<u64>(), layer.positions());
            }
        }
    }

    proptest! {
        #[test]
        fn ranks_of_large_layers_come_back(pits in 1u8..=8, seeds in 0u32..=60, fraction in 0.0f64..1.0) {
            let layer = Layer::new(pits, seeds).unwrap();
            let rank = ((layer.positions() as f64 * fraction) as u64).min(layer.positions() - 1);
            let (mover, opponent) = layer.unrank(rank);
            prop_assert_eq!(layer.rank(mover, opponent), rank);
        }
    }

    #[test]
    fn impossible_layers_are_refused() {
        assert_eq!(Layer::new(0, 4), Err(IndexError::Pits(0)));
        assert_eq!(Layer::new(9, 4), Err(IndexError::Pits(9)));
        assert_eq!(Layer::new(6, 128), Err(IndexError::Seeds(128)));
        assert!(Layer::new(8, 100).is_ok() || matches!(Layer::new(8, 100), Err(IndexError::TooLarge { .. })));
    }

    #[test]
    fn published_sizes() {
        // Irving, Donkers and Uiterwijk 2000: cumulative counts without positions in which a row is empty.
        for (seeds, published) in [(17, 51_694_042u64), (20, 225_332_381), (24, 1_250_490_151), (30, 11_054_221_305)] {
            let all: u64 = (0..=seeds).map(|n| Layer::new(6, n).unwrap().positions()).sum();
            let one_row_empty: u64 = (0..=seeds).map(|n| 2 * rows(6, n)).sum::<u64>() - 1;
            assert_eq!(all - one_row_empty, published);
        }
    }
}
