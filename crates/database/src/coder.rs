//! Tiles to bytes and back: errors of prediction, coded by range variants of asymmetric numeral systems (rANS, Duda 2013) with four
//! states in turns.

use crate::model::{BITS, Counts, ESCAPE, MOST_ERROR, Model, Table};
use crate::tile::{Buffer, Coder, Shape, walk};

/// Where states begin and end; they never fall below it between symbols.
const LOW: u32 = 1 << 16;

/// How many states take turns; lanes use them in a circle.
const TURNS: usize = 4;

/// Bytes of the states before a tile's words.
const STATES: usize = 4 * TURNS;

/// Learns from the tile in the buffer.
pub(crate) fn count(buffer: &mut Buffer, shape: &Shape, middle: u8, counts: &mut Counts) {
    struct Counter<'a>(Vec<u8>, usize, &'a mut Counts);
    impl Coder for Counter<'_> {
        fn code(&mut self, _: usize, context: usize, prediction: i16, line: usize, column: u8) -> u8 {
            let value = self.0[line * self.1 + usize::from(column)];
            self.2.add(context, i32::from(value) - i32::from(prediction));
            value
        }
    }
    let mut counter = Counter(copy(buffer, shape), shape.columns, counts);
    walk(buffer, shape, shape.lines, middle, &mut counter);
}

/// The bytes of the tile in the buffer: coded, or one byte a position where that is no longer.
pub(crate) fn encode(buffer: &mut Buffer, shape: &Shape, middle: u8, model: &Model, bytes: &mut Vec<u8>) {
    let mut recorder = Recorder { values: copy(buffer, shape), columns: shape.columns, model, record: Vec::new() };
    recorder.record.reserve(shape.positions());
    walk(buffer, shape, shape.lines, middle, &mut recorder);
    let mut states = [LOW; TURNS];
    let mut words: Vec<u16> = Vec::new();
    for &Recorded { lane, table, symbol, value } in recorder.record.iter().rev() {
        if symbol == ESCAPE {
            words.push(u16::from(value));
        }
        let (parts, before) = model.parts(table, symbol);
        let state = &mut states[usize::from(lane) % TURNS];
        if u64::from(*state) >= u64::from(parts) << (32 - BITS) {
            words.push(*state as u16);
            *state >>= 16;
        }
        *state = ((*state / parts) << BITS) + *state % parts + before;
    }
    if STATES + 2 * words.len() >= shape.positions() {
        bytes.extend_from_slice(&recorder.values);
        return;
    }
    bytes.extend(states.into_iter().flat_map(u32::to_le_bytes));
    bytes.extend(words.into_iter().rev().flat_map(u16::to_le_bytes));
}

/// Decodes the first `lines` lines of a tile, or a few more, into the buffer; `false` if the bytes are not a tile's. Whether
/// they all are is known only when all lines are asked for.
pub(crate) fn decode(
    bytes: &[u8],
    buffer: &mut Buffer,
    shape: &Shape,
    lines: usize,
    middle: u8,
    model: &Model,
) -> bool {
    if bytes.len() == shape.positions() {
        for (line, values) in bytes.chunks_exact(shape.columns).enumerate() {
            buffer.values[line].iter_mut().zip(values).for_each(|(to, &from)| *to = from.into());
        }
        return true;
    }
    if bytes.len() < STATES || bytes.len() > shape.positions() || !bytes.len().is_multiple_of(2) {
        return false;
    }
    let (states, words) = bytes.split_at(STATES);
    let (words, _) = words.as_chunks();
    let state = |lane: usize| [0, 1, 2, 3].map(|byte| states[4 * lane + byte]);
    let states = [0, 1, 2, 3].map(|lane| u32::from_le_bytes(state(lane)));
    let mut decoder = Decoder { model, words, next: 0, states };
    walk(buffer, shape, lines, middle, &mut decoder);
    lines < shape.lines || (decoder.next == words.len() && decoder.states == [LOW; TURNS])
}

/// The values of the tile in the buffer, line by line.
fn copy(buffer: &Buffer, shape: &Shape) -> Vec<u8> {
    buffer.values[..shape.lines].iter().flat_map(|line| &line[..shape.columns]).map(|&number| number as u8).collect()
}

struct Recorded {
    lane: u8,
    table: Table,
    symbol: u8,
    value: u8,
}

/// Notes in walking order what the encoder then writes backwards.
struct Recorder<'a> {
    values: Vec<u8>,
    columns: usize,
    model: &'a Model,
    record: Vec<Recorded>,
}

impl Coder for Recorder<'_> {
    #[inline(always)]
    fn code(&mut self, lane: usize, context: usize, prediction: i16, line: usize, column: u8) -> u8 {
        let value = self.values[line * self.columns + usize::from(column)];
        let (table, correction) = self.model.context(context);
        let error = i32::from(value) - i32::from(prediction) - correction;
        let mut symbol = if error.abs() <= MOST_ERROR { (error + MOST_ERROR) as u8 } else { ESCAPE };
        if self.model.parts(table, symbol).0 == 0 {
            symbol = ESCAPE;
        }
        self.record.push(Recorded { lane: lane as u8, table, symbol, value });
        value
    }
}

struct Decoder<'a> {
    model: &'a Model,
    words: &'a [[u8; 2]],
    next: usize,
    states: [u32; TURNS],
}

impl Decoder<'_> {
    /// The next word; zeros behind the last, which the end of the tile will show.
    #[inline(always)]
    fn peek(&self) -> u32 {
        self.words.get(self.next).map_or(0, |&word| u16::from_le_bytes(word)).into()
    }
}

impl Decoder<'_> {
    #[cold]
    fn escaped(&mut self) -> u8 {
        let word = self.peek();
        self.next += 1;
        word as u8
    }
}

impl Coder for Decoder<'_> {
    #[inline(always)]
    fn code(&mut self, lane: usize, context: usize, prediction: i16, _: usize, _: u8) -> u8 {
        let (table, correction) = self.model.context(context);
        let state = self.states[lane & (TURNS - 1)];
        let slot = self.model.slot(table, state);
        let mut state = slot.parts.wrapping_mul(state >> BITS).wrapping_add(slot.place);
        // About one time in eight, at random: a branch would be mispredicted as often.
        let (renewed, low) = (state << 16 | self.peek(), state < LOW);
        state = if low { renewed } else { state };
        self.next += usize::from(low);
        self.states[lane & (TURNS - 1)] = state;
        if slot.symbol == ESCAPE {
            return self.escaped();
        }
        (i32::from(prediction) + correction + i32::from(slot.symbol) - MOST_ERROR) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MODEL_BYTES;
    use crate::tiling::Tiling;
    use kalah_index::Layer;

    fn fill(buffer: &mut Buffer, shape: &Shape, value: impl Fn(usize, usize) -> u8) {
        for line in 0..shape.lines {
            for column in 0..shape.columns {
                buffer.values[line][column] = value(line, column).into();
            }
        }
    }

    #[test]
    fn every_shape_and_kind_of_values_comes_back() {
        type Kind = (&'static str, fn(usize, usize) -> u8);
        let kinds: [Kind; 5] = [
            ("equal", |_, _| 7),
            ("smooth", |line, column| (line / 3 + column / 5) as u8 % 90),
            ("steps", |line, column| if line % 7 < 3 { 20 } else { (column % 3) as u8 + 40 }),
            ("wild", |line, column| (line * 91 + column * column * 57 + line * column) as u8),
            ("extremes", |line, column| if (line + column) % 2 == 0 { 0 } else { 254 }),
        ];
        for (pits, seeds) in [(1, 5), (2, 12), (3, 40), (6, 10)] {
            let layer = Layer::new(pits, seeds).unwrap();
            let tiling = Tiling::new(&layer);
            let strips: Vec<_> = tiling.strips().collect();
            for strip in strips.iter().step_by(1 + strips.len() / 40) {
                let tile = strip.tiles(strip.blocks.end - 1).last().unwrap();
                let shape = Shape::new(pits, &tile);
                for (name, value) in kinds {
                    let (mut buffer, mut counts) = (Buffer::new(), Counts::new());
                    fill(&mut buffer, &shape, value);
                    count(&mut buffer, &shape, 12, &mut counts);
                    let untaught = Counts::new().learn();
                    for model in [counts.learn(), untaught] {
                        let model = Model::decode(&model).unwrap();
                        let mut bytes = Vec::new();
                        encode(&mut buffer, &shape, 12, &model, &mut bytes);
                        for lines in [1, shape.lines / 2, shape.lines] {
                            let mut decoded = Buffer::new();
                            assert!(decode(&bytes, &mut decoded, &shape, lines, 12, &model));
                            for line in 0..lines {
                                for column in 0..shape.columns {
                                    let (found, expected) =
                                        (decoded.values[line][column], i16::from(value(line, column)));
                                    assert_eq!(found, expected, "{name} {tile:?} {line} {column}");
                                }
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(Counts::new().learn().len(), MODEL_BYTES);
    }

    #[test]
    fn changed_and_cut_bytes_never_panic() {
        let layer = Layer::new(6, 14).unwrap();
        let strip = Tiling::new(&layer).strip_at(layer.positions() / 2);
        let shape = Shape::new(6, &strip.tiles(strip.blocks.start).next().unwrap());
        let (mut buffer, mut counts, mut bytes) = (Buffer::new(), Counts::new(), Vec::new());
        fill(&mut buffer, &shape, |line, column| (line / 9 + column / 5) as u8 % 15);
        count(&mut buffer, &shape, 7, &mut counts);
        let model = Model::decode(&counts.learn()).unwrap();
        encode(&mut buffer, &shape, 7, &model, &mut bytes);
        assert!(bytes.len() < shape.positions() / 2);
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            decode(&changed, &mut buffer, &shape, shape.lines, 7, &model);
            // What is missing at the end is noticed even without a checksum.
            assert!(!decode(&bytes[..place], &mut buffer, &shape, shape.lines, 7, &model));
        }
    }
}
