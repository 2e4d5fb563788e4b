//! Reading and writing at positions of a file, and replacing files so that a name never shows a half-written one.

use crate::DatabaseError;
use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Writes all bytes at a position, without moving any shared file position.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], position: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, position);
    #[cfg(windows)]
    {
        let (mut bytes, mut position) = (bytes, position);
        while !bytes.is_empty() {
            let written = std::os::windows::fs::FileExt::seek_write(file, bytes, position)?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = &bytes[written..];
            position += written as u64;
        }
        Ok(())
    }
}

/// Fills the buffer from a position.
pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], position: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, position);
    #[cfg(windows)]
    {
        let (mut done, length) = (0, bytes.len());
        while done < length {
            let read = std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], position + done as u64)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            done += read;
        }
        Ok(())
    }
}

/// The suffix of a file that is about to replace another one.
pub(crate) const NEW: &str = ".new";

/// The suffix of a layer's raw values while it is written.
pub(crate) const PARTIAL: &str = ".partial";

/// The suffix of the journal of an unfinished layer.
pub(crate) const JOURNAL: &str = ".journal";

/// The suffix of what is known of an unfinished layer that is solved as a whole.
pub(crate) const PROGRESS: &str = ".progress";

/// What can lie beside a layer's name while it is written.
pub(crate) const BESIDE: [&str; 5] = [NEW, PARTIAL, JOURNAL, PROGRESS, ".progress.new"];

/// The file's name with something appended.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// What something is that is no regular file: reading it could wait for ever, or never end.
pub(crate) fn irregular(metadata: &Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("a device");
        }
    }
    match kind {
        kind if kind.is_file() => None,
        kind if kind.is_dir() => Some("a directory"),
        _ => Some("no regular file"),
    }
}

/// Opens a regular file for reading. Anything else is refused before it is waited for.
pub(crate) fn open(path: &Path) -> Result<File, DatabaseError> {
    let refuse = |metadata: &Metadata| match irregular(metadata) {
        Some(found) => Err(DatabaseError::NotAFile { file: path.to_owned(), found }),
        None => Ok(()),
    };
    refuse(&std::fs::metadata(path).map_err(DatabaseError::io(path, "opening"))?)?;
    let file = File::open(path).map_err(DatabaseError::io(path, "opening"))?;
    refuse(&file.metadata().map_err(DatabaseError::io(path, "opening"))?)?;
    Ok(file)
}

/// The content of a small regular file, at most so many bytes of it; `None` if there is no such file.
pub(crate) fn read_small(path: &Path, most: u64) -> Result<Option<Vec<u8>>, DatabaseError> {
    let file = match open(path) {
        Err(DatabaseError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut content = Vec::new();
    file.take(most).read_to_end(&mut content).map_err(DatabaseError::io(path, "reading"))?;
    Ok(Some(content))
}

/// Makes the names in a directory last through a power cut.
pub(crate) fn sync_directory(directory: &Path) -> Result<(), DatabaseError> {
    sync_names(directory).map_err(DatabaseError::io(directory, "syncing"))
}

/// Makes the name of a file last through a power cut.
pub(crate) fn sync_parent(file: &Path) -> io::Result<()> {
    let directory = file.parent().filter(|directory| !directory.as_os_str().is_empty());
    sync_names(directory.unwrap_or(Path::new(".")))
}

fn sync_names(directory: &Path) -> io::Result<()> {
    // Windows has no such call for directories; its file systems log renames themselves.
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = directory;
    Ok(())
}

/// Gives a finished, synced file its final name, replacing what had it.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), DatabaseError> {
    std::fs::rename(from, to).map_err(DatabaseError::io(from, "renaming"))?;
    sync_parent(to).map_err(DatabaseError::io(to, "syncing the directory of"))
}

/// Replaces a small file's content as a whole.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), DatabaseError> {
    let temporary = beside(path, NEW);
    let write = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()
    };
    write().map_err(DatabaseError::io(&temporary, "writing"))?;
    rename(&temporary, path)
}

/// Removes a file if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), DatabaseError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(DatabaseError::io(path, "removing")(error)),
        _ => Ok(()),
    }
}
