//! One builder a directory: a lock that the operating system frees when its process ends, however it ends.

use crate::{DatabaseError, disk};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The right to write into a database directory. Dropping it frees the directory.
///
/// The lock is a file `lock` in the directory. The file stays when the lock is freed, only the system's lock on it counts.
#[derive(Debug)]
pub struct DirectoryLock {
    directory: PathBuf,
    file: File,
}

impl DirectoryLock {
    /// Locks the directory, which is created if it is missing.
    ///
    /// # Errors
    /// [`DatabaseError::Locked`] with the other process at once if another one has it, also within the same process; or
    /// that the directory cannot be created or written.
    pub fn acquire(directory: &Path) -> Result<DirectoryLock, DatabaseError> {
        Self::lock(directory, |file| match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        })
    }

    /// Locks the directory, which is created if it is missing; waits while another one has it.
    ///
    /// # Errors
    /// If the directory cannot be created or written.
    pub fn wait(directory: &Path) -> Result<DirectoryLock, DatabaseError> {
        Self::lock(directory, |file| file.lock().map(|()| true))
    }

    /// The locked directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    fn lock(
        directory: &Path,
        take: impl FnOnce(&File) -> std::io::Result<bool>,
    ) -> Result<DirectoryLock, DatabaseError> {
        std::fs::create_dir_all(directory).map_err(DatabaseError::io(directory, "creating the directory"))?;
        let path = directory.join("lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(DatabaseError::io(&path, "opening"))?;
        if !take(&file).map_err(DatabaseError::io(&path, "locking"))? {
            let mut text = String::new();
            // Some systems let nobody read a locked file; the name of the process is then left out.
            let pid = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
            return Err(DatabaseError::Locked { file: path, pid });
        }
        let sign = |file: &mut File| {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(format!("{}\n", std::process::id()).as_bytes())
        };
        sign(&mut file).map_err(DatabaseError::io(&path, "writing"))?;
        disk::sync_directory(directory)?;
        Ok(DirectoryLock { directory: directory.to_owned(), file })
    }
}

impl Drop for DirectoryLock {
    fn drop(&mut self) {
        // Closing the file frees the lock too, but not while a process that was just started still has a copy of it.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_refused_by_name_until_the_first_lets_go() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("a/b");
        let first = DirectoryLock::acquire(&directory).unwrap();
        assert_eq!(first.directory(), directory);
        match DirectoryLock::acquire(&directory) {
            Err(DatabaseError::Locked { pid, .. }) => assert_eq!(pid, Some(std::process::id())),
            other => panic!("{other:?}"),
        }
        let waiting = {
            let directory = directory.clone();
            std::thread::spawn(move || DirectoryLock::wait(&directory).map(drop))
        };
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(!waiting.is_finished());
        drop(first);
        waiting.join().unwrap().unwrap();
        DirectoryLock::acquire(&directory).unwrap();
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("f");
        std::fs::write(&path, "").unwrap();
        let error = DirectoryLock::acquire(&path).unwrap_err();
        assert_eq!(error.file(), Some(path.as_path()), "{error}");
    }
}
