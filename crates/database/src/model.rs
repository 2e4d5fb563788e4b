//! What a compressed file knows of its layer: for every context a correction of the prediction and how likely each error is.
//!
//! The model is learnt from a sample of the layer's tiles when the file is written, with whole numbers only, so that it is
//! the same on every machine; it is part of the file's head.

use crate::tile::CONTEXTS;

/// How many distributions of errors a file has; each context uses one of them.
pub(crate) const TABLES: usize = 16;
/// The largest error a symbol stands for.
pub(crate) const MOST_ERROR: i32 = 11;
/// Symbols 0 to 22 are the errors −11 to 11, then one that says: the value itself follows.
pub(crate) const SYMBOLS: usize = 24;
pub(crate) const ESCAPE: u8 = SYMBOLS as u8 - 1;
/// Probabilities are parts of `2¹¹`.
pub(crate) const BITS: u32 = 11;
const WHOLE: u32 = 1 << BITS;
/// Corrections go from −8 to 7.
const MOST_CORRECTION: i32 = 7;
const LEAST_CORRECTION: i32 = -8;

/// Bytes of a model in a file.
pub(crate) const MODEL_BYTES: usize = TABLES * SYMBOLS * 2 + CONTEXTS;

/// Contexts, rounded up so that a masked index needs no test.
const CONTEXT_ROOM: usize = CONTEXTS.next_power_of_two();
const TABLE_ROOM: usize = TABLES << BITS;

/// A model ready for coding.
pub(crate) struct Model {
    /// Per context: the correction in the low byte, and where its table begins in `slots`, which is a multiple of `2¹¹`.
    contexts: Box<[u16; CONTEXT_ROOM]>,
    /// Parts of each symbol.
    parts: [[u16; SYMBOLS]; TABLES],
    /// Parts of all symbols before each.
    before: [[u16; SYMBOLS]; TABLES],
    /// For each part of each table the place among the parts of its symbol (11 bits), how many these are (12), and the symbol
    /// in the highest 5 bits.
    slots: Box<[u32; TABLE_ROOM]>,
}

/// One of a model's tables.
#[derive(Clone, Copy)]
pub(crate) struct Table(u16);

/// What a decoder does with one part of a table.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) symbol: u8,
    pub(crate) parts: u32,
    pub(crate) place: u32,
}

impl Model {
    /// Table and correction of a context.
    #[inline(always)]
    pub(crate) fn context(&self, context: usize) -> (Table, i32) {
        let entry = self.contexts[context & (CONTEXT_ROOM - 1)];
        (Table(entry & !(WHOLE as u16 - 1)), i32::from(entry as i8))
    }

    /// What a state with these low bits says by a table.
    #[inline(always)]
    pub(crate) fn slot(&self, table: Table, state: u32) -> Slot {
        let slot = self.slots[usize::from(table.0 & (TABLE_ROOM - 1) as u16 | (state & (WHOLE - 1)) as u16)];
        Slot { symbol: (slot >> 27) as u8, parts: slot >> BITS & 0xffff, place: slot & (WHOLE - 1) }
    }

    /// How many parts a symbol has, and how many all before it.
    #[inline(always)]
    pub(crate) fn parts(&self, table: Table, symbol: u8) -> (u32, u32) {
        let (table, symbol) = (usize::from(table.0) >> BITS, usize::from(symbol));
        (u32::from(self.parts[table][symbol]), u32::from(self.before[table][symbol]))
    }

    /// The model with these bytes, or what is wrong with them.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Model, String> {
        if bytes.len() != MODEL_BYTES {
            return Err(format!("a model has {MODEL_BYTES} bytes, found {}", bytes.len()));
        }
        let (tables, contexts) = bytes.split_at(TABLES * SYMBOLS * 2);
        let mut parts = [[0; SYMBOLS]; TABLES];
        for (part, bytes) in parts.as_flattened_mut().iter_mut().zip(tables.chunks_exact(2)) {
            *part = u16::from_le_bytes([bytes[0], bytes[1]]);
        }
        let boxed = |contexts: Vec<u16>| contexts.into_boxed_slice().try_into().expect("as long as its type says");
        let mut corrected = vec![0; CONTEXT_ROOM];
        for (entry, &byte) in corrected.iter_mut().zip(contexts) {
            let correction = i32::from(byte >> 4) + LEAST_CORRECTION;
            *entry = u16::from(byte & 15) << BITS | u16::from(correction as i8 as u8);
        }
        Self::build(boxed(corrected), parts)
    }

    fn build(contexts: Box<[u16; CONTEXT_ROOM]>, parts: [[u16; SYMBOLS]; TABLES]) -> Result<Model, String> {
        let mut before = [[0; SYMBOLS]; TABLES];
        let mut slots = vec![0; TABLE_ROOM].into_boxed_slice();
        for (number, table) in parts.iter().enumerate() {
            let sum: u32 = table.iter().map(|&parts| u32::from(parts)).sum();
            if sum != WHOLE || table[usize::from(ESCAPE)] == 0 {
                return Err(format!(
                    "table {number} has {sum} parts, expected {WHOLE}, some of them for the last symbol"
                ));
            }
            let mut slot = number << BITS;
            for (symbol, &parts) in table.iter().enumerate() {
                before[number][symbol] = (slot - (number << BITS)) as u16;
                for place in 0..u32::from(parts) {
                    slots[slot] = (symbol as u32) << 27 | u32::from(parts) << BITS | place;
                    slot += 1;
                }
            }
        }
        let slots = slots.try_into().expect("as long as its type says");
        Ok(Model { contexts, parts, before, slots })
    }
}

/// Counts the errors of plain predictions by context.
pub(crate) struct Counts(Vec<[u32; WIDTH]>);

/// Errors from −32 to 31; what is beyond counts as the last.
const WIDTH: usize = 64;
const ZERO: i32 = 32;

impl Counts {
    pub(crate) fn new() -> Counts {
        Counts(vec![[0; WIDTH]; CONTEXTS])
    }

    #[inline]
    pub(crate) fn add(&mut self, context: usize, error: i32) {
        self.0[context][(error.clamp(-ZERO, ZERO - 1) + ZERO) as usize] += 1;
    }

    /// The model that codes what was counted in few bits: contexts are gathered into as many groups as there are tables, each
    /// context moved by a correction, by turns fitting tables to groups and groups to tables.
    pub(crate) fn learn(&self) -> Vec<u8> {
        let seen: Vec<(usize, &[u32; WIDTH], u64, i32)> = self
            .0
            .iter()
            .enumerate()
            .filter_map(|(context, counts)| {
                let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
                let most = (0..WIDTH).rev().max_by_key(|&error| counts[error]).unwrap_or(0) as i32 - ZERO;
                (total > 0).then_some((context, counts, total, most.clamp(LEAST_CORRECTION, MOST_CORRECTION)))
            })
            .collect();
        // To begin with, contexts with about as uncertain errors share a table.
        let mut order: Vec<usize> = (0..seen.len()).collect();
        let certainty = |&(_, counts, total, most): &(usize, &[u32; WIDTH], u64, i32)| {
            u64::from(counts[(most + ZERO) as usize]) * (1 << 20) / total
        };
        order.sort_by_key(|&place| certainty(&seen[place]));
        let all: u64 = seen.iter().map(|context| context.2).sum();
        let mut choice = vec![(0, 0); seen.len()];
        let mut sum = 0;
        for place in order {
            let (_, _, total, most) = seen[place];
            choice[place] = (((u128::from(sum) * TABLES as u128 / u128::from(all)) as usize), most);
            sum += total;
        }
        let mut parts = tables(&seen, &choice);
        for _ in 0..8 {
            let lengths = parts.map(|table| table.map(code_length));
            for (choice, &(_, counts, _, most)) in choice.iter_mut().zip(&seen) {
                let mut best = u64::MAX;
                for correction in most - 1..=most + 1 {
                    if !(LEAST_CORRECTION..=MOST_CORRECTION).contains(&correction) {
                        continue;
                    }
                    let symbols = symbols(counts, correction);
                    let occurring: Vec<(usize, u64)> =
                        symbols.iter().copied().enumerate().filter(|&(_, count)| count > 0).collect();
                    for (table, lengths) in lengths.iter().enumerate() {
                        let cost = occurring.iter().map(|&(symbol, count)| count * u64::from(lengths[symbol])).sum();
                        if cost < best {
                            (best, *choice) = (cost, (table, correction));
                        }
                    }
                }
            }
            parts = tables(&seen, &choice);
        }
        let mut bytes: Vec<u8> = parts.as_flattened().iter().flat_map(|parts| parts.to_le_bytes()).collect();
        // What was never seen uses the table that knows least.
        let widest = (0..TABLES).min_by_key(|&table| parts[table].iter().max()).unwrap_or(0);
        let mut contexts = vec![entry(widest, 0); CONTEXTS];
        for (&(context, ..), (table, correction)) in seen.iter().zip(choice) {
            contexts[context] = entry(table, correction);
        }
        bytes.extend_from_slice(&contexts);
        bytes
    }
}

fn entry(table: usize, correction: i32) -> u8 {
    ((correction - LEAST_CORRECTION) << 4) as u8 | table as u8
}

/// How often each symbol occurs when predictions are corrected.
fn symbols(counts: &[u32; WIDTH], correction: i32) -> [u64; SYMBOLS] {
    let mut symbols = [0; SYMBOLS];
    for (error, &count) in (-ZERO..).zip(counts) {
        let corrected = error - correction;
        let symbol =
            if corrected.abs() <= MOST_ERROR { (corrected + MOST_ERROR) as usize } else { usize::from(ESCAPE) };
        symbols[symbol] += u64::from(count);
    }
    symbols
}

/// The tables that fit the groups.
fn tables(seen: &[(usize, &[u32; WIDTH], u64, i32)], choice: &[(usize, i32)]) -> [[u16; SYMBOLS]; TABLES] {
    let mut sums = [[0u64; SYMBOLS]; TABLES];
    for (&(_, counts, ..), &(table, correction)) in seen.iter().zip(choice) {
        for (sum, count) in sums[table].iter_mut().zip(symbols(counts, correction)) {
            *sum += count;
        }
    }
    sums.map(|counts| {
        let total = counts.iter().sum::<u64>().max(1);
        // What the sample did not show at all is left to the last symbol.
        let spare = u64::from(WHOLE) - SYMBOLS as u64;
        let mut parts = counts.map(|count| (u64::from(count > 0) + count * spare / total) as u16);
        parts[usize::from(ESCAPE)] = parts[usize::from(ESCAPE)].max(1);
        let missing = WHOLE as u16 - parts.iter().sum::<u16>();
        let largest = (0..SYMBOLS).max_by_key(|&symbol| (counts[symbol], symbol)).unwrap_or(0);
        parts[largest] += missing;
        parts
    })
}

/// The length of a code for a symbol with so many parts, in 1/4096 bits: `log₂(2¹¹ / parts)` by repeated squaring.
fn code_length(parts: u16) -> u32 {
    let parts = u32::from(parts.max(1));
    let whole = parts.ilog2();
    // Mantissa in [1, 2) with 31 bits behind the point.
    let mut mantissa = (u64::from(parts) << 31) >> whole;
    let mut logarithm = whole << 12;
    for bit in (0..12).rev() {
        mantissa = (mantissa * mantissa) >> 31;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            logarithm |= 1 << bit;
        }
    }
    (BITS << 12).saturating_sub(logarithm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_lengths_are_logarithms() {
        for parts in 1..=2048u16 {
            let expected = 11.0 - f64::from(parts).log2();
            assert!((f64::from(code_length(parts)) / 4096.0 - expected).abs() < 0.001, "{parts}");
        }
    }

    #[test]
    fn a_learnt_model_prefers_what_it_has_seen() {
        let mut counts = Counts::new();
        for number in 0..10_000 {
            counts.add(7, if number % 10 == 0 { 3 } else { 2 });
            counts.add(9000, number % 7 - 3);
        }
        let model = Model::decode(&counts.learn()).unwrap();
        let cost = |context: usize, error: i32| {
            let (table, correction) = model.context(context);
            code_length(model.parts(table, (error - correction + MOST_ERROR) as u8).0 as u16)
        };
        assert!(cost(7, 2) < 4096 / 2 && cost(7, 3) < 4 * 4096 && cost(7, 0) > 7 * 4096);
        assert!((-3..=3).all(|error| cost(9000, error) < 3 * 4096));
        // Nothing seen at all still gives a whole model.
        assert!(Model::decode(&Counts::new().learn()).is_ok());
    }

    #[test]
    fn models_that_do_not_add_up_are_refused() {
        let good = Counts::new().learn();
        assert!(Model::decode(&good[1..]).is_err());
        for place in 0..TABLES * SYMBOLS * 2 {
            let mut bad = good.clone();
            bad[place] ^= 1;
            assert!(Model::decode(&bad).is_err(), "{place}");
        }
        let mut bad = good.clone();
        bad[..2 * SYMBOLS].fill(0);
        bad[..2].copy_from_slice(&(WHOLE as u16).to_le_bytes());
        assert!(Model::decode(&bad).is_err(), "a table without the last symbol");
    }
}
