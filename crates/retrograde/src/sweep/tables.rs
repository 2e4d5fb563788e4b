//! Tables that all layers of one build share: moves by row, and index lists by pattern. They are as long as the list of rows,
//! so they are small beside a layer.

use super::maps::{CaptureMap, StayingMap, empty_masks, spill_map};
use super::moves::RowMoves;
use crate::rows::ranks_by_distance;
use crate::steps::Steps;
use kalah_rules::{Kalah, SowingGame};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Everything about rows that building a layer needs. A table is made when it is first needed and kept for later layers.
#[derive(Debug)]
pub struct Tables {
    pub(super) kalah: Kalah,
    moves: Memo<u32, RowMoves>,
    spills: Memo<(u32, u64), Steps>,
    captures: Memo<(u32, u64, u8), CaptureMap>,
    masks: Memo<u32, Vec<Vec<i8>>>,
    levels: Memo<u32, Vec<Vec<u32>>>,
    inside: Memo<u32, StayingMap>,
    pub(super) buffers: Buffers,
}

impl Tables {
    /// Empty tables for this game.
    pub fn new(kalah: Kalah) -> Tables {
        Tables {
            kalah,
            moves: Memo::default(),
            spills: Memo::default(),
            captures: Memo::default(),
            masks: Memo::default(),
            levels: Memo::default(),
            inside: Memo::default(),
            buffers: Buffers::default(),
        }
    }

    /// Bytes the tables take now.
    pub fn bytes(&self) -> usize {
        self.moves.sum(RowMoves::bytes)
            + self.spills.sum(Steps::bytes)
            + self.captures.sum(CaptureMap::bytes)
            + self.masks.sum(|masks| masks.iter().map(Vec::len).sum())
            + self.levels.sum(|levels| levels.iter().map(|level| 4 * level.len()).sum())
            + self.inside.sum(StayingMap::bytes)
    }

    /// The most bytes that matrices and tables have taken together so far.
    pub fn peak_bytes(&self) -> u64 {
        (self.bytes() + self.buffers.peak()) as u64
    }

    pub(super) fn moves(&self, seeds: u32) -> Arc<RowMoves> {
        self.moves.get(seeds, || RowMoves::new(&self.kalah, seeds))
    }

    pub(super) fn spill(&self, seeds: u32, pattern: u64) -> Arc<Steps> {
        self.spills.get((seeds, pattern), || spill_map(self.kalah.pits(), seeds, pattern))
    }

    pub(super) fn capture(&self, seeds: u32, pattern: u64, facing: u8) -> Arc<CaptureMap> {
        let least = u32::from(!self.kalah.rules().empty_capture);
        let pits = self.kalah.pits();
        self.captures.get((seeds, pattern, facing), || CaptureMap::new(pits, seeds, pattern, facing, least))
    }

    pub(super) fn masks(&self, seeds: u32) -> Arc<Vec<Vec<i8>>> {
        self.masks.get(seeds, || empty_masks(self.kalah.pits(), seeds))
    }

    pub(super) fn levels(&self, seeds: u32) -> Arc<Vec<Vec<u32>>> {
        self.levels.get(seeds, || ranks_by_distance(self.kalah.pits(), seeds))
    }

    pub(super) fn inside(&self, seeds: u32) -> Arc<StayingMap> {
        self.inside.get(seeds, || StayingMap::new(&self.kalah, seeds))
    }
}

/// A table of tables, each made once.
#[derive(Debug)]
struct Memo<K, V>(Mutex<HashMap<K, Arc<V>>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo(Mutex::default())
    }
}

impl<K: Eq + Hash, V> Memo<K, V> {
    /// The table for `key`. Two threads that ask at once may both make it; they make the same.
    fn get(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        if let Some(found) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(found);
        }
        let made = Arc::new(make());
        Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(made))
    }

    fn sum(&self, bytes: impl Fn(&V) -> usize) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().map(|value| bytes(value)).sum()
    }
}

/// Memory for matrices that is reused, so that not every pair has to wait for fresh pages from the system.
#[derive(Debug, Default)]
pub(super) struct Buffers(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    buffers: Vec<Vec<i8>>,
    /// Bytes of all buffers, kept or in use.
    bytes: usize,
    /// The largest number of bytes so far.
    peak: usize,
}

/// The largest number of unused buffers that are kept.
const KEPT: usize = 8;

impl Buffers {
    /// A buffer of at least `len` bytes with arbitrary content: the smallest kept one that is large enough, or a new one.
    pub(super) fn take(&self, len: usize) -> Vec<i8> {
        let mut kept = self.lock();
        let fitting = kept.buffers.iter().enumerate().filter(|(_, buffer)| buffer.len() >= len);
        if let Some((place, _)) = fitting.min_by_key(|(_, buffer)| buffer.len()) {
            return kept.buffers.swap_remove(place);
        }
        // None is large enough. The largest is the least likely to serve again beside the new one: make room first.
        if let Some((place, _)) = kept.buffers.iter().enumerate().max_by_key(|(_, buffer)| buffer.len()) {
            let old = kept.buffers.swap_remove(place);
            kept.bytes -= old.len();
        }
        kept.bytes += len;
        kept.peak = kept.peak.max(kept.bytes);
        drop(kept);
        vec![0; len]
    }

    /// Takes a buffer back.
    pub(super) fn give(&self, buffer: Vec<i8>) {
        let mut kept = self.lock();
        if kept.buffers.len() < KEPT {
            kept.buffers.push(buffer);
        } else {
            kept.bytes -= buffer.len();
        }
    }

    fn peak(&self) -> usize {
        self.lock().peak
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
