//! The row-wise fixpoint builder for Oware and Awari.
//!
//! All positions in which the mover has the row A are treated alike by each of A's moves, whatever the waiting row B is, so a
//! move is applied to a line of memory, one byte for each B. The layer lies in memory twice: once in the order of the file,
//! with the mover's rows side by side, which is what moves read, and once turned, with the waiting rows side by side, which
//! is what they write. A third matrix keeps what captures and the end of the game offer; it is computed once, because it
//! leads to finished layers. Three bytes a position in all, and a short list of what changed last.

use super::Fixpoint;
use super::tables::{LEFT, RoundTables, RowMove, STAYS};
use crate::SolvedLayers;
use crate::kernel::{NOTHING, follow, pass, transpose};
use crate::reference::{Unfinished, best_margin};
use kalah_index::{Layer, rows, unrank_row};
use kalah_rules::{Next, Position, Row, SowingGame};
use rayon::prelude::*;

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

/// Changes are noted one by one where at most one value in so many has changed.
const SPARSE: usize = 32;

/// Where a row's line was renewed.
enum Renewed {
    /// At these places, in rising order.
    At(Vec<u32>),
    /// At so many that they were not noted.
    Many(usize),
}

impl Renewed {
    fn count(&self) -> usize {
        match self {
            Renewed::At(places) => places.len(),
            Renewed::Many(count) => *count,
        }
    }
}

/// The last change of a line.
#[derive(Clone, Debug, Default)]
struct Change {
    /// When it happened; 0 if never.
    clock: u32,
    /// Whether so many places changed that they were not noted.
    many: bool,
    /// The places at which values changed.
    places: Vec<u32>,
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
    /// The last change of each line of `values`, one a waiting row; by the row's seeds and rank.
    changes: Vec<Vec<Change>>,
    /// When the moves of a row were last tried; by the row's seeds and rank. 0 if never.
    tried: Vec<Vec<u32>>,
}

impl<'a, L: SolvedLayers> Work<'a, L> {
    fn new(tables: &'a RoundTables, layer: &'a Layer, lower: &'a L) -> Work<'a, L> {
        let (pits, seeds) = (layer.pits(), layer.seeds());
        let counts = || (0..=seeds).map(|seeds| rows(pits, seeds) as usize);
        let all = layer.positions() as usize;
        let mut work = Work {
            tables,
            layer,
            lower,
            values: vec![0; all],
            turned: vec![0; all],
            leaving: vec![NOTHING; all],
            clock: 0,
            changes: counts().map(|count| vec![Change::default(); count]).collect(),
            tried: counts().map(|count| vec![0; count]).collect(),
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
        // Rows whose values changed, with the waiting rows at which they did.
        let mut renewed: Vec<(u32, Renewed)> = turned[first..end]
            .par_chunks_mut(lines)
            .zip(&mut tried)
            .enumerate()
            .map_init(Vec::new, |best, (row, (line, tried))| {
                let before = std::mem::replace(tried, clock);
                (row as u32, this.renew_row(mover_seeds, row, before, line, best, tried))
            })
            .collect();
        self.turned = turned;
        self.tried[mover_seeds as usize] = tried;
        renewed.retain(|(_, places)| places.count() > 0);
        let count: usize = renewed.iter().map(|(_, places)| places.count()).sum();
        if count == 0 {
            return false;
        }
        let turned = &self.turned[first..end];
        let changes = &mut self.changes[section.opponent_seeds as usize];
        let many = count * SPARSE > lines * columns;
        let pieces = self.values[first..end].par_chunks_mut(LINES * columns).zip(changes.par_chunks_mut(LINES));
        pieces.enumerate().for_each(|(piece, (values, changes))| {
            let (start, end) = (piece * LINES, piece * LINES + changes.len());
            if many {
                turn(&turned[start..], lines, values, columns, changes, clock);
                return;
            }
            for (row, places) in &renewed {
                let row_line = &turned[*row as usize * lines..][..lines];
                let old = |place: usize, values: &[i8]| values[(place - start) * columns + *row as usize];
                let all: Vec<u32>;
                let places = match places {
                    Renewed::At(places) => {
                        let begin = places.partition_point(|&place| (place as usize) < start);
                        let stop = places.partition_point(|&place| (place as usize) < end);
                        &places[begin..stop]
                    }
                    // Rare: most of the section is as it was, but not this row.
                    Renewed::Many(_) => {
                        all = (start..end)
                            .filter(|&place| old(place, values) != row_line[place])
                            .map(|place| place as u32)
                            .collect();
                        &all[..]
                    }
                };
                for &place in places {
                    let place = place as usize;
                    values[(place - start) * columns + *row as usize] = row_line[place];
                    let change = &mut changes[place - start];
                    if change.clock != clock {
                        (change.clock, change.many) = (clock, false);
                        change.places.clear();
                    }
                    change.places.push(*row);
                }
            }
        });
        true
    }

    /// Computes the line of one row of the mover again, as far as needed. The waiting rows at which it changed.
    ///
    /// `tried` is when its moves were last tried; if nothing they read has changed since then, nothing is done, and the time is
    /// left as it was.
    fn renew_row(
        &self,
        mover_seeds: u32,
        row: usize,
        before: u32,
        line: &mut [i8],
        best: &mut Vec<i8>,
        tried: &mut u32,
    ) -> Renewed {
        let waiting = self.layer.seeds() - mover_seeds;
        let steps = self.tables.moves(mover_seeds).of(row);
        let change = |step: &RowMove| &self.changes[usize::from(step.seeds)][step.row as usize];
        if before > 0 {
            if !steps.iter().any(|step| change(step).clock >= before) {
                *tried = before;
                return Renewed::At(Vec::new());
            }
            let recent = || steps.iter().filter(|step| change(step).clock >= before);
            let few = recent().all(|step| !change(step).many);
            let count: usize = recent().map(|step| change(step).places.len()).sum();
            if waiting > 0 && few && count * SPARSE < 4 * line.len() {
                let mut places: Vec<u32> = Vec::with_capacity(count);
                for step in recent() {
                    let read = &change(step).places;
                    match step.spill {
                        STAYS => places.extend(read),
                        spill => {
                            let back = &self.tables.map(waiting, spill).back;
                            places
                                .extend(read.iter().map(|&place| back[place as usize]).filter(|&place| place != LEFT));
                        }
                    }
                }
                places.sort_unstable();
                places.dedup();
                places.retain(|&place| {
                    let new = self.best_at(mover_seeds, row, place as usize);
                    std::mem::replace(&mut line[place as usize], new) != new
                });
                return Renewed::At(places);
            }
        }
        self.best(mover_seeds, row, best);
        let renewed = differences(best, line);
        if renewed.count() > 0 {
            line.copy_from_slice(best);
        }
        renewed
    }

    /// The best that all moves offer in one position of a section in which both players have seeds.
    fn best_at(&self, mover_seeds: u32, row: usize, place: usize) -> i8 {
        let section = self.layer.section(mover_seeds);
        let mut best = self.leaving[section.first as usize + row * section.lines as usize + place];
        for step in self.tables.moves(mover_seeds).of(row) {
            let from = match step.spill {
                STAYS => place as u32,
                spill => self.tables.map(section.opponent_seeds, spill).ahead[place],
            };
            if from != LEFT {
                let section = self.layer.section(self.layer.seeds() - u32::from(step.seeds));
                let first = section.first + u64::from(step.row) * section.columns;
                best = best.max(self.values[first as usize + from as usize].wrapping_neg());
            }
        }
        best
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

/// The places at which two lines differ.
fn differences(new: &[i8], old: &[i8]) -> Renewed {
    const PIECE: usize = 128;
    let pieces = || new.chunks(PIECE).zip(old.chunks(PIECE));
    let count: usize = pieces()
        // At most 128 differences a piece: they are counted in bytes, many at a time.
        .map(|(new, old)| usize::from(new.iter().zip(old).fold(0u8, |count, (new, old)| count + u8::from(new != old))))
        .sum();
    if count * SPARSE > 4 * new.len() {
        return Renewed::Many(count);
    }
    let mut places = Vec::with_capacity(count);
    if count > 0 {
        for (piece, (new, old)) in pieces().enumerate().filter(|(_, (new, old))| new != old) {
            let differ = new.iter().zip(old).enumerate().filter(|(_, (new, old))| new != old);
            places.extend(differ.map(|(place, _)| (piece * PIECE + place) as u32));
        }
    }
    Renewed::At(places)
}

/// Turns all rows into `values`, whose first line is the first place of every line of `turned`.
fn turn(turned: &[i8], lines: usize, values: &mut [i8], columns: usize, changes: &mut [Change], clock: u32) {
    let count = changes.len();
    let mut tile = [0; BLOCK * LINES];
    for first in (0..columns).step_by(BLOCK) {
        let width = BLOCK.min(columns - first);
        transpose(&turned[first * lines..], lines, width, count, &mut tile, BLOCK);
        for (i, change) in changes.iter_mut().enumerate() {
            let (new, old) = (&tile[i * BLOCK..][..width], &mut values[i * columns + first..][..width]);
            if new != old {
                old.copy_from_slice(new);
                (change.clock, change.many) = (clock, true);
            }
        }
    }
}
