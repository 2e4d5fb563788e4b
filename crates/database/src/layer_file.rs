//! One open layer: probes, reads and what its header says.

use crate::header::{Block, Head};
use crate::map::{self, Bytes};
use crate::{Access, Codec, DatabaseError, Header, Stamp};
use kalah_index::Layer;
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
    /// `log2` of the block size.
    shift: u32,
    /// What is known of each block: [`UNTESTED`], [`SOUND`].
    tested: Box<[AtomicU8]>,
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
        let (Head { header, index }, layer) = Head::decode(path, &bytes)?;
        let tested = index.iter().map(|_| AtomicU8::new(UNTESTED)).collect();
        let shift = header.block_size.trailing_zeros();
        let file = LayerFile { path: path.to_owned(), header, layer, index, bytes, shift, tested };
        for (number, block) in file.index.iter().enumerate() {
            let positions = file.ranks_of(number as u64);
            let expected = match file.header.encoding.codec {
                Codec::Raw => positions.end - positions.start,
            };
            if u64::from(block.bytes) != expected || (block.base, block.width) != (0, 0) {
                let what = format!("block {number} has {} bytes, expected {expected}", block.bytes);
                return Err(DatabaseError::HeaderDamaged { file: file.path, what });
            }
        }
        Ok(file)
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
        match self.header.encoding.codec {
            Codec::Raw => Some(map::as_values(&self.bytes[self.header.head_bytes as usize..])),
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
        let block = (rank >> self.shift) as usize;
        if self.tested[block].load(Ordering::Acquire) != SOUND {
            self.test_block(block)?;
        }
        match self.header.encoding.codec {
            Codec::Raw => Ok(self.bytes[(self.header.head_bytes + rank) as usize] as i8),
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
        let end = first.checked_add(values.len() as u64).filter(|&end| end <= self.header.positions);
        let end = end.expect("positions beyond the layer's last");
        if values.is_empty() {
            return Ok(());
        }
        for block in first >> self.shift..=(end - 1) >> self.shift {
            self.test_block(block as usize)?;
        }
        match self.raw() {
            Some(raw) => values.copy_from_slice(&raw[first as usize..end as usize]),
            None => unreachable!("every codec has been handled"),
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

    /// Tells the system whether reads will jump about, so that it does not load what is not asked for. Only a hint.
    pub fn expect_random_reads(&self, random: bool) {
        self.bytes.expect_random_reads(random);
    }

    pub(crate) fn ranks_of(&self, block: u64) -> Range<u64> {
        let first = block << self.shift;
        first..(first + u64::from(self.header.block_size)).min(self.header.positions)
    }

    pub(crate) fn index(&self) -> &[Block] {
        &self.index
    }

    /// A block as it lies in the file.
    pub(crate) fn stored(&self, block: usize) -> &[u8] {
        let entry = &self.index[block];
        &self.bytes[(self.header.head_bytes + entry.offset) as usize..][..entry.bytes as usize]
    }

    /// Tests one block's checksum unless that has been done.
    #[cold]
    pub(crate) fn test_block(&self, block: usize) -> Result<(), DatabaseError> {
        if self.tested[block].load(Ordering::Acquire) == SOUND {
            return Ok(());
        }
        let (expected, found) = (self.index[block].check, xxh3_64(self.stored(block)));
        if expected != found {
            return Err(DatabaseError::BlockDamaged {
                file: self.path.clone(),
                block: block as u64,
                ranks: self.ranks_of(block as u64),
                what: format!("expected checksum {expected:016x}, found {found:016x}"),
            });
        }
        self.tested[block].store(SOUND, Ordering::Release);
        Ok(())
    }
}

impl std::fmt::Debug for LayerFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LayerFile").field("path", &self.path).field("header", &self.header).finish_non_exhaustive()
    }
}
