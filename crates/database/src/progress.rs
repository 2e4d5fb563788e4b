//! A layer half done: what a builder that solves a layer as a whole keeps beside the unfinished file, to go on from after a sudden end.

use crate::{DatabaseError, LayerWriter, disk, map};
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use xxhash_rust::xxh3::Xxh3;

/// What a builder knows of a layer at some point of its work: two bytes a position, in whatever order it likes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// How far the work has come, in the builder's own count.
    pub step: u32,
    /// Values or bounds.
    pub values: Vec<i8>,
    /// Whatever else there is to know, a byte a position.
    pub marks: Vec<u8>,
}

impl LayerWriter {
    /// The line by which a file of progress says what it belongs to: format, layer, rules, positions.
    fn progress_title(&self) -> String {
        let name = self.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (rules_hash, positions) = (self.stamp().rules_hash, self.layer().positions());
        format!("kalah layer progress 1 {name} {rules_hash:016x} {positions}\n")
    }

    /// Keeps progress in the place of what was kept before; a reader finds the old or the new, whole. Removed when the layer is
    /// finished or abandoned.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If there is not one value and one mark for each position.
    #[track_caller]
    pub fn keep_progress(&self, step: u32, values: &[i8], marks: &[u8]) -> Result<(), DatabaseError> {
        let positions = self.layer().positions();
        assert!(values.len() as u64 == positions && marks.len() as u64 == positions, "two bytes a position");
        let path = disk::beside(self.path(), disk::PROGRESS);
        let temporary = disk::beside(&path, disk::NEW);
        let mut hash = Xxh3::new();
        let mut write = || -> std::io::Result<()> {
            let mut file = BufWriter::new(File::create(&temporary)?);
            for part in [self.progress_title().as_bytes(), &step.to_le_bytes(), map::as_bytes(values), marks] {
                hash.update(part);
                file.write_all(part)?;
            }
            file.write_all(&hash.digest().to_le_bytes())?;
            file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
        };
        write().map_err(DatabaseError::io(&temporary, "writing"))?;
        disk::rename(&temporary, &path)
    }

    /// What was kept last, or `None` if there is nothing, or nothing whole that belongs to this layer under these rules.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn progress(&self) -> Result<Option<Progress>, DatabaseError> {
        let path = disk::beside(self.path(), disk::PROGRESS);
        let mut file = match File::open(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(DatabaseError::io(&path, "opening"))?,
        };
        let (expected, positions) = (self.progress_title(), self.layer().positions());
        let length = file.metadata().map_err(DatabaseError::io(&path, "reading"))?.len();
        if length != expected.len() as u64 + 4 + 2 * positions + 8 {
            return Ok(None);
        }
        let mut title = vec![0; expected.len()];
        let mut step = [0; 4];
        let (mut values, mut marks) = (vec![0i8; positions as usize], vec![0u8; positions as usize]);
        let mut check = [0; 8];
        let mut hash = Xxh3::new();
        for part in [&mut title[..], &mut step, map::as_bytes_mut(&mut values), &mut marks] {
            file.read_exact(part).map_err(DatabaseError::io(&path, "reading"))?;
            hash.update(part);
        }
        file.read_exact(&mut check).map_err(DatabaseError::io(&path, "reading"))?;
        let sound = title == expected.as_bytes() && hash.digest().to_le_bytes() == check;
        Ok(sound.then(|| Progress { step: u32::from_le_bytes(step), values, marks }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Codec, DirectoryLock, Encoding, Parity, Stamp};

    fn writer(lock: &DirectoryLock, rules: &str, rules_hash: u64, seeds: u32) -> LayerWriter {
        let stamp = Stamp { rules: rules.to_owned(), rules_hash, pits: 2 };
        LayerWriter::create(lock, &stamp, seeds, Encoding { parity: Parity::Free, codec: Codec::Raw }).unwrap()
    }

    #[test]
    fn what_was_kept_last_is_found_unless_it_is_damaged_or_foreign() {
        let directory = tempfile::tempdir().unwrap();
        let lock = DirectoryLock::acquire(directory.path()).unwrap();
        let layer = writer(&lock, "awari", 7, 3);
        assert_eq!(layer.progress().unwrap(), None);
        let count = layer.layer().positions() as usize;
        let (values, marks): (Vec<i8>, Vec<u8>) = ((0..count).map(|i| -(i as i8)).collect(), vec![3; count]);
        layer.keep_progress(9, &vec![0; count], &vec![0; count]).unwrap();
        layer.keep_progress(2, &values, &marks).unwrap();
        assert_eq!(layer.progress().unwrap(), Some(Progress { step: 2, values: values.clone(), marks: marks.clone() }));

        assert_eq!(writer(&lock, "awari", 7, 4).progress().unwrap(), None, "another layer");
        drop(layer);
        assert_eq!(writer(&lock, "awari", 8, 3).progress().unwrap(), None, "other rules");
        let layer = writer(&lock, "awari", 7, 3);
        let path = disk::beside(layer.path(), disk::PROGRESS);
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x40;
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(layer.progress().unwrap(), None, "byte {at}");
        }
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert_eq!(layer.progress().unwrap(), None, "cut off");
        std::fs::write(&path, &whole).unwrap();
        assert!(layer.progress().unwrap().is_some());

        layer.write(0, &vec![0; count]).unwrap();
        layer.finish().unwrap();
        assert!(!path.exists(), "a finished layer needs none");
    }
}
