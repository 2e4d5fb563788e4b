//! One pair of sections: all positions in which one player holds a seeds and the other b, whoever is to move.

use super::kernel;
use super::maps::{CaptureMap, StayingMap, Steps};
use super::moves::{Leaving, LeavingEnd, RowMoves};
use super::tables::Tables;
use crate::SolvedLayers;
use kalah_index::rows;
use kalah_rules::{Position, Row, SowingGame};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Lines of waiting rows that are treated together when a matrix must be turned: enough to keep loops long, few enough
/// that a tile of all movers stays near the core.
const TILE: usize = 1024;

type Line = Box<[i8]>;

/// The solved values of one pair of sections.
#[derive(Debug)]
pub struct Pair {
    low: u32,
    high: u32,
    /// One line a row A of `low` seeds: values with A's owner to move, over all rows B of `high` seeds.
    low_moves: Vec<Line>,
    /// One line a row A of `low` seeds: values with B's owner to move, over all rows B of `high` seeds.
    high_moves: Vec<Line>,
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

    /// The section in which the mover holds `high` seeds, in the order of the layer: one line a waiting row.
    pub fn high_mover_lines(&self) -> &[Box<[i8]>] {
        &self.high_moves
    }

    /// Fills `tile` with lines `lines` of the section in which the mover holds `low` seeds, in the order of the layer.
    pub fn low_mover_tile(&self, lines: Range<usize>, tile: &mut Vec<i8>) {
        let columns = self.low_moves.len();
        tile.clear();
        tile.resize(lines.len() * columns, 0);
        // Eight rows A at a time make whole words for the transposition.
        for start in (0..columns).step_by(8) {
            let count = (columns - start).min(8);
            let mut strip = vec![0; count * lines.len()];
            for (i, line) in self.low_moves[start..start + count].iter().enumerate() {
                strip[i * lines.len()..][..lines.len()].copy_from_slice(&line[lines.clone()]);
            }
            kernel::fastest(|| {
                kernel::transpose(&strip, lines.len(), count, lines.len(), &mut tile[start..], columns);
            });
        }
    }

    /// Solves all positions with `low` seeds in one row and `high ≥ low` in the other.
    pub fn solve(tables: &Tables, lower: &impl SolvedLayers, low: u32, high: u32) -> Pair {
        Solving::new(tables, lower, low, high).run()
    }
}

struct Solving<'a, L> {
    tables: &'a Tables,
    lower: &'a L,
    low: u32,
    high: u32,
    low_rows: usize,
    high_rows: usize,
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
    fn new(tables: &'a Tables, lower: &'a L, low: u32, high: u32) -> Solving<'a, L> {
        let pits = tables.kalah.pits();
        let (low_rows, high_rows) = (rows(pits, low) as usize, rows(pits, high) as usize);
        Solving { tables, lower, low, high, low_rows, high_rows }
    }

    fn run(&self) -> Pair {
        let low_over = self.over(self.low, self.high);
        let high_over = self.over(self.high, self.low);
        let high_start: Vec<Mutex<Line>> = match high_over {
            Some(margin) => (0..self.low_rows).map(|_| Mutex::new(self.constant_line(margin))).collect(),
            None => self.high_leaving().into_iter().map(Mutex::new).collect(),
        };
        let low_target = self.target(self.low, self.high);
        let every_line = low_target.every_line(self.high_rows);
        let again =
            if low_over.is_none() { self.turned_again(self.low, self.high, 0..self.high_rows) } else { Vec::new() };
        let (masks, inside) = (self.tables.masks(self.high), self.tables.inside(self.high));
        let low_moves: Vec<OnceLock<Line>> = (0..self.low_rows).map(|_| OnceLock::new()).collect();
        let high_moves: Vec<OnceLock<Line>> = (0..self.low_rows).map(|_| OnceLock::new()).collect();
        let low_rows_bits: Vec<u64> = crate::rows::all_rows(self.tables.kalah.pits(), self.low).collect();
        for level in self.tables.levels(self.low).iter() {
            level.par_iter().for_each(|&row| {
                kernel::fastest(|| {
                    let row = row as usize;
                    let low_line = match low_over {
                        Some(margin) => self.constant_line(margin),
                        None => {
                            let mut line = vec![kernel::NOTHING; self.high_rows].into_boxed_slice();
                            self.leave(&low_target, row, &every_line, &again, &mut line);
                            for staying in low_target.moves.staying(row) {
                                let from = finished(&high_moves[staying.row as usize]);
                                match staying.if_empty {
                                    0 => kernel::pass(&mut line, from),
                                    facing => kernel::pass_where(&mut line, from, &masks[usize::from(facing)]),
                                }
                            }
                            line
                        }
                    };
                    let mut high_line =
                        std::mem::take(&mut *high_start[row].lock().unwrap_or_else(PoisonError::into_inner));
                    if high_over.is_none() {
                        stay(&inside, Row::from_bits(low_rows_bits[row]), &low_line, &mut high_line);
                    }
                    // Each row is in one level only, so nobody else has set it.
                    let _ = low_moves[row].set(low_line);
                    let _ = high_moves[row].set(high_line);
                })
            });
        }
        Pair { low: self.low, high: self.high, low_moves: unwrap(low_moves), high_moves: unwrap(high_moves) }
    }

    fn constant_line(&self, margin: i8) -> Line {
        vec![margin; self.high_rows].into_boxed_slice()
    }

    /// The margin for the mover if the game is already over when he holds so many seeds and the other so many.
    fn over(&self, mover: u32, opponent: u32) -> Option<i8> {
        let row = |seeds| Row::from_bits(kalah_index::first_row(seeds));
        self.tables.kalah.over(Position::new(row(mover), row(opponent))).map(|margin| margin.0 as i8)
    }

    fn target(&self, mover_seeds: u32, waiting_seeds: u32) -> Target<'a> {
        let moves = self.tables.moves(mover_seeds);
        let spills = moves.patterns.iter().map(|&pattern| self.tables.spill(waiting_seeds, pattern)).collect();
        let captures = moves
            .captures
            .iter()
            .map(|&(pattern, facing)| self.tables.capture(waiting_seeds, pattern, facing))
            .collect();
        let over = Position::new(Row::EMPTY, Row::from_bits(kalah_index::first_row(waiting_seeds)));
        let over_after_again = self.tables.kalah.leftovers(over).margin().0 as i8;
        let seeds = mover_seeds + waiting_seeds;
        // By the seeds that leave play and the seeds the player who moved keeps; he waits then.
        let sections = (0..=seeds)
            .flat_map(|gone| (0..=mover_seeds).map(move |kept| (gone, kept)))
            .map(|(gone, kept)| match (seeds - gone).checked_sub(kept) {
                Some(mover) if gone > 0 => section(self.lower, seeds - gone, mover),
                _ => (&[][..], 0),
            })
            .collect();
        Target { moves, mover_seeds, waiting_seeds, spills, captures, over_after_again, sections }
    }

    /// One line a row A: the best of B's moves that leave the layer, over all rows B.
    fn high_leaving(&self) -> Vec<Line> {
        let target = self.target(self.high, self.low);
        let tiles: Vec<Range<usize>> =
            (0..self.low_rows).step_by(TILE).map(|start| start..(start + TILE).min(self.low_rows)).collect();
        tiles
            .into_par_iter()
            .flat_map_iter(|range| {
                let width = range.len();
                let lines = target.lines(range.clone());
                let again = self.turned_again(self.high, self.low, range);
                let mut tile = vec![kernel::NOTHING; self.high_rows * width];
                let mut turned = vec![0; self.high_rows * width];
                kernel::fastest(|| {
                    for (row, line) in tile.chunks_exact_mut(width).enumerate() {
                        self.leave(&target, row, &lines, &again, line);
                    }
                    kernel::transpose(&tile, width, self.high_rows, width, &mut turned, self.high_rows);
                });
                turned.chunks_exact(self.high_rows).map(Line::from).collect::<Vec<_>>()
            })
            .collect()
    }

    /// The section that extra moves lead to, turned so that a mover's row is a line over the waiting rows in `range`.
    fn turned_again(&self, mover_seeds: u32, waiting_seeds: u32, range: Range<usize>) -> Vec<i8> {
        if mover_seeds == 0 {
            return Vec::new();
        }
        let (values, columns) = section(self.lower, mover_seeds - 1 + waiting_seeds, mover_seeds - 1);
        let width = range.len();
        let mut turned = vec![0; columns * width];
        // Strips of columns are independent and lie side by side in the result.
        turned.par_chunks_mut(64 * width).enumerate().for_each(|(strip, to)| {
            let first = 64 * strip;
            let count = to.len() / width;
            kernel::fastest(|| {
                kernel::transpose(&values[range.start * columns + first..], columns, width, count, to, width);
            });
        });
        turned
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
    /// The line of a finished section in which the player who moved waits with his row `row` of `kept` seeds, after `gone` seeds
    /// have left play: values for the other player over all his rows.
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

fn finished(line: &OnceLock<Line>) -> &[i8] {
    line.get().expect("rows of smaller distance are finished first")
}

fn unwrap(lines: Vec<OnceLock<Line>>) -> Vec<Line> {
    lines.into_iter().map(|line| line.into_inner().expect("every row is in a level")).collect()
}
