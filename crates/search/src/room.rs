//! The memory of the shared table: how much of it a search uses, and fresh pages made ready in pieces.
//!
//! The system gives memory page by page when it is first written. Nearly every entry of a large table lies on a page of its
//! own, so the first thousands of positions would wait for all of its pages: seconds, in which a search that may take
//! only one second, or a thousand positions, gets nothing done. So a search uses no more of the table than its limits
//! allow it to fill, and when it turns out to be long, the pages are made ready by all threads, piece by piece, with a
//! look at the limits after each.

use crate::code::{Coder, Word};
use crate::limits::{Budget, Control};
use crate::narrow_table::NarrowTable;
use crate::pace::Pace;
use crate::proof::{Proof, heaviest};
use crate::table::{Entry, LINE, Memory, PAIR, Plan, Shape, Table};
use crate::wide_table::WideTable;
use kalah_rules::Position;
use std::sync::atomic::{
    AtomicBool, AtomicU64, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
};

/// Bytes of each thread's local table: it should stay in the cache of one processor core.
pub(crate) const LOCAL_BYTES: usize = 1 << 20;

/// The least that is used, if the table is not smaller itself: as many buckets as a thread's local table has lines.
pub(crate) const LEAST: usize = LOCAL_BYTES / LINE * PAIR;

/// Bytes for every position that may be searched, or proof that is learnt: a bucket.
const BYTES_A_NODE: u128 = (PAIR * size_of::<u64>()) as u128;

/// Bytes that one thread can fill in a second, with room to spare: two million entries.
const BYTES_A_SECOND: f64 = 32e6;

/// Bytes that are made ready at once: what the system calls a huge page.
const PIECE: usize = 2 << 20;

/// A table of fewer pieces is not worth more than one thread.
const PIECES_ALONE: usize = 16;

/// At most so many proofs move along when the table grows: 60 ms of copying.
const MOVED: usize = 1 << 19;

/// The shared table's memory.
#[derive(Debug)]
pub(crate) struct Room {
    /// All of it: pages that nobody has written cost nothing.
    memory: Memory,
    /// What of it is in use.
    plan: Plan,
    /// What may be in use.
    most: Plan,
    coder: Coder,
    shape: Shape,
    threads: usize,
    /// Bytes that the calls so far were allowed to fill.
    allowed: u128,
    /// Whether the pages in use may be fresh.
    fresh: AtomicBool,
    /// Whether anything was stored.
    used: bool,
    /// Proofs that were learnt and are not stored yet.
    learnt: Vec<Proof>,
}

impl Room {
    /// A table of at most `bytes` bytes, with one word an entry if it is `narrow`; `None` if memory is short.
    pub(crate) fn new(coder: Coder, shape: Shape, bytes: usize, narrow: bool, threads: usize) -> Option<Room> {
        let most = Plan { narrow, ..Plan::new(coder, shape, bytes, PAIR) };
        let memory = Memory::new(most.bytes())?;
        let plan = Plan { narrow, ..Plan::new(coder, shape, bytes.min(LEAST), PAIR) };
        Some(Room {
            memory,
            plan,
            most,
            coder,
            shape,
            threads,
            allowed: 0,
            fresh: AtomicBool::new(true),
            used: false,
            learnt: Vec::new(),
        })
    }

    /// The plan in use.
    pub(crate) fn plan(&self) -> Plan {
        self.plan
    }

    /// Takes a proof that the next search will know.
    pub(crate) fn learn(&mut self, proof: Proof) {
        self.learnt.push(proof);
    }

    /// Uses as much of the table as a call with these limits can fill, and stores what was learnt.
    pub(crate) fn fit(&mut self, control: &Control<'_>) {
        let bytes = match control.budget() {
            Budget { nodes: None, time: None } => u128::MAX,
            Budget { nodes, time } => {
                let nodes = nodes.map_or(u128::MAX, |nodes| u128::from(nodes) * BYTES_A_NODE);
                let time =
                    time.map_or(u128::MAX, |time| (time.as_secs_f64() * BYTES_A_SECOND * self.threads as f64) as u128);
                nodes.min(time)
            }
        };
        self.allowed = self.allowed.saturating_add(bytes);
        let wanted = self.allowed.saturating_add(self.learnt.len() as u128 * BYTES_A_NODE);
        self.grow(wanted);
        let mut pace = Pace::new();
        let mut steps = 0;
        while let Some(proof) = self.learnt.pop() {
            self.used = true;
            self.store(&proof);
            steps += 1;
            if steps >= pace.steps() {
                steps = 0;
                pace.look();
                if !control.going() {
                    return;
                }
            }
        }
    }

    /// Uses at least `wanted` bytes, or all there are. Proofs are kept.
    fn grow(&mut self, wanted: u128) {
        let bytes = usize::try_from(wanted.min(1 << 62)).unwrap_or(usize::MAX).next_power_of_two();
        let bytes = bytes.clamp(LEAST, LEAST.max(self.most.bytes())).min(self.most.bytes());
        if bytes <= self.plan.bytes() {
            return;
        }
        if self.used {
            let kept = self.heaviest(MOVED);
            self.learnt.extend(kept);
            // Fresh memory is zero. Without any, the old table has to do.
            let Some(memory) = Memory::new(self.most.bytes()) else { return };
            self.memory = memory;
        }
        self.plan = Plan { narrow: self.plan.narrow, ..Plan::new(self.coder, self.shape, bytes, PAIR) };
        self.fresh = AtomicBool::new(true);
    }

    /// The entries that took the most work, at most about `most`.
    pub(crate) fn heaviest(&mut self, most: usize) -> Vec<Proof> {
        let (plan, coder) = (self.plan, self.coder);
        let words = self.memory.words();
        if plan.narrow {
            heaviest(&NarrowTable::new(plan, words), coder, plan, most)
        } else {
            heaviest(&WideTable::new(plan, words), coder, plan, most)
        }
    }

    /// Stores everything that was learnt, however long it takes.
    pub(crate) fn settle(&mut self) {
        self.grow(self.allowed.saturating_add(self.learnt.len() as u128 * BYTES_A_NODE));
        while let Some(proof) = self.learnt.pop() {
            self.used = true;
            self.store(&proof);
        }
    }

    fn store(&mut self, proof: &Proof) {
        let (plan, coder) = (self.plan, self.coder);
        let Proof { position, bounds, pit, work } = *proof;
        let entry = Entry { lower: bounds.lower.0, upper: bounds.upper.0, pit: pit.unwrap_or(0), work };
        let words = self.memory.words();
        if plan.narrow {
            put(&NarrowTable::new(plan, words), &coder, position, entry);
        } else {
            put(&WideTable::new(plan, words), &coder, position, entry);
        }
    }

    /// The words in use, to be searched with, and their pages.
    pub(crate) fn open(&mut self) -> (&[AtomicU64], Pages<'_>) {
        self.used = true;
        let words = &self.memory.words()[..self.plan.bytes() / size_of::<u64>()];
        (words, Pages { words, fresh: &self.fresh, threads: self.threads })
    }
}

fn put<T: Table<Code: Word>>(table: &T, coder: &Coder, position: Position, entry: Entry) {
    table.store(coder.mixed(position), position.seeds(), entry);
}

/// The pages of the table in use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pages<'m> {
    words: &'m [AtomicU64],
    fresh: &'m AtomicBool,
    threads: usize,
}

impl Pages<'_> {
    /// Makes the pages ready if they are fresh, or until the control halts.
    pub(crate) fn ready(&self, control: &Control<'_>) {
        if self.fresh.load(Relaxed) && self.touch(&|| control.check()) {
            self.fresh.store(false, Relaxed);
        }
    }

    /// Writes a word of every piece without changing it; false if `going` ended it.
    fn touch(&self, going: &(dyn Fn() -> bool + Sync)) -> bool {
        let pieces = self.words.len().div_ceil(PIECE / size_of::<u64>());
        let (next, on) = (AtomicUsize::new(0), AtomicBool::new(true));
        let work = || {
            loop {
                let piece = next.fetch_add(1, SeqCst);
                if piece >= pieces {
                    return;
                }
                if !on.load(Relaxed) || !going() {
                    return on.store(false, Relaxed);
                }
                // Zero for zero: other threads may write here at the same time.
                let _ = self.words[piece * (PIECE / size_of::<u64>())].compare_exchange(0, 0, Relaxed, Relaxed);
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let helpers = if pieces < PIECES_ALONE { 0 } else { self.threads.min(cores) - 1 };
        std::thread::scope(|scope| {
            for _ in 0..helpers {
                // Fewer threads take longer, that is all.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        on.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Limits};
    use kalah_rules::{Margin, State};
    use std::time::Duration;

    fn room(bytes: usize) -> Room {
        let (coder, shape) = (Coder::new(6, 72), Shape::new(6, 72, true));
        Room::new(coder, shape, bytes, true, 2).unwrap()
    }

    fn used(room: &mut Room, limits: Limits<'_>) -> usize {
        room.fit(&Control::new(limits));
        room.plan().bytes()
    }

    #[test]
    fn limits_decide_how_much_is_used() {
        let mut room = room(4 << 30);
        assert_eq!(used(&mut room, Limits::default().nodes(1000)), LEAST);
        assert_eq!(used(&mut room, Limits::default().nodes(1 << 20)), 256 << 20);
        // Two calls may fill twice as much; nothing ever shrinks.
        assert_eq!(used(&mut room, Limits::default().time(Duration::from_secs(3))), 512 << 20);
        assert_eq!(used(&mut room, Limits::default().nodes(1)), 512 << 20);
        assert_eq!(used(&mut room, Limits::default()), 4 << 30);
    }

    #[test]
    fn proofs_come_along_when_the_table_grows() {
        let mut room = room(64 << 20);
        let start = State::start(6, 4).unwrap().position();
        let bounds = Bounds { lower: Margin(-2), upper: Margin(8) };
        let proof = Proof { position: start, bounds, pit: Some(3), work: 9 };
        room.learn(proof);
        assert_eq!(used(&mut room, Limits::default().nodes(10)), LEAST);
        room.open();
        assert_eq!(used(&mut room, Limits::default()), 64 << 20);
        assert_eq!(room.heaviest(10), [proof]);
    }

    #[test]
    fn making_pages_ready_looks_at_the_limits_after_every_piece() {
        let mut room = room(64 << 20);
        used(&mut room, Limits::default());
        let (_, pages) = room.open();
        let looks = AtomicUsize::new(0);
        assert!(pages.touch(&|| looks.fetch_add(1, SeqCst) < usize::MAX));
        assert_eq!(looks.load(SeqCst), 32);
        let looks = AtomicUsize::new(0);
        assert!(!pages.touch(&|| looks.fetch_add(1, SeqCst) < 5));
        assert!(looks.load(SeqCst) <= 8, "{looks:?}");
    }
}
