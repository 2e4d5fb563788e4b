//! The layers of a directory for one rule set and board, open for reading.

use crate::names::{Names, summary};
use crate::{Access, DatabaseError, LayerFile, LayerName, Stamp, directory};
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
    /// Opens the directory and every layer up to the first that is missing; maybe none. [`Database::missing`] tells whether
    /// the directory should have more. Files are read block by block, see [`Access::Blocks`].
    ///
    /// # Errors
    /// If there is no such directory, or a layer's file is there but damaged, foreign or not readable.
    pub fn open(directory: &Path, stamp: &Stamp) -> Result<Database, DatabaseError> {
        Self::open_with(directory, stamp, Access::default())
    }

    /// As [`Database::open`], with files read block by block, mapped, or read into memory.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub fn open_with(directory: &Path, stamp: &Stamp, access: Access) -> Result<Database, DatabaseError> {
        // So that a directory that is not there has its own error.
        Names::read(directory)?;
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

    /// The layers for this rule set and board that should be there and are not, in order: the manifest names them, or the
    /// directory has a layer of more seeds. Layers above the first of them are not used.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn missing(&self) -> Result<Vec<u32>, DatabaseError> {
        let layers = Names::read(&self.directory)?.layers;
        let names = directory::missing(&layers, &self.directory)?;
        let ours = |name: &LayerName| (&name.rules, name.pits) == (&self.stamp.rules, self.stamp.pits);
        Ok(names.into_iter().filter(ours).map(|name| name.seeds).collect())
    }

    /// Makes sure that all layers up to `seeds` seeds are there.
    ///
    /// # Errors
    /// [`DatabaseError::MissingLayer`] with what the directory has instead.
    pub fn require(&self, seeds: u32) -> Result<(), DatabaseError> {
        if seeds < self.layers() {
            return Ok(());
        }
        let present = summary(Names::read(&self.directory)?.layers.keys());
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
