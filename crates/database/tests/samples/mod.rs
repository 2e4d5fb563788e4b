//! Layers with made-up values that obey what every layer's values obey: range and parity.
#![allow(dead_code, reason = "each test file uses its part")]

use kalah_database::{Codec, DirectoryLock, Encoding, LayerFile, LayerWriter, Parity, Stamp};
use kalah_index::Layer;
use std::path::Path;

/// The stamp of the samples.
pub(crate) fn stamp(pits: u8) -> Stamp {
    Stamp { rules: "kalah-empty+leftover=none".to_owned(), rules_hash: 0x0123_4567_89ab_cdef, pits }
}

/// A number that looks random, the same for the same input.
pub(crate) fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 31)).wrapping_mul(0x7fb5_d329_728e_a185);
    (number ^ (number >> 27)).wrapping_mul(0x81da_def4_bc2d_d44d) ^ (number >> 33)
}

/// The made-up value of one position.
pub(crate) fn value(seeds: u32, parity: Parity, rank: u64) -> i8 {
    let random = mix(rank + (u64::from(seeds) << 40)) >> 20;
    let value = match parity {
        Parity::Known => i64::from(seeds) - 2 * (random % u64::from(seeds + 1)) as i64,
        Parity::Free => i64::from(seeds) - (random % u64::from(2 * seeds + 1)) as i64,
    };
    value as i8
}

/// All made-up values of a layer.
pub(crate) fn values(pits: u8, seeds: u32, parity: Parity) -> Vec<i8> {
    (0..Layer::new(pits, seeds).unwrap().positions()).map(|rank| value(seeds, parity, rank)).collect()
}

/// All values of a file.
pub(crate) fn all(file: &LayerFile) -> Vec<i8> {
    let mut values = vec![0; file.header().positions as usize];
    file.read(0, &mut values).unwrap();
    values
}

/// Writes a layer in one piece.
pub(crate) fn write(directory: &Path, stamp: &Stamp, seeds: u32, parity: Parity, codec: Codec) -> LayerFile {
    let lock = DirectoryLock::acquire(directory).unwrap();
    let writer = LayerWriter::create(&lock, stamp, seeds, Encoding { parity, codec }).unwrap();
    writer.write(0, &values(stamp.pits, seeds, parity)).unwrap();
    writer.finish().unwrap()
}
