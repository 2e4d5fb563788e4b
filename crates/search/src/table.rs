//! The memory of the search: proved bounds of positions under exact keys, shared by all threads without locks.
//!
//! A place holds the part of the mixed code that its bucket does not imply, so a found entry belongs to the position
//! asked for, never to one that merely looks alike: entries are proofs. Buckets are one cache line.

use crate::code::{Coder, Word};
use memmap2::MmapMut;
use std::sync::atomic::AtomicU64;
use zerocopy::FromBytes;

/// The bounds proved about a position, for its mover, and how they were proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The value is at least this.
    pub(crate) lower: i16,
    /// The value is at most this.
    pub(crate) upper: i16,
    /// The move that proved the lower bound last, or the one that came closest; 0 if none is known.
    pub(crate) pit: u8,
    /// About the binary logarithm of the nodes the bounds took, rounded up; larger stays longer.
    pub(crate) work: u8,
}

impl Entry {
    /// The entry of a position whose value is known.
    #[inline]
    pub(crate) fn exact(value: i16) -> Entry {
        Entry { lower: value, upper: value, pit: 0, work: 0 }
    }

    /// The bound that answers whether the value is at least `window`, if one does.
    #[inline]
    pub(crate) fn decides(&self, window: i16) -> Option<i16> {
        if self.lower >= window {
            Some(self.lower)
        } else if self.upper < window {
            Some(self.upper)
        } else {
            None
        }
    }

    /// Both entries of one position combined. Move and work come from `other` where it has them.
    #[inline]
    pub(crate) fn and(self, other: Entry) -> Entry {
        Entry {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
            pit: if other.pit == 0 { self.pit } else { other.pit },
            work: other.work,
        }
    }

    /// The entry that is true of every position with `seeds` seeds.
    pub(crate) fn trivial(seeds: u32) -> Entry {
        Entry { lower: -(seeds as i16), upper: seeds as i16, pit: 0, work: 0 }
    }
}

/// The work of a subtree of `nodes` nodes as entries carry it.
#[inline]
pub(crate) fn work(nodes: u64) -> u8 {
    (u64::BITS - nodes.leading_zeros()) as u8
}

/// A table of proofs. All of it may be called by many threads at once.
pub(crate) trait Table: Sync + Send {
    /// The type of mixed codes.
    type Code: Word;

    /// Asks for the position's cache line, so that a probe a little later finds it near.
    fn prefetch(&self, code: Self::Code);

    /// The entry of the position with this mixed code, which has `seeds` seeds.
    fn probe(&self, code: Self::Code, seeds: u32) -> Entry;

    /// Adds what was proved about the position with this mixed code, which has `seeds` seeds. Bounds that are already
    /// there stay if they are sharper. Forgets the entry of the bucket that took the least work if there is no room.
    fn store(&self, code: Self::Code, seeds: u32, entry: Entry);

    /// Calls `each` with the mixed code and the packed entry of everything the table holds.
    fn for_each(&self, each: &mut dyn FnMut(Self::Code, u64));
}

/// How values and moves are written into entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether all margins of a position have the parity of its seeds.
    pub(crate) parity: bool,
    /// Bits of a bound.
    pub(crate) value_bits: u32,
    /// Bits of a move.
    pub(crate) move_bits: u32,
    /// Bits of the work.
    pub(crate) work_bits: u32,
}

impl Shape {
    /// The shape for boards of `pits` pits a side with at most `seeds` seeds in play.
    pub(crate) fn new(pits: u8, seeds: u32, parity: bool) -> Shape {
        let values = if parity { seeds + 1 } else { 2 * seeds + 1 };
        Shape {
            parity,
            value_bits: u32::BITS - (values - 1).leading_zeros(),
            move_bits: u32::BITS - u32::from(pits).leading_zeros(),
            work_bits: 6,
        }
    }

    /// Bits of everything but the key.
    pub(crate) fn bits(self) -> u32 {
        2 * self.value_bits + self.move_bits + self.work_bits
    }

    /// The entry as a number of [`bits`](Shape::bits) bits. Zero stands for an entry that says nothing.
    #[inline]
    pub(crate) fn pack(self, entry: Entry, seeds: u32) -> u64 {
        let (seeds, shift) = (seeds as i16, u32::from(self.parity));
        let lower = ((entry.lower + seeds) >> shift) as u64;
        let upper = ((seeds - entry.upper) >> shift) as u64;
        let work = u64::from(entry.work).min((1 << self.work_bits) - 1);
        ((lower << self.value_bits | upper) << self.move_bits | u64::from(entry.pit)) << self.work_bits | work
    }

    /// The entry in the low bits of a number.
    #[inline]
    pub(crate) fn unpack(self, packed: u64, seeds: u32) -> Entry {
        let (seeds, shift) = (seeds as i16, u32::from(self.parity));
        let (values, moves) = ((1u64 << self.value_bits) - 1, (1u64 << self.move_bits) - 1);
        let rest = packed >> self.work_bits;
        let (pit, rest) = (rest & moves, rest >> self.move_bits);
        Entry {
            lower: (((rest >> self.value_bits & values) as i16) << shift) - seeds,
            upper: seeds - (((rest & values) as i16) << shift),
            pit: pit as u8,
            work: self.work(packed) as u8,
        }
    }

    /// The work in a packed entry.
    #[inline]
    pub(crate) fn work(self, packed: u64) -> u64 {
        packed & ((1 << self.work_bits) - 1)
    }
}

/// Where a table keeps a code: the codes are cut into as many runs of consecutive numbers as there are buckets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    bits: u32,
    buckets: u64,
    /// Words from the beginning of a bucket to that of the next.
    pub(crate) stride: usize,
    /// A run is at most `2^rest_bits` long, so the low bits tell its members apart.
    pub(crate) rest_bits: u32,
    /// As many ones.
    rest: u128,
}

impl Places {
    /// `buckets` (at least 1, at most 2^44) for codes of `bits` bits, one every `stride` words.
    pub(crate) fn new(bits: u32, buckets: u64, stride: usize) -> Places {
        let longest = (1u128 << bits).div_ceil(u128::from(buckets));
        let rest_bits = u128::BITS - (longest - 1).leading_zeros();
        Places { bits, buckets, stride, rest_bits, rest: (1 << rest_bits) - 1 }
    }

    /// The bucket of a code.
    #[inline]
    pub(crate) fn bucket<W: Word>(&self, code: W) -> usize {
        if self.bits <= 64 {
            let high = (code.wide() as u64) << (64 - self.bits);
            ((u128::from(high) * u128::from(self.buckets)) >> 64) as usize
        } else {
            ((code.wide() * u128::from(self.buckets)) >> self.bits) as usize
        }
    }

    /// The first word of a code's bucket.
    #[inline]
    pub(crate) fn start<W: Word>(&self, code: W) -> usize {
        self.bucket(code) * self.stride
    }

    /// The part of a code that its bucket does not imply.
    #[inline]
    pub(crate) fn rest<W: Word>(&self, code: W) -> u128 {
        code.wide() & self.rest
    }

    /// The code that belongs to a bucket and a rest.
    pub(crate) fn code<W: Word>(&self, bucket: usize, rest: u128) -> W {
        let first = ((bucket as u128) << self.bits).div_ceil(u128::from(self.buckets));
        W::narrow(first + (rest.wrapping_sub(first) & self.rest))
    }
}

/// Words of a cache line: the room a bucket has for entries.
pub(crate) const LINE: usize = 8;

/// Words of a bucket that has a second line, for numbers: both are on one page, so they are reached together.
pub(crate) const PAIR: usize = 2 * LINE;

/// Zeroed memory for a table, in huge pages where the system has them: with small ones nearly every probe of a large table
/// also misses the processor's memory of page addresses.
#[derive(Debug)]
pub(crate) struct Memory(MmapMut);

impl Memory {
    /// `bytes` bytes, a whole number of lines; `None` if the system cannot give that much memory.
    pub(crate) fn new(bytes: usize) -> Option<Memory> {
        // Fresh pages cost nothing until they are first written, so a table larger than needed is no waste.
        let map = MmapMut::map_anon(bytes).ok()?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Memory(map))
    }

    /// The words, all lines one after another.
    pub(crate) fn words(&mut self) -> &[AtomicU64] {
        // Mappings begin at a page, so the words are aligned and there are no odd bytes.
        <[AtomicU64]>::mut_from_bytes(&mut self.0).unwrap_or_default()
    }
}

/// Where the mixed codes of a board go in a table of a given size, and whether one word an entry will do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) places: Places,
    pub(crate) shape: Shape,
    /// Whether an entry fits one word.
    pub(crate) narrow: bool,
}

impl Plan {
    /// The plan of a table of at most `bytes` bytes, but at least one bucket, of `stride` words a bucket, for the codes of `coder`.
    pub(crate) fn new(coder: Coder, shape: Shape, bytes: usize, stride: usize) -> Plan {
        let buckets = (bytes / (size_of::<u64>() * stride)).max(1);
        let places = Places::new(coder.bits(), buckets as u64, stride);
        Plan { places, shape, narrow: coder.bits() <= 64 && places.rest_bits + shape.bits() <= 64 }
    }

    /// Bytes of the table.
    pub(crate) fn bytes(&self) -> usize {
        self.places.buckets as usize * self.places.stride * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bucket_and_rest_give_the_code_back(bits in 2u32..=85, buckets in 1u64..1 << 20, code in any::<u128>()) {
            let places = Places::new(bits, buckets, LINE);
            let code = code & (u128::MAX >> (128 - bits));
            let bucket = places.bucket(code);
            prop_assert!((bucket as u64) < buckets);
            prop_assert_eq!(places.code::<u128>(bucket, places.rest(code)), code);
            if bits <= 64 {
                prop_assert_eq!(places.bucket(code as u64), bucket);
                prop_assert_eq!(places.code::<u64>(bucket, places.rest(code as u64)), code as u64);
            }
        }

        #[test]
        fn entries_come_back(pits in 1u8..=8, seeds in 1u32..=255, parity in any::<bool>(), cut in 0i16..=255, above in 0i16..=255, pit in 0u8..=8, work in 0u8..64) {
            let shape = Shape::new(pits, seeds, parity);
            let most = seeds as i16;
            let lower = (cut - most).min(most) ;
            let lower = if parity { most - (most - lower) / 2 * 2 } else { lower };
            let upper = if parity { lower + above / 2 * 2 } else { lower + above }.min(most);
            let entry = Entry { lower, upper, pit: pit.min(pits), work };
            prop_assert_eq!(shape.unpack(shape.pack(entry, seeds), seeds), entry);
        }
    }
}
