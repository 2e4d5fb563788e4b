//! The table of one-word entries: key, bounds, move and work in 64 bits, so that no read can be torn.

use crate::code::Coder;
use crate::table::{Entry, Lines, Places, Shape, Table};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A bucket is eight entries; an entry is the rest of the mixed code above the packed bounds. Zero is no entry: what it
/// says of any position is true of every position.
#[derive(Debug)]
pub(crate) struct NarrowTable {
    lines: Lines,
    places: Places,
    shape: Shape,
    /// Bits of an entry below the key.
    data_bits: u32,
}

impl NarrowTable {
    #[inline]
    fn line(&self, code: u64) -> &[AtomicU64; 8] {
        self.lines.line(self.places.bucket(code))
    }

    /// The rest of the code where entries have it.
    #[inline]
    fn key(&self, code: u64) -> u64 {
        (self.places.rest(code) as u64) << self.data_bits
    }
}

impl Table for NarrowTable {
    type Code = u64;

    fn new(coder: Coder, shape: Shape, bytes: usize) -> Option<NarrowTable> {
        if coder.bits() > 64 {
            return None;
        }
        let lines = (bytes / 64).max(1) as u64;
        let places = Places::new(coder.bits(), lines);
        if places.rest_bits + shape.bits() > 64 {
            return None;
        }
        let lines = Lines::new(bytes)?;
        Some(NarrowTable { places, data_bits: shape.bits(), lines, shape })
    }

    #[inline]
    fn touch(&self, code: u64) -> u64 {
        self.line(code)[0].load(Relaxed)
    }

    #[inline]
    fn probe(&self, code: u64, seeds: u32) -> Entry {
        let key = self.key(code);
        for word in self.line(code) {
            let word = word.load(Relaxed);
            if (word ^ key) >> self.data_bits == 0 && word != 0 {
                return self.shape.unpack(word, seeds);
            }
        }
        Entry::trivial(seeds)
    }

    #[inline]
    fn store(&self, code: u64, seeds: u32, entry: Entry) {
        let key = self.key(code);
        let line = self.line(code);
        let mut victim = &line[0];
        let mut least = u64::MAX;
        for place in line {
            let word = place.load(Relaxed);
            if (word ^ key) >> self.data_bits == 0 && word != 0 {
                let old = self.shape.unpack(word, seeds);
                let merged = Entry {
                    lower: entry.lower.max(old.lower),
                    upper: entry.upper.min(old.upper),
                    pit: if entry.pit == 0 { old.pit } else { entry.pit },
                    work: entry.work.max(old.work),
                };
                place.store(key | self.shape.pack(merged, seeds), Relaxed);
                return;
            }
            let work = if word == 0 { 0 } else { 1 + self.shape.work(word) };
            if work < least {
                (least, victim) = (work, place);
            }
        }
        victim.store(key | self.shape.pack(entry, seeds), Relaxed);
    }

    fn for_each(&self, seeds_of: &dyn Fn(u64) -> Option<u32>, each: &mut dyn FnMut(u64, Entry)) {
        for bucket in 0..self.lines.len() as usize {
            for word in self.lines.line(bucket) {
                let word = word.load(Relaxed);
                let code = self.places.code(bucket, u128::from(word.checked_shr(self.data_bits).unwrap_or(0)));
                if let (true, Some(seeds)) = (word != 0, seeds_of(code)) {
                    each(code, self.shape.unpack(word, seeds));
                }
            }
        }
    }

    fn clear(&self) {
        for word in self.lines.words() {
            word.store(0, Relaxed);
        }
    }

    fn bytes(&self) -> usize {
        self.lines.len() as usize * 64
    }
}
