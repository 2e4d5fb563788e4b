//! Writes one layer under a temporary name, section by section from any number of threads, and resumes after a sudden end.

use crate::convert::in_parts;
use crate::header::{Block, Head};
use crate::sections_done::SectionsDone;
use crate::verify::{CHECK_RUN, PossibleValues};
use crate::{
    Access, Codec, DatabaseError, DirectoryLock, Encoding, JournalError, LayerFile, Stamp, convert, disk, manifest, map,
};
use kalah_index::{Layer, Section};
use std::fs::{File, OpenOptions};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// How many bytes are read back at once.
const CHUNK: usize = 1 << 18;

/// A layer being written.
///
/// Values go to a temporary file beside the layer's final name as they come; no more than a small buffer is held in memory.
/// A journal notes every section that is whole. If the process ends before [`LayerWriter::finish`], however suddenly,
/// [`LayerWriter::create`] finds both again and says which sections are done.
///
/// The finished file is the same whatever the number of threads, the order and the pieces in which it was written.
pub struct LayerWriter {
    path: PathBuf,
    partial: PathBuf,
    journal_path: PathBuf,
    file: File,
    /// What the temporary file is laid out for: always raw.
    head: Head,
    encoding: Encoding,
    layer: Layer,
    sections: Vec<Section>,
    written: Vec<Mutex<Written>>,
    journal: Mutex<SectionsDone>,
}

/// What of one section has been written.
#[derive(Default)]
struct Written {
    /// Sorted, apart from each other.
    ranges: Vec<Range<u64>>,
    /// Whole and noted in the journal.
    done: bool,
}

impl LayerWriter {
    /// Begins the layer of `seeds` seeds in the locked directory, or goes on where an earlier writer was interrupted.
    ///
    /// # Errors
    /// If there is no such layer or the directory cannot be written.
    pub fn create(
        lock: &DirectoryLock,
        stamp: &Stamp,
        seeds: u32,
        encoding: Encoding,
    ) -> Result<LayerWriter, DatabaseError> {
        let writer = Self::create_while(lock, stamp, seeds, encoding, &|| true)?;
        Ok(writer.expect("nobody stopped it"))
    }

    /// As [`LayerWriter::create`], as long as `go_on` says so: it is asked every few milliseconds while the sections of an
    /// interrupted layer are read back and compared with its journal. `None` if it said no.
    ///
    /// # Errors
    /// As [`LayerWriter::create`].
    pub fn create_while(
        lock: &DirectoryLock,
        stamp: &Stamp,
        seeds: u32,
        encoding: Encoding,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<LayerWriter>, DatabaseError> {
        let layer = Layer::new(stamp.pits, seeds)?;
        let path = stamp.path(lock.directory(), seeds);
        let (partial, journal_path) = (disk::beside(&path, disk::PARTIAL), disk::beside(&path, disk::JOURNAL));
        let head = Head::new(stamp, &layer, Encoding { codec: Codec::Raw, ..encoding });
        let bytes = head.header.head_bytes.saturating_add(layer.positions());
        let sections: Vec<Section> = layer.sections().to_vec();
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&partial)
            .map_err(DatabaseError::io(&partial, "creating"))?;

        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let title = format!("kalah layer journal 1 {name} {:016x} {bytes}", stamp.rules_hash);
        let length = file.metadata().map_err(DatabaseError::io(&partial, "reading"))?.len();
        let resumed = SectionsDone::resume(&journal_path, &title, sections.len())?.filter(|_| length == bytes);
        let (journal, finished) = match resumed {
            Some(resumed) => resumed,
            None => {
                file.set_len(0)
                    .and_then(|()| file.set_len(bytes))
                    .map_err(DatabaseError::io(&partial, "setting the length of"))?;
                (SectionsDone::start(&journal_path, &title)?, vec![None; sections.len()])
            }
        };
        let written = sections.iter().map(|_| Mutex::default()).collect();
        let journal = Mutex::new(journal);
        let writer =
            LayerWriter { path, partial, journal_path, file, head, encoding, layer, sections, written, journal };
        for (section, hash) in finished.into_iter().enumerate() {
            let Some(hash) = hash else { continue };
            let Some(found) = writer.hash(writer.sections[section].ranks(), go_on)? else { return Ok(None) };
            if found == hash {
                let ranges = vec![writer.sections[section].ranks()];
                *writer.written(section) = Written { ranges, done: true };
            } else {
                writer.redo(section)?;
            }
        }
        Ok(Some(writer))
    }

    /// The layer's final name.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What the file will say of its rules and board.
    pub(crate) fn stamp(&self) -> &Stamp {
        &self.head.header.stamp
    }

    /// The layer that is written: how positions are numbered.
    pub fn layer(&self) -> &Layer {
        &self.layer
    }

    /// The layer's sections in the order of ranks; other methods name them by their place here.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Whether all values of this section are written and noted in the journal.
    ///
    /// # Panics
    /// If there is no such section.
    #[track_caller]
    pub fn is_done(&self, section: usize) -> bool {
        self.written(section).done
    }

    /// Writes the values of the positions from rank `first` on: each position once, in any order, from any thread.
    ///
    /// # Errors
    /// [`DatabaseError::DiskFull`], or any other failure to write. What was written before counts.
    ///
    /// # Panics
    /// If positions are beyond the layer or have been written before.
    #[track_caller]
    pub fn write(&self, first: u64, values: &[i8]) -> Result<(), DatabaseError> {
        let end = first.checked_add(values.len() as u64).filter(|&end| end <= self.layer.positions());
        let end = end.expect("positions beyond the layer's last");
        let mut start = first;
        while start < end {
            let section = self.sections.partition_point(|section| section.ranks().end <= start);
            let stop = end.min(self.sections[section].ranks().end);
            self.write_piece(section, start, &values[(start - first) as usize..(stop - first) as usize], None)?;
            start = stop;
        }
        Ok(())
    }

    /// As [`LayerWriter::write`] for some of the values of one section, all of which are at hand: so they are not read back for
    /// the journal when the last are written.
    ///
    /// # Errors
    /// As [`LayerWriter::write`].
    ///
    /// # Panics
    /// If there is no such section, it has more or fewer values, or some of them have been written before.
    #[track_caller]
    pub fn write_part(&self, section: usize, values: &[i8], part: Range<usize>) -> Result<(), DatabaseError> {
        let ranks = self.sections[section].ranks();
        assert_eq!(values.len() as u64, ranks.end - ranks.start, "not the values of section {section}");
        self.write_piece(section, ranks.start + part.start as u64, &values[part], Some(values))
    }

    #[track_caller]
    fn write_piece(&self, section: usize, first: u64, values: &[i8], all: Option<&[i8]>) -> Result<(), DatabaseError> {
        let piece = first..first + values.len() as u64;
        let place = self.written(section).place(&piece);
        place.unwrap_or_else(|| panic!("ranks {} to {} have been written before", piece.start, piece.end - 1));
        disk::write_all_at(&self.file, map::as_bytes(values), self.head.header.head_bytes + first)
            .map_err(DatabaseError::io(&self.partial, "writing"))?;
        let ranks = self.sections[section].ranks();
        let whole = self.written(section).add(piece.clone()) == ranks;
        if whole {
            let hash = match all.or((piece == ranks).then_some(values)) {
                Some(all) => xxh3_64(map::as_bytes(all)),
                None => self.hash(ranks, &|| true)?.expect("nobody stopped it"),
            };
            self.note(|journal| journal.done(section, hash))?;
            self.written(section).done = true;
        }
        Ok(())
    }

    /// Reads back values that have been written.
    ///
    /// # Errors
    /// If the file cannot be read.
    ///
    /// # Panics
    /// If positions are beyond the layer.
    #[track_caller]
    pub fn read(&self, first: u64, values: &mut [i8]) -> Result<(), DatabaseError> {
        let end = first.checked_add(values.len() as u64);
        assert!(end.is_some_and(|end| end <= self.layer.positions()), "positions beyond the layer's last");
        disk::read_exact_at(&self.file, map::as_bytes_mut(values), self.head.header.head_bytes + first)
            .map_err(DatabaseError::io(&self.partial, "reading"))
    }

    /// Forgets what has been written of a section, so that it can be written anew.
    ///
    /// # Errors
    /// If the journal cannot be written.
    ///
    /// # Panics
    /// If there is no such section.
    #[track_caller]
    pub fn redo(&self, section: usize) -> Result<(), DatabaseError> {
        self.note(|journal| journal.redo(section))?;
        *self.written(section) = Written::default();
        Ok(())
    }

    /// Completes the file: checksums, header, sync, final name; then the directory's manifest.
    ///
    /// # Errors
    /// [`DatabaseError::Unfinished`] if a section is not done, [`DatabaseError::ImpossibleValue`] if one was written that no
    /// position of the layer can have, or any failure to read, write, sync or rename. Finished sections are kept.
    pub fn finish(self) -> Result<LayerFile, DatabaseError> {
        let sealed = self.seal(1, Access::default(), &|| true)?;
        let (file, sealed) = sealed.expect("nobody stopped it");
        sealed.complete()?;
        Ok(file)
    }

    /// The first half of [`LayerWriter::finish`], with so many threads: checksums and header. The layer can be read from now on,
    /// and its file never changes any more; but it gets its name, and lasts, only with the second half, which mostly waits
    /// for the device: [`Sealed::complete`].
    ///
    /// `go_on` is asked every few milliseconds, from any thread. If it says no, the result is `None`, and
    /// [`LayerWriter::create`] finds all sections done.
    ///
    /// # Errors
    /// As [`LayerWriter::finish`].
    pub fn seal(
        mut self,
        threads: usize,
        access: Access,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<(LayerFile, Sealed)>, DatabaseError> {
        if let Some(section) = (0..self.sections.len()).find(|&section| !self.is_done(section)) {
            return Err(DatabaseError::Unfinished { file: self.partial, section });
        }
        let raw = self.encoding.codec == Codec::Raw;
        let whole = if raw {
            if !self.hash_blocks(threads, go_on)? {
                return Ok(None);
            }
            disk::write_all_at(&self.file, &self.head.encode(), 0)
                .map_err(DatabaseError::io(&self.partial, "writing"))?;
            self.partial.clone()
        } else {
            let head = Head::new(&self.head.header.stamp, &self.layer, self.encoding);
            let temporary = disk::beside(&self.path, disk::NEW);
            if !convert::encode(&self, head, &self.layer, &temporary, threads, &|_| go_on())? {
                return Ok(None);
            }
            temporary
        };
        let mut file = LayerFile::open_with(&whole, &self.head.header.stamp, self.layer.seeds(), access)?;
        file.rename(&self.path);
        let LayerWriter { path, partial, journal_path, file: written, .. } = self;
        let progress = disk::beside(&path, disk::PROGRESS);
        let unsynced = raw.then_some(written);
        Ok(Some((file, Sealed { path, whole, unsynced, rest: [partial, journal_path, progress] })))
    }

    /// Removes the temporary file and the journal: nothing of the layer is kept.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn abandon(self) -> Result<(), DatabaseError> {
        disk::remove(&self.journal_path)?;
        disk::remove(&disk::beside(&self.path, disk::PROGRESS))?;
        disk::remove(&self.partial)
    }

    /// Fills in the head of the raw file; `false` if it was stopped.
    fn hash_blocks(&mut self, threads: usize, go_on: &(dyn Fn() -> bool + Sync)) -> Result<bool, DatabaseError> {
        const { assert!(CHUNK == CHECK_RUN, "a raw block is a run of the checksum over all values") }
        let positions = self.layer.positions();
        let starts: Vec<u64> = (0..positions).step_by(CHUNK).collect();
        let this = &*self;
        let run = |starts: &[u64]| {
            let possible = PossibleValues::new(this.layer.seeds(), this.encoding.parity);
            let mut buffer = vec![0; CHUNK.min(positions as usize)];
            let hash = |&first: &u64| {
                if !go_on() {
                    return Ok(None);
                }
                let values = &mut buffer[..(positions - first).min(CHUNK as u64) as usize];
                this.read(first, values)?;
                if let Some(place) = possible.first_outside(values) {
                    let (rank, found) = (first + place as u64, values[place]);
                    return Err(DatabaseError::ImpossibleValue { file: this.partial.clone(), rank, found });
                }
                let check = xxh3_64(map::as_bytes(values));
                Ok(Some(Block { offset: first, bytes: values.len() as u32, base: 0, width: 0, check }))
            };
            starts.iter().map(hash).collect::<Result<Option<Vec<_>>, _>>()
        };
        let parts: Vec<_> = in_parts(&starts, threads, run).into_iter().collect::<Result<_, _>>()?;
        let Some(parts) = parts.into_iter().collect::<Option<Vec<_>>>() else { return Ok(false) };
        self.head.index = parts.concat();
        let mut hashes = Xxh3::new();
        self.head.index.iter().for_each(|block| hashes.update(&block.check.to_le_bytes()));
        self.head.header.payload_bytes = positions;
        self.head.header.values_check = hashes.digest();
        Ok(true)
    }

    /// The hash of values as they lie in the file; `None` if it was stopped.
    fn hash(&self, ranks: Range<u64>, go_on: &dyn Fn() -> bool) -> Result<Option<u64>, DatabaseError> {
        let mut buffer = vec![0; (ranks.end - ranks.start).min(CHUNK as u64) as usize];
        let (mut hash, mut first) = (Xxh3::new(), ranks.start);
        while first < ranks.end {
            if !go_on() {
                return Ok(None);
            }
            let values = &mut buffer[..(ranks.end - first).min(CHUNK as u64) as usize];
            self.read(first, values)?;
            hash.update(map::as_bytes(values));
            first += values.len() as u64;
        }
        Ok(Some(hash.digest()))
    }

    fn note(&self, write: impl FnOnce(&mut SectionsDone) -> Result<(), JournalError>) -> Result<(), DatabaseError> {
        Ok(write(&mut self.journal.lock().unwrap_or_else(PoisonError::into_inner))?)
    }

    /// A poisoned lock is harmless: no state is left half-changed when a thread panics.
    #[track_caller]
    fn written(&self, section: usize) -> MutexGuard<'_, Written> {
        self.written[section].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A layer whose file is whole but may not last yet and has not got its name. If it never does, [`LayerWriter::create`] finds
/// all sections done.
#[derive(Debug)]
#[must_use = "the layer has no name before it is completed"]
pub struct Sealed {
    path: PathBuf,
    /// Its file for now.
    whole: PathBuf,
    /// That file, if it must still be synced.
    unsynced: Option<File>,
    /// What is not needed any more once the layer has its name.
    rest: [PathBuf; 3],
}

impl Sealed {
    /// The second half of [`LayerWriter::finish`]: sync, final name, manifest.
    ///
    /// # Errors
    /// Any failure to sync, rename, remove, or write the manifest.
    pub fn complete(self) -> Result<(), DatabaseError> {
        if let Some(file) = self.unsynced {
            file.sync_all().map_err(DatabaseError::io(&self.whole, "writing"))?;
        }
        disk::rename(&self.whole, &self.path)?;
        self.rest.iter().try_for_each(|path| disk::remove(path))?;
        manifest::update(self.path.parent().unwrap_or(Path::new(".")))
    }
}

impl convert::Source for LayerWriter {
    fn read(&self, first: u64, values: &mut [i8], go_on: &dyn Fn() -> bool) -> Result<bool, DatabaseError> {
        // In pieces: what was written long ago comes from the device.
        let pieces = (first..).step_by(CHUNK).zip(values.chunks_mut(CHUNK));
        for (first, piece) in pieces {
            if !go_on() {
                return Ok(false);
            }
            LayerWriter::read(self, first, piece)?;
        }
        Ok(true)
    }
}

impl Written {
    /// Where the range belongs among those written, if it touches none of them.
    fn place(&self, range: &Range<u64>) -> Option<usize> {
        let place = self.ranges.partition_point(|written| written.end <= range.start);
        self.ranges.get(place).is_none_or(|next| range.end <= next.start).then_some(place)
    }

    /// Adds a range, joined with its neighbours; returns the joined range.
    #[track_caller]
    fn add(&mut self, range: Range<u64>) -> Range<u64> {
        let place = self.place(&range).unwrap_or_else(|| panic!("ranks {range:?} have been written by two threads"));
        let mut joined = range;
        let mut replace = place..place;
        if place > 0 && self.ranges[place - 1].end == joined.start {
            joined.start = self.ranges[place - 1].start;
            replace.start -= 1;
        }
        if self.ranges.get(place).is_some_and(|next| next.start == joined.end) {
            joined.end = self.ranges[place].end;
            replace.end += 1;
        }
        self.ranges.splice(replace, [joined.clone()]);
        joined
    }
}

impl std::fmt::Debug for LayerWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LayerWriter").field("partial", &self.partial).finish_non_exhaustive()
    }
}
