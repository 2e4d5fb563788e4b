//! The row-wise fixpoint builder for Oware and Awari.
//!
//! All positions in which the mover has the row A are treated alike by each of A's moves, whatever the waiting row B is, so a
//! move is applied to a line of memory, one byte for each B. The layer lies in memory twice: once in the order of the file,
//! with the mover's rows side by side, which is what moves read, and once turned, with the waiting rows side by side, which
//! is what they write. A third matrix keeps what captures and the end of the game offer; it is computed once, because it
//! leads to finished layers. Three bytes a position in all.

use super::kernel::{NOTHING, follow, pass, transpose};
use super::tables::{RoundTables, STAYS};
use super::{Fixpoint, RowMove};
use crate::SolvedLayers;
use crate::reference::{Unfinished, best_margin};
use kalah_index::{Layer, rows, unrank_row};
use kalah_rules::{Next, Position, Row, SowingGame};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Rows of the mover that are turned together.
const BLOCK: usize = 64;

/// Waiting rows that are turned together.
const LINES: usize = 256;

/// The values of all positions of `layer`, in which a repetition is worth 0.
///
/// `lower` must hold every layer with fewer seeds. `going` is asked now and then; when it answers `false` the work stops.
///
/// # Errors
/// [`Unfinished::Stopped`] if `going` asked to stop.
pub fn round_layer(
    tables: &mut RoundTables,
    layer: &Layer,
    lower: &impl SolvedLayers,
    going: &(dyn Fn() -> bool + Sync),
) -> Result<Fixpoint, Unfinished> {
    let seeds = layer.seeds();
    tables.prepare(seeds);
    let mut work = Work::new(tables, layer, lower);
    let mut sweeps = 0;
    loop {
        sweeps += 1;
        let mut changed = false;
        for mover_seeds in 0..=seeds {
            if !going() {
                return Err(Unfinished::Stopped);
            }
            changed |= work.renew(mover_seeds);
        }
        if !changed {
            return Ok(Fixpoint { values: work.values, sweeps });
        }
    }
}

/// A layer in the making.
struct Work<'a, L> {
    tables: &'a RoundTables,
    layer: &'a Layer,
    lower: &'a L,
    /// In the order of ranks.
    values: Vec<i8>,
    /// Each section turned: a line for each row of the mover, the waiting rows side by side.
    turned: Vec<i8>,
    /// What moves out of the layer offer, turned; [`NOTHING`] where there are none.
    leaving: Vec<i8>,
    /// Counts the sections that were computed.
    clock: u32,
    /// When a line of `values`, one a waiting row, last changed; by the row's seeds and rank. 0 at the beginning.
    changed: Vec<Vec<u32>>,
    /// When the moves of a row were last tried; by the row's seeds and rank. 0 if never.
    tried: Vec<Vec<u32>>,
}

impl<'a, L: SolvedLayers> Work<'a, L> {
    fn new(tables: &'a RoundTables, layer: &'a Layer, lower: &'a L) -> Work<'a, L> {
        let (pits, seeds) = (layer.pits(), layer.seeds());
        let zeros = || (0..=seeds).map(|seeds| vec![0; rows(pits, seeds) as usize]).collect();
        let all = layer.positions() as usize;
        let mut work = Work {
            tables,
            layer,
            lower,
            values: vec![0; all],
            turned: vec![0; all],
            leaving: vec![NOTHING; all],
            clock: 0,
            changed: zeros(),
            tried: zeros(),
        };
        let mut leaving = std::mem::take(&mut work.leaving);
        for mover_seeds in 1..seeds {
            let section = layer.section(mover_seeds);
            let lines = &mut leaving[section.first as usize..section.ranks().end as usize];
            lines
                .par_chunks_mut(section.lines as usize)
                .enumerate()
                .for_each(|(row, line)| work.leave(mover_seeds, row, line));
        }
        work.leaving = leaving;
        work
    }

    /// What the moves out of the layer offer the mover's row with this rank, for all waiting rows.
    fn leave(&self, mover_seeds: u32, row: usize, line: &mut [i8]) {
        let seeds = self.layer.seeds();
        let waiting = seeds - mover_seeds;
        for step in self.tables.moves(mover_seeds).of(row).iter().filter(|step| step.spill != STAYS) {
            for (lost, steps) in &self.tables.map(waiting, step.spill).lose {
                let (layer, values) = self.lower.layer(seeds - u32::from(*lost));
                let section = layer.section(seeds - u32::from(step.seeds) - u32::from(*lost));
                let from = &values[(section.first + u64::from(step.row) * section.columns) as usize..];
                follow(line, &from[..section.columns as usize], steps, *lost as i8);
            }
        }
        for step in self.tables.moves(mover_seeds).of(row).iter().filter(|step| step.spill != STAYS) {
            for &rank in &self.tables.map(waiting, step.spill).special {
                line[rank as usize] = self.leave_one(mover_seeds, row as u64, u64::from(rank));
            }
        }
    }

    /// The same for one position, by the rules.
    fn leave_one(&self, mover_seeds: u32, row: u64, waiting_row: u64) -> i8 {
        let (pits, seeds) = (self.layer.pits(), self.layer.seeds());
        let position = Position::new(
            Row::from_bits(unrank_row(pits, mover_seeds, row)),
            Row::from_bits(unrank_row(pits, seeds - mover_seeds, waiting_row)),
        );
        let game = &self.tables.oware;
        let offers = game.legal(position).filter_map(|pit| {
            let sown = game.sow(position, pit);
            match sown.next {
                Next::Over => game.final_margin(&sown).map(|margin| margin.0 as i8),
                _ if sown.position.seeds() < seeds => Some(sown.gain().0 as i8 - self.lower.value(sown.position)),
                _ => None,
            }
        });
        offers.max().or_else(|| game.over(position).map(|margin| margin.0 as i8)).unwrap_or(NOTHING)
    }

    /// Computes again what may have changed in the section in which the mover has so many seeds. Whether anything did.
    fn renew(&mut self, mover_seeds: u32) -> bool {
        self.clock += 1;
        let clock = self.clock;
        let section = *self.layer.section(mover_seeds);
        let (first, end) = (section.first as usize, section.ranks().end as usize);
        let (lines, columns) = (section.lines as usize, section.columns as usize);
        let mut turned = std::mem::take(&mut self.turned);
        let mut tried = std::mem::take(&mut self.tried[mover_seeds as usize]);
        let this = &*self;
        let renewed: Vec<bool> = turned[first..end]
            .par_chunks_mut(lines)
            .zip(&mut tried)
            .enumerate()
            .map_init(Vec::new, |best, (row, (line, tried))| {
                if *tried > 0 && !this.may_change(mover_seeds, row, *tried) {
                    return false;
                }
                *tried = clock;
                this.best(mover_seeds, row, best);
                let new = best[..] != *line;
                if new {
                    line.copy_from_slice(best);
                }
                new
            })
            .collect();
        self.turned = turned;
        self.tried[mover_seeds as usize] = tried;
        let count = renewed.iter().filter(|&&new| new).count();
        if count == 0 {
            return false;
        }
        let turned = &self.turned[first..end];
        let stamps = &mut self.changed[section.opponent_seeds as usize];
        let few: Option<Vec<usize>> =
            (count * 12 < columns).then(|| (0..columns).filter(|&row| renewed[row]).collect());
        let any = AtomicBool::new(false);
        self.values[first..end].par_chunks_mut(LINES * columns).zip(stamps.par_chunks_mut(LINES)).enumerate().for_each(
            |(piece, (values, stamps))| {
                let start = piece * LINES;
                match &few {
                    Some(few) => {
                        for (i, (line, stamp)) in values.chunks_mut(columns).zip(&mut *stamps).enumerate() {
                            for &row in few {
                                let new = turned[row * lines + start + i];
                                if line[row] != new {
                                    line[row] = new;
                                    *stamp = clock;
                                }
                            }
                        }
                    }
                    None => turn(turned, lines, start, &renewed, values, columns, stamps, clock),
                }
                if stamps.contains(&clock) {
                    any.store(true, Relaxed);
                }
            },
        );
        any.into_inner()
    }

    /// Whether a line that the moves of this row read has changed since they were tried.
    fn may_change(&self, mover_seeds: u32, row: usize, tried: u32) -> bool {
        let alone = mover_seeds == self.layer.seeds();
        let steps = self.tables.moves(mover_seeds).of(row);
        steps.iter().any(|step: &RowMove| alone || self.changed[usize::from(step.seeds)][step.row as usize] >= tried)
    }

    /// The best that all moves offer the mover's row with this rank, for all waiting rows.
    fn best(&self, mover_seeds: u32, row: usize, best: &mut Vec<i8>) {
        let seeds = self.layer.seeds();
        let section = self.layer.section(mover_seeds);
        let waiting = section.opponent_seeds;
        best.clear();
        if mover_seeds == 0 || waiting == 0 {
            // One of the players has no seeds: here the rules know more than rows do.
            let alone = |waiting_row| self.best_one(mover_seeds, row as u64, waiting_row);
            return best.extend((0..section.lines).map(alone));
        }
        let start = section.first as usize + row * section.lines as usize;
        best.extend_from_slice(&self.leaving[start..start + section.lines as usize]);
        for step in self.tables.moves(mover_seeds).of(row) {
            // After the move the other player has all seeds that this one has not.
            let section = self.layer.section(seeds - u32::from(step.seeds));
            let from = &self.values[(section.first + u64::from(step.row) * section.columns) as usize..];
            let from = &from[..section.columns as usize];
            match step.spill {
                STAYS => pass(best, from),
                spill => follow(best, from, &self.tables.map(waiting, spill).stay, 0),
            }
        }
    }

    fn best_one(&self, mover_seeds: u32, row: u64, waiting_row: u64) -> i8 {
        let (pits, seeds) = (self.layer.pits(), self.layer.seeds());
        let position = Position::new(
            Row::from_bits(unrank_row(pits, mover_seeds, row)),
            Row::from_bits(unrank_row(pits, seeds - mover_seeds, waiting_row)),
        );
        let child = |child: Position| match child.seeds() < seeds {
            true => self.lower.value(child),
            false => self.values[self.layer.rank(child.mover.bits(), child.opponent.bits()) as usize],
        };
        best_margin(&self.tables.oware, position, child).0 as i8
    }
}

/// Turns the blocks of rows that hold a renewed one into `values`, whose first line is waiting row `start`.
#[allow(clippy::too_many_arguments)]
fn turn(
    turned: &[i8],
    lines: usize,
    start: usize,
    renewed: &[bool],
    values: &mut [i8],
    columns: usize,
    stamps: &mut [u32],
    clock: u32,
) {
    let count = stamps.len();
    let mut tile = [0; BLOCK * LINES];
    for first in (0..columns).step_by(BLOCK) {
        let width = BLOCK.min(columns - first);
        if !renewed[first..first + width].contains(&true) {
            continue;
        }
        transpose(&turned[first * lines + start..], lines, width, count, &mut tile, BLOCK);
        for (i, stamp) in stamps.iter_mut().enumerate() {
            let (new, old) = (&tile[i * BLOCK..][..width], &mut values[i * columns + first..][..width]);
            if new != old {
                old.copy_from_slice(new);
                *stamp = clock;
            }
        }
    }
}
