//! One open layer: probes, reads and what its header says.

use crate::blocks::{FileBlocks, Stored, read_head};
use crate::compressed::{Halving, Tiles};
use crate::header::{Block, Blocks, Head};
use crate::map::{self, Bytes};
use crate::{Access, Codec, DatabaseError, Header, Stamp, disk, packed};
use kalah_index::Layer;
use prefetch_index::prefetch_index;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// A layer file open for reading, from any number of threads.
///
/// Opening looks at the head only and is instant whatever the file's size, except with [`Access::Memory`]. A block's
/// checksum is tested when a value in it is first asked for, so no value ever comes out of a damaged block;
/// [`LayerFile::raw`] alone leaves that to the caller.
pub struct LayerFile {
    path: PathBuf,
    header: Header,
    layer: Layer,
    index: Vec<Block>,
    form: Form,
    source: Source,
    /// For probes straight into the bytes of a packed file; else empty.
    runs: Box<[packed::Run]>,
    /// What is known of each block of a file that is in reach as a whole: [`UNTESTED`] or [`SOUND`].
    tested: Box<[AtomicU8]>,
}

/// How blocks are cut and decoded.
enum Form {
    Raw { shift: u32 },
    Packed { shift: u32, step: i16 },
    Compressed(Box<Tiles>),
}

/// Where the bytes are.
enum Source {
    /// The whole file.
    Whole(Bytes),
    /// Read when they are asked for.
    Blocks(Box<FileBlocks>),
}

const UNTESTED: u8 = 0;
const SOUND: u8 = 1;

impl LayerFile {
    /// Opens the layer of `seeds` seeds, as [`Access::Blocks`].
    ///
    /// # Errors
    /// If the file is missing, no layer file, of a newer version, cut, damaged in its head, or for anything but `stamp` and
    /// `seeds`. Each has its own variant of [`DatabaseError`].
    pub fn open(path: &Path, stamp: &Stamp, seeds: u32) -> Result<LayerFile, DatabaseError> {
        Self::open_with(path, stamp, seeds, Access::default())
    }

    /// As [`LayerFile::open`], read block by block, mapped, or read into memory.
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
        let file = disk::open(path)?;
        let reading = DatabaseError::io(path, "reading");
        match access {
            Access::Map => Self::from(path, Bytes::map(&file).map_err(reading)?),
            Access::Memory => Self::from(path, Bytes::copy(&file).map_err(reading)?),
            Access::Blocks => {
                let (head, length) = read_head(&file).map_err(reading)?;
                let mut layer = Self::decode(path, &head, length)?;
                layer.source = Source::Blocks(Box::new(FileBlocks::new(file)));
                Ok(layer)
            }
        }
    }

    /// Reads a layer file from memory; `name` is what errors call it.
    ///
    /// # Errors
    /// As [`LayerFile::open_any`].
    pub fn from_bytes(name: &Path, bytes: Vec<u8>) -> Result<LayerFile, DatabaseError> {
        Self::from(name, Bytes::Owned(bytes))
    }

    fn from(path: &Path, bytes: Bytes) -> Result<LayerFile, DatabaseError> {
        let mut file = Self::decode(path, &bytes, bytes.len() as u64)?;
        if let Form::Packed { .. } = file.form {
            let payload = file.header.head_bytes;
            let run = |block: &Block| packed::Run::new(block, (payload + block.offset) as usize);
            file.runs = file.index.iter().map(run).collect();
        }
        file.tested = file.index.iter().map(|_| AtomicU8::new(UNTESTED)).collect();
        file.source = Source::Whole(bytes);
        Ok(file)
    }

    /// A file of so many bytes, of which these are the head or more; nothing after the head is in reach yet.
    fn decode(path: &Path, bytes: &[u8], length: u64) -> Result<LayerFile, DatabaseError> {
        let (Head { header, index }, layer, blocks) = Head::decode(path, bytes, length)?;
        let step = Halving::new(header.seeds, header.encoding.parity).step();
        let form = match (blocks, header.encoding.codec) {
            (Blocks::Tiles(tiling), _) => Form::Compressed(Box::new(Tiles::new(&header, tiling))),
            (Blocks::Runs(shift), Codec::Packed) => Form::Packed { shift, step },
            (Blocks::Runs(shift), _) => Form::Raw { shift },
        };
        let (source, path) = (Source::Whole(Bytes::Owned(Vec::new())), path.to_owned());
        let (runs, tested) = (Box::default(), Box::default());
        let file = LayerFile { path, header, layer, index, form, source, runs, tested };
        for (number, block) in file.index.iter().enumerate() {
            let fits = match file.form {
                Form::Raw { shift } => {
                    (u64::from(block.bytes), block.base, block.width) == (file.run(shift, number), 0, 0)
                }
                Form::Packed { shift, .. } => packed::fits(block, file.run(shift, number)),
                Form::Compressed(_) => (block.base, block.width) == (0, 0),
            };
            if !fits {
                let what = format!("block {number} has {} bytes, which cannot be", block.bytes);
                return Err(DatabaseError::HeaderDamaged { file: file.path, what });
            }
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

    /// The value of every position in the order of ranks, if the file is raw, and mapped or in memory; else `None`.
    ///
    /// No checksum has been tested: call [`LayerFile::test`] or [`LayerFile::verify`] before relying on them.
    pub fn raw(&self) -> Option<&[i8]> {
        match (&self.form, &self.source) {
            (Form::Raw { .. }, Source::Whole(bytes)) => Some(map::as_values(&bytes[self.header.head_bytes as usize..])),
            _ => None,
        }
    }

    /// The value of the position with this rank: the mover's margin from there to the end.
    ///
    /// # Errors
    /// If the block that holds it is damaged or cannot be read.
    ///
    /// # Panics
    /// If the layer has no such position.
    #[inline]
    #[track_caller]
    pub fn value(&self, rank: u64) -> Result<i8, DatabaseError> {
        assert!(rank < self.header.positions, "layer {} has no position {rank}", self.header.seeds);
        let Source::Whole(bytes) = &self.source else { return self.value_of_block(rank) };
        match &self.form {
            Form::Raw { shift } => {
                self.test_block((rank >> shift) as usize, bytes)?;
                Ok(bytes[(self.header.head_bytes + rank) as usize] as i8)
            }
            Form::Packed { shift, step } => {
                let (block, place) = ((rank >> shift) as usize, rank & ((1 << shift) - 1));
                self.test_block(block, bytes)?;
                match self.runs[block].value(bytes, *step, place) {
                    Some(value) => Ok(value),
                    None => self.exception(block, self.slice(block, bytes), place),
                }
            }
            Form::Compressed(tiles) => {
                let place = tiles.tiling.place(rank);
                let block = place.block as usize;
                self.test_block(block, bytes)?;
                tiles.value(&place, self.slice(block, bytes)).map_err(|_| self.undecodable(block))
            }
        }
    }

    /// As [`LayerFile::value`], from a block that may have to be read first.
    fn value_of_block(&self, rank: u64) -> Result<i8, DatabaseError> {
        match &self.form {
            Form::Raw { shift } => {
                Ok(self.sound((rank >> shift) as usize)?[(rank & ((1 << shift) - 1)) as usize] as i8)
            }
            Form::Packed { shift, step } => {
                let block = (rank >> shift) as usize;
                self.unpack(block, &self.sound(block)?, *step, rank & ((1 << shift) - 1))
            }
            Form::Compressed(tiles) => {
                let place = tiles.tiling.place(rank);
                let block = place.block as usize;
                tiles.value(&place, &self.sound(block)?).map_err(|_| self.undecodable(block))
            }
        }
    }

    /// The value at a place of a packed block.
    fn unpack(&self, block: usize, stored: &[u8], step: i16, place: u64) -> Result<i8, DatabaseError> {
        match packed::Run::new(&self.index[block], 0).value(stored, step, place) {
            Some(value) => Ok(value),
            None => self.exception(block, stored, place),
        }
    }

    /// Asks the processor for the memory that [`LayerFile::value`] of a raw layer will read, if it is mapped or in memory. Other
    /// codecs decode whole blocks: for them it does nothing.
    #[inline]
    pub fn prefetch(&self, rank: u64) {
        if let (Form::Raw { .. }, Source::Whole(bytes)) = (&self.form, &self.source) {
            prefetch_index(&**bytes, (self.header.head_bytes + rank) as usize);
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
        self.read_while(first, values, &|| true).map(drop)
    }

    /// As [`LayerFile::read`], as long as `go_on` says so: it is asked before every block, at least every few milliseconds.
    /// `false` if it said no; some of the values are then not filled.
    ///
    /// # Errors
    /// As [`LayerFile::read`].
    ///
    /// # Panics
    /// As [`LayerFile::read`].
    #[track_caller]
    pub fn read_while(&self, first: u64, values: &mut [i8], go_on: &dyn Fn() -> bool) -> Result<bool, DatabaseError> {
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
                let here = self.ranks_of(block);
                if here.end <= part.start || here.start >= part.end {
                    continue;
                }
                if !go_on() {
                    return Ok(false);
                }
                self.decode_block(block, &self.sound(block as usize)?, &part, now)?;
            }
        }
        Ok(true)
    }

    /// Fills in those values of a part of the layer that lie in a block with these bytes; `now` begins with the first of the
    /// part, which lies within one span.
    pub(crate) fn decode_block(
        &self,
        block: u64,
        stored: &[u8],
        part: &Range<u64>,
        now: &mut [i8],
    ) -> Result<(), DatabaseError> {
        let (number, here) = (block as usize, self.ranks_of(block));
        match &self.form {
            Form::Compressed(tiles) => {
                let strip = tiles.tiling.strip_of(block);
                tiles.read(&strip, block, stored, part, now).map_err(|_| self.undecodable(number))
            }
            Form::Packed { step, .. } => {
                let mut places = (part.start - here.start..).zip(now);
                places.try_for_each(|(place, value)| {
                    self.unpack(number, stored, *step, place).map(|found| *value = found)
                })
            }
            Form::Raw { .. } => {
                let start = (part.start - here.start) as usize;
                now.copy_from_slice(&map::as_values(stored)[start..start + now.len()]);
                Ok(())
            }
        }
    }

    /// Tests every block's checksum, stopping at the first damaged one.
    ///
    /// # Errors
    /// The first damaged block.
    pub fn test(&self) -> Result<(), DatabaseError> {
        self.test_while(&|| true).map(drop)
    }

    /// As [`LayerFile::test`], as long as `go_on`, which is asked at every block, says so; `false` if it ended the test.
    ///
    /// # Errors
    /// The first damaged block.
    pub fn test_while(&self, go_on: &dyn Fn() -> bool) -> Result<bool, DatabaseError> {
        for block in 0..self.index.len() {
            if !go_on() {
                return Ok(false);
            }
            self.sound(block)?;
        }
        Ok(true)
    }

    /// The blocks that together hold ranks without a gap, and those ranks, for the rank given: one block, or a strip.
    pub(crate) fn span_at(&self, rank: u64) -> (Range<u64>, Range<u64>) {
        match &self.form {
            Form::Raw { shift } | Form::Packed { shift, .. } => {
                let block = rank >> shift;
                (block..block + 1, self.ranks_of(block))
            }
            Form::Compressed(tiles) => {
                let strip = tiles.tiling.strip_at(rank);
                (strip.blocks.clone(), strip.ranks())
            }
        }
    }

    /// From the first to the last rank in a block.
    pub(crate) fn ranks_of(&self, block: u64) -> Range<u64> {
        match &self.form {
            Form::Raw { shift } | Form::Packed { shift, .. } => {
                let first = block << shift;
                first..first + self.run(*shift, block as usize)
            }
            Form::Compressed(tiles) => tiles.tiling.strip_of(block).ranks_of(block),
        }
    }

    /// How many positions a block has that is a run of ranks.
    fn run(&self, shift: u32, block: usize) -> u64 {
        (self.header.positions - ((block as u64) << shift)).min(1 << shift)
    }

    pub(crate) fn index(&self) -> &[Block] {
        &self.index
    }

    /// A block as it lies in the file, whether it is sound or not.
    pub(crate) fn stored(&self, block: usize) -> Result<Stored<'_>, DatabaseError> {
        let entry = &self.index[block];
        match &self.source {
            Source::Whole(bytes) => Ok(Stored::Borrowed(self.slice(block, bytes))),
            Source::Blocks(file) => {
                let read = file.read(self.header.head_bytes + entry.offset, entry.bytes as usize);
                read.map(Stored::Read).map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => {
                        self.damaged(block, "the file is shorter than when it was opened".to_owned())
                    }
                    _ => DatabaseError::io(&self.path, "reading")(error),
                })
            }
        }
    }

    /// A block that has its checksum.
    fn sound(&self, block: usize) -> Result<Stored<'_>, DatabaseError> {
        match &self.source {
            Source::Whole(bytes) => {
                self.test_block(block, bytes)?;
                Ok(Stored::Borrowed(self.slice(block, bytes)))
            }
            Source::Blocks(file) => {
                if let Some(kept) = file.kept(block) {
                    return Ok(Stored::Read(kept));
                }
                let stored = self.stored(block)?;
                self.hash(block, &stored)?;
                if let Stored::Read(bytes) = &stored {
                    file.keep(block, bytes);
                }
                Ok(stored)
            }
        }
    }

    /// A block of the whole file's bytes.
    #[inline]
    fn slice<'a>(&self, block: usize, bytes: &'a [u8]) -> &'a [u8] {
        let entry = &self.index[block];
        &bytes[(self.header.head_bytes + entry.offset) as usize..][..entry.bytes as usize]
    }

    /// Tests one block of the whole file's bytes unless that has been done.
    #[inline]
    fn test_block(&self, block: usize, bytes: &[u8]) -> Result<(), DatabaseError> {
        if self.tested[block].load(Ordering::Acquire) == SOUND { Ok(()) } else { self.test_block_now(block, bytes) }
    }

    #[cold]
    fn test_block_now(&self, block: usize, bytes: &[u8]) -> Result<(), DatabaseError> {
        self.hash(block, self.slice(block, bytes))?;
        self.tested[block].store(SOUND, Ordering::Release);
        Ok(())
    }

    /// Refuses bytes that do not have the block's checksum.
    fn hash(&self, block: usize, stored: &[u8]) -> Result<(), DatabaseError> {
        let (expected, found) = (self.index[block].check, xxh3_64(stored));
        if expected == found {
            return Ok(());
        }
        Err(self.damaged(block, format!("expected checksum {expected:016x}, found {found:016x}")))
    }

    /// The value at a place of a packed block that is an exception.
    #[cold]
    fn exception(&self, block: usize, stored: &[u8], place: u64) -> Result<i8, DatabaseError> {
        let ranks = self.ranks_of(block as u64);
        packed::exception(&self.index[block], stored, ranks.end - ranks.start, place)
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
