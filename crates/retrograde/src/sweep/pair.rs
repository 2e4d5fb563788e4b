//! One pair of sections: all positions in which one player holds a seeds and the other b, whoever is to move.

use super::maps::{CaptureMap, StayingMap};
use super::moves::{Leaving, LeavingEnd, RowMoves};
use super::tables::Tables;
use crate::SolvedLayers;
use crate::kernel;
use crate::rows::all_rows;
use crate::steps::Steps;
use kalah_index::rows;
use kalah_rules::{Position, Row, SowingGame};
use prefetch_index::prefetch_index;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Waiting rows that are treated together where a matrix must be turned: long enough for long runs, few enough that a tile
/// of all movers is small beside the matrix. (Measured at 19 seeds: 64 takes 1.2 times as long, 256 to 4,096 the same.)
const TILE: usize = 512;

/// Lines of a tile between two questions whether to go on: a millisecond of work.
const ASK_EVERY: usize = 256;

/// The solved values of one pair of sections.
#[derive(Debug)]
pub struct Pair {
    low: u32,
    high: u32,
    low_rows: usize,
    high_rows: usize,
    /// One line a row A of `low` seeds: values with A's owner to move, over all rows B of `high` seeds.
    low_moves: Vec<i8>,
    /// One line a row A of `low` seeds: values with B's owner to move, over all rows B of `high` seeds.
    high_moves: Vec<i8>,
}

impl Pair {
    /// Seeds of the row with fewer seeds.
    pub fn low(&self) -> u32 {
        self.low
    }

    /// Seeds of the other row, at least as many.
    pub fn high(&self) -> u32 {
        self.high
    }

    /// The section in which the mover holds `high` seeds, in the order of the layer.
    pub fn high_mover(&self) -> &[i8] {
        &self.high_moves[..self.low_rows * self.high_rows]
    }

    /// Fills `tile` with lines `lines` of the section in which the mover holds `low` seeds, in the order of the layer.
    pub fn low_mover_tile(&self, lines: Range<usize>, tile: &mut Vec<i8>) {
        tile.resize(lines.len() * self.low_rows, 0);
        let from = &self.low_moves[lines.start..];
        kernel::transpose(from, self.high_rows, self.low_rows, lines.len(), tile, self.low_rows);
    }

    /// Solves all positions with `low` seeds in one row and `high ≥ low` in the other.
    ///
    /// `lower` must hold every layer with fewer seeds than the pair has. `going` is asked often, from any thread; when it
    /// answers `false` the work stops and there is no pair.
    pub fn solve(
        tables: &Tables,
        lower: &impl SolvedLayers,
        low: u32,
        high: u32,
        going: &(dyn Fn() -> bool + Sync),
    ) -> Option<Pair> {
        Solving::new(tables, lower, low, high, going).run()
    }

    /// Gives the memory back for the next pair.
    pub fn recycle(self, tables: &Tables) {
        tables.buffers.give(self.low_moves);
        tables.buffers.give(self.high_moves);
    }
}

/// Bytes of memory that building the layer of `seeds` seeds takes for itself with so many pairs at once and so many threads:
/// for every pair two matrices and the section its extra moves lead to, for every thread two tiles, and the tables.
pub fn working_bytes(pits: u8, seeds: u32, pairs: u64, threads: usize) -> u64 {
    let size = |low: u32, high: u32| rows(pits, low).saturating_mul(rows(pits, high));
    let pair = |low: u32| 2 * size(low, seeds - low) + if low > 0 { size(low - 1, seeds - low) } else { 0 };
    let tile = |low: u32| 2 * rows(pits, low).min(TILE as u64) * rows(pits, seeds - low);
    let largest = |bytes: &dyn Fn(u32) -> u64| (0..=seeds / 2).map(bytes).max().unwrap_or(0);
    // Measured on 6 pits: 96 bytes a row, all layers together.
    let tables = (0..=seeds).map(|n| rows(pits, n)).sum::<u64>() * 128;
    pairs * largest(&pair) + threads as u64 * largest(&tile) + tables + (16 << 20)
}

struct Solving<'a, L> {
    tables: &'a Tables,
    lower: &'a L,
    low: u32,
    high: u32,
    low_rows: usize,
    high_rows: usize,
    /// Whether to go on; once it says no, it is not asked again.
    going: &'a (dyn Fn() -> bool + Sync),
    stopped: AtomicBool,
}

/// What the moves of one player's rows do to the lines of the other's, resolved for one section.
struct Target<'a> {
    moves: Arc<RowMoves>,
    mover_seeds: u32,
    waiting_seeds: u32,
    spills: Vec<Arc<Steps>>,
    captures: Vec<Arc<CaptureMap>>,
    /// The margin of an extra move that ends the game because the mover's row is empty, without the seed it banks.
    over_after_again: i8,
    /// The sections moves lead to: see [`Target::section`].
    sections: Vec<(&'a [i8], usize)>,
}

/// The waiting rows under work, and where they go.
struct Lines {
    range: Range<usize>,
    /// By the place of the pattern in [`RowMoves::patterns`].
    spills: Vec<Arc<Steps>>,
    /// By the place in [`RowMoves::captures`].
    captures: Vec<Arc<CaptureMap>>,
}

impl<'a, L: SolvedLayers> Solving<'a, L> {
    fn new(
        tables: &'a Tables,
        lower: &'a L,
        low: u32,
        high: u32,
        going: &'a (dyn Fn() -> bool + Sync),
    ) -> Solving<'a, L> {
        let pits = tables.kalah.pits();
        let (low_rows, high_rows) = (rows(pits, low) as usize, rows(pits, high) as usize);
        Solving { tables, lower, low, high, low_rows, high_rows, going, stopped: AtomicBool::new(false) }
    }

    /// Whether to go on. What is not done then is left as it is: nobody will see it.
    #[inline]
    fn goes_on(&self) -> bool {
        if self.stopped.load(Relaxed) {
            return false;
        }
        let going = (self.going)();
        if !going {
            self.stopped.store(true, Relaxed);
        }
        going
    }

    fn run(&self) -> Option<Pair> {
        let size = self.low_rows * self.high_rows;
        let buffers = &self.tables.buffers;
        let (mut low_moves, mut high_moves) = (buffers.take(size), buffers.take(size));
        match self.over(self.high, self.low) {
            Some(margin) => high_moves[..size].fill(margin),
            None => self.high_leaving(&mut high_moves[..size]),
        }
        self.sweep(&mut low_moves[..size], &mut high_moves[..size]);
        let Solving { low, high, low_rows, high_rows, .. } = *self;
        let pair = Pair { low, high, low_rows, high_rows, low_moves, high_moves };
        if self.stopped.load(Relaxed) {
            pair.recycle(self.tables);
            return None;
        }
        Some(pair)
    }

    /// Solves `low_moves` from nothing and completes `high_moves`, which holds the best of the moves that leave the layer.
    fn sweep(&self, low_moves: &mut [i8], high_moves: &mut [i8]) {
        let (low_over, high_over) = (self.over(self.low, self.high), self.over(self.high, self.low));
        let Some(target) = self.target(self.low, self.high) else { return };
        let lines = target.every_line(self.high_rows);
        let again =
            if low_over.is_none() { self.turned_again(self.low, self.high, 0..self.high_rows) } else { Vec::new() };
        let (masks, inside) = (self.tables.masks(self.high), self.tables.inside(self.high));
        let rows: Vec<Row> = all_rows(self.tables.kalah.pits(), self.low).map(Row::from_bits).collect();
        let low_lines: Vec<Unfinished<'_>> = low_moves.chunks_exact_mut(self.high_rows).map(Unfinished::new).collect();
        let high_lines: Vec<Unfinished<'_>> =
            high_moves.chunks_exact_mut(self.high_rows).map(Unfinished::new).collect();
        let finished: Vec<OnceLock<&[i8]>> = (0..self.low_rows).map(|_| OnceLock::new()).collect();
        for level in self.tables.levels(self.low).iter() {
            level.par_iter().for_each(|&row| {
                if !self.goes_on() {
                    return;
                }
                let row = row as usize;
                let low_line = low_lines[row].take();
                match low_over {
                    Some(margin) => low_line.fill(margin),
                    None => {
                        low_line.fill(kernel::NOTHING);
                        self.leave(&target, row, &lines, &again, low_line);
                        for staying in target.moves.staying(row) {
                            let from = finished[staying.row as usize].get().expect("nearer rows are finished first");
                            match staying.if_empty {
                                0 => kernel::pass(low_line, from),
                                facing => kernel::pass_where(low_line, from, &masks[usize::from(facing)]),
                            }
                        }
                    }
                }
                let high_line = high_lines[row].take();
                if high_over.is_none() {
                    stay(&inside, rows[row], low_line, high_line);
                }
                // Each row is in one level only, so nobody else has set it.
                let _ = finished[row].set(high_line);
            });
        }
        self.tables.buffers.give(again);
    }

    /// The margin for the mover if the game is already over when they hold so many seeds and the other so many.
    fn over(&self, mover: u32, opponent: u32) -> Option<i8> {
        let row = |seeds| Row::from_bits(kalah_index::first_row(seeds));
        self.tables.kalah.over(Position::new(row(mover), row(opponent))).map(|margin| margin.0 as i8)
    }

    /// What moves do; `None` if the work stops. New tables take long where rows are many.
    fn target(&self, mover_seeds: u32, waiting_seeds: u32) -> Option<Target<'a>> {
        let moves = self.tables.moves(mover_seeds);
        let spill = |&pattern: &u64| self.goes_on().then(|| self.tables.spill(waiting_seeds, pattern));
        let spills = moves.patterns.iter().map(spill).collect::<Option<_>>()?;
        let capture = |&(pattern, facing): &(u64, u8)| {
            self.goes_on().then(|| self.tables.capture(waiting_seeds, pattern, facing))
        };
        let captures = moves.captures.iter().map(capture).collect::<Option<_>>()?;
        let over = Position::new(Row::EMPTY, Row::from_bits(kalah_index::first_row(waiting_seeds)));
        let over_after_again = self.tables.kalah.leftovers(over).margin().0 as i8;
        let seeds = mover_seeds + waiting_seeds;
        // By the seeds that leave play and the seeds the player who moved keeps; they wait then.
        let sections = (0..=seeds)
            .flat_map(|gone| (0..=mover_seeds).map(move |kept| (gone, kept)))
            .map(|(gone, kept)| match (seeds - gone).checked_sub(kept) {
                Some(mover) if gone > 0 => section(self.lower, seeds - gone, mover),
                _ => (&[][..], 0),
            })
            .collect();
        Some(Target { moves, mover_seeds, waiting_seeds, spills, captures, over_after_again, sections })
    }

    /// One line a row A: the best of B's moves that leave the layer, over all rows B.
    fn high_leaving(&self, high_moves: &mut [i8]) {
        let Some(target) = self.target(self.high, self.low) else { return };
        let buffers = &self.tables.buffers;
        high_moves.par_chunks_mut(TILE * self.high_rows).enumerate().for_each(|(tile_number, turned)| {
            let width = turned.len() / self.high_rows;
            let first = tile_number * TILE;
            let lines = target.lines(first..first + width);
            let again = self.turned_again(self.high, self.low, first..first + width);
            let mut tile = buffers.take(turned.len());
            for (row, line) in tile[..turned.len()].chunks_exact_mut(width).enumerate() {
                if row.is_multiple_of(ASK_EVERY) && !self.goes_on() {
                    break;
                }
                if row + 1 < self.high_rows {
                    self.fetch(&target, row + 1, &lines);
                }
                line.fill(kernel::NOTHING);
                self.leave(&target, row, &lines, &again, line);
            }
            if self.goes_on() {
                kernel::transpose(&tile, width, self.high_rows, width, turned, self.high_rows);
            }
            buffers.give(tile);
            buffers.give(again);
        });
    }

    /// The section that extra moves lead to, turned so that a mover's row is a line over the waiting rows in `range`.
    fn turned_again(&self, mover_seeds: u32, waiting_seeds: u32, range: Range<usize>) -> Vec<i8> {
        if mover_seeds == 0 {
            return Vec::new();
        }
        let (values, columns) = section(self.lower, mover_seeds - 1 + waiting_seeds, mover_seeds - 1);
        let width = range.len();
        let mut turned = self.tables.buffers.take(columns * width);
        // Strips of columns are independent and lie side by side in the result.
        turned[..columns * width].par_chunks_mut(64 * width).enumerate().for_each(|(strip, to)| {
            if !self.goes_on() {
                return;
            }
            let first = 64 * strip;
            let count = to.len() / width;
            kernel::transpose(&values[range.start * columns + first..], columns, width, count, to, width);
        });
        turned
    }

    /// Asks the processor early for what [`Solving::leave`] will read of finished layers: pieces of many lines, too short for
    /// it to see by itself that they go on.
    #[inline(always)]
    fn fetch(&self, target: &Target<'_>, row: usize, lines: &Lines) {
        let fetch = |from: &[i8], steps: &Steps| {
            // Cache lines have 64 bytes nearly everywhere.
            steps.span().step_by(64).for_each(|place| prefetch_index(from, place));
        };
        for &Leaving { row, seeds: left, gain, end } in target.moves.leaving(row) {
            match end {
                LeavingEnd::Again | LeavingEnd::AgainAfterLap(_) => {}
                LeavingEnd::Pass(pattern) => {
                    fetch(target.line(u32::from(gain), left, row as usize), &lines.spills[usize::from(pattern)]);
                }
                LeavingEnd::Capture(capture) => {
                    for (taken, steps) in lines.captures[usize::from(capture)].taking() {
                        fetch(target.line(u32::from(gain) + taken, left, row as usize), steps);
                    }
                }
            }
        }
    }

    /// Takes the best of what `best` holds and all moves of the mover's row `row` that leave the layer.
    #[inline(always)]
    fn leave(&self, target: &Target<'_>, row: usize, lines: &Lines, again: &[i8], best: &mut [i8]) {
        let seeds = target.mover_seeds + target.waiting_seeds;
        let width = lines.range.len();
        let moves = target.moves.leaving(row);
        for &Leaving { row, seeds: left, gain, end } in moves {
            let row = row as usize;
            let signed_gain = gain as i8;
            match end {
                LeavingEnd::Again if left == 0 => {
                    kernel::constant(best, signed_gain + target.over_after_again);
                }
                LeavingEnd::Again => kernel::again(best, &again[row * width..][..width], signed_gain),
                LeavingEnd::AgainAfterLap(pattern) => {
                    let (values, columns) = section(self.lower, seeds - u32::from(gain), u32::from(left));
                    for (to, waiting) in lines.spills[usize::from(pattern)].pairs() {
                        let best = &mut best[to as usize];
                        *best = (*best).max(signed_gain + values[waiting as usize * columns + row]);
                    }
                }
                LeavingEnd::Pass(pattern) => {
                    let from = target.line(u32::from(gain), left, row);
                    kernel::follow(best, from, &lines.spills[usize::from(pattern)], signed_gain);
                }
                LeavingEnd::Capture(capture) => {
                    for (taken, steps) in lines.captures[usize::from(capture)].taking() {
                        let from = target.line(u32::from(gain) + taken, left, row);
                        kernel::follow(best, from, steps, signed_gain + taken as i8);
                    }
                }
            }
        }
    }
}

impl<'a> Target<'a> {
    /// The line of a finished section in which the player who moved waits with their row `row` of `kept` seeds, after `gone` seeds
    /// have left play: values for the other player over all their rows.
    #[inline(always)]
    fn line(&self, gone: u32, kept: u8, row: usize) -> &'a [i8] {
        let (values, columns) = self.sections[gone as usize * (self.mover_seeds as usize + 1) + usize::from(kept)];
        &values[row * columns..][..columns]
    }

    fn every_line(&self, count: usize) -> Lines {
        Lines { range: 0..count, spills: self.spills.clone(), captures: self.captures.clone() }
    }

    fn lines(&self, range: Range<usize>) -> Lines {
        let spills = self.spills.iter().map(|steps| Arc::new(steps.within(&range))).collect();
        let captures = self.captures.iter().map(|map| Arc::new(map.within(&range))).collect();
        Lines { range, spills, captures }
    }
}

/// The moves of all rows B that stay inside the row, while A waits.
#[inline(always)]
fn stay(inside: &StayingMap, waiting: Row, low_line: &[i8], high_line: &mut [i8]) {
    for (if_empty, steps) in &inside.0 {
        if *if_empty == 0 || waiting.pit(*if_empty) == 0 {
            kernel::follow(high_line, low_line, steps, 0);
        }
    }
}

/// The values of a solved section and how many columns its lines have.
fn section(lower: &impl SolvedLayers, seeds: u32, mover_seeds: u32) -> (&[i8], usize) {
    let (layer, values) = lower.layer(seeds);
    let section = layer.section(mover_seeds);
    (&values[section.first as usize..][..section.positions() as usize], section.columns as usize)
}

/// A line nobody has worked on yet.
struct Unfinished<'a>(Mutex<Option<&'a mut [i8]>>);

impl<'a> Unfinished<'a> {
    fn new(line: &'a mut [i8]) -> Self {
        Unfinished(Mutex::new(Some(line)))
    }

    fn take(&self) -> &'a mut [i8] {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        line.take().expect("every row is worked on once")
    }
}
