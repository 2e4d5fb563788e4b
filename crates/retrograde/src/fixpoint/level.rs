//! The fixpoint builder for Oware and Awari: values from the largest to the smallest, each position settled once.
//!
//! Captures and the end of the game lead to finished layers, so their offers are computed first, for whole lines of
//! positions. Then the margins are visited from the largest, `v`, down to 1:
//!
//! * A position is worth `v` if a move out of the layer offers `v`, or if a move leads to a position worth `−v` or less.
//! * It is worth `−v` if all its moves inside the layer lead to positions worth `v` or more, and no other move offers more
//!   than `−v`.
//!
//! Every settled position is passed on once, to the positions from which a move leads to it. Each of those counts how many of
//! its moves are still open. Positions that are not settled at the end are worth 0.
//!
//! Both directions of a move are tables of rows: a move of the mover's row A makes it the waiting row A′ and takes the other
//! row from B to B + spill. So for one A the positions after a move are one line of bits, see [`Frontier`], and the map
//! from B + spill back to B is a list of ranks. The layer lies in memory turned, a line for each row of the mover, so that
//! what one A writes is one line too, and blocks of 64 rows share nothing with each other: threads need no locks.

use super::Fixpoint;
use super::frontier::{BLOCK, Found, Frontier};
use super::tables::{RowMove, RowTables, STAYS};
use crate::SolvedLayers;
use crate::kernel::{NOTHING, follow, transpose};
use crate::reference::Unfinished;
use kalah_index::{Layer, unrank_row};
use kalah_rules::{Next, Position, Row, SowingGame};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Added to a position's number of open moves when its value is known.
const SETTLED: u8 = 0x80;

/// If more than one line in this many has a position to pass on, rows that can reach them are not searched for: all are
/// looked at.
const MANY: usize = 4;

/// A layer whose larger values are known: every position worth `margin` or more to either player is settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels {
    /// The smallest margin that was settled.
    pub margin: i8,
    /// Values of settled positions, offers of the others, in the builder's own order.
    pub values: Vec<i8>,
    /// Open moves, in the same order.
    pub open: Vec<u8>,
}

/// The values of all positions of `layer`, in which a repetition is worth 0.
///
/// `lower` must hold every layer with fewer seeds. `going` is asked now and then; when it answers `false` the work stops.
///
/// # Errors
/// [`Unfinished::Stopped`] if `going` asked to stop.
pub fn level_layer(
    tables: &mut RowTables,
    layer: &Layer,
    lower: &impl SolvedLayers,
    going: &(dyn Fn() -> bool + Sync),
) -> Result<Fixpoint, Unfinished> {
    level_layer_from(tables, layer, lower, going, None, &mut |_, _, _| true)
}

/// Whether to go on; asked often, from any thread.
type Going<'a> = &'a (dyn Fn() -> bool + Sync);

/// Is told the smallest margin that was settled, values and open moves, as [`Levels`] holds them; answers whether to go on.
pub type Reached<'a> = dyn FnMut(i8, &[i8], &[u8]) -> bool + 'a;

/// As [`level_layer`], resuming from where an earlier call was. After every margin `reached` receives what [`Levels`] holds;
/// when it answers `false` the work stops.
///
/// # Errors
/// [`Unfinished::Stopped`] if `going` or `reached` asked to stop.
///
/// # Panics
/// If `begun` is of a layer of another size.
pub fn level_layer_from(
    tables: &mut RowTables,
    layer: &Layer,
    lower: &impl SolvedLayers,
    going: &(dyn Fn() -> bool + Sync),
    begun: Option<Levels>,
    reached: &mut Reached<'_>,
) -> Result<Fixpoint, Unfinished> {
    tables.prepare(layer.seeds());
    let mut next = layer.seeds() as i8;
    let mut work = match begun {
        Some(Levels { margin, values, open }) => {
            next = margin - 1;
            Work::new(tables, layer, values, open)
        }
        None => {
            let all = layer.positions() as usize;
            // The system hands zeros out for nothing; whoever begins a row fills it.
            let mut work = Work::new(tables, layer, vec![0; all], vec![0; all]);
            work.begin(lower, going).ok_or(Unfinished::Stopped)?;
            work
        }
    };
    let mut sweeps = 1;
    for margin in (1..=next).rev() {
        sweeps += work.settle(margin, going).ok_or(Unfinished::Stopped)?;
        if !reached(margin, &work.values, &work.open) || !going() {
            return Err(Unfinished::Stopped);
        }
    }
    let values = work.finish(going).ok_or(Unfinished::Stopped)?;
    Ok(Fixpoint { values, sweeps })
}

/// Bytes of memory it takes to solve this layer, tables of rows not included.
pub(crate) fn working_bytes(layer: &Layer) -> u64 {
    2 * layer.positions() + 2 * Frontier::bytes(layer)
}

/// A layer in the making.
struct Work<'a> {
    tables: &'a RowTables,
    layer: &'a Layer,
    /// Turned: one line for each row of the mover, the waiting rows side by side. An open position holds the best offer of its
    /// moves out of the layer, or [`NOTHING`]; a settled position holds its value.
    values: Vec<i8>,
    /// Moves inside the layer whose ends are not known to be won by the opponent; with [`SETTLED`] in settled positions.
    open: Vec<u8>,
    /// Won positions that were not passed on.
    wins: Frontier,
    /// Lost positions that were not passed on.
    losses: Frontier,
    /// Room for what a block finds, used again.
    spare: Mutex<Vec<Found>>,
    /// For every block, a bit for each row that has a move to a position to be passed on.
    reached: Vec<u64>,
    /// The number of the first block by the mover's seeds.
    first_blocks: Vec<usize>,
}

/// Rows of the mover that are worked on together, with their lines.
struct Block<'a> {
    mover_seeds: usize,
    /// Its number within the section.
    number: usize,
    /// Length of a line: waiting rows.
    lines: usize,
    values: &'a mut [i8],
    open: &'a mut [u8],
}

impl Block<'_> {
    /// The rows of the block with their ranks and lines.
    fn rows(&mut self) -> impl Iterator<Item = (usize, &mut [i8], &mut [u8])> {
        let first = self.number * BLOCK;
        let lines = self.values.chunks_exact_mut(self.lines).zip(self.open.chunks_exact_mut(self.lines));
        lines.enumerate().map(move |(row, (values, open))| (first + row, values, open))
    }
}

/// The layer cut into blocks.
fn blocks<'a>(layer: &Layer, mut values: &'a mut [i8], mut open: &'a mut [u8]) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    for section in layer.sections() {
        let (lines, columns) = (section.lines as usize, section.columns as usize);
        for number in 0..columns.div_ceil(BLOCK) {
            let size = BLOCK.min(columns - number * BLOCK) * lines;
            let (mine, rest) = values.split_at_mut(size);
            let (mine_open, rest_open) = open.split_at_mut(size);
            let mover_seeds = section.mover_seeds as usize;
            blocks.push(Block { mover_seeds, number, lines, values: mine, open: mine_open });
            (values, open) = (rest, rest_open);
        }
    }
    blocks
}

impl<'a> Work<'a> {
    fn new(tables: &'a RowTables, layer: &'a Layer, values: Vec<i8>, open: Vec<u8>) -> Work<'a> {
        let all = layer.positions() as usize;
        assert!(values.len() == all && open.len() == all, "a layer of {all} positions");
        let mut count = 0;
        let mut first_blocks = Vec::new();
        for section in layer.sections() {
            first_blocks.push(count);
            count += (section.columns as usize).div_ceil(BLOCK);
        }
        Work {
            tables,
            layer,
            values,
            open,
            wins: Frontier::new(layer),
            losses: Frontier::new(layer),
            spare: Mutex::default(),
            reached: vec![0; count],
            first_blocks,
        }
    }

    /// Marks the rows that have a move to a position of `from`; all of them where that is quicker.
    fn reach(&mut self, wins: bool) {
        let from = if wins { &mut self.wins } else { &mut self.losses };
        let most = from.lines() / MANY;
        let Some(lines) = from.few_lines(most) else { return self.reached.fill(u64::MAX) };
        let seeds = self.layer.seeds() as usize;
        self.reached.fill(0);
        for (mover_seeds, line) in lines {
            for &(before, row) in self.tables.origins(seeds - mover_seeds).of(line) {
                let block = self.first_blocks[usize::from(before)] + row as usize / BLOCK;
                self.reached[block] |= 1 << (row as usize % BLOCK);
            }
        }
    }

    /// Settles everything that is worth `margin` or `−margin`. How many rounds that took; `None` if `going` ended it.
    fn settle(&mut self, margin: i8, going: Going<'_>) -> Option<u32> {
        let mut rounds = 0;
        let [mut won, mut lost] = self.seed(margin, going)?;
        while won + lost > 0 {
            // Losses before this round make wins; the wins of this round and the last make losses.
            if lost > 0 {
                won += self.pass_losses(margin, going)?;
            }
            lost = if won > 0 { self.pass_wins(margin, going)? } else { 0 };
            won = 0;
            rounds += 1;
        }
        Some(rounds)
    }

    /// Computes the offers of moves out of the layer and counts the other moves. `None` if `going` ended it.
    fn begin(&mut self, lower: &impl SolvedLayers, going: Going<'_>) -> Option<()> {
        let start = Start { tables: self.tables, layer: self.layer, lower };
        blocks(self.layer, &mut self.values, &mut self.open).into_par_iter().try_for_each(|mut block| {
            let mover_seeds = block.mover_seeds as u32;
            block.rows().try_for_each(|(row, values, open)| {
                values.fill(NOTHING);
                going().then(|| start.row(mover_seeds, row, values, open))
            })
        })
    }

    /// Settles positions that are worth `margin` or `−margin` by their offers alone. Returns how many are won and lost, `None`
    /// if `going` ended it.
    fn seed(&mut self, margin: i8, going: Going<'_>) -> Option<[u64; 2]> {
        let (wins, losses, spare) = (&self.wins, &self.losses, &self.spare);
        let seeded = blocks(self.layer, &mut self.values, &mut self.open).into_par_iter().map(|mut block| {
            let (mover_seeds, number) = (block.mover_seeds, block.number);
            if !going() {
                return None;
            }
            let [mut won, mut lost] = [take(spare, block.lines), take(spare, block.lines)];
            for (row, values, open) in block.rows() {
                for (piece, part) in values.chunks(64).enumerate() {
                    // At most 64 in a piece: they are counted in bytes, many at a time.
                    let found = part.iter().fold(0u8, |found, &value| {
                        found | u8::from(value == margin) | u8::from(value == margin.wrapping_neg())
                    });
                    if found == 0 {
                        continue;
                    }
                    for (place, &value) in part.iter().enumerate() {
                        let place = 64 * piece + place;
                        if value == margin {
                            open[place] |= SETTLED;
                            won.add(row % BLOCK, place);
                        } else if value == -margin && open[place] == 0 {
                            open[place] = SETTLED;
                            lost.add(row % BLOCK, place);
                        }
                    }
                }
            }
            let counts = [won.pour(wins, mover_seeds, number), lost.pour(losses, mover_seeds, number)];
            give_back(spare, [won, lost]);
            Some(counts)
        });
        seeded.try_reduce(|| [0; 2], |a, b| Some([a[0] + b[0], a[1] + b[1]]))
    }

    /// Passes lost positions on: a player who can move to one wins `margin`. Returns how many positions are won, `None` if
    /// `going` ended it.
    fn pass_losses(&mut self, margin: i8, going: Going<'_>) -> Option<u64> {
        self.reach(false);
        let (tables, layer, losses, wins, spare) = (self.tables, self.layer, &self.losses, &self.wins, &self.spare);
        let blocks = blocks(layer, &mut self.values, &mut self.open).into_iter().zip(&self.reached);
        let blocks: Vec<_> = blocks.filter(|(_, reached)| **reached != 0).collect();
        let passed = blocks.into_par_iter().map(|(block, &reached)| {
            pass_on(tables, layer, (block, reached), losses, wins, spare, going, |value, open| {
                let first = *open < SETTLED;
                if first {
                    *open |= SETTLED;
                    *value = margin;
                }
                first
            })
        });
        let won = passed.try_reduce(|| 0, |a, b| Some(a + b));
        self.losses.clear();
        won
    }

    /// Passes won positions on: a player with no other move and no better offer loses `margin`. Returns how many positions
    /// are lost, `None` if `going` ended it.
    fn pass_wins(&mut self, margin: i8, going: Going<'_>) -> Option<u64> {
        self.reach(true);
        let (tables, layer, losses, wins, spare) = (self.tables, self.layer, &self.losses, &self.wins, &self.spare);
        let blocks = blocks(layer, &mut self.values, &mut self.open).into_iter().zip(&self.reached);
        let blocks: Vec<_> = blocks.filter(|(_, reached)| **reached != 0).collect();
        let passed = blocks.into_par_iter().map(|(block, &reached)| {
            pass_on(tables, layer, (block, reached), wins, losses, spare, going, |value, open| {
                *open -= 1;
                let last = *open == 0 && *value <= -margin;
                if last {
                    *open = SETTLED;
                    *value = -margin;
                }
                last
            })
        });
        let lost = passed.try_reduce(|| 0, |a, b| Some(a + b));
        self.wins.clear();
        lost
    }

    /// The values in the order of ranks, 0 where nothing is settled; `None` if `going` ended it.
    fn finish(self, going: Going<'_>) -> Option<Vec<i8>> {
        let Work { layer, mut values, open, .. } = self;
        const PIECE: usize = 1 << 16;
        values.par_chunks_mut(PIECE).zip(open.par_chunks(PIECE)).try_for_each(|(values, open)| {
            for (value, &open) in values.iter_mut().zip(open) {
                *value = if open >= SETTLED { *value } else { 0 };
            }
            going().then_some(())
        })?;
        drop(open);
        let mut ranked = vec![0; values.len()];
        for section in layer.sections() {
            let (lines, columns) = (section.lines as usize, section.columns as usize);
            let first = section.first as usize;
            let turned = &values[first..first + lines * columns];
            let pieces = ranked[first..first + lines * columns].par_chunks_mut(BLOCK * columns);
            pieces.enumerate().try_for_each(|(piece, ranked)| {
                let count = ranked.len() / columns;
                transpose(&turned[piece * BLOCK..], lines, columns, count, ranked, columns);
                going().then_some(())
            })?;
        }
        Some(ranked)
    }
}

/// Room for what a block with lines of this length finds.
fn take(spare: &Mutex<Vec<Found>>, lines: usize) -> Found {
    let mut found = spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
    found.reserve(lines);
    found
}

fn give_back(spare: &Mutex<Vec<Found>>, found: impl IntoIterator<Item = Found>) {
    spare.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
}

/// Calls `settle` for every position of the block's reached rows, once for each move that leads from it into `from`. Adds the
/// positions for which it answers that they are settled to `to`, and returns their number. `None` if `going`, asked at every
/// row, ended it.
#[inline]
#[expect(clippy::too_many_arguments, reason = "a hot loop; bundling what it reads would name no new thing")]
fn pass_on(
    tables: &RowTables,
    layer: &Layer,
    (block, mut reached): (Block<'_>, u64),
    from: &Frontier,
    to: &Frontier,
    spare: &Mutex<Vec<Found>>,
    going: Going<'_>,
    settle: impl Fn(&mut i8, &mut u8) -> bool,
) -> Option<u64> {
    let Block { mover_seeds, number, lines, values, open } = block;
    let seeds = layer.seeds() as usize;
    let waiting = seeds - mover_seeds;
    if mover_seeds == 0 {
        return Some(0);
    }
    let mut found = take(spare, lines);
    let moves = tables.moves(mover_seeds as u32);
    let rows = values.len() / lines;
    while reached != 0 && (reached.trailing_zeros() as usize) < rows {
        if !going() {
            return None;
        }
        let row = reached.trailing_zeros() as usize;
        reached &= reached - 1;
        let (values, open) = (&mut values[row * lines..][..lines], &mut open[row * lines..][..lines]);
        for &RowMove { row: after, seeds: kept, spill } in moves.of(number * BLOCK + row) {
            let Some(line) = from.line(seeds - usize::from(kept), after) else { continue };
            let mut reach = |place: usize| {
                if settle(&mut values[place], &mut open[place]) {
                    found.add(row, place);
                }
            };
            match spill {
                // A player without seeds is fed, or the game is over.
                STAYS if waiting == 0 => {}
                STAYS => line.each_word(|word, mut bits| {
                    while bits != 0 {
                        reach(64 * word + bits.trailing_zeros() as usize);
                        bits &= bits - 1;
                    }
                }),
                spill => {
                    let map = tables.map(waiting as u32, spill);
                    line.each_word(|word, bits| {
                        let mut bits = bits & map.grown[word];
                        while bits != 0 {
                            reach(map.back[64 * word + bits.trailing_zeros() as usize] as usize);
                            bits &= bits - 1;
                        }
                    });
                }
            }
        }
    }
    let count = found.pour(to, mover_seeds, number);
    give_back(spare, [found]);
    Some(count)
}

/// The part of a layer that is known before anything in it is settled.
struct Start<'a, L> {
    tables: &'a RowTables,
    layer: &'a Layer,
    lower: &'a L,
}

impl<L: SolvedLayers> Start<'_, L> {
    /// For the mover's row with this rank and all waiting rows: the best offer of moves out of the layer, and the number of
    /// other moves.
    fn row(&self, mover_seeds: u32, row: usize, offers: &mut [i8], open: &mut [u8]) {
        let seeds = self.layer.seeds();
        let waiting = seeds - mover_seeds;
        if mover_seeds == 0 || waiting == 0 {
            // One of the players has no seeds: here the rules know more than rows do.
            for (place, (offer, open)) in offers.iter_mut().zip(open).enumerate() {
                (*offer, *open) = self.one(mover_seeds, row as u64, place as u64);
            }
            return;
        }
        let spills = || self.tables.moves(mover_seeds).of(row).iter().filter(|step| step.spill != STAYS);
        let stays = self.tables.moves(mover_seeds).of(row).len() - spills().count();
        open.fill(stays as u8);
        for step in spills() {
            let map = self.tables.map(waiting, step.spill);
            for (word, &bits) in map.grown.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    open[map.back[64 * word + bits.trailing_zeros() as usize] as usize] += 1;
                    bits &= bits - 1;
                }
            }
            for (lost, steps) in &map.lose {
                let (layer, values) = self.lower.layer(seeds - u32::from(*lost));
                let section = layer.section(seeds - u32::from(step.seeds) - u32::from(*lost));
                let from = &values[(section.first + u64::from(step.row) * section.columns) as usize..];
                follow(offers, &from[..section.columns as usize], steps, *lost as i8);
            }
        }
        for step in spills() {
            for &rank in &self.tables.map(waiting, step.spill).special {
                offers[rank as usize] = self.one(mover_seeds, row as u64, u64::from(rank)).0;
            }
        }
    }

    /// The same for one position, by the rules.
    fn one(&self, mover_seeds: u32, row: u64, waiting_row: u64) -> (i8, u8) {
        let (pits, seeds) = (self.layer.pits(), self.layer.seeds());
        let position = Position::new(
            Row::from_bits(unrank_row(pits, mover_seeds, row)),
            Row::from_bits(unrank_row(pits, seeds - mover_seeds, waiting_row)),
        );
        let game = &self.tables.oware;
        let mut inside = 0;
        let offers = game.legal(position).filter_map(|pit| {
            let sown = game.sow(position, pit);
            // The end of the game is a position of the layer too if the other player has seeds in it: it passes its value on.
            let passes = sown.next != Next::Over || !sown.position.opponent.is_empty();
            match sown.next {
                _ if sown.position.seeds() == seeds && passes => {
                    inside += 1;
                    None
                }
                Next::Over => game.final_margin(&sown).map(|margin| margin.0 as i8),
                _ => Some(sown.gain().0 as i8 - self.lower.value(sown.position)),
            }
        });
        let best = offers.max();
        (best.or_else(|| game.over(position).map(|margin| margin.0 as i8)).unwrap_or(NOTHING), inside)
    }
}
