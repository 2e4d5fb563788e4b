//! Reading tiles of a compressed file: whole strips, and single values through a small store of decoded tiles.

use crate::tile::Decoder;
use crate::tiling::{Place, Strip, Tile, Tiling};
use crate::{Header, Parity};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// How many decoded tiles are kept for each open file: at most about a megabyte.
const KEPT: usize = 128;

thread_local! {
    /// Each thread's room to decode in.
    static ROOM: RefCell<(Decoder, Vec<u8>)> = RefCell::new((Decoder::new(), Vec::new()));
}

/// Values as small numbers from 0 on: what tiles hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Halving {
    seeds: i16,
    /// 1 where the parity of values is known, else 0.
    shift: u32,
}

impl Halving {
    pub(crate) fn new(seeds: u32, parity: Parity) -> Halving {
        Halving { seeds: seeds as i16, shift: u32::from(parity == Parity::Known) }
    }

    /// Between one possible value and the next.
    pub(crate) fn step(self) -> i16 {
        1 << self.shift
    }

    /// The number of a value that the layer can have.
    #[inline]
    pub(crate) fn halve(self, value: i8) -> u8 {
        ((i16::from(value) + self.seeds) >> self.shift) as u8
    }

    #[inline]
    pub(crate) fn value(self, number: u8) -> i8 {
        ((i16::from(number) << self.shift) - self.seeds) as i8
    }

    /// The number in the middle of all.
    pub(crate) fn middle(self) -> u8 {
        self.halve(0)
    }
}

/// What is needed to decode the blocks of one file.
pub(crate) struct Tiles {
    pub(crate) tiling: Tiling,
    halving: Halving,
    kept: Box<[Mutex<Kept>]>,
}

/// A tile some lines of which have been decoded.
struct Kept {
    /// Block and number in it.
    tile: (u64, usize),
    numbers: Vec<u8>,
}

/// A block with bytes that are not a block's.
pub(crate) struct Undecodable;

impl Tiles {
    pub(crate) fn new(header: &Header, tiling: Tiling) -> Tiles {
        let nothing = || Mutex::new(Kept { tile: (u64::MAX, 0), numbers: Vec::new() });
        Tiles {
            tiling,
            halving: Halving::new(header.seeds, header.encoding.parity),
            kept: (0..KEPT).map(|_| nothing()).collect(),
        }
    }

    /// The value at a place in a block with these bytes.
    pub(crate) fn value(&self, place: &Place, block: &[u8]) -> Result<i8, Undecodable> {
        let Place { in_block, line, column, ref tile, .. } = *place;
        let (name, at) = ((place.block, in_block), line * tile.width() + column);
        let slot = &self.kept[(place.block as usize).wrapping_mul(8).wrapping_add(in_block) % KEPT];
        let known = {
            let kept = slot.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.tile == name {
                if let Some(&number) = kept.numbers.get(at) {
                    return Ok(self.halving.value(number));
                }
                true
            } else {
                false
            }
        };
        // A tile that is asked for again is worth decoding as a whole.
        let lines = if known { tile.positions() / tile.width() } else { line + 1 };
        self.decode(tile, in_block, block, lines, |numbers| {
            let value = self.halving.value(numbers[at]);
            let mut kept = slot.lock().unwrap_or_else(PoisonError::into_inner);
            kept.tile = name;
            std::mem::swap(&mut kept.numbers, numbers);
            value
        })
    }

    /// Copies the values of those ranks of a strip that are in `ranks`; `values` begins with the first of `ranks`.
    pub(crate) fn read(
        &self,
        strip: &Strip,
        block: u64,
        bytes: &[u8],
        ranks: &Range<u64>,
        values: &mut [i8],
    ) -> Result<(), Undecodable> {
        for (in_block, tile) in strip.tiles(block).enumerate() {
            // What of each of the tile's lines is asked for.
            let asked = |line: u64| {
                let start = tile.section.first + line * tile.section.columns;
                let (first, last) = (start + tile.columns.start, start + tile.columns.end);
                (first, first.max(ranks.start)..last.min(ranks.end))
            };
            let Some(last) = tile.lines.clone().rev().find(|&line| !asked(line).1.is_empty()) else { continue };
            let lines = (last + 1 - tile.lines.start) as usize;
            self.decode(&tile, in_block, bytes, lines, |numbers| {
                for (numbers, line) in numbers.chunks_exact(tile.width()).zip(tile.lines.clone()) {
                    let (first, part) = asked(line);
                    if part.is_empty() {
                        continue;
                    }
                    let to = &mut values[(part.start - ranks.start) as usize..(part.end - ranks.start) as usize];
                    let from = &numbers[(part.start - first) as usize..(part.end - first) as usize];
                    to.iter_mut().zip(from).for_each(|(value, &number)| *value = self.halving.value(number));
                }
            })?;
        }
        Ok(())
    }

    /// Decodes the first lines of a tile and lends their numbers.
    fn decode<T>(
        &self,
        tile: &Tile,
        in_block: usize,
        block: &[u8],
        lines: usize,
        use_them: impl FnOnce(&mut Vec<u8>) -> T,
    ) -> Result<T, Undecodable> {
        let bytes = tile_bytes(block, tiles_beside(tile, in_block), in_block).ok_or(Undecodable)?;
        let (shape, middle) = ((tile.positions(), tile.width()), self.halving.middle());
        ROOM.with_borrow_mut(|(decoder, numbers)| {
            let decoded = decoder.decode(bytes, shape, lines, middle, numbers);
            decoded.then(|| use_them(numbers)).ok_or(Undecodable)
        })
    }
}

/// How many tiles the block of this tile has.
fn tiles_beside(tile: &Tile, in_block: usize) -> usize {
    use crate::tiling::{BLOCK_COLUMNS, TILE_COLUMNS};
    let start = tile.columns.start - in_block as u64 * TILE_COLUMNS;
    (tile.section.columns - start).min(BLOCK_COLUMNS).div_ceil(TILE_COLUMNS) as usize
}

/// The bytes of one tile. A block begins with the lengths of its tiles, two bytes each.
fn tile_bytes(block: &[u8], tiles: usize, number: usize) -> Option<&[u8]> {
    let (lengths, bytes) = block.split_at_checked(2 * tiles)?;
    let length = |tile: usize| usize::from(u16::from_le_bytes([lengths[2 * tile], lengths[2 * tile + 1]]));
    let start: usize = (0..number).map(length).sum();
    let all = start + (number..tiles).map(length).sum::<usize>();
    if all != bytes.len() {
        return None;
    }
    bytes.get(start..start + length(number))
}
