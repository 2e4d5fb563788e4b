//! Files of lines that are appended to and resumed: locked, checked line by line, never losing a whole line.

mod error;
mod holder;

pub use error::JournalError;

use crate::disk;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// A file of lines that one process appends to and a later one resumes.
///
/// The first line is a title: it says what the file belongs to. Every line, the title too, ends with a space and the
/// XXH3-64 of the text before that space, as 16 hexadecimal digits. So a changed digit is noticed, and named by its line.
///
/// A process that is killed while it writes can leave one line without its end. Only this line is cut when the file is
/// opened again. Anything else that is wrong is an error, and the file is left as it is.
///
/// While a `Journal` is open, the file is locked: a second process that opens it is refused. The operating system frees
/// the lock when the process ends, however it ends.
///
/// ```
/// use kalah_database::Journal;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("values.journal");
/// let (mut journal, lines) = Journal::open(&path, "values of kalah")?;
/// assert!(lines.is_empty());
/// journal.append("4 pits, 3 seeds: 10")?;
/// drop(journal);
///
/// let (_journal, lines) = Journal::open(&path, "values of kalah")?;
/// assert_eq!(lines, ["4 pits, 3 seeds: 10"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// How long the file is: its whole lines.
    bytes: u64,
    /// Whether part of a line may lie after them, because it could be neither written nor taken back.
    torn: bool,
}

impl Journal {
    /// The most bytes a journal may have: 1 GiB. It is read into memory as a whole.
    pub const MAX_BYTES: u64 = 1 << 30;

    /// Opens the journal with this title, or begins it if there is no such file. Returns its lines without the title and
    /// the checksums, in the order in which they were appended.
    ///
    /// # Errors
    /// - [`JournalError::Locked`] at once if another process has the file open as a journal;
    /// - [`JournalError::NotAFile`] for a directory, a pipe or a device;
    /// - [`JournalError::TooLarge`] beyond [`Journal::MAX_BYTES`];
    /// - [`JournalError::NotAJournal`] or [`JournalError::OtherTitle`] if the file is something else;
    /// - [`JournalError::BadLine`] for a line that does not have its checksum;
    /// - or that the file cannot be read or written.
    pub fn open(path: &Path, title: &str) -> Result<(Journal, Vec<String>), JournalError> {
        one_line(path, title)?;
        must_be_file(path, std::fs::metadata(path))?;
        let mut options = OpenOptions::new();
        let file =
            options.read(true).append(true).create(true).open(path).map_err(JournalError::io(path, "opening"))?;
        must_be_file(path, file.metadata())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::Locked { file: path.to_owned(), pid: holder::pid(&file) });
            }
            Err(TryLockError::Error(error)) => return Err(JournalError::io(path, "locking")(error)),
        }
        let Content { lines, bytes, ends } = Content::read(path, &file, title)?;
        let mut journal = Journal { path: path.to_owned(), file, bytes, torn: true };
        journal.cut()?;
        match lines {
            None => {
                journal.append(title)?;
                journal.sync()?;
                disk::sync_parent(path).map_err(JournalError::io(path, "syncing the directory of"))?;
                Ok((journal, Vec::new()))
            }
            Some(lines) => {
                if !ends {
                    journal.write(b"\n")?;
                }
                Ok((journal, lines))
            }
        }
    }

    /// Reads the lines of a journal without locking or changing it. A line that another process is just writing is left
    /// out.
    ///
    /// # Errors
    /// As [`Journal::open`], except that a locked file can be read, and that a missing file is
    /// [`JournalError::Missing`].
    pub fn read(path: &Path, title: &str) -> Result<Vec<String>, JournalError> {
        must_be_file(path, std::fs::metadata(path))?;
        let file = File::open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => JournalError::Missing { file: path.to_owned() },
            _ => JournalError::io(path, "opening")(error),
        })?;
        must_be_file(path, file.metadata())?;
        Ok(Content::read(path, &file, title)?.lines.unwrap_or_default())
    }

    /// Appends a line with a single write. If there is no room for it, the lines before it stay as they are.
    ///
    /// A line that has been appended survives the end of the process; [`Journal::sync`] makes it survive a power cut.
    ///
    /// # Errors
    /// [`JournalError::DiskFull`], [`JournalError::TooLarge`], [`JournalError::LineBreak`] if the text is not one line, or
    /// any other failure to write.
    pub fn append(&mut self, line: &str) -> Result<(), JournalError> {
        one_line(&self.path, line)?;
        self.write(sealed(line).as_bytes())
    }

    /// Waits until all lines are on the device.
    ///
    /// # Errors
    /// If the system cannot promise it.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(JournalError::io(&self.path, "syncing"))
    }

    /// Where the file lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        self.cut()?;
        let after = self.bytes + bytes.len() as u64;
        if after > Journal::MAX_BYTES {
            return Err(JournalError::TooLarge { file: self.path.clone(), found: after });
        }
        self.torn = true;
        if let Err(error) = self.file.write_all(bytes) {
            // If this fails too, the next append tries it again first.
            let _ = self.cut();
            return Err(JournalError::io(&self.path, "writing")(error));
        }
        (self.bytes, self.torn) = (after, false);
        Ok(())
    }

    /// Takes away what may lie after the whole lines.
    fn cut(&mut self) -> Result<(), JournalError> {
        if self.torn {
            self.file.set_len(self.bytes).map_err(JournalError::io(&self.path, "setting the length of"))?;
            self.torn = false;
        }
        Ok(())
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Closing the file frees the lock too, but not while a process that was just started still has a copy of it.
        let _ = self.file.unlock();
    }
}

/// What a journal's file holds.
struct Content {
    /// The lines after the title; `None` if not even the title is whole.
    lines: Option<Vec<String>>,
    /// The bytes of whole lines.
    bytes: u64,
    /// Whether the last whole line has its line break.
    ends: bool,
}

impl Content {
    fn read(path: &Path, file: &File, title: &str) -> Result<Content, JournalError> {
        let mut bytes = Vec::new();
        file.take(Journal::MAX_BYTES + 1).read_to_end(&mut bytes).map_err(JournalError::io(path, "reading"))?;
        if bytes.len() as u64 > Journal::MAX_BYTES {
            let found = file.metadata().map_or(0, |metadata| metadata.len());
            return Err(JournalError::TooLarge { file: path.to_owned(), found });
        }
        let mut content = Content { lines: None, bytes: 0, ends: true };
        for (number, whole) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let text = whole.strip_suffix(b"\n");
            content.ends = text.is_some();
            match (checked(text.unwrap_or(whole)), &mut content.lines) {
                (Some(found), None) if found == title => content.lines = Some(Vec::new()),
                (Some(found), None) => {
                    let (expected, found) = (title.to_owned(), found.to_owned());
                    return Err(JournalError::OtherTitle { file: path.to_owned(), expected, found });
                }
                (Some(line), Some(lines)) => lines.push(line.to_owned()),
                // The last line, torn.
                (None, Some(_)) if text.is_none() => {
                    content.ends = true;
                    break;
                }
                (None, Some(_)) => return Err(JournalError::BadLine { file: path.to_owned(), line: number }),
                // Only the beginning of our own title is a torn title: anything else is somebody's file.
                (None, None) if text.is_none() && sealed(title).as_bytes().starts_with(whole) => {
                    content.ends = true;
                    break;
                }
                (None, None) => return Err(JournalError::NotAJournal { file: path.to_owned() }),
            }
            content.bytes += whole.len() as u64;
        }
        Ok(content)
    }
}

/// A line as it lies in the file.
fn sealed(line: &str) -> String {
    format!("{line} {:016x}\n", xxh3_64(line.as_bytes()))
}

/// What a line says, if its checksum is right.
fn checked(line: &[u8]) -> Option<&str> {
    let (line, hash) = std::str::from_utf8(line).ok()?.rsplit_once(' ')?;
    (hash == format!("{:016x}", xxh3_64(line.as_bytes()))).then_some(line)
}

fn one_line(path: &Path, line: &str) -> Result<(), JournalError> {
    match line.contains('\n') {
        true => Err(JournalError::LineBreak { file: path.to_owned() }),
        false => Ok(()),
    }
}

/// Refuses directories, pipes and devices, which would have to be waited for or never end.
fn must_be_file(path: &Path, metadata: io::Result<Metadata>) -> Result<(), JournalError> {
    // If there is no metadata, opening says why.
    match metadata.ok().as_ref().and_then(disk::irregular) {
        Some(found) => Err(JournalError::NotAFile { file: path.to_owned(), found }),
        None => Ok(()),
    }
}
