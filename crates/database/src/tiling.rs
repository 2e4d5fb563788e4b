//! How a compressed file cuts a layer: sections into strips of lines, strips into blocks, blocks into tiles.
//!
//! A section is a matrix with one line for each row of the player who waits. A *strip* is some of its lines, whole; its ranks
//! follow each other. A *block* is up to eight *tiles* of a strip side by side; it has its own entry in the index. A tile is
//! decoded on its own.

use kalah_index::{Layer, Section};
use std::ops::Range;

/// The most columns of a tile.
pub(crate) const TILE_COLUMNS: u64 = 64;

/// The most columns of a block.
pub(crate) const BLOCK_COLUMNS: u64 = 8 * TILE_COLUMNS;

/// The most positions of a tile, also where a section is narrow.
pub(crate) const TILE_POSITIONS: u64 = 1 << 13;

/// The blocks of one layer.
#[derive(Debug, Clone)]
pub(crate) struct Tiling {
    sections: Vec<Tiled>,
    blocks: u64,
}

/// The blocks of one section.
#[derive(Debug, Clone)]
struct Tiled {
    section: Section,
    /// Lines of a strip; the last may have fewer.
    lines: u64,
    /// Blocks of a strip.
    in_strip: u64,
    first_block: u64,
    blocks: u64,
}

/// Some lines of a section: what is read, encoded and verified at once.
#[derive(Debug, Clone)]
pub(crate) struct Strip {
    pub(crate) section: Section,
    /// Lines of the section.
    pub(crate) lines: Range<u64>,
    /// Numbers of its blocks, from left to right.
    pub(crate) blocks: Range<u64>,
}

/// A rectangle of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) section: Section,
    pub(crate) lines: Range<u64>,
    pub(crate) columns: Range<u64>,
}

/// Where one position lies.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) block: u64,
    /// The tile's number in its block.
    pub(crate) in_block: usize,
    pub(crate) tile: Tile,
    /// Line and column inside the tile.
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Tiling {
    pub(crate) fn new(layer: &Layer) -> Tiling {
        let mut blocks = 0;
        let sections = layer
            .sections()
            .iter()
            .map(|&section| {
                let lines = TILE_POSITIONS / section.columns.min(TILE_COLUMNS);
                let in_strip = section.columns.div_ceil(BLOCK_COLUMNS);
                let first_block = blocks;
                blocks += section.lines.div_ceil(lines) * in_strip;
                Tiled { section, lines, in_strip, first_block, blocks: blocks - first_block }
            })
            .collect();
        Tiling { sections, blocks }
    }

    /// How many blocks the layer has.
    pub(crate) fn blocks(&self) -> u64 {
        self.blocks
    }

    /// All strips in the order of ranks.
    pub(crate) fn strips(&self) -> impl Iterator<Item = Strip> {
        self.sections.iter().flat_map(|tiled| {
            (0..tiled.section.lines.div_ceil(tiled.lines)).map(|strip| tiled.strip(strip * tiled.in_strip))
        })
    }

    /// The strip a block belongs to.
    pub(crate) fn strip_of(&self, block: u64) -> Strip {
        let tiled = &self.sections[self.sections.partition_point(|tiled| tiled.first_block + tiled.blocks <= block)];
        tiled.strip(block - tiled.first_block)
    }

    /// The strip a rank belongs to.
    pub(crate) fn strip_at(&self, rank: u64) -> Strip {
        let tiled = self.tiled(rank);
        tiled.strip((rank - tiled.section.first) / tiled.section.columns / tiled.lines * tiled.in_strip)
    }

    /// Where the position with this rank lies.
    pub(crate) fn place(&self, rank: u64) -> Place {
        let tiled = self.tiled(rank);
        let section = tiled.section;
        let (line, column) = ((rank - section.first) / section.columns, (rank - section.first) % section.columns);
        let strip = tiled.strip(line / tiled.lines * tiled.in_strip);
        let block = strip.blocks.start + column / BLOCK_COLUMNS;
        let start = column - column % TILE_COLUMNS;
        let columns = start..(start + TILE_COLUMNS).min(section.columns);
        Place {
            block,
            in_block: (column % BLOCK_COLUMNS / TILE_COLUMNS) as usize,
            line: (line - strip.lines.start) as usize,
            column: (column - start) as usize,
            tile: Tile { section, lines: strip.lines, columns },
        }
    }

    fn tiled(&self, rank: u64) -> &Tiled {
        &self.sections[self.sections.partition_point(|tiled| tiled.section.ranks().end <= rank)]
    }
}

impl Tiled {
    /// The strip that holds the section's block with this number.
    fn strip(&self, block: u64) -> Strip {
        let number = block / self.in_strip;
        let start = number * self.lines;
        let first = self.first_block + number * self.in_strip;
        Strip {
            section: self.section,
            lines: start..(start + self.lines).min(self.section.lines),
            blocks: first..first + self.in_strip,
        }
    }
}

impl Tile {
    /// How many columns it has.
    pub(crate) fn width(&self) -> usize {
        (self.columns.end - self.columns.start) as usize
    }

    /// How many positions lie in it.
    pub(crate) fn positions(&self) -> usize {
        (self.lines.end - self.lines.start) as usize * self.width()
    }
}

impl Strip {
    /// The ranks of its positions.
    pub(crate) fn ranks(&self) -> Range<u64> {
        let Section { first, columns, .. } = self.section;
        first + self.lines.start * columns..first + self.lines.end * columns
    }

    /// The tiles of one of its blocks, from left to right.
    pub(crate) fn tiles(&self, block: u64) -> impl Iterator<Item = Tile> {
        let Strip { section, lines, blocks } = self.clone();
        let start = (block - blocks.start) * BLOCK_COLUMNS;
        let end = (start + BLOCK_COLUMNS).min(section.columns);
        (start..end).step_by(TILE_COLUMNS as usize).map(move |column| Tile {
            section,
            lines: lines.clone(),
            columns: column..(column + TILE_COLUMNS).min(end),
        })
    }

    /// From the first to the last rank in one of its blocks.
    pub(crate) fn ranks_of(&self, block: u64) -> Range<u64> {
        let Section { first, columns, .. } = self.section;
        let start = (block - self.blocks.start) * BLOCK_COLUMNS;
        let end = (start + BLOCK_COLUMNS).min(columns);
        first + self.lines.start * columns + start..first + (self.lines.end - 1) * columns + end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_lies_in_exactly_one_tile() {
        for (pits, seeds) in [(1, 5), (2, 9), (3, 12), (4, 12), (6, 6), (8, 3)] {
            let layer = Layer::new(pits, seeds).unwrap();
            let tiling = Tiling::new(&layer);
            let mut seen = vec![false; layer.positions() as usize];
            let (mut next_rank, mut next_block) = (0, 0);
            for strip in tiling.strips() {
                assert_eq!((strip.ranks().start, strip.blocks.start), (next_rank, next_block));
                (next_rank, next_block) = (strip.ranks().end, strip.blocks.end);
                assert_eq!(tiling.strip_at(strip.ranks().start).blocks, strip.blocks);
                assert_eq!(tiling.strip_at(strip.ranks().end - 1).blocks, strip.blocks);
                for block in strip.blocks.clone() {
                    assert_eq!(tiling.strip_of(block).lines, strip.lines);
                    for (in_block, tile) in strip.tiles(block).enumerate() {
                        assert!(tile.positions() as u64 <= TILE_POSITIONS);
                        for (line, column) in
                            tile.lines.clone().flat_map(|line| tile.columns.clone().map(move |column| (line, column)))
                        {
                            let rank = tile.section.first + line * tile.section.columns + column;
                            assert!(!std::mem::replace(&mut seen[rank as usize], true));
                            assert!(strip.ranks_of(block).contains(&rank));
                            let place = tiling.place(rank);
                            assert_eq!((place.block, place.in_block, &place.tile), (block, in_block, &tile));
                            assert_eq!(place.line as u64 + tile.lines.start, line);
                            assert_eq!(place.column as u64 + tile.columns.start, column);
                        }
                    }
                }
            }
            assert!(seen.iter().all(|&seen| seen) && next_block == tiling.blocks());
        }
    }
}
