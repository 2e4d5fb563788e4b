//! The positions that were settled last, as bits. Only positions with a move to one of them have to be looked at again.

use kalah_index::Layer;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Movers' rows that share a word.
pub(super) const BLOCK: usize = 64;

/// Lines that are looked at together.
const PIECE: usize = 32;

/// One section's place in the frontier.
#[derive(Clone, Copy, Debug)]
struct Place {
    first_word: usize,
    first_line: usize,
    /// Words per line: a line has one bit for each row of the mover.
    stride: usize,
    /// Words that share a bit of the line's summary.
    group: usize,
}

/// A set of positions of one layer: a line of bits for every waiting row, one bit for each row of the mover.
#[derive(Debug)]
pub(super) struct Frontier {
    words: Vec<AtomicU64>,
    /// For every line, which groups of its words are not all empty.
    lines: Vec<AtomicU64>,
    /// By the mover's seeds.
    places: Vec<Place>,
}

impl Frontier {
    /// No position of this layer.
    pub(super) fn new(layer: &Layer) -> Frontier {
        let (mut words, mut lines, mut places) = (0, 0, Vec::new());
        for section in layer.sections() {
            let stride = (section.columns as usize).div_ceil(BLOCK);
            places.push(Place { first_word: words, first_line: lines, stride, group: stride.div_ceil(64) });
            words += stride * section.lines as usize;
            lines += section.lines as usize;
        }
        let zeros = |count| (0..count).map(|_| AtomicU64::new(0)).collect();
        Frontier { words: zeros(words), lines: zeros(lines), places }
    }

    /// Bytes it takes for this layer.
    pub(super) fn bytes(layer: &Layer) -> u64 {
        layer.sections().iter().map(|section| 8 * section.lines * (section.columns.div_ceil(BLOCK as u64) + 1)).sum()
    }

    /// Adds, for the waiting row `line`, the rows of the mover's block `block` whose bits are set. Only one thread may fill a block.
    #[inline]
    pub(super) fn fill(&self, mover_seeds: usize, line: u32, block: usize, bits: u64) {
        let place = &self.places[mover_seeds];
        let word = &self.words[place.first_word + line as usize * place.stride + block];
        word.store(word.load(Relaxed) | bits, Relaxed);
        let summary = &self.lines[place.first_line + line as usize];
        let bit = 1 << (block / place.group);
        if summary.load(Relaxed) & bit == 0 {
            summary.fetch_or(bit, Relaxed);
        }
    }

    /// The line of a waiting row, or `None` if it is empty.
    #[inline]
    pub(super) fn line(&self, mover_seeds: usize, line: u32) -> Option<Line<'_>> {
        let place = &self.places[mover_seeds];
        let summary = self.lines[place.first_line + line as usize].load(Relaxed);
        (summary != 0).then(|| {
            let first = place.first_word + line as usize * place.stride;
            Line { words: &self.words[first..first + place.stride], summary, group: place.group }
        })
    }

    /// The lines that are not empty, as the mover's seeds and the waiting row; `None` if that are more than `most`.
    pub(super) fn few_lines(&mut self, most: usize) -> Option<Vec<(usize, usize)>> {
        let mut found = Vec::new();
        for (mover_seeds, place) in self.places.iter().enumerate() {
            let end = self.places.get(mover_seeds + 1).map_or(self.lines.len(), |next| next.first_line);
            for (piece, lines) in self.lines[place.first_line..end].chunks_mut(PIECE).enumerate() {
                // Nearly all are empty: they are looked at together.
                if lines.iter_mut().fold(0, |all, line| all | *line.get_mut()) == 0 {
                    continue;
                }
                let full = lines.iter_mut().enumerate().filter_map(|(i, line)| (*line.get_mut() != 0).then_some(i));
                found.extend(full.map(|i| (mover_seeds, piece * PIECE + i)));
            }
            if found.len() > most {
                return None;
            }
        }
        Some(found)
    }

    /// Lines of all sections.
    pub(super) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Removes every position.
    pub(super) fn clear(&mut self) {
        for (mover_seeds, place) in self.places.iter().enumerate() {
            let end = self.places.get(mover_seeds + 1).map_or(self.lines.len(), |next| next.first_line);
            for (piece, lines) in self.lines[place.first_line..end].chunks_mut(PIECE).enumerate() {
                if lines.iter_mut().fold(0, |all, line| all | *line.get_mut()) == 0 {
                    continue;
                }
                for (i, line) in lines.iter_mut().enumerate() {
                    let summary = std::mem::take(line.get_mut());
                    let first = place.first_word + (piece * PIECE + i) * place.stride;
                    let words = &mut self.words[first..first + place.stride];
                    each_group(summary, place.group, place.stride, |range| {
                        words[range].iter_mut().for_each(|word| *word.get_mut() = 0);
                    });
                }
            }
        }
    }
}

/// Calls `with` for the words of every group in `summary`.
#[inline]
fn each_group(mut summary: u64, group: usize, stride: usize, mut with: impl FnMut(std::ops::Range<usize>)) {
    while summary != 0 {
        let first = summary.trailing_zeros() as usize * group;
        with(first..(first + group).min(stride));
        summary &= summary - 1;
    }
}

/// One line of a frontier.
pub(super) struct Line<'a> {
    words: &'a [AtomicU64],
    summary: u64,
    group: usize,
}

impl Line<'_> {
    /// Calls `with` for every word that is not empty, with its number.
    #[inline]
    pub(super) fn each_word(&self, mut with: impl FnMut(usize, u64)) {
        each_group(self.summary, self.group, self.words.len(), |range| {
            for index in range {
                let word = self.words[index].load(Relaxed);
                if word != 0 {
                    with(index, word);
                }
            }
        });
    }
}

/// The positions that one block of movers' rows adds to a frontier, collected before they are written.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// By waiting row, a bit for each row of the block.
    bits: Vec<u64>,
    /// The waiting rows with a bit.
    lines: Vec<u32>,
}

impl Found {
    /// Makes room for so many waiting rows.
    pub(super) fn reserve(&mut self, lines: usize) {
        self.bits.resize(self.bits.len().max(lines), 0);
    }

    /// Adds a position: the row of the block with this number, and a waiting row.
    #[inline]
    pub(super) fn add(&mut self, row: usize, line: usize) {
        let bits = &mut self.bits[line];
        if *bits == 0 {
            self.lines.push(line as u32);
        }
        *bits |= 1 << row;
    }

    /// Writes everything into the frontier and begins anew. How many positions there were.
    pub(super) fn pour(&mut self, frontier: &Frontier, mover_seeds: usize, block: usize) -> u64 {
        let mut count = 0;
        for line in self.lines.drain(..) {
            let bits = std::mem::take(&mut self.bits[line as usize]);
            count += u64::from(bits.count_ones());
            frontier.fill(mover_seeds, line, block, bits);
        }
        count
    }
}
