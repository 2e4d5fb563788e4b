//! The table of one-word entries: key, bounds, move and work in 64 bits, so that no read can be torn.

use crate::table::{Entry, LINE, Places, Plan, Shape, Table};
use prefetch_index::prefetch_index;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A bucket is eight entries; an entry is the rest of the mixed code above the packed bounds. Zero is no entry: what it
/// says of any position is true of every position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NarrowTable<'m> {
    words: &'m [AtomicU64],
    places: Places,
    shape: Shape,
    /// Bits of an entry below the key.
    data_bits: u32,
}

impl<'m> NarrowTable<'m> {
    /// The table in `words`, which must be as many as the plan says.
    pub(crate) fn new(plan: Plan, words: &'m [AtomicU64]) -> NarrowTable<'m> {
        NarrowTable { words, places: plan.places, shape: plan.shape, data_bits: plan.shape.bits() }
    }

    #[inline]
    fn line(&self, code: u64) -> &[AtomicU64] {
        let start = self.places.start(code);
        &self.words[start..start + LINE]
    }

    /// The rest of the code where entries have it.
    #[inline]
    fn key(&self, code: u64) -> u64 {
        (self.places.rest(code) as u64) << self.data_bits
    }
}

impl Table for NarrowTable<'_> {
    type Code = u64;

    #[inline]
    fn prefetch(&self, code: u64) {
        prefetch_index(self.words, self.places.start(code));
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

    fn for_each(&self, each: &mut dyn FnMut(u64, u64)) {
        for (bucket, line) in self.words.chunks_exact(self.places.stride).enumerate() {
            for word in line[..LINE].iter().map(|word| word.load(Relaxed)).filter(|&word| word != 0) {
                let rest = word.checked_shr(self.data_bits).unwrap_or(0);
                each(self.places.code(bucket, u128::from(rest)), word);
            }
        }
    }
}
