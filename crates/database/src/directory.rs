//! A directory of layer files, seen for one rule set and board.

use crate::{Access, DatabaseError, DirectoryLock, Header, LayerFile, Stamp, disk, manifest, stamp};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All consecutive layers from 0 seeds on that a directory has for one rule set and board.
///
/// Files for other rule sets and boards may lie in the same directory; they are never touched.
#[derive(Debug)]
pub struct Database {
    directory: PathBuf,
    stamp: Stamp,
    access: Access,
    layers: Vec<LayerFile>,
}

impl Database {
    /// Opens the directory and every layer up to the first that is missing; maybe none.
    ///
    /// # Errors
    /// If there is no such directory, or a layer's file is there but damaged, foreign or not readable.
    pub fn open(directory: &Path, stamp: &Stamp) -> Result<Database, DatabaseError> {
        Self::open_with(directory, stamp, Access::Map)
    }

    /// As [`Database::open`], with files mapped or read into memory.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub fn open_with(directory: &Path, stamp: &Stamp, access: Access) -> Result<Database, DatabaseError> {
        must_be_there(directory)?;
        let mut database =
            Database { directory: directory.to_owned(), stamp: stamp.clone(), access, layers: Vec::new() };
        database.refresh()?;
        Ok(database)
    }

    /// Where the files lie.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The rule set and board.
    pub fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    /// How many consecutive layers there are: positions with fewer seeds in pits than this are answered.
    pub fn layers(&self) -> u32 {
        self.layers.len() as u32
    }

    /// The layer of `seeds` seeds, if it is there.
    pub fn layer(&self, seeds: u32) -> Option<&LayerFile> {
        self.layers.get(seeds as usize)
    }

    /// The value of a position for the mover, or `None` if it has more seeds than the layers reach; rows hold pit `i` in
    /// byte `i − 1`.
    ///
    /// # Errors
    /// If the block that holds it is damaged.
    ///
    /// # Panics
    /// If a row has seeds beyond the board's pits.
    #[inline]
    #[track_caller]
    pub fn value(&self, mover: u64, opponent: u64) -> Result<Option<i8>, DatabaseError> {
        let beyond = (mover | opponent).checked_shr(8 * u32::from(self.stamp.pits)).unwrap_or(0);
        assert!(beyond == 0, "seeds beyond pit {}", self.stamp.pits);
        let Some(file) = self.layers.get((seeds_in(mover) + seeds_in(opponent)) as usize) else { return Ok(None) };
        file.value(file.layer().rank(mover, opponent)).map(Some)
    }

    /// Opens layers that have appeared since; returns how many there are now.
    ///
    /// # Errors
    /// If the next layer's file is there but damaged, foreign or not readable.
    pub fn refresh(&mut self) -> Result<u32, DatabaseError> {
        loop {
            let path = self.stamp.path(&self.directory, self.layers());
            if self.layers() > kalah_index::MAX_LAYER
                || !path.try_exists().map_err(DatabaseError::io(&path, "looking for"))?
            {
                return Ok(self.layers());
            }
            self.layers.push(LayerFile::open_with(&path, &self.stamp, self.layers(), self.access)?);
        }
    }

    /// Takes in a layer just finished: the next one, or one to stand for a layer that is open already.
    ///
    /// # Panics
    /// If it is for another rule set or board, or layers between are missing.
    #[track_caller]
    pub fn add(&mut self, file: LayerFile) {
        let seeds = file.header().seeds as usize;
        assert_eq!(file.header().stamp, self.stamp, "a layer for another database");
        assert!(seeds <= self.layers.len(), "layer {seeds} after layer {}", self.layers.len());
        if seeds == self.layers.len() {
            self.layers.push(file);
        } else {
            self.layers[seeds] = file;
        }
    }

    /// Ends what a writer left undone that was killed right after it had given a layer its name: removes the layer's journal
    /// and progress and brings the manifest up to date.
    ///
    /// # Errors
    /// If the directory cannot be read or written.
    ///
    /// # Panics
    /// If the lock is on another directory.
    #[track_caller]
    pub fn tidy(&self, lock: &DirectoryLock) -> Result<(), DatabaseError> {
        assert_eq!(lock.directory(), self.directory, "a lock on another directory");
        for file in &self.layers {
            disk::remove(&disk::beside(file.path(), ".journal"))?;
            disk::remove(&disk::beside(file.path(), ".progress"))?;
        }
        if self.layers.is_empty() { Ok(()) } else { manifest::write_manifest(&self.directory) }
    }

    /// Makes sure that all layers up to `seeds` seeds are there.
    ///
    /// # Errors
    /// [`DatabaseError::MissingLayer`] with what the directory has instead.
    pub fn require(&self, seeds: u32) -> Result<(), DatabaseError> {
        if seeds < self.layers() {
            return Ok(());
        }
        let present = summary(&list(&self.directory)?);
        let missing = self.layers();
        Err(DatabaseError::MissingLayer { file: self.stamp.path(&self.directory, missing), seeds: missing, present })
    }
}

/// Seeds in a row.
#[inline]
fn seeds_in(row: u64) -> u64 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    ((row & EVEN) + ((row >> 8) & EVEN)).wrapping_mul(0x0001_0001_0001_0001) >> 48
}

/// One layer file of a directory.
#[derive(Debug)]
pub struct Listed {
    /// Where it lies.
    pub path: PathBuf,
    /// What it says of itself, or why it is of no use.
    pub header: Result<Header, DatabaseError>,
}

/// Every file of a directory that is named like a layer file, for any rule set and board, in the order of rule set, pits and
/// seeds. Damaged files and files whose content is not what their name says carry their error.
///
/// # Errors
/// If the directory is missing or cannot be read.
pub fn list(directory: &Path) -> Result<Vec<Listed>, DatabaseError> {
    must_be_there(directory)?;
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(directory).map_err(DatabaseError::io(directory, "reading"))? {
        let entry = entry.map_err(DatabaseError::io(directory, "reading"))?;
        let Some((rules, pits, seeds)) = entry.file_name().to_str().and_then(stamp::parse_name) else { continue };
        let path = entry.path();
        let header = LayerFile::open_any(&path, Access::Map).and_then(|file| {
            let header = file.header().clone();
            // A name tells no hash: the rule set's text is all it can promise.
            let promised = Stamp { rules: rules.clone(), rules_hash: header.stamp.rules_hash, pits };
            header.must_be(&path, &promised, seeds).map(|()| header)
        });
        found.insert((rules, pits, seeds), Listed { path, header });
    }
    Ok(found.into_values().collect())
}

/// What a directory has, in words.
fn summary(files: &[Listed]) -> String {
    let mut groups: BTreeMap<&Stamp, Vec<u32>> = BTreeMap::new();
    for header in files.iter().filter_map(|file| file.header.as_ref().ok()) {
        groups.entry(&header.stamp).or_default().push(header.seeds);
    }
    let damaged = files.iter().filter(|file| file.header.is_err()).count();
    let mut parts: Vec<String> = groups
        .into_iter()
        .map(|(stamp, seeds)| match (seeds.first(), seeds.last()) {
            (Some(first), Some(last)) if (last - first) as usize + 1 == seeds.len() => {
                format!("the layers of {first} to {last} seeds for {stamp}")
            }
            _ => format!("{} layers for {stamp}", seeds.len()),
        })
        .collect();
    if damaged > 0 {
        parts.push(format!("{damaged} damaged files"));
    }
    if parts.is_empty() { "no layers".to_owned() } else { parts.join(" and ") }
}

fn must_be_there(directory: &Path) -> Result<(), DatabaseError> {
    match std::fs::metadata(directory) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(DatabaseError::io(directory, "looking for")(error))
        }
        _ => Err(DatabaseError::MissingDirectory { directory: directory.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_counted_beyond_a_byte() {
        assert_eq!(seeds_in(0), 0);
        assert_eq!(seeds_in(0x0102_0304_0506_0708), 36);
        assert_eq!(seeds_in(u64::MAX), 8 * 255);
    }
}
