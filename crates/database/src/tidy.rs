//! Removes what a writer left that was killed, and brings the manifest up to date.

use crate::manifest::{self, MANIFEST};
use crate::names::Names;
use crate::{Access, DatabaseError, DirectoryLock, LayerFile, disk};

impl DirectoryLock {
    /// Ends what writers left undone that were killed: removes files that were about to replace another one, removes the
    /// journal, progress and raw values of layers that are finished, and brings the manifest up to date. What an unfinished
    /// layer can be resumed from stays.
    ///
    /// Builders and converters call it first of all. Nobody may be writing a layer with this lock meanwhile.
    ///
    /// # Errors
    /// If the directory cannot be read or written.
    pub fn tidy(&self) -> Result<(), DatabaseError> {
        let names = Names::read(self.directory())?;
        disk::remove(&disk::beside(&self.directory().join(MANIFEST), disk::NEW))?;
        for (name, path, suffix) in &names.beside {
            let finished = || {
                let layer = names.layers.get(name).and_then(|path| LayerFile::open_any(path, Access::Blocks).ok());
                layer.is_some_and(|layer| layer.header().name() == *name)
            };
            if suffix.ends_with(disk::NEW) || finished() {
                disk::remove(path)?;
            }
        }
        manifest::update(self.directory())
    }
}
