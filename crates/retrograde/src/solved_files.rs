//! The layers of a directory, readable as plain bytes.

use crate::{BuildError, Observer, SolvedLayers};
use kalah_database::{Database, LayerFile};
use kalah_index::Layer;
use rayon::prelude::*;

/// The layers of a directory as plain bytes: mapped where the file is raw, else unpacked into memory.
#[derive(Debug)]
pub(crate) struct SolvedFiles {
    database: Database,
    /// By seeds; empty where the file itself can be read as it is.
    unpacked: Vec<Vec<i8>>,
}

impl SolvedFiles {
    /// All layers of a database.
    ///
    /// # Errors
    /// If one is damaged, or the observer asks to stop.
    pub(crate) fn open(database: Database, observer: &dyn Observer) -> Result<SolvedFiles, BuildError> {
        let mut solved = SolvedFiles { database, unpacked: Vec::new() };
        for seeds in 0..solved.database.layers() {
            if let Some(file) = solved.database.layer(seeds) {
                solved.unpacked.push(unpack(file, observer)?);
            }
        }
        Ok(solved)
    }

    /// Adds the next layer.
    ///
    /// # Errors
    /// If it is damaged, or the observer asks to stop.
    pub(crate) fn add(&mut self, file: LayerFile, observer: &dyn Observer) -> Result<(), BuildError> {
        self.unpacked.push(unpack(&file, observer)?);
        self.database.add(file);
        Ok(())
    }
}

/// The values of a file that is not raw, in the order of ranks.
fn unpack(file: &LayerFile, observer: &dyn Observer) -> Result<Vec<i8>, BuildError> {
    /// Values unpacked at once: whole blocks, and no more than a few milliseconds of work.
    const PIECE: usize = 1 << 20;
    if file.raw().is_some() {
        return Ok(Vec::new());
    }
    let mut values = vec![0; file.header().positions as usize];
    values.par_chunks_mut(PIECE).enumerate().try_for_each(|(piece, values)| {
        if observer.should_stop() {
            return Err(BuildError::Stopped);
        }
        Ok(file.read((piece * PIECE) as u64, values)?)
    })?;
    Ok(values)
}

impl SolvedLayers for SolvedFiles {
    #[inline]
    fn layer(&self, seeds: u32) -> (&Layer, &[i8]) {
        let file = self.database.layer(seeds).expect("builders ask for finished layers only");
        (file.layer(), file.raw().unwrap_or(&self.unpacked[seeds as usize]))
    }
}
