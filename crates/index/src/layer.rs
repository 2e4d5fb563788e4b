//! All positions with the same number of seeds in pits, cut into sections and numbered without gaps.

use crate::{MAX_LAYER, MAX_PITS, binomial, rank_row, row_seeds, rows, unrank_row};
use std::borrow::Cow;
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

impl IndexError {
    /// What to do about it, in a whole sentence.
    pub fn help(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            IndexError::Pits(_) => "Ask for a board with 1 to 8 pits a side.",
            IndexError::Seeds(_) => "Ask for fewer seeds.",
            IndexError::TooLarge { .. } => "Ask for fewer seeds or a smaller board.",
        })
    }
}

/// One split of a layer's seeds between the mover's row and the opponent's: a matrix of positions.
///
/// Position (`mover`, `opponent`) has the rank `first + rank(opponent) · columns + rank(mover)`: one matrix row for each row
/// of the player who waits, the mover's rows running fastest. A move that passes the turn leaves the player who moved
/// with one row, whatever the other row is, so all positions it can lead to lie side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section {
    /// Seeds of the player to move.
    pub mover_seeds: u32,
    /// Seeds of the player who waits.
    pub opponent_seeds: u32,
    /// Rank of the section's first position in its layer.
    pub first: u64,
    /// Matrix rows: how many rows the player who waits can have.
    pub lines: u64,
    /// Matrix columns: how many rows the player to move can have.
    pub columns: u64,
}

impl Section {
    /// How many positions the section has.
    #[inline]
    pub fn positions(&self) -> u64 {
        self.lines * self.columns
    }

    /// The ranks of the section's positions in its layer.
    #[inline]
    pub fn ranks(&self) -> Range<u64> {
        self.first..self.first + self.positions()
    }
}

/// All positions with `seeds` seeds in the pits of a board with `pits` pits a side, numbered from 0, section by section in
/// the order of the mover's seeds.
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
        let mut first = 0;
        let sections = (0..=seeds)
            .map(|mover_seeds| {
                let opponent_seeds = seeds - mover_seeds;
                let (lines, columns) = (rows(pits, opponent_seeds), rows(pits, mover_seeds));
                let section = Section { mover_seeds, opponent_seeds, first, lines, columns };
                first += section.positions();
                section
            })
            .collect();
        debug_assert_eq!(first, positions);
        Ok(Layer { pits, seeds, positions, sections })
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

    /// All sections in the order of their ranks, which is that of the mover's seeds.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The number of the position with these rows; pit `i` is byte `i − 1`.
    ///
    /// The rows must hold the layer's seeds together and none beyond the board's pits: anything else gives a
    /// meaningless number or a panic.
    #[inline]
    pub fn rank(&self, mover: u64, opponent: u64) -> u64 {
        let section = &self.sections[row_seeds(mover) as usize];
        section.first + rank_row(self.pits, opponent) * section.columns + rank_row(self.pits, mover)
    }

    /// The rows `(mover, opponent)` of the position with this number.
    ///
    /// # Panics
    /// If there is no such position.
    #[track_caller]
    pub fn unrank(&self, rank: u64) -> (u64, u64) {
        assert!(rank < self.positions, "layer {} has no position {rank}", self.seeds);
        let section = &self.sections[self.sections.partition_point(|section| section.first <= rank) - 1];
        let inside = rank - section.first;
        (
            unrank_row(self.pits, section.mover_seeds, inside % section.columns),
            unrank_row(self.pits, section.opponent_seeds, inside / section.columns),
        )
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
                assert_eq!(layer.sections().iter().map(Section::positions).sum::<u64>(), layer.positions());
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
