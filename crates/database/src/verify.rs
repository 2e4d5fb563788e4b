//! Testing every checksum and every value's range of a layer file, naming what is wrong.

use crate::{LayerFile, Parity};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// How many values each of the hashes has that together make a header's `values_check`.
pub(crate) const CHECK_RUN: usize = 1 << 18;

/// What is wrong with one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The block's number, from 0.
    pub block: u64,
    /// The ranks that lie in it.
    pub ranks: Range<u64>,
    /// What is wrong.
    pub kind: FaultKind,
}

/// A kind of [`Fault`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The stored bytes do not hash to what the index says.
    Checksum {
        /// The hash in the index.
        expected: u64,
        /// The hash of the bytes.
        found: u64,
    },
    /// The checksum is right, but the bytes are no block's.
    Undecodable,
    /// The device does not give the bytes, or the file has been cut since it was opened.
    Unreadable {
        /// What the operating system says.
        why: String,
    },
    /// A value that no position of the layer can have, although the checksum is right.
    Value {
        /// The first such position.
        rank: u64,
        /// Its value.
        found: i8,
    },
    /// All blocks are sound, but together they are not the values the header has a checksum of.
    Values {
        /// The checksum in the header.
        expected: u64,
        /// The checksum of the values.
        found: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.ranks.end.saturating_sub(1);
        write!(f, "block {} (ranks {} to {last}): ", self.block, self.ranks.start)?;
        match &self.kind {
            FaultKind::Checksum { expected, found } => {
                write!(f, "expected checksum {expected:016x}, found {found:016x}")
            }
            FaultKind::Undecodable => write!(f, "the checksum is right but the bytes contradict themselves"),
            FaultKind::Unreadable { why } => f.write_str(why),
            FaultKind::Value { rank, found } => write!(f, "rank {rank} has the impossible value {found}"),
            FaultKind::Values { expected, found } => {
                write!(f, "all values together: expected checksum {expected:016x}, found {found:016x}")
            }
        }
    }
}

impl Fault {
    /// What to do about it, in a whole sentence.
    pub fn help(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self.kind {
            FaultKind::Checksum { .. } | FaultKind::Undecodable => {
                "Remove the file and build the layer again, or restore a copy of the file."
            }
            FaultKind::Unreadable { .. } => {
                "Check the device; then build the layer again, or restore a copy of its file."
            }
            FaultKind::Value { .. } | FaultKind::Values { .. } => {
                "The file was written with wrong values: remove it and build the layer again."
            }
        })
    }
}

/// What [`LayerFile::verify`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Every fault, in the order of blocks.
    pub faults: Vec<Fault>,
    /// Bytes of blocks that were tested.
    pub bytes: u64,
    /// Whether all blocks were tested: false if the caller stopped it.
    pub complete: bool,
}

impl Verification {
    /// Whether everything was tested and nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.complete && self.faults.is_empty()
    }
}

/// How many values are looked at between two questions whether to go on.
const PIECE: usize = 1 << 22;

impl LayerFile {
    /// Tests every block's checksum, whether every value can occur in the layer, and the checksum over all values.
    ///
    /// `advanced` is called every few milliseconds with the number of bytes tested since the last call, and stops the work by
    /// returning `false`. Every byte is hashed anew, whatever has been tested before.
    pub fn verify(&self, advanced: &dyn Fn(u64) -> bool) -> Verification {
        let mut result = Verification { faults: Vec::new(), bytes: 0, complete: false };
        let mut all = ValuesCheck::new();
        let possible = PossibleValues::new(self.header().seeds, self.header().encoding.parity);
        let (mut buffer, mut next) = (Vec::new(), 0);
        while next < self.header().positions {
            let (blocks, ranks) = self.span_at(next);
            let before = result.faults.len();
            if !grow(&mut buffer, (ranks.end - ranks.start) as usize, advanced) {
                return result;
            }
            for block in blocks.clone() {
                let (bytes, fault) = self.verify_block(block, &ranks, &mut buffer);
                result.faults.extend(fault.map(|kind| Fault { block, ranks: self.ranks_of(block), kind }));
                result.bytes += bytes;
                if !advanced(bytes) {
                    return result;
                }
            }
            if result.faults.len() == before {
                for (piece, values) in buffer.chunks(PIECE).enumerate() {
                    all.add(values);
                    if let Some(place) = possible.first_outside(values).filter(|_| result.faults.len() == before) {
                        let (rank, found) = (ranks.start + (piece * PIECE + place) as u64, values[place]);
                        let block = blocks.clone().find(|&block| self.ranks_of(block).contains(&rank));
                        let block = block.unwrap_or(blocks.start);
                        let kind = FaultKind::Value { rank, found };
                        result.faults.push(Fault { block, ranks: self.ranks_of(block), kind });
                    }
                    if !advanced(0) {
                        return result;
                    }
                }
            }
            next = ranks.end;
        }
        let (expected, found) = (self.header().values_check, all.finish());
        if result.faults.is_empty() && expected != found {
            let ranks = 0..self.header().positions;
            result.faults.push(Fault { block: 0, ranks, kind: FaultKind::Values { expected, found } });
        }
        result.complete = true;
        result
    }

    /// Tests one block's checksum and decodes its values to their places in those of a span. Returns the block's bytes and what
    /// is wrong with it.
    fn verify_block(&self, block: u64, ranks: &Range<u64>, values: &mut [i8]) -> (u64, Option<FaultKind>) {
        let stored = match self.stored(block as usize) {
            Ok(stored) => stored,
            Err(error) => return (0, Some(FaultKind::Unreadable { why: error.to_string() })),
        };
        let (expected, found) = (self.index()[block as usize].check, xxh3_64(&stored));
        let fault = if expected != found {
            Some(FaultKind::Checksum { expected, found })
        } else if self.decode_block(block, &stored, ranks, values).is_err() {
            Some(FaultKind::Undecodable)
        } else {
            None
        };
        (stored.len() as u64, fault)
    }
}

/// Makes room for so many values; `false` if told to stop. Fresh memory is slow to touch, so it is taken in pieces.
fn grow(buffer: &mut Vec<i8>, length: usize, go_on: &dyn Fn(u64) -> bool) -> bool {
    buffer.truncate(length);
    buffer.reserve_exact(length - buffer.len());
    while buffer.len() < length {
        buffer.resize(length.min(buffer.len() + PIECE), 0);
        if !go_on(0) {
            return false;
        }
    }
    true
}

/// The values that positions of a layer can have.
pub(crate) struct PossibleValues {
    seeds: i8,
    /// What the lowest bit of a value must be, if that is known.
    odd: Option<i8>,
}

impl PossibleValues {
    pub(crate) fn new(seeds: u32, parity: Parity) -> PossibleValues {
        let seeds = i8::try_from(seeds).expect("layers have at most 127 seeds");
        PossibleValues { seeds, odd: (parity == Parity::Known).then_some(seeds & 1) }
    }

    /// The place of the first value that cannot be.
    pub(crate) fn first_outside(&self, values: &[i8]) -> Option<usize> {
        let (seeds, mask, odd) = (self.seeds, i8::from(self.odd.is_some()), self.odd.unwrap_or(0));
        let outside = |value: i8| (value > seeds) | (value < -seeds) | ((value & mask) != odd);
        // The whole chunk at once, without branches, so that it runs at the speed of memory; then the place.
        values.chunks(4096).enumerate().find_map(|(chunk, values)| {
            if !values.iter().fold(false, |any, &value| any | outside(value)) {
                return None;
            }
            values.iter().position(|&value| outside(value)).map(|place| chunk * 4096 + place)
        })
    }
}

/// The checksum over a layer's values whatever their codec: XXH3-64 over the XXH3-64 hashes, eight little-endian bytes each,
/// of every 2¹⁸ values in the order of ranks. For raw files those are the blocks' own checksums.
pub(crate) struct ValuesCheck {
    run: Xxh3,
    in_run: usize,
    hashes: Xxh3,
}

impl ValuesCheck {
    pub(crate) fn new() -> ValuesCheck {
        ValuesCheck { run: Xxh3::new(), in_run: 0, hashes: Xxh3::new() }
    }

    /// The next values in the order of ranks.
    pub(crate) fn add(&mut self, mut values: &[i8]) {
        while !values.is_empty() {
            let (now, later) = values.split_at(values.len().min(CHECK_RUN - self.in_run));
            self.run.update(crate::map::as_bytes(now));
            self.in_run += now.len();
            if self.in_run == CHECK_RUN {
                self.end_run();
            }
            values = later;
        }
    }

    fn end_run(&mut self) {
        self.hashes.update(&self.run.digest().to_le_bytes());
        self.run.reset();
        self.in_run = 0;
    }

    pub(crate) fn finish(mut self) -> u64 {
        if self.in_run > 0 {
            self.end_run();
        }
        self.hashes.digest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_values_are_found_where_they_are() {
        let mut values = vec![3i8; 10_000];
        let known = PossibleValues::new(5, Parity::Known);
        assert_eq!(known.first_outside(&values), None);
        for wrong in [7, -7, 4, 0, i8::MIN] {
            values[8191] = wrong;
            assert_eq!(known.first_outside(&values), Some(8191), "{wrong}");
        }
        values[8191] = 4;
        assert_eq!(PossibleValues::new(5, Parity::Free).first_outside(&values), None);
        assert_eq!(PossibleValues::new(3, Parity::Free).first_outside(&values), Some(8191));
    }

    #[test]
    fn the_values_checksum_does_not_depend_on_pieces() {
        let values: Vec<i8> = (0..2 * CHECK_RUN + 77).map(|i| (i * i % 251) as i8).collect();
        let of = |piece: usize| {
            let mut check = ValuesCheck::new();
            values.chunks(piece).for_each(|piece| check.add(piece));
            check.finish()
        };
        let expected = of(values.len());
        assert!([1000, CHECK_RUN, CHECK_RUN + 1].into_iter().all(|piece| of(piece) == expected));
    }
}
