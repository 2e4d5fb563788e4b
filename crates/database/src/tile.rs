//! Walks through a tile in coding order and says of every position what its neighbours suggest: prediction and context.
//!
//! Encoder and decoder share this walk, so they cannot disagree.

use crate::tiling::{TILE_COLUMNS, TILE_LINES, Tile};
use kalah_index::{next_row, rank_row, unrank_row};
use std::cell::Cell;

/// Lines that are coded side by side, each one column behind the one above it. What happens at their positions is
/// independent, so the processor can work on all at once, with vectors of eight where there are as many lines.
pub(crate) const LANES: usize = 8;

/// How many contexts there are: six features of five levels.
pub(crate) const CONTEXTS: usize = 5usize.pow(6);

const COLUMNS: usize = TILE_COLUMNS as usize;
const LINES: usize = TILE_LINES as usize;

/// One line of numbers; 256 of them, so that a byte as index needs no test.
type Line = [Cell<i16>; COLUMNS];

/// Room for one tile: the halved values of its positions, 0 to 254. They are wider than they need be because vectors are
/// filled from memory with words in half the instructions.
pub(crate) struct Buffer {
    pub(crate) values: Box<[[i16; COLUMNS]; LINES]>,
}

impl Buffer {
    pub(crate) fn new() -> Buffer {
        let lines = vec![[0; COLUMNS]; LINES].into_boxed_slice();
        Buffer { values: lines.try_into().expect("as many lines as the type says") }
    }
}

/// What is done at every position.
pub(crate) trait Coder {
    /// The value at (`line`, `column`), given the context (below [`CONTEXTS`]) and the prediction.
    fn code(&mut self, lane: usize, context: usize, prediction: i16, line: usize, column: u8) -> u8;
}

/// Size of a tile and where the neighbours of its positions lie.
pub(crate) struct Shape {
    pub(crate) lines: usize,
    pub(crate) columns: usize,
    /// The near and the far neighbour of each column.
    left: Box<[(u8, u8)]>,
    /// Lines up to the near and far neighbour of each line.
    up: Box<[(u16, u16)]>,
}

impl Shape {
    pub(crate) fn new(pits: u8, tile: &Tile) -> Shape {
        let (columns, lines) = (tile.columns.end - tile.columns.start, tile.lines.end - tile.lines.start);
        let back = neighbours(pits, tile.section.mover_seeds, tile.columns.start, columns);
        let left = (0u8..=255).zip(back).map(|(column, (near, far))| (column - near as u8, column - far as u8));
        let up = neighbours(pits, tile.section.opponent_seeds, tile.lines.start, lines);
        Shape { lines: lines as usize, columns: columns as usize, left: left.collect(), up: up.collect() }
    }

    /// How many positions the tile has.
    pub(crate) fn positions(&self) -> usize {
        self.lines * self.columns
    }
}

/// For each of `count` rows from rank `first` on, how far before it two rows lie that differ from it by one seed moved one pit
/// back: the nearest two that are not before `first`. Where there is none the row before stands in, where there is no far one
/// the near one; the first row has (0, 0).
fn neighbours(pits: u8, seeds: u32, first: u64, count: u64) -> impl Iterator<Item = (u16, u16)> {
    let mut next = Some(unrank_row(pits, seeds, first));
    (0..count).map_while(move |at| {
        let row = next?;
        next = next_row(pits, row);
        let mut found = (1..pits).rev().filter(|pit| (row >> (8 * pit)) & 0xff > 0).map(|pit| {
            let moved = row - (1 << (8 * pit)) + (1 << (8 * (pit - 1)));
            first + at - rank_row(pits, moved)
        });
        // Distances grow from the last pit on, so the first two are the nearest.
        let near = found.next().filter(|&distance| distance <= at).unwrap_or(at.min(1));
        let far = found.next().filter(|&distance| distance <= at).unwrap_or(near);
        Some((near as u16, far as u16))
    })
}

/// Codes the first `lines` lines of a tile, or a few more. `middle` is the prediction of the very first position.
///
/// The first line comes alone, then always eight together: at every step one position of each, from the upper line to the
/// lower, each a column behind.
pub(crate) fn walk<C: Coder>(buffer: &mut Buffer, shape: &Shape, lines: usize, middle: u8, coder: &mut C) {
    let values = Cell::from_mut(&mut buffer.values[..]).as_slice_of_cells();
    let mut surprise = [EXPECTED; COLUMNS];
    first_line(values[0].as_array_of_cells(), shape, middle, &mut surprise, coder);
    for first in (1..lines).step_by(LANES) {
        let lanes = LANES.min(shape.lines - first);
        let lane = |lane: usize| {
            let line = first + lane.min(lanes - 1);
            let (near, far) = shape.up[line];
            let view = |line: usize| values[line].as_array_of_cells();
            Lane { here: view(line), near: view(line - usize::from(near)), far: view(line - usize::from(far)) }
        };
        let group = Group { first, lanes: std::array::from_fn(lane), left: &shape.left };
        group.walk(lanes, &mut surprise, coder);
    }
}

/// The first line has no neighbours above.
fn first_line(here: &Line, shape: &Shape, middle: u8, surprise: &mut [i16; COLUMNS], coder: &mut impl Coder) {
    let mut before = EXPECTED;
    for column in 0..shape.columns {
        let (near, far) = shape.left[column];
        let [prediction, other] = match column {
            0 => [i16::from(middle); 2],
            _ => [near, far].map(|column| value(here, column)),
        };
        let features = [EXPECTED, before, level(other - prediction), LEVEL, LEVEL, LEVEL];
        let coded = coder.code(0, context(features) as usize, prediction, 0, column as u8);
        here[column].set(coded.into());
        before = level(i16::from(coded) - prediction);
        surprise[column] = before;
    }
}

/// Up to eight lines that are coded together.
struct Group<'a> {
    first: usize,
    lanes: [Lane<'a>; LANES],
    left: &'a [(u8, u8)],
}

/// A line and the near and the far line above it.
#[derive(Clone, Copy)]
struct Lane<'a> {
    here: &'a Line,
    near: &'a Line,
    far: &'a Line,
}

impl Group<'_> {
    /// Codes the first `lanes` lines. `surprise` tells how well each position of the line above the first was predicted, and
    /// afterwards the same of the last.
    #[inline(always)]
    fn walk<C: Coder>(&self, lanes: usize, surprise: &mut [i16; COLUMNS], coder: &mut C) {
        let columns = self.left.len();
        // By lane, of the position coded last. What was before in a line is above in the next line, one step later.
        let mut before = [EXPECTED; LANES];
        for step in 0..columns + lanes - 1 {
            let mut above = [surprise[step & (COLUMNS - 1)], 0, 0, 0, 0, 0, 0, 0];
            above[1..].copy_from_slice(&before[..LANES - 1]);
            if lanes == LANES && step >= LANES && step < columns {
                before = self.all(step, before, above, coder);
            } else {
                for lane in step.saturating_sub(columns - 1)..lanes.min(step + 1) {
                    before[lane] = self.one(lane, (step - lane) as u8, before[lane], above[lane], coder);
                }
            }
            if let Some(column) = (step + 1).checked_sub(lanes) {
                surprise[column & (COLUMNS - 1)] = before[lanes - 1];
            }
        }
    }

    /// One position of every lane, none of them the first of its line. The arrays are small enough for vector registers.
    #[inline(always)]
    fn all<C: Coder>(&self, step: usize, before: Levels, above_surprise: Levels, coder: &mut C) -> Levels {
        let columns: &[(u8, u8); LANES] = self.left[step + 1 - LANES..=step].first_chunk().expect("eight columns");
        let [mut left, mut far_left, mut above, mut far_above] = [[0; LANES]; 4];
        let [mut corner, mut left_corner, mut above_corner] = [[0; LANES]; 3];
        for lane in 0..LANES {
            let column = (step - lane) as u8;
            let (near, far) = columns[LANES - 1 - lane];
            let Lane { here, near: line, far: far_line } = self.lanes[lane];
            left[lane] = value(here, near);
            far_left[lane] = value(here, far);
            above[lane] = value(line, column);
            far_above[lane] = value(far_line, column);
            corner[lane] = value(line, near);
            left_corner[lane] = value(line, far);
            above_corner[lane] = value(far_line, near);
        }
        let [mut prediction, mut contexts] = [[0; LANES]; 2];
        for lane in 0..LANES {
            let predicted = median(left[lane], above[lane], corner[lane]);
            let by_far_left = median(far_left[lane], above[lane], left_corner[lane]);
            let by_far_above = median(left[lane], far_above[lane], above_corner[lane]);
            prediction[lane] = predicted;
            contexts[lane] = context([
                above_surprise[lane],
                before[lane],
                level(by_far_left - predicted),
                level(by_far_above - predicted),
                level(above[lane] - corner[lane]),
                level(corner[lane] - left[lane]),
            ]);
        }
        let mut coded = [0; LANES];
        let mut code = |lane: usize| {
            let column = (step - lane) as u8;
            let number = coder.code(lane, contexts[lane] as usize, prediction[lane], self.first + lane, column);
            coded[lane] = i16::from(number);
            self.lanes[lane].here[usize::from(column)].set(coded[lane]);
        };
        // A loop is not unrolled for being so long, but is a third slower.
        unrolled!(code: 0, 1, 2, 3, 4, 5, 6, 7);
        // By themselves, so that they become vector instructions.
        let mut surprise = [0; LANES];
        for lane in 0..LANES {
            surprise[lane] = level(coded[lane] - prediction[lane]);
        }
        surprise
    }

    /// One position of one lane.
    fn one<C: Coder>(&self, lane: usize, column: u8, before: i16, surprise: i16, coder: &mut C) -> i16 {
        let Lane { here, near: line, far: far_line } = self.lanes[lane];
        let (near, far) = self.left[usize::from(column)];
        let (above, far_above) = (value(line, column), value(far_line, column));
        let (prediction, features) = if column == 0 {
            (above, [surprise, EXPECTED, LEVEL, level(far_above - above), LEVEL, LEVEL])
        } else {
            let (left, far_left) = (value(here, near), value(here, far));
            let corner = value(line, near);
            let prediction = median(left, above, corner);
            let by_far_left = level(median(far_left, above, value(line, far)) - prediction);
            let by_far_above = level(median(left, far_above, value(far_line, near)) - prediction);
            let slopes = (level(above - corner), level(corner - left));
            (prediction, [surprise, before, by_far_left, by_far_above, slopes.0, slopes.1])
        };
        let coded = coder.code(lane, context(features) as usize, prediction, self.first + lane, column);
        here[usize::from(column)].set(coded.into());
        level(i16::from(coded) - prediction)
    }
}

/// Calls a function with each of the numbers.
macro_rules! unrolled {
    ($function:ident: $($lane:literal),*) => { $($function($lane);)* };
}
use unrolled;

/// One number for each lane.
type Levels = [i16; LANES];

/// The level of no difference.
const LEVEL: i16 = 2;
/// The surprise of a position that is as predicted, and of one outside the tile.
const EXPECTED: i16 = LEVEL;

#[inline(always)]
fn value(line: &Line, column: u8) -> i16 {
    line[usize::from(column)].get()
}

/// A difference as one of five levels, 0 to 4.
#[inline(always)]
fn level(difference: i16) -> i16 {
    difference.clamp(-2, 2) + 2
}

#[inline(always)]
fn context(features: [i16; 6]) -> i16 {
    features.into_iter().fold(0, |context, feature| 5 * context + feature)
}

/// The median of left, above, and left + above − corner.
#[inline(always)]
fn median(left: i16, above: i16, corner: i16) -> i16 {
    let (low, high) = (left.min(above), left.max(above));
    (left + above - corner).max(low).min(high)
}
