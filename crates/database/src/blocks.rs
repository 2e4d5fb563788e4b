//! Blocks of a file that is neither mapped nor in memory: read when they are asked for, tested, a few of them kept.

use crate::disk;
use crate::header::{Head, PREFIX_BYTES};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// How many blocks are kept for each open file: at most four megabytes.
const KEPT: usize = 16;

/// The bytes of a block, in reach as long as this lives.
pub(crate) enum Stored<'a> {
    /// In a map or in memory.
    Borrowed(&'a [u8]),
    /// Read from the file.
    Read(Arc<[u8]>),
}

impl Deref for Stored<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Stored::Borrowed(bytes) => bytes,
            Stored::Read(bytes) => bytes,
        }
    }
}

/// A block's number and its bytes.
type Kept = (usize, Arc<[u8]>);

/// An open file and the blocks of it that were read last and found sound.
pub(crate) struct FileBlocks {
    file: File,
    /// By number, modulo their count.
    kept: [Mutex<Option<Kept>>; KEPT],
}

impl FileBlocks {
    pub(crate) fn new(file: File) -> FileBlocks {
        FileBlocks { file, kept: [const { Mutex::new(None) }; KEPT] }
    }

    /// The bytes of a block as they lie in the file now.
    pub(crate) fn read(&self, start: u64, length: usize) -> io::Result<Arc<[u8]>> {
        let mut bytes = vec![0; length];
        disk::read_exact_at(&self.file, &mut bytes, start)?;
        Ok(bytes.into())
    }

    /// A block that was kept: it was sound when it was read.
    pub(crate) fn kept(&self, block: usize) -> Option<Arc<[u8]>> {
        let kept = self.kept[block % KEPT].lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(number, _)| *number == block).map(|(_, bytes)| Arc::clone(bytes))
    }

    /// Keeps a sound block in the place of another one.
    pub(crate) fn keep(&self, block: usize, bytes: &Arc<[u8]>) {
        *self.kept[block % KEPT].lock().unwrap_or_else(PoisonError::into_inner) = Some((block, Arc::clone(bytes)));
    }
}

/// The bytes of a file's head, or as many of them as there are, and the length of the whole file.
pub(crate) fn read_head(mut file: &File) -> io::Result<(Vec<u8>, u64)> {
    let length = file.metadata()?.len();
    let mut head = Vec::new();
    file.take(PREFIX_BYTES as u64).read_to_end(&mut head)?;
    if let Some(bytes) = head.first_chunk().and_then(Head::length) {
        let rest = usize::try_from(bytes.min(length)).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let rest = rest.saturating_sub(PREFIX_BYTES);
        head.try_reserve_exact(rest).map_err(|_| io::ErrorKind::OutOfMemory)?;
        (&mut file).take(rest as u64).read_to_end(&mut head)?;
    }
    Ok((head, length))
}
