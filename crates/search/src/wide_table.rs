//! The table of two-word entries, for boards whose codes leave no room in one word: still exact, still without torn reads.
//!
//! The first word of a bucket is a counter that is odd while a thread writes there. A reader that sees an odd or changed
//! counter drops what it read. A writer that finds an odd counter gives up. Both cost a little search and never a wrong value.

use crate::table::{Entry, LINE, Places, Plan, Shape, Table};
use prefetch_index::prefetch_index;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

/// A bucket is the counter, three entries of two words each, and one word unused.
const ENTRIES: usize = 3;

/// An entry is the rest of the mixed code above the packed bounds, as one number of 128 bits in two words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideTable<'m> {
    words: &'m [AtomicU64],
    places: Places,
    shape: Shape,
}

impl<'m> WideTable<'m> {
    /// The table in `words`, which must be as many as the plan says.
    pub(crate) fn new(plan: Plan, words: &'m [AtomicU64]) -> WideTable<'m> {
        WideTable { words, places: plan.places, shape: plan.shape }
    }

    /// One entry of a line, unguarded.
    #[inline]
    fn read(line: &[AtomicU64], entry: usize) -> u128 {
        u128::from(line[1 + 2 * entry].load(Relaxed)) << 64 | u128::from(line[2 + 2 * entry].load(Relaxed))
    }

    #[inline]
    fn write(line: &[AtomicU64], entry: usize, number: u128) {
        line[1 + 2 * entry].store((number >> 64) as u64, Relaxed);
        line[2 + 2 * entry].store(number as u64, Relaxed);
    }

    #[inline]
    fn line(&self, code: u128) -> &[AtomicU64] {
        let start = self.places.start(code);
        &self.words[start..start + LINE]
    }

    #[inline]
    fn key(&self, code: u128) -> u128 {
        self.places.rest(code) << self.shape.bits()
    }
}

impl Table for WideTable<'_> {
    type Code = u128;

    #[inline]
    fn prefetch(&self, code: u128) {
        prefetch_index(self.words, self.places.start(code));
    }

    fn probe(&self, code: u128, seeds: u32) -> Entry {
        let (key, line) = (self.key(code), self.line(code));
        let before = line[0].load(Acquire);
        let found = (0..ENTRIES)
            .map(|entry| WideTable::read(line, entry))
            .find(|number| (number ^ key) >> self.shape.bits() == 0 && *number != 0);
        fence(Acquire);
        match found {
            Some(number) if before.is_multiple_of(2) && line[0].load(Relaxed) == before => {
                self.shape.unpack(number as u64, seeds)
            }
            _ => Entry::trivial(seeds),
        }
    }

    fn store(&self, code: u128, seeds: u32, entry: Entry) {
        let (key, line) = (self.key(code), self.line(code));
        let before = line[0].load(Relaxed);
        if before % 2 == 1 || line[0].compare_exchange(before, before + 1, Acquire, Relaxed).is_err() {
            return;
        }
        fence(Release);
        let (mut victim, mut least, mut new) = (0, u64::MAX, entry);
        for place in 0..ENTRIES {
            let number = WideTable::read(line, place);
            if (number ^ key) >> self.shape.bits() == 0 && number != 0 {
                let old = self.shape.unpack(number as u64, seeds);
                new = Entry {
                    lower: entry.lower.max(old.lower),
                    upper: entry.upper.min(old.upper),
                    pit: if entry.pit == 0 { old.pit } else { entry.pit },
                    work: entry.work.max(old.work),
                };
                victim = place;
                break;
            }
            let work = if number == 0 { 0 } else { 1 + self.shape.work(number as u64) };
            if work < least {
                (least, victim) = (work, place);
            }
        }
        WideTable::write(line, victim, key | u128::from(self.shape.pack(new, seeds)));
        line[0].store(before + 2, Release);
    }

    fn for_each(&self, each: &mut dyn FnMut(u128, u64)) {
        for (bucket, line) in self.words.chunks_exact(self.places.stride).enumerate() {
            for place in 0..ENTRIES {
                let before = line[0].load(Acquire);
                let number = WideTable::read(line, place);
                fence(Acquire);
                if number != 0 && before.is_multiple_of(2) && line[0].load(Relaxed) == before {
                    each(self.places.code(bucket, number >> self.shape.bits()), number as u64);
                }
            }
        }
    }
}
