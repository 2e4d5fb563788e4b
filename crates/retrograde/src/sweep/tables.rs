//! The tables all layers of one build share: moves by row, index lists by pattern; all of them as long as rows, not layers.

use super::maps::{CaptureMap, empty_masks, spill_map};
use super::moves::{RowMoves, Staying};
use crate::rows::ranks_by_distance;
use kalah_rules::{Kalah, SowingGame};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Everything about rows that building a layer needs, made when first asked for and kept for the layers to come.
#[derive(Debug)]
pub struct Tables {
    pub(super) kalah: Kalah,
    moves: Memo<u32, RowMoves>,
    spills: Memo<(u32, u64), Vec<u32>>,
    captures: Memo<(u32, u64, u8), CaptureMap>,
    masks: Memo<u32, Vec<Vec<i8>>>,
    levels: Memo<u32, Vec<Vec<u32>>>,
    inside: Memo<u32, StayingLists>,
}

/// The staying moves of all rows of so many seeds as two lists: rank before, rank afterwards; rising ranks before.
#[derive(Debug, Default)]
pub(super) struct StayingLists {
    /// By the other row's pit that must be empty, place 0 for moves without such a condition.
    pub(super) by_empty: Vec<(Vec<u32>, Vec<u32>)>,
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
        }
    }

    /// Bytes the tables take now.
    pub fn bytes(&self) -> usize {
        self.moves.sum(RowMoves::bytes)
            + self.spills.sum(|map| 4 * map.len())
            + self.captures.sum(CaptureMap::bytes)
            + self.masks.sum(|masks| masks.iter().map(Vec::len).sum())
            + self.levels.sum(|levels| levels.iter().map(|level| 4 * level.len()).sum())
            + self.inside.sum(|lists| lists.by_empty.iter().map(|(to, _)| 8 * to.len()).sum())
    }

    pub(super) fn moves(&self, seeds: u32) -> Arc<RowMoves> {
        self.moves.get(seeds, || RowMoves::new(&self.kalah, seeds))
    }

    pub(super) fn spill(&self, seeds: u32, pattern: u64) -> Arc<Vec<u32>> {
        self.spills.get((seeds, pattern), || spill_map(self.kalah.pits(), seeds, pattern))
    }

    pub(super) fn capture(&self, seeds: u32, pattern: u64, facing: u8) -> Arc<CaptureMap> {
        self.captures.get((seeds, pattern, facing), || CaptureMap::new(self.kalah.pits(), seeds, pattern, facing))
    }

    pub(super) fn masks(&self, seeds: u32) -> Arc<Vec<Vec<i8>>> {
        self.masks.get(seeds, || empty_masks(self.kalah.pits(), seeds))
    }

    pub(super) fn levels(&self, seeds: u32) -> Arc<Vec<Vec<u32>>> {
        self.levels.get(seeds, || ranks_by_distance(self.kalah.pits(), seeds))
    }

    pub(super) fn inside(&self, seeds: u32) -> Arc<StayingLists> {
        self.inside.get(seeds, || {
            let moves = self.moves(seeds);
            let mut by_empty = vec![(Vec::new(), Vec::new()); usize::from(self.kalah.pits()) + 1];
            for before in 0..moves.len() {
                for &Staying { row, if_empty } in moves.staying(before) {
                    let (to, from) = &mut by_empty[usize::from(if_empty)];
                    to.push(before as u32);
                    from.push(row);
                }
            }
            StayingLists { by_empty }
        })
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
