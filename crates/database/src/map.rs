//! The bytes of a whole file, mapped or read into memory, and views of values as bytes: the only unsafe code.
#![expect(unsafe_code, reason = "mapping a file has no safe interface")]

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

/// How a layer file's bytes are brought into reach. Values are the same either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Access {
    /// Read a block when a value in it is asked for, test its checksum, and keep a few blocks. Opening is instant and
    /// takes little memory; probes all over a layer are slow.
    ///
    /// Nothing that happens to the file can do harm: bytes that were changed after it was opened do not have their
    /// checksum, and a file that was cut, or a device that fails, is an error.
    #[default]
    Blocks,
    /// Read the whole file into memory. Probes are fast, and nothing that happens to the file later is seen.
    Memory,
    /// Map the file: opening is instant, the system loads what is touched, and probes are fast. Where the platform cannot
    /// map files, as [`Access::Memory`].
    ///
    /// **Whoever chooses this promises that no program changes or cuts the file while it is open.** Otherwise the process
    /// can be ended by the system (SIGBUS) or see wrong values, and Rust promises nothing. This crate keeps its part:
    /// it never changes a layer that has its name, it only puts another file in its place, and an open file keeps its
    /// old content. Copy tools that write over files in place (`cp` onto a layer, `rsync --inplace`) break the promise.
    Map,
}

/// The bytes of one whole file.
pub(crate) enum Bytes {
    /// Pages of the file itself.
    Mapped(memmap2::Mmap),
    /// A copy.
    Owned(Vec<u8>),
}

impl Bytes {
    /// Maps an open file, or copies it where files cannot be mapped.
    pub(crate) fn map(file: &File) -> io::Result<Bytes> {
        // SAFETY: the map is read-only and shared with the file. Writers of this crate never touch a file under its final
        // name: they write a temporary file, do not touch it any more once it is sealed, and rename it over. That no other
        // program changes or cuts the file while it is open cannot be enforced: who chooses `Access::Map` promises it.
        match unsafe { memmap2::Mmap::map(file) } {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Bytes::copy(file),
            map => map.map(Bytes::Mapped),
        }
    }

    /// Copies an open file.
    pub(crate) fn copy(file: &File) -> io::Result<Bytes> {
        let length = usize::try_from(file.metadata()?.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        // What is appended after the look at the length does not count: the length test of the header will tell.
        file.take(length as u64).read_to_end(&mut bytes)?;
        Ok(Bytes::Owned(bytes))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// The same memory seen as values.
#[inline]
pub(crate) fn as_values(bytes: &[u8]) -> &[i8] {
    // SAFETY: u8 and i8 have the same size and alignment, and every bit pattern is valid for both.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// The same memory seen as bytes.
#[inline]
pub(crate) fn as_bytes(values: &[i8]) -> &[u8] {
    // SAFETY: as in `as_values`.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// The same memory seen as bytes to be filled.
#[inline]
pub(crate) fn as_bytes_mut(values: &mut [i8]) -> &mut [u8] {
    // SAFETY: as in `as_values`; the borrow of `values` makes the view the only one.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), values.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_and_read_files_are_the_same_bytes() {
        let directory = tempfile::tempdir().unwrap();
        for content in [&b""[..], b"a", &[7; 10_000]] {
            let path = directory.path().join("f");
            std::fs::write(&path, content).unwrap();
            let file = File::open(&path).unwrap();
            assert_eq!(&*Bytes::map(&file).unwrap(), content);
            assert_eq!(&*Bytes::copy(&file).unwrap(), content);
        }
    }

    #[test]
    fn views_keep_every_value() {
        let mut values: Vec<i8> = (i8::MIN..=i8::MAX).collect();
        assert_eq!(as_values(as_bytes(&values)), values);
        as_bytes_mut(&mut values)[0] = 255;
        assert_eq!(values[0], -1);
    }
}
