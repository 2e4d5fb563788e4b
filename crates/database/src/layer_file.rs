//! One open layer: probes, reads and what its header says.

use crate::compressed::{Halving, Tiles};
use crate::header::{Block, Blocks, Head};
use crate::map::{self, Bytes};
use crate::{Access, Codec, DatabaseError, Header, Stamp, packed};
use kalah_index::Layer;
use prefetch_index::prefetch_index;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// A layer file open for reading, from any number of threads.
///
/// Opening looks at the head only and is instant whatever the file's size. A block's checksum is tested when a value in it
/// is first asked for, so no value ever comes out of a damaged block; [`LayerFile::raw`] alone leaves that to the caller.
pub struct LayerFile {
    path: PathBuf,
    header: Header,
    layer: Layer,
    index: Vec<Block>,
    bytes: Bytes,
    body: Body,
    /// What is known of each block: [`UNTESTED`] or [`SOUND`].
    tested: Box<[AtomicU8]>,
}

/// How blocks are cut and decoded.
enum Body {
    Raw { shift: u32 },
    Packed { shift: u32, step: i16, runs: Box<[packed::Run]> },
    Compressed(Box<Tiles>),
}

const UNTESTED: u8 = 0;
const SOUND: u8 = 1;

impl LayerFile {
    /// Opens and maps the layer of `seeds` seeds.
    ///
    /// # Errors
    /// If the file is missing, no layer file, of a newer version, cut, damaged in its head, or for anything but `stamp` and
    /// `seeds`. Each has its own variant of [`DatabaseError`].
    pub fn open(path: &Path, stamp: &Stamp, seeds: u32) -> Result<LayerFile, DatabaseError> {
        Self::open_with(path, stamp, seeds, Access::Map)
    }

    /// As [`LayerFile::open`], mapped or read into memory.
    ///
    /// # Errors
    /// As [`LayerFile::open`].
    pub fn open_with(path: &Path, stamp: &Stamp, seeds: u32, access: Access) -> Result<LayerFile, DatabaseError> {
        let file = Self::open_any(path, access)?;
        file.header.must_be(path, stamp, seeds)?;
        Ok(file)
    }

    /// Opens a layer file for whatever rules, board and layer it holds; its header tells.
    ///
    /// # Errors
    /// As [`LayerFile::open`], but for foreign files.
    pub fn open_any(path: &Path, access: Access) -> Result<LayerFile, DatabaseError> {
        let mut file = File::open(path).map_err(DatabaseError::io(path, "opening"))?;
        let bytes = Bytes::of(&mut file, access).map_err(DatabaseError::io(path, "reading"))?;
        Self::from(path, bytes)
    }

    /// Reads a layer file from memory; `name` is what errors call it.
    ///
    /// # Errors
    /// As [`LayerFile::open_any`].
    pub fn from_bytes(name: &Path, bytes: Vec<u8>) -> Result<LayerFile, DatabaseError> {
        Self::from(name, Bytes::Owned(bytes))
    }

    fn from(path: &Path, bytes: Bytes) -> Result<LayerFile, DatabaseError> {
        let (Head { header, index }, layer, blocks) = Head::decode(path, &bytes)?;
        let damaged = |what: String| DatabaseError::HeaderDamaged { file: path.to_owned(), what };
        let step = Halving::new(header.seeds, header.encoding.parity).step();
        let body = match (blocks, header.encoding.codec) {
            (Blocks::Tiles(tiling), _) => Body::Compressed(Box::new(Tiles::new(&header, tiling))),
            (Blocks::Runs(shift), Codec::Packed) => Body::Packed { shift, step, runs: Box::default() },
            (Blocks::Runs(shift), _) => Body::Raw { shift },
        };
        let tested = index.iter().map(|_| AtomicU8::new(UNTESTED)).collect();
        let mut file = LayerFile { path: path.to_owned(), header, layer, index, bytes, body, tested };
        for (number, block) in file.index.iter().enumerate() {
            let fits = match file.body {
                Body::Raw { shift } => {
                    (u64::from(block.bytes), block.base, block.width) == (file.run(shift, number), 0, 0)
                }
                Body::Packed { shift, .. } => packed::fits(block, file.run(shift, number)),
                Body::Compressed(_) => (block.base, block.width) == (0, 0),
            };
            if !fits {
                return Err(damaged(format!("block {number} has {} bytes, which cannot be", block.bytes)));
            }
        }
        if let Body::Packed { runs, .. } = &mut file.body {
            let payload = file.header.head_bytes;
            *runs = file.index.iter().map(|block| packed::Run::new(block, (payload + block.offset) as usize)).collect();
        }
        Ok(file)
    }

    /// Says under what name the file will lie.
    pub(crate) fn rename(&mut self, path: &Path) {
        path.clone_into(&mut self.path);
    }

    /// Where the file lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The layer it holds: how positions are numbered.
    pub fn layer(&self) -> &Layer {
        &self.layer
    }

    /// The value of every position in the order of ranks, as long as the file is raw, else `None`.
    ///
    /// No checksum has been tested: call [`LayerFile::test`] or [`LayerFile::verify`] before relying on them.
    pub fn raw(&self) -> Option<&[i8]> {
        match self.body {
            Body::Raw { .. } => Some(map::as_values(&self.bytes[self.header.head_bytes as usize..])),
            _ => None,
        }
    }

    /// The value of the position with this rank: the mover's margin from there to the end.
    ///
    /// # Errors
    /// If the block that holds it is damaged.
    ///
    /// # Panics
    /// If the layer has no such position.
    #[inline]
    #[track_caller]
    pub fn value(&self, rank: u64) -> Result<i8, DatabaseError> {
        assert!(rank < self.header.positions, "layer {} has no position {rank}", self.header.seeds);
        match &self.body {
            Body::Raw { shift } => {
                self.test_block((rank >> shift) as usize)?;
                Ok(self.bytes[(self.header.head_bytes + rank) as usize] as i8)
            }
            Body::Packed { shift, step, runs } => {
                let (block, place) = ((rank >> shift) as usize, rank & ((1 << shift) - 1));
                self.test_block(block)?;
                match runs[block].value(&self.bytes, *step, place) {
                    Some(value) => Ok(value),
                    None => self.exception(block, place),
                }
            }
            Body::Compressed(tiles) => {
                let place = tiles.tiling.place(rank);
                let block = place.block as usize;
                self.test_block(block)?;
                tiles.value(&place, self.stored(block)).map_err(|_| self.undecodable(block))
            }
        }
    }

    /// Asks the processor for the memory that [`LayerFile::value`] of a raw layer will read; other codecs decode whole blocks,
    /// for them it does nothing.
    #[inline]
    pub fn prefetch(&self, rank: u64) {
        if let Body::Raw { .. } = self.body {
            prefetch_index(&*self.bytes, (self.header.head_bytes + rank) as usize);
        }
    }

    /// Fills `values` with the values of the positions from rank `first` on.
    ///
    /// # Errors
    /// If a block that holds one of them is damaged.
    ///
    /// # Panics
    /// If the layer has fewer positions.
    #[track_caller]
    pub fn read(&self, first: u64, values: &mut [i8]) -> Result<(), DatabaseError> {
        self.fill(first, values, true)
    }

    /// As [`LayerFile::read`], with or without testing checksums first.
    #[track_caller]
    pub(crate) fn fill(&self, first: u64, values: &mut [i8], test: bool) -> Result<(), DatabaseError> {
        let end = first.checked_add(values.len() as u64).filter(|&end| end <= self.header.positions);
        let ranks = first..end.expect("positions beyond the layer's last");
        let mut done = 0;
        while done < values.len() {
            let next = first + done as u64;
            let (blocks, whole) = self.span_at(next);
            let end = whole.end.min(ranks.end);
            let (now, part) = (&mut values[done..][..(end - next) as usize], next..end);
            done += now.len();
            for block in blocks {
                let number = block as usize;
                let here = self.ranks_of(block);
                if here.end <= part.start || here.start >= part.end {
                    continue;
                }
                if test {
                    self.test_block(number)?;
                }
                let (stored, undecodable) = (self.stored(number), || self.undecodable(number));
                match &self.body {
                    Body::Raw { .. } => {
                        let start = (part.start - here.start) as usize;
                        now.copy_from_slice(&map::as_values(stored)[start..start + now.len()]);
                    }
                    Body::Packed { step, runs, .. } => {
                        for (place, value) in (part.start - here.start..).zip(now.iter_mut()) {
                            *value = match runs[number].value(&self.bytes, *step, place) {
                                Some(value) => value,
                                None => self.exception(number, place)?,
                            };
                        }
                    }
                    Body::Compressed(tiles) => {
                        let strip = tiles.tiling.strip_of(block);
                        tiles.read(&strip, block, stored, &part, now).map_err(|_| undecodable())?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Tests every block's checksum, stopping at the first damaged one.
    ///
    /// # Errors
    /// The first damaged block.
    pub fn test(&self) -> Result<(), DatabaseError> {
        (0..self.index.len()).try_for_each(|block| self.test_block(block))
    }

    /// The blocks that together hold ranks without a gap, and those ranks, for the rank given: one block, or a strip.
    pub(crate) fn span_at(&self, rank: u64) -> (Range<u64>, Range<u64>) {
        match &self.body {
            Body::Raw { shift } | Body::Packed { shift, .. } => {
                let block = rank >> shift;
                (block..block + 1, self.ranks_of(block))
            }
            Body::Compressed(tiles) => {
                let strip = tiles.tiling.strip_at(rank);
                (strip.blocks.clone(), strip.ranks())
            }
        }
    }

    /// From the first to the last rank in a block.
    pub(crate) fn ranks_of(&self, block: u64) -> Range<u64> {
        match &self.body {
            Body::Raw { shift } | Body::Packed { shift, .. } => {
                let first = block << shift;
                first..first + self.run(*shift, block as usize)
            }
            Body::Compressed(tiles) => tiles.tiling.strip_of(block).ranks_of(block),
        }
    }

    /// How many positions a block has that is a run of ranks.
    fn run(&self, shift: u32, block: usize) -> u64 {
        (self.header.positions - ((block as u64) << shift)).min(1 << shift)
    }

    pub(crate) fn index(&self) -> &[Block] {
        &self.index
    }

    /// A block as it lies in the file.
    #[inline]
    pub(crate) fn stored(&self, block: usize) -> &[u8] {
        let entry = &self.index[block];
        &self.bytes[(self.header.head_bytes + entry.offset) as usize..][..entry.bytes as usize]
    }

    /// Tests one block's checksum unless that has been done.
    #[inline]
    pub(crate) fn test_block(&self, block: usize) -> Result<(), DatabaseError> {
        if self.tested[block].load(Ordering::Acquire) == SOUND { Ok(()) } else { self.hash_block(block) }
    }

    #[cold]
    fn hash_block(&self, block: usize) -> Result<(), DatabaseError> {
        let (expected, found) = (self.index[block].check, xxh3_64(self.stored(block)));
        if expected != found {
            return Err(self.damaged(block, format!("expected checksum {expected:016x}, found {found:016x}")));
        }
        self.tested[block].store(SOUND, Ordering::Release);
        Ok(())
    }

    /// The value at a place of a packed block that is an exception.
    #[cold]
    fn exception(&self, block: usize, place: u64) -> Result<i8, DatabaseError> {
        let ranks = self.ranks_of(block as u64);
        packed::exception(&self.index[block], self.stored(block), ranks.end - ranks.start, place)
            .ok_or_else(|| self.undecodable(block))
    }

    #[cold]
    fn undecodable(&self, block: usize) -> DatabaseError {
        self.damaged(block, "its checksum is right but its bytes contradict themselves".to_owned())
    }

    fn damaged(&self, block: usize, what: String) -> DatabaseError {
        let ranks = self.ranks_of(block as u64);
        DatabaseError::BlockDamaged { file: self.path.clone(), block: block as u64, ranks, what }
    }
}

impl std::fmt::Debug for LayerFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LayerFile").field("path", &self.path).field("header", &self.header).finish_non_exhaustive()
    }
}
